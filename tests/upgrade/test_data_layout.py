"""Upgrade of data layout strings, beside what LLVM 22 makes of them."""

from __future__ import annotations

import gzip
import re

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.summary import summarize
from bitcodec.ir.data_layout import DataLayout
from bitcodec.upgrade.data_layout import upgraded_data_layout
from corpus import FOLDER, accepted_streams, needs_corpus

# What llvm::UpgradeDataLayoutString of release 22 returns: target triple, old string, new one.
CASES = (
    (
        "x86_64-unknown-linux-gnu",
        "e-m:e-i64:64-f80:128-n8:16:32:64-S128",
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    ),
    (
        "i686-unknown-linux-gnu",
        "e-m:e-p:32:32-f64:32:64-f80:32-n8:16:32-S128",
        "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128",
    ),
    (
        "i386-pc-elfiamcu",
        "e-m:e-p:32:32-i64:32-f64:32-n8:16:32-a:0:32-S32",
        "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:32-f64:32-n8:16:32-a:0:32-S32",
    ),
    (
        "i686-pc-windows-msvc",
        "e-m:x-p:32:32-i64:64-f80:32-n8:16:32-a:0:32-S32",
        "e-m:x-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32-a:0:32-S32",
    ),
    (
        "i686-pc-windows-gnu",
        "e-m:x-p:32:32-i64:64-f80:32-n8:16:32-a:0:32-S32",
        "e-m:x-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:32-n8:16:32-a:0:32-S32",
    ),
    (
        "x86_64-pc-windows-msvc",
        "e-m:w-i64:64-f80:32-n8",
        "e-m:w-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:32-n8",
    ),
    ("x86_64-apple-macosx", "e-m:o-i64:64-i128:128-n8", "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n8"),
    ("x86_64-linux", "E-i64:64", "E-i64:64"),
    ("x86_64-linux", "", ""),
    ("x86_64-linux", "e-p270:32:32-p271:32:32-p272:64:64-n8", "e-p270:32:32-p271:32:32-p272:64:64-i128:128-n8"),
    (
        "aarch64-unknown-linux-gnu",
        "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128",
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
    ),
    (
        "arm64-apple-ios",
        "e-m:o-i64:64-i128:128-n32:64-S128-Fn32",
        "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32",
    ),
    ("aarch64", "", ""),
    ("aarch64v8-linux", "e", "e-Fn32"),
    ("armv7-linux", "e-m:e-p:32:32", "e-m:e-p:32:32"),
    (
        "amdgcn-amd-amdhsa",
        "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-n32:64-S32-A5",
        "m:e-e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-n32:64-S32-A5-G1-ni:7:8:9-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32",
    ),
    (
        "amdgcn-amd-amdhsa",
        "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-n32:64-S32-A5-G1-ni:7",
        "m:e-e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-n32:64-S32-A5-G1-ni:7:8:9-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32",
    ),
    (
        "amdgcn-amd-amdhsa",
        "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-n32:64-S32-A5-ni:7:8",
        "m:e-e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-i64:64-v16:16-n32:64-S32-A5-ni:7:8-G1:9-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32",
    ),
    (
        "amdgcn--",
        "e-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-ni:7:8:9-G1",
        "m:e-e-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-ni:7:8:9-G1",
    ),
    ("amdgcn", "", "m:e-G1-ni:7:8:9-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32"),
    ("r600--", "e-p:32:32", "m:e-e-p:32:32-G1"),
    ("spir64-unknown-unknown", "e-i64:64", "e-i64:64-G1"),
    ("spirv64v1.6-unknown-unknown", "e-i64:64-G2", "e-i64:64-G2"),
    ("spirv32", "", "G1"),
    ("spirv1.6-unknown-vulkan", "e-i64:64", "e-i64:64"),
    ("riscv64-unknown-elf", "e-m:e-p:64:64-i64:64-i128:128-n64-S128", "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"),
    ("loongarch64", "e-n64-S128", "e-n32:64-S128"),
    ("riscv32", "e-n64-S128", "e-n64-S128"),
    ("sparc64-sun-solaris", "E-m:e-i64:64-n32:64-S128", "E-m:e-i64:64-i128:128-n32:64-S128"),
    ("mips64-linux", "E-m:e-i8:8:32-i64:64-n32:64-S128", "E-m:e-i8:8:32-i64:64-i128:128-n32:64-S128"),
    ("mips64-linux", "E-m:m-p:32:32-i64:64-n32-S64", "E-m:m-p:32:32-i64:64-n32-S64"),
    ("mips-linux", "E-m:m-i64:64", "E-m:m-i64:64"),
    ("wasm32-unknown-unknown", "e-m:e-p:32:32-i64:64-n32:64-S128", "e-m:e-p:32:32-i64:64-i128:128-n32:64-S128"),
    ("powerpc64le-linux", "e-m:e-i64:64-n32:64", "e-m:e-i64:64-i128:128-n32:64"),
    ("powerpc64-ibm-aix", "E-m:a-i64:64-n32:64-S128", "E-m:a-i64:64-i128:128-n32:64-f64:32:64-S128"),
    ("powerpc-ibm-aix7.2", "E-m:a-p:32:32-i64:64-n32", "E-m:a-p:32:32-i64:64-n32-f64:32:64"),
    ("powerpc-linux", "E-m:e-p:32:32-i64:64", "E-m:e-p:32:32-i64:64"),
    ("s390x-linux", "E-m:e-i64:64", "E-m:e-i64:64"),
    ("", "e-m:e-i64:64-f80:128-n8:16:32:64-S128", "e-m:e-i64:64-f80:128-n8:16:32:64-S128"),
)


@pytest.mark.parametrize(("triple", "old", "new"), CASES)
def test_upgrade(triple, old, new):
    assert upgraded_data_layout(old, triple) == new


@pytest.mark.parametrize(("triple", "old", "new"), CASES)
def test_nothing_is_upgraded_twice(triple, old, new):
    del old
    assert upgraded_data_layout(new, triple) == new


@needs_corpus
def test_all_modules_of_the_corpus():
    checked = changed = 0
    for file in accepted_streams():
        if "ll" not in file.goldens or "file" not in file.goldens["ll"]:
            continue
        golden = file.goldens["ll"]
        text = gzip.decompress((FOLDER / golden["file"]).read_bytes()).decode("utf-8", "surrogateescape")
        expected = re.search(r'^target datalayout = "(.*)"$', text, re.MULTILINE)
        modules = summarize(bitstream.loads(file.data))
        if len(modules) != 1 or modules[0].data_layout is None:
            continue
        old, triple = modules[0].data_layout, modules[0].triple or ""
        new = upgraded_data_layout(old, triple)
        assert new == (expected[1] if expected else ""), file.path
        DataLayout(new)
        checked += 1
        changed += new != old
    assert checked > 300
    assert changed > 50

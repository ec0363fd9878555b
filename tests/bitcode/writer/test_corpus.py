"""Every module of the corpus, written anew and given to LLVM 22."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

import bitcodec
from asm.test_goldens import BENCH, FILES, goldens_of
from cli.running import llvm
from corpus import FOLDER, needs_corpus

ORDERS = "--preserve-ll-uselistorder"
OLD_SUMMARY = "the summary names intrinsics that LLVM 22 no longer has: they keep their GUIDs alone"
DIFFERENT = {
    "modules/cfi-cfi-14.bc": OLD_SUMMARY,
    "modules/cfi-cfi-16.bc": OLD_SUMMARY,
    "modules/cfi-cfi-19.bc": OLD_SUMMARY,
    "modules/lto-thing-14.bc": OLD_SUMMARY,
    "modules/lto-thing-16.bc": OLD_SUMMARY,
    "legacy/thinlto-x86-autoupgrade.bc": OLD_SUMMARY,
    "legacy/thinlto-x86-drop-debug-info.bc": OLD_SUMMARY,
}
"""Files whose text is another when they have been written anew, with reasons; a test fails when one is the same."""
OTHER_ORDERS = {
    "legacy/upgrade-arc-runtime-calls.bc": "LLVM brings calls up to date callee by callee, we do in the order of calls"
}
MODULES = [path for path in FILES if path.parent.name in ("modules", "legacy") and len(goldens_of(path)) == 1]


def tool(name: str, *arguments: str, folder: Path) -> bytes:
    """Return what one of LLVM's tools prints; it must not complain, but of debug information that it leaves out."""
    done = subprocess.run([llvm(name), *arguments], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0
    assert not done.stderr or b"ignoring debug info with an invalid version" in done.stderr
    return done.stdout


def verified(path: Path) -> bool:
    """Return whether LLVM's verifier accepts a module."""
    arguments = [llvm("opt"), "-passes=verify", path, "-disable-output"]
    return subprocess.run(arguments, capture_output=True, check=False).returncode == 0


def written(path: Path, folder: Path) -> bitcodec.Module:
    """Write a module into a folder, under its own name; return it as it was read."""
    (module,) = bitcodec.loads_all(path.read_bytes(), path.name)
    (folder / path.name).write_bytes(bitcodec.dumps(module, copies_unchanged=False))
    return module


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@needs_corpus
def test_the_lists_name_files() -> None:
    assert len(MODULES) == 473
    assert all((FOLDER / name).is_file() for name in (*DIFFERENT, *OTHER_ORDERS))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_llvm_finds_the_same_module(path: Path, tmp_path: Path) -> None:
    module = written(path, tmp_path)
    is_same = name_of(path) not in DIFFERENT
    text = tool("llvm-dis", path.name, "-o", "-", folder=tmp_path)
    assert (text == gzip.decompress(goldens_of(path)[0].read_bytes())) is is_same
    assert b"Stream type: LLVM IR" in tool("llvm-bcanalyzer", path.name, folder=tmp_path)
    assert verified(tmp_path / path.name) or not verified(path)
    if module.preserves_use_list_order and is_same:
        theirs = tool("llvm-dis", ORDERS, path.name, "-o", "-", folder=path.parent)
        ours = tool("llvm-dis", ORDERS, path.name, "-o", "-", folder=tmp_path)
        assert (ours == theirs) is (name_of(path) not in OTHER_ORDERS)


@pytest.mark.parametrize("path", BENCH, ids=name_of)
def test_large_modules_too(path: Path, tmp_path: Path) -> None:
    module = written(path, tmp_path)
    assert module.preserves_use_list_order
    theirs = tool("llvm-dis", ORDERS, path.name, "-o", "-", folder=path.parent)
    assert tool("llvm-dis", ORDERS, path.name, "-o", "-", folder=tmp_path) == theirs


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_what_is_read_back_is_the_same(path: Path) -> None:
    module = bitcodec.loads(path.read_bytes(), path.name)
    data = bitcodec.dumps(module, copies_unchanged=False)
    again = bitcodec.loads(data, path.name)
    assert bitcodec.dumps(again, copies_unchanged=False) == data
    orders = module.preserves_use_list_order
    text = bitcodec.print_assembly(module, preserve_use_list_order=orders)
    same = bitcodec.print_assembly(again, preserve_use_list_order=orders) == text
    assert same is (name_of(path) not in DIFFERENT)

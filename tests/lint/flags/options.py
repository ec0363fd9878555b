"""Targets and options that users of clang combine, and the languages that they write.

A build has one target, one language or two, one set of options, and a source file for each module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["AXES", "EXTRA_TARGETS", "LANGUAGES", "TARGETS", "Axis", "axes_for"]

TARGETS = (
    "x86_64-linux-gnu",
    "i686-linux-gnu",
    "x86_64-linux-musl",
    "x86_64-linux-android21",
    "x86_64-linux-gnux32",
    "x86_64-unknown-freebsd13",
    "x86_64-unknown-fuchsia",
    "x86_64-windows-msvc",
    "i686-windows-msvc",
    "x86_64-windows-gnu",
    "aarch64-windows-msvc",
    "x86_64-apple-macosx12",
    "arm64-apple-macos12",
    "arm64-apple-ios14",
    "arm64e-apple-ios14",
    "armv7-apple-ios9",
    "aarch64-linux-gnu",
    "aarch64_be-linux-gnu",
    "aarch64-linux-android21",
    "aarch64-none-elf",
    "armv7-linux-gnueabihf",
    "armv7-linux-gnueabi",
    "armv7-linux-androideabi21",
    "thumbv7m-none-eabi",
    "riscv64-linux-gnu",
    "riscv32-unknown-elf",
    "loongarch64-linux-gnu",
    "powerpc64le-linux-gnu",
    "powerpc64-linux-gnu",
    "powerpc-linux-gnu",
    "s390x-linux-gnu",
    "mips-linux-gnu",
    "mips64el-linux-gnuabi64",
    "sparcv9-linux-gnu",
    "wasm32-unknown-unknown",
    "wasm32-wasi",
    "amdgcn-amd-amdhsa",
    "nvptx64-nvidia-cuda",
    "avr",
    "hexagon-linux-musl",
    "msp430",
    "bpf",
)
EXTRA_TARGETS = (
    "aarch64-linux-pauthtest",
    "powerpc64-ibm-aix",
    "s390x-ibm-zos",
    "x86_64-scei-ps4",
    "x86_64-sie-ps5",
    "x86_64-unknown-uefi",
    "x86_64-unknown-openbsd",
    "x86_64-apple-ios14-macabi",
    "arm64-apple-ios14-simulator",
    "i386-apple-macosx10.6",
    "wasm64-unknown-unknown",
    "riscv64-linux-android35",
    "sparc-linux-gnu",
    "lanai",
    "ve-linux-gnu",
    "xcore",
    "spirv64-unknown-unknown",
    "spir64-unknown-unknown",
    "dxil-pc-shadermodel6.3-library",
    "armv8.1m.main-none-eabi",
)
"""Targets of which only the flags are collected."""

LANGUAGES = {
    "c": """int shared_{next}(int); int global_{name}; extern int global_{next};
static int local(int x) {{ return x * {number}; }}
int shared_{name}(int x) {{ global_{name} += local(x); return x > 9 ? shared_{next}(x - 1) + global_{next} : x; }}
""",
    "c++": """struct Base {{ virtual int f(int); virtual ~Base(); int x; }};
extern "C" int shared_{next}(int);
namespace {{ struct Own : Base {{ int f(int y) override {{ return y + x + {number}; }} }}; }}
extern "C" int shared_{name}(int x) {{
  Own o; o.x = x; Base *b = &o;
  return b->f(x) + (x > 9 ? shared_{next}(x - 1) : 0);
}}
""",
    "objective-c": """@interface Thing_{name} {{ int x; }} - (int)f; @end
@implementation Thing_{name} - (int)f {{ return x + {number}; }} @end
int shared_{next}(int);
int shared_{name}(int x) {{ return x > 9 ? shared_{next}(x - 1) : x; }}
""",
}
"""Source text by language: `name` is that of the module, `next` that of another one of the build."""


class Axis(NamedTuple):
    """Options of which a build has one or none.

    Attributes:
        name: a word for it.
        choices: options, as words with blanks between.
        targets: pattern of the triples that have such options.
        languages: the languages that have them; empty for all.
        weight: share of the builds that have one, in percent.
    """

    name: str
    choices: tuple[str, ...]
    targets: str = ""
    languages: tuple[str, ...] = ()
    weight: int = 30


def _axes() -> Iterator[Axis]:
    """Yield the choices of `options.txt`."""
    lines = (Path(__file__).parent / "options.txt").read_text().splitlines()
    head, choices = "", []
    for line in (*lines, "end"):
        if line.startswith("    "):
            choices.append(line.strip())
        elif line and not line.startswith("#"):
            if head:
                name, weight, targets, *languages = head.split("\t")
                named = tuple(languages[0].split(",")) if languages else ()
                yield Axis(name, tuple(choices), "" if targets == "." else targets, named, int(weight))
            head, choices = line, []


AXES = tuple(_axes())


def axes_for(target: str, language: str) -> list[Axis]:
    """Return the options that a target and a language have."""
    return [
        each for each in AXES if re.search(each.targets, target) and (not each.languages or language in each.languages)
    ]

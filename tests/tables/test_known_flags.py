"""Known module flags: clang with the option of a value writes this value, in the versions that the row states."""

from __future__ import annotations

import re
import subprocess

import pytest

from answers import recall
from answers.tools import program_of
from bitcodec.flags import KNOWN_FLAGS
from downgrade.oracles import all_llvm

TARGETS = {
    "amd": "amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib",
    "nvvm": "nvptx64-nvidia-cuda",
    "Objective": "arm64-apple-macos -xobjective-c",
    "cf-branch": "riscv64-linux-gnu -fcf-protection=branch",
    "cfguard": "x86_64-windows-msvc",
    "winx64": "x86_64-windows-msvc",
    "ms-": "x86_64-windows-msvc",
    "min_enum": "armv7-linux-gnueabihf",
    "ilp32": "riscv32-linux-gnu -march=rv32gc",
    "lp64": "riscv64-linux-gnu",
    "aapcs": "armv7-linux-gnueabihf",
    "apcs": "armv7-linux-gnueabihf",
    "elfv1": "powerpc64-linux-gnu",
    "elfv2": "powerpc64le-linux-gnu",
    "branch-protection": "aarch64-linux-gnu",
    "stack-protector-guard-": "x86_64-linux-gnu -mstack-protector-guard=tls",
}
"""Arguments for flags by a part of key or value; others are for x86-64."""
OPTIONS = [
    (key, str(value), meaning.option.replace("PROCESSOR", "gfx90a"))
    for key, row in KNOWN_FLAGS.items()
    for value, meaning in row.values.items()
    if meaning.option.startswith(("-f", "-m"))
]
VERSIONS = (14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24)
NEWEST = (22, 24)
OTHERS = {
    ("frame-pointer", "1"),
    ("frame-pointer", "3"),
    ("uwtable", "0"),
    ("uwtable", "1"),
    ("Objective-C Enforce ClassRO Pointer Signing", "16"),
}
"""Values that clang writes for their options on some targets, in some versions or as another type only."""
WRITTEN_LATE = ("ThinLTO",)
"""Flags that older versions write into bitcode only, not into text."""


def arguments(key: str, value: str) -> list[str]:
    """Return the arguments for a flag."""
    found = next((text for part, text in TARGETS.items() if part in key or part in value), "x86_64-linux-gnu")
    return f"--target={found}".split()


def written(version: int, key: str, command: list[str]) -> list[int | str] | None:
    """Return the behavior and the value of the flag that clang writes, None if it writes none."""
    oracles = all_llvm()
    assert oracles is not None
    program = [str(oracles.zig(version)), "clang"] if version in oracles.ZIG else [program_of(f"clang-{version}")]
    kind = [] if "-xobjective-c" in command else ["-xc"]
    run = subprocess.run(
        [*program, *command, *kind, "-S", "-emit-llvm", "-", "-o", "-"],
        input="int f(int x) { return x; }",
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(rf'^!\d+ = !\{{i32 (\d), !"{re.escape(key)}", (.*)\}}$', run.stdout, re.MULTILINE)
    return None if found is None else [int(found[1]), found[2]]


@pytest.mark.parametrize(("key", "value", "option"), OPTIONS)
def test_an_option_makes_its_value(key: str, value: str, option: str) -> None:
    row, command = KNOWN_FLAGS[key], [*arguments(key, value), *option.split()]
    made = recall(
        ["flag that clang 22 and 24 write", key, *command], lambda: [written(each, key, command) for each in NEWEST]
    )
    if made != [None, None] and (key, value) not in OTHERS:
        assert [row.behavior, f"{row.type} {value}" if row.bit_width else f'!"{value}"'] in made


@pytest.mark.parametrize("key", dict.fromkeys(key for key, _, _ in OPTIONS))
def test_versions_that_write_a_flag(key: str) -> None:
    row = KNOWN_FLAGS[key]
    commands = [[*arguments(key, value), *option.split()] for each, value, option in OPTIONS if each == key]
    found = recall(
        ["versions of clang that write the flag", key, *map(" ".join, commands)],
        lambda: [each for each in VERSIONS if any(written(each, key, command) for command in commands)],
    )
    if found and key not in WRITTEN_LATE:
        assert found == [version for version in VERSIONS if row.is_written_by(version, commands[0][0])]

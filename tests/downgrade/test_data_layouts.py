"""Data layouts for older versions are those that clang of each version has for its targets."""

from __future__ import annotations

import re
import subprocess

import pytest

from answers import recall
from answers.tools import program_of
from bitcodec.downgrade.data_layouts import older_data_layout
from bitcodec.upgrade.data_layout import upgraded_data_layout

from .oracles import all_llvm

OLDEST = {
    "x86_64-unknown-linux-gnu": 14,
    "aarch64-unknown-linux-gnu": 14,
    "arm64-apple-ios": 14,
    "amdgcn-amd-amdhsa": 18,
    "spir64-unknown-unknown": 14,
    "riscv64-linux-gnu": 14,
    "loongarch64-linux-gnu": 16,
    "mips64-linux-gnu": 14,
    "powerpc64le-linux-gnu": 17,
    "sparcv9-linux-gnu": 14,
    "wasm32-unknown-unknown": 14,
}
"""Targets, and the oldest version whose layout is restored from that of LLVM 22."""
OLDEST_UPGRADED = {"amdgcn-amd-amdhsa": 17}
"""Of targets of which not all are: the oldest version whose layout is restored from what reading it makes of it."""
NEWEST = 22


def layouts(triple: str) -> dict[str, str]:
    """Return the layouts of a target by version of LLVM; a version that is missing has that of the one before."""
    oracles = all_llvm()
    assert oracles is not None
    found: dict[str, str] = {}
    for version in range(14, NEWEST + 1):
        is_zig = version in oracles.ZIG
        program = [str(oracles.zig(version)), "clang"] if is_zig else [program_of(f"clang-{version}")]
        command = [*program, "-cc1", "-triple", triple, "-emit-llvm", "-x", "c", "-o", "-", "-"]
        text = subprocess.run(command, input="", capture_output=True, text=True, check=False).stdout
        layout = re.search(r'^target datalayout = "(.*)"$', text, re.MULTILINE)
        if layout is not None and layout[1] not in [*found.values()][-1:]:
            found[str(version)] = layout[1]
    return found


def without_mangling(layout: str) -> str:
    """Return a layout without the mangling that LLVM 22 states for more targets than older versions."""
    return re.sub(r"\bm:e-", "", layout)


@pytest.mark.parametrize("triple", OLDEST)
def test_layouts(triple: str) -> None:
    found = recall(["layouts of clang", triple], lambda: layouts(triple))
    by_version: dict[int, str] = {}
    for version in range(14, NEWEST + 1):
        layout = found.get(str(version), by_version.get(version - 1))
        if layout is not None:
            by_version[version] = layout

    for version, layout in by_version.items():
        if version >= OLDEST_UPGRADED.get(triple, 14):
            older = older_data_layout(upgraded_data_layout(layout, triple), triple, (), version)
            assert without_mangling(older) == without_mangling(layout), version
        if version >= OLDEST[triple]:
            older = older_data_layout(by_version[NEWEST], triple, (), version)
            assert without_mangling(older) == without_mangling(layout), version

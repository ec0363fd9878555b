"""Makes `tables/runtime_calls.txt`: functions that LLVM 22's tables of symbols mark as used, by kind of target.

    python tests/tables/make_runtime_calls.py /usr/lib/x86_64-linux-gnu/libLLVM.so.22.1

Candidates are the texts in LLVM's library; `llvm-as-22` decides.
"""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from bitcodec import bitstream
from bitcodec.symbols.runtime_targets import ARCHITECTURES, SYSTEMS

OUTPUT = Path(__file__).parents[2] / "src" / "bitcodec" / "tables" / "runtime_calls.txt"
CANDIDATE = re.compile(rb"\0([A-Za-z_.$#?][\w.$@?#]{1,60})(?=\0)")
SYMBOL = struct.Struct("<6I")
USED = 1 << 7
WIDTH = 116
ALL_SYSTEMS = ("x86_64", "arm64ec", "aarch64", "arm", "powerpc")
"""Architectures with which all systems are tried to find the names; the others are tried with one."""
HEAD = """\
# Functions of runtime libraries whose symbols the tables of LLVM 22 mark as used, because its code generators may call
# them; made by tests/tables/make_runtime_calls.py.
#
# Each group of lines: for each architecture of symbols/runtime_targets the set of systems, a hexadecimal number; then
# the names.
"""


def candidates(library: Path) -> list[str]:
    names = {match[1].decode() for match in CANDIDATE.finditer(library.read_bytes())}
    return sorted(name for name in names if not name.startswith("llvm."))


def used_among(names: Iterable[str], triple: str) -> set[str]:
    lines = ['target datalayout = "e"', f'target triple = "{triple}"', *(f'declare void @"{name}"()' for name in names)]
    text = "\n".join(lines).encode()
    data = subprocess.run(["llvm-as-22", "-", "-o", "-"], input=text, capture_output=True, check=True).stdout
    blobs = {block.id: bytes(block.records[-1].blob or b"") for block in bitstream.loads(data).blocks if block.id > 22}
    table, strings = blobs[25], blobs[23]
    start, count = struct.unpack_from("<2I", table, 28)
    symbols = (SYMBOL.unpack_from(table, start + SYMBOL.size * number) for number in range(count))
    return {strings[at : at + size].decode() for _, _, at, size, _, flags in symbols if size and flags & USED}


def grouped(names: list[str]) -> dict[str, list[str]]:
    """Return the names by the text of their masks."""
    masks: dict[str, list[int]] = {name: [0] * len(ARCHITECTURES) for name in names}
    for row, (architecture, _) in enumerate(ARCHITECTURES):
        for number, (system, _) in enumerate(SYSTEMS):
            for name in used_among(names, f"{architecture}-{system}"):
                masks[name][row] |= 1 << number
    groups: dict[str, list[str]] = {}
    for name, numbers in masks.items():
        groups.setdefault(" ".join(f"{number:x}" for number in numbers), []).append(name)
    return groups


def main() -> None:
    names = candidates(Path(sys.argv[1]))
    targets = {f"{architecture}-unknown-linux-gnu" for architecture, _ in ARCHITECTURES}
    targets |= {f"{architecture}-{system}" for architecture in ALL_SYSTEMS for system, _ in SYSTEMS}
    known = set().union(*(used_among(names, target) for target in sorted(targets)))
    lines = []
    for masks, group in sorted(grouped(sorted(known - {""})).items(), key=lambda item: item[1]):
        lines += ["", masks, *textwrap.wrap(" ".join(group), WIDTH, break_on_hyphens=False)]
    OUTPUT.write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

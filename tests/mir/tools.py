"""Questions to LLVM's code generator, and measures of work."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from answers import ask
from bitcodec.pcsections import decode_file

LLC, READOBJ, OBJDUMP = "llc-22", "llvm-readobj-22", "llvm-objdump-22"
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "mir"
GOLDENS = sorted(FOLDER.glob("*.mir.gz"))

X86 = "x86_64-unknown-linux-gnu"
AARCH64 = "aarch64-unknown-linux-gnu"

_RELOCATIONS = re.compile(r"Section \(\d+\) \.rela(\S+) \{(.*?)\}", re.DOTALL)
_INSTRUCTION = re.compile(r"^ +([0-9a-f]+):\s+(\S+)", re.MULTILINE)
_TARGET = re.compile(r"0x[0-9A-F]+ R_\w+ (\S+) (0x[0-9A-F]+)")


def run(tool: str, *arguments: str | Path, text: str = "") -> str:
    """Return what a tool prints; what it complains of fails the test."""
    result = ask([tool, *arguments], input=text, text=True)
    assert result.returncode == 0, result.stderr
    return str(result.stdout)


def machine_ir(ir: str, triple: str, *options: str, stop_after: str = "finalize-isel") -> str:
    """Return what llc makes of a module."""
    return run(LLC, f"-mtriple={triple}", f"-stop-after={stop_after}", *options, "-o", "-", text=ir)


def program_counters(mir: str, folder: Path, *options: str, start_after: str = "finalize-isel") -> dict[str, list[str]]:
    """Compile machine IR to `changed.o`; return which instructions the PCs in each PC section are of, in its order.

    The PCs are decoded; that they are those of llvm-readobj is seen to.
    """
    source, target = folder / "changed.mir", folder / "changed.o"
    source.write_text(mir, encoding="utf-8")
    run(LLC, f"-start-after={start_after}", "-filetype=obj", *options, source, "-o", target)
    disassembled = run(OBJDUMP, "-d", "--no-show-raw-insn", target)
    code = {int(place, 16): mnemonic for place, mnemonic in _INSTRUCTION.findall(disassembled)}
    found: dict[str, list[int]] = {}
    for entry in decode_file(target):
        assert entry.pc.symbol == "f"
        assert entry.pc.offset is not None
        found.setdefault(entry.section, []).append(entry.pc.offset)
    listed = {
        section: [int(offset, 16) for symbol, offset in _TARGET.findall(entries) if symbol == ".text"]
        for section, entries in _RELOCATIONS.findall(run(READOBJ, "-r", target))
        if not section.startswith(".")
    }
    assert found == listed
    return {section: [code[offset] for offset in offsets] for section, offsets in found.items()}


def count_lines(work: Callable[[], object]) -> int:
    """Return how many lines of the package are run for something: a measure of work that no machine changes."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        if event == "call" and "bitcodec" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count

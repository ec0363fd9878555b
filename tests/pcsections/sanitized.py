"""Programs that clang puts sanitizer metadata into, and what its own assembly text says of them.

The text names the label of every PC.  It is assembled twice: as it is, which is what gets decoded, and with the labels
made symbols, so that LLVM's own reader of symbols tells where they are.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("sanitized.cpp")
READELF = shutil.which("llvm-readelf-22")
OBJDUMP = shutil.which("llvm-objdump-22")

_LABEL = re.compile(r"\.L(pcsection\d+|func_begin\d+|func_end\d+)\b")
_SECTION = re.compile(r"\s+\.section\s+(sanmd_\w+),")
_OTHER_SECTION = re.compile(r"\s+\.(section|text|data|bss|pushsection|popsection|previous)\b")
_PC = re.compile(r"\s+\.(?:long|word|quad|xword)\s+(\w+)-\.Lpcsection_base\d+")
_DIFFERENCE = re.compile(r"\s+\.(?:long|word|uleb128)\s+(\w+)-(\w+)")
_NUMBER = re.compile(r"\s+\.(?:long|word|byte|uleb128)\s+(\d+)")
_ASCII = re.compile(r'\s+\.ascii\s+"(.*)"')


class Expected(NamedTuple):
    """An entry: the section, the PC, the function's size (None of an instruction), and the numbers that follow."""

    section: str
    pc: object
    size: int | None
    numbers: tuple[int, ...]


class LabelledEntry(NamedTuple):
    section: str
    pc: str
    size: tuple[str, str] | None
    numbers: tuple[int, ...]


class Symbol(NamedTuple):
    value: int
    size: int
    type: str
    section: str
    name: str


def run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Unit:
    """One source file, compiled.

    Attributes:
        object: what is to be decoded.
        labelled: the same with labels as symbols.
        entries: what its assembly text says.
    """

    def __init__(self, folder: Path, part: int, clang: str, *options: str) -> None:
        text = run(
            clang, "-x", "c++", SOURCE, f"-DPART={part}", "-S", "-o", "-", "-ffreestanding", "-fno-exceptions",
            "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-Wno-everything",
            "-fexperimental-sanitize-metadata=covered,atomics,uar", *options,
        )  # fmt: skip
        target = [option for option in options if option.startswith("--target=")]
        self.object = self._assembled(folder / f"plain{part}", text, clang, target)
        renamed = _LABEL.sub(rf"L{part}_\1", text)
        self.labelled = self._assembled(folder / f"labelled{part}", renamed, clang, target)
        self.entries = list(labelled_entries(renamed))

    @staticmethod
    def _assembled(path: Path, text: str, clang: str, target: list[str]) -> Path:
        path.with_suffix(".s").write_text(text, encoding="utf-8")
        run(clang, *target, "-c", path.with_suffix(".s"), "-o", path.with_suffix(".o"))
        return path.with_suffix(".o")


def labelled_entries(text: str) -> Iterator[LabelledEntry]:
    """Yield the entries of sanitizer sections in assembly text."""
    section = None
    lines = [line.split("#")[0].split("//")[0].rstrip() for line in text.splitlines()]
    pc, size, numbers = "", None, b""
    for line in [*lines, "\t.text"]:
        found = _PC.fullmatch(line)
        leaves = _OTHER_SECTION.match(line)
        if (found or leaves) and section and pc:
            yield LabelledEntry(section, pc, size, tuple(numbers))
            pc = ""
        if leaves:
            in_section = _SECTION.match(line)
            section = in_section[1] if in_section else None
        elif section is None:
            continue
        elif found:
            pc, size, numbers = found[1], None, b""
        elif difference := _DIFFERENCE.fullmatch(line):
            size = (difference[1], difference[2])
        elif number := _NUMBER.fullmatch(line):
            numbers += bytes([int(number[1])])
        elif ascii_ := _ASCII.fullmatch(line):
            numbers += ascii_[1].encode().decode("unicode_escape").encode("latin-1")
        else:
            assert line.endswith(":") or not line.strip() or line.strip().startswith(".p2align"), line


def symbols(path: Path) -> list[Symbol]:
    """Return the symbols that LLVM's own tool finds."""
    assert READELF is not None
    rows = [line.split() for line in run(READELF, "-sW", path).splitlines()]
    return [
        Symbol(int(row[1], 16), int(row[2], 0), row[3], row[6], row[7])
        for row in rows
        if len(row) == 8 and row[0][:-1].isdigit()
    ]


def expected_of_object(unit: Unit) -> list[Expected]:
    """Return what an object has, PCs as (function, offset)."""
    known = symbols(unit.labelled)
    labels = {symbol.name: symbol for symbol in known}
    functions = [symbol for symbol in known if symbol.type == "FUNC"]

    def place(label: str) -> tuple[str, int]:
        pc = labels[label]
        for function in functions:
            if function.section == pc.section and function.value <= pc.value < function.value + function.size:
                return function.name, pc.value - function.value
        raise AssertionError(label)

    return sorted(
        (
            Expected(
                section, place(pc), None if size is None else labels[size[0]].value - labels[size[1]].value, numbers
            )
            for section, pc, size, numbers in unit.entries
        ),
        key=repr,
    )


def expected_of_image(image: Path, units: list[Unit]) -> list[Expected]:
    """Return what a linked file has, PCs as addresses; labels of what the linker dropped are not among its symbols."""
    labels = {symbol.name: symbol.value for symbol in symbols(image) if symbol.section != "ABS"}
    return sorted(
        (
            Expected(section, labels[pc], None if size is None else labels[size[0]] - labels[size[1]], numbers)
            for unit in units
            for section, pc, size, numbers in unit.entries
            if pc in labels
        ),
        key=repr,
    )


def instruction_starts(path: Path) -> dict[str, set[int]]:
    """Return where instructions begin, by section, as LLVM disassembles the file."""
    assert OBJDUMP is not None
    starts: dict[str, set[int]] = {}
    section = ""
    for line in run(OBJDUMP, "-d", "--no-show-raw-insn", path).splitlines():
        if line.startswith("Disassembly of section "):
            section = line.removeprefix("Disassembly of section ").rstrip(":")
        elif match := re.match(r"\s*([0-9a-f]+):\s", line):
            starts.setdefault(section, set()).add(int(match[1], 16))
    return starts

"""Programs with sanitizer metadata of clang, and their PCs according to clang's assembly text.

The text names the label of every PC.  It is assembled twice: as it is, for the object that is decoded, and with the
labels made symbols, so that LLVM's own reader of symbols finds their places.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answers import recall
from answers.store import packed, unpacked
from answers.tools import program_of

SOURCE = Path(__file__).with_name("sanitized.cpp").read_text(encoding="utf-8")
READELF, OBJDUMP = "llvm-readelf-22", "llvm-objdump-22"
_COMMON = ("-ffreestanding", "-fno-exceptions", "-Wno-everything")
_SANITIZED = (
    *_COMMON, "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
    "-fexperimental-sanitize-metadata=covered,atomics,uar",
)  # fmt: skip

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


class Code(NamedTuple):
    """A file with machine code.

    Attributes:
        data: the file.
        expected: its entries, PCs as addresses, or in an object as (function, offset).
        starts: for each section the places where instructions begin, as LLVM disassembles the file.
    """

    data: bytes
    expected: list[Expected]
    starts: dict[str, set[int]]


def sanitized_objects(clang: str, options: Sequence[str]) -> list[Code]:
    """Return the objects of both parts of the program."""
    question = [clang, READELF, OBJDUMP, *_SANITIZED, *options, SOURCE]
    return [_code(value) for value in recall(question, lambda: _objects(clang, options))]


def sanitized_image(clang: str, options: Sequence[str], linker: str, kind: str) -> Code:
    """Return the program, linked of both objects; it has fewer entries than they have."""
    question = [clang, linker, READELF, OBJDUMP, *_SANITIZED, *options, kind, SOURCE]
    return _code(recall(question, lambda: _image(clang, options, linker, kind)))


def plain_object(clang: str, options: Sequence[str]) -> Code:
    """Return an object of the first part without metadata."""
    return _code(recall([clang, OBJDUMP, *_COMMON, *options, SOURCE], lambda: _plain(clang, options)))


def _code(value: Mapping[str, Any]) -> Code:
    """Return a file from its JSON form."""
    data, facts = unpacked(value["data"]), json.loads(unpacked(value["facts"]))
    assert isinstance(data, bytes)
    expected = [
        Expected(section, tuple(pc) if isinstance(pc, list) else pc, size, tuple(numbers))
        for section, pc, size, numbers in facts["expected"]
    ]
    return Code(data, expected, {section: set(starts) for section, starts in facts["starts"].items()})


def _value(path: Path, expected: list[Expected]) -> dict[str, Any]:
    facts = {
        "expected": expected,
        "starts": {section: sorted(starts) for section, starts in instruction_starts(path).items()},
    }
    return {"data": packed(path.read_bytes()), "facts": packed(json.dumps(facts).encode())}


def _objects(clang: str, options: Sequence[str]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        units = [Unit(Path(folder), part, clang, *options) for part in (1, 2)]
        return [_value(unit.object, expected_of_object(unit)) for unit in units]


def _image(clang: str, options: Sequence[str], linker: str, kind: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        units = [Unit(folder, part, clang, *options) for part in (1, 2)]
        machine = ["-m", "aarch64linux"] if "AArch64" in run(READELF, "-h", units[0].object) else []
        link = [linker, *machine, kind, "--unresolved-symbols=ignore-all", "-e", "main", "-Bsymbolic"]
        run(*link, *(unit.object for unit in units), "-o", folder / "image")
        run(*link, *(unit.labelled for unit in units), "-o", folder / "labelled")
        return _value(folder / "image", expected_of_image(folder / "labelled", units))


def _plain(clang: str, options: Sequence[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plain.o")
        run(clang, "-x", "c++", "-c", *_COMMON, *options, "-DPART=1", "-", "-o", path, text=SOURCE)
        return _value(path, [])


def run(*command: str | Path, text: str = "") -> str:
    """Return what a tool prints."""
    words = [program_of(str(command[0])), *map(str, command[1:])]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
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
        text = run(clang, "-x", "c++", "-", f"-DPART={part}", "-S", "-o", "-", *_SANITIZED, *options, text=SOURCE)
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
    starts: dict[str, set[int]] = {}
    section = ""
    for line in run(OBJDUMP, "-d", "--no-show-raw-insn", path).splitlines():
        if line.startswith("Disassembly of section "):
            section = line.removeprefix("Disassembly of section ").rstrip(":")
        elif match := re.match(r"\s*([0-9a-f]+):\s", line):
            starts.setdefault(section, set()).add(int(match[1], 16))
    return starts

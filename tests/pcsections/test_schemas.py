"""Schemas taken from modules: objects and programs that LLVM makes of them give back what the modules asked for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import bitcodec
from answers import ask
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.decoding.decode import Decoded, decode_file
from bitcodec.pcsections.schemas.schema import Schema

LLC, LLD = "llc-22", "ld.lld-22"


class Case(NamedTuple):
    """A target, and what its linker wants to hear; None if lld links nothing for it."""

    triple: str
    options: tuple[str, ...] = ()
    emulation: str | None = None


CASES = [
    Case("x86_64-linux-gnu", (), "elf_x86_64"),
    Case("x86_64-linux-gnu", ("-code-model=large",), "elf_x86_64"),
    Case("i386-linux-gnu", (), "elf_i386"),
    Case("aarch64-linux-gnu", (), "aarch64linux"),
    Case("aarch64_be-linux-gnu", (), "aarch64linuxb"),
    Case("riscv64-linux-gnu", ("-mattr=+relax",), "elf64lriscv"),
    Case("riscv64-linux-gnu", (), "elf64lriscv"),
    Case("s390x-linux-gnu", (), "elf64_s390"),
    Case("powerpc64-linux-gnu"),
    Case("mips64-linux-gnu"),
    Case("sparcv9-linux-gnu"),
]

CONSTANTS = [
    ("i32 7", ("i32", 7)),
    ("i1 true", ("i1", 1)),
    ("i7 -1", ("i7", -1)),
    ("i16 -2", ("i16", -2)),
    ("i24 -2", ("i24", -2)),
    ("i64 -9223372036854775808", ("i64", -(1 << 63))),
    ("i100 -5", ("i100", -5)),
    ("float 0.5", ("float", 0.5)),
    ("double -2.0", ("double", -2.0)),
    ("half 0xH3C00", ("half", 1.0)),
    ("i32 undef", ("i32", 0)),
    ('[3 x i8] c"abc"', ("[3 x i8]", "616263")),
    ("ptr null", ("ptr", 0)),
]
"""Constants as text, and what they are decoded as."""

POINTER = ("ptr getelementptr (i8, ptr @table, i64 8)", ("ptr", "table+8"))


class Wanted(NamedTuple):
    """What a module asks for: for whom, with which constants, and how many instructions share them."""

    function: str
    is_function: bool
    section: str
    aux: tuple[object, ...]
    count: int = 1


class Made:
    """A module whose functions ask for different things."""

    def __init__(self, triple: str) -> None:
        self.wanted: list[Wanted] = []
        self.functions: list[str] = []
        self.nodes: list[str] = []
        for number in range(6):
            self._add_function(number)
        self.text = "\n".join(
            [f'target triple = "{triple}"', "@table = global [4 x i64] zeroinitializer", *self.functions, *self.nodes]
        )

    def _add_function(self, number: int) -> None:
        name = f"f{number}"
        spelling = "cold!C" if number % 2 else "cold"
        node = self._node(
            spelling, name, [CONSTANTS[number], CONSTANTS[(number + 3) % len(CONSTANTS)]], is_function=True
        )
        lines = []
        for index in range(8):
            place = (8 * number + index) % len(CONSTANTS)
            constants = [
                CONSTANTS[place],
                ("i32 0", ("i32", 0)),
                (f"i16 {number * 8 + index}", ("i16", number * 8 + index)),
            ]
            if index == 5:
                constants.append(POINTER)
            count = 1 + index % 3
            hot = self._node("hot!C" if index % 2 else "hot", name, constants, count=count)
            lines += [f"  %v{index}.{each} = load volatile i32, ptr %p, !pcsections !{hot}" for each in range(count)]
        self.functions.append(
            "\n".join(
                [
                    f"define void @{name}(ptr %p) !pcsections !{node} {{",
                    *lines,
                    "  store volatile i32 0, ptr %p",
                    "  ret void",
                    "}",
                ]
            )
        )

    def _node(
        self,
        spelling: str,
        function: str,
        constants: list[tuple[str, object]],
        *,
        is_function: bool = False,
        count: int = 1,
    ) -> int:
        first = len(self.nodes)
        self.nodes.append(f'!{first} = !{{!"{spelling}", !{first + 1}}}')
        self.nodes.append(f"!{first + 1} = !{{{', '.join(text for text, _ in constants)}}}")
        section = spelling.partition("!")[0]
        self.wanted.append(Wanted(function, is_function, section, tuple(value for _, value in constants), count))
        return first


class Compiled(NamedTuple):
    made: Made
    schema: Schema
    object: Path


def compiled(folder: Path, case: Case) -> Compiled:
    made = Made(case.triple)
    module = bitcodec.parse_assembly(made.text)
    (folder / "m.bc").write_bytes(bitcodec.dumps(module))
    ask([LLC, "-O2", *case.options, "-filetype=obj", folder / "m.bc", "-o", folder / "m.o"], check=True)
    return Compiled(made, Schema.of_module(module), folder / "m.o")


def entries(decoded: Decoded, *, names_pointers: bool) -> Counter[Wanted]:
    """Count what was decoded, runs of PCs as one."""
    found: Counter[Wanted] = Counter()
    count = 0
    for entry in decoded:
        count += 1
        if not entry.aux:
            continue
        aux = tuple(
            (each.type, "table+8" if each.type == "ptr" and each.value and not names_pointers else each.value)
            for each in entry.aux
        )
        assert entry.pc.symbol is not None
        found[Wanted(entry.pc.symbol, entry.size is not None, entry.section, aux, count)] += 1
        count = 0
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join((case.triple, *case.options)))
def test_modules(tmp_path: Path, case: Case) -> None:
    made, schema, path = compiled(tmp_path, case)
    wanted = Counter(made.wanted)
    decoded = decode_file(path, [schema], lines=False)
    assert entries(decoded, names_pointers=True) == wanted
    assert not decoded.is_ambiguous
    raw = decode_file(path, lines=False)
    assert [(entry.section, entry.place, entry.pc) for entry in raw] == [
        (entry.section, entry.place, entry.pc) for entry in decoded
    ]
    assert all(aux.type is None for entry in raw for aux in entry.aux)
    if case.emulation is None:
        return
    image = tmp_path / "m"
    ask([LLD, "-m", case.emulation, "-e", "f0", path, "-o", image], check=True)
    linked = decode_file(image, [schema], lines=False)
    assert entries(linked, names_pointers=False) == wanted
    assert not linked.is_ambiguous
    places = Counter((entry.pc.symbol, entry.pc.offset, entry.size) for entry in decoded)
    assert Counter((entry.pc.symbol, entry.pc.offset, entry.size) for entry in linked) == places


def test_a_schema_of_another_module_does_not_fit(tmp_path: Path) -> None:
    _, schema, path = compiled(tmp_path, CASES[0])
    other = Schema(
        {name: section._replace(kinds=section.kinds[:1], by_function=None) for name, section in schema.sections.items()}
    )
    with pytest.raises(PCSectionsError, match=r"cold: the schema does not fit: it reaches byte \d+ of \d+"):
        decode_file(path, [other], ["cold"])

"""How entries become sections, and what a linker makes of them.  What LLVM writes is in the goldens and live tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec.builder import add_variable, new_module
from bitcodec.errors import PCSectionsError
from bitcodec.ir.module import Module
from bitcodec.ir.pcsections import PCSection, PCSections
from bitcodec.pcsections.encoding.constants import uleb128
from bitcodec.pcsections.encoding.encode import Address, Entry, FunctionEntry, InstructionEntry, Relocation, encode
from bitcodec.pcsections.encoding.targets import Target

from .backends import BACKENDS, RARE_BACKENDS, Backend
from .objects import operation_types
from .recipes import Recipe, made

X86 = Target.of("x86_64-linux-gnu")
I17, I8 = ("int", 17, 300), ("int", 8, 9)


def sections(*asked: tuple[str, tuple[Recipe, ...]]) -> PCSections:
    module = empty()
    return PCSections([PCSection.of(name, [made(module, recipe) for recipe in recipes]) for name, recipes in asked])


def empty() -> Module:
    module = new_module("m", data_layout=str(X86.data_layout))
    add_variable(module, "near", module.context.types.integer(64), 0)
    return module


def run(*offsets: int) -> list[Address]:
    return [Address("f", offset) for offset in offsets]


def types_of(relocations: tuple[Relocation, ...]) -> list[tuple[int, tuple[int, ...]]]:
    return [(row.offset, operation_types(row.operation)) for row in relocations]


def test_function() -> None:
    found = encode([FunctionEntry(sections(("s", (I17,))), Address("f"), 0x1234)], X86)["s"]
    assert found.data.hex(" ", -4) == "00000000 34120000 2c010000"
    assert found.at(0x100, {"f": 0x1100}).hex(" ", -4) == "00100000 34120000 2c010000"


def test_compressed_function() -> None:
    found = encode([FunctionEntry(sections(("s!C", (I17, I8))), Address("f"), 300)], X86)["s"]
    assert found.data == bytes(4) + uleb128(300) + uleb128(300) + b"\t"


def test_constants_stand_once_after_a_run() -> None:
    entry = InstructionEntry(sections(("s", (I8,))), run(4, 9))
    assert encode([entry], X86)["s"].at(0, {"f": 0}).hex() == "04000000" + "05000000" + "09"


def test_constants_stand_after_each_pc_in_the_layout_of_the_document() -> None:
    entry = InstructionEntry(sections(("s", (I8,))), run(4, 9))
    assert encode([entry], X86, layout="document")["s"].at(0, {"f": 0}).hex() == "04000000" + "09" + "04000000" + "09"


@pytest.mark.parametrize("layout", ["backend", "document"])
def test_layouts_are_one_where_runs_have_one_instruction(layout: str) -> None:
    entries: list[Entry] = [
        FunctionEntry(sections(("s", (I8,)), ("t!C", (I17,))), Address("f"), 20),
        InstructionEntry(sections(("t", ()), ("s", (I17,))), run(3)),
    ]
    assert encode(entries, X86, layout=layout) == encode(entries, X86)  # type: ignore[arg-type]


def test_sections_are_filled_in_the_order_of_entries() -> None:
    entries: list[Entry] = [
        FunctionEntry(sections(("s", ()), ("t", (I8,)), ("s", (I8,))), Address("f"), 1),
        InstructionEntry(sections(("t", ())), run(7)),
    ]
    found = encode(entries, X86)
    assert list(found) == ["s", "t"]
    assert types_of(found["s"].relocations) == [(0, (2,)), (8, (2,))]
    assert types_of(found["t"].relocations) == [(0, (2,)), (9, (2,))]


def test_run_without_instructions_leaves_nothing() -> None:
    assert encode([InstructionEntry(sections(("s", (I8,))), [])], X86) == {}


def test_no_entries() -> None:
    assert encode([], X86) == {}


def test_addend_stands_in_the_field_where_relocations_have_none() -> None:
    entry = InstructionEntry(sections(("s", (("address", "near", 5),))), run(0x10))
    i386 = encode([entry], Target.of("i386-linux-gnu"))["s"]
    assert i386.data.hex(" ", -4) == "10000000 05000000"
    assert i386.at(0x1000, {"f": 0x1100, "near": 0x2000}).hex(" ", -4) == "10010000 05200000"


def test_label_at_the_pc_needs_no_addend() -> None:
    (row,) = encode([InstructionEntry(sections(("s", ())), run(8))], Target.of("arm-linux-gnueabi"))["s"].relocations
    assert (row.place, row.addend) == (Address("f", 8), 0)


def test_risc_v_has_pairs() -> None:
    found = encode([InstructionEntry(sections(("s", (I8,))), run(4, 6))], Target.of("riscv64-linux-gnu"))["s"]
    assert types_of(found.relocations) == [(0, (35,)), (0, (39,)), (4, (35,)), (4, (39,))]
    assert [row.place for row in found.relocations] == [
        Address("f", 4),
        Address("s", 0),
        Address("f", 6),
        Address("s", 4),
    ]
    assert found.at(0x1000, {"f": 0x800}).hex(" ", -4) == "04f8ffff 02f8ffff 09"


def test_mips64_makes_wide_distances_of_narrow_ones() -> None:
    target = Target.of("mips64-linux-gnuabi64", "large")
    found = encode([InstructionEntry(sections(("s", ())), run(4))], target)["s"]
    assert types_of(found.relocations) == [(0, (248, 18))]
    assert found.at(0x1000, {"f": 0x800}).hex() == "fffffffffffff804"


@pytest.mark.parametrize(
    ("triple", "plain", "compressed", "placeholder"),
    [
        ("riscv64-linux-gnu", [35, 39], [60, 61], "f403"),
        ("loongarch64-linux-gnu", [50, 55], [107, 108], "8000"),
    ],
)
def test_sizes_that_relaxation_changes(triple: str, plain: list[int], compressed: list[int], placeholder: str) -> None:
    """Types and placeholders are those that `llc -mattr=+relax` wrote for a function of 500 bytes."""
    target = Target.of(triple, "small")
    asked = sections(("s", (I8,)), ("c!C", (I8,)))
    found = encode([FunctionEntry(asked, Address("f"), 500, Address("f", 500))], target)
    sizes = {
        name: [row.operation.number for row in section.relocations if row.offset == 4]
        for name, section in found.items()
    }
    assert sizes == {"s": plain, "c": compressed}
    assert found["s"].data.hex(" ", -4) == "00000000 00000000 09"
    assert found["c"].data[4:].hex() == placeholder + "09"
    if triple.startswith("riscv"):
        assert found["c"].at(0x1000, {"f": 0x1000})[4:].hex() == "f40309"
    assert found["s"].at(0x1000, {"f": 0x1000})[4:].hex(" ", -4) == "f4010000 09"


def test_relaxation_where_there_is_none() -> None:
    entry = FunctionEntry(sections(("s!C", ())), Address("f"), 4, Address("f", 4))
    with pytest.raises(PCSectionsError, match="section s, offset 4: x86_64-linux-gnu has no relocation that makes"):
        encode([entry], X86)


@pytest.mark.parametrize("size", [-1, 1 << 32])
def test_size_that_no_field_holds(size: int) -> None:
    with pytest.raises(PCSectionsError, match="its size has to fit into 4 bytes"):
        encode([FunctionEntry(sections(("s", ())), Address("f"), size)], X86)


def test_reference_of_a_size_that_has_no_relocation() -> None:
    module = empty()
    types = module.context.types
    short = module.context.constants.cast("ptrtoint", module.global_variables["near"], types.integer(16))
    with pytest.raises(PCSectionsError, match="x86_64-linux-gnu has no relocation that makes"):
        encode([FunctionEntry(PCSections([PCSection.of("s", [short])]), Address("f"), 1)], X86)


def test_distance_that_a_field_cannot_hold() -> None:
    found = encode([InstructionEntry(sections(("s", ())), run(0))], X86)["s"]
    assert found.at(0, {"f": (1 << 31) - 1}) == b"\xff\xff\xff\x7f"
    with pytest.raises(PCSectionsError, match="section s, offset 0: 2147483648 does not fit into the field of 4 bytes"):
        found.at(0, {"f": 1 << 31})
    with pytest.raises(PCSectionsError, match="does not fit"):
        found.at((1 << 31) + 1, {"f": 0})


def test_addend_that_a_field_cannot_hold() -> None:
    with pytest.raises(PCSectionsError, match="section s: the addend 1099511627776 does not fit"):
        encode([InstructionEntry(sections(("s", ())), run(1 << 40))], Target.of("i386-linux-gnu"))


def test_symbol_without_an_address() -> None:
    found = encode([InstructionEntry(sections(("s", ())), run(0))], X86)["s"]
    with pytest.raises(PCSectionsError, match="section s: the address of f is needed"):
        found.at(0, {})


@pytest.mark.parametrize("backend", [*BACKENDS, *RARE_BACKENDS], ids=lambda backend: backend.triple)
@given(
    start=st.integers(0, 1 << 30),
    base=st.integers(0, 1 << 30),
    offsets=st.lists(st.integers(0, 1 << 20), min_size=1, max_size=4),
    is_absolute=st.booleans(),
)
def test_linked_fields_lead_to_their_pcs(
    backend: Backend, start: int, base: int, offsets: list[int], is_absolute: bool
) -> None:
    """`entry + *entry` is the PC: PC Sections Metadata, "Binary Encoding"."""
    target = Target.of(backend.triple)
    pcs = [Address("", base + offset) if is_absolute else Address("f", offset) for offset in offsets]
    linked = encode([InstructionEntry(sections(("s", ())), pcs)], target)["s"].at(start, {"f": base})
    size = target.pc_size
    fields = [linked[place : place + size] for place in range(0, len(linked), size)]
    found = [
        start + size * index + int.from_bytes(field, target.byte_order, signed=True)
        for index, field in enumerate(fields)
    ]
    assert found == [base + offset for offset in offsets]

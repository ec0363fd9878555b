"""Records that are sound by themselves, but that LLVM 22 refuses beside others of the module."""

from __future__ import annotations

import pytest

import bitcodec
from answers import ask
from bitcodec import BitcodecError
from bitcodec.bitcode.offsets import relocated
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitcode.schema.instructions import SWITCH_RANGES_MAGIC
from bitcodec.bitstream import Bitstream

from . import streams as s
from .streams import block, module, record, stream

I32, VOID, ACTION, POINTER, METADATA, DEBUG_ACTION = range(6)
TYPES = s.types(
    s.integer(32),
    s.VOID,
    s.function_type(VOID),
    s.opaque_pointer(),
    s.METADATA,
    s.function_type(VOID, METADATA, METADATA, METADATA),
)
VARIABLE = record(7, I32, 2, 0, 0, 0, 0)
CONSTANTS = s.constants(s.set_type(I32), s.NULL)
DEFINED = s.function(ACTION, is_declaration=0)
DEBUG_INTRINSIC = s.function(DEBUG_ACTION)
BODY = s.function_block(s.RET_VOID)
FENCE = record(FunctionCode.INST_FENCE, 4, 1)


def read(data: bytes) -> None:
    bitcodec.loads(data).materialize()


def refuse(data: bytes, reason: str) -> None:
    with pytest.raises(BitcodecError, match=reason):
        read(data)


def body(*items: s.Item) -> bytes:
    return stream(module(TYPES, DEFINED, s.function_block(*items)))


# Symbol tables

NAMED = DEFINED._replace(operands=(0, 1, *DEFINED.operands))


def with_entries(*operands: tuple[int, int]) -> bytes:
    """Return a module of two functions whose symbol table ends with an entry; the one before is set right."""
    other = NAMED._replace(operands=(1, *NAMED.operands[1:]))
    table = block(14, *(record(3, number, 0) for number, _ in operands))
    items = (TYPES, NAMED, other, record(13, 0), CONSTANTS, BODY, BODY, table)
    draft = Bitstream(relocated(stream(module(*items, version=2), s.strtab("fg")))).edit()
    found = next(one for one in draft.blocks[0].blocks if one.id == BlockId.VALUE_SYMTAB_BLOCK)
    for entry, (number, offset) in zip(found.records, operands, strict=True):
        entry.operands = (number, offset or entry.operands[1])
    return draft.dumps()


def test_the_last_entry_of_a_function_counts() -> None:
    read(with_entries((1, 3), (1, 0)))
    refuse(with_entries((1, 0), (1, 3)), "the body of value 1 does not begin at word 3")


def test_the_highest_offset_is_that_of_a_body() -> None:
    def with_offset_of_declaration(offset: int) -> bytes:
        table = block(14, record(3, 0, offset, "f"))
        return stream(module(TYPES, s.function(ACTION), DEFINED, table, BODY))

    read(with_offset_of_declaration(1))
    refuse(with_offset_of_declaration(1 << 20), "no body begins at word 1048576")


def test_locals_do_not_rename_intrinsics_that_are_replaced() -> None:
    def renaming(name: str) -> bytes:
        inner = s.function_block(s.RET_VOID, s.value_symtab({0: "renamed"}))
        return stream(module(TYPES, DEBUG_INTRINSIC, DEFINED, s.value_symtab({0: name}), inner))

    read(renaming("f"))
    refuse(renaming("llvm.dbg.value"), "a new name for @llvm.dbg.value")


# Constants, data layouts, attributes, identification


def test_constants_have_the_type_that_is_stated() -> None:
    def address(type_id: int) -> bytes:
        gep = record(12, I32, POINTER, 0)
        inner = s.function_block(s.constants(s.set_type(type_id), gep), s.RET_VOID)
        return stream(module(TYPES, VARIABLE, DEFINED, inner))

    read(address(POINTER))
    refuse(address(I32), "a constant of type ptr where i32 is stated")


def test_data_layouts_add_up() -> None:
    layout = record(3, "e-p:32:32")
    read(stream(module(layout, record(3, "-i64:64"))))
    refuse(stream(module(layout, layout)), "e-p:32:32e-p:32:32")


def test_attributes_of_replaced_intrinsics_are_read() -> None:
    def declaring(*bitmaps: int) -> bytes:
        declared = s.function(DEBUG_ACTION, attributes=1)
        symbols = s.value_symtab({0: "llvm.dbg.value"})
        return stream(module(s.attribute_lists(bitmaps), TYPES, declared, symbols))

    read(declaring(1, 1 << 6))
    refuse(declaring(1, 1 << 4), "parameter 0 has an attribute without its type")


def test_identifications_have_two_kinds_of_records() -> None:
    read(stream(s.identification(), module()))
    refuse(stream(block(13, record(1, "LLVM22.1.8"), record(3, 0)), module()), "LLVM does not define this record")


# Metadata


def test_metadata_wraps_no_later_constant() -> None:
    values = s.metadata(record(2, I32, 1))
    read(stream(module(TYPES, VARIABLE, CONSTANTS, values)))
    read(stream(module(TYPES, VARIABLE, s.metadata(record(2, POINTER, 0)), CONSTANTS)))
    refuse(stream(module(TYPES, VARIABLE, values, CONSTANTS)), "VALUE record: value 1 follows the metadata")


def test_metadata_of_a_function_wraps_values_that_exist() -> None:
    read(body(s.metadata(record(2, POINTER, 0)), s.RET_VOID))
    refuse(body(s.metadata(record(2, I32, 7)), s.RET_VOID), "VALUE record: value 7 does not exist")


def test_debug_calls_and_debug_records_exclude_each_other() -> None:
    def both(name: str) -> bytes:
        called = s.call(DEBUG_ACTION, 3, 3, 3, 3)  # three values precede: the callee and the metadata are number 0
        label = record(FunctionCode.DEBUG_RECORD_LABEL, 0, 0)
        first = s.function_block(s.metadata(record(3)), called, s.RET_VOID)
        second = s.function_block(s.metadata(record(3)), FENCE, label, s.RET_VOID)
        symbols = s.value_symtab({0: name})
        return stream(module(TYPES, DEBUG_INTRINSIC, DEFINED, DEFINED, symbols, first, second))

    refuse(both("llvm.dbg.value"), "both calls of debug intrinsics and debug records")
    refuse(both("llvm.dbg.label"), "both calls of debug intrinsics and debug records")
    read(both("action"))


# Types


@pytest.mark.parametrize(
    ("name", "operands", "problem"),
    [
        ("aarch64.svcount", (0, 7), "should have no parameters"),
        ("amdgcn.named.barrier", (0,), "should have no type parameters and one integer parameter"),
        ("riscv.vector.tuple", (0, 2), "should have one type parameter and one integer parameter"),
    ],
)
def test_parameters_of_target_extension_types(name: str, operands: tuple[int, ...], problem: str) -> None:
    def of_type(*parameters: int) -> bytes:
        return stream(module(s.types(s.integer(32), record(19, name), record(26, *parameters))))

    refuse(of_type(*operands), f"target extension type {name} {problem}")
    read(stream(module(s.types(s.integer(32), record(19, f"{name}.of.nobody"), record(26, *operands)))))


def test_integers_of_target_extension_types_have_32_bits() -> None:
    def with_integer(number: int) -> bytes:
        return stream(module(s.types(s.integer(32), record(19, "spirv.Padding"), record(26, 0, number))))

    read(with_integer((1 << 32) - 1))
    refuse(with_integer(1 << 32), "integer parameter 4294967296 is too large")


@pytest.mark.parametrize("operands", [[], [I32], [I32, 1, 0], [I32, 1, 0, 1, 2]])
def test_switches_with_ranges_that_are_cut_off(operands: list[int]) -> None:
    cut = record(FunctionCode.INST_SWITCH, SWITCH_RANGES_MAGIC << 16, *operands)
    body = s.function_block(s.constants(s.set_type(I32), s.NULL), cut)
    refuse(stream(module(TYPES, DEFINED, body)), "INST_SWITCH record: has too few operands")


# Instructions


@pytest.mark.parametrize(("indices", "is_element"), [((0, 1), True), ((2, 1), True), ((0, 2), False)])
def test_indices_behind_the_first_lead_to_an_element(indices: tuple[int, ...], *, is_element: bool) -> None:
    types = s.types(s.integer(32), s.VOID, s.opaque_pointer(), record(18, 0, 0, 0), s.function_type(1, 2))
    numbers = s.constants(s.set_type(0), *map(s.constant_integer, range(3)))
    # The first address finds that the struct has a size; a quick check is enough for those behind it.
    addresses = [
        record(FunctionCode.INST_GEP, 0, 3, 4 + number, *(3 + number - index for index in each))
        for number, each in enumerate([(0, 0), indices])
    ]
    data = stream(module(types, s.function(4, is_declaration=0), s.function_block(numbers, *addresses, s.RET_VOID)))
    verified = ask(["opt-22", "-passes=verify", "-disable-output", "-"], input=data, text=True)

    if is_element:
        assert verified.stderr == ""
        read(data)
    else:
        assert verified.stderr.startswith("Invalid indices for GEP pointer type!")
        refuse(data, "INST_GEP record: the indices do not lead to an element of { i32, i32 }")

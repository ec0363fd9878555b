"""Fields of globals beyond the bounds of the table: refused, or read as the bits that LLVM keeps and written so."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec import BitcodeError
from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import FIELD_BOUNDS, GLOBAL_LAYOUTS, MAX_ADDRESS_SPACE
from bitcodec.ir.module import Module

from . import streams as s
from .streams import module, record, stream

I32, FUNCTION, POINTER = range(3)
TYPES = s.types(s.integer(32), s.function_type(I32), s.opaque_pointer())
EXPLICIT_TYPE = 2
ROWS = [
    pytest.param(code, name, id=f"{ModuleCode(code).name}-{name}")
    for code, layout in GLOBAL_LAYOUTS.items()
    for name in layout._fields
    if name in FIELD_BOUNDS and code != ModuleCode.ALIAS_OLD
]
LOOKED_UP = {"section": 1, "gc": 1, "comdat": 1, "code_model": 5}
"""Fields that name a row of a table; the largest of the module below."""


def module_with(code: int, name: str, number: int) -> bytes:
    """Return a module with one global, a field of which holds a number."""
    layout = GLOBAL_LAYOUTS[code]
    fields = dict.fromkeys(layout._fields, 0)
    fields["type"] = FUNCTION if code in (ModuleCode.FUNCTION, ModuleCode.IFUNC) else I32
    if code == ModuleCode.FUNCTION:
        fields["is_declaration"] = 1
    if code == ModuleCode.GLOBALVAR:
        fields["flags"] = EXPLICIT_TYPE
        fields["initializer"] = 2 if name == "alignment" else 0
    fields[name] = number | EXPLICIT_TYPE if name == "flags" else number
    items = [record(5, "section"), record(11, "collector"), record(12, 0, 1, 1)]
    aliasee = [s.variable(I32)._replace(operands=(0, 1, I32, EXPLICIT_TYPE, 0, 0, 0, 0))]
    if "aliasee" in fields:
        fields["aliasee"] = 0
    items += aliasee if "aliasee" in fields else []
    items.append(record(code, 1, 1, *fields.values()))
    constants = s.constants(s.set_type(I32), s.NULL)
    return stream(module(TYPES, *items, constants, version=2), s.strtab("xy"))


def read(data: bytes) -> Module:
    loaded = bitcodec.loads(data)
    loaded.materialize()
    return loaded


def text_of(loaded: Module) -> str:
    return bitcodec.print_assembly(loaded).partition("\n\n")[2]


def outcome(data: bytes) -> str:
    try:
        return text_of(read(data))
    except BitcodeError as error:
        return error.reason


@pytest.mark.parametrize(("code", "name"), ROWS)
def test_the_largest_number_is_read_and_written(code: int, name: str) -> None:
    most = LOOKED_UP.get(name, FIELD_BOUNDS[name].most)
    # An alias has the type of what it is an alias of.
    is_of_alias = name == "address_space" and code == ModuleCode.ALIAS
    loaded = read(module_with(code, name, 0 if is_of_alias else most))
    again = read(bitcodec.dumps(loaded, copies_unchanged=False))
    assert text_of(again) == text_of(loaded)


@pytest.mark.parametrize(("code", "name"), ROWS)
def test_larger_numbers(code: int, name: str) -> None:
    """Those that LLVM truncates are read as what is left of them; others are refused."""
    bound = FIELD_BOUNDS[name]
    for number in (bound.most + 1, 1 << 62 | bound.most, (1 << 64) - 1):
        kept = number & bound.mask
        data = module_with(code, name, number)
        if kept > bound.most:
            with pytest.raises(BitcodeError, match=name.replace("_", " ")):
                read(data)
        else:
            assert outcome(data) == outcome(module_with(code, name, kept))


def test_a_function_in_an_address_space_that_no_type_has() -> None:
    for address_space in (1 << 24, (1 << 64) - 1):
        with pytest.raises(BitcodeError, match="address space"):
            read(module_with(ModuleCode.FUNCTION, "address_space", address_space))
    loaded = read(module_with(ModuleCode.FUNCTION, "address_space", MAX_ADDRESS_SPACE))
    again = read(bitcodec.dumps(loaded, copies_unchanged=False))
    assert again.functions[0].type.address_space == MAX_ADDRESS_SPACE


def test_a_pointer_into_an_address_space_that_no_type_has() -> None:
    for address_space in (1 << 24, (1 << 64) - 1):
        with pytest.raises(BitcodeError, match="address space"):
            read(stream(module(s.types(s.opaque_pointer(address_space)))))


def test_versions_are_truncated_as_llvm_does() -> None:
    assert outcome(stream(module(version=(1 << 32) + 1))) == outcome(stream(module(version=1)))
    with pytest.raises(BitcodeError, match="version 3"):
        read(stream(module(version=(1 << 32) + 3)))


def test_the_table_has_a_row_for_each_enumeration() -> None:
    fields = {name for layout in GLOBAL_LAYOUTS.values() for name in layout._fields}
    ids = {"type", "initializer", "prologue", "prefix", "personality", "attributes", "aliasee"}
    places = {"partition_offset", "partition_size"}
    flags = {"is_declaration", "externally_initialized"}
    assert fields - ids - places - flags == set(FIELD_BOUNDS) - {"selection_kind"}

"""Constants are made once, in the one form that LLVM gives them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bitcodec.ir import (
    Constant,
    ConstantAggregateZero,
    ConstantArray,
    ConstantDataArray,
    ConstantDataVector,
    ConstantExpr,
    ConstantStruct,
    ConstantTable,
    ConstantVector,
    Context,
    PoisonValue,
    StructType,
    UndefValue,
)

from .samples import counting

Make = Callable[[ConstantTable], Constant]


@pytest.fixture
def table() -> ConstantTable:
    return Context().constants


def number(table: ConstantTable, value: int, width: int = 32) -> Constant:
    return table.integer(table.types.integer(width), value)


MAKERS: dict[str, Make] = {
    "integer": lambda table: number(table, 7),
    "boolean": lambda table: table.boolean(value=True),
    "floating": lambda table: table.floating(table.types.double, 1),
    "null": lambda table: table.null(table.types.ptr),
    "zeros": lambda table: table.null(table.types.array(3, table.types.ptr)),
    "undef": lambda table: table.undef(table.types.ptr),
    "poison": lambda table: table.poison(table.types.ptr),
    "data": lambda table: table.data(table.types.array(3, table.types.integer(16)), [1, 2, 3]),
    "text": lambda table: table.data(table.types.array(3, table.types.integer(8)), [97, 98, 99]),
    "aggregate": lambda table: table.aggregate(table.types.struct([table.types.integer(32)]), [number(table, 7)]),
    "splat": lambda table: table.splat(table.types.vector(4, table.types.integer(32)), number(table, 7)),
    "scalable": lambda table: table.splat(
        table.types.vector(4, table.types.integer(32), is_scalable=True), number(table, 7)
    ),
    "cast": lambda table: table.cast("inttoptr", number(table, 7, 64), table.types.ptr),
}


@pytest.mark.parametrize("name", MAKERS)
def test_equal_constants_are_one_object(table: ConstantTable, name: str) -> None:
    assert MAKERS[name](table) is MAKERS[name](table)


@pytest.mark.parametrize("name", MAKERS)
def test_contexts_share_none(table: ConstantTable, name: str) -> None:
    assert MAKERS[name](table) is not MAKERS[name](Context().constants)


def test_undef_and_poison_differ(table: ConstantTable) -> None:
    assert table.undef(table.types.ptr) is not table.poison(table.types.ptr)


def struct_of(table: ConstantTable, *elements: Constant) -> Constant:
    return table.aggregate(table.types.struct([element.type for element in elements]), elements)


def array_of(table: ConstantTable, *elements: Constant) -> Constant:
    return table.aggregate(table.types.array(len(elements), elements[0].type), elements)


def vector_of(table: ConstantTable, *elements: Constant) -> Constant:
    return table.aggregate(table.types.vector(len(elements), elements[0].type), elements)


@pytest.mark.parametrize(
    ("make", "form"),
    [
        (struct_of, ConstantAggregateZero),
        (lambda table: struct_of(table, number(table, 0), table.null(table.types.ptr)), ConstantAggregateZero),
        (lambda table: struct_of(table, table.undef(table.types.ptr), table.undef(table.types.half)), UndefValue),
        (lambda table: struct_of(table, table.poison(table.types.ptr), table.poison(table.types.half)), PoisonValue),
        (lambda table: struct_of(table, table.undef(table.types.ptr), table.poison(table.types.ptr)), ConstantStruct),
        (lambda table: struct_of(table, number(table, 1)), ConstantStruct),
        (lambda table: array_of(table, number(table, 0), number(table, 1)), ConstantDataArray),
        (lambda table: array_of(table, number(table, 1, 128)), ConstantArray),
        (lambda table: array_of(table, number(table, 1, 1)), ConstantArray),
        (lambda table: array_of(table, table.real(table.types.half, 1.0)), ConstantDataArray),
        (lambda table: array_of(table, table.real(table.types.x86_fp80, 1.0)), ConstantArray),
        (lambda table: array_of(table, number(table, 1), table.undef(table.types.integer(32))), ConstantArray),
        (lambda table: array_of(table, table.real(table.types.float, -0.0)), ConstantDataArray),
        (lambda table: vector_of(table, number(table, 1), number(table, 2)), ConstantDataVector),
        (lambda table: vector_of(table, number(table, 1), table.poison(table.types.integer(32))), ConstantVector),
        (lambda table: vector_of(table, table.null(table.types.ptr)), ConstantAggregateZero),
    ],
)
def test_forms_of_aggregates(table: ConstantTable, make: Make, form: type[Constant]) -> None:
    assert type(make(table)) is form


@pytest.mark.parametrize(
    ("type_name", "count"),
    [("array", 1), ("array", 3), ("vector", 1), ("struct", 1), ("opaque", 2), ("scalable", 2), ("plain", 2)],
)
def test_what_is_no_aggregate_of_its_elements(table: ConstantTable, type_name: str, count: int) -> None:
    types = table.types
    i32 = types.integer(32)
    kinds = {
        "array": types.array(2, i32),
        "vector": types.vector(2, i32),
        "struct": types.struct([i32, i32]),
        "opaque": StructType(None, name="opaque"),
        "scalable": types.vector(2, i32, is_scalable=True),
        "plain": i32,
    }
    with pytest.raises(TypeError, match=f"is not made of these {count} elements"):
        table.aggregate(kinds[type_name], [number(table, 1)] * count)


def test_elements_are_of_their_types(table: ConstantTable) -> None:
    types = table.types
    wrong = [number(table, 1), number(table, 1, 64)]
    for kind in (types.array(2, types.integer(32)), types.struct([types.integer(32), types.ptr])):
        with pytest.raises(TypeError, match="is not made of these 2 elements"):
            table.aggregate(kind, wrong)


@pytest.mark.parametrize("name", ["void", "label", "metadata"])
def test_types_without_a_zero(table: ConstantTable, name: str) -> None:
    with pytest.raises(TypeError, match=f"type {name} has no zero"):
        table.null(getattr(table.types, name))


def test_assembly_text(table: ConstantTable) -> None:
    kind = table.types.function(table.types.void)
    text = table.inline_asm(kind, "nop", "", has_side_effects=True)
    assert table.inline_asm(kind, "nop", "", has_side_effects=True) is text
    assert table.inline_asm(kind, "nop", "") is not text
    assert repr(text) == "<InlineAsm 'nop' ''>"
    assert str(text.type) == "ptr"


def test_expressions_are_folded_or_unique() -> None:
    module = counting()
    types, constants = module.context.types, module.context.constants
    table, i64 = module.global_variables["table"], types.integer(64)
    address = constants.cast("ptrtoint", table, i64)
    assert isinstance(address, ConstantExpr)
    assert constants.cast("ptrtoint", table, i64) is address
    assert constants.cast("bitcast", table, types.ptr) is table
    three = constants.binary("add", constants.integer(i64, 1), constants.integer(i64, 2))
    assert three is constants.integer(i64, 3)
    assert constants.binary("add", address, three) is constants.binary("add", address, three)
    assert constants.binary("add", address, three) is not constants.binary("sub", address, three)
    assert constants.get_element_ptr(types.integer(8), table, [three]) is constants.get_element_ptr(
        types.integer(8), table, [three]
    )

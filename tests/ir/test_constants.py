"""Constants: what they tell, and what `match` sees of them."""

from __future__ import annotations

import math

import pytest

from bitcodec.ir import (
    BlockAddress,
    Constant,
    ConstantAggregateZero,
    ConstantArray,
    ConstantBinary,
    ConstantCast,
    ConstantDataArray,
    ConstantDataVector,
    ConstantFP,
    ConstantGetElementPtr,
    ConstantInt,
    ConstantPointerNull,
    ConstantPtrAuth,
    ConstantRange,
    ConstantStruct,
    ConstantTable,
    ConstantTargetNone,
    ConstantTokenNone,
    ConstantVector,
    DSOLocalEquivalent,
    GEPFlags,
    IntegerFlags,
    Module,
    NoCFIValue,
    PoisonValue,
    UndefValue,
)

from .samples import counting, new_variable


@pytest.fixture
def module() -> Module:
    return counting()


@pytest.fixture
def constants(module: Module) -> ConstantTable:
    return module.context.constants


@pytest.mark.parametrize(
    ("width", "given", "value", "unsigned", "signed"),
    [
        (1, 1, 1, 1, -1),
        (1, -1, 1, 1, -1),
        (1, 0, 0, 0, 0),
        (8, 255, -1, 255, -1),
        (8, 128, -128, 128, -128),
        (8, 127, 127, 127, 127),
        (8, 256, 0, 0, 0),
        (65, 1 << 64, -(1 << 64), 1 << 64, -(1 << 64)),
    ],
)
def test_integers(constants: ConstantTable, width: int, given: int, value: int, unsigned: int, signed: int) -> None:
    found = constants.integer(constants.types.integer(width), given)
    assert (found.value, found.unsigned, found.signed) == (value, unsigned, signed)
    assert found.is_null is (value == 0)
    assert repr(found) == f"<ConstantInt i{width} {value}>"


@pytest.mark.parametrize(
    ("kind", "bits", "value"),
    [
        ("half", 0x3E00, 1.5),
        ("bfloat", 0x3FC0, 1.5),
        ("float", 0xC0490FDB, -3.1415927410125732),
        ("double", 0x3FB999999999999A, 0.1),
        ("double", 0x8000000000000000, -0.0),
        ("x86_fp80", 0x3FFFC000000000000000, 1.5),
        ("fp128", 0x3FFF8000000000000000000000000000, 1.5),
        ("ppc_fp128", 0x00000000000000003FF8000000000000, 1.5),
        ("float", 0x7F800000, math.inf),
    ],
)
def test_floating_point(constants: ConstantTable, kind: str, bits: int, value: float) -> None:
    found = constants.floating(getattr(constants.types, kind), bits)
    assert found.value == value
    assert math.copysign(1, found.value) == math.copysign(1, value)
    assert constants.real(getattr(constants.types, kind), value) is found
    assert constants.floating(getattr(constants.types, kind), bits | 1 << 200) is found
    assert not found.is_null


def test_not_a_number(constants: ConstantTable) -> None:
    assert math.isnan(constants.floating(constants.types.float, 0x7FC00000).value)
    assert constants.real(constants.types.half, 1e9).value == math.inf
    assert constants.real(constants.types.double, 0.0).is_null
    assert repr(constants.real(constants.types.half, 1.0)) == "<ConstantFP half 0x3C00>"


def test_patterns_of_plain_constants(constants: ConstantTable) -> None:
    types = constants.types
    i8, i32 = types.integer(8), types.integer(32)
    match [
        constants.boolean(value=True),
        constants.real(types.float, 1.5),
        constants.null(types.ptr),
        constants.null(types.token),
        constants.null(types.target_extension("t")),
        constants.null(types.array(2, i8)),
        constants.undef(i8),
        constants.poison(i8),
        constants.data(types.array(3, i8), b"abc"),
        constants.data(types.vector(2, i32), [1, 0xFFFFFFFF]),
    ]:
        case [
            ConstantInt(1),
            ConstantFP(1.5, bits=0x3FC00000),
            ConstantPointerNull(is_null=True),
            ConstantTokenNone(),
            ConstantTargetNone(),
            ConstantAggregateZero(),
            UndefValue(is_null=False),
            PoisonValue(),
            ConstantDataArray(b"abc"),
            ConstantDataVector((1, 0xFFFFFFFF)),
        ]:
            pass
        case other:
            pytest.fail(repr(other))


def test_patterns_of_aggregates(module: Module, constants: ConstantTable) -> None:
    types = constants.types
    table, null = module.global_variables["table"], constants.null(types.ptr)
    one = constants.integer(types.integer(1), 1)
    match [
        constants.aggregate(types.array(2, types.ptr), [table, null]),
        constants.aggregate(types.struct([types.ptr, one.type]), [table, one]),
        constants.aggregate(types.vector(2, one.type), [one, constants.boolean(value=False)]),
    ]:
        case [
            ConstantArray((first, ConstantPointerNull())),
            ConstantStruct((second, ConstantInt(1))),
            ConstantVector((ConstantInt(1), ConstantInt(0))) as vector,
        ]:
            assert first is second is table
            assert repr(vector) == "<ConstantVector <2 x i1>, 2 operands>"
        case other:
            pytest.fail(repr(other))


def test_patterns_of_expressions(module: Module, constants: ConstantTable) -> None:
    types = constants.types
    i64 = types.integer(64)
    table, count = module.global_variables["table"], module.functions["count"]
    number = constants.cast("ptrtoint", table, i64)
    one = constants.integer(i64, 1)
    reach = ConstantRange.of(64, 0, 4)
    null, zero = constants.null(types.ptr), constants.integer(i64, 0)
    match [
        number,
        constants.binary("sub", number, one, IntegerFlags.NSW),
        constants.get_element_ptr(types.integer(8), table, [one], GEPFlags.NUW, reach),
        constants.block_address(count, count.blocks[0]),
        constants.dso_local_equivalent(count),
        constants.no_cfi(count),
        constants.ptr_auth(table, constants.integer(types.integer(32), 2), one, null, null),
    ]:
        case [
            ConstantCast("ptrtoint", found, kind),
            ConstantBinary("sub", ConstantCast(), ConstantInt(1), flags=IntegerFlags.NSW) as difference,
            ConstantGetElementPtr(_, base, (ConstantInt(1),), flags=GEPFlags.NUW, in_range=inside),
            BlockAddress(function, block),
            DSOLocalEquivalent(same),
            NoCFIValue(itself),
            ConstantPtrAuth(signed, ConstantInt(2), ConstantInt(1), ConstantPointerNull(), ConstantPointerNull()),
        ]:
            assert (found, kind, base, signed) == (table, i64, table, table)
            assert (inside, function, block, same, itself) == (reach, count, count.blocks[0], count, count)
            assert repr(difference) == "<ConstantBinary sub i64>"
        case other:
            pytest.fail(repr(other))
    assert zero.is_null


def test_long_data_is_shown_in_part(constants: ConstantTable) -> None:
    long = constants.data(constants.types.array(20, constants.types.integer(16)), range(20))
    assert repr(long) == "<ConstantDataArray [20 x i16] [0, 1, 2, 3, 4, 5, 6, 7, ...]>"
    assert len(long) == 20  # type: ignore[arg-type]


def test_what_holds_a_global_knows_its_users(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    variable = new_variable(module, "variable", types.integer(64))
    address = constants.cast("ptrtoint", module.global_variables["table"], types.integer(64))
    variable.initializer = address
    assert isinstance(address, Constant)
    assert address.users == (variable,)

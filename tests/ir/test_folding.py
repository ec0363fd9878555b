"""Folding of constants, as LLVM 22 folds them when it builds constants."""

from __future__ import annotations

import re
import struct

import pytest

from answers import ask
from bitcodec.ir import folding
from bitcodec.ir.constant_expressions import ConstantExpr, ConstantGetElementPtr
from bitcodec.ir.context import Context
from bitcodec.ir.globals import GlobalAlias, GlobalVariable
from bitcodec.tables.instruction_flags import GEPFlags
from bitcodec.tables.linkage import Linkage, UnnamedAddress
from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate

CONTEXT = Context()
T, K = CONTEXT.types, CONTEXT.constants
I1, I8, I16, I32, I64, I128 = (T.integer(width) for width in (1, 8, 16, 32, 64, 128))
V2, V4 = T.vector(2, I32), T.vector(4, I32)
SCALABLE = T.vector(2, I32, is_scalable=True)
TRUE, FALSE = K.boolean(value=True), K.boolean(value=False)


def i8(value):
    return K.integer(I8, value)


def i32(value):
    return K.integer(I32, value)


def i64(value):
    return K.integer(I64, value)


def vector(*elements):
    return K.aggregate(T.vector(len(elements), elements[0].type), elements)


def variable(name, linkage=Linkage.EXTERNAL, value_type=I32):
    made = GlobalVariable(T.ptr, value_type, linkage)
    made.name = name
    return made


A, B, WEAK = variable("a"), variable("b"), variable("w", Linkage.EXTERN_WEAK)
ADDRESS = K.cast("ptrtoint", A, I64)
OTHER = K.cast("ptrtoint", B, I64)


def double(bits):
    return K.floating(T.double, bits)


def single(bits):
    return K.floating(T.float, bits)


ONE, TWO, NAN = 0x3FF0000000000000, 0x4000000000000000, 0x7FF8000000000000

EDGES = ("-0.5", "-1.0", "-128.5", "-129.0", "-129.5", "-256.0", "127.5", "128.0", "255.5", "256.0", "1.0e10")


@pytest.mark.parametrize("opcode", ["fptosi", "fptoui"])
def test_numbers_at_the_edges_of_integers(opcode):
    """LLVM 22 makes poison of what does not fit."""
    functions = [
        f"define i8 @f{place}() {{\n %v = {opcode} double {number} to i8\n ret i8 %v\n}}\n"
        for place, number in enumerate(EDGES)
    ]
    done = ask(["opt-22", "-S", "-passes=instsimplify", "-"], input="".join(functions), text=True, check=True)
    bits = [struct.unpack("<Q", struct.pack("<d", float(number)))[0] for number in EDGES]

    found = [folding.fold_cast(K, opcode, double(each), I8) for each in bits]
    assert [f"ret {each}" for each in found] == re.findall(r"ret i8 \S+", done.stdout)


INTEGERS = [
    ("add", 200, 100, 44),
    ("sub", 3, 5, -2),
    ("mul", 16, 17, 16),
    ("udiv", -1, 2, 127),
    ("sdiv", -7, 2, -3),
    ("urem", -1, 10, 5),
    ("srem", -7, 2, -1),
    ("shl", 1, 7, -128),
    ("lshr", -128, 7, 1),
    ("ashr", -128, 7, -1),
    ("and", 12, 10, 8),
    ("or", 12, 10, 14),
    ("xor", 12, 10, 6),
]


@pytest.mark.parametrize(("opcode", "lhs", "rhs", "expected"), INTEGERS)
def test_integers(opcode, lhs, rhs, expected):
    assert folding.fold_binary(K, opcode, i8(lhs), i8(rhs)) is i8(expected)
    both = folding.fold_binary(K, opcode, vector(i8(lhs), i8(1)), vector(i8(rhs), i8(1)))
    assert both is vector(i8(expected), folding.fold_binary(K, opcode, i8(1), i8(1)))


@pytest.mark.parametrize(
    ("opcode", "lhs", "rhs"),
    [("udiv", 1, 0), ("srem", 1, 0), ("sdiv", -128, -1), ("srem", -128, -1), ("shl", 1, 8), ("ashr", 1, 8)],
)
def test_what_must_not_be_done_gives_poison(opcode, lhs, rhs):
    assert folding.fold_binary(K, opcode, i8(lhs), i8(rhs)) is K.poison(I8)


@pytest.mark.parametrize(
    ("opcode", "lhs", "rhs", "expected"),
    [
        ("add", K.undef(I8), i8(1), K.undef(I8)),
        ("xor", K.undef(I8), K.undef(I8), i8(0)),
        ("and", K.undef(I8), i8(1), i8(0)),
        ("and", K.undef(I8), K.undef(I8), K.undef(I8)),
        ("or", i8(1), K.undef(I8), i8(-1)),
        ("mul", i8(2), K.undef(I8), i8(0)),
        ("mul", i8(3), K.undef(I8), K.undef(I8)),
        ("udiv", K.undef(I8), i8(3), i8(0)),
        ("udiv", i8(3), K.undef(I8), K.poison(I8)),
        ("shl", K.undef(I8), i8(3), i8(0)),
        ("lshr", i8(3), K.undef(I8), K.poison(I8)),
        ("add", K.poison(I8), K.undef(I8), K.poison(I8)),
        ("add", K.poison(I8), i8(0), K.poison(I8)),
        ("add", K.undef(SCALABLE), K.poison(SCALABLE), K.poison(SCALABLE)),
        ("add", K.undef(V2), vector(i32(1), i32(2)), K.undef(V2)),
        ("fadd", K.undef(T.double), double(ONE), double(NAN)),
        ("fsub", double(1 << 63), K.undef(T.double), K.undef(T.double)),
    ],
    ids=str,
)
def test_operations_on_what_is_undefined(opcode, lhs, rhs, expected):
    assert folding.fold_binary(K, opcode, lhs, rhs) is expected


@pytest.mark.parametrize(
    ("opcode", "lhs", "rhs", "expected"),
    [
        ("add", ADDRESS, i64(0), ADDRESS),
        ("add", i64(0), ADDRESS, ADDRESS),
        ("sub", ADDRESS, i64(0), ADDRESS),
        ("mul", ADDRESS, i64(1), ADDRESS),
        ("mul", i64(0), ADDRESS, i64(0)),
        ("and", ADDRESS, i64(-1), ADDRESS),
        ("and", ADDRESS, i64(0), i64(0)),
        ("or", ADDRESS, i64(-1), i64(-1)),
        ("udiv", ADDRESS, i64(1), ADDRESS),
        ("urem", ADDRESS, i64(1), i64(0)),
        ("udiv", ADDRESS, i64(0), K.poison(I64)),
        ("shl", i64(0), ADDRESS, i64(0)),
        ("mul", ADDRESS, i64(3), None),
        ("sub", ADDRESS, ADDRESS, None),
        ("add", K.binary("add", ADDRESS, i64(5)), i64(3), K.binary("add", ADDRESS, i64(8))),
        ("add", K.binary("add", ADDRESS, i64(5)), i64(-5), ADDRESS),
        ("add", i64(3), ADDRESS, K.binary("add", ADDRESS, i64(3))),
        ("fmul", double(ONE), double(TWO), double(TWO)),
        ("fdiv", double(ONE), double(0), double(0x7FF0000000000000)),
    ],
    ids=str,
)
def test_operations_on_addresses_and_numbers(opcode, lhs, rhs, expected):
    assert folding.fold_binary(K, opcode, lhs, rhs) is expected


def test_single_bits_are_added_by_xor():
    bit = K.cast("ptrtoint", A, I1)
    other = K.cast("ptrtoint", B, I1)
    assert folding.fold_binary(K, "add", bit, other) is K.binary("xor", bit, other)
    assert folding.fold_binary(K, "udiv", bit, other) is bit
    assert folding.fold_binary(K, "urem", bit, other) is FALSE


def test_negation():
    assert folding.fold_unary(K, "fneg", double(ONE)) is double(ONE | 1 << 63)
    assert folding.fold_unary(K, "fneg", vector(double(ONE), K.poison(T.double))) is vector(
        double(ONE | 1 << 63), K.poison(T.double)
    )
    assert folding.fold_unary(K, "fneg", K.undef(T.double)) is K.undef(T.double)


@pytest.mark.parametrize(
    ("opcode", "operand", "type_", "expected"),
    [
        ("trunc", i32(300), I8, i8(44)),
        ("zext", i8(-1), I32, i32(255)),
        ("sext", i8(-1), I32, i32(-1)),
        ("zext", TRUE, I8, i8(1)),
        ("sext", TRUE, I8, i8(-1)),
        ("zext", K.undef(I8), I32, i32(0)),
        ("trunc", K.undef(I32), I8, K.undef(I8)),
        ("zext", K.poison(I8), I32, K.poison(I32)),
        ("fptosi", double(0xC00C000000000000), I8, i8(-3)),
        ("fptoui", double(0xC00C000000000000), I8, K.poison(I8)),
        ("uitofp", i8(-1), T.double, double(0x406FE00000000000)),
        ("sitofp", i8(-1), T.double, double(0xBFF0000000000000)),
        ("fptrunc", double(ONE), T.float, single(0x3F800000)),
        ("fpext", single(0x3F800000), T.double, double(ONE)),
        ("bitcast", i64(ONE), T.double, double(ONE)),
        ("bitcast", double(ONE), I64, i64(ONE)),
        ("bitcast", i64(-1), V2, vector(i32(-1), i32(-1))),
        ("bitcast", i64(5), V2, K.cast("bitcast", vector(i64(5)), V2)),
        ("bitcast", vector(i32(5), i32(6)), I64, None),
        ("bitcast", vector(i32(0x3F800000), i32(0)), T.vector(2, T.float), vector(single(0x3F800000), single(0))),
        ("bitcast", K.integer(I128, 5), T.ppc_fp128, None),
        ("ptrtoint", K.null(T.ptr), I32, i32(0)),
        ("inttoptr", i64(0), T.ptr, K.null(T.ptr)),
        ("addrspacecast", K.null(T.ptr), T.pointer(1), None),
        ("inttoptr", ADDRESS, T.ptr, None),
        ("trunc", ADDRESS, I8, K.cast("ptrtoint", A, I8)),
        ("addrspacecast", K.cast("addrspacecast", A, T.pointer(1)), T.ptr, A),
        ("zext", K.cast("ptrtoint", A, I8), I32, None),
        ("trunc", vector(i32(1), ADDRESS_32 := K.cast("ptrtoint", A, I32)), T.vector(2, I8), ...),
    ],
    ids=str,
)
def test_casts(opcode, operand, type_, expected):
    if expected is ...:
        expected = vector(i8(1), K.cast("trunc", ADDRESS_32, I8))
    assert folding.fold_cast(K, opcode, operand, type_) is expected


@pytest.mark.parametrize(
    ("predicate", "lhs", "rhs", "expected"),
    [
        (ICmpPredicate.ULT, i8(1), i8(-1), TRUE),
        (ICmpPredicate.SLT, i8(1), i8(-1), FALSE),
        (ICmpPredicate.EQ, K.undef(I8), i8(1), K.undef(I1)),
        (ICmpPredicate.UGT, K.undef(I8), i8(1), FALSE),
        (ICmpPredicate.SGE, K.undef(I8), i8(1), TRUE),
        (ICmpPredicate.EQ, K.poison(I8), i8(1), K.poison(I1)),
        (ICmpPredicate.UGE, ADDRESS, i64(0), TRUE),
        (ICmpPredicate.UGT, ADDRESS, i64(0), None),
        (ICmpPredicate.EQ, TRUE, FALSE, FALSE),
        (ICmpPredicate.EQ, A, A, TRUE),
        (ICmpPredicate.EQ, A, B, FALSE),
        (ICmpPredicate.EQ, A, WEAK, None),
        (ICmpPredicate.NE, K.null(T.ptr), A, TRUE),
        (ICmpPredicate.EQ, WEAK, K.null(T.ptr), None),
        (ICmpPredicate.ULT, A, B, None),
        (ICmpPredicate.EQ, vector(i8(1), i8(2)), vector(i8(1), i8(3)), vector(TRUE, FALSE)),
        (FCmpPredicate.OLT, double(ONE), double(TWO), TRUE),
        (FCmpPredicate.OLT, double(ONE), double(NAN), FALSE),
        (FCmpPredicate.ULT, double(ONE), double(NAN), TRUE),
        (FCmpPredicate.OEQ, double(0), double(1 << 63), TRUE),
        (FCmpPredicate.UNO, double(ONE), K.undef(T.double), TRUE),
        (FCmpPredicate.TRUE, K.poison(T.double), double(ONE), TRUE),
    ],
    ids=str,
)
def test_comparisons(predicate, lhs, rhs, expected):
    assert folding.fold_compare(K, predicate, lhs, rhs) is expected


def test_what_may_share_an_address():
    empty = variable("e", value_type=T.array(3, T.struct([])))
    unnamed = variable("u")
    unnamed.unnamed_address = UnnamedAddress.GLOBAL
    alias = GlobalAlias(T.ptr, I32)
    for other in (empty, unnamed, alias):
        assert folding.fold_compare(K, ICmpPredicate.EQ, A, other) is None
    inside = K.get_element_ptr(I32, A, [i64(1)], GEPFlags.INBOUNDS | GEPFlags.NUSW)
    assert folding.fold_compare(K, ICmpPredicate.EQ, inside, K.null(T.ptr)) is FALSE
    assert folding.fold_compare(K, ICmpPredicate.EQ, inside, B) is None


@pytest.mark.parametrize(
    ("condition", "true_value", "false_value", "expected"),
    [
        (TRUE, A, B, A),
        (FALSE, A, B, B),
        (K.undef(I1), K.undef(I8), i8(1), K.undef(I8)),
        (K.undef(I1), i8(2), i8(1), i8(1)),
        (K.poison(I1), i8(2), i8(1), K.poison(I8)),
        (K.cast("ptrtoint", A, I1), i8(1), i8(1), i8(1)),
        (K.cast("ptrtoint", A, I1), i8(1), K.poison(I8), i8(1)),
        (K.cast("ptrtoint", A, I1), i8(1), K.undef(I8), i8(1)),
        (K.cast("ptrtoint", A, I64), i8(1), i8(2), None),
        (vector(TRUE, K.poison(I1)), vector(i8(1), i8(2)), vector(i8(3), i8(4)), vector(i8(1), K.poison(I8))),
    ],
    ids=str,
)
def test_selection(condition, true_value, false_value, expected):
    assert folding.fold_select(K, condition, true_value, false_value) is expected


def test_address_arithmetic():
    assert folding.fold_gep(K, I32, A, []) is A
    assert folding.fold_gep(K, I32, A, [i64(0), K.undef(I32)]) is A
    assert folding.fold_gep(K, I32, A, [i64(1)]) is None
    assert folding.fold_gep(K, I32, K.poison(T.ptr), [i64(1)]) is K.poison(T.ptr)
    assert folding.fold_gep(K, I32, K.undef(T.ptr), [i64(1)]) is K.undef(T.ptr)
    assert folding.fold_gep(K, I32, A, [K.null(T.vector(2, I64))]) is vector(A, A)


def test_elements():
    numbers = vector(i32(1), i32(2))
    assert folding.fold_extract_element(K, numbers, i64(1)) is i32(2)
    assert folding.fold_extract_element(K, numbers, i64(2)) is K.poison(I32)
    assert folding.fold_extract_element(K, numbers, K.undef(I64)) is K.poison(I32)
    assert folding.fold_extract_element(K, K.undef(V2), i64(0)) is K.undef(I32)
    assert folding.fold_extract_element(K, numbers, ADDRESS) is None
    assert folding.fold_extract_element(K, K.splat(SCALABLE, i32(7)), i64(1)) is i32(7)
    assert folding.fold_extract_element(K, K.splat(SCALABLE, i32(7)), i64(2)) is None
    assert folding.fold_insert_element(K, numbers, i32(5), i64(0)) is vector(i32(5), i32(2))
    assert folding.fold_insert_element(K, numbers, i32(5), i64(2)) is K.poison(V2)
    assert folding.fold_insert_element(K, K.null(SCALABLE), i32(0), ADDRESS) is K.null(SCALABLE)
    assert folding.fold_insert_element(K, K.null(SCALABLE), i32(1), i64(0)) is None


def test_elements_of_addresses():
    pointers = vector(A, B)
    moved = K.get_element_ptr(I32, pointers, [vector(i64(1), ADDRESS)])
    assert isinstance(moved, ConstantGetElementPtr)
    assert K.extract_element(moved, i64(1)) is K.get_element_ptr(I32, B, [ADDRESS])


def test_shuffles():
    low, high = vector(i32(1), i32(2)), vector(i32(3), i32(4))
    assert folding.fold_shuffle_vector(K, low, high, (3, 0, 1, 2)) is vector(i32(4), i32(1), i32(2), i32(3))
    assert folding.fold_shuffle_vector(K, low, high, (0, 0, 0, 0)) is K.splat(V4, i32(1))
    assert folding.fold_shuffle_vector(K, low, high, (-1, -1)) is K.poison(V2)
    assert folding.fold_shuffle_vector(K, low, high, (1, -1)) is vector(i32(2), K.undef(I32))
    assert folding.fold_shuffle_vector(K, K.null(SCALABLE), K.poison(SCALABLE), (0, 0)) is K.null(SCALABLE)
    assert folding.fold_shuffle_vector(K, K.poison(SCALABLE), K.poison(SCALABLE), (0, 0)) is K.poison(SCALABLE)


def test_parts_of_aggregates():
    inner = T.array(2, I8)
    whole = K.aggregate(T.struct([I32, inner]), [i32(1), K.aggregate(inner, [i8(2), i8(3)])])
    assert folding.fold_extract_value(K, whole, [1, 1]) is i8(3)
    assert folding.fold_extract_value(K, whole, []) is whole
    changed = folding.fold_insert_value(K, whole, i8(9), [1, 0])
    assert changed is K.aggregate(whole.type, [i32(1), K.aggregate(inner, [i8(9), i8(3)])])
    assert folding.fold_extract_value(K, K.null(whole.type), [1]) is K.null(inner)
    assert folding.fold_extract_value(K, K.poison(whole.type), [1, 0]) is K.poison(I8)


def test_long_vectors_are_left_alone():
    huge = T.vector(1 << 32, I32)
    index, other = i64(5), i32(1)
    assert isinstance(K.insert_element(K.null(huge), other, index), ConstantExpr)
    assert folding.fold_binary(K, "mul", K.null(huge), K.null(huge)) is None
    assert folding.fold_compare(K, ICmpPredicate.EQ, K.null(huge), K.null(huge)) is None
    assert folding.fold_extract_element(K, K.null(huge), index) is i32(0)


def test_deep_constants_are_no_trouble():
    deep, pointers, chain = K.poison(SCALABLE), vector(A, B), ADDRESS
    for step in range(20_000):
        deep = K.insert_element(deep, i32(step), i64(step % 2))
        pointers = K.get_element_ptr(I32, pointers, [vector(ADDRESS, i64(step))])
        chain = K.binary("add", OTHER, chain) if step % 2 else K.cast("ptrtoint", K.cast("inttoptr", chain, T.ptr), I64)
    assert K.extract_element(deep, i64(1)) is i32(19_999)
    assert isinstance(K.extract_element(pointers, i64(1)), ConstantExpr)
    assert isinstance(K.binary("add", chain, i64(1)), ConstantExpr)
    right = ADDRESS
    for _ in range(20_000):
        right = K.binary("add", OTHER, right)
    assert isinstance(K.binary("add", right, i64(1)), ConstantExpr)

"""Types: each once in a context, spelled as text spells them."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.ir import (
    ArrayType,
    Context,
    FloatingPointType,
    FunctionType,
    IntegerType,
    PointerType,
    StructType,
    TargetExtensionType,
    Type,
    TypeTable,
    VectorType,
    VoidType,
)


@pytest.fixture
def types() -> TypeTable:
    return Context().types


def each(types: TypeTable) -> dict[str, Type]:
    """Return a type of each kind, made anew, by its spelling."""
    i32 = types.integer(32)
    return {
        "void": types.void,
        "label": types.label,
        "metadata": types.metadata,
        "token": types.token,
        "x86_amx": types.x86_amx,
        "half": types.half,
        "bfloat": types.bfloat,
        "float": types.float,
        "double": types.double,
        "x86_fp80": types.x86_fp80,
        "fp128": types.fp128,
        "ppc_fp128": types.ppc_fp128,
        "i1": types.integer(1),
        "i8388608": types.integer(1 << 23),
        "ptr": types.pointer(),
        "ptr addrspace(3)": types.pointer(3),
        "[4 x i32]": types.array(4, i32),
        "<4 x i32>": types.vector(4, i32),
        "<vscale x 4 x i32>": types.vector(4, i32, is_scalable=True),
        "{ i32, ptr }": types.struct([i32, types.ptr]),
        "<{ i32, ptr }>": types.struct([i32, types.ptr], is_packed=True),
        "{}": types.struct([]),
        "<{}>": types.struct([], is_packed=True),
        "void (i32, ptr)": types.function(types.void, [i32, types.ptr]),
        "i32 (...)": types.function(i32, is_vararg=True),
        "void (i32, ...)": types.function(types.void, [i32], is_vararg=True),
        'target("spirv.Image", float, 1, 0)': types.target_extension("spirv.Image", [types.float], [1, 0]),
        "[2 x [3 x { <2 x ptr> }]]": types.array(2, types.array(3, types.struct([types.vector(2, types.ptr)]))),
    }


def test_each_type_is_one_object_and_spelled_as_text_has_it(types: TypeTable) -> None:
    first, second = each(types), each(types)
    for spelling, found in first.items():
        assert str(found) == spelling
        assert repr(found) == f"<{type(found).__name__} {spelling}>"
        assert second[spelling] is found


def test_contexts_share_no_types(types: TypeTable) -> None:
    assert Context().types.integer(32) is not types.integer(32)


def test_identified_structs_are_types_of_their_own(types: TypeTable) -> None:
    first, second = (StructType((types.ptr,), name=name) for name in ("pair", "pair"))
    assert first is not second
    assert (str(first), first.body, first.is_literal) == ("%pair", "{ ptr }", False)
    assert str(StructType(None, name="a b")) == '%"a b"'
    assert StructType(None, name="later").body == "opaque"
    assert StructType(None, name="later").is_opaque


@pytest.mark.parametrize("width", [0, -1, (1 << 23) + 1])
def test_widths_of_integers(types: TypeTable, width: int) -> None:
    with pytest.raises(ValueError, match=f"an integer type of {width} bits"):
        types.integer(width)


def test_names_of_structs(types: TypeTable) -> None:
    """The numbers are those of LLVM 22 when it reads `%a`, `%b` and `%a.0` again and again in one context."""
    names = [types.unique_name(name) for _ in range(3) for name in ("a", "b", "a.0", "")]
    assert names == ["a", "b", "a.0", "", "a.1", "b.2", "a.0.3", "", "a.4", "b.5", "a.0.6", ""]


def test_structs_are_found_by_name(types: TypeTable) -> None:
    first, second, unnamed = (StructType(None, name="") for _ in range(3))
    for struct, name in ((first, "a"), (second, "a"), (unnamed, "")):
        types.name_struct(struct, name)
    assert [struct.name for struct in (first, second, unnamed)] == ["a", "a.0", ""]
    assert [types.find_struct(name) for name in ("a", "a.0", "", "b")] == [first, second, None, None]
    types.release_name(first)
    assert types.find_struct("a") is None
    assert types.unique_name("a") == "a"


def test_what_types_are_made_of(types: TypeTable) -> None:
    i8, i32 = types.integer(8), types.integer(32)
    function = types.function(i8, [i32, types.ptr])
    assert function.element_types == (i8, i32, types.ptr)
    assert types.vector(4, i8).scalar_type is i8
    assert i8.scalar_type is i8
    assert types.array(4, i8).element_types == (i8,)
    assert types.like(types.vector(2, i32), i8) is types.vector(2, i8)
    assert types.like(i32, i8) is i8


@pytest.mark.parametrize(
    ("spelling", "is_sized"),
    [("void", False), ("label", False), ("token", False), ("i1", True), ("ptr", True), ("[4 x i32]", True)],
)
def test_what_can_lie_in_memory(types: TypeTable, spelling: str, *, is_sized: bool) -> None:
    assert each(types)[spelling].is_sized is is_sized


def test_a_struct_of_what_is_opaque_is_not_sized(types: TypeTable) -> None:
    opaque = StructType(None, name="opaque")
    assert not types.array(2, types.struct([types.ptr, opaque])).is_sized
    opaque.elements = (types.ptr,)
    assert types.array(2, types.struct([types.ptr, opaque])).is_sized


SCALABLE = [
    ("{ <vscale x 4 x i32>, <vscale x 4 x i32> }", True),
    ("[3 x { <vscale x 4 x i32>, <vscale x 4 x i32> }]", True),
    ("{ <vscale x 4 x i32>, i32 }", False),
    ("{ <vscale x 4 x i32>, <vscale x 8 x i32> }", False),
    ("{ [2 x <vscale x 4 x i32>] }", False),
    ("{ { <vscale x 4 x i32>, <vscale x 4 x i32> } }", False),
    ('{ target("aarch64.svcount"), target("aarch64.svcount") }', False),
    ("[2 x { <vscale x 4 x i32>, i32 }]", False),
]


@pytest.mark.parametrize(("spelling", "is_sized"), SCALABLE)
def test_structs_of_scalable_types_are_sized_if_they_are_vectors_of_one_type(spelling: str, *, is_sized: bool) -> None:
    module = bitcodec.parse_assembly(f"declare void @f({spelling})")
    (parameter,) = module.functions["f"].value_type.parameter_types
    assert parameter.is_sized is is_sized


def test_patterns(types: TypeTable) -> None:
    found = each(types)
    match [found[spelling] for spelling in ("i1", "ptr addrspace(3)", "[4 x i32]", "<vscale x 4 x i32>", "half")]:
        case [
            IntegerType(1),
            PointerType(3),
            ArrayType(4, IntegerType(32)),
            VectorType(4, IntegerType(32), True),
            FloatingPointType("half", bit_width=16),
        ]:
            pass
        case other:
            pytest.fail(repr(other))
    match found["void (i32, ...)"], found["<{ i32, ptr }>"], found['target("spirv.Image", float, 1, 0)']:
        case (
            FunctionType(VoidType(), (IntegerType(32),), True),
            StructType(None, (IntegerType(), PointerType(0)), True),
            TargetExtensionType("spirv.Image", (FloatingPointType("float"),), (1, 0)),
        ):
            pass
        case others:
            pytest.fail(repr(others))


def test_deep_types_are_spelled_without_a_deep_stack(types: TypeTable) -> None:
    found: Type = types.integer(8)
    for _ in range(20_000):
        found = types.array(1, found)
    assert str(found) == "[1 x " * 20_000 + "i8" + "]" * 20_000
    assert len(found.brief) < 200
    assert found.is_sized

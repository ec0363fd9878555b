"""Bytes of constants.  Unless a test says otherwise, expected ones are from docs/reference/pc-sections.md, 2.3."""

from __future__ import annotations

import pytest

from bitcodec.builder import add_block, add_function, add_variable, new_module
from bitcodec.errors import PCSectionsError
from bitcodec.ir.module import Module
from bitcodec.pcsections.encoding.constants import LARGEST_CONSTANT, Reference, encode_constant, uleb128
from bitcodec.pcsections.encoding.targets import Target
from pcsections.recipes import Recipe, made

LITTLE, BIG = Target.of("x86_64-linux-gnu"), Target.of("s390x-linux-gnu")


@pytest.fixture
def module() -> Module:
    found = new_module("m", data_layout=str(LITTLE.data_layout))
    add_variable(found, "near", found.context.types.integer(64), 0)
    add_variable(found, "far", found.context.types.integer(64))
    return found


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


def integer(width: int, value: int) -> Recipe:
    return ("int", width, value & (1 << width) - 1)


@pytest.mark.parametrize(
    ("recipe", "raw", "compressed"),
    [
        (integer(1, 1), "01", "01"),
        (integer(7, -1), "7f", "7f"),
        (integer(8, -1), "ff", "ff"),
        (integer(9, -1), "ff01", "ff03"),
        (integer(16, -2), "feff", "feff03"),
        (integer(17, -2), "feff0100", "feff07"),
        (integer(24, -2), "feffff00", "feffff07"),
        (integer(32, -2), "feffffff", "feffffff0f"),
        (integer(40, -2), "feffffffff000000", "feffffffff1f"),
        (integer(64, -2), "fe" + "ff" * 7, "fe" + "ff" * 8 + "01"),
        (integer(64, 0), "00" * 8, "00"),
        (integer(65, -2), "fe" + "ff" * 7 + "01" + "00" * 7, None),
        (("float", "half", 0x3C01), "013c", None),
        (("float", "bfloat", 0x3F81), "813f", None),
        (("float", "float", 0x3F800001), "0100803f", None),
        (("float", "double", 1), "01" + "00" * 7, None),
        (("float", "x86_fp80", 0x3FFF8000000000000001), "0100000000000080ff3f" + "00" * 6, None),
        (("float", "fp128", 2), "02" + "00" * 15, None),
        (("null",), "00" * 8, None),
        (("undef", integer(32, 0)), "00" * 4, None),
        (("poison", integer(64, 0)), "00" * 8, None),
        (("struct", False, ()), "", None),
        (("string", b""), "", None),
        (("string", b"ab\0"), "616200", None),
        (("array", (integer(16, 1), integer(16, 2))), "01000200", None),
        (("array", (integer(24, 1), integer(24, 2))), "0100000002000000", None),
        (("struct", False, (integer(8, 1), integer(32, 2))), "0100000002000000", None),
        (("struct", True, (integer(8, 1), integer(32, 2))), "0102000000", None),
        (("zero", ("struct", False, (integer(8, 1), integer(32, 2)))), "00" * 8, None),
        (("vector", tuple(integer(1, bit) for bit in (1, 0, 1, 0, 0, 0, 0, 0, 1))), "0501", None),
        (("vector", (integer(16, 1), integer(16, 2), integer(16, 3))), "0100020003000000", None),
    ],
)
def test_little_endian(module: Module, recipe: Recipe, raw: str, compressed: str | None) -> None:
    constant = made(module, recipe)

    assert encode_constant(constant, LITTLE).data == hexed(raw)
    assert encode_constant(constant, LITTLE, compressed=True).data == hexed(raw if compressed is None else compressed)


@pytest.mark.parametrize(
    ("recipe", "raw"),
    [
        (integer(16, -2), "fffe"),
        (integer(24, -2), "fffffe00"),
        (integer(65, -2), "01" + "ff" * 7 + "fe" + "00" * 7),
        (("float", "double", 1), "00" * 7 + "01"),
        (("struct", False, (integer(8, 1), integer(32, 2))), "0100000000000002"),
    ],
)
def test_big_endian(module: Module, recipe: Recipe, raw: str) -> None:
    assert encode_constant(made(module, recipe), BIG).data == hexed(raw)


def test_uleb128_of_big_endian_targets_is_the_same(module: Module) -> None:
    constant = made(module, integer(32, 0x12345))
    assert encode_constant(constant, BIG, compressed=True) == encode_constant(constant, LITTLE, compressed=True)


@pytest.mark.parametrize(
    ("number", "data"), [(0, "00"), (127, "7f"), (128, "8001"), (624485, "e58e26"), (1 << 63, "80" * 9 + "01")]
)
def test_uleb128(number: int, data: str) -> None:
    assert uleb128(number) == hexed(data)


def test_first_double_of_a_pair_comes_first(module: Module) -> None:
    """As `llc` has it on both PowerPC64s."""
    constant = made(module, ("float", "ppc_fp128", 0x3FF0000000000000 | 1 << 64))
    little, big = Target.of("powerpc64le-linux-gnu"), Target.of("powerpc64-linux-gnu")
    assert encode_constant(constant, little).data == hexed("000000000000f03f" + "01" + "00" * 7)
    assert encode_constant(constant, big).data == hexed("3ff0000000000000" + "00" * 7 + "01")


@pytest.mark.parametrize(
    ("bits", "data"),
    [
        (0x0002_0123456789ABCDEF, "efcdab8967452301ff7f"),
        (0x8002_0123456789ABCDEF, "efcdab8967452301ffff"),
        (0x0000_8123456789ABCDEF, "efcdab89674523810100"),
        (0x7FFF_0000000000000000, "0000000000000000ff7f"),
        (0x0000_0123456789ABCDEF, "efcdab89674523010000"),
    ],
)
def test_x87_numbers_that_llvm_has_not(module: Module, bits: int, data: str) -> None:
    """As `llc` writes what it reads: not a number, or the number it is."""
    number: Recipe = ("float", "x86_fp80", bits)
    assert encode_constant(made(module, number), LITTLE).data == hexed(data) + bytes(6)
    assert encode_constant(made(module, ("vector", (number,))), LITTLE).data == hexed(data) + bytes(6)


def test_padding_of_a_vector_of_one_byte_is_that_byte(module: Module) -> None:
    """As `llc` fills it."""
    ones = made(module, ("vector", (integer(64, -1),) * 3))
    assert encode_constant(ones, LITTLE).data == b"\xff" * 32


def test_references(module: Module) -> None:
    size = 8
    for kind in ("address", "number"):
        assert encode_constant(made(module, (kind, "far", 5)), LITTLE) == (
            bytes(size),
            (Reference(0, "far", 5, size),),
        )
    inside = made(module, ("struct", False, (integer(8, 1), ("address", "near", -3), integer(8, 2))))
    assert encode_constant(inside, LITTLE) == (
        hexed("01" + "00" * 15 + "02" + "00" * 7),
        (Reference(8, "near", -3, size),),
    )


def test_references_of_what_occurs_again(module: Module) -> None:
    pair = ("struct", False, (("address", "near", 1), ("address", "far", 2)))
    encoded = encode_constant(made(module, ("array", (("struct", True, (integer(8, 7), pair)),) * 3)), LITTLE)
    assert encoded.data == (b"\7" + bytes(16)) * 3
    assert [reference.offset for reference in encoded.references] == [1, 9, 18, 26, 35, 43]
    assert [reference.symbol for reference in encoded.references] == ["near", "far"] * 3


def test_expressions(module: Module) -> None:
    table, types = module.context.constants, module.context.types
    word, half = types.integer(64), types.integer(32)
    near = table.cast("ptrtoint", module.global_variables["near"], word)
    seven = table.integer(word, 7)
    found = [
        table.binary("add", near, seven),
        table.binary("sub", near, seven),
        table.binary("sub", table.binary("add", near, seven), near),
        table.cast("trunc", near, half),
        table.cast("inttoptr", table.integer(half, 5), types.pointer(0)),
    ]
    assert [encode_constant(constant, LITTLE) for constant in found] == [
        (bytes(8), (Reference(0, "near", 7, 8),)),
        (bytes(8), (Reference(0, "near", -7, 8),)),
        (b"\7" + bytes(7), ()),
        (bytes(4), (Reference(0, "near", 0, 4),)),
        (b"\5" + bytes(7), ()),
    ]


def test_address_of_a_struct_element(module: Module) -> None:
    table, types = module.context.constants, module.context.types
    pair = types.struct([types.integer(8), types.integer(32)])
    indices = [table.integer(types.integer(64), 2), table.integer(types.integer(32), 1)]
    moved = table.get_element_ptr(pair, module.global_variables["near"], indices)
    assert encode_constant(moved, LITTLE).references == (Reference(0, "near", 20, 8),)


def test_functions_and_blocks(module: Module) -> None:
    table, types = module.context.constants, module.context.types
    function = add_function(module, "f", types.function(types.void, []), linkage="private")
    block = add_block(function, "inside")
    assert encode_constant(table.no_cfi(function), LITTLE).references == (Reference(0, ".Lf", 0, 8),)
    encoded = encode_constant(table.block_address(function, block), LITTLE)
    assert encoded.references == (Reference(0, "blockaddress(.Lf, inside)", 0, 8),)
    unnamed = encode_constant(table.block_address(function, add_block(function)), LITTLE)
    assert unnamed.references == (Reference(0, "blockaddress(.Lf, 1)", 0, 8),)
    with pytest.raises(PCSectionsError, match="name the function itself"):
        encode_constant(table.dso_local_equivalent(function), LITTLE)


def test_distance_of_two_symbols(module: Module) -> None:
    table = module.context.constants
    far, near = (made(module, ("number", name, 0)) for name in ("far", "near"))
    with pytest.raises(PCSectionsError, match="sub of the address of far and near: no relocation computes that"):
        encode_constant(table.binary("sub", far, near), LITTLE)


def test_address_in_a_wider_number(module: Module) -> None:
    table, types = module.context.constants, module.context.types
    wide = table.cast("ptrtoint", module.global_variables["far"], types.integer(128))
    with pytest.raises(PCSectionsError, match="no relocation extends"):
        encode_constant(wide, LITTLE)


def test_what_has_no_bytes(module: Module) -> None:
    table, types = module.context.constants, module.context.types
    with pytest.raises(PCSectionsError, match="a token has no bytes"):
        encode_constant(table.null(types.token), LITTLE)
    scalable = types.vector(4, types.integer(32), is_scalable=True)
    for type_ in (scalable, types.struct([scalable]), types.array(2, scalable)):
        with pytest.raises(PCSectionsError, match="not known before the program runs"):
            encode_constant(table.null(type_), LITTLE)
    with pytest.raises(PCSectionsError, match="has no size"):
        encode_constant(table.undef(types.target_extension("unknown")), LITTLE)


@pytest.mark.parametrize("kind", ["null", "undef", "poison"])
def test_constants_that_no_memory_holds(module: Module, kind: str) -> None:
    types = module.context.types
    huge = getattr(module.context.constants, kind)(types.array(1_000_000_000, types.integer(8)))
    with pytest.raises(PCSectionsError, match=f"has 1000000000 bytes: more than {LARGEST_CONSTANT}"):
        encode_constant(huge, LITTLE)


def test_nesting_may_be_deep(module: Module) -> None:
    """No recursion: a constant may nest deeper than Python's stack."""
    table, types = module.context.constants, module.context.types
    nested = moved = module.global_variables["near"]
    one = table.integer(types.integer(64), 1)
    for _ in range(3000):
        nested = table.aggregate(types.struct([nested.type]), [nested])  # type: ignore[assignment]
        moved = table.get_element_ptr(types.integer(8), moved, [one])  # type: ignore[assignment]
    assert encode_constant(nested, LITTLE).references == (Reference(0, "near", 0, 8),)
    assert encode_constant(moved, LITTLE).references == (Reference(0, "near", 3000, 8),)


def test_what_doubles_again_and_again_takes_time_for_its_bytes_alone(module: Module) -> None:
    """Each of a million elements has a hundred parts without a size: only those of the first one are looked at."""
    table, types = module.context.constants, module.context.types
    nothing = table.aggregate(types.struct([]), [])
    part = made(module, ("address", "near", 0))
    element = table.aggregate(types.struct([part.type, *[nothing.type] * 100]), [part, *[nothing] * 100])
    for _ in range(12):
        element = table.aggregate(types.array(2, element.type), [element, element])
    encoded = encode_constant(element, LITTLE)
    assert [reference.offset for reference in encoded.references] == list(range(0, 8 << 12, 8))

"""Attributes, their sets and lists.  Spellings are those of llvm-dis 22."""

from __future__ import annotations

import pytest

from bitcodec.ir.attribute_types import may_carry
from bitcodec.ir.attribute_values import (
    AllocKind,
    AllocSize,
    Captures,
    MemoryEffects,
    NoFPClass,
    UnwindTable,
    VScaleRange,
)
from bitcodec.ir.attributes import (
    NO_ATTRIBUTES,
    Attribute,
    AttributeList,
    AttributeSet,
    ConstantRange,
    EnumAttribute,
    IntegerAttribute,
    RangeAttribute,
    RangeListAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.ir.intrinsic_attributes import attributes_of_intrinsic, declared_attributes, intrinsic_name
from bitcodec.ir.spelling import escaped
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import StructType, Type
from bitcodec.tables.attributes import ATTRIBUTE_KINDS, KINDS_BY_NUMBER, MemoryAccess
from bitcodec.tables.intrinsics import intrinsic_rows

TYPES = TypeTable()
I32 = TYPES.integer(32)


@pytest.mark.parametrize(
    ("attribute", "inline", "in_group"),
    [
        (EnumAttribute("nounwind"), "nounwind", "nounwind"),
        (IntegerAttribute("align", 8), "align 8", "align=8"),
        (IntegerAttribute("alignstack", 16), "alignstack(16)", "alignstack=16"),
        (IntegerAttribute("dereferenceable", 8), "dereferenceable(8)", "dereferenceable=8"),
        (IntegerAttribute("uwtable", UnwindTable.ASYNC), "uwtable", "uwtable"),
        (IntegerAttribute("uwtable", UnwindTable.SYNC), "uwtable(sync)", "uwtable(sync)"),
        (IntegerAttribute("allocsize", 3 << 32 | 0xFFFFFFFF), "allocsize(3)", "allocsize(3)"),
        (IntegerAttribute("memory", 0x555), "memory(read)", "memory(read)"),
        (TypeAttribute("byval", StructType(None, name="struct.a")), "byval(%struct.a)", "byval(%struct.a)"),
        (TypeAttribute("sret", None), "sret", "sret"),
        (RangeAttribute("range", ConstantRange(32, -5, 10)), "range(i32 -5, 10)", "range(i32 -5, 10)"),
        (
            RangeListAttribute("initializes", (ConstantRange(64, 0, 8), ConstantRange(64, 16, 32))),
            "initializes((0, 8), (16, 32))",
            "initializes((0, 8), (16, 32))",
        ),
        (StringAttribute("frame-pointer", "all"), '"frame-pointer"="all"', '"frame-pointer"="all"'),
        (StringAttribute("key"), '"key"', '"key"'),
        (StringAttribute('k"\\', 'v"\\\x01\udcff'), '"k"\\"="v\\22\\\\\\01\\FF"', '"k"\\"="v\\22\\\\\\01\\FF"'),
    ],
)
def test_spellings(attribute: Attribute, inline: str, in_group: str) -> None:
    assert str(attribute) == inline
    assert attribute.group_text == in_group


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (0, "none"),
        (0x555, "read"),
        (0xFFF, "readwrite"),
        (3, "argmem: readwrite"),
        (0x20, "errnomem: write"),
        (0x0F, "argmem: readwrite, inaccessiblemem: readwrite"),
        (0xFFC, "readwrite, argmem: none"),
        (0xA0, "write, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none"),
    ],
)
def test_memory(raw: int, text: str) -> None:
    assert str(MemoryEffects(raw)) == text


def test_memory_by_location() -> None:
    effects = MemoryEffects.everywhere(MemoryAccess.READ) & MemoryEffects.of(argmem=MemoryAccess.READWRITE)
    assert effects == MemoryEffects(1)
    assert effects["argmem"] is MemoryAccess.READ
    assert effects["target_mem1"] is MemoryAccess.NONE
    assert effects | MemoryEffects.of(other=MemoryAccess.WRITE) == MemoryEffects(0x81)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (0x00, "none"),
        (0x33, "address"),
        (0x11, "address_is_null"),
        (0xFF, "address, provenance"),
        (0x77, "address, read_provenance"),
        (0x0F, "ret: address, provenance"),
        (0xC0, "provenance, ret: none"),
        (0x55, "address_is_null, read_provenance"),
    ],
)
def test_captures(raw: int, text: str) -> None:
    captures = Captures(raw)
    assert str(captures) == text
    assert captures.is_none == (raw == 0)
    assert captures.other << 4 | captures.returned == raw


def test_meanings_of_integers() -> None:
    assert IntegerAttribute("align", 8).meaning == 8
    match IntegerAttribute("allocsize", 2 << 32 | 5).meaning:
        case AllocSize(element_size=2, element_count=5) as size:
            assert str(size) == "2,5"
        case other:
            pytest.fail(f"{other!r}")
    unbounded = IntegerAttribute("vscale_range", 1 << 32).meaning
    assert isinstance(unbounded, VScaleRange)
    assert (unbounded.minimum, unbounded.maximum, str(unbounded)) == (1, None, "1,0")
    assert str(VScaleRange(2 << 32 | 16)) == "2,16"
    assert AllocKind(0b010001).words == ("alloc", "zeroed")
    assert str(AllocKind(0b100100)) == '"free,aligned"'


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (3, "nan"),
        (2, "qnan"),
        (516, "inf"),
        (0x3FF, "all"),
        (0x268, "pinf zero nnorm"),
        (0x207, "nan inf"),
    ],
)
def test_floating_point_classes(raw: int, text: str) -> None:
    assert str(NoFPClass(raw)) == text


@pytest.mark.parametrize("name", ["align", "no-such-thing"])
def test_a_kind_takes_its_own_form_only(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' is not an enum attribute"):
        EnumAttribute(name)


def test_sets_are_in_canonical_order() -> None:
    attributes = AttributeSet(
        [
            StringAttribute("b"),
            StringAttribute("B"),
            IntegerAttribute("memory", 0),
            TypeAttribute("byval", I32),
            EnumAttribute("nounwind"),
            EnumAttribute("cold"),
            RangeAttribute("range", ConstantRange(8, 0, 1)),
        ]
    )
    assert str(attributes) == 'cold nounwind byval(i32) memory(none) range(i8 0, 1) "B" "b"'
    assert attributes.spelled(type_text=lambda _: "T").startswith("cold nounwind byval(T)")


def test_sets_find_attributes_by_key() -> None:
    attributes = AttributeSet(
        [IntegerAttribute("align", 8), StringAttribute("align", "16"), StringAttribute("cpu", "x")]
    )
    assert attributes["align"] == IntegerAttribute("align", 8)
    assert attributes['"align"'] == StringAttribute("align", "16")
    assert attributes.integer("align") == 8
    assert attributes.integer("dereferenceable") is None
    assert attributes.string("cpu") == "x"
    assert attributes.string("align") is None
    assert "nounwind" not in attributes
    assert attributes.get("nounwind") is None
    assert attributes.memory is None
    with pytest.raises(KeyError):
        attributes["nounwind"]


def test_sets_do_not_change() -> None:
    attributes = AttributeSet([EnumAttribute("cold"), StringAttribute("a", "1")])
    changed = attributes.with_(StringAttribute("a", "2"), EnumAttribute("hot"))
    assert str(attributes) == 'cold "a"="1"'
    assert str(changed) == 'cold hot "a"="2"'
    assert str(changed.without("cold", "a")) == "hot"
    assert attributes.without("hot") is attributes
    assert changed.with_(StringAttribute("a", "1")).without("hot") == attributes
    assert len({attributes, AttributeSet(reversed(list(attributes)))}) == 1
    assert not NO_ATTRIBUTES


def test_lists() -> None:
    cold, noundef = AttributeSet([EnumAttribute("cold")]), AttributeSet([EnumAttribute("noundef")])
    attributes = AttributeList(cold, parameters={7: noundef, 2: noundef, 3: NO_ATTRIBUTES})
    assert list(attributes.parameters) == [2, 7]
    assert attributes.for_parameter(7) is noundef
    assert attributes.for_parameter(8) is NO_ATTRIBUTES
    assert attributes.with_parameter(2, NO_ATTRIBUTES).with_return(noundef) == AttributeList(
        cold, noundef, {7: noundef}
    )
    assert not attributes.with_function(NO_ATTRIBUTES).for_function
    assert attributes
    assert not AttributeList(parameters={0: NO_ATTRIBUTES})
    assert repr(attributes) == "<AttributeList function: cold; parameter 2: noundef; parameter 7: noundef>"


def test_ranges() -> None:
    wrapped = ConstantRange.of(8, 250, 4)
    assert wrapped == ConstantRange(8, -6, 4)
    assert [value in wrapped for value in (-7, -6, 3, 4, 255)] == [False, True, True, False, True]
    assert 0x7FFFFFFF in ConstantRange.of(32, 10, -10)
    assert 0 not in ConstantRange.of(32, 10, -10)
    assert ConstantRange.of(8, 255, -1).is_full
    assert 17 in ConstantRange.of(8, 255, 255)
    assert 17 not in ConstantRange.of(8, 0, 0)
    assert ConstantRange.of(1 << 23, -1, 5).lower == -1


FLOATS = TYPES.vector(2, TYPES.float)
POINTERS = TYPES.vector(2, TYPES.ptr)
NOT_NAN = IntegerAttribute("nofpclass", 3)


@pytest.mark.parametrize(
    ("attribute", "carriers", "others"),
    [
        (EnumAttribute("signext"), [I32], [TYPES.ptr, TYPES.vector(2, I32), TYPES.void]),
        (EnumAttribute("nonnull"), [TYPES.ptr, TYPES.pointer(3)], [POINTERS, I32]),
        (IntegerAttribute("align", 8), [TYPES.ptr, POINTERS], [I32, TYPES.void]),
        (EnumAttribute("noundef"), [I32, TYPES.struct([])], [TYPES.void]),
        (EnumAttribute("writeonly"), [TYPES.ptr, I32], []),
        (StringAttribute("signext"), [TYPES.void], []),
        (
            RangeAttribute("range", ConstantRange(32, 0, 5)),
            [I32, TYPES.vector(2, I32)],
            [TYPES.integer(8), TYPES.float, TYPES.vector(2, TYPES.integer(8))],
        ),
        (
            NOT_NAN,
            [TYPES.float, FLOATS, TYPES.array(2, TYPES.array(2, FLOATS)), TYPES.struct([FLOATS, FLOATS])],
            [
                I32,
                TYPES.struct([]),
                TYPES.struct([TYPES.float, TYPES.double]),
                TYPES.array(2, TYPES.struct([TYPES.float])),
                StructType((TYPES.float, TYPES.float), name="n"),
            ],
        ),
    ],
    ids=str,
)
def test_types_that_carry(attribute: Attribute, carriers: list[Type], others: list[Type]) -> None:
    assert all(may_carry(carrier, attribute) for carrier in carriers)
    assert not any(may_carry(other, attribute) for other in others)


def test_the_table() -> None:
    assert len(KINDS_BY_NUMBER) == len(ATTRIBUTE_KINDS) == 104
    assert set(KINDS_BY_NUMBER) == set(range(1, 111)) - {11, 45, 49, 50, 106, 107}


def test_attributes_of_intrinsics() -> None:
    memcpy = TYPES.function(TYPES.void, [TYPES.ptr, TYPES.ptr, TYPES.integer(64), TYPES.integer(1)])
    attributes = declared_attributes("llvm.memcpy.p0.p0.i64", memcpy)
    assert attributes is not None
    assert str(attributes.for_function) == "nocallback nofree nounwind willreturn memory(argmem: readwrite)"
    assert [str(attributes.for_parameter(index)) for index in range(4)] == [
        "noalias writeonly captures(none)",
        "noalias readonly captures(none)",
        "",
        "immarg",
    ]


def test_ranges_of_intrinsics_have_the_width_of_the_type() -> None:
    attributes = declared_attributes("llvm.ucmp.i8.i16", TYPES.function(TYPES.integer(8), [TYPES.integer(16)] * 2))
    assert attributes is not None
    assert str(attributes.for_return) == "range(i8 -1, 2)"
    assert declared_attributes("llvm.ucmp.f32.i16", TYPES.function(TYPES.float)) is None


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("llvm.abs.v4i32", "llvm.abs"),
        ("llvm.abs", "llvm.abs"),
        ("llvm.trap", "llvm.trap"),
        ("llvm.trap.i32", None),
        ("llvm.vector.reduce.add.v4i32", "llvm.vector.reduce.add"),
        ("llvm.absx.i32", None),
        ("llvm.", None),
        ("memcpy", None),
    ],
)
def test_names_of_intrinsics(name: str, base: str | None) -> None:
    assert intrinsic_name(name) == base
    if base is None:
        assert declared_attributes(name, TYPES.function(TYPES.void)) is None


def test_the_table_of_intrinsics_says_what_it_is_read_as() -> None:
    shape = TYPES.function(I32, [I32] * 64)
    for name, row in intrinsic_rows().items():
        attributes = attributes_of_intrinsic(name, shape)
        sets = {"return": attributes.for_return, **{str(i + 1): s for i, s in attributes.parameters.items()}}
        texts = [f"{place}: {found}" for place, found in sets.items() if found]
        assert "; ".join([str(attributes.for_function), *texts]) == "; ".join(row.attributes).replace("iN", "i32")


def test_escapes() -> None:
    assert escaped("plain text~ !") == "plain text~ !"
    assert escaped('a"b\\c\n\x7fé\udc80') == r"a\22b\\c\0A\7F\C3\A9\80"

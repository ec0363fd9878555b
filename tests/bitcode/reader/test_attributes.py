"""Lists of attributes as records hold them, of every era; what is expected is what llvm-dis 22 prints."""

from __future__ import annotations

import gzip
import re

import pytest

from bitcode.streams import FUNCTION_INDEX, attribute_lists, block, module, record, signed, stream
from bitcodec import bitstream
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.attributes import AttributeReader
from bitcodec.bitcode.reader.blocks import Records
from bitcodec.bitstream.decoding import decode
from bitcodec.errors import BitcodeError
from bitcodec.ir.attributes import (
    AttributeList,
    AttributeSet,
    EnumAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.ir.intrinsic_attributes import attributes_of_intrinsic
from bitcodec.ir.intrinsic_signatures import intrinsic_base
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import StructType, Type
from bitcodec.tables.versions import NEWEST
from bitcodec.upgrade.attributes import (
    AttributeFitter,
    with_byval_of_interrupt,
    with_nobuiltin_for_strictfp,
    without_implicit_section,
    without_unsafe_fp_atomics,
)
from corpus import FOLDER, File, parameters, streams

TYPES = TypeTable()
I32 = TYPES.integer(32)
PARAMETER = 1
"""Index of the first parameter."""


def reader(data: bytes) -> AttributeReader:
    """Return the lists of the first module of a stream; every type id is that of `i32`."""
    columns = decode(memoryview(data))
    assert columns.error is None
    row = list(columns.blocks.id).index(8)
    places = [inner.place() for inner in Records(memoryview(data), columns, row, ()).blocks()]
    groups, lists = ([place for place in places if place.id == wanted] for wanted in (10, 9))
    return AttributeReader(groups, lists, lambda _: I32)


def group_set(index: int, *operands: int | str) -> AttributeSet:
    """Return the set of one group."""
    groups = block(10, record(3, 5, index, *operands))
    found = reader(stream(module(groups, block(9, record(2, 5)))))[1]
    return found.for_function if index == FUNCTION_INDEX else found.for_parameter(0)


def bitmap_list(*entry: int) -> AttributeList:
    return reader(stream(module(attribute_lists(entry))))[1]


def test_lists_count_from_one() -> None:
    groups = block(
        10,
        record(3, 7, FUNCTION_INDEX, 0, 18),
        record(3, 1, 0, 0, 68),
        record(3, 2, 2, 0, 68, 0, 39),
        record(3, 3, 2, 3, "x\0"),
        record(99, 1),
    )
    lists = reader(stream(module(groups, block(9, record(2, 7, 1, 2), record(2, 2, 3, 250), record(2)))))
    assert repr(lists[1]) == "<AttributeList function: nounwind; return: noundef; parameter 1: noundef nonnull>"
    assert repr(lists[2]) == '<AttributeList parameter 1: noundef nonnull "x">'
    assert lists[1] is lists[1]
    assert not any(lists[index] for index in (0, 3, 4, 1 << 60))


def test_nothing_is_there_without_blocks() -> None:
    assert reader(stream(module()))[1] == AttributeList()


@pytest.mark.parametrize(
    ("operands", "text"),
    [
        ((1, 1, 8), "align 8"),
        ((1, 1, 24), "align 16"),
        ((1, 1, 0), ""),
        ((1, 1, 1 << 33), ""),
        ((1, 41, 0), ""),
        ((1, 87, 0xC03), "nofpclass(nan)"),
        ((1, 102, 0x0F), "captures(ret: address, provenance)"),
        ((1, 102, 0), "captures(none)"),
        ((0, 11), "captures(none)"),
        ((0, 20), "readnone"),
        ((0, 52), "writeonly"),
        ((0, 3), "byval"),
        ((5, 29), "sret"),
        ((6, 29, 0), "sret(i32)"),
        ((7, 92, 32, signed(-5), signed(10)), "range(i32 -5, 10)"),
        ((7, 92, 8, signed(250), signed(1 << 40)), "range(i8 -6, 0)"),
        ((7, 92, 32, signed(-1), signed(-1)), ""),
        # A word that is not there is zero, whatever the sign of the one below.
        ((7, 92, 65, 2 << 32 | 1, signed(-5), signed(1), 2), "range(i65 18446744073709551611, -18446744073709551615)"),
        ((8, 94, 2, 64, 0, signed(8), signed(16), signed(32)), "initializes((0, 8), (16, 32))"),
        ((8, 94, 0, 64), "initializes()"),
        ((4, "k\0", "v\0", 4, "a\0\0", 3, "B\0"), '"B" "a" "k"="v"'),
        ((4, "k\0", "1\0", 4, "k\0", "2\0"), '"k"="2"'),
        ((3, 0xFFFFFFFFFFFFFFC3, 0xFFFFFFFFFFFFFFA9, 0), '"é"'),
    ],
)  # fmt: skip
def test_groups_of_parameters(operands: tuple[int | str, ...], text: str) -> None:
    assert str(group_set(PARAMETER, *operands)) == text


@pytest.mark.parametrize(
    ("operands", "text"),
    [
        ((0, 33), "uwtable"),
        ((1, 33, 1), "uwtable(sync)"),
        ((1, 33, 0), ""),
        ((1, 25, 24), "alignstack=16"),
        ((1, 51, 3 << 32 | 0xFFFFFFFF), "allocsize(3)"),
        ((1, 74, 0), ""),
        ((1, 74, 1 << 32 | 16), "vscale_range(1,16)"),
        ((1, 82, 17), 'allockind("alloc,zeroed")'),
        # The layout before LLVM 22: `errnomem` has what `other` has, the target's memories nothing.
        ((1, 86, 21), "memory(read, target_mem0: none, target_mem1: none)"),
        ((1, 86, 3), "memory(argmem: readwrite)"),
        ((1, 86, 0), "memory(none)"),
        ((1, 86, 1 << 56 | 0x555), "memory(read)"),
        ((1, 86, 1 << 56 | 0x20), "memory(errnomem: write)"),
        ((1, 86, 1 << 56), "memory(none)"),
        # What became `memory`: together they allow what each of them allows.
        ((0, 20), "memory(none)"),
        ((0, 21), "memory(read)"),
        ((0, 52), "memory(write)"),
        ((0, 45), "memory(argmem: readwrite)"),
        ((0, 49), "memory(inaccessiblemem: readwrite)"),
        ((0, 50), "memory(argmem: readwrite, inaccessiblemem: readwrite)"),
        ((0, 21, 0, 18, 0, 45), "nounwind memory(argmem: read)"),
        ((0, 45, 0, 49), "memory(none)"),
        # What strings became.
        ((4, "no-frame-pointer-elim\0true\0"), '"frame-pointer"="all"'),
        ((4, "no-frame-pointer-elim\0false\0"), '"frame-pointer"="none"'),
        ((3, "no-frame-pointer-elim-non-leaf\0"), '"frame-pointer"="non-leaf"'),
        ((4, "no-frame-pointer-elim\0true\0", 3, "no-frame-pointer-elim-non-leaf\0"), '"frame-pointer"="all"'),
        ((4, "no-frame-pointer-elim\0false\0", 3, "no-frame-pointer-elim-non-leaf\0"), '"frame-pointer"="non-leaf"'),
        ((4, "null-pointer-is-valid\0true\0"), "null_pointer_is_valid"),
        ((4, "null-pointer-is-valid\0false\0"), ""),
    ],
)
def test_groups_of_functions(operands: tuple[int | str, ...], text: str) -> None:
    assert group_set(FUNCTION_INDEX, *operands).spelled(in_group=True) == text


@pytest.mark.parametrize(
    ("operands", "reason"),
    [
        ((), "has too few operands"),
        ((0,), "has too few operands"),
        ((1, 1), "has too few operands"),
        ((7, 92, 1 << 23, 1 << 32 | 9, 0, 0, 0, 0), "has too few operands"),
        ((0, 0), r"unknown attribute kind \(0\)"),
        ((0, 255), rf"unknown attribute kind \(255\): a version of LLVM newer than {NEWEST} may have it"),
        ((0, 45), "'argmemonly' is not an enum attribute"),
        ((0, 1), "'align' is not an enum attribute"),
        ((1, 20, 1), "'readnone' is not an integer attribute"),
        ((6, 20, 0), "'readnone' is not a type attribute"),
        ((7, 94, 64, 0, 2), "'initializes' is not a range attribute"),
        ((8, 92, 1, 32, 0, 2), "'range' is not a range list attribute"),
        ((2, 1), r"unknown form of attribute \(2\)"),
        ((3, "a"), "a string has no terminating zero"),
        ((4, "a\0b"), "a string has no terminating zero"),
        ((7, 92, 0, 0, 2), "a range cannot be of integers of 0 bits"),
        ((7, 92, 1 << 24, 0, 2), "a range cannot be of integers of 16777216 bits"),
        ((7, 92, 65, 1 << 32 | 3, 0, 0, 0, 0), "a bound of 3 words for 65 bits"),
        ((8, 94, 1 << 40, 64, 0, 2), "1099511627776 ranges do not fit in the record"),
        ((8, 94, 2, 64, 0, 16, 16, 64), "the ranges overlap or are not in ascending order"),
    ],
)
def test_groups_that_make_no_sense(operands: tuple[int | str, ...], reason: str) -> None:
    with pytest.raises(BitcodeError, match=rf"^ENTRY record: {reason} \(bit \d+, block 8 > block 10\)$"):
        group_set(PARAMETER, *operands)


@pytest.mark.parametrize(
    ("bit", "of_function", "of_parameter"),
    [
        (0, "zeroext", "zeroext"),
        (3, "inreg", "inreg"),
        (4, None, "sret"),
        (6, "noalias", "noalias"),
        (9, "memory(none)", "readnone"),
        (10, "memory(read)", "readonly"),
        (15, "sspreq", "sspreq"),
        (21, "captures(none)", "captures(none)"),
        (22, "noredzone", "noredzone"),
        (26, "alignstack(1)", "alignstack(1)"),
        (28, "alignstack(8)", "alignstack(8)"),
        (30, "uwtable(sync)", "uwtable(sync)"),
        (31, "nonlazybind", "nonlazybind"),
        (40, "cold", "cold"),
    ],
)
def test_bitmaps(bit: int, of_function: str | None, of_parameter: str) -> None:
    word = 1 << (bit if bit < 16 else bit + 11)
    if of_function is not None:
        assert str(bitmap_list(FUNCTION_INDEX, word).for_function) == of_function
    assert str(bitmap_list(PARAMETER, word).for_parameter(0)) == of_parameter


def test_lists_of_bitmaps() -> None:
    assert repr(bitmap_list(0, 1, 2, 16 << 16 | 1 << 6, FUNCTION_INDEX, 1 << 5, FUNCTION_INDEX, 1 << 10)) == (
        "<AttributeList function: nounwind memory(read); return: zeroext; parameter 1: noalias align 16>"
    )
    assert str(bitmap_list((1 << 32) + 1, 24 << 16).for_parameter(0)) == "align 16"
    with pytest.raises(BitcodeError, match="ENTRY_OLD record: has an index without attributes"):
        bitmap_list(FUNCTION_INDEX)


def test_types_are_filled_in() -> None:
    attributes = bitmap_list(1, 1 << 4 | 1 << 6, 3, 1 << 7, FUNCTION_INDEX, 1 << 5)
    pointees: dict[int, Type] = {0: I32, 2: StructType((), name="s")}
    fitter = AttributeFitter()
    typed = fitter.with_pointees(attributes, pointees.get)
    assert repr(typed) == "<AttributeList function: nounwind; parameter 0: noalias sret(i32); parameter 2: byval(%s)>"
    assert fitter.with_pointees(attributes, dict(pointees).get) is typed
    assert fitter.with_pointees(typed, pytest.fail) is typed
    with pytest.raises(Malformed, match="parameter 0 has an attribute without its type"):
        fitter.with_pointees(attributes, {}.get)


def test_what_types_cannot_carry_goes() -> None:
    noalias = AttributeSet([EnumAttribute("noalias"), EnumAttribute("noundef")])
    signext = AttributeSet([EnumAttribute("signext"), EnumAttribute("inreg")])
    attributes = AttributeList(noalias, signext, {0: noalias, 1: signext, 2: noalias, 3: noalias})
    function_type = TYPES.function(TYPES.void, [TYPES.ptr, TYPES.ptr], is_vararg=True)
    fitter = AttributeFitter()
    fitting = fitter.without_incompatible(attributes, function_type, (I32,))
    assert repr(fitting) == (
        "<AttributeList function: noalias noundef; return: inreg; parameter 0: noalias noundef; "
        "parameter 1: inreg; parameter 2: noundef; parameter 3: noalias noundef>"
    )
    assert fitter.without_incompatible(attributes, function_type, (I32,)) is fitting
    assert fitter.without_incompatible(fitting, function_type, (I32,)) is fitting
    assert fitter.without_incompatible(attributes, function_type).for_parameter(2) == noalias


def test_rules_of_single_attributes() -> None:
    strict = AttributeList(AttributeSet([EnumAttribute("strictfp"), EnumAttribute("cold")]))
    assert str(with_nobuiltin_for_strictfp(strict).for_function) == "cold nobuiltin"
    assert str(with_nobuiltin_for_strictfp(AttributeList()).for_function) == "nobuiltin"
    placed = AttributeList(AttributeSet([StringAttribute("implicit-section-name", "text.hot")]))
    assert without_implicit_section(placed) == (AttributeList(), "text.hot")
    assert without_implicit_section(strict) == (strict, None)
    unsafe = AttributeList(AttributeSet([StringAttribute("amdgpu-unsafe-fp-atomics", "true")]))
    assert without_unsafe_fp_atomics(unsafe) == (AttributeList(), True)
    assert without_unsafe_fp_atomics(strict) == (strict, False)
    interrupt = with_byval_of_interrupt(strict, I32)
    assert interrupt.for_parameter(0) == AttributeSet([TypeAttribute("byval", I32)])
    assert with_byval_of_interrupt(interrupt, TYPES.ptr) is interrupt


GROUP_LINE = re.compile(r"^attributes #(\d+) = \{ (.*) \}$", re.MULTILINE)
INTRINSIC_LINE = re.compile(r"^declare [^@]*@(llvm\.[^(\"]+)\(.*\)(?: addrspace\(\d+\))? #(\d+)$", re.MULTILINE)
FROM_METADATA = '"nvvm.'
"""Is in groups that have attributes from elsewhere."""


def golden_text(file: File) -> str:
    data = (FOLDER / file.goldens["ll"]["file"]).read_bytes()
    return gzip.decompress(data).decode("utf-8", "surrogateescape")


def modules() -> list[File]:
    wanted = {"module", "wrapper", "thinlto"}
    return [file for file in streams() if file.kind in wanted and "file" in file.goldens["ll"]]


@pytest.mark.parametrize("file", parameters(modules()))
def test_corpus(file: File) -> None:
    """Every group that llvm-dis prints is one that was read, or one of an intrinsic; intrinsics have their own."""
    text = golden_text(file)
    payload = bitstream.loads(file.data).payload
    lists = reader(bytes(payload))
    groups = dict(GROUP_LINE.findall(text))
    shape = TYPES.function(TYPES.void)
    read = {attributes.for_function.spelled(in_group=True) for attributes in lists.all()}
    for name, number in INTRINSIC_LINE.findall(text):
        base = intrinsic_base(name)
        if base is not None:
            assert str(attributes_of_intrinsic(base, shape).for_function) == groups[number]
            read.add(groups[number])
    assert {group for group in groups.values() if FROM_METADATA not in group} <= read

"""More of LLVM's format document, as in `test_format_document`: attributes and types."""

from __future__ import annotations

import pytest

from parity.readers import READERS, Reader
from parity.views import FunctionView

from . import streams as s
from .streams import FUNCTION_INDEX, Record, module, record, stream, types

pytestmark = pytest.mark.parametrize("reader", READERS)


# PARAMATTR_BLOCK

POINTER, POINTER_FUNCTION, INTEGER_FUNCTION = 1, 4, 6
SIGNATURES = types(
    s.integer(32),
    s.pointer(0),
    s.VOID,
    s.function_type(1, 1, 0),
    s.pointer(3),
    s.function_type(0, 1, 0),
    s.pointer(5),
)
"""i32* (i32*, i32)*, and the same that returns i32."""


def function_with(reader: Reader, index: int, bits: int, type_id: int = POINTER_FUNCTION) -> FunctionView:
    """Return a declaration with attributes at one index, as a bitmap."""
    (found,) = reader.view(attributes_at(index, bits, type_id)).functions
    return found


def attributes_at(index: int, bits: int, type_id: int = POINTER_FUNCTION) -> bytes:
    return stream(module(s.attribute_lists([index, bits]), SIGNATURES, s.function(type_id, attributes=1)))


FUNCTION_BITS = {
    2: "noreturn",
    5: "nounwind",
    9: "memory(none)",
    10: "memory(read)",
    11: "noinline",
    12: "alwaysinline",
    13: "optsize",
    14: "ssp",
    15: "sspreq",
    33: "noredzone",
    34: "noimplicitfloat",
    35: "naked",
    36: "inlinehint",
    40: "returns_twice",
    41: "uwtable(sync)",
    42: "nonlazybind",
    43: "sanitize_address",
    44: "minsize",
    45: "noduplicate",
    46: "sspstrong",
    47: "sanitize_thread",
    48: "sanitize_memory",
    49: "nobuiltin",
    51: "cold",
    52: "",
    63: "",
}
"""The document ends at bit 39; LLVM 3.2 had a few more."""


@pytest.mark.parametrize(("bit", "expected"), FUNCTION_BITS.items())
def test_attributes_of_functions(reader: Reader, bit: int, expected: str) -> None:
    assert reader.function_attributes(attributes_at(FUNCTION_INDEX, 1 << bit)) == expected


@pytest.mark.parametrize(("code", "expected"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 64)], ids=str)
def test_stack_alignments_are_logarithms(reader: Reader, code: int, expected: int) -> None:
    assert function_with(reader, FUNCTION_INDEX, code << 37).attributes == f"alignstack({expected})"


POINTER_BITS = {
    3: "inreg",
    4: "sret(i32)",
    6: "noalias",
    7: "byval(i32)",
    8: "nest",
    9: "readnone",
    10: "readonly",
    16: "align 1",
    20: "align 16",
    31: "align 32768",
    32: "captures(none)",
    50: "returned",
}
"""Alignment is kept as it is, in bits 16 to 31."""


@pytest.mark.parametrize(("bit", "expected"), POINTER_BITS.items())
def test_attributes_of_pointers(reader: Reader, bit: int, expected: str) -> None:
    first, second = function_with(reader, 1, 1 << bit).arguments
    assert (first.attributes, second.attributes) == (expected, "")


@pytest.mark.parametrize(("bit", "expected"), [(0, "zeroext"), (1, "signext"), (3, "inreg"), (50, "returned")])
def test_attributes_of_integers(reader: Reader, bit: int, expected: str) -> None:
    first, second = function_with(reader, 2, 1 << bit).arguments
    assert (first.attributes, second.attributes) == ("", expected)


@pytest.mark.parametrize("bit", [6, 8, 9, 10, 16, 32])
def test_attributes_of_pointers_are_dropped_from_integers(reader: Reader, bit: int) -> None:
    assert function_with(reader, 2, 1 << bit).arguments[1].attributes == ""
    assert reader.return_attributes(attributes_at(0, 1 << bit, INTEGER_FUNCTION)) == ""


@pytest.mark.parametrize("bit", [0, 1])
def test_attributes_of_integers_are_dropped_from_pointers(reader: Reader, bit: int) -> None:
    assert function_with(reader, 1, 1 << bit).arguments[0].attributes == ""
    assert reader.return_attributes(attributes_at(0, 1 << bit)) == ""


@pytest.mark.parametrize(
    ("type_id", "bit", "expected"),
    [
        (INTEGER_FUNCTION, 0, "zeroext"),
        (INTEGER_FUNCTION, 1, "signext"),
        (INTEGER_FUNCTION, 3, "inreg"),
        (POINTER_FUNCTION, 6, "noalias"),
        (POINTER_FUNCTION, 20, "align 16"),
    ],
)
def test_attributes_of_what_is_returned(reader: Reader, type_id: int, bit: int, expected: str) -> None:
    assert reader.return_attributes(attributes_at(0, 1 << bit, type_id)) == expected


@pytest.mark.parametrize("bit", [4, 7])
def test_what_is_passed_in_memory_needs_a_pointer(reader: Reader, bit: int) -> None:
    assert reader.refuses(attributes_at(2, 1 << bit))


def test_an_entry_has_attributes_of_many_places(reader: Reader) -> None:
    entry = [0, 1 << 6, 1, 1 << 32 | 8 << 16, 2, 1 << 0, FUNCTION_INDEX, 1 << 5 | 1 << 10]
    (found,) = reader.view(
        stream(module(s.attribute_lists([1, 8], entry), SIGNATURES, s.function(POINTER_FUNCTION, attributes=2)))
    ).functions
    assert found.attributes == "nounwind memory(read)"
    assert [argument.attributes for argument in found.arguments] == ["align 8 captures(none)", "zeroext"]


def test_lists_of_attributes_are_counted_from_one(reader: Reader) -> None:
    lists = s.attribute_lists([FUNCTION_INDEX, 1 << 5])
    (none,) = reader.view(stream(module(lists, SIGNATURES, s.function(POINTER_FUNCTION)))).functions
    (beyond,) = reader.view(stream(module(lists, SIGNATURES, s.function(POINTER_FUNCTION, attributes=2)))).functions
    assert (none.attributes, beyond.attributes) == ("", "")


@pytest.mark.parametrize(("alignment", "expected"), [(3, "align 2"), (0xFFFF, "align 32768")])
def test_an_alignment_of_no_power_of_two_is_rounded_down(reader: Reader, alignment: int, expected: str) -> None:
    assert reader.return_attributes(attributes_at(0, alignment << 16)) == expected


def test_an_entry_without_a_bitmap_is_refused(reader: Reader) -> None:
    assert reader.refuses(stream(module(s.attribute_lists([1]))))


# TYPE_BLOCK, by today's number


def spelling(reader: Reader, *entries: Record) -> str:
    """Return how a parameter of the last of these types is spelled."""
    count = sum(entry.code != s.STRUCT_NAME for entry in entries)
    after = [s.VOID, s.function_type(count, count - 1), s.pointer(count + 1)]
    (found,) = reader.view(stream(module(types(*entries, *after), s.function(count + 2)))).functions
    return found.arguments[0].type


INTEGER = s.integer(32)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([s.FLOAT], "float"),
        ([s.DOUBLE], "double"),
        ([record(10)], "half"),
        ([record(10, 0, 1)], "half"),
        ([record(13)], "x86_fp80"),
        ([record(14)], "fp128"),
        ([record(15)], "ppc_fp128"),
        ([s.METADATA], "metadata"),
        ([record(17)], "<1 x i64>"),
        ([record(22)], "token"),
        ([record(23)], "bfloat"),
        ([record(24)], "x86_amx"),
        ([s.integer(1)], "i1"),
        ([s.integer(8388608)], "i8388608"),
        ([INTEGER, s.pointer(0)], "ptr"),
        ([INTEGER, s.pointer(0, 7)], "ptr addrspace(7)"),
        ([s.opaque_pointer(3)], "ptr addrspace(3)"),
        ([INTEGER, record(11, 5, 0)], "[5 x i32]"),
        ([INTEGER, record(11, 1 << 40, 0)], "[1099511627776 x i32]"),
        ([INTEGER, record(12, 4, 0)], "<4 x i32>"),
        ([INTEGER, record(12, 4, 0, 1)], "<vscale x 4 x i32>"),
        ([INTEGER, record(18, 0, 0, 0)], "{ i32, i32 }"),
        ([INTEGER, record(18, 1, 0)], "<{ i32 }>"),
        ([record(18, 0)], "{}"),
        ([INTEGER, s.struct_name("S"), record(20, 0, 0)], "%S"),
        # As llvm-dis 22 prints it: a name that no type has taken is the beginning of the next.
        ([s.struct_name("S."), INTEGER, s.struct_name("T"), record(20, 0, 0)], "%S.T"),
        ([INTEGER, record(20, 0, 0)], '%""'),
        ([s.opaque_pointer(), s.struct_name("spirv.Event"), record(26, 0)], 'target("spirv.Event")'),
        ([INTEGER, s.struct_name("a b"), record(26, 1, 0, 7, 9)], 'target("a b", i32, 7, 9)'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_types(reader: Reader, entries: list[Record], expected: str) -> None:
    assert spelling(reader, *entries) == expected


@pytest.mark.parametrize("old_form", [True, False])
@pytest.mark.parametrize(("is_vararg", "expected"), [(0, "void (i32, i32)"), (1, "void (i32, i32, ...)")])
def test_function_types(reader: Reader, is_vararg: int, expected: str, *, old_form: bool) -> None:
    """The document's FUNCTION, code 9, has an operand that is ignored; today's, code 21, has not."""
    signature = record(9, is_vararg, 1000, 1, 0, 0) if old_form else record(21, is_vararg, 1, 0, 0)
    data = stream(module(types(INTEGER, s.VOID, signature, s.pointer(2)), s.function(3)))
    assert [function.type for function in reader.view(data).functions] == [expected]


def test_opaque_types_and_labels_stand_in_the_table(reader: Reader) -> None:
    table = types(s.LABEL, s.struct_name("O"), record(6, 0), s.pointer(1))
    assert [one.type for one in reader.view(stream(module(table, s.variable(2)))).globals] == ["%O"]


@pytest.mark.parametrize(
    "entries",
    [
        [record(7, 0)],
        [record(7, 8388609)],
        [INTEGER, record(12, 0, 0)],
        [record(6)],
        [s.VOID, record(11, 1, 0)],
        [record(11, 1, 1000)],
        [s.VOID, record(21, 0, 0, 0)],
        [record(99)],
        [record(7)],
    ],
    ids=str,
)
def test_types_that_cannot_be_are_refused(reader: Reader, entries: list[Record]) -> None:
    assert reader.refuses(stream(module(types(*entries))))


@pytest.mark.parametrize("count", [0, 2, 1 << 40])
def test_the_table_has_as_many_types_as_it_says(reader: Reader, count: int) -> None:
    assert reader.refuses(stream(module(s.block(17, record(1, count), INTEGER))))

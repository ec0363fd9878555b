"""Every block and record that LLVM's format document lists, each in a module made by hand.

The document tells of LLVM 2.x and 3.x; what is expected is what LLVM 22 makes of it, and each test asks it as well.
Attributes and types are in `test_format_document_types`, constants and bodies in `test_format_document_bodies`.
"""

from __future__ import annotations

import pytest

from parity.goldens import Head
from parity.readers import READERS, Reader

from . import streams as s
from .streams import Item, Record, module, record, stream, types

pytestmark = pytest.mark.parametrize("reader", READERS)

I32, I32_POINTER, VOID, ACTION, ACTION_POINTER, UNARY, UNARY_POINTER, I1, I64 = range(9)
TYPES = types(
    s.integer(32),
    s.pointer(I32),
    s.VOID,
    s.function_type(VOID),
    s.pointer(ACTION),
    s.function_type(I32, I32),
    s.pointer(UNARY),
    s.integer(1),
    s.integer(64),
)
"""i32, i32*, void, void ()*, i32 (i32)*, i1 and i64, as files of the time have them."""


def module_of(*items: Item, version: int | None = 1) -> bytes:
    return stream(module(TYPES, *items, version=version))


def head(reader: Reader, global_: Record, *before: Item) -> Head:
    """Return what is said of the last global of a module."""
    names = s.value_symtab({sum(isinstance(item, Record) and item.code in {7, 8, 9} for item in before): "x"})
    (found,) = [one for one in reader.heads(module_of(*before, global_, names)) if one.name == "x"]
    return found


# Section "LLVM IR Blocks"


def test_type_block_of_2x_is_a_block_of_attribute_groups_today(reader: Reader) -> None:
    old_types = [record(1, 2), record(7, 32), record(8, 0, 0)]  # NUMENTRY, INTEGER, POINTER
    assert reader.heads(stream(module(s.block(10, *old_types)))) == []
    assert reader.refuses(stream(module(s.block(10, *old_types), s.variable(1))))


def test_float_of_a_2x_type_block_is_a_malformed_group(reader: Reader) -> None:
    assert reader.refuses(stream(module(s.block(10, record(1, 1), record(3)))))


def test_type_symbol_table_is_skipped(reader: Reader) -> None:
    table = s.block(13, record(1, I32, "int"), record(1, 1000, "nothing"))
    assert head(reader, s.variable(I32_POINTER), table) == Head("global", "x", {})


def test_unknown_blocks_are_skipped(reader: Reader) -> None:
    assert head(reader, s.variable(I32_POINTER), s.block(99, record(1, 2, 3))) == Head("global", "x", {})


# Records of the module itself, in a MODULE_BLOCK


@pytest.mark.parametrize("version", [None, 0, 1])
def test_versions_of_the_document(reader: Reader, version: int | None) -> None:
    data = module_of(s.variable(I32_POINTER), s.value_symtab({0: "x"}), version=version)
    assert reader.heads(data) == [Head("global", "x", {})]


def test_version_2_has_names_in_a_string_table(reader: Reader) -> None:
    data = stream(module(TYPES, record(7, 1, 2, I32_POINTER, 0, 0, 3, 0, 0), version=2), s.strtab("<xy>"))
    assert [(one.name, one.fields["linkage"]) for one in reader.heads(data)] == [("xy", "internal")]


def test_version_3_is_refused(reader: Reader) -> None:
    assert reader.refuses(stream(module(version=3)))


def test_triple_and_data_layout(reader: Reader) -> None:
    view = reader.view(stream(module(record(2, "sparc-unknown-unknown"), record(3, "E-p:32:32"))))
    assert (view.triple, view.data_layout) == ("sparc-unknown-unknown", "E-p:32:32")


def test_assembly_text(reader: Reader) -> None:
    assert reader.module_asm(module_of(record(4, '.globl a\n# "b" \\'))) == [".globl a", '# "b" \\']


def test_sections_are_counted_from_one(reader: Reader) -> None:
    sections = [record(5, "first"), record(5, b"sec\xffond")]
    for number, expected in enumerate([{}, {"section": "first"}, {"section": "sec\udcffond"}]):
        assert head(reader, s.variable(I32_POINTER, section=number), *sections).fields == expected
        assert head(reader, s.function(ACTION_POINTER, section=number), *sections).fields == expected
    assert reader.refuses(module_of(*sections, s.variable(I32_POINTER, section=3)))
    assert reader.refuses(module_of(*sections, s.function(ACTION_POINTER, section=3)))


def test_collectors_are_counted_from_one(reader: Reader) -> None:
    collectors = [record(11, "shadow-stack"), record(11, "erlang")]
    for number, expected in enumerate([{}, {"gc": "shadow-stack"}, {"gc": "erlang"}]):
        assert head(reader, s.function(ACTION_POINTER, gc=number), *collectors).fields == expected
    assert reader.refuses(module_of(*collectors, s.function(ACTION_POINTER, gc=3)))


def test_dependent_libraries_are_ignored(reader: Reader) -> None:
    assert reader.heads(module_of(record(6, "libm.so"))) == []


def test_purged_values_stay(reader: Reader) -> None:
    data = module_of(s.variable(I32_POINTER), record(10, 0), s.variable(I32_POINTER), s.value_symtab({0: "a", 1: "b"}))
    assert [one.name for one in reader.heads(data)] == ["a", "b"]


# Globals of a MODULE_BLOCK

LINKAGES = {
    0: {},
    1: {"linkage": "weak", "comdat": "x"},
    2: {"linkage": "appending"},
    3: {"linkage": "internal", "dso_local": "dso_local"},
    4: {"linkage": "linkonce", "comdat": "x"},
    5: {"dll_storage_class": "dllimport"},
    6: {"dll_storage_class": "dllexport"},
    7: {"linkage": "extern_weak"},
    8: {"linkage": "common"},
    9: {"linkage": "private", "dso_local": "dso_local"},
    10: {"linkage": "weak_odr", "comdat": "x"},
    11: {"linkage": "linkonce_odr", "comdat": "x"},
    12: {"linkage": "available_externally"},
    13: {"linkage": "private", "dso_local": "dso_local"},
    14: {"linkage": "private", "dso_local": "dso_local"},
    15: {},
    16: {"linkage": "weak"},
    17: {"linkage": "weak_odr"},
    18: {"linkage": "linkonce"},
    19: {"linkage": "linkonce_odr"},
    20: {},
    1 << 40: {},
}
"""All codes; those of the document that are weak bring a comdat of their own."""


@pytest.mark.parametrize(("code", "expected"), LINKAGES.items())
def test_linkages(reader: Reader, code: int, expected: dict[str, str]) -> None:
    assert head(reader, s.variable(I32_POINTER, linkage=code)).fields == expected
    assert head(reader, s.function(ACTION_POINTER, linkage=code)).fields == expected
    without_comdat = {field: text for field, text in expected.items() if field != "comdat"}
    assert head(reader, s.alias_old(I32_POINTER, 0, linkage=code), s.variable(I32_POINTER)).fields == without_comdat


@pytest.mark.parametrize(("code", "expected"), [(0, ""), (1, "hidden"), (2, "protected"), (3, ""), (1 << 40, "")])
def test_visibilities(reader: Reader, code: int, expected: str) -> None:
    fields = {"visibility": expected, "dso_local": "dso_local"} if expected else {}
    assert head(reader, s.variable(I32_POINTER, visibility=code)).fields == fields
    assert head(reader, s.function(ACTION_POINTER, visibility=code)).fields == fields
    assert head(reader, s.alias_old(I32_POINTER, 0, visibility=code), s.variable(I32_POINTER)).fields == fields


def test_what_is_local_has_no_visibility(reader: Reader) -> None:
    expected = {"linkage": "internal", "dso_local": "dso_local"}
    assert head(reader, s.variable(I32_POINTER, linkage=3, visibility=1)).fields == expected
    assert head(reader, s.function(ACTION_POINTER, linkage=3, visibility=1)).fields == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (0, ""),
        (1, "thread_local"),
        (2, "thread_local(localdynamic)"),
        (3, "thread_local(initialexec)"),
        (4, "thread_local(localexec)"),
        (5, "thread_local"),
    ],
)
def test_thread_local_modes(reader: Reader, code: int, expected: str) -> None:
    fields = {"thread_local": expected} if expected else {}
    assert head(reader, s.variable(I32_POINTER, thread_local=code)).fields == fields
    assert head(reader, s.alias_old(I32_POINTER, 0, thread_local=code), s.variable(I32_POINTER)).fields == fields


@pytest.mark.parametrize(
    ("code", "expected"), [(0, ""), (1, "unnamed_addr"), (2, "local_unnamed_addr"), (3, "")], ids=str
)
def test_unnamed_addresses(reader: Reader, code: int, expected: str) -> None:
    fields = {"unnamed_addr": expected} if expected else {}
    assert head(reader, s.variable(I32_POINTER, unnamed_addr=code)).fields == fields
    assert head(reader, s.function(ACTION_POINTER, unnamed_addr=code)).fields == fields
    assert head(reader, s.alias_old(I32_POINTER, 0, unnamed_addr=code), s.variable(I32_POINTER)).fields == fields


@pytest.mark.parametrize(("code", "expected"), [(0, ""), (1, "dllimport"), (2, "dllexport"), (3, "")])
def test_dll_storage_classes(reader: Reader, code: int, expected: str) -> None:
    fields = {"dll_storage_class": expected} if expected else {}
    assert head(reader, s.variable(I32_POINTER, dll_storage_class=code)).fields == fields
    assert head(reader, s.function(ACTION_POINTER, dll_storage_class=code)).fields == fields
    aliased = s.variable(I32_POINTER)
    assert head(reader, s.alias_old(I32_POINTER, 0, dll_storage_class=code), aliased).fields == fields


def test_storage_class_is_stronger_than_the_linkage_of_old(reader: Reader) -> None:
    assert head(reader, s.variable(I32_POINTER, linkage=5, dll_storage_class=2)).fields == {
        "dll_storage_class": "dllexport"
    }


@pytest.mark.parametrize(("code", "expected"), [(0, None), (1, "1"), (5, "16"), (13, "4096"), (33, "4294967296")])
def test_alignments(reader: Reader, code: int, expected: str | None) -> None:
    fields = {"alignment": expected} if expected else {}
    assert head(reader, s.variable(I32_POINTER, alignment=code)).fields == fields
    assert head(reader, s.function(ACTION_POINTER, alignment=code)).fields == fields


@pytest.mark.parametrize("code", [34, 1 << 40])
def test_alignments_beyond_the_largest_are_refused(reader: Reader, code: int) -> None:
    assert reader.refuses(module_of(s.variable(I32_POINTER, alignment=code)))
    assert reader.refuses(module_of(s.function(ACTION_POINTER, alignment=code)))


def test_constants_and_initializers(reader: Reader) -> None:
    seven = s.constants(s.set_type(I32), s.constant_integer(7))
    data = module_of(s.variable(I32_POINTER, is_constant=1, initializer=2), seven, s.value_symtab({0: "x"}))
    assert reader.heads(data) == [Head("constant", "x", {})]
    assert [(one.type, one.is_declaration) for one in reader.view(data).globals] == [("i32", False)]
    assert reader.refuses(module_of(s.variable(I32_POINTER, initializer=9), seven))


def test_a_variable_lies_where_its_pointer_type_says(reader: Reader) -> None:
    data = stream(module(types(s.integer(8), s.pointer(0, 3)), s.variable(1), s.value_symtab({0: "x"})))
    assert reader.heads(data) == [Head("global", "x", {"address_space": "addrspace(3)"})]


def test_a_variable_of_no_pointer_type_is_refused(reader: Reader) -> None:
    assert reader.refuses(module_of(s.variable(I32)))
    assert reader.refuses(module_of(s.variable(1000)))


def test_an_alias_stands_for_what_it_names(reader: Reader) -> None:
    data = module_of(s.variable(I32_POINTER), s.alias_old(I32_POINTER, 0), s.value_symtab({0: "a", 1: "b"}))
    assert reader.heads(data) == [Head("global", "a", {}), Head("alias", "b", {})]
    assert reader.refuses(module_of(s.alias_old(I32_POINTER, 7)))


CALLING_CONVENTIONS = {
    0: "",
    8: "fastcc",
    9: "coldcc",
    12: "cc12",  # the document's webkit_jscc is gone
    13: "anyregcc",
    14: "preserve_mostcc",
    15: "preserve_allcc",
    64: "x86_stdcallcc",
    65: "x86_fastcallcc",
    66: "arm_apcscc",
    67: "arm_aapcscc",
    68: "arm_aapcs_vfpcc",
    1: "cc1",
    84: "avr_intrcc",
    112: "riscv_vls_cc(32)",
    1023: "cc1023",
}


@pytest.mark.parametrize(("code", "expected"), CALLING_CONVENTIONS.items())
def test_calling_conventions(reader: Reader, code: int, expected: str) -> None:
    found = head(reader, s.function(ACTION_POINTER, calling_convention=code))
    assert found.fields == ({"cc": expected} if expected else {})


def test_calling_conventions_end_at_1023(reader: Reader) -> None:
    assert reader.refuses(module_of(s.function(ACTION_POINTER, calling_convention=1024)))


@pytest.mark.parametrize("field", ["prologue", "prefix", "personality"])
def test_constants_that_functions_hold(reader: Reader, field: str) -> None:
    """The document's *prefix* is the prologue of today; the other two are younger."""
    after = [s.constants(s.set_type(I32), s.constant_integer(7)), s.value_symtab({0: "x"})]
    held, none, unknown = (module_of(s.function(ACTION_POINTER, **{field: number}), *after) for number in (2, 0, 9))
    assert reader.heads(held) == [Head("declare", "x", {field: field})]
    assert reader.heads(none) == [Head("declare", "x", {})]
    assert reader.heads(unknown) == [Head("declare", "x", {})]


def test_declarations_have_no_body(reader: Reader) -> None:
    data = module_of(
        s.function(ACTION_POINTER),
        s.function(ACTION_POINTER, is_declaration=0),
        s.value_symtab({0: "a", 1: "b"}),
        s.function_block(s.RET_VOID),
    )
    assert reader.heads(data) == [Head("declare", "a", {}), Head("define", "b", {})]
    assert [len(function.blocks) for function in reader.view(data).functions] == [0, 1]


def test_a_definition_without_a_body_is_refused(reader: Reader) -> None:
    assert reader.refuses(module_of(s.function(ACTION_POINTER, is_declaration=0)))


def test_a_body_without_a_definition_is_refused(reader: Reader) -> None:
    assert reader.refuses(module_of(s.function(ACTION_POINTER), s.function_block(s.RET_VOID)))

"""Fields of global variables, functions, aliases and ifuncs: one row each.

From these rows come the layouts of their records, the attributes of the model, their text and what older versions lose.
Rules: docs/reference/records.md, 3.2 to 3.6; docs/reference/text.md, 6 and 7.
"""

from __future__ import annotations

from bitcodec.tables.global_rows import GlobalField
from bitcodec.tables.global_rows import GlobalFieldKind as K
from bitcodec.tables.global_rows import TextPlace as P
from bitcodec.tables.linkage import CodeModel, DLLStorageClass, ThreadLocalMode, UnnamedAddress, Visibility

__all__ = ["FIELDS", "fields_in", "fields_of"]

_VALUE, _OBJECT, _VARIABLE, _FUNCTION = "GlobalValue", "GlobalObject", "GlobalVariable", "Function"
_SANITIZERS = "flags of a global variable for sanitizers"

FIELDS = (
    GlobalField("type", variable=0, function=0, alias=0, old_alias=0, ifunc=0),
    GlobalField("flags", variable=1),
    GlobalField("is_constant", K.BOOLEAN, _VARIABLE, variable=1, bit=("flags", 0)),
    GlobalField("address_space", function=16, alias=1, ifunc=1),
    GlobalField("initializer", variable=2),
    GlobalField("aliasee", alias=2, old_alias=1, ifunc=2),
    GlobalField("calling_convention", K.OTHER, _FUNCTION, function=1),
    GlobalField("is_declaration", function=2),
    GlobalField("attributes", K.OTHER, _VARIABLE, variable=12),
    GlobalField("attributes", K.OTHER, _FUNCTION, function=4),
    GlobalField("linkage", variable=3, function=3, alias=3, old_alias=2, ifunc=3),
    GlobalField("dso_local", K.BOOLEAN, _VALUE, variable=13, function=15, alias=8, ifunc=5, python_name="is_dso_local"),
    GlobalField("visibility", K.MEMBER, variable=6, function=7, alias=4, old_alias=3, ifunc=4,
        members=Visibility, default=Visibility.DEFAULT),
    GlobalField("dll_storage_class", K.MEMBER, _VALUE, variable=10, function=11, alias=5, old_alias=4,
        members=DLLStorageClass, default=DLLStorageClass.DEFAULT),
    GlobalField("thread_local", K.MEMBER, _VALUE, variable=7, alias=6, old_alias=5, python_name="thread_local_mode",
        members=ThreadLocalMode, default=ThreadLocalMode.NOT_THREAD_LOCAL, unknown=ThreadLocalMode.GENERAL_DYNAMIC),
    GlobalField("unnamed_addr", K.MEMBER, _VALUE, variable=8, function=9, alias=7, old_alias=6,
        python_name="unnamed_address", members=UnnamedAddress, default=UnnamedAddress.NONE),
    GlobalField("externally_initialized", K.BOOLEAN, _VARIABLE, variable=9, place=P.FRONT,
        python_name="is_externally_initialized"),
    GlobalField("section", K.SECTION, _OBJECT, variable=5, function=6, place=P.BACK),
    GlobalField("partition", K.TEXT, _VALUE, variable=14, function=17, alias=9, ifunc=6, place=P.BACK,
        since=9, construct="partition of a global"),
    GlobalField("code_model", K.MEMBER, _VARIABLE, variable=17, place=P.BACK, members=CodeModel,
        since=18, construct="code model of a global variable"),
    GlobalField("no_sanitize_address", K.BOOLEAN, _VARIABLE, variable=16, bit=("sanitizer", 0), place=P.BACK,
        since=15, construct=_SANITIZERS),
    GlobalField("no_sanitize_hwaddress", K.BOOLEAN, _VARIABLE, variable=16, bit=("sanitizer", 1), place=P.BACK,
        since=15, construct=_SANITIZERS),
    GlobalField("sanitize_memtag", K.BOOLEAN, _VARIABLE, variable=16, bit=("sanitizer", 2), place=P.BACK,
        since=15, construct=_SANITIZERS),
    GlobalField("sanitize_address_dyninit", K.BOOLEAN, _VARIABLE, variable=16, bit=("sanitizer", 3), place=P.BACK,
        since=15, construct=_SANITIZERS),
    GlobalField("comdat", K.COMDAT, _OBJECT, variable=11, function=12, place=P.BACK),
    GlobalField("alignment", K.ALIGNMENT, _OBJECT, variable=4, function=5, place=P.BACK, word="align"),
    GlobalField("gc", K.COLLECTOR, _FUNCTION, function=8, place=P.BACK, python_name="garbage_collector"),
    GlobalField("prefix", K.CONSTANT, _FUNCTION, function=13, place=P.BACK, python_name="prefix_data"),
    GlobalField("prologue", K.CONSTANT, _FUNCTION, function=10, place=P.BACK, python_name="prologue_data"),
    GlobalField("personality", K.CONSTANT, _FUNCTION, function=14, place=P.BACK),
    GlobalField("preferred_alignment", K.ALIGNMENT, _FUNCTION, function=19, is_optional=True,
        since=23, construct="preferred alignment of a function"),
)  # fmt: skip
"""All fields."""


def fields_in(record: str) -> list[GlobalField]:
    """Return the fields of a record: "variable", "function", "alias", "old_alias" or "ifunc"."""
    return [field for field in FIELDS if getattr(field, record) is not None]


def fields_of(owner: str) -> list[GlobalField]:
    """Return the fields that are attributes of a class of the model, without those of its base classes."""
    return [field for field in FIELDS if field.owner == owner]

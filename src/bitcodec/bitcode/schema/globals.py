"""Layouts of the records of MODULE_BLOCK that define globals.

Fields are by position, string table offset and size not counted; one that is missing has its default.
Rules: bitcode record reference, sections 3.2 to 3.6.
"""

from __future__ import annotations

from typing import NamedTuple

from bitcodec.bitcode.schema.blocks import ModuleCode

__all__ = ["GLOBAL_LAYOUTS", "IMPLICIT_COMDAT_LINKAGES", "OLD_LINKAGES", "VARIABLE_EXPLICIT_TYPE", "GlobalLayout"]

VARIABLE_EXPLICIT_TYPE = 2
"""Bit of a variable's flags: its type is that of the variable, not that of a pointer to it."""


class GlobalLayout(NamedTuple):
    """Names of the fields of a record in order, and how many of them must be there."""

    fields: tuple[str, ...]
    required: int


_PARTITION = ("partition_offset", "partition_size")

GLOBAL_LAYOUTS: dict[int, GlobalLayout] = {
    ModuleCode.GLOBALVAR: GlobalLayout(
        (
            "type",
            "flags",
            "initializer",
            "linkage",
            "alignment",
            "section",
            "visibility",
            "thread_local",
            "unnamed_addr",
            "externally_initialized",
            "dll_storage_class",
            "comdat",
            "attributes",
            "dso_local",
            *_PARTITION,
            "sanitizer",
            "code_model",
        ),
        6,
    ),
    ModuleCode.FUNCTION: GlobalLayout(
        (
            "type",
            "calling_convention",
            "is_declaration",
            "linkage",
            "attributes",
            "alignment",
            "section",
            "visibility",
            "gc",
            "unnamed_addr",
            "prologue",
            "dll_storage_class",
            "comdat",
            "prefix",
            "personality",
            "dso_local",
            "address_space",
            *_PARTITION,
            "preferred_alignment",
        ),
        8,
    ),
    ModuleCode.ALIAS_OLD: GlobalLayout(
        ("type", "aliasee", "linkage", "visibility", "dll_storage_class", "thread_local", "unnamed_addr"),
        3,
    ),
    ModuleCode.ALIAS: GlobalLayout(
        (
            "type",
            "address_space",
            "aliasee",
            "linkage",
            "visibility",
            "dll_storage_class",
            "thread_local",
            "unnamed_addr",
            "dso_local",
            *_PARTITION,
        ),
        4,
    ),
    ModuleCode.IFUNC: GlobalLayout(
        ("type", "address_space", "aliasee", "linkage", "visibility", "dso_local", *_PARTITION),
        4,
    ),
}
"""By record code."""

OLD_LINKAGES: dict[int, str] = {
    1: "weak",
    4: "linkonce",
    5: "external",
    6: "external",
    10: "weak_odr",
    11: "linkonce_odr",
    13: "private",
    14: "private",
    15: "external",
}
"""Linkages that are no longer written, and what they are today."""

IMPLICIT_COMDAT_LINKAGES = frozenset({1, 4, 10, 11})
"""Linkages of files that had no comdats: the object has one of its own name."""

"""Flags of link-time optimization, of profiles, and of assumptions of optimizations."""

from __future__ import annotations

from bitcodec.tables.known_flags.rows import FlagMeaning, KnownFlag
from bitcodec.tables.module_flags import Behavior

__all__ = ["ROWS"]

_BOTH = ("clang", "rustc")
_NO_YES = {0: FlagMeaning("no"), 1: FlagMeaning("yes")}

ROWS = (
    KnownFlag(
        "ThinLTO",
        "i32",
        Behavior.ERROR,
        "whether it is for ThinLTO; said only where it is not",
        {0: FlagMeaning("for full link-time optimization", "-flto=full")},
        option="-flto=",
        producers=_BOTH,
    ),
    KnownFlag(
        "EnableSplitLTOUnit",
        "i32",
        Behavior.ERROR,
        "whether virtual tables and type metadata are in a separate module, for link-time optimization",
        {0: FlagMeaning("no", "-fno-split-lto-unit"), 1: FlagMeaning("yes", "-fsplit-lto-unit")},
        option="-f[no-]split-lto-unit",
        producers=_BOTH,
        since="8",
        other_behaviors=(Behavior.OVERRIDE,),
    ),
    KnownFlag(
        "UnifiedLTO",
        "i32",
        Behavior.ERROR,
        "whether it is for both kinds of link-time optimization",
        {1: FlagMeaning("yes", "-funified-lto")},
        option="-funified-lto",
        producers=_BOTH,
        since="17",
    ),
    KnownFlag(
        "Virtual Function Elim",
        "i32",
        Behavior.ERROR,
        "whether virtual functions that nothing calls are taken out",
        {0: FlagMeaning("no"), 1: FlagMeaning("yes", "-fvirtual-function-elimination")},
        option="-fvirtual-function-elimination",
        producers=_BOTH,
        since="10",
    ),
    KnownFlag(
        "StrictVTablePointers",
        "i32",
        Behavior.ERROR,
        "whether pointers to virtual tables never change",
        {1: FlagMeaning("yes", "-fstrict-vtable-pointers")},
        option="-fstrict-vtable-pointers",
        since="3.8",
    ),
    KnownFlag(
        "StrictVTablePointersRequirement",
        "tuple",
        Behavior.REQUIRE,
        "that StrictVTablePointers is the same in all modules",
        option="-fstrict-vtable-pointers",
        since="3.8",
    ),
    # Profiles
    KnownFlag(
        "EnableValueProfiling",
        "i32",
        Behavior.WARNING,
        "whether instrumentation records values",
        _NO_YES,
        option="-fprofile-generate",
        producers=("LLVM's instrumentation",),
        since="3.9",
    ),
    KnownFlag(
        "ProfileSummary",
        "tuple",
        Behavior.ERROR,
        "summary of the profile that was used",
        option="-fprofile-use=",
        producers=_BOTH,
        since="3.9",
    ),
    KnownFlag(
        "CSProfileSummary",
        "tuple",
        Behavior.ERROR,
        "summary of the context-sensitive profile that was used",
        option="-fprofile-use=",
        since="9",
    ),
    KnownFlag(
        "CG Profile",
        "tuple",
        Behavior.APPEND,
        "how often functions call each other, for the linker to order them by",
        option="-fprofile-use=",
        producers=_BOTH,
        since="7",
    ),
    KnownFlag(
        "MemProfProfileFilename",
        "string",
        Behavior.ERROR,
        "file that the memory profile is written to",
        option="-fmemory-profile=",
        since="11",
    ),
    KnownFlag(
        "EnableDataAccessProf",
        "i32",
        Behavior.WARNING,
        "whether the memory profile records accesses to data",
        _NO_YES,
        option="-fmemory-profile-use=",
        producers=("LLVM's instrumentation",),
        since="22",
    ),
)

"""Linkage and other properties of globals for linkers and loaders.

Rules: docs/reference/records.md, 3.2; LLVM Language Reference, "Linkage Types" and the sections after it.
"""

from __future__ import annotations

from bitcodec.tables.coded import CodedEnum

__all__ = [
    "CodeModel",
    "DLLStorageClass",
    "Linkage",
    "SelectionKind",
    "ThreadLocalMode",
    "UnnamedAddress",
    "Visibility",
]


class Linkage(CodedEnum):
    """How the symbol of a module is linked with symbols of other modules."""

    EXTERNAL = 0, "external"
    APPENDING = 2, "appending"
    INTERNAL = 3, "internal"
    EXTERN_WEAK = 7, "extern_weak"
    COMMON = 8, "common"
    PRIVATE = 9, "private"
    AVAILABLE_EXTERNALLY = 12, "available_externally"
    WEAK = 16, "weak"
    WEAK_ODR = 17, "weak_odr"
    LINKONCE = 18, "linkonce"
    LINKONCE_ODR = 19, "linkonce_odr"

    @property
    def is_local(self) -> bool:
        """Whether other modules cannot see the symbol."""
        return self in (Linkage.INTERNAL, Linkage.PRIVATE)


class Visibility(CodedEnum):
    """Visibility of a symbol outside its shared object."""

    DEFAULT = 0, "default"
    HIDDEN = 1, "hidden"
    PROTECTED = 2, "protected"


class DLLStorageClass(CodedEnum):
    """Whether the symbol is imported from a DLL, or exported by one."""

    DEFAULT = 0, ""
    IMPORT = 1, "dllimport"
    EXPORT = 2, "dllexport"


class ThreadLocalMode(CodedEnum):
    """How threads find their own copy."""

    NOT_THREAD_LOCAL = 0, ""
    GENERAL_DYNAMIC = 1, "thread_local"
    LOCAL_DYNAMIC = 2, "thread_local(localdynamic)"
    INITIAL_EXEC = 3, "thread_local(initialexec)"
    LOCAL_EXEC = 4, "thread_local(localexec)"


class UnnamedAddress(CodedEnum):
    """Whether the address matters."""

    NONE = 0, ""
    GLOBAL = 1, "unnamed_addr"
    LOCAL = 2, "local_unnamed_addr"


class CodeModel(CodedEnum):
    """How far away a variable may lie."""

    TINY = 1, "tiny"
    SMALL = 2, "small"
    KERNEL = 3, "kernel"
    MEDIUM = 4, "medium"
    LARGE = 5, "large"


class SelectionKind(CodedEnum):
    """Rule by which a linker selects one of several comdats of one name."""

    ANY = 1, "any"
    EXACT_MATCH = 2, "exactmatch"
    LARGEST = 3, "largest"
    NO_DEDUPLICATE = 4, "nodeduplicate"
    SAME_SIZE = 5, "samesize"

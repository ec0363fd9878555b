"""Linkages, as records of globals number them.  Rules: bitcode record reference, section 3.2."""

from __future__ import annotations

__all__ = ["linkage_name"]

_LINKAGES = (
    "external",
    "weak",
    "appending",
    "internal",
    "linkonce",
    "external",
    "external",
    "extern_weak",
    "common",
    "private",
    "weak_odr",
    "linkonce_odr",
    "available_externally",
    "private",
    "private",
    "external",
    "weak",
    "weak_odr",
    "linkonce",
    "linkonce_odr",
)


def linkage_name(code: int) -> str:
    """Return the name of a linkage; like LLVM's reader, take unknown ones for external."""
    return _LINKAGES[code] if code < len(_LINKAGES) else _LINKAGES[0]

"""GUIDs: numbers by which summaries of several modules name the same global.

Rules: LLVM 22's global identifiers.
"""

from __future__ import annotations

__all__ = ["global_identifier", "guid_of"]

_NO_MANGLING = "\1"
_NO_SOURCE = "<unknown>"
_GUID_BYTES = 8


def global_identifier(name: str, source_filename: str, *, is_local: bool) -> str:
    """Return the identifier of a global across modules: a local one includes its source file."""
    name = name.removeprefix(_NO_MANGLING)
    return f"{source_filename or _NO_SOURCE};{name}" if is_local else name


def guid_of(identifier: str) -> int:
    """Return the GUID of an identifier, or of the name of a type."""
    from hashlib import md5  # noqa: PLC0415 - it loads OpenSSL, and few modules have summaries

    digest = md5(identifier.encode("utf-8", "surrogateescape"), usedforsecurity=False).digest()
    return int.from_bytes(digest[:_GUID_BYTES], "little")

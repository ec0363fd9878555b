"""Producers: the programs that wrote files, as named in the IDENTIFICATION block."""

from __future__ import annotations

import re

from bitcodec.tables.versions import MODEL

__all__ = ["may_be_newer", "producing_version"]

_PRODUCER = re.compile(r"(?:^|_)LLVM(\d+)")
"""LLVM's own producers begin with it; bitcodec's end with it if a file needs a newer version than 22."""


def producing_version(producer: str) -> int | None:
    """Return the version of LLVM whose format a file has, by its producer; None if that is unknown."""
    found = _PRODUCER.search(producer)
    return None if found is None else int(found[1])


def may_be_newer(producer: str | None) -> bool:
    """Return whether a file may be in the format of a version of LLVM newer than 22, by its producer.

    Files without a producer are older than the record for it.
    """
    if producer is None:
        return False
    version = producing_version(producer)
    return not producer.startswith("bitcodec") if version is None else version > MODEL

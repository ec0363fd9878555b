"""The attributes that LLVM 22 gives to intrinsics, from `intrinsic_attributes.txt`, which says how it is to be read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PREFIX", "IntrinsicRow", "intrinsic_rows"]

PREFIX = "llvm."
"""Begins the names of all intrinsics."""


class IntrinsicRow(NamedTuple):
    """A row.

    Attributes:
        attributes: texts of those of the function, then of others: `1: immarg`, `return: noundef`.
        is_overloaded: whether suffixes of its name say for which types it is.
    """

    attributes: tuple[str, ...]
    is_overloaded: bool


@cache
def intrinsic_rows() -> Mapping[str, IntrinsicRow]:
    """Return the rows by name, without `PREFIX` and suffixes."""
    rows = {}
    text = Path(__file__).with_suffix(".txt").read_text(encoding="ascii")
    plain = overloaded = IntrinsicRow((), is_overloaded=False)
    for line in text.splitlines():
        if line.endswith("*") and line.startswith(" "):
            rows[line[1:-1]] = overloaded
        elif line.startswith(" "):
            rows[line[1:]] = plain
        elif not line.startswith("#"):
            attributes = tuple(line.split("; "))
            plain, overloaded = IntrinsicRow(attributes, False), IntrinsicRow(attributes, True)  # noqa: FBT003 - a row
    return rows

"""The attributes that LLVM 22 gives to intrinsics, from `intrinsic_attributes.txt`, which says how it is to be read."""

from __future__ import annotations

from functools import cache

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.listing import Listing

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
def intrinsic_rows() -> Listing[IntrinsicRow]:
    """Return the rows by name, without `PREFIX` and suffixes."""
    return Listing(f"{__file__.rpartition('.')[0]}.txt", _row)


def _row(heading: str, is_marked: bool) -> IntrinsicRow:  # noqa: FBT001 - as `Listing` has it
    function, *others = heading.split("; ")
    return IntrinsicRow(("" if function == "none" else function, *others), is_marked)

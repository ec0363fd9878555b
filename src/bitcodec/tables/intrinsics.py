"""The attributes and types of LLVM 22's intrinsics, from `intrinsics.txt`, which says how it is to be read."""

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
        signature: the result and parameters: `A:i(A,i1)`.
    """

    attributes: tuple[str, ...]
    signature: str

    @property
    def is_overloaded(self) -> bool:
        """Whether suffixes of its name say for which types it is."""
        return ":" in self.signature


@cache
def intrinsic_rows() -> Listing[IntrinsicRow]:
    """Return the rows by name, without `PREFIX` and suffixes."""
    return Listing(f"{__file__.rpartition('.')[0]}.txt", _row)


def _row(attributes: str, signature: str) -> IntrinsicRow:
    function, *others = attributes.split("; ")
    return IntrinsicRow(("" if function == "none" else function, *others), signature)

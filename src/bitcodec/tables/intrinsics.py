"""The attributes and types of LLVM 22's intrinsics, from `intrinsics.txt`, which explains its format."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.listing import Listing

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["MAX_BASE_LENGTH", "PREFIX", "IntrinsicRow", "base_in", "intrinsic_rows", "short_part"]

PREFIX = "llvm."
"""Begins the names of all intrinsics."""
MAX_BASE_LENGTH = 127
"""Characters of the longest name without `PREFIX` and types that a table of intrinsics may contain."""


class IntrinsicRow(NamedTuple):
    """A row.

    Attributes:
        attributes: texts of the function's attributes, then of others: `1: immarg`, `return: noundef`.
        signature: the result and parameters: `A:i(A,i1)`.
    """

    attributes: tuple[str, ...]
    signature: str

    @property
    def is_overloaded(self) -> bool:
        """Whether suffixes of its name give its types."""
        return ":" in self.signature


def base_in(name: str, *tables: Container[str]) -> str:
    """Return the longest beginning of a name, up to a dot or the end, that a table contains; "" if none does.

    Args:
        name: of an intrinsic, without `PREFIX`.
        tables: names of intrinsics without types.
    """
    base = short_part(name)
    while base and not any(base in table for table in tables):
        base = base.rpartition(".")[0]
    return base


def short_part(name: str) -> str:
    """Return the words with which a name begins that fit into a table, in time that the length does not affect."""
    return name if len(name) <= MAX_BASE_LENGTH else name[: MAX_BASE_LENGTH + 1].rpartition(".")[0]


@cache
def intrinsic_rows() -> Listing[IntrinsicRow]:
    """Return the rows by name, without `PREFIX` and suffixes."""
    return Listing(f"{__file__.rpartition('.')[0]}.txt", _row)


def _row(attributes: str, signature: str) -> IntrinsicRow:
    function, *others = attributes.split("; ")
    return IntrinsicRow(("" if function == "none" else function, *others), signature)

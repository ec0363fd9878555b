"""For which types overloaded intrinsics are, from `intrinsic_overloads.txt`, which says how it is to be read."""

from __future__ import annotations

from functools import cache

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.listing import Listing

__all__ = ["OverloadRow", "overload_rows"]


class OverloadRow(NamedTuple):
    """A row: a sign for each type.

    Attributes:
        results: of what is returned: none for `void`, more than one for a struct.
        parameters: of the parameters.
        is_vararg: whether there may be further arguments.
    """

    results: str
    parameters: str
    is_vararg: bool


@cache
def overload_rows() -> Listing[OverloadRow]:
    """Return the rows by name, without `llvm.` and suffixes."""
    return Listing(f"{__file__.rpartition('.')[0]}.txt", _row)


def _row(heading: str, _is_marked: bool) -> OverloadRow:  # noqa: FBT001 - as `Listing` has it
    results, _, parameters = heading.partition(">")
    return OverloadRow(results, parameters.removesuffix("."), parameters.endswith("."))

"""For which types overloaded intrinsics are, from `intrinsic_overloads.txt`, which says how it is to be read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

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
def overload_rows() -> Mapping[str, OverloadRow]:
    """Return the rows by name, without `llvm.` and suffixes."""
    rows = {}
    row = OverloadRow("", "", is_vararg=False)
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="ascii").splitlines():
        if line.startswith(" "):
            rows[line[1:]] = row
        elif not line.startswith("#"):
            results, _, parameters = line.partition(">")
            row = OverloadRow(results, parameters.removesuffix("."), parameters.endswith("."))
    return rows

"""The types that parameters and results of intrinsics point to before LLVM 15, from `intrinsic_pointees.txt`."""

from __future__ import annotations

from functools import cache

__all__ = ["ELEMENT", "POINTER", "VALUE", "pointees"]

VALUE, ELEMENT, POINTER = "value", "element", "pointer"
"""Names of pointees: the first vector among result and parameters, its elements, and a pointer to bytes."""


@cache
def pointees() -> dict[str, str]:
    """Return the name of a pointee by the name of an intrinsic, without `llvm.` and types.

    Pointers of intrinsics that are not in the table point to bytes. A name is one of those above, or the spelling of
    an integer or floating-point type.
    """
    with open(f"{__file__.rpartition('.')[0]}.txt", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import
        rows = (line.split() for line in file if line[0] not in "#\n")
        return {name: pointee for pointee, *names in rows for name in names}

"""Where expansions are not those of `opt`: it crashes there, or what it makes is not sound; and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .cases import SIZES, Case
from .targets import Tried

_PAIRED = ("xchg", "add", "sub", "and", "or", "xor", "nand")
_WRAPPING = ("uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")


class Difference(NamedTuple):
    """A row of the list.

    Attributes:
        reason: what `opt` does wrong.
        architectures: for which targets.
        holds: for which cases, whose address is aligned.
        levels: for which levels of optimization.
    """

    reason: str
    architectures: tuple[str, ...]
    holds: Callable[[Case], bool]
    levels: tuple[int, ...] = (0, 2)


def _is_wide(case: Case) -> bool:
    return SIZES[case.type] == 16


def _is_paired(case: Case) -> bool:
    """Return whether PowerPC has an intrinsic of two registers for a case."""
    return case.operation in _PAIRED if case.type == "i128" else case.operation == "xchg"


def _loops(case: Case) -> bool:
    """Return whether PowerPC has LL/SC for a case."""
    is_computed = case.operation in _WRAPPING or (case.type == "float" and case.operation not in ("xchg", ""))
    return case.opcode == "cmpxchg" or is_computed


DIFFERENCES = (
    Difference(
        "no intrinsic of two registers does the operation, and one is asked for: a crash",
        ("powerpc64le",),
        lambda case: case.opcode == "atomicrmw" and _is_wide(case) and not _is_paired(case),
    ),
    Difference(
        "a pointer into another address space is given to an intrinsic that takes none",
        ("powerpc64le",),
        lambda case: "space" in case.flags and _is_wide(case) and case.opcode in ("atomicrmw", "cmpxchg"),
    ),
    Difference(
        "a pointer into another address space is given to an intrinsic that takes none",
        ("powerpc64", "powerpc64le"),
        lambda case: "space" in case.flags and not _is_wide(case) and _loops(case),
    ),
    Difference(
        "a pointer into another address space is given to an intrinsic that takes none",
        ("aarch64",),
        lambda case: "space" in case.flags and _is_wide(case) and case.opcode != "cmpxchg",
        levels=(2,),
    ),
    Difference(
        "`cmpxchg` of vectors, which there is not",
        ("x86_64", "aarch64"),
        lambda case: case.opcode == "load" and case.type in ("<2 x i64>", "<2 x ptr>"),
    ),
    Difference(
        "two registers are put together to an integer where a vector is wanted",
        ("armv7",),
        lambda case: case.opcode in ("load", "store") and case.type in ("<2 x i32>", "<2 x float>"),
    ),
)


def is_listed(target: Tried, case: Case) -> bool:
    """Return whether a case is on the list, for one target of an architecture at least."""
    return case.is_aligned and any(
        target.architecture in row.architectures and target.level in row.levels and row.holds(case)
        for row in DIFFERENCES
    )

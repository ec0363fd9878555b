"""The first version of LLVM that knows each intrinsic: from `tables/intrinsic_history`, except for a few.

Of target intrinsics, only the expanded ones count; the table has the versions of the others' forms.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.downgrade.expansions import EXPANSIONS
from bitcodec.downgrade.older_intrinsics import ROWS
from bitcodec.ir.types import VectorType
from bitcodec.tables.intrinsic_history import first_known
from bitcodec.tables.intrinsics import base_in
from bitcodec.tables.libnvvm import OTHER_TARGETS

if TYPE_CHECKING:
    from collections.abc import Container

    from bitcodec.ir.types import FunctionType, Type

__all__ = ["first_version", "known_since", "shorter_base"]

_TARGETS = {*OTHER_TARGETS, "nvvm"}
_OTHERS = {
    "coro.end.async": 12,
    "coro.suspend.async": 12,
    "dbg.assign": 0,
    "dbg.label": 0,
    "experimental.patchpoint": 0,
    "experimental.stackmap": 0,
    "sponentry": 8,
    "stepvector": 13,
}
"""By name, the first version that knows an intrinsic in any form, or by an older name; 0 if others handle it."""

_FIRST_WITH_VECTORS = {"llrint": 18, "llround": 20, "lrint": 18, "lround": 20}
"""By name, the first version whose verifier accepts vectors."""
_REDUCTION = "vector.reduce."
_FIRST_WITH_ODD_LENGTHS = 12
"""Before it, reductions are experimental, and code generators take the length of a vector for a power of two."""


@cache
def known_since(base: str) -> int:
    """Return the first version that knows an intrinsic with some types, 0 if all do."""
    expansion = EXPANSIONS.get(base)
    if expansion is not None and expansion.since:
        return expansion.since
    if base in _OTHERS:
        return _OTHERS[base]
    has_rows = base in ROWS or (expansion is None and base.partition(".")[0] in _TARGETS)
    return first_known(base) if base and not has_rows else 0


def first_version(base: str, function_type: FunctionType) -> int:
    """Return the first version that knows an intrinsic with some types, 0 if all do.

    Args:
        base: the name without `llvm.` and types.
        function_type: its type.
    """
    if isinstance(function_type.return_type, VectorType) and base in _FIRST_WITH_VECTORS:
        return _FIRST_WITH_VECTORS[base]
    known = known_since(base)
    is_odd = base.startswith(_REDUCTION) and any(map(_has_odd_length, function_type.parameter_types))
    return max(known, _FIRST_WITH_ODD_LENGTHS) if is_odd else known


def _has_odd_length(type_: Type) -> bool:
    """Return whether the length of a vector is not a power of two."""
    return isinstance(type_, VectorType) and not type_.is_scalable and bool(type_.count & (type_.count - 1))


def shorter_base(base: str, names: Container[str], version: int) -> str:
    """Return the intrinsic that a version takes a newer one for, because the name begins like its name; "" if none.

    Args:
        base: the name of the newer one.
        names: the names of all intrinsics.
        version: of LLVM.
    """
    found = base_in(base.rpartition(".")[0], names)
    return found if found and known_since(found) <= version else ""

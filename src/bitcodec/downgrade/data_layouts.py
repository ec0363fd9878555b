"""Data layouts of targets in older versions of LLVM: back ends compare them with their own.

Reading an older layout upgrades it again: `upgrade.data_layout` has the rules for the other direction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.types import IntegerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.upgrade.data_layout import family_of, upgraded_data_layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.types import Type

__all__ = ["older_data_layout", "unreadable_parts"]


class _LayoutChange(NamedTuple):
    """A change of the layout of a target.

    Attributes:
        since: the first version of LLVM that has the newer text.
        newer, older: a part of the layout, each with the `-` that surround it.
        is_of_wide_integers: whether it changes how integers of more than 64 bits are aligned.
    """

    since: int
    newer: str
    older: str = ""
    is_of_wide_integers: bool = False


_ALIGNED_I128 = "-i128:128"
_MIXED_POINTERS = _LayoutChange(20, "-p270:32:32-p271:32:32-p272:64:64")
_I128 = _LayoutChange(20, _ALIGNED_I128, "", is_of_wide_integers=True)
_VARIABLES_IN_1 = _LayoutChange(19, "-G1")

_ROWS: dict[str, tuple[_LayoutChange, ...]] = {
    "x86": (_LayoutChange(18, _ALIGNED_I128, "", is_of_wide_integers=True),),
    "aarch64": (_MIXED_POINTERS, _LayoutChange(19, "-Fn32")),
    "amdgcn": (
        _LayoutChange(21, "-p8:128:128:128:48-", "-p8:128:128-"),
        _LayoutChange(18, "-p9:192:256:256:32"),
        _LayoutChange(18, "-ni:7:8:9", "-ni:7:8"),
    ),
    "spir": (_VARIABLES_IN_1,),
    "riscv64": (_LayoutChange(16, "-n32:64-", "-n64-"),),
    "loongarch64": (_LayoutChange(19, "-n32:64-", "-n64-"),),
    "mips64": (_I128,),
    "aligned i128": (_I128,),
    "ppc64": (_I128,),
}
"""By family of targets, from the newest change to the oldest."""


_UNREADABLE = (
    (9, re.compile(r"-?\bF[in]\d+"), ""),
    (12, re.compile(r"-?\bG\d+"), ""),
    (7, re.compile(r"-?\bP\d+"), ""),
    (5, re.compile(r"-?\bA\d+"), ""),
    (11, re.compile(r"\bm:a\b"), "m:e"),
    (14, re.compile(r"\bm:l\b"), "m:e"),
)
"""Parts on which the readers of older versions end, and their replacements."""


def unreadable_parts(layout: str, version: int) -> Iterator[Construct]:
    """Yield the parts of a data layout that a version does not read."""
    for since, pattern, instead in _UNREADABLE:
        if since > version:
            for part in pattern.findall(layout):
                name = f"`{part.removeprefix('-')}` in the data layout"
                yield Construct(name, since, Way.DROP, f"`{instead}`" if instead else "")


def older_data_layout(layout: str, triple: str, types: Iterable[Type], version: int) -> str:
    """Return the data layout that a version of LLVM has for a target.

    Changes that would move data, or that reading would not restore, are not undone: every version accepts them.

    Args:
        layout: the layout that LLVM 22 has.
        triple: the target triple.
        types: the types that the module uses.
        version: of LLVM.
    """
    for since, part, instead in _UNREADABLE:
        if since > version:
            layout = part.sub(instead, layout)
    architecture = triple.partition("-")[0].removesuffix("be")
    newest = upgraded_data_layout(layout, triple)
    has_wide_integers = any(isinstance(type_, IntegerType) and type_.bit_width > 64 for type_ in types)
    for row in _ROWS.get(architecture) or _ROWS.get(family_of(triple), ()):
        if row.since > version and not (row.is_of_wide_integers and has_wide_integers):
            older = f"{layout}-".replace(f"{row.newer.rstrip('-')}-", f"{row.older.rstrip('-')}-", 1).removesuffix("-")
            if upgraded_data_layout(older, triple) == newest:
                layout = older
    return layout

"""Options of linking a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.ir.summary import ModuleSummaryIndex

__all__ = ["LinkOptions"]


class LinkOptions(NamedTuple):
    """Options of a link, as llvm-link has them.

    Attributes:
        only_needed: whether only definitions that the destination declares are linked.
        override: whether symbols of the source replace the destination's.
        internalize: whether linked symbols become internal.
        summary_index: decides which local symbols become visible to modules that import functions; None for no index.
    """

    only_needed: bool = False
    override: bool = False
    internalize: bool = False
    summary_index: ModuleSummaryIndex | None = None

"""How a module is linked."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple

__all__ = ["LinkOptions"]


class LinkOptions(NamedTuple):
    """Options of a link, as llvm-link has them.

    Attributes:
        only_needed: whether only definitions that the destination declares are linked.
        override: whether symbols of the source replace those of the destination.
        internalize: whether what is linked becomes internal.
    """

    only_needed: bool = False
    override: bool = False
    internalize: bool = False

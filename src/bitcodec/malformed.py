"""How a decoder of records refuses one: with a reason alone; the loop around it knows the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.sentences import Sentence

__all__ = ["Malformed"]


class Malformed(Exception):  # noqa: N818 - never seen outside the reader, which makes a `BitcodeError` of it
    """A record makes no sense.

    Args:
        reason: why.
    """

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason)
        self.reason = reason

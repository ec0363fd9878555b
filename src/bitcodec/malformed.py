"""How a decoder of records refuses one: with a reason alone; the loop around it knows the place."""

from __future__ import annotations

__all__ = ["Malformed"]


class Malformed(Exception):  # noqa: N818 - never seen outside the reader, which makes a `BitcodeError` of it
    """A record makes no sense; the argument says why."""

"""Reads blocks that are a table of names: operand bundle tags, synchronization scopes.

Rules: docs/reference/records.md, 9.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.text import characters
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace

__all__ = ["read_names"]

_NAME = 1
"""The one code that records of such blocks have."""


def read_names(places: Sequence[BlockPlace]) -> tuple[str, ...]:
    """Return the names in order.

    Raises:
        BitcodeError: a block holds anything else.
    """
    names = []
    for place in places:
        records = place.decode()
        for row, code, operands in records:
            with records.placed(row):
                if code != _NAME:
                    raise Malformed(Reason.NO_RECORD_HERE())
                names.append(characters(operands))
    return tuple(names)

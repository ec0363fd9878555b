"""The strings of a metadata block, cut out on first access.  Rules: docs/reference/records.md, 8.3."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.text import decoded
from bitcodec.bitstream.cursor import Cursor
from bitcodec.errors import BitstreamError
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MetadataStrings"]

_WIDTH = 6
"""Width of the chunks that lengths are written in, in bits."""


class MetadataStrings:
    """The strings of a STRINGS record.

    Raises:
        Malformed: the record is malformed.
    """

    __slots__ = ("_bounds", "_characters", "_count", "_lengths", "_texts")

    def __init__(self, operands: Sequence[int], blob: memoryview | None) -> None:
        if blob is None or len(operands) < 2:
            raise Malformed(Reason.NO_STRINGS())
        self._count, start = operands[:2]
        if start > len(blob):
            raise Malformed(Reason.STRINGS_OFFSET(offset=start, size=len(blob)))
        if not 0 < self._count * _WIDTH <= start * 8:
            raise Malformed(Reason.STRINGS_COUNT(count=self._count, size=start))
        self._lengths = blob[:start]
        self._characters = blob[start:]
        self._texts: list[str | None] = []
        self._bounds: list[int] = []

    def __len__(self) -> int:
        return self._count

    def texts(self) -> list[str]:
        """Return all of them; to cut them out together is faster."""
        self._begin()
        characters = bytes(self._characters[: self._bounds[-1]])
        if not characters.isascii():
            return [self[index] for index in range(self._count)]
        text = characters.decode("ascii")
        return [text[first:end] for first, end in pairwise(self._bounds)]

    def __getitem__(self, index: int) -> str:
        self._begin()
        text = self._texts[index]
        if text is None:
            text = self._texts[index] = decoded(self._characters[self._bounds[index] : self._bounds[index + 1]])
        return text

    def _begin(self) -> None:
        if not self._texts:
            self._bounds = self._read_bounds()
            self._texts = [None] * self._count

    def _read_bounds(self) -> list[int]:
        """Return where each string begins, in bytes, and where the last one ends."""
        try:
            bounds = list(accumulate(Cursor(self._lengths).read_vbrs(_WIDTH, self._count), initial=0))
        except BitstreamError as error:
            raise Malformed(Reason.STRINGS_CUT()) from error
        if bounds[-1] > len(self._characters):
            raise Malformed(Reason.STRINGS_SIZE(stated=bounds[-1], size=len(self._characters)))
        return bounds

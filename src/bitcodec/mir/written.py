"""How parts of a body were written: all text of a body belongs to a block or an instruction.

To each belongs what stands before it (its indentation, lines of comments), its own text, and what stands behind it to
the end of the line, with the braces of a bundle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.mir.source import SourceText

__all__ = ["TextOwners", "Written", "WrittenPart"]


class Written(NamedTuple):
    """How a part of a body was written, and what it said then; as long as it says that, it is written so again.

    Attributes:
        said: what it said.
        before: what stands before it.
        text: its text.
        after: what stands behind it.
        braces: whether a bundle is opened behind it, and whether one is closed.
    """

    said: tuple[object, ...]
    before: str
    text: str
    after: str
    braces: tuple[bool, bool] = (False, False)


class WrittenPart(Protocol):
    """A block or an instruction."""

    written: Written | None

    def said(self) -> tuple[object, ...]:
        """Return everything that it says."""


class TextOwners:
    """Gives the text of a body to its parts, from the first to the last.

    Args:
        source: the text of the file.
        start: where the body begins.
    """

    def __init__(self, source: SourceText, start: int) -> None:
        self._source = source
        self._part: WrittenPart | None = None
        self._before = start
        self._start = start
        self._end = start
        self._last_token = start
        self._braces = (False, False)

    def begin(self, part: WrittenPart, start: int, end: int, *, takes_blank_lines: bool = False) -> None:
        """Go on with the next part.

        Args:
            part: the part.
            start: where its text begins.
            end: where its text ends, as far as it is read.
            takes_blank_lines: whether blank lines before it belong to the part before.
        """
        split = self._split(start)
        if takes_blank_lines:
            split = self._source.skip_blank_lines(split, start)
        self._write_down(split)
        self._part = part
        self._before = split
        self._start = start
        self._braces = (False, False)
        self.extend(end)

    def extend(self, end: int) -> None:
        """Let the text of the part go on to here."""
        self._end = self._last_token = end

    def brace(self, end: int, braces: tuple[bool, bool]) -> None:
        """Let a brace belong to the part, and say what braces now do behind it."""
        self._last_token = end
        self._braces = braces

    def finish(self, end: int) -> str:
        """Return what stands behind the line of the last part."""
        split = self._split(end)
        self._write_down(split)
        return self._source.text[split:end]

    def _split(self, limit: int) -> int:
        """Return where what stands behind a part ends, and what stands before the next one begins."""
        return self._before if self._part is None else min(self._source.next_line(self._last_token), limit)

    def _write_down(self, end: int) -> None:
        if self._part is not None:
            text = self._source.text
            pieces = (text[self._before : self._start], text[self._start : self._end], text[self._end : end])
            self._part.written = Written(self._part.said(), *pieces, self._braces)

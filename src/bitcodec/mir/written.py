"""Original text of the parts of a body: all text of a body belongs to a block or an instruction.

To each part belong the text before it (its indentation, lines of comments), its own text, and the text behind it to
the end of the line, with the braces of a bundle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.mir.source import SourceText

__all__ = ["TextOwners", "Written", "WrittenPart"]


class Written(NamedTuple):
    """Original text of a part of a body, and its contents then; while these are unchanged, the text is used again.

    Attributes:
        said: its contents.
        before: the text before it.
        text: its text.
        after: the text behind it.
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
        """Return its contents."""


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
        """Begin the next part.

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
        """Add a brace to the part, and record the braces that now follow it."""
        self._last_token = end
        self._braces = braces

    def finish(self, end: int) -> str:
        """Return the text behind the line of the last part."""
        split = self._split(end)
        self._write_down(split)
        return self._source.text[split:end]

    def _split(self, limit: int) -> int:
        """Return the end of the text behind a part, where the text before the next one begins."""
        return self._before if self._part is None else min(self._source.next_line(self._last_token), limit)

    def _write_down(self, end: int) -> None:
        if self._part is not None:
            text = self._source.text
            pieces = (text[self._before : self._start], text[self._start : self._end], text[self._end : end])
            self._part.written = Written(self._part.said(), *pieces, self._braces)

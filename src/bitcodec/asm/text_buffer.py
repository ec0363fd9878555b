# ruff: noqa: ANN001, ANN201, ANN202, ANN204
"""Buffer of text that is built from pieces.

Modules consist of millions of pieces: names, types, numbers, punctuation.

This is the interpreted form, which joins lists of pieces; `text_buffer.pyx` is the compiled form.
"""

from __future__ import annotations

_PIECES_AT_ONCE = 1 << 12
"""Number of pieces that are checked against the limit of text together."""


class TextBuffer:
    """A text to which pieces are added.

    Args:
        limit: the `TextLimit` that counts the text, after some lines and when it is taken; None for no limit.
    """

    __slots__ = ("_limit", "_lines", "_parts", "_pieces", "_spent_lines", "add")

    def __init__(self, limit=None):
        self._limit = limit
        self._parts = []
        self._pieces = []
        self._lines = self._spent_lines = 0
        self.add = self._pieces.append

    def add_number(self, number):
        """Add the decimal digits of an integer."""
        self.add(f"{number}")

    def add_label(self, number):
        """Add a `!` and the decimal digits of a number, which is not negative."""
        self.add(f"!{number}")

    def add_text_of(self, texts, key):
        """Add the text of an object."""
        self.add(texts[key])

    def end_line(self):
        """Add the end of a line.

        Raises:
            BitcodecError: there is too much text.
        """
        self.add("\n")
        self._lines += 1
        if len(self._pieces) > _PIECES_AT_ONCE:
            self._spend()

    def line_count(self):
        """Return the number of lines that ended."""
        return self._spent_lines + self._lines

    def take(self):
        """Return the text, and begin another.

        Raises:
            BitcodecError: there is too much text.
        """
        self._spend()
        text = "".join(self._parts)
        self._parts.clear()
        self._spent_lines = 0
        return text

    def _spend(self):
        pieces = self._pieces
        if self._limit is not None:
            # Pieces may be one string many times: they are joined when they are known to be short enough.
            self._limit.spend(sum(map(len, pieces)), self._lines)
        self._parts.append("".join(pieces))
        pieces.clear()
        self._spent_lines += self._lines
        self._lines = 0

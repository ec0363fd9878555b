"""The text of a `.mir` file: positions in it, and replacements of parts.

Offsets are in characters from the start of the text.
"""

from __future__ import annotations

from bitcodec.errors import MIRError

__all__ = ["Edits", "SourceText", "decoded"]


_INDENTATION = "  "
"""Indentation that LLVM writes."""


class SourceText:
    """A text that errors give places of.

    Args:
        text: the text.
    """

    __slots__ = ("newline", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        end = text.find("\n")
        self.newline = "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, both counted from 1."""
        offset = min(offset, len(self.text))
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)

    def error(self, reason: str, offset: int) -> MIRError:
        """Return an error at an offset, for the caller to raise."""
        return MIRError(reason, *self.place(offset))

    def indentation(self, start: int, end: int) -> str:
        """Return the blanks before the first line of a block that is indented."""
        line = self.text[start:end].partition("\n")[0]
        return line[: len(line) - len(line.lstrip(" "))] or _INDENTATION

    def skip_blank_lines(self, offset: int, end: int) -> int:
        """Return where the first line begins that is not blank, from the line that begins at an offset."""
        following = self.next_line(offset)
        while following <= end and self.text[offset:following].isspace():
            offset, following = following, self.next_line(following)
        return offset

    def next_line(self, offset: int) -> int:
        """Return the start of the line after an offset's."""
        return self.text.find("\n", offset) + 1 or len(self.text)


class Edits:
    """Replacements of parts of a text; all else keeps its characters."""

    __slots__ = ("_replacements",)

    def __init__(self) -> None:
        self._replacements: dict[tuple[int, int], str] = {}

    def copy(self) -> Edits:
        """Return the same replacements, to add others to."""
        copy = Edits()
        copy._replacements.update(self._replacements)
        return copy

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` where the characters from `start` to `end` are; a part that is inside another one gives way."""
        self._replacements[start, end] = text

    def applied_to(self, text: str) -> str:
        """Return a text with all replacements made."""
        pieces: list[str] = []
        position = 0
        for (start, end), piece in sorted(self._replacements.items(), key=lambda each: (each[0][0], -each[0][1])):
            if start >= position:
                pieces += (text[position:start], piece)
                position = end
        return "".join([*pieces, text[position:]])


def decoded(data: str | bytes | bytearray | memoryview) -> str:
    """Return the text of a file.

    Raises:
        MIRError: it is not UTF-8, or text that cannot be.
    """
    try:
        if isinstance(data, str):
            data.encode("utf-8")
            return data
        return bytes(data).decode("utf-8")
    except UnicodeDecodeError as error:
        before = bytes(error.object[: error.start]).decode("utf-8")
        raise SourceText(before).error(f"byte {error.object[error.start]:#04x} is not UTF-8", len(before)) from None
    except UnicodeEncodeError as error:
        found = ord(error.object[error.start])
        raise SourceText(error.object).error(f"the character {found:#06x} is not UTF-8", error.start) from None

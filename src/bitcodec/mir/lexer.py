"""A line of machine IR as tokens.

One regular expression knows all of them; unknown text is a token of the kind `bad`, which no grammar takes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from bitcodec.mir.source import SourceText

__all__ = ["Tokens"]

_NAME = r"[-\w$.]"
_NUMBER = r"[0-9]{1,10}"
_QUOTED = r'"[^"\n]*"'

_KINDS = {
    "word": rf"[A-Za-z_]{_NAME}*",
    "hex": r"0[xX][HKLMR]?[0-9A-Fa-f]+",
    "float": r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?",
    "integer": r"-?[0-9]+",
    "address": r"<0x[0-9A-Fa-f]+>",
    "symbol": rf"<mcsymbol (?:{_QUOTED}|{_NAME}*)>",
    "register": r"%(?=[-\w$])(?!(?:bb|stack|fixed-stack|const|jump-table|subreg|ir-block|ir)\.)[-\w$]+|\$[-\w$]+",
    "block": rf"%bb\.{_NUMBER}(?:\.{_NAME}*)?",
    "global": rf"@(?:{_QUOTED}|{_NAME}+)",
    "metadata": rf"!(?:{_NUMBER}|[A-Za-z_]{_NAME}*)?",
    "comment": r"/\*.*?\*/",
    "value": rf"%ir\.(?:{_QUOTED}|{_NAME}+)|`[^`\n]*`",
    "stack": rf"%stack\.{_NUMBER}(?:\.{_NAME}*)?",
    "fixed_stack": rf"%fixed-stack\.{_NUMBER}",
    "constant": rf"%const\.{_NUMBER}",
    "jump_table": rf"%jump-table\.{_NUMBER}",
    "sub_register": rf"%subreg\.{_NAME}+",
    "ir_block": rf"%ir-block\.(?:{_QUOTED}|{_NAME}+)",
    "external": rf"&(?:{_QUOTED}|{_NAME}*)",
    "string": _QUOTED,
    "mark": r"::|[,=:(){}+\-<>.*]",
    "end": r";.*|\Z",
    "bad": r"/\*.*|.",
}
"""Kinds of tokens: of two that match, the first is meant."""

_INTEGER = re.compile(r"-?[0-9]+|0[xX][0-9A-Fa-f]+", re.ASCII)

_TOKEN = re.compile(
    r"[ \t\r]*(?:" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()) + ")", re.ASCII
)


class Tokens:
    """The tokens of one line, and how far they are read.

    Args:
        source: the text, for errors.
        start: where the line begins.
        end: where it ends, the line break not counted.

    Attributes:
        kind: of the next token; `end` behind the last one.
        text: of the next token.
    """

    __slots__ = ("_found", "_index", "_source", "kind", "text")

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        self._source = source
        self._found = [
            (match.lastgroup or "", match[match.lastindex or 0], match.end())
            for match in _TOKEN.finditer(source.text, start, end)
        ]
        self._index = 0
        self.kind, self.text, _ = self._found[0]

    @property
    def start(self) -> int:
        """Start of the next token."""
        _, text, end = self._found[self._index]
        return end - len(text)

    @property
    def last_end(self) -> int:
        """End of the token before the next one."""
        return self._found[self._index - 1][2] if self._index else self.start

    def advance(self) -> str:
        """Advance by one token; return the text of the one that is passed."""
        text = self.text
        if self.kind != "end":
            self._index += 1
            self.kind, self.text, _ = self._found[self._index]
        return text

    def skip_comments(self) -> str:
        """Skip comments; return the text of the first one."""
        said = ""
        while self.kind == "comment":
            said = said or self.text[2:-2].strip()
            self.advance()
        return said

    def accept(self, text: str) -> bool:
        """Consume a token if it is the one requested."""
        if self.text == text and self.kind != "string":
            self.advance()
            return True
        return False

    def expect(self, text: str) -> None:
        """Consume a required token."""
        if not self.accept(text):
            self.fail(f"'{text}' expected")

    def take(self, kind: str, what: str) -> str:
        """Consume a token of a required kind; return its text."""
        if self.kind != kind:
            self.fail(f"{what} expected")
        return self.advance()

    def integer(self, what: str = "a number") -> int:
        """Consume a number, decimal or hexadecimal; return it."""
        if not _INTEGER.fullmatch(self.text) or len(self.text) > _LONGEST_NUMBER:
            self.fail(f"{what} expected")
        base = 16 if self.kind == "hex" else 10
        return int(self.advance(), base)

    def bounded_integer(self, least: int, greatest: int, what: str) -> int:
        """Consume a decimal number between two bounds; return it."""
        if self.kind != "integer" or len(self.text) > _LONGEST_NUMBER or not least <= int(self.text) <= greatest:
            self.fail(f"{what} between {least} and {greatest} expected")
        return int(self.advance())

    def offset(self) -> int:
        """Skip an addend, if there is one."""
        if self.text == "+":
            self.advance()
            return self.integer("an offset")
        if self.text == "-":
            self.advance()
            return -self.integer("an offset")
        return 0

    def fail(self, reason: str) -> NoReturn:
        """Raise an error about the next token."""
        found = f"{self.text[:_SHOWN]!r}" if self.kind != "end" else "the end of the line"
        raise self._source.error(f"{reason}, not {found}", self.start)


_LONGEST_NUMBER = 400
_SHOWN = 40
"""Characters."""

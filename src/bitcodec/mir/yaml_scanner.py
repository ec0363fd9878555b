"""The tokens of YAML documents, by the rules of LLVM's scanner, which accepts more than YAML and less.

A key is recognized by the colon behind it: a scalar or a collection is a candidate until its line ends, and the token
`key` is then put in front of it.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from bitcodec.mir.yaml_scalars import PRINTABLE, UNPRINTABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.mir.source import SourceText

__all__ = ["Token", "scan", "scan_collection"]

Token: TypeAlias = tuple[str, int, int, int]
"""Kind, start, end; of a block scalar also the indentation of its lines.

Kinds: `scalar`, `block`, `flat` (a mapping in braces as LLVM writes them, known to be well-formed), `property` (an
anchor or a tag), `alias`, `key`, `value`, `entry` (`-`), `,`, the brackets, `mapping` and `sequence` where a block
collection begins, `dedent` where one ends, `directive`, `---`, `...`, `end`.
"""

_BLANK = " \t\r\n"
_GAP = re.compile(rf"(?:[ \t]++|#{PRINTABLE}*+|[\r\n])*+")
_DOCUMENT_MARK = re.compile(rf"(?:---|\.\.\.)(?=[{_BLANK}])")
_DIRECTIVE = re.compile(rf"%(?:YAML|TAG[ \t]++[^{_BLANK}]*)(?![^{_BLANK}])[ \t]*[^{_BLANK}]*")
_ANCHOR = re.compile(rf"[&*][^\[\]{{}},:{_BLANK}{UNPRINTABLE}]+")
_TAG = re.compile(rf"!(?:<[^>{_BLANK}]*>|(?!<)[^{_BLANK}{UNPRINTABLE}]*)")
_SINGLE_QUOTED = re.compile("'[^']*+(?:''[^']*+)*+'")
_DOUBLE_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BLOCK_HEADER = re.compile(rf"[|>](?:[-+]?([1-9]?)|([1-9])[-+])[ \t]*(?:#{PRINTABLE}*)?(?:\r?\n|\Z)")
_BLANK_LINES = re.compile(r"(?: *+\r?\n)*+")
_SPACES = re.compile(" *")
_CONTROL = re.compile(rf"[{UNPRINTABLE}]")
_BLANKS = re.compile(rf"[{_BLANK}]*")


def _words(excluded: str) -> re.Pattern[str]:
    """Return the pattern of a word of a plain scalar: colons are part of it if text follows them."""
    no_text = rf"{_BLANK}{UNPRINTABLE}{excluded}"
    return re.compile(rf"[^:{no_text}]*+(?::(?=[^{_BLANK}{excluded}])[^:{no_text}]*+)*+")


_FLOW_MARKS = r",\[\]{}"
_PLAIN = _words("")
_PLAIN_IN_FLOW = _words(_FLOW_MARKS)
_NO_PLAIN_TEXT = frozenset(_BLANK)
_NO_PLAIN_TEXT_IN_FLOW = frozenset(_BLANK + ",[]{}")
_NEVER_FIRST = frozenset(",[]{}#&*!|>'\"%@`")
_FIRST_BEFORE_TEXT = frozenset("-?:")

_FLAT_SCALAR = r"""(?:-?[A-Za-z0-9_.][-A-Za-z0-9_.$+/@]*+|'[^'\r\n]*+'|"[^"\\\r\n]*+")(?=[ ,}\]])"""
_FLAT_KEY = r"[A-Za-z][-A-Za-z0-9_]*+:"
_FLAT_COMMA = r",(?: *+\r?\n)? ++"
_FLAT_PAIR = rf"{_FLAT_KEY} ++(?:{_FLAT_SCALAR}|\[ *+(?:{_FLAT_SCALAR}(?:{_FLAT_COMMA}{_FLAT_SCALAR})*+)? *+\])"
_FLAT = re.compile(rf"\{{ *+{_FLAT_PAIR}(?:{_FLAT_COMMA}{_FLAT_PAIR})*+ *+\}}(?=[ \t]*\r?\n)")
_FLAT_KEYS = re.compile(rf"[{{,]\s*+({_FLAT_KEY}) ")
"""Most text of a document is mappings of this form: they are tokens, which are read when their values are requested."""

_LONGEST_KEY = 1024
"""Characters between the start of a key and its colon."""


def scan(source: SourceText, start: int) -> list[Token]:
    """Return the tokens of a text from an offset on; the last one is `end`.

    Raises:
        MIRError: the text at some place is not a token.
    """
    scanner = _Scanner(source, start, takes_flat=True)
    while scanner.advance():
        pass
    return scanner.tokens


def scan_collection(source: SourceText, start: int) -> list[Token]:
    """Return the tokens of the collection in brackets that begins at an offset.

    Raises:
        MIRError: the text at some place is not a token.
    """
    scanner = _Scanner(source, start, takes_flat=False)
    while scanner.advance() and scanner.flow_level:
        pass
    return scanner.tokens


class _Candidate:
    """A token that is a key if a colon follows in its line."""

    __slots__ = ("column", "flow_level", "index", "line")

    def __init__(self, index: int, line: int, column: int, flow_level: int) -> None:
        self.index = index
        self.line = line
        self.column = column
        self.flow_level = flow_level


class _Scanner:
    """Goes through a text.  A line is identified by the offset of its first character."""

    __slots__ = (
        "_candidates",
        "_indent",
        "_indents",
        "_is_key_allowed",
        "_is_value_adjacent",
        "_line",
        "_position",
        "_source",
        "_takes_flat",
        "_text",
        "flow_level",
        "tokens",
    )

    def __init__(self, source: SourceText, start: int, *, takes_flat: bool) -> None:
        self._source = source
        self._takes_flat = takes_flat
        self._text = source.text
        self._position = self._line = start
        self._indent = -1
        self._indents: list[int] = []
        self.flow_level = 0
        self._is_key_allowed = True
        self._is_value_adjacent = False
        self._candidates: deque[_Candidate] = deque()
        self.tokens: list[Token] = []

    def advance(self) -> bool:
        """Read the next token; return whether there is one."""
        self._skip_gap()
        position = self._position
        if position == len(self._text):
            self._dedent(-1)
            self._take("end", position)
            return False
        column = position - self._line
        self._drop_stale_candidates(column)
        self._dedent(column)
        character = self._text[position]
        if column or character not in "%-." or not self._document_token():
            _READERS.get(character, _Scanner.plain)(self)
        return True

    # State

    def _skip_gap(self) -> None:
        before = self._position
        end = self._position = _end(_GAP, self._text, before)
        if end > before and self._pass_lines(before, end) and not self.flow_level:
            self._is_key_allowed = True

    def _pass_lines(self, start: int, end: int) -> bool:
        """Record the line of an offset; return whether there are line breaks before it."""
        last = max(self._text.rfind("\n", start, end), self._text.rfind("\r", start, end))
        if last >= 0:
            self._line = last + 1
        return last >= 0

    def _take(self, kind: str, end: int, indent: int = 0) -> None:
        self.tokens.append((kind, self._position, end, indent))
        self._position = end

    def _fail(self, reason: str) -> NoReturn:
        raise self._source.error(f"no YAML: {reason}", self._position)

    def _follows(self, *, key: bool, adjacent_value: bool = False) -> None:
        """Set the tokens that may follow: a key; a value directly behind its colon, as behind quotes and brackets."""
        self._is_key_allowed = key
        self._is_value_adjacent = adjacent_value

    def _take_candidate(self, kind: str, end: int) -> None:
        """Take a token that is a key if a colon follows."""
        if self._is_key_allowed:
            column = self._position - self._line
            self._candidates.append(_Candidate(len(self.tokens), self._line, column, self.flow_level))
        self._take(kind, end)

    def _drop_stale_candidates(self, column: int) -> None:
        candidates, line = self._candidates, self._line
        while candidates and (candidates[0].line != line or column - candidates[0].column > _LONGEST_KEY):
            candidates.popleft()

    def _drop_candidate(self) -> None:
        if self._candidates and self._candidates[-1].flow_level == self.flow_level:
            self._candidates.pop()

    def _is_text(self, position: int) -> bool:
        """Return whether a plain scalar may contain the character at an offset."""
        excluded = _NO_PLAIN_TEXT_IN_FLOW if self.flow_level else _NO_PLAIN_TEXT
        return position < len(self._text) and self._text[position] not in excluded

    # Indentation, which means nothing inside brackets

    def _dedent(self, column: int) -> None:
        """End the block collections that are indented more."""
        while self._indent > column and not self.flow_level:
            self.tokens.append(("dedent", self._position, self._position, 0))
            self._indent = self._indents.pop()

    def _begin(self, kind: str, start: int, column: int, index: int | None = None) -> None:
        """Begin a block collection unless one of this indentation is open."""
        if not self.flow_level and self._indent < column:
            self._indents.append(self._indent)
            self._indent = column
            self.tokens.insert(len(self.tokens) if index is None else index, (kind, start, start, 0))

    # Tokens

    def _document_token(self) -> bool:
        """Read a directive, or a mark between documents; return whether there is one at the start of the line."""
        position = self._position
        if self._text[position] == "%":
            kind, found = "directive", _DIRECTIVE.match(self._text, position)
            if found is None:
                self._fail("'%YAML' or '%TAG' expected")
        else:
            found = _DOCUMENT_MARK.match(self._text, position)
            if found is None:
                return False
            kind = found[0]
        self._dedent(-1)
        self._candidates.clear()
        self._follows(key=False)
        self._take(kind, found.end())
        return True

    def open_brackets(self) -> None:
        if self._takes_flat and not self.flow_level and self._flat_mapping():
            return
        self._take_candidate(self._text[self._position], self._position + 1)
        self._follows(key=True)
        self.flow_level += 1

    def _flat_mapping(self) -> bool:
        """Take a mapping of the simplest form in one piece; return whether there is one."""
        start = self._position
        end = _end(_FLAT, self._text, start)
        keys = _FLAT_KEYS.findall(self._text, start, end)
        if end == start or len({*keys}) < len(keys):
            return False
        self._take("flat", end)
        self._pass_lines(start, end)
        self._follows(key=False)
        return True

    def close_brackets(self) -> None:
        self._drop_candidate()
        self._take(self._text[self._position], self._position + 1)
        self._follows(key=False, adjacent_value=True)
        self.flow_level = max(self.flow_level - 1, 0)

    def comma(self) -> None:
        self._drop_candidate()
        self._take(",", self._position + 1)
        self._follows(key=True)

    def dash(self) -> None:
        if self._text[self._position + 1 : self._position + 2] not in _ENDS_MARK:
            self.plain()
            return
        self._begin("sequence", self._position, self._position - self._line)
        self._drop_candidate()
        self._take("entry", self._position + 1)
        self._follows(key=True)

    def question_mark(self) -> None:
        if self._text[self._position + 1 : self._position + 2] not in _ENDS_MARK:
            self.plain()
            return
        self._begin("mapping", self._position, self._position - self._line)
        self._drop_candidate()
        self._take("key", self._position + 1)
        self._follows(key=not self.flow_level)

    def colon(self) -> None:
        if self._is_text(self._position + 1) and not self._is_value_adjacent:
            self.plain()
            return
        if self._candidates:
            candidate = self._candidates.pop()
            _, start, _, _ = self.tokens[candidate.index]
            self.tokens.insert(candidate.index, ("key", start, start, 0))
            self._begin("mapping", start, candidate.column, candidate.index)
            self._follows(key=False)
        else:
            self._begin("mapping", self._position, self._position - self._line)
            self._follows(key=not self.flow_level)
        self._take("value", self._position + 1)

    def node_property(self) -> None:
        character = self._text[self._position]
        found = (_TAG if character == "!" else _ANCHOR).match(self._text, self._position)
        if found is None:
            self._fail("the name of an anchor or a tag expected")
        self._take_candidate("alias" if character == "*" else "property", found.end())
        self._follows(key=False)

    def quoted(self) -> None:
        is_double = self._text[self._position] == '"'
        found = (_DOUBLE_QUOTED if is_double else _SINGLE_QUOTED).match(self._text, self._position)
        if found is None:
            self._fail("a closing quote expected")
        start = self._position
        self._take_candidate("scalar", found.end())
        self._pass_lines(start, found.end())
        self._follows(key=False, adjacent_value=True)

    def plain(self) -> None:
        start, text = self._position, self._text
        first = text[start]
        if first in _NEVER_FIRST or (first in _FIRST_BEFORE_TEXT and not self._is_text(start + 1)):
            self._fail(f"the character {first!r} cannot start a token")
        column = start - self._line
        end = self._pass_plain()
        if end == start:
            self._fail(f"the character {ord(first):#04x} is not printable")
        if self._is_key_allowed:
            self._candidates.append(_Candidate(len(self.tokens), self._line, column, self.flow_level))
        self.tokens.append(("scalar", start, end, 0))
        self._follows(key=False)

    def _pass_plain(self) -> int:
        """Skip a plain scalar and blanks behind it; return where it ends.

        It continues in lines that are indented more than the collection that it is in.
        """
        text, position = self._text, self._position
        words = _PLAIN_IN_FLOW if self.flow_level else _PLAIN
        end = position
        while position < len(text) and text[position] != "#":
            stop = _end(words, text, position)
            if stop > position:
                end = stop
            position = stop
            following = _end(_BLANKS, text, stop)
            if following == stop:
                break
            line = max(text.rfind("\n", stop, following), text.rfind("\r", stop, following)) + 1
            if line:
                self._check_tabs(stop, following)
                if not self.flow_level and following - line <= self._indent:
                    break
                self._line = line
            position = following
        self._position = position
        return end

    def _check_tabs(self, start: int, end: int) -> None:
        """Refuse a tab where the lines of a plain scalar are indented."""
        line = None
        for position in range(start, end if "\t" in self._text[start:end] else start):
            character = self._text[position]
            if character in "\r\n":
                line = position + 1
            elif character == "\t" and line is not None and position - line <= self._indent:
                self._position = position
                self._fail("a tab cannot be used as indentation")

    def block_scalar(self) -> None:
        text = self._text
        header = None if self.flow_level else _BLOCK_HEADER.match(text, self._position)
        if header is None:
            self._fail("'|' or '>' and the end of the line expected, outside of brackets")
        parent = max(self._indent, 0)
        start = header.end()
        indent = int(header[1] or header[2] or 0) or self._block_indentation(start, parent)
        end = self._block_end(start, indent, parent)
        control = _CONTROL.search(text, start, end)
        if control is not None:
            self._position = control.start()
            self._fail(f"the character {ord(control[0]):#04x} is not printable")
        self._take("block", end, indent)
        self._line = text.rfind("\n", 0, end) + 1
        self._follows(key=True)

    def _block_indentation(self, start: int, parent: int) -> int:
        """Return the indentation of the first line with text; if that ends the block, the least that it could have."""
        text = self._text
        first = _end(_BLANK_LINES, text, start)
        stop = _end(_SPACES, text, first)
        indent = stop - first
        if indent <= parent or stop == len(text):
            return parent + 1
        if any(len(line.rstrip("\r")) > indent for line in text[start:first].split("\n")):
            self._position = start
            self._fail("blank lines at the start of a block have to be shorter than its indentation")
        return indent

    def _block_end(self, start: int, indent: int, parent: int) -> int:
        """Return where the line begins that ends a block scalar: one with text that is indented less."""
        text = self._text
        least = indent if indent > parent else len(text)
        found = re.compile(rf"\n(?! {{{least}}}| *\r?(?:\n|\Z))").search(text, start - 1)
        if found is None:
            return len(text)
        stop = _end(_SPACES, text, found.end())
        if indent > parent and stop - found.end() > parent and text[stop] != "#":
            self._position = stop
            self._fail("a line is indented less than the block that it is in")
        return found.end()


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return where a match ends that begins at an offset."""
    found = pattern.match(text, position)
    return position if found is None else found.end()


_ENDS_MARK = frozenset(("", *_BLANK))

_READERS: dict[str, Callable[[_Scanner], None]] = {
    "[": _Scanner.open_brackets,
    "{": _Scanner.open_brackets,
    "]": _Scanner.close_brackets,
    "}": _Scanner.close_brackets,
    ",": _Scanner.comma,
    "-": _Scanner.dash,
    "?": _Scanner.question_mark,
    ":": _Scanner.colon,
    "*": _Scanner.node_property,
    "&": _Scanner.node_property,
    "!": _Scanner.node_property,
    "|": _Scanner.block_scalar,
    ">": _Scanner.block_scalar,
    "'": _Scanner.quoted,
    '"': _Scanner.quoted,
}
"""Readers by the first character of a token; all other tokens are plain scalars."""

"""The values of YAML scalars, by the rules of LLVM's parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.mir.source import SourceText

__all__ = ["PRINTABLE", "UNPRINTABLE", "block_value", "flow_value"]

UNPRINTABLE = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff"
"""Characters that only double quotes may contain, for a class of a regular expression."""

PRINTABLE = rf"[^\r\n{UNPRINTABLE}]"

_LINE_BREAK = re.compile(r"\r\n?|\n")
_BREAKS = r"[ \t]*+(?P<breaks>(?:(?:\r\n?|\n)[ \t]*+)++)|[ \t]++"
_ESCAPE = r"\\(?:x(?P<x>.{2})|u(?P<u>.{4})|U(?P<U>.{8})|(?:\r\n|[\r\n])[ \t]*+|(?P<one>.))"
_IN_PLAIN = re.compile(_BREAKS)
_IN_SINGLE_QUOTES = re.compile(rf"(?P<quote>'')|{_BREAKS}")
_IN_DOUBLE_QUOTES = re.compile(rf"(?P<escape>{_ESCAPE})|{_BREAKS}", re.DOTALL)

_ESCAPED = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))
_ESCAPED.update(dict.fromkeys("xuU", ""))
"""Characters by the letter behind a backslash; a number that is too short is skipped."""

_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]+\Z")
_REPLACEMENT = "\ufffd"
_LAST_CHARACTER = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


def flow_value(source: SourceText, start: int, end: int) -> tuple[str, str]:
    """Return the text of a scalar that is plain or in quotes, and its quote.

    Raises:
        MIRError: an unknown escape follows a backslash.
    """
    quote = source.text[start]
    if quote == "'":
        return _IN_SINGLE_QUOTES.sub(_folded, source.text[start + 1 : end - 1]), quote
    if quote == '"':
        text = source.text[start + 1 : end - 1]
        return _IN_DOUBLE_QUOTES.sub(lambda found: _unescaped(found, source, start + 1), text), quote
    text = source.text[start:end]
    return _IN_PLAIN.sub(_folded, text) if "\n" in text or "\r" in text else text, ""


def _folded(found: re.Match[str]) -> str:
    """Return one line break as a blank, and one less of several."""
    if found.lastgroup == "quote":
        return "'"
    if found["breaks"] is None:
        return found[0]
    return "\n" * (len(_LINE_BREAK.findall(found["breaks"])) - 1) or " "


def _unescaped(found: re.Match[str], source: SourceText, start: int) -> str:
    if found["escape"] is None:
        return _folded(found)
    number = found["x"] or found["u"] or found["U"]
    if number:
        return _character(number)
    one = found["one"]
    if one is not None and one not in _ESCAPED:
        raise source.error(f"no YAML: no escape sequence begins with {one!r}", start + found.start())
    return "" if one is None else _ESCAPED[one]


def _character(number: str) -> str:
    """Return the character of a hexadecimal number; none beyond the last one."""
    code = int(number, 16) if _HEXADECIMAL.match(number) else ord(_REPLACEMENT)
    if code > _LAST_CHARACTER:
        return ""
    return _REPLACEMENT if code in _SURROGATES else chr(code)


def block_value(text: str, indent: int) -> str:
    """Return the text of a block scalar.

    Args:
        text: the scalar from its `|` or `>` on.
        indent: the indentation of its lines.
    """
    header, _, body = text.partition("\n")
    header = header.partition("#")[0]
    lines = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in _LINE_BREAK.split(body)]
    ends = 0
    while lines and not lines[-1]:
        lines.pop()
        ends += 1
    joined = _folded_lines(lines) if header.startswith(">") else "\n".join(lines)
    if "-" in header:
        return joined
    if "+" in header:
        return joined + "\n" * max(ends, 1) if body else joined
    return f"{joined}\n" if joined else ""


def _folded_lines(lines: list[str]) -> str:
    """Join lines: one break between lines with text is a blank, and of several one is dropped."""
    pieces: list[str] = []
    breaks, has_text = 0, False
    for line in lines:
        if line:
            if breaks and has_text:
                pieces.append(("\n" if line.isspace() else " ") if breaks == 1 else "")
                breaks -= 1
            pieces += ("\n" * breaks, line)
            breaks, has_text = 0, has_text or not line.isspace()
        breaks += 1
    return "".join(pieces)

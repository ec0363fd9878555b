"""Assembly text taken apart: its statements, without comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.symbols.targets import TripleTarget

__all__ = ["statements"]

_COMMENTS = {"arm": r"@|//|(?<=\n)\s*\#", "aarch64": r"//|(?<=\n)\s*\#", "aarch64 darwin": r"//|;|(?<=\n)\s*\#"}
"""How comments to the end of the line begin, by family; where `#` marks numbers, it begins one at the start alone."""

_USUAL_COMMENTS = r"\#|//"
_SEPARATORS = {"aarch64 darwin": r"%%"}
_USUAL_SEPARATOR = r";"
_PIECES = r"""
    (?P<string> "(?:[^"\\\n]|\\.)*(?:"|(?=\n)|\Z) )
    | (?P<comment> /\*.*?(?:\*/|\Z) | (?:{comment})[^\n]* )
    | (?P<end> \n | {separator} )
    | (?P<text> [^"/\#@;%\n]+ | . )
"""


def statements(text: str, target: TripleTarget) -> Iterator[str]:
    """Yield the statements of a text, in order; strings are unchanged."""
    family = target.assembly_family
    pattern = _PIECES.format(
        comment=_COMMENTS.get(family, _USUAL_COMMENTS), separator=_SEPARATORS.get(family, _USUAL_SEPARATOR)
    )
    statement: list[str] = []
    for piece in re.finditer(pattern, f"\n{text}\n", re.VERBOSE | re.DOTALL):
        if piece.lastgroup == "end":
            if statement:
                yield "".join(statement).strip()
            statement = []
        else:
            statement.append(" " if piece.lastgroup == "comment" else piece[0])

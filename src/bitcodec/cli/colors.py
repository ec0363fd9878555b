"""LLVM assembly in colours, for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["colored_assembly"]


def colored_assembly(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces of assembly with the sequences that terminals take for colours; other such sequences are escaped."""
    from pygments import highlight  # noqa: PLC0415 - only where a terminal is shown to
    from pygments.formatters import TerminalFormatter  # noqa: PLC0415
    from pygments.formatters.terminal import TERMINAL_COLORS  # noqa: PLC0415
    from pygments.lexers import LlvmLexer  # noqa: PLC0415
    from pygments.token import Whitespace  # noqa: PLC0415

    # Newlines are ours: pieces may begin and end anywhere.
    lexer = LlvmLexer(stripnl=False, ensurenl=False)
    formatter = TerminalFormatter(colorscheme={**TERMINAL_COLORS, Whitespace: ("", "")})
    for piece in pieces:
        yield highlight("\n".join(map(one_line, piece.split("\n"))), lexer, formatter)

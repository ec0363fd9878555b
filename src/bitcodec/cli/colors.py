"""Colours: whether they are wanted, and LLVM assembly in them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import WordChoice, option
from bitcodec.cli.outputs import STANDARD_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["color_option", "colored_assembly", "wants_colors"]

color_option = option(
    "--color",
    type=WordChoice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="When to use colors; auto: on a terminal.",
)


def wants_colors(color: str, output: str = STANDARD_OUTPUT) -> bool:
    """Return whether the option, or a terminal as the output, requests colours."""
    is_shown = output == STANDARD_OUTPUT and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return color == "always" or (color == "auto" and is_shown)


def colored_assembly(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces of assembly, which has no control characters, with the sequences that terminals take for colours."""
    from pygments import highlight  # noqa: PLC0415 - only where a terminal is shown to
    from pygments.formatters import TerminalFormatter  # noqa: PLC0415
    from pygments.formatters.terminal import TERMINAL_COLORS  # noqa: PLC0415
    from pygments.lexers import LlvmLexer  # noqa: PLC0415
    from pygments.token import Whitespace  # noqa: PLC0415

    # Newlines are ours: pieces may begin and end anywhere.
    lexer = LlvmLexer(stripnl=False, ensurenl=False)
    formatter = TerminalFormatter(colorscheme={**TERMINAL_COLORS, Whitespace: ("", "")})
    for piece in pieces:
        yield highlight(piece, lexer, formatter)

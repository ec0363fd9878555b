"""Printing lines.  Plain ones need no click, which takes longer to import than most commands to run."""

from __future__ import annotations

import sys

__all__ = ["echo", "styled"]


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print text at once.

    Args:
        text: the text; colours are left out if the output is not a terminal.
        err: whether to print to standard error.
        nl: whether a newline follows.
    """
    if text.isascii() and "\x1b" not in text:
        stream = sys.stderr if err else sys.stdout
        stream.write(f"{text}\n" if nl else text)
        stream.flush()
    else:
        import click  # noqa: PLC0415 - it knows encodings and terminals

        click.echo(text, err=err, nl=nl)


def styled(text: str, *, color: str | None = None, err: bool = False) -> str:
    """Return bold text for a terminal; otherwise the text itself.

    Args:
        text: the text.
        color: its colour.
        err: whether it is for standard error.
    """
    if not (sys.stderr if err else sys.stdout).isatty():
        return text
    import click  # noqa: PLC0415 - only where a terminal is shown to

    return click.style(text, fg=color, bold=True)

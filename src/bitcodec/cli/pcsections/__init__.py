"""`bitcodec pcsections`: PCs asked for, emitted, and found again."""

from __future__ import annotations

import click

from bitcodec.cli.lazy import LazyGroup

__all__ = ["pcsections"]

_COMMANDS = ("decode",)


@click.group(cls=LazyGroup, package=__name__, names=_COMMANDS, short_help="PC sections: decode.")
def pcsections() -> None:
    """Find the program counters that `!pcsections` metadata had the compiler put into sections of a file.

    \b
    Examples:
      bitcodec pcsections decode program.o
    """

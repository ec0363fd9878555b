"""The command line.  Each command is a thin client of the library and has a file of its own."""

from __future__ import annotations

import os
import signal
import sys

import click

from bitcodec import __version__
from bitcodec.cli.lazy import LazyGroup

__all__ = ["cli", "main"]

_COMMANDS = (
    "info",
    "dis",
    "diff",
    "nm",
    "flags",
    "pcsections",
    "analyze",
    "dump",
    "wrap",
    "unwrap",
    "extract",
    "strip",
    "extract-function",
    "transform",
)


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's call
    if not wanted or ctx.resilient_parsing:
        return
    from bitcodec.bitstream import COMPILED  # noqa: PLC0415 - only when asked for

    click.echo(f"bitcodec {__version__} ({'compiled' if COMPILED else 'interpreted'})")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    package=__name__,
    names=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and whether the hot loops are compiled or interpreted.",
)
def cli() -> None:
    """LLVM bitcode without LLVM: look into it, take it apart, put it together.

    Every FILE may be bitcode of any LLVM version, another bitstream (precompiled headers, serialized diagnostics,
    remarks, ...), a wrapper, or an object file or archive that holds some; - stands for standard input.

    \b
    Examples:
      bitcodec info module.bc
      bitcodec dump library.a | less
      bitcodec extract program.o -o modules
    """


def main() -> None:
    """Run the command line."""
    if hasattr(signal, "SIGPIPE"):
        # A reader that has seen enough, as in `| head`, ends us as it ends any other tool: without a word.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        try:
            cli(prog_name="bitcodec")
        finally:
            sys.stdout.flush()
    except OSError as error:
        # Nothing more can be written; the interpreter must not try again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo(f"bitcodec: error: standard output: {error.strerror or error}", err=True)
        sys.exit(1)
    except SystemExit as end:
        sys.stderr.flush()
        if not isinstance(end.code, int | None):
            raise
        # All is written.  To let go of millions of objects, one by one, would take a good part of the time again.
        os._exit(end.code or 0)

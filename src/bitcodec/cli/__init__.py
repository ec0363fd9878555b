"""The command line.  Each command is a thin client of the library in a separate file."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from bitcodec import __version__
from bitcodec.cli.declaring import group, option
from bitcodec.cli.outputs import STANDARD_OUTPUT_NAME, discard_output, print_text
from bitcodec.cli.problems import OUT_OF_MEMORY, Failure
from bitcodec.cli.termination import Terminated, end_by_signal, handle_signals
from bitcodec.host.collection import collect_rarely

if TYPE_CHECKING:
    import click

__all__ = ["cli", "main"]

_PROGRAM = "bitcodec"
_COMMANDS = (
    "info",
    "dis",
    "as",
    "verify",
    "diff",
    "nm",
    "report",
    "table",
    "flags",
    "pcsections",
    "analyze",
    "dump",
    "wrap",
    "unwrap",
    "link",
    "extract",
    "strip",
    "doctor",
    "downgrade",
    "extract-function",
    "transform",
    "completion",
)


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's call
    if not wanted or ctx.resilient_parsing:
        return
    _print_own_version()
    ctx.exit()


def _print_own_version() -> None:
    from bitcodec.bitstream import COMPILED  # noqa: PLC0415 - only on request

    print_text(f"bitcodec {__version__} ({'compiled' if COMPILED else 'interpreted'})\n")


@group(
    package=__name__,
    names=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and whether the hot loops are compiled or interpreted.",
)
def _root() -> None:
    """Read, print, compare, verify and change LLVM bitcode, without LLVM.

    Every FILE may be bitcode of any LLVM version, another bitstream (precompiled headers, serialized diagnostics,
    remarks, ...), a wrapper, or an object file or archive that contains some; - is standard input, and @LIST the
    arguments in the file LIST.

    \b
    Examples:
      bitcodec info module.bc
      bitcodec dump library.a | less
      bitcodec extract program.o -o modules
    """


if TYPE_CHECKING:
    cli: click.Command
    """All commands, as click has them."""


def __getattr__(name: str) -> object:
    """Make `cli` when it is first used: most command lines do without click."""
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _root.click_command


def main() -> None:
    """Run the command line."""
    collect_rarely()
    _open_standard_streams()
    handle_signals()
    try:
        _run()
    except Terminated as end:
        end_by_signal(end.number)


def _run() -> NoReturn:
    code: int
    try:
        try:
            _run_command(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except OSError as error:
        discard_output()
        Failure(f"{error.filename or STANDARD_OUTPUT_NAME}: {error.strerror or error}").show()
        code = Failure.exit_code
    except MemoryError:
        Failure(OUT_OF_MEMORY).show()
        code = Failure.exit_code
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        code = end.code or 0
    else:
        code = 0
    sys.stderr.flush()
    # All is written.  To let go of millions of objects, one by one, would take a good part of the time again.
    os._exit(code)


def _run_command(arguments: list[str]) -> None:
    try:
        if arguments == ["--version"]:
            _print_own_version()
        elif not _root.run_plainly(_PROGRAM, arguments):
            _root.click_command(prog_name=_PROGRAM)
    except Failure as failure:
        failure.show()
        raise SystemExit(failure.exit_code) from failure


def _open_standard_streams() -> None:
    """Replace closed standard streams (`>&-`): else a file that is opened would be taken for one.

    Nothing can be read from such an input, and nothing be written to such an output; output to a closed standard
    error is lost.
    """
    for number, (name, access, mode) in enumerate(
        (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))
    ):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, access)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - to the end

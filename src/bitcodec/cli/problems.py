"""Errors as the user sees them: one line, `bitcodec: error: FILE: MESSAGE (bit 1234, MODULE_BLOCK > ...)`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.cli.printing import echo
from bitcodec.errors import AssemblyError, BitcodecError, NoBitstreamError, PlacedError, block_trail
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitstream.names import Names
    from bitcodec.containers import FoundStream
    from bitcodec.ir.module import Module

__all__ = [
    "OUT_OF_MEMORY",
    "Failure",
    "NoBitcode",
    "Trouble",
    "UsageError",
    "answering",
    "note",
    "reported",
    "show_usage_error",
    "warn",
    "warn_of_ignored_debug_info",
]

OUT_OF_MEMORY = "not enough memory"


class UsageError(Exception):
    """The options do not go together, or one has no such value: two lines, and exit code 2."""

    exit_code = 2


class Failure(Exception):  # noqa: N818 - no error of this program, but its answer
    """The input is bad: one line, and exit code 1.

    Attributes:
        message: the line, without its beginning.
        excerpt: lines of a text that show the place, "" for none.
    """

    exit_code = 1

    def __init__(self, message: str, excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.excerpt = excerpt

    def show(self) -> None:
        """Print the line, and the lines of the excerpt."""
        echo(f"bitcodec: error: {one_line(self.message)}", err=True)
        for line in self.excerpt.splitlines():
            echo(_shortened(line), err=True)


def _shortened(line: str) -> str:
    """Return a line of a text as printable characters; tabs stay, because the line below has them too."""
    return "\t".join(map(one_line, line[:_MAX_EXCERPT].split("\t")))


_MAX_EXCERPT = 1 << 10
"""Characters of a line that are shown."""


class NoBitcode(Failure):
    """A file that is sound, but holds no bitcode."""


class Trouble(Failure):
    """A failure of a command that answers a question: exit code 1 means that something was found."""

    exit_code = 2


@contextmanager
def answering() -> Iterator[None]:
    """Let failures inside end with the exit code of `Trouble`, as with `grep` and `diff`; also a decorator."""
    try:
        yield
    except Failure as failure:
        raise Trouble(failure.message, failure.excerpt) from failure


@contextmanager
def reported(label: str, names: Names | None = None, found: FoundStream | None = None) -> Iterator[None]:
    """Turn errors inside into a `Failure` that names the file.

    Args:
        label: the file, as the user gave it, and the place in it.
        names: names of the blocks around a place.
        found: the stream it is about, if it may lie inside a file.
    """
    try:
        yield
    except PlacedError as error:
        raise Failure(f"{label}: {_described(error, names, found)}") from error
    except AssemblyError as error:
        raise Failure(str(error.in_file(label)), error.excerpt) from error
    except NoBitstreamError as error:
        raise NoBitcode(f"{label}: {error}") from error
    except BitcodecError as error:
        raise Failure(f"{label}: {error}") from error
    except OSError as error:
        raise Failure(f"{label}: {error.strerror or error}") from error
    except MemoryError as error:
        raise Failure(f"{label}: {OUT_OF_MEMORY}") from error


def show_usage_error(message: str, command_path: str) -> None:
    """Print an error of usage, and where the help is.

    Args:
        message: the error.
        command_path: the command with its groups: `bitcodec flags show`.
    """
    Failure(message).show()
    echo(f"Try '{command_path} --help' for help.", err=True)


def warn(message: str) -> None:
    """Print a warning, one line."""
    echo(f"bitcodec: warning: {one_line(message)}", err=True)


def warn_of_ignored_debug_info(module: Module) -> None:
    """Print LLVM's warning if debug information of another version was dropped when the module was read."""
    if module.ignored_debug_info_version is not None:
        from bitcodec.upgrade.debug_info_stripping import ignored_debug_info  # noqa: PLC0415 - few modules need it

        warn(ignored_debug_info(module))


def note(message: str) -> None:
    """Print a note, one line."""
    echo(f"bitcodec: note: {one_line(message)}", err=True)


def _described(error: PlacedError, names: Names | None, found: FoundStream | None) -> str:
    place = [names.describe_block(block_id) if names else f"block {block_id}" for block_id in error.block_path]
    start = (found.offset or 0) if found else 0
    if found and found.stream.wrapper:
        start += found.stream.wrapper.offset
    inside = f" of the stream at byte {start}" if start else ""
    return f"{error.reason} (bit {error.bit_offset}{inside}, {block_trail(place)})"

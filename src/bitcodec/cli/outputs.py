"""Writing the output of a command: a file, or standard output."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.cli.declaring import option
from bitcodec.cli.names import encoded
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, reported, warn
from bitcodec.files import write_pieces, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "STANDARD_OUTPUT",
    "STANDARD_OUTPUT_NAME",
    "discard_output",
    "output_option",
    "print_bytes",
    "print_line",
    "print_text",
    "write",
    "write_text",
]

STANDARD_OUTPUT = "-"
STANDARD_OUTPUT_NAME = "standard output"
"""Its name in messages."""

output_option = option("-o", "--output", required=True, metavar="FILE", help="Output file; - is standard output.")


def write_text(path: str, pieces: Iterable[str]) -> None:
    """Write text to a file, which is replaced only when all is written, or to standard output, in pieces.

    Bytes that were not UTF-8 in the input are written unchanged.

    Raises:
        Failure: it cannot be written.
    """
    encoded_pieces = map(encoded, pieces)
    if path == STANDARD_OUTPUT:
        for piece in encoded_pieces:
            print_bytes(piece)
        print_bytes(b"", flush=True)
    else:
        with reported(path):
            write_pieces(path, encoded_pieces)


def write(path: str, data: bytes | memoryview, *, follow_links: bool = True) -> None:
    """Write `data` to a file, which is replaced only when all is written, or to standard output.

    Prints a warning if bitcode is written to a file that is named like assembly, as LLVM's tools do without a word.

    Args:
        path: the file.  A link that the user gives is followed, also one whose target does not exist.
        data: its content.
        follow_links: whether the user gave the path; see `bitcodec.files.write_pieces`.

    Raises:
        Failure: it cannot be written.
    """
    if path == STANDARD_OUTPUT:
        print_bytes(data, flush=True)
    else:
        with reported(path):
            write_whole(path, data, follow_links=follow_links)
        _check_name(path, data)


def _check_name(path: str, data: bytes | memoryview) -> None:
    from bitcodec.containers import ASSEMBLY_SUFFIX, FileKind, detect  # noqa: PLC0415 - `--version` writes nothing

    if path.endswith(ASSEMBLY_SUFFIX) and detect(data) in (FileKind.BITSTREAM, FileKind.WRAPPER):
        warn(f"{path}: contains bitcode, not assembly; `bitcodec dis` makes assembly of bitcode")


def print_bytes(data: bytes | memoryview, *, flush: bool = False) -> None:
    """Write `data` to standard output.

    Raises:
        Failure: it cannot be written.
    """
    with _printing():
        sys.stdout.buffer.write(data)
        if flush:
            sys.stdout.buffer.flush()


def print_text(text: str) -> None:
    """Write ASCII text to standard output, at once.

    Raises:
        Failure: it cannot be written.
    """
    with _printing():
        sys.stdout.write(text)
        sys.stdout.flush()


def print_line(line: str) -> None:
    """Write a line of text to standard output; colours are left out if it is not a terminal.

    Raises:
        Failure: it cannot be written.
    """
    with _printing():
        echo(line)


@contextmanager
def _printing() -> Iterator[None]:
    """Report errors as errors of standard output, whatever file is being read meanwhile."""
    try:
        yield
    except OSError as error:
        discard_output()
        raise Failure(f"{STANDARD_OUTPUT_NAME}: {error.strerror or error}") from error


def discard_output() -> None:
    """Discard further output, and output that is not flushed yet: standard output takes no more."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - to the end

"""Writing what the user asked for: a file, or standard output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from bitcodec.cli.names import encoded
from bitcodec.cli.problems import reported
from bitcodec.files import write_pieces, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["STANDARD_OUTPUT", "output_option", "write", "write_text"]

STANDARD_OUTPUT = "-"

output_option = click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where to write; - is standard output."
)


def write_text(path: str, pieces: Iterable[str]) -> None:
    """Write text to a file, which is replaced only when all is written, or to standard output, as it is made.

    Bytes that were no UTF-8 where they were read are written as they were.

    Raises:
        Failure: it cannot be written.
    """
    encoded_pieces = map(encoded, pieces)
    with reported(path):
        if path == STANDARD_OUTPUT:
            sys.stdout.buffer.writelines(encoded_pieces)
            sys.stdout.buffer.flush()
        else:
            write_pieces(path, encoded_pieces)


def write(path: str, data: bytes | memoryview) -> None:
    """Write `data` to a file, which is replaced only when all is written, or to standard output.

    Raises:
        Failure: it cannot be written.
    """
    with reported(path):
        if path == STANDARD_OUTPUT:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            write_whole(path, data)

"""Writing what the user asked for: a file, or standard output."""

from __future__ import annotations

import sys

import click

from bitcodec.cli.problems import reported
from bitcodec.files import write_whole

__all__ = ["STANDARD_OUTPUT", "output_option", "write"]

STANDARD_OUTPUT = "-"

output_option = click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where to write; - is standard output."
)


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

"""Parameters that are names of files: shells complete them, and standard input may replace one that is not given."""

from __future__ import annotations

from typing import Any

import click

from bitcodec.files import STANDARD_INPUT, has_stream

__all__ = ["FileName", "FileOrStream"]


class FileName(click.Path):
    """A name of a file or folder, taken unchanged: reading the file reports errors.

    Args:
        is_folder: whether only folders are completed.
    """

    def __init__(self, *, is_folder: bool = False) -> None:
        super().__init__(file_okay=not is_folder)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """Return the name."""
        return value


class FileOrStream(click.Argument):
    """An argument that is standard input if it is not given, unless that is a terminal."""

    def consume_value(self, ctx: click.Context, opts: Any) -> tuple[Any, Any]:
        """Return the value, and where it is from."""
        value, source = super().consume_value(ctx, opts)
        is_given = isinstance(value, str) or (isinstance(value, list | tuple) and len(value) > 0)
        if not is_given and has_stream():
            value = (STANDARD_INPUT,) if self.nargs == -1 else STANDARD_INPUT
        return value, source

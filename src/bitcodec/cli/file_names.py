"""The type of parameters that are names of files: shells complete them."""

from __future__ import annotations

from typing import Any

import click

__all__ = ["FileName"]


class FileName(click.Path):
    """A name of a file or folder, taken as it is: reading the file reports what is wrong with it.

    Args:
        is_folder: whether only folders are completed.
    """

    def __init__(self, *, is_folder: bool = False) -> None:
        super().__init__(file_okay=not is_folder)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """Return the name."""
        return value

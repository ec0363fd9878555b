"""Groups of commands whose files are imported when a command is used."""

from __future__ import annotations

import importlib
from typing import Any

import click

__all__ = ["LazyGroup"]


class LazyGroup(click.Group):
    """A group of commands, each in a file of its own that has its name.

    Args:
        package: where the files are.
        names: the commands, in the order of `--help`.
    """

    def __init__(self, *args: Any, package: str, names: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._package = package
        self._names = names

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, None if there is none of that name."""
        if cmd_name not in self._names:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"{self._package}.{name}"), name)
        return command if isinstance(command, click.Command) else None

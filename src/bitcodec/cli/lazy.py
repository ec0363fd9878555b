"""Groups of commands whose files are imported when a command is used."""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

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

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Take the arguments; what a message repeats of them is escaped."""
        with _escaped_messages():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what a message repeats of its arguments is escaped."""
        with _escaped_messages():
            return super().invoke(ctx)

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


@contextmanager
def _escaped_messages() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        error.message = one_line(error.message)  # type: ignore[misc]  # final for those who catch it
        raise

"""Groups of commands whose files are imported when a command is used."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from bitcodec.cli.problems import Failure
from bitcodec.cli.response_files import with_response_files
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.cli.declaring import Group

__all__ = ["LazyGroup"]


class LazyGroup(click.Group):
    """A group as click has it; its commands are imported when they are used.

    Args:
        declared: the group.
    """

    def __init__(self, *args: Any, declared: Group, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._declared = declared

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Take the arguments, those in files too; what a message repeats of them is escaped."""
        if parent is None:
            args = self._with_response_files(args)
        with _escaped_messages():
            return super().make_context(info_name, args, parent, **extra)

    def _with_response_files(self, args: list[str]) -> list[str]:
        try:
            return with_response_files(args)
        except Failure as failure:
            failure.show()
            raise SystemExit(failure.exit_code) from failure

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what a message repeats of its arguments is escaped."""
        try:
            with _escaped_messages():
                return super().invoke(ctx)
        except Failure as failure:
            failure.show()
            ctx.exit(failure.exit_code)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(self._declared.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, None if there is none of that name."""
        found = self._declared.find(cmd_name)
        return None if found is None else found.click_command


@contextmanager
def _escaped_messages() -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        error.message = one_line(error.message)  # type: ignore[misc]  # final for those who catch it
        raise

"""Groups of commands whose files are imported when a command is used."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from bitcodec.cli.problems import Failure, show_usage_error
from bitcodec.cli.response_files import with_response_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.cli.declaring import CommandGroup

__all__ = ["LazyGroup"]


_USUAL = ("info", "show")
"""Commands that show most of a file, one of each group."""


class LazyGroup(click.Group):
    """A group as click has it; its commands are imported when they are used.

    Args:
        declared: the group.
    """

    def __init__(self, *args: Any, declared: CommandGroup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._declared = declared

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Take the arguments, those in files too."""
        if parent is None:
            args = self._with_response_files(args)
        with _reported_usage(parent):
            return super().make_context(info_name, args, parent, **extra)

    def _with_response_files(self, args: list[str]) -> list[str]:
        try:
            return with_response_files(args)
        except Failure as failure:
            failure.show()
            raise SystemExit(failure.exit_code) from failure

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            with _reported_usage(ctx):
                return super().invoke(ctx)
        except Failure as failure:
            failure.show()
            ctx.exit(failure.exit_code)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(self._declared.names)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named first; if that is a file, the error shows where a command belongs."""
        if self._declared.find(args[0]) is None and Path(args[0]).is_file():
            usual = next((name for name in _USUAL if name in self._declared.names), "COMMAND")
            ctx.fail(f"expected a command before {args[0]!r}: {ctx.command_path} {usual} {args[0]}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, None if no member has that name."""
        found = self._declared.find(cmd_name)
        return None if found is None else found.click_command


_HELP_ERRORS: tuple[type[click.UsageError], ...] = tuple(
    getattr(click.exceptions, name) for name in ("NoArgsIsHelpError",) if hasattr(click.exceptions, name)
)
"""Errors of newer versions of click that print the help."""


class _ReportedUsageError(click.UsageError):
    """An error of usage, printed as all other errors are."""

    def __init__(self, error: click.UsageError, context: click.Context | None) -> None:
        super().__init__(error.format_message(), error.ctx)
        self._command_path = error.ctx.command_path if error.ctx else _command_path(context)

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 - click's signature
        """Print the error, and where the help is."""
        message = self.format_message().removesuffix(".")
        if message[1:2].islower():
            message = f"{message[0].lower()}{message[1:]}"
        show_usage_error(message, self._command_path)


def _command_path(context: click.Context | None) -> str:
    """Return the command that is run, with its groups: an option is read before its command gets a context."""
    if context is None:
        return "bitcodec"
    return f"{context.command_path} {context.invoked_subcommand or ''}".rstrip()


@contextmanager
def _reported_usage(context: click.Context | None) -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, (_ReportedUsageError, *_HELP_ERRORS)):
            raise
        raise _ReportedUsageError(error, context) from error

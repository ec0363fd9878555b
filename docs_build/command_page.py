"""The command reference: one page, made from the commands that `bitcodec.cli` declares."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

from bitcodec.cli import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command_page"]

_VERBATIM = "\b\n"
"""Click prints a paragraph that begins with this line as it is: the examples."""


def command_page() -> str:
    """Return the Markdown text of the page."""
    introduction = "# Commands\n\nThis page is made from the commands themselves; `--help` prints the same.\n"
    return "\n".join([introduction, *_sections(cli, None)])


def _sections(command: click.Command, parent: click.Context | None) -> Iterator[str]:
    context = click.Context(command, parent, info_name=command.name if parent else "bitcodec")
    yield _section(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            if subcommand is not None and not subcommand.hidden:
                yield from _sections(subcommand, context)


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    help_text = inspect.cleandoc(command.help or "")
    paragraphs = [_paragraph(text) for text in help_text.split("\n\n")]
    return "\n\n".join(
        [f"## {context.command_path}", f"```text\n{usage}\n```", *paragraphs, _options(command, context)]
    )


def _paragraph(text: str) -> str:
    if not text.startswith(_VERBATIM):
        return _escape(text)
    title, *lines = text.removeprefix(_VERBATIM).splitlines()
    return f"{title}\n\n```sh\n" + inspect.cleandoc("\n".join(["", *lines])) + "\n```"


def _options(command: click.Command, context: click.Context) -> str:
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    rows = [f"| `{_cell(names)}` | {_escape(_cell(purpose))} |" for names, purpose in filter(None, records)]
    return "\n".join(["| option | effect |", "| --- | --- |", *rows, ""])


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", r"\|")


def _escape(text: str) -> str:
    """Return text in which Markdown finds nothing to interpret."""
    return re.sub(r"([*_<>\[\]])", r"\\\1", text)

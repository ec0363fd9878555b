"""`bitcodec pcsections show`: what a module requests, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.inputs import reported_in
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.problems import Failure
from bitcodec.cli.rewriting import only_module
from bitcodec.cli.tables import print_table, short
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.constants import Constant
    from bitcodec.pcsections.metadata.checking import PCSectionsProblem
    from bitcodec.pcsections.metadata.surveying import Request

__all__ = ["show"]

_MOST_PROBLEMS = 50
"""Lines; JSON has all."""


@command(short_help="List the PC sections that a module requests.")
@argument("file")
@json_option
def show(file: str, *, as_json: bool) -> None:
    """Print the PC sections that the module in FILE requests, by function, and the problems of these requests.

    The exit code is 1 if LLVM would crash, or write sections that cannot be decoded.

    \b
    Examples:
      bitcodec pcsections show tagged.bc
      bitcodec pcsections show --json tagged.bc | jq '.sections'
    """
    from bitcodec.pcsections.metadata.checking import Severity, check  # noqa: PLC0415 - `--help` need not wait for it
    from bitcodec.pcsections.metadata.spelling import speller  # noqa: PLC0415
    from bitcodec.pcsections.metadata.surveying import survey  # noqa: PLC0415

    opened = only_module(file)
    with reported_in(file, opened.found):
        requests, problems = list(survey(opened.module)), check(opened.module)
    spell = speller(opened.module)
    if as_json:
        print_document("pcsections show", {"file": file, **_as_json(requests, problems, spell)})
    else:
        _print(file, requests, problems, spell)
    if any(problem.severity is Severity.ERROR for problem in problems):
        raise SystemExit(Failure.exit_code)


def _print(
    file: str, requests: Sequence[Request], problems: Sequence[PCSectionsProblem], spell: Callable[[Constant], str]
) -> None:
    if not requests:
        click.echo(one_line(f"{file}: requests no PC sections"))
    else:
        sections = _sections(requests)
        click.echo(one_line(f"{file}: requests {len(sections)} PC section{'s' * (len(sections) != 1)}"))
        titles = ("section", "functions", "instructions")
        print_table(titles, [(short(name), f"{counts[0]:,}", f"{counts[1]:,}") for name, counts in sections.items()])
        print_table(("function", "section", "who", "constants"), [_row(request, spell) for request in requests])
    for problem in problems[:_MOST_PROBLEMS]:
        click.echo(one_line(f"{problem.severity.value}: {problem}"))
    if len(problems) > _MOST_PROBLEMS:
        click.echo(f"... and {len(problems) - _MOST_PROBLEMS:,} problems more")


def _sections(requests: Sequence[Request]) -> dict[str, list[int]]:
    """Return how many functions and instructions request each section."""
    found: dict[str, list[int]] = {}
    for request in requests:
        counts = found.setdefault(request.section.name, [0, 0])
        counts[0] += request.of_function
        counts[1] += request.instructions
    return found


def _row(request: Request, spell: Callable[[Constant], str]) -> tuple[str, ...]:
    count = request.instructions
    who = "the function" if request.of_function else f"{count:,} instruction{'s' * (count != 1)}"
    constants = short(", ".join(map(spell, request.section.constants)))
    return short(request.function.name), short(request.section.spelling), who, constants


def _as_json(
    requests: Sequence[Request], problems: Sequence[PCSectionsProblem], spell: Callable[[Constant], str]
) -> dict[str, Any]:
    return {
        "sections": [
            {"section": name, "functions": counts[0], "instructions": counts[1]}
            for name, counts in _sections(requests).items()
        ],
        "requests": [
            {
                "function": request.function.name,
                "section": request.section.name,
                "options": request.section.options,
                "of_function": request.of_function,
                "instructions": request.instructions,
                "constants": [spell(constant) for constant in request.section.constants],
            }
            for request in requests
        ],
        "findings": [{"severity": problem.severity.value, "message": str(problem)} for problem in problems],
    }

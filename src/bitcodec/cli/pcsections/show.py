"""`bitcodec pcsections show`: the PC sections that modules request, and problems of these requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import reported_in
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.modules import modules_in_file
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Trouble, answering
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


@command(short_help="List the PC sections that modules request.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@json_option
@answering()
def show(files: tuple[str, ...], *, as_json: bool) -> None:
    """Print the PC sections that the modules in each FILE request, by function, and the problems of these requests.

    The exit code is 1 if LLVM would crash, or write sections that cannot be decoded, and 2 if a file could not be read.

    \b
    Examples:
      bitcodec pcsections show tagged.bc
      bitcodec pcsections show libfoo.a
      bitcodec pcsections show --json *.bc | jq '.modules[].sections'
    """
    from bitcodec.pcsections.metadata.checking import Severity, check  # noqa: PLC0415 - `--help` need not wait for it
    from bitcodec.pcsections.metadata.spelling import speller  # noqa: PLC0415
    from bitcodec.pcsections.metadata.surveying import survey  # noqa: PLC0415

    results: list[dict[str, Any]] = []
    all_files = Files(files)
    has_errors = False

    def show_modules(file: str) -> None:
        nonlocal has_errors
        for one in modules_in_file(file):
            with reported_in(file, one.found):
                one.module.materialize()
                requests, problems = list(survey(one.module)), check(one.module)
            spell = speller(one.module)
            if as_json:
                results.append({**one.place, **_as_json(requests, problems, spell)})
            else:
                _print(one.name, requests, problems, spell)
            has_errors |= any(problem.severity is Severity.ERROR for problem in problems)

    all_files.each(show_modules)
    if as_json:
        print_document("pcsections show", {"modules": results})
    all_files.finish(is_found=has_errors, trouble=Trouble.exit_code)


def _print(
    label: str, requests: Sequence[Request], problems: Sequence[PCSectionsProblem], spell: Callable[[Constant], str]
) -> None:
    if not requests:
        echo(one_line(f"{label}: requests no PC sections"))
    else:
        sections = _sections(requests)
        echo(one_line(f"{label}: requests {len(sections)} PC section{'s' * (len(sections) != 1)}"))
        titles = ("section", "functions", "instructions")
        print_table(titles, [(short(name), f"{counts[0]:,}", f"{counts[1]:,}") for name, counts in sections.items()])
        print_table(("function", "section", "who", "constants"), [_row(request, spell) for request in requests])
    for problem in problems[:_MOST_PROBLEMS]:
        echo(one_line(f"{problem.severity.value}: {problem}"))
    if len(problems) > _MOST_PROBLEMS:
        echo(f"... and {len(problems) - _MOST_PROBLEMS:,} problems more")


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

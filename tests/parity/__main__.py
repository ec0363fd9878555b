"""Print what differs between our modules and LLVM's."""

from __future__ import annotations

import re
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest does

import click
from tests import corpus
from tests.parity import bitcodec_view, goldens, llvmlite_view
from tests.parity.details import differences_of_details
from tests.parity.views import Difference, differences

import bitcodec

_NUMBER = re.compile(r"\b\d+\b")
"""What errors of one kind differ in: bit offsets, ids."""


class Outcome(NamedTuple):
    """What came of one file."""

    path: Path
    differences: list[Difference]
    error: str = ""
    trace: str = ""
    seconds: float = 0.0

    @property
    def word(self) -> str:
        return "our error" if self.error else "different" if self.differences else "equal"


def outcome_with_llvmlite(path: Path) -> Outcome:
    """Compare a file with what llvmlite makes of it."""
    data = path.read_bytes()
    theirs = llvmlite_view.view_of(data)
    start = perf_counter()
    try:
        ours = bitcodec_view.view_of(data)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        return _failed(path, error)
    return Outcome(path, list(differences(ours, theirs)), seconds=perf_counter() - start)


def outcome_with_golden(path: Path) -> Outcome:
    """Compare a file with the golden beside it."""
    start = perf_counter()
    try:
        ours = goldens.heads_of_module(bitcodec.loads(path.read_bytes()))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        return _failed(path, error)
    found = list(goldens.differences_of_heads(ours, goldens.heads_of_text(goldens.text_of(path))))
    return Outcome(path, found, seconds=perf_counter() - start)


def outcome_with_details(path: Path) -> Outcome:
    """Compare a file with the golden beside it, line by line: instructions, constants, types."""
    start = perf_counter()
    try:
        found = list(differences_of_details(bitcodec.loads(path.read_bytes()), goldens.text_of(path)))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        return _failed(path, error)
    return Outcome(path, found, seconds=perf_counter() - start)


def _failed(path: Path, error: Exception) -> Outcome:
    first_line = f"{type(error).__name__}: {error}".split("\n", 1)[0]
    return Outcome(path, [], first_line, traceback.format_exc())


COMPARISONS = {"llvmlite": outcome_with_llvmlite, "goldens": outcome_with_golden, "details": outcome_with_details}


def print_differences(outcome: Outcome, limit: int) -> None:
    for difference in outcome.differences[:limit]:
        print(f"  {difference}")
    if len(outcome.differences) > limit:
        print(f"  ... {len(outcome.differences) - limit} more")


def print_summary(outcomes: list[Outcome]) -> None:
    """Print how many files came out how, and what went wrong by kind, the most frequent first."""
    found = [(difference.kind, one.path.name) for one in outcomes for difference in one.differences]
    errors = [(_NUMBER.sub("N", one.error), one.path.name) for one in outcomes if one.error]
    print_table("differences by kind", found)
    print_table("our errors", errors)
    words = Counter(outcome.word for outcome in outcomes)
    counts = ", ".join(f"{words[word]} {word}" for word in ("equal", "different", "our error"))
    print(f"{len(outcomes)} files: {counts}; {sum(outcome.seconds for outcome in outcomes):.1f} s of ours")


def print_table(title: str, rows: Iterable[tuple[str, str]]) -> None:
    """Print what occurs how often, in how many files, and the first of those."""
    files: dict[str, list[str]] = defaultdict(list)
    for text, name in rows:
        files[text].append(name)
    if files:
        print(f"{title}:")
        for text, names in sorted(files.items(), key=lambda row: -len(set(row[1]))):
            print(f"{len(names):7} in {len(set(names)):3} files  {text}  ({names[0]})")
        print()


def corpus_files() -> list[Path]:
    return [corpus.FOLDER / file.path for file in corpus.streams() if goldens.is_of_one_module(file)]


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "every", is_flag=True, help="Compare every module of the corpus, and print the summary alone.")
@click.option("--one", metavar="NAME", help="Compare files of the corpus whose path holds NAME; all is printed.")
@click.option("--limit", default=5, help="How many differences of a file to print.")
@click.option("--traceback", "traces", is_flag=True, help="Print where our errors come from.")
@click.option("--against", type=click.Choice(list(COMPARISONS)), default="llvmlite", help="What to compare with.")
@click.option("--show", is_flag=True, help="Print the whole view that LLVM gives, compare nothing.")
def main(
    files: tuple[Path, ...],
    one: str | None,
    limit: int,
    against: str,
    *,
    every: bool,
    traces: bool,
    show: bool,
) -> None:
    paths = [*files, *(path for path in corpus_files() if every or (one and one in str(path)))]
    if show:
        for path in paths:
            show_view(path)
        return
    outcomes = []
    for path in paths:
        outcome = COMPARISONS[against](path)
        outcomes.append(outcome)
        if not every or (traces and outcome.error):
            print(f"{path.name}: {outcome.word}{': ' if outcome.error else ''}{outcome.error}")
        if not every:
            print_differences(outcome, 1 << 30 if one else limit)
        if traces and outcome.error:
            print(outcome.trace)
    if len(outcomes) != 1:
        print_summary(outcomes)
    sys.exit(any(outcome.word != "equal" for outcome in outcomes) or not outcomes)


def show_view(path: Path) -> None:
    """Print the view of a file as LLVM has it, a line for each part."""
    view = llvmlite_view.view_of(path.read_bytes())
    for variable in view.globals:
        print(*variable)
    for function in view.functions:
        print(*function[:-1])
        for block in function.blocks:
            print(f"  {block.name}:")
            for instruction in block.instructions:
                print("   ", *instruction[:-1], *(" ".join(operand) for operand in instruction.operands), sep=" | ")


main.help = __doc__

if __name__ == "__main__":
    main()

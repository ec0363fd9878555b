"""Sets of modules linked here and by llvm-link 22: the same text, the same messages.

`python -m linker.test_live 5000`, run in `tests`, compares as many sets.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

import bitcodec
from amounts import amount
from answers import ask
from bitcodec.linker import Linker, LinkError, LinkProblem, ProblemKind

from .generating import generate_set

LINK = "llvm-link-22"
SETS = 200
SETS_WITH_OPTIONS = 16
RARE = (889, 1811, 4395, 7131, 11204, 13152, 20376, 20595, 20777)
"""Sets in which rare rules apply: replaced comdats, functions that lost with their comdats, nodes that stay apart."""


@pytest.mark.parametrize("first", range(0, amount(100, SETS), 50))
def test_text_and_messages_are_those_of_llvm(first: int, tmp_path: Path) -> None:
    assert differing(range(first, first + 50), "", tmp_path) == []


def test_rare_rules(tmp_path: Path) -> None:
    assert [seed for seed in RARE if difference(seed, "", tmp_path)] == []


@pytest.mark.parametrize("option", ["only-needed", "internalize", "override"])
def test_options(option: str, tmp_path: Path) -> None:
    assert differing(range(1000, 1000 + SETS_WITH_OPTIONS), option, tmp_path) == []


def differing(seeds: range, option: str, folder: Path) -> list[int]:
    """Return the seeds of sets that differ from what llvm-link makes of them."""
    return [seed for seed in seeds if difference(seed, option, folder)]


def difference(seed: int, option: str, folder: Path) -> str:
    """Return how a set differs from what llvm-link makes of it, "" if it does not."""
    files = []
    for number, text in enumerate(generate_set(seed)):
        file = folder / f"{number}.ll"
        file.write_text(text)
        files.append(str(file))
    *others, last = files
    arguments = [*others, f"--override={last}"] if option == "override" else [*files, *[f"--{option}"] * bool(option)]
    command = [LINK, "-S", "--disable-verify", "-o", "-", *arguments]
    done = ask(command, keeps="digest")
    text, problems = linked(files, option)
    expected = done.stderr.decode()
    if done.returncode:
        return "" if expected.splitlines()[-1] in messages(problems) else f"expected {expected}"
    return "" if (text, messages(problems)) == (done.stdout.decode(), expected) else f"expected {expected}"


def linked(files: list[str], option: str = "") -> tuple[str, tuple[LinkProblem, ...]]:
    """Return the text of files linked, "" if there is an error, and all problems."""
    linker = Linker(only_needed=option == "only-needed", internalize=option == "internalize")
    try:
        for file in files[:-1]:
            linker.add(file)
        (linker.override if option == "override" else linker.add)(files[-1])
    except LinkError as error:
        return "", error.problems
    return bitcodec.print_assembly(linker.finish()), linker.problems


def messages(problems: tuple[LinkProblem, ...]) -> str:
    """Return problems as llvm-link prints them; it calls one of them an error that stops nothing."""
    are_errors = [problem.is_error or problem.kind is ProblemKind.NOT_CLONED for problem in problems]
    words = ["error" if is_error else "warning" for is_error in are_errors]
    return "".join(f"{word}: {problem}\n" for word, problem in zip(words, problems, strict=True))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for number in range(int(sys.argv[1])):
            found = difference(number, "", Path(made))
            if found:
                print(number, found)

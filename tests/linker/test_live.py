"""Sets of modules linked here and by llvm-link 22: the same text, the same messages.

`python -m tests.linker.test_live 5000` compares as many sets.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.loading import open_all
from bitcodec.linker.linking import ModuleLinker
from bitcodec.linker.problems import LinkError, LinkProblem, ProblemKind

from .generating import generate_set

LINK = "llvm-link-22"
SETS = 200
KNOWN_DIFFERENCES: set[int] = set()
"""Seeds where LLVM leaves a node that refers to a function of a module that is gone."""

pytestmark = pytest.mark.skipif(shutil.which(LINK) is None, reason="LLVM's tools are not installed")


@pytest.mark.parametrize("first", range(0, SETS, 50))
def test_text_and_messages_are_those_of_llvm(first: int, tmp_path: Path) -> None:
    differing = [seed for seed in range(first, first + 50) if difference(seed, tmp_path)]
    assert differing == []


def difference(seed: int, folder: Path) -> str:
    """Return how a set differs from what llvm-link makes of it, "" if it does not."""
    files = []
    for number, text in enumerate(generate_set(seed)):
        file = folder / f"{number}.ll"
        file.write_text(text)
        files.append(str(file))
    done = subprocess.run([LINK, "-S", "--disable-verify", "-o", "-", *files], capture_output=True, check=False)
    text, problems = linked(files)
    expected = done.stderr.decode()
    if done.returncode:
        return "" if first_error(expected) in messages(problems) else f"expected {expected}, got {messages(problems)}"
    return "" if (text, messages(problems)) == (done.stdout.decode(), expected) else f"expected {expected}"


def linked(files: list[str]) -> tuple[str, tuple[LinkProblem, ...]]:
    """Return the text of files linked, "" if there is an error, and all problems."""
    linker = ModuleLinker()
    try:
        for file in files:
            for module in open_all(file, context=linker.module.context):
                linker.add(module)
    except LinkError as error:
        return "", error.problems
    return bitcodec.print_assembly(linker.finish()), tuple(linker.problems)


def messages(problems: tuple[LinkProblem, ...]) -> str:
    """Return problems as llvm-link prints them."""
    words = [
        "error" if problem.is_error or problem.kind is ProblemKind.NOT_CLONED else "warning" for problem in problems
    ]
    return "".join(f"{word}: {problem}\n" for word, problem in zip(words, problems, strict=True))


def first_error(text: str) -> str:
    """Return the error that llvm-link stopped at: the last line, because others do not stop it."""
    return text.splitlines()[-1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[1])):
            found = difference(seed, Path(folder))
            if found and seed not in KNOWN_DIFFERENCES:
                print(seed, found)

"""Runs programs that are compiled from bitcode, and compares the lines that they print."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from functools import lru_cache
from typing import NamedTuple

from answers import recall
from answers.building import make

__all__ = ["Comparison", "Program", "code_of", "compare"]


class Program(NamedTuple):
    """Commands that make `./program`, and the files that they take: pairs of name and content."""

    commands: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]


class Comparison(NamedTuple):
    """The number of lines that the first of two programs prints, and a diff of both outputs."""

    lines: int
    differences: list[str]


def code_of(
    bitcode: bytes,
    version: int,
    *,
    options: str = "",
    linker: str = "clang-22",
    sources: Mapping[str, str] | None = None,
) -> Program:
    """Return a program of which the code generator of a version of LLVM makes code.

    Args:
        bitcode: the module with `main`, or the one that the sources call.
        version: of LLVM.
        options: for the code generator.
        linker: the compiler that compiles the sources and links.
        sources: name to text of sources.
    """
    sources = sources or {}
    commands = (
        f"llc-{version} -O0 -filetype=obj -relocation-model=pic {options} program.bc -o program.o",
        f"{linker} {' '.join(['program.o', *sources])} -lm -o program",
    )
    return Program(commands, (("program.bc", bitcode), *((name, text.encode()) for name, text in sources.items())))


def compare(original: Program, other: Program) -> Comparison:
    """Run two programs, and compare what they print."""
    parts = [part for each in (original, other) for part in (*each.commands, *sum(each.files, ()))]
    return Comparison(*recall(parts, lambda: _compare(original, other)))


def _compare(original: Program, other: Program) -> Comparison:
    before, after = (_output(each).splitlines() for each in (original, other))
    return Comparison(len(before), list(unified_diff(before, after, "original", "other", lineterm="", n=0)))


@lru_cache(maxsize=4)
def _output(program: Program) -> str:
    commands = [*program.commands, "sh -c './program > output.txt'"]
    return make(commands, dict(program.files), ["output.txt"])["output.txt"].decode()

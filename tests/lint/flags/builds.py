"""Random builds: consistent ones, and pairs of which one input was compiled with another option."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

import bitcodec
from bitcodec.lint import FlagLinter, FlagReport

from .compilers import compiled
from .options import LANGUAGES, TARGETS, axes_for
from .reasons import HARMLESS

__all__ = ["Build", "compile_build", "consistent_build", "lint", "odd_build"]

_NAMES = "abc"


class Build(NamedTuple):
    """The inputs of a link.

    Attributes:
        version: of clang.
        target: triple.
        language: of all sources.
        options: for each input.
    """

    version: int
    target: str
    language: str
    options: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        options = " | ".join(" ".join(each) for each in dict.fromkeys(self.options))
        return f"clang {self.version} --target={self.target} -x {self.language}: {options}"


def consistent_build(number: int, versions: list[int]) -> Build:
    """Return a build with the same options for all inputs."""
    rng = random.Random(number)
    version, target = rng.choice(versions), rng.choice(TARGETS)
    language = _language(rng, target)
    options = _options(rng, target, language)
    return Build(version, target, language, (options,) * rng.choice((2, 2, 3)))


def odd_build(number: int, versions: list[int]) -> tuple[Build, str]:
    """Return a build of two inputs that differ in one choice, and the name of the choice."""
    rng = random.Random(number)
    while True:
        version, target = rng.choice(versions), rng.choice(TARGETS)
        language = _language(rng, target)
        axes = [axis for axis in axes_for(target, language) if axis.name not in HARMLESS]
        axis = rng.choice(axes)
        common = tuple(each for each in _options(rng, target, language) if each not in axis.choices)
        first = rng.choice(axis.choices)
        second = rng.choice(("", *axis.choices))
        if first != second:
            return Build(version, target, language, ((*common, first), (*common, *[second] * bool(second)))), axis.name


def _language(rng: random.Random, target: str) -> str:
    if "apple" in target and rng.random() < 0.5:
        return "objective-c"
    if re.search("linux|windows", target) and rng.random() < 0.4:
        return "c++"
    return "objective-c" if target == "x86_64-linux-gnu" and rng.random() < 0.1 else "c"


def _options(rng: random.Random, target: str, language: str) -> tuple[str, ...]:
    axes = axes_for(target, language)
    return tuple(rng.choice(axis.choices) for axis in axes if rng.random() * 100 < axis.weight)


def compile_build(build: Build) -> list[bytes] | None:
    """Return the bitcode of each input; None if this clang refuses the options of one."""
    made = []
    for index, options in enumerate(build.options):
        following = _NAMES[(index + 1) % len(build.options)]
        source = LANGUAGES[build.language].format(name=_NAMES[index], next=following, number=index + 2)
        words = [f"--target={build.target}", *(word for each in options for word in each.split())]
        data = compiled(build.version, words, build.language, source)
        if data is None:
            return None
        made.append(data)
    return made


def lint(inputs: list[bytes]) -> FlagReport:
    """Return what `bitcodec flags lint` finds."""
    linter = FlagLinter()
    for name, data in zip(_NAMES, inputs, strict=False):
        for part, module in enumerate(bitcodec.loads_all(data, f"{name}.bc")):  # -fsplit-lto-unit writes two
            linter.add(module, f"{name}.bc{part or ''}")
    return linter.report()

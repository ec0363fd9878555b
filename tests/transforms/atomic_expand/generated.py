"""Random functions as `opt` expands them, and as they are expanded here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import NamedTuple

import bitcodec

from .comparing import comparable
from .generating import module_text
from .live import opt
from .targets import Tried

_BATCH = 500
_WIDE = re.compile(r"atomicrmw.* (i128|fp128|<4 x float>) .*align 16")
"""What `opt` fails on for PowerPC."""


class Result(NamedTuple):
    """What came of a comparison.

    Attributes:
        equal: how many functions are the same.
        different: the others.
        refused: those on which `opt` crashes, or leaves what its verifier rejects.
        texts: of the functions that differ: the source, that of `opt`, and that here.
    """

    equal: int
    different: list[str]
    refused: list[str]
    texts: dict[str, tuple[str, str, str]]

    def shown(self, name: str) -> str:
        """Return how a function differs."""
        source, theirs, ours = self.texts[name]
        lines = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "opt", "here", lineterm="", n=30)
        return "\n".join([source, *lines])


def compare(target: Tried, seed: int, count: int) -> Result:
    """Compare functions for a target; what `opt` fails on is found by halving."""
    result = Result(0, [], [], {})
    for start in range(0, count, _BATCH):
        functions = dict(enumerate(target.function_texts(seed + start, min(_BATCH, count - start))))
        result = _compare(target, functions, f"{seed + start}:", result)
    return result


def _halves(functions: Mapping[int, str]) -> tuple[list[int], list[int]]:
    """Return the numbers of functions in two parts: one has those on which `opt` fails most often."""
    wide = [number for number, text in functions.items() if _WIDE.search(text)]
    if 0 < len(wide) < len(functions):
        return wide, [number for number in functions if number not in wide]
    numbers = [*functions]
    return numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]


def _compare(target: Tried, functions: Mapping[int, str], batch: str, result: Result) -> Result:
    data = bitcodec.dumps(bitcodec.parse_assembly(module_text(functions, target.head)))
    expanded = opt(data, "-passes=atomic-expand,verify", *target.options)
    if expanded is None:
        if len(functions) == 1:
            return result._replace(refused=[*result.refused, *(f"{batch}f{number}" for number in functions)])
        for half in _halves(functions):
            result = _compare(target, {number: functions[number] for number in half}, batch, result)
        return result
    module = bitcodec.loads(data)
    target.expand(module)
    theirs, ours = comparable(bitcodec.loads(expanded)), comparable(bitcodec.loads(bitcodec.dumps(module)))
    texts = {
        f"{batch}f{number}": (text, theirs[0][f"f{number}"], ours[0][f"f{number}"])
        for number, text in functions.items()
        if theirs[0][f"f{number}"] != ours[0][f"f{number}"]
    }
    if not texts and theirs[1] != ours[1]:
        raise AssertionError(f"{target}: declarations differ: {set(theirs[1]) ^ set(ours[1])}")
    return Result(
        result.equal + len(functions) - len(texts),
        [*result.different, *texts],
        result.refused,
        {**result.texts, **texts},
    )

"""Random functions as `opt` expands them, and as they are expanded here."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

import bitcodec

from .comparing import comparable
from .generating import module_text
from .live import opt
from .targets import Tried

_BATCH = 500
_REPEATED = re.compile(r"^(  fence seq_cst.*\n)\1+", re.MULTILINE)
"""What `opt` puts behind a store for Windows each time that it comes by, which is once for each block that it makes."""
_FUNCTION = re.compile(r"^define [^\n]*@(\w+)\(.*?^}\n", re.MULTILINE | re.DOTALL)


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
        size = min(_BATCH, count - start)
        text = module_text(seed + start, size, target.head)
        names = [f"f{number}" for number in range(size)]
        result = _compare(target, text, names, f"{seed + start}:", result)
    return result


def _compare(target: Tried, text: str, names: list[str], batch: str, result: Result) -> Result:
    data = bitcodec.dumps(bitcodec.parse_assembly(_only(text, names)))
    expanded = opt(data, "-passes=atomic-expand,verify", *target.options)
    if expanded is None:
        if len(names) == 1:
            return result._replace(refused=[*result.refused, batch + names[0]])
        half = len(names) // 2
        return _compare(target, text, names[half:], batch, _compare(target, text, names[:half], batch, result))
    module = bitcodec.loads(data)
    target.expand(module)
    theirs, ours = comparable(bitcodec.loads(expanded)), comparable(bitcodec.loads(bitcodec.dumps(module)))
    if "msvc" in target.triple:
        theirs = {name: _REPEATED.sub(r"\1", function) for name, function in theirs[0].items()}, theirs[1]
    different = [name for name in names if theirs[0][name] != ours[0][name]]
    if not different and theirs[1] != ours[1]:
        raise AssertionError(f"{target}: declarations differ: {set(theirs[1]) ^ set(ours[1])}")
    sources = {found[1]: found[0] for found in _FUNCTION.finditer(text)}
    texts = {batch + name: (sources[name], theirs[0][name], ours[0][name]) for name in different}
    return Result(
        result.equal + len(names) - len(different),
        result.different + [batch + name for name in different],
        result.refused,
        {**result.texts, **texts},
    )


def _only(text: str, names: list[str]) -> str:
    wanted = set(names)
    return _FUNCTION.sub(lambda found: found[0] if found[1] in wanted else "", text)

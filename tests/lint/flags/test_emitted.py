"""Every module flag that clang 12 to 24 write is known, with its type, its behaviors and its values.

`emitted.txt` is made by `make_emitted`, from the output of the compilers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from answers import recall
from bitcodec.flags import KNOWN_FLAGS, Behavior

from .compilers import VERSIONS
from .make_emitted import combinations, flags_of, text_of

EMITTED = Path(__file__).parent / "emitted.txt"


class Row(NamedTuple):
    """A flag that clang writes."""

    key: str
    types: tuple[str, ...]
    behaviors: dict[Behavior, str]
    values: list[str]


def rows() -> Iterator[Row]:
    for line in EMITTED.read_text().splitlines():
        if line and not line.startswith("#"):
            key, types, forms, *values = line.split("\t")
            pairs = (form.split(": ") for form in forms.split("; "))
            behaviors = {Behavior(int(behavior)): spans for behavior, spans in pairs}
            yield Row(key, tuple(types.split()), behaviors, json.loads(f"[{values[0]}]") if values else [])


@pytest.mark.parametrize("row", [pytest.param(row, id=row.key) for row in rows()])
def test_what_clang_writes_is_known(row: Row) -> None:
    known = KNOWN_FLAGS[row.key]

    assert set(row.behaviors) <= {known.behavior, *known.other_behaviors}
    assert any(each == known.type or each.startswith("i") for each in row.types)
    first = min(int(re.match(r"\d+", spans)[0]) for spans in row.behaviors.values())  # type: ignore[index]
    assert not known.since or min(float(since) for since in (known.since, *dict(known.since_on).values())) <= first
    last = [spans for spans in row.behaviors.values() if spans.endswith("-")]
    assert bool(known.until) == (not last)
    assert all(known.meaning_of(value) for value in row.values if known.values)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_list_is_what_clang_writes(version: int) -> None:
    known = {row.key: row for row in rows()}
    for target, options, language in list(combinations())[version::389]:
        for behavior, key in flags(version, target, options, language):
            assert Behavior(behavior) in known[key].behaviors, (target, options)


def flags(version: int, target: str, options: str, language: str) -> list[tuple[int, str]]:
    """Return behavior and key of the flags that a clang writes."""

    def compute() -> list[list[int | str]]:
        return [[behavior, key] for behavior, key, _ in flags_of(text_of(version, target, options, language))]

    return [
        (behavior, key) for behavior, key in recall([f"clang-{version}", "flags", target, options, language], compute)
    ]

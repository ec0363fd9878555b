"""Merging is what `llvm-link` 22 did when the goldens were made: see `make_goldens`."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from .make_goldens import GOLDENS
from .outcomes import Outcome, ours
from .text import parsed

CASES = json.loads(gzip.decompress(GOLDENS.read_bytes()))


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_merging_is_what_llvm_link_did(case: dict[str, Any]) -> None:
    modules = [parsed(text) for text in case["modules"]]
    assert ours(modules) == Outcome(case["flags"], case["messages"])


def test_they_are_of_all_kinds() -> None:
    messages = "\n".join(message for case in CASES for message in case["messages"])
    for words in ("behaviors", "override values", "values: ", "values ('", "the required value"):
        assert words in messages
    assert sum(not case["messages"] for case in CASES) > len(CASES) // 5

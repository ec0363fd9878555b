"""Expansions are those that `opt` of LLVM 22 made when the goldens were written."""

from __future__ import annotations

import gzip
import json

import pytest

from .cases import whole_grid
from .live import ours
from .make_goldens import GOLDENS
from .targets import TRIED, Tried


@pytest.fixture(scope="module")
def goldens() -> dict[str, dict[str, str]]:
    return json.loads(gzip.decompress(GOLDENS.read_bytes()))


@pytest.mark.parametrize("target", TRIED, ids=str)
def test_goldens(target: Tried, goldens: dict[str, dict[str, str]]) -> None:
    expected = goldens[str(target)]
    cases = [case for case in whole_grid() if str(case) in expected]
    assert len(cases) == len(expected) > 50
    found, _ = ours(target, cases)
    for index, case in enumerate(cases):
        text = expected[str(case)].partition("\n")[2]
        assert found[f"f{index}"].partition("\n")[2] == text, case

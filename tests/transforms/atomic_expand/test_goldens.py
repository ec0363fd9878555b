"""Expansions are those that `opt` of LLVM 22 made when the goldens were written."""

from __future__ import annotations

import gzip
import json

import pytest

import bitcodec
from amounts import some

from .cases import whole_grid
from .comparing import comparable
from .generating import module_text
from .live import ours
from .make_goldens import AMDGPU, GOLDENS, RANDOM
from .targets import RECORDED, TRIED, Tried


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


@pytest.fixture(scope="module")
def random_functions() -> dict[str, dict[str, list[str]]]:
    known = [json.loads(gzip.decompress(file.read_bytes())) for file in (RANDOM, AMDGPU)]
    return known[0] | known[1]


@pytest.mark.parametrize("target", some(RECORDED, 16), ids=str)
def test_random_functions(target: Tried, random_functions: dict[str, dict[str, list[str]]]) -> None:
    expected = random_functions[str(target)]
    assert len(expected) > 10
    texts = {int(name[1:]): text for name, (text, _) in expected.items()}
    module = bitcodec.parse_assembly(module_text(texts, target.head))
    target.expand(module)
    found, _ = comparable(bitcodec.loads(bitcodec.dumps(module)))
    assert {name: found[name] for name in expected} == {name: text for name, (_, text) in expected.items()}

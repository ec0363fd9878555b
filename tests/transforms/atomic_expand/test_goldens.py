"""Expansions are those that `opt` of LLVM 22 made when the goldens were written."""

from __future__ import annotations

import gzip
import hashlib
import json
from itertools import product

import pytest

import bitcodec
from amounts import some
from answers import recall

from .cases import Case, whole_grid
from .comparing import comparable
from .differences import is_listed
from .generating import module_text
from .live import ours, theirs
from .make_goldens import AMDGPU, GOLDENS, RANDOM
from .targets import OTHERS, RECORDED, TRIED, Tried


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


FEW = [
    *(Case("load", type_, "acquire") for type_ in ("i8", "i32", "i64", "i128")),
    *(Case("store", type_, "seq_cst") for type_ in ("i8", "i32", "i64", "i128")),
    *(
        Case("atomicrmw", type_, "acq_rel", name)
        for type_, name in product(("i8", "i32", "i64"), ("xchg", "add", "nand"))
    ),
    Case("atomicrmw", "float", "monotonic", "fadd"),
    *(Case("cmpxchg", type_, "seq_cst", "", "acquire") for type_ in ("i8", "i32", "i64", "i128")),
]
"""A case of each kind and size, for targets without goldens; AMDGPU has those of `amdgpu.json.gz`."""


@pytest.mark.parametrize("target", [each for each in OTHERS if each not in RECORDED and not each.is_amdgpu], ids=str)
def test_other_targets(target: Tried) -> None:
    cases = [case for case in FEW if not is_listed(target, case)]

    def expected() -> list[str]:
        found = theirs(target, cases)
        assert found is not None, "opt crashes"
        return digests(found[0])

    assert digests(ours(target, cases)[0]) == recall(
        ["opt-22 atomic-expand", *target.options, *map(str, cases)], expected
    )


def digests(functions: dict[str, str]) -> list[str]:
    """Return the beginnings of the SHA-256 of functions; `test_live.py` shows what differs."""
    return [hashlib.sha256(text.encode()).hexdigest()[:8] for text in functions.values()]

"""Encodings are what `llc` 22 wrote, for constants of all kinds on all kinds of processors; no LLVM is needed."""

from __future__ import annotations

import functools

import pytest

from bitcodec.pcsections.encoding.encode import EncodedSection
from bitcodec.pcsections.encoding.targets import Target

from . import objects
from .backends import Backend
from .encoding_cases import BODIES, TARGETS, bodies_for, goldens

FOUND = goldens()


@functools.cache
def encoded(backend: Backend) -> dict[str, EncodedSection]:
    module = backend.module(bodies_for(backend))
    codes = {name: objects.Code(*code) for name, code in FOUND[backend.triple]["codes"].items()}
    return objects.expected(module, Target.of_module(module), codes)


@pytest.fixture(scope="module", params=TARGETS, ids=lambda backend: backend.triple)
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


@pytest.mark.parametrize("number", range(len(BODIES)))
def test_sections_are_those_of_llc(backend: Backend, number: int) -> None:
    golden = FOUND[backend.triple]
    symbols = {name: objects.Symbol(*symbol) for name, symbol in golden["symbols"].items()}
    names = [name for name in golden["sections"] if name[1:] == str(number)]
    ours = {name: objects.told(section, symbols) for name, section in encoded(backend).items()}
    assert names
    for name in names:
        data, rows = golden["sections"][name]
        assert ours[name].data.hex() == data
        assert [list(row) for row in ours[name].rows] == [
            [offset, tuple(types), tuple(place), addend] for offset, types, place, addend in rows
        ]


def test_all_sections_are_there(backend: Backend) -> None:
    assert encoded(backend).keys() == FOUND[backend.triple]["sections"].keys()

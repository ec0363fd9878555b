"""Sections are read the same whether the loops that read them are compiled or interpreted."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.decoding import locating, matching, reading
from bitcodec.pcsections.decoding.decode import decode
from bitcodec.pcsections.schemas.schema import Schema

from .readings import Made, made_sections

FOLDER = Path(reading.__file__).parent

pytestmark = pytest.mark.skipif(not matching.COMPILED, reason="this install has no compiled modules")


@contextmanager
def put_in(name: str, module: ModuleType | None) -> Iterator[None]:
    """Have imports of a name give a module; None bars them."""
    there = sys.modules.get(name)
    sys.modules[name] = module  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if there is not None:
            sys.modules[name] = there


def from_source(name: str) -> ModuleType:
    """Return one of the compiled modules from its source, without Cython."""
    loader = SourceFileLoader(f"interpreted_{name}", str(FOLDER / f"{name}.py"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    with put_in("cython", None):
        loader.exec_module(module)
    return module


@cache
def interpreted() -> ModuleType:
    """Return the loops from their source."""
    with put_in(locating.__name__, from_source("locating")):
        return from_source("matching")


@contextmanager
def form(module: ModuleType) -> Iterator[None]:
    installed = reading.Matcher
    reading.Matcher = module.Matcher  # type: ignore[misc]
    try:
        yield
    finally:
        reading.Matcher = installed  # type: ignore[misc]


def outcome(made: Made, data: bytes, *, knows_code: bool) -> object:
    try:
        section = decode(
            data,
            made.address,
            Schema.of(made.schema, layout=made.layout),
            byte_order=made.target.byte_order,
            pc_size=made.target.pc_size,
            pointer_size=made.target.pointer_size,
            functions=made.functions if knows_code else (),
        )
    except PCSectionsError as error:
        return str(error)
    columns = section.columns
    return section.is_ambiguous, [getattr(columns, name).tolist() for name in columns.__match_args__]


def test_each_form_is_what_it_says() -> None:
    assert locating.COMPILED
    assert not interpreted().COMPILED
    assert interpreted().Locator is not locating.Locator
    assert str(interpreted().__file__) == str(FOLDER / "matching.py")


@given(made_sections(), st.data(), st.booleans())
@settings(max_examples=80)
def test_both_forms_agree(made: Made, draw: st.DataObject, knows_code: bool) -> None:
    data = bytearray(made.data)
    for _ in range(draw.draw(st.integers(0, 3)) if data else 0):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    compiled = outcome(made, bytes(data), knows_code=knows_code)
    with form(interpreted()):
        assert outcome(made, bytes(data), knows_code=knows_code) == compiled

"""The compiled and the interpreted form: the same values, the same errors, the same positions."""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from random import Random
from typing import Any

import pytest

from amounts import amount
from corpus import File, parameters, streams

from .forms import COMPILED_MODULES, Form, installed, interpreted
from .mutating import mutated
from .outcomes import Outcome, described, outcome
from .random_streams import StreamMaker

Forms = tuple[Form, Form]


@pytest.mark.parametrize("name", COMPILED_MODULES)
def test_each_form_is_what_it_says(both_forms: Forms, name: str) -> None:
    modules = [getattr(form, name) for form in both_forms]
    assert [module.COMPILED for module in modules] == [True, False]
    assert modules[0].__file__.endswith(tuple(EXTENSION_SUFFIXES))
    assert modules[1].__file__.endswith(tuple(SOURCE_SUFFIXES))


def test_they_share_no_class(both_forms: Forms) -> None:
    """Otherwise one would be compared with itself."""
    compiled, source = both_forms
    for name in ("Cursor", "Bitstream", "Block", "Columns", "Draft", "Writer"):
        assert getattr(compiled, name) is not getattr(source, name)
    assert compiled.errors is not source.errors


def test_the_package_says_which_form_it_is() -> None:
    assert (installed().name == "compiled") == installed().COMPILED
    assert interpreted().COMPILED is False


@pytest.mark.parametrize("file", parameters(streams()))
def test_the_corpus(both_forms: Forms, file: File) -> None:
    data = file.data
    compiled, source = (outcome(form, data) for form in both_forms)
    assert compiled == source


def groups_of_seeds(count: int) -> list[range]:
    return [range(first, first + 25) for first in range(0, amount(count // 4, count), 25)]


def assert_same(use: Callable[[Form, int], object], forms: Forms, seeds: range) -> None:
    for seed in seeds:
        compiled, source = (use(form, seed) for form in forms)
        assert compiled == source, f"seed {seed}"


def use_stream(form: Form, seed: int) -> Outcome:
    found = outcome(form, StreamMaker(Random(seed)).data)
    assert found["error"] is None, f"seed {seed}"
    return found


@pytest.mark.parametrize("seeds", groups_of_seeds(150))
def test_streams_at_random(both_forms: Forms, seeds: range) -> None:
    assert_same(use_stream, both_forms, seeds)


def use_changed_stream(form: Form, seed: int) -> Outcome:
    random = Random(seed)
    return outcome(form, mutated(StreamMaker(random).data, random))


@pytest.mark.parametrize("seeds", groups_of_seeds(300))
def test_streams_at_random_with_bits_changed(both_forms: Forms, seeds: range) -> None:
    assert_same(use_changed_stream, both_forms, seeds)


def use_cursor(form: Form, seed: int) -> list[Any]:
    """Return what a row of calls gave, and where the cursor stood after each."""
    random = Random(seed)
    cursor = form.Cursor(random.randbytes(random.randint(0, 60)))
    seen: list[Any] = []
    for _ in range(40):
        calls: list[tuple[str, list[int]]] = [
            ("read_fixed", [random.randint(-1, 66)]),
            ("read_fixed", [random.randint(0, 64)]),
            ("read_vbr", [random.randint(0, 34)]),
            ("read_vbr", [random.randint(2, 32)]),
            ("read_char6", []),
            ("align32", []),
            ("skip_to", [random.randint(-5, 500)]),
        ]
        name, arguments = random.choice(calls)
        try:
            seen.append(getattr(cursor, name)(*arguments))
        except (form.errors.BitstreamError, ValueError) as error:
            seen.append(described(error))
        seen.append(cursor.bit_offset)
    return seen


@pytest.mark.parametrize("seeds", groups_of_seeds(200))
def test_cursors(both_forms: Forms, seeds: range) -> None:
    assert_same(use_cursor, both_forms, seeds)


def use_writer(form: Form, seed: int) -> list[Any]:
    """Return what a row of calls gave, and what had been written after each."""
    random = Random(seed)
    writer = form.bitwriter.BitWriter()
    source = memoryview(random.randbytes(64))
    marks = [0]
    seen: list[Any] = []
    for _ in range(40):
        start, end = sorted(random.choices(range(513), k=2))
        calls: list[tuple[str, list[Any]]] = [
            ("write_fixed", [random.getrandbits(random.randint(0, 64)), random.randint(-1, 65)]),
            ("write_fixed", [random.getrandbits(8), random.randint(8, 64)]),
            ("write_vbr", [random.getrandbits(random.randint(0, 64)), random.randint(0, 34)]),
            ("write_vbr", [random.getrandbits(64), random.randint(2, 32)]),
            ("write_bytes", [random.randbytes(random.randint(0, 9))]),
            ("copy_bits", [source, start, end]),
            ("align32", []),
            ("rewind", [random.choice([mark for mark in marks if mark <= writer.bit_offset])]),
        ]
        name, arguments = random.choice(calls)
        try:
            seen.append(getattr(writer, name)(*arguments))
        except (form.errors.EncodingError, ValueError) as error:
            seen.append(described(error))
        marks.append(writer.bit_offset)
        seen += [writer.bit_offset, writer.getvalue()]
    return seen


@pytest.mark.parametrize("seeds", groups_of_seeds(200))
def test_writers(both_forms: Forms, seeds: range) -> None:
    assert_same(use_writer, both_forms, seeds)


def use_records(form: Form, seed: int) -> list[Any]:
    """Return what came of writing records by abbreviations that may not suit them."""
    random = Random(seed)
    operands = [form.literal(3), form.fixed(0), form.fixed(5), form.fixed(32), form.vbr(0), form.vbr(1), form.vbr(6)]
    operands += [form.char6, form.array, form.blob]
    seen: list[Any] = []
    writer = form.Writer()
    with writer.block(8, width=6):
        for _ in range(12):
            abbreviation = form.Abbreviation.of(*random.choices(operands, k=random.randint(0, 4)))
            values = [random.choice([0, 3, 97, random.getrandbits(64)]) for _ in range(random.randint(0, 3))]
            blob = random.choice([None, None, b"", b"bytes"])
            try:
                number = writer.define(abbreviation)
                writer.record(random.choice([0, 3, 97]), values, abbreviation_id=number, blob=blob)
                seen.append("written")
            except form.errors.EncodingError as error:
                seen.append(described(error))
            seen.append(writer.bit_offset)
    return [*seen, writer.getvalue()]


@pytest.mark.parametrize("seeds", groups_of_seeds(200))
def test_records(both_forms: Forms, seeds: range) -> None:
    assert_same(use_records, both_forms, seeds)

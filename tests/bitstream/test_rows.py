"""Records that are collected: they are written as the same records one by one are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .forms import Form

FIXED_AND_ARRAY, UNABBREVIATED = 4, 3
operands = st.integers(0, 7) | st.integers(0, 2**64 - 1)
records = st.tuples(st.integers(0, 2**32 - 1), st.lists(operands, max_size=5), st.just(UNABBREVIATED)) | st.tuples(
    st.just(9), st.lists(st.integers(0, 7), min_size=1, max_size=5), st.just(FIXED_AND_ARRAY)
)


def collected(form: Form, made: list[tuple[int, list[int], int]]) -> Any:
    rows = form.rows.Rows()
    for code, values, abbreviation_id in made:
        rows.add(code, values, abbreviation_id)
    return rows


def stream(form: Form, made: list[tuple[int, list[int], int]], *, at_once: bool) -> bytes:
    writer = form.Writer()
    with writer.block(8, width=3):
        writer.define(form.Abbreviation.of(9, form.fixed(3), form.array, form.vbr(4)))
        if at_once:
            writer.rows(collected(form, made))
        else:
            for code, values, abbreviation_id in made:
                writer.record(code, values, abbreviation_id=abbreviation_id)
    return bytes(writer.getvalue())


@given(made=st.lists(records, max_size=30))
def test_they_are_written_as_one_by_one(form: Form, made: list[tuple[int, list[int], int]]) -> None:
    assert stream(form, made, at_once=True) == stream(form, made, at_once=False)


@given(made=st.lists(records, max_size=30))
def test_they_can_be_read_back(form: Form, made: list[tuple[int, list[int], int]]) -> None:
    rows = collected(form, made)
    for _ in range(2):
        assert len(rows) == len(made)
        assert rows.all_codes() == [code for code, _, _ in made]
        assert [rows.record(row) for row in range(len(rows))] == [(code, values) for code, values, _ in made]
        rows.pack()
    rows.add(7, [1, 2])
    assert rows.record(len(made)) == (7, [1, 2])


@pytest.mark.parametrize("row", [-1, 1])
def test_a_record_that_is_not_there(form: Form, row: int) -> None:
    with pytest.raises(IndexError, match=f"record {row} is out of range: there are 1"):
        collected(form, [(1, [2], UNABBREVIATED)]).record(row)


def test_abbreviations_are_dropped(form: Form) -> None:
    made = [(9, [1, 2], FIXED_AND_ARRAY), (8, [3], UNABBREVIATED)]
    rows = collected(form, made)
    rows.unabbreviate()
    writer = form.Writer()
    with writer.block(8, width=3):
        writer.rows(rows)
    plain = form.Writer()
    with plain.block(8, width=3):
        for code, values, _ in made:
            plain.record(code, values)
    assert bytes(writer.getvalue()) == bytes(plain.getvalue())


@pytest.mark.parametrize(
    ("operand", "error", "words"),
    [
        (-1, OverflowError, "can't convert negative int to unsigned"),
        (1 << 64, OverflowError, "int too big to convert"),
        (None, TypeError, "'NoneType' object cannot be interpreted as an integer"),
        (1.5, TypeError, "'float' object cannot be interpreted as an integer"),
    ],
)
def test_operands_are_refused_with_the_same_words_in_both_forms(
    form: Form, operand: Any, error: type[Exception], words: str
) -> None:
    rows = form.rows.Rows()
    with pytest.raises(error, match=words):  # noqa: PT012 - one form refuses it first, the other last
        rows.add(1, [operand])
        rows.pack()


def test_an_abbreviation_that_is_not_defined(form: Form) -> None:
    writer = form.Writer()
    writer.enter_block(8, width=3)
    start = writer.bit_offset
    with pytest.raises(form.errors.EncodingError, match="abbreviation id 5 is not defined"):
        writer.rows(collected(form, [(1, [], UNABBREVIATED), (1, [], 5)]))
    assert writer.bit_offset == start

"""Mutants that are made of a source file."""

from __future__ import annotations

import ast

import pytest

from .points import changes_of_rows, mutants_of


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["a <= b"]),
        ("a is not b", ["a is b"]),
        ("x = 7", ["x = 8"]),
        ("x = True", ["x = False"]),
        ("if f(x): pass", ["if (not (f(x))): pass"]),
        ("a and b", ["a or b"]),
        ("a - b", ["a + b"]),
        ("max(a, b)", ["min(a, b)"]),
        ("T = (a, b, c)", ["T = (b, c)", "T = (a, c)"]),
        ("T = {a: b, c: d, e: f}", ["T = {c: d, e: f}", "T = {a: b, e: f}"]),
        ("def f(x: Literal[1]) -> Literal[2]: ...", []),
        ("@cython.exceptval(-1, check=False)\ndef f(): ...", []),
        ("zip(a, b, strict=True)", []),
        ("x = 'é' < y", ["x = 'é' <= y"]),
        ("a < b < c", []),
    ],
)
def test_one_fault_each(source: str, expected: list[str]) -> None:
    mutants = mutants_of(source.encode())
    assert [mutant.applied(source.encode()).decode() for mutant in mutants] == expected
    for mutant in mutants:
        ast.parse(mutant.applied(source.encode()))


def test_places_in_a_file() -> None:
    source = b"x = a\nif TYPE_CHECKING:\n    x = 1\ny = (b ==\n  c)\n"
    (mutant,) = mutants_of(source)
    assert (mutant.kind, mutant.line) == ("comparison", 4)
    assert mutant.applied(source).endswith(b"y = (b != c)\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("T = {1: ('a', True)}", ["T = {2: ('a', True)}", "T = {1: ('ax', True)}", "T = {1: ('a', False)}"]),
        ("class C(Enum):\n    A = 1, 'a'", ["A = 2, 'a'", "A = 1, 'ax'"]),
        ("def f():\n    for x in (1,):\n        yield x < 2", ["(2,)", "yield x < 3"]),
        ("def f():\n    return 1", []),
        ("T = 'for people', f'a{x}'", []),
        ("__all__ = ['a']", []),
        ("'Docstring'", []),
    ],
)
def test_changes_of_rows(source: str, expected: list[str]) -> None:
    texts = [change.applied(source.encode()).decode() for change in changes_of_rows(source.encode())]
    assert len(texts) == len(expected)
    assert all(part in text for part, text in zip(expected, texts, strict=True))

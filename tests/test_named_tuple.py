"""`bitcodec.named_tuple.NamedTuple` behaves as `typing.NamedTuple` does."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bitcodec.named_tuple import NamedTuple


class Light(NamedTuple):
    """A pair, and what it is for."""

    first: int
    second: str = "two"
    purpose: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.first + len(self.second)

    @classmethod
    def of(cls, first: int) -> Light:
        return cls(first)


class Reference(typing.NamedTuple):
    """A pair, and what it is for."""

    first: int
    second: str = "two"
    purpose: tuple[str, ...] = ()


class Empty(NamedTuple):
    pass


class Child(Light):
    note: str = "not a field"


ACTIONS: list[Callable[[Any], object]] = [
    lambda kind: tuple(kind(1)),
    lambda kind: tuple(kind(1, purpose=("x",))),
    lambda kind: tuple(kind(second="s", first=3)),
    lambda kind: kind(1) == (1, "two", ()),
    lambda kind: kind(1) < kind(2),
    lambda kind: hash(kind(1)),
    lambda kind: kind(1).second,
    lambda kind: tuple(kind(1)._replace(second="changed")),
    lambda kind: kind(1)._asdict(),
    lambda kind: tuple(kind._make([1, "b", ()])),
    lambda kind: kind._fields,
    lambda kind: kind._field_defaults,
    lambda kind: kind.__match_args__,
    lambda kind: kind.__doc__,
    lambda kind: list(inspect.signature(kind).parameters),
    lambda kind: repr(kind(1))[len(kind.__name__) :],
    lambda kind: vars(kind).get("__slots__"),
]


@pytest.mark.parametrize("action", ACTIONS)
def test_results_are_those_of_typing(action: Callable[[Any], object]) -> None:
    assert action(Light) == action(Reference)


@pytest.mark.parametrize(
    "action",
    [
        lambda kind: kind(),
        lambda kind: kind(1, "b", (), 4),
        lambda kind: kind(1, unknown=2),
        lambda kind: kind(1, first=2),
        lambda kind: setattr(kind(1), "first", 2),
        lambda kind: setattr(kind(1), "other", 2),
        lambda kind: kind(1)._replace(unknown=2),
        lambda kind: kind._make([1, "b", (), 4]),
    ],
)
def test_errors_are_those_of_typing(action: Callable[[Any], object]) -> None:
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whatever typing raises
        action(Reference)
    with pytest.raises(expected.type):
        action(Light)


def test_methods_stay() -> None:
    assert Light(1).total == 4
    assert Light.of(5) == Light(5)


def test_it_can_be_matched() -> None:
    match Light(1, "b"):
        case Light(first, second):
            assert (first, second) == (1, "b")


@pytest.mark.parametrize("value", [Light(1), Empty(), Child(2)])
def test_copies_and_pickles_are_equal(value: tuple[object, ...]) -> None:
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert type(other) is type(value)


def test_a_class_without_fields_is_an_empty_tuple() -> None:
    assert Empty() == ()
    assert repr(Empty()) == "Empty()"


def test_a_child_has_the_fields_of_its_base() -> None:
    assert Child._fields == Light._fields
    assert Child(1) == Light(1)


def test_the_package_defines_no_others() -> None:
    files = [path for path in (Path(__file__).parents[1] / "src").rglob("*.py") if path.name != "named_tuple.py"]
    for path in files:
        text = path.read_text(encoding="utf-8")
        if "NamedTuple" not in text:
            continue
        names = {
            (node.module, alias.name)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert ("typing", "NamedTuple") not in names, path
        if ("bitcodec.named_tuple", "NamedTuple") in names:
            # Newer Python has no annotations in the body of a class otherwise.
            assert ("__future__", "annotations") in names, path

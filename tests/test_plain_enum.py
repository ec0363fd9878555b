"""`bitcodec.plain_enum.PlainEnum` behaves as `enum.Enum` does where tables use it."""

from __future__ import annotations

import copy
import enum
import pickle
from typing import Any

import pytest

from bitcodec.plain_enum import LazyEnum, PlainEnum


class Light(PlainEnum):
    """Two things."""

    FIRST = enum.auto()
    """The first one."""
    SECOND = enum.auto()


class Reference(enum.Enum):
    """Two things."""

    FIRST = enum.auto()
    """The first one."""
    SECOND = enum.auto()


class Late(LazyEnum):
    """Two things."""

    FIRST = enum.auto()
    """The first one."""
    SECOND = enum.auto()


class Stated(PlainEnum):
    """Values that the body states."""

    WORD = "a word"


BOTH = pytest.mark.parametrize("cls", [Light, Late, Reference], ids=lambda cls: cls.__name__)


@BOTH
def test_members_are_in_order_and_have_names_and_numbers(cls: Any) -> None:
    first, second = cls
    assert [(each.name, each.value) for each in cls] == [("FIRST", 1), ("SECOND", 2)]
    assert first is cls.FIRST is cls["FIRST"]
    assert second is cls.SECOND
    assert len(cls) == 2
    assert list(cls.__members__) == ["FIRST", "SECOND"]
    assert cls.__doc__ == "Two things."


@BOTH
def test_members_differ_and_can_be_keys(cls: Any) -> None:
    assert cls.FIRST != cls.SECOND
    assert {cls.FIRST: 1, cls.SECOND: 2}[cls.SECOND] == 2
    assert isinstance(cls.FIRST, cls)


@BOTH
def test_copies_are_the_same_object(cls: Any) -> None:
    for made in (copy.copy(cls.FIRST), copy.deepcopy(cls.FIRST), pickle.loads(pickle.dumps(cls.FIRST))):
        assert made is cls.FIRST


def test_a_member_shows_its_name_and_value() -> None:
    assert repr(Light.SECOND) == repr(Reference.SECOND).replace("Reference", "Light") == "<Light.SECOND: 2>"
    assert repr(Stated.WORD) == "<Stated.WORD: 'a word'>"


@BOTH
def test_an_unknown_name_is_an_error(cls: Any) -> None:
    with pytest.raises(KeyError):
        cls["THIRD"]
    with pytest.raises(AttributeError):
        _ = cls.THIRD

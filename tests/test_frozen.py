"""`Frozen`: equality and hashes by fields, copies, pickles, and no changes."""

from __future__ import annotations

import copy
import pickle

import pytest

from bitcodec.bitstream import Wrapper
from bitcodec.frozen import Frozen
from bitcodec.ir import ConstantRange, EnumAttribute, IntegerAttribute, StringAttribute
from bitcodec.ir.attribute_values import Captures, MemoryEffects


class Pair(Frozen):
    __slots__ = ("left", "right")
    __match_args__ = ("left", "right")

    def __init__(self, left: object, right: object = None) -> None:
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "right", right)


def test_equal_by_fields_and_class():
    assert Pair(1, 2) == Pair(1, right=2)
    assert Pair(1, 2) != Pair(2, 1)
    assert MemoryEffects(3) == MemoryEffects(3)
    assert MemoryEffects(3) != Captures(3)
    assert MemoryEffects(3) != 3
    assert EnumAttribute("nounwind") != StringAttribute("nounwind")


def test_hashed_by_fields():
    assert len({Pair(1, 2), Pair(1, 2), Pair(1, 3)}) == 2
    assert hash(ConstantRange(8, 0, 1)) == hash(ConstantRange(width=8, lower=0, upper=1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Pair([]))


def test_cannot_change():
    pair = Pair(1, 2)
    with pytest.raises(AttributeError, match="Pair cannot change: 'left'"):
        pair.left = 3
    with pytest.raises(AttributeError, match="Pair cannot change: 'other'"):
        pair.other = 3
    with pytest.raises(AttributeError, match="Pair cannot change: 'right'"):
        del pair.right
    assert (pair.left, pair.right) == (1, 2)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Pair(1, "x"), "Pair(left=1, right='x')"),
        (IntegerAttribute("align", 8), "IntegerAttribute(name='align', value=8)"),
        (MemoryEffects(3), "MemoryEffects(raw=3)"),
        (Wrapper(5), "Wrapper(size=5, offset=20, cpu_type=4294967295, version=0)"),
    ],
)
def test_shown_and_copied_with_all_fields(value, text):
    assert repr(value) == text
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert repr(other) == text


def test_matched_by_position():
    match IntegerAttribute("align", 8):
        case IntegerAttribute("align", size):
            assert size == 8
        case _:
            pytest.fail("not matched")

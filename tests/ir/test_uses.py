"""Which operand a use is, also where the order of uses is one of its own."""

from __future__ import annotations

import pytest

from bitcodec.ir import Module, Store, Use, Value
from bitcodec.ir.construction.setting import set_users, set_uses
from bitcodec.ir.uses import NumberedUses, listed_uses, numbered_uses
from bitcodec.ir.values import order_users

from .samples import counting, new_variable


@pytest.fixture
def stored() -> tuple[Value, Store, Store]:
    """Return a value and two instructions that have it twice."""
    module: Module = counting()
    value, void = new_variable(module, "value", module.context.types.ptr), module.context.types.void
    return value, Store(void, value, value, 1), Store(void, value, value, 1)


def test_operands_count_up_unless_said_otherwise(stored: tuple[Value, Store, Store]) -> None:
    value, one, other = stored
    assert list(value.uses) == [Use(one, 0), Use(one, 1), Use(other, 0), Use(other, 1)]
    value._uses = listed_uses([(other, 1), (one, 0), (one, 1)])
    value._uses.append(other)
    assert list(value.uses) == [Use(other, 1), Use(one, 0), Use(one, 1), Use(other, 0)]


def test_a_list_is_plain_where_no_user_is_in_it_twice(stored: tuple[Value, Store, Store]) -> None:
    _, one, other = stored
    assert type(listed_uses([(one, 1), (other, 1)])) is list
    assert type(listed_uses([(one, 1), (one, 0)])) is NumberedUses


def test_edits_keep_the_rest_in_order(stored: tuple[Value, Store, Store]) -> None:
    value, one, other = stored
    value._uses = listed_uses([(other, 1), (one, 1), (other, 0), (one, 0)])
    another = new_variable(counting(), "another", value.type)
    one.set_operand(1, another)  # type: ignore[arg-type]
    assert list(numbered_uses(value)) == [(other, 1), (other, 0), (one, 0)]
    other.set_operand(1, another)  # type: ignore[arg-type]
    other.set_operand(1, value)
    assert list(numbered_uses(value)) == [(other, 0), (one, 0), (other, 1)]


def test_operands_that_move_are_found_again(stored: tuple[Value, Store, Store]) -> None:
    value, one, other = stored
    value._uses = listed_uses([(other, 1), (one, 1), (other, 0), (one, 0)])
    assert other._remove_operand(0) is value
    assert list(numbered_uses(value)) == [(other, 0), (one, 1), (one, 0)]
    other._drop_operands()
    assert list(numbered_uses(value)) == [(one, 1), (one, 0)]


def test_users_are_put_in_an_order_unless_one_occurs_twice(stored: tuple[Value, Store, Store]) -> None:
    value, first, second = stored
    set_users(value, [first, second])
    assert order_users(value, [1, 0])
    assert list(value._uses) == [second, first]
    assert not order_users(value, [0, 0])
    assert not order_users(value, [0, 2])
    assert not order_users(value, [0])
    assert list(value._uses) == [second, first]
    set_users(value, [first, first])
    assert not order_users(value, [1, 0])
    set_uses(value, [(first, 0), (first, 1)])
    assert not order_users(value, [1, 0])

"""Removing a use costs the same wherever it is in the list, and leaves the rest in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from bitcodec.ir import User, Value
from bitcodec.ir.uses import IndexedUses, NumberedUses, listed_uses, numbered_uses
from bitcodec.ir.values import remove_use

from .samples import counting

COUNT = 2000


class CountingUser(User):
    """A user that counts how often users are compared with it."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        CountingUser.comparisons += 1
        return self is other

    __hash__ = User.__hash__


def used_value() -> Value:
    return Value(counting().context.types.integer(32))


def users_of(value: Value, count: int, each: int = 1) -> list[CountingUser]:
    CountingUser.comparisons = 0
    return [CountingUser(value.type, [value] * each) for _ in range(count)]


def from_the_start(users: list[CountingUser]) -> list[CountingUser]:
    return users


def from_the_end(users: list[CountingUser]) -> list[CountingUser]:
    return users[::-1]


def from_both_ends(users: list[CountingUser]) -> list[CountingUser]:
    return [user for pair in zip(users, reversed(users), strict=True) for user in pair][: len(users)]


def in_the_middle(users: list[CountingUser]) -> list[CountingUser]:
    return [*users[1:-1], users[-1], users[0]]


def shuffled(users: list[CountingUser]) -> list[CountingUser]:
    return Random(1).sample(users, len(users))


ORDERS = [from_the_start, from_the_end, from_both_ends, in_the_middle, shuffled]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("is_numbered", [False, True])
def test_each_removal_takes_few_steps(
    order: Callable[[list[CountingUser]], list[CountingUser]], *, is_numbered: bool
) -> None:
    value = used_value()
    users = users_of(value, COUNT)
    if is_numbered:
        value._uses = NumberedUses([(user, 0) for user in users])
    left = dict.fromkeys(users)
    CountingUser.comparisons = 0
    for removed, user in enumerate(order(users)):
        remove_use(value, user, 0)
        del left[user]
        if removed % 400 == 0:
            assert list(value.users) == list(left)
    assert not value.is_used
    assert CountingUser.comparisons <= 40 * COUNT


def test_holes_do_not_outnumber_users() -> None:
    value = used_value()
    users = users_of(value, COUNT)
    for user in users[1:-1]:
        remove_use(value, user, 0)
    assert isinstance(value._uses, IndexedUses)
    assert len(value._uses._users) <= 8
    assert value.users == (users[0], users[-1])


def test_short_lists_and_lists_that_only_grow_stay_plain() -> None:
    value = used_value()
    users = users_of(value, COUNT)
    for user in reversed(users[10:]):
        remove_use(value, user, 0)
    remove_use(value, users[3], 0)
    assert type(value._uses) is list


def test_a_user_that_is_not_there_is_refused() -> None:
    value, other = used_value(), used_value()
    users, (stranger,) = users_of(value, COUNT), users_of(other, 1)
    remove_use(value, users[0], 0)
    for user in (stranger, users[0]):
        with pytest.raises(ValueError, match="users"):
            remove_use(value, user, 0)
    assert len(value.users) == COUNT - 1


class PlainUses:
    """What the lists stand for, as plain as can be: users with the numbers that are known."""

    def __init__(self, entries: list[tuple[Any, int | None]]) -> None:
        self.entries = entries

    def remove(self, user: Any, number: int) -> None:
        """Remove the last entry if it is of the user, else its first."""
        last = self.entries[-1]
        if last[0] is user and last[1] in (None, number):
            self.entries.pop()
        elif (user, number) in self.entries:
            self.entries.remove((user, number))
        else:
            self.entries.remove(next(entry for entry in self.entries if entry[0] is user))


@pytest.mark.parametrize("is_numbered", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_random_edits_leave_what_a_plain_list_would_have(seed: int, *, is_numbered: bool) -> None:
    chance = Random(seed)
    value = used_value()
    users = users_of(value, 60, each=3)
    if is_numbered:
        shuffled = chance.sample([(user, number) for user in users for number in range(3)], 180)
        value._uses = listed_uses(shuffled)
        plain = PlainUses([*shuffled])
    else:
        plain = PlainUses([(user, None) for user in value.users])
    for _ in range(600):
        if plain.entries and chance.random() < 0.6:
            user = chance.choice(plain.entries)[0]
            number = chance.randrange(4)
            plain.remove(user, number)
            remove_use(value, user, number)
        else:
            user = chance.choice(users)
            plain.entries.append((user, None))
            value._uses.append(user)
        assert len(value._uses) == len(plain.entries)
        if chance.random() < 0.1:
            assert list(value.users) == [user for user, _ in plain.entries]
            assert [*reversed(value._uses)] == [user for user, _ in reversed(plain.entries)]
            if isinstance(value._uses, IndexedUses):
                assert value._uses.last is (plain.entries[-1][0] if plain.entries else None)


def test_numbers_of_operands_are_kept_through_removals() -> None:
    value = used_value()
    users = users_of(value, 100, each=2)
    uses = [(user, number) for user in users for number in (1, 0)]
    value._uses = listed_uses(uses)
    for user in users[10:90]:
        user._drop_operands()
    assert list(numbered_uses(value)) == [use for use in uses if use[0] in {*users[:10], *users[90:]}]


class UnreadList(list[User]):
    """A list of users that nobody may go through."""

    def __iter__(self) -> Iterator[User]:
        raise AssertionError("the users are copied")


def test_whether_a_value_is_used_is_known_without_its_users() -> None:
    value = used_value()
    value._uses = UnreadList(users_of(value, 3))
    assert value.is_used

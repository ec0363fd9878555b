"""Numbers of objects by identity: both forms behave as a dictionary of objects that are equal if identical."""

from __future__ import annotations

import random

import pytest

from bitcodec.object_numbers import ObjectNumbers


class Thing:
    """An object that is equal to itself alone."""


def check(numbers: ObjectNumbers, expected: dict[Thing, int], others: list[Thing]) -> None:
    assert list(numbers) == list(expected)
    assert len(numbers) == len(expected)
    assert [numbers[thing] for thing in expected] == list(expected.values())
    assert not [thing for thing in others if thing not in expected and thing in numbers]


def test_random_changes_leave_what_a_dictionary_has() -> None:
    chance = random.Random(17)
    things = [Thing() for _ in range(5000)]
    numbers, expected = ObjectNumbers(), dict[Thing, int]()
    for _ in range(300):
        if chance.random() < 0.4:
            count = chance.randrange(len(expected) + 1)
            numbers.truncate(count)
            expected = dict(list(expected.items())[:count])
        elif chance.random() < 0.5:
            added = chance.sample(things, 40)
            numbers.add_all(added, 7)
            expected.update((thing, number) for number, thing in enumerate(added, 7))
        else:
            thing, number = chance.choice(things), chance.randrange(1 << 60)
            numbers[thing] = expected[thing] = number
        check(numbers, expected, things)


def test_it_grows() -> None:
    things = [Thing() for _ in range(20_000)]
    numbers = ObjectNumbers()
    numbers.add_all(things, 0)
    check(numbers, {thing: number for number, thing in enumerate(things)}, [Thing() for _ in range(1000)])
    numbers.truncate(3)
    check(numbers, {thing: number for number, thing in enumerate(things[:3])}, things)
    numbers.add_all(things[3:500], 3)
    check(numbers, {thing: number for number, thing in enumerate(things[:500])}, things)
    numbers.truncate(0)
    check(numbers, {}, things)


def test_missing_objects() -> None:
    numbers = ObjectNumbers()
    thing = Thing()
    assert numbers.get(thing) is None
    assert numbers.get(thing, "none") == "none"
    with pytest.raises(KeyError) as raised:
        _ = numbers[thing]
    assert raised.value.args == (thing,)
    numbers[thing] = 5
    assert numbers.get(thing) == 5
    del numbers[thing]
    assert thing not in numbers
    with pytest.raises(KeyError):
        del numbers[thing]
    numbers[thing] = 6
    assert numbers[thing] == 6


def test_objects_stay_alive_as_long_as_they_have_a_number() -> None:
    numbers = ObjectNumbers()
    for number in range(1000):
        numbers[Thing()] = number
    assert len({id(thing) for thing in numbers}) == 1000
    assert sorted(numbers[thing] for thing in numbers) == list(range(1000))

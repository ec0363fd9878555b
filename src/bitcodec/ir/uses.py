"""Lists of uses: the users of a value, in the order in which the uses were created, and their operands.

A list holds users alone, one entry for each use; which operand an entry is follows from their order: the first entry of
a user is the first operand of it that holds the value.  Where that is not so, the list is one of `NumberedUses`.

Most lists only grow, or lose the last entry.  A plain `list` is enough for these.  A long one that loses an entry
in its middle becomes one of `IndexedUses`, so that each removal takes the same time.
"""

from __future__ import annotations

from collections import deque
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping

    from bitcodec.ir.values import User, Value

    Places: TypeAlias = dict[User, dict[Value, list[int]]]
    """By user and operand: the numbers of that operand."""

__all__ = ["UNTRACKED", "IndexedUses", "NoUses", "NumberedUses", "Uses", "listed_uses", "numbered_uses"]


class IndexedUses:
    """Users of a value, of which any can be removed in constant time.

    A removed entry leaves a hole until holes are the greater part of the list.

    Args:
        users: the users; the list belongs to this object afterwards.

    Attributes:
        append: adds a user at the end.
    """

    __slots__ = ("_end", "_hole_count", "_indexed", "_places", "_searched", "_users", "append")

    append: Callable[[User], None]

    def __init__(self, users: list[User]) -> None:
        self._users: list[User | None] = [*users]
        self.append = self._users.append
        self._hole_count = 0
        self._forget_places()

    def _forget_places(self) -> None:
        # By user, where it is: one place, or several in order.  Places that have become holes are passed over.
        self._places: dict[Hashable, int | deque[int]] = {}
        self._indexed = 0
        # The last entry of the first `_searched` that is no hole.
        self._end = -1
        self._searched = 0

    def __len__(self) -> int:
        return len(self._users) - self._hole_count

    def __iter__(self) -> Iterator[User]:
        return iter([user for user in self._users if user is not None])

    def __reversed__(self) -> Iterator[User]:
        return reversed([user for user in self._users if user is not None])

    @property
    def last(self) -> User | None:
        """The user that was added last, None if there is none."""
        place = self._last_place()
        return self._users[place] if place >= 0 else None

    def remove(self, user: User, number: int) -> None:
        """Remove a use: the last one if it is by this user, else the first that is.

        Raises:
            ValueError: the user is not in the list.
        """
        users = self._users
        place = len(users) - 1
        if place < 0 or users[place] is None:
            place = self._last_place()
        if place < 0 or users[place] is not user or not self._is_operand(place, number):
            place = self._first_place(user, number)
        if place < 0:
            raise ValueError(f"{user!r} is not among the users")
        users[place] = None
        self._hole_count += 1
        if self._hole_count > len(users) >> 1:
            self._compact()

    def _is_operand(self, _place: int, _number: int) -> bool:
        """Return whether an entry is for an operand of this number, as far as that is known."""
        return True

    def _last_place(self) -> int:
        """Return the position of the last entry, -1 if there is none.  No hole is visited twice."""
        users, place = self._users, len(self._users) - 1
        while place >= self._searched and users[place] is None:
            place -= 1
        if place < self._searched:
            place = self._end
            while place >= 0 and users[place] is None:
                place -= 1
        self._end, self._searched = place, len(users)
        return place

    def _first_place(self, user: User, _number: int) -> int:
        """Return the position of the first entry of a user, -1 if there is none."""
        if self._indexed < len(self._users):
            self._add_places()
        return self._take_place(user)

    def _take_place(self, key: Hashable) -> int:
        places, users = self._places.get(key), self._users
        if isinstance(places, deque):
            while places:
                place = places.popleft()
                if users[place] is not None:
                    return place
        elif places is not None and users[places] is not None:
            del self._places[key]
            return places
        self._places.pop(key, None)
        return -1

    def _add_places(self) -> None:
        """Note where the entries are that were added since this was last called."""
        users = self._users
        self._add_keys(zip(users[self._indexed :], range(self._indexed, len(users)), strict=True))
        self._indexed = len(users)

    def _add_keys(self, keys: Iterable[tuple[Hashable, int]]) -> None:
        """Note the places of keys; None is the key of a hole."""
        places = self._places
        for key, place in keys:
            if key is None:
                continue
            known = places.setdefault(key, place)
            if known is place:
                continue
            if isinstance(known, deque):
                known.append(place)
            else:
                places[key] = deque((known, place))

    def _compact(self) -> None:
        # The same list: `append` is a method of it.
        self._users[:] = [user for user in self._users if user is not None]
        self._hole_count = 0
        self._forget_places()


class NumberedUses(IndexedUses):
    """Users of a value, and the numbers of the operands that the first of them are.

    Args:
        uses: each user, and which operand it is.
    """

    __slots__ = ("_numbers",)

    def __init__(self, uses: Iterable[tuple[User, int]]) -> None:
        users, numbers = zip(*uses, strict=True)
        super().__init__([*users])
        self._numbers: list[int] = [*numbers]

    @property
    def numbers(self) -> list[int]:
        """The numbers of operands that are known, of the first users."""
        return [number for number, user in zip(self._numbers, self._users, strict=False) if user is not None]

    def _is_operand(self, place: int, number: int) -> bool:
        return place >= len(self._numbers) or self._numbers[place] == number

    def _first_place(self, user: User, number: int) -> int:
        self._add_places()
        place = self._take_place((user, number))
        return self._take_place(user) if place < 0 else place

    def _add_places(self) -> None:
        users, numbers = self._users, self._numbers
        known = range(self._indexed, len(numbers))
        self._add_keys([((user, numbers[place]), place) for place in known if (user := users[place]) is not None])
        super()._add_places()

    def _compact(self) -> None:
        self._numbers[:] = self.numbers
        super()._compact()


class NoUses(IndexedUses):
    """Stands where a value's users are listed, for values whose users are not kept."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__([])
        self.append = deque["User"](maxlen=0).append

    def remove(self, user: User, number: int) -> None:
        """Do nothing."""


UNTRACKED = NoUses()
"""The list of users of every value whose users are not tracked."""

Uses: TypeAlias = "list[User] | IndexedUses"
"""Storage of the users of a value."""


_MANY_OPERANDS = 32
"""A user of more operands is searched once for all values, not once for each."""


def numbered_uses(value: Value, places: Places | None = None) -> Iterator[tuple[User, int]]:
    """Yield each use of a value, in the order in which they were made: the user, and the number of its operand.

    Args:
        value: the value.
        places: the same for many values, if their users do not change meanwhile: an empty dictionary at first.
    """
    users = value._uses
    if not isinstance(users, NumberedUses):
        if places is not None and any(len(user._operands) > _MANY_OPERANDS for user in users):
            yield from _looked_up(value, users, places)
        else:
            yield from _counted_up(value, users, {})
        return
    known: dict[User, set[int]] = {}
    numbers: list[int | None] = []
    for user, number in zip(users, users.numbers, strict=False):
        taken = known.setdefault(user, set())
        # Operands that were taken out since move those behind them.
        is_known = number not in taken and number < len(user._operands) and user._operands[number] is value
        numbers.append(number if is_known else None)
        if is_known:
            taken.add(number)
    rest = [user for user, number in zip_longest(users, numbers) if number is None]
    counted = _counted_up(value, rest, known)
    for user, found in zip_longest(users, numbers):
        yield next(counted) if found is None else (user, found)


def _counted_up(
    value: Value, users: Iterable[User], known: Mapping[User, Collection[int]]
) -> Iterator[tuple[User, int]]:
    """Yield uses by users, each by the first of its operands that holds the value and is not taken yet."""
    users = list(users)
    if not known and len(set(users)) == len(users):
        for user in users:
            yield user, user._operands.index(value)
        return
    left: dict[User, Iterator[int]] = {}
    for user in users:
        if user not in left:
            taken = known.get(user, ())
            held = [number for number, operand in enumerate(user._operands) if operand is value]
            left[user] = iter([number for number in held if number not in taken])
        yield user, next(left[user])


def _looked_up(value: Value, users: Iterable[User], places: Places) -> Iterator[tuple[User, int]]:
    """Yield uses by users, each by the first of its operands that holds the value and is not taken yet."""
    left: dict[User, Iterator[int]] = {}
    for user in users:
        if user not in left:
            if user not in places:
                places[user] = {}
                for number, operand in enumerate(user._operands):
                    places[user].setdefault(operand, []).append(number)
            left[user] = iter(places[user][value])
        yield user, next(left[user])


def listed_uses(uses: Iterable[tuple[User, int]]) -> Uses:
    """Return the list of uses in a given order; it is plain if no user is in it twice."""
    found = list(uses)
    users = [user for user, _ in found]
    return users if len(set(users)) == len(users) else NumberedUses(found)

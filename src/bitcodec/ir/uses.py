"""Lists of uses: who uses a value, in the order in which the uses were made, and by which operand.

A list holds users alone, one entry for each use; which operand an entry is follows from their order: the first entry of
a user is the first operand of it that holds the value.  Where that is not so, the list is one of `NumberedUses`.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bitcodec.ir.values import User, Value

__all__ = ["NumberedUses", "listed_uses", "numbered_uses"]


class NumberedUses(list["User"]):
    """Users of a value, and the numbers of the operands that the first of them are.

    Args:
        uses: each user, and which operand it is.
    """

    __slots__ = ("numbers",)

    def __init__(self, uses: Iterable[tuple[User, int]]) -> None:
        users, numbers = zip(*uses, strict=True)
        super().__init__(users)
        self.numbers: list[int] = list(numbers)

    def take_out(self, user: User, number: int) -> None:
        """Take one use out."""
        place = len(self) - 1
        if self[place] is not user or (len(self.numbers) > place and self.numbers[place] != number):
            uses = list(zip(self, self.numbers, strict=False))
            place = uses.index((user, number)) if (user, number) in uses else self.index(user)
        del self[place]
        del self.numbers[place : place + 1]


def numbered_uses(value: Value) -> Iterator[tuple[User, int]]:
    """Yield each use of a value, in the order in which they were made: the user, and the number of its operand."""
    users = value._uses
    if not isinstance(users, NumberedUses):
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


def listed_uses(uses: Iterable[tuple[User, int]]) -> list[User]:
    """Return the list of uses that have an order of their own; it is plain if no user is in it twice."""
    found = list(uses)
    users = [user for user, _ in found]
    return users if len(set(users)) == len(users) else NumberedUses(found)

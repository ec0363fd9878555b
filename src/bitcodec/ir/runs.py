"""Lists of any length that are changed anywhere: a change costs about the same however many items there are.

The list is divided into short runs. Each item knows its run, so its neighbours are found without a search of the list.
Where a run begins is counted in a tree, which is built when an item is first named by its position.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_RUN", "Run", "RunList"]

MAX_RUN = 128
"""Items in a run; a longer one is split."""

T = TypeVar("T")


class Run(Generic[T]):
    """A run of consecutive items.

    Attributes:
        owner: the list that contains it.
        items: the items.
        number: its index in the list.
    """

    __slots__ = ("items", "number", "owner")

    def __init__(self, owner: RunList[T], items: list[T], number: int) -> None:
        self.owner = owner
        self.items = items
        self.number = number


class RunList(Generic[T]):
    """Items in order, in runs.  A subclass knows which run an item is in.

    Args:
        items: the items to begin with.
    """

    __slots__ = ("_length", "_runs", "_tree")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._runs: list[Run[T]] = []
        # Entry `i` is the number of items in the runs that end with run `i - 1`, as many as the lowest set bit of `i`.
        # Empty if it has to be built.
        self._tree: list[int] = []
        listed = list(items)
        self._length = len(listed)
        half = MAX_RUN // 2
        for start in range(0, len(listed), half):
            run = Run(self, listed[start : start + half], len(self._runs))
            self._runs.append(run)
            self._enter(run.items, run)

    # Interface of subclasses

    def _run_of(self, item: T) -> Run[T]:
        """Return the run of an item; raise an error if the item is not in the list."""
        raise NotImplementedError

    def _enter(self, items: Iterable[T], run: Run[T]) -> None:
        """Remember the run of items."""
        raise NotImplementedError

    def _enter_one(self, item: T, run: Run[T]) -> None:
        """Remember the run of one item."""
        self._enter((item,), run)

    def _leave(self, item: T) -> None:
        """Forget the run of an item."""
        raise NotImplementedError

    # Reading

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return iter(self.listed())

    def __reversed__(self) -> Iterator[T]:
        return reversed(self.listed())

    def listed(self) -> list[T]:
        """Return the items in a new list."""
        return [*chain.from_iterable([run.items for run in self._runs])]

    def first(self) -> T:
        """Return the first item.

        Raises:
            IndexError: the list is empty.
        """
        return self._runs[0].items[0]

    def last(self) -> T:
        """Return the last item.

        Raises:
            IndexError: the list is empty.
        """
        return self._runs[-1].items[-1]

    def at(self, position: int) -> T:
        """Return the item at a position, 0 <= position < length."""
        run, place = self._find(position)
        return run.items[place]

    def position(self, item: T) -> int:
        """Return the position of an item that is in the list."""
        run = self._run_of(item)
        return self._start(run) + run.items.index(item)

    def following(self, item: T) -> T | None:
        """Return the item after another that is in the list, None after the last one."""
        run = self._run_of(item)
        place = run.items.index(item) + 1
        if place < len(run.items):
            return run.items[place]
        return self._runs[run.number + 1].items[0] if run.number + 1 < len(self._runs) else None

    def preceding(self, item: T) -> T | None:
        """Return the item before another that is in the list, None before the first one."""
        run = self._run_of(item)
        place = run.items.index(item)
        if place:
            return run.items[place - 1]
        return self._runs[run.number - 1].items[-1] if run.number else None

    def between(self, first: T | None, last: T | None) -> list[T]:
        """Return the items between one and a later one; None means the start or the end of the list."""
        if not self._runs:
            return []
        start_run = self._runs[0] if first is None else self._run_of(first)
        end_run = self._runs[-1] if last is None else self._run_of(last)
        start = 0 if first is None else start_run.items.index(first) + 1
        end = len(end_run.items) if last is None else end_run.items.index(last)
        if start_run is end_run:
            return start_run.items[start:end]
        inner = [run.items for run in self._runs[start_run.number + 1 : end_run.number]]
        return [*start_run.items[start:], *chain.from_iterable(inner), *end_run.items[:end]]

    # Changing

    def append(self, item: T) -> None:
        """Put an item at the end."""
        last = self._runs[-1] if self._runs else None
        if last is not None and len(last.items) < MAX_RUN:
            self._put(last, len(last.items), item)
            return
        run = Run(self, [item], len(self._runs))
        self._runs.append(run)
        self._enter(run.items, run)
        self._length += 1
        self._tree = []

    def insert_at(self, position: int, item: T) -> None:
        """Put an item before the one at a position, 0 <= position <= length."""
        if position == self._length:
            self.append(item)
        else:
            self._put(*self._find(position), item)

    def insert_before(self, other: T, item: T) -> None:
        """Put an item right before another, which is in the list."""
        run = self._run_of(other)
        self._put(run, run.items.index(other), item)

    def insert_after(self, other: T, item: T) -> None:
        """Put an item right after another, which is in the list."""
        run = self._run_of(other)
        self._put(run, run.items.index(other) + 1, item)

    def replace(self, item: T, items: list[T]) -> None:
        """Put a few items, at least one, where one of the list is, which may be among them."""
        run = self._run_of(item)
        place = run.items.index(item)
        self._leave(item)
        run.items[place : place + 1] = items
        self._enter(items, run)
        self._length += len(items) - 1
        self._count(run, len(items) - 1)
        self._split(run)

    def remove(self, item: T) -> None:
        """Remove an item that is in the list."""
        run = self._run_of(item)
        run.items.remove(item)
        self._leave(item)
        self._length -= 1
        self._count(run, -1)
        if not run.items:
            del self._runs[run.number]
            self._renumber(run.number)

    def cut(self, item: T) -> list[T]:
        """Remove an item that is in the list, and everything after it; return the removed items."""
        run = self._run_of(item)
        place = run.items.index(item)
        removed = [*run.items[place:], *chain.from_iterable([later.items for later in self._runs[run.number + 1 :]])]
        del run.items[place:]
        del self._runs[run.number + bool(place) :]
        for each in removed:
            self._leave(each)
        self._length -= len(removed)
        self._tree = []
        return removed

    def _put(self, run: Run[T], place: int, item: T) -> None:
        run.items.insert(place, item)
        self._enter_one(item, run)
        self._length += 1
        self._count(run, 1)
        self._split(run)

    def _split(self, run: Run[T]) -> None:
        """Split a run that is too long."""
        if len(run.items) > MAX_RUN:
            half = len(run.items) // 2
            rest = Run(self, run.items[half:], run.number + 1)
            del run.items[half:]
            self._enter(rest.items, rest)
            self._runs.insert(rest.number, rest)
            self._renumber(rest.number + 1)

    def _renumber(self, number: int) -> None:
        for run in self._runs[number:]:
            run.number = number
            number += 1
        self._tree = []

    # Positions

    def _count(self, run: Run[T], change: int) -> None:
        """Note in the tree that a run has one item more or less."""
        tree = self._tree
        if tree:
            entry = run.number + 1
            while entry < len(tree):
                tree[entry] += change
                entry += entry & -entry

    def _counted(self) -> list[int]:
        """Return the tree."""
        tree = self._tree
        if not tree:
            tree = self._tree = [0, *[len(run.items) for run in self._runs]]
            for entry in range(1, len(tree)):
                parent = entry + (entry & -entry)
                if parent < len(tree):
                    tree[parent] += tree[entry]
        return tree

    def _start(self, run: Run[T]) -> int:
        """Return the position of the first item of a run."""
        tree, entry, start = self._counted(), run.number, 0
        while entry:
            start += tree[entry]
            entry &= entry - 1
        return start

    def _find(self, position: int) -> tuple[Run[T], int]:
        """Return the run that has the item at a position, and the place of the item in the run."""
        tree, number = self._counted(), 0
        step = 1 << (len(tree) - 1).bit_length() >> 1
        while step:
            entry = number + step
            if entry < len(tree) and tree[entry] <= position:
                number = entry
                position -= tree[entry]
            step >>= 1
        return self._runs[number], position

"""Fields of globals that older versions ignore, from the table of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.globals import GLOBAL_RECORDS
from bitcodec.doctor.keys import Key, Kind
from bitcodec.tables.globals import FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["IGNORED_FIELDS", "with_ignored_fields"]

IGNORED_FIELDS = [field for field in FIELDS if field.ignored]
"""Their places are the numbers of the keys of `Kind.GLOBAL_FIELD`."""
_NAME_SIZE = 2
"""The number of operands in front of the fields in modules of version 2, which all files with such fields have."""


def with_ignored_fields(
    observers: dict[int, Callable[[Sequence[int]], Iterable[Key]]],
) -> dict[int, Callable[[Sequence[int]], Iterable[Key]]]:
    """Return functions that yield the keys of records, by code, with those of ignored fields."""
    found = dict(observers)
    for code, record in GLOBAL_RECORDS.items():
        places = [(number, getattr(field, record), field.bit) for number, field in enumerate(IGNORED_FIELDS)]
        masks = [
            (_NAME_SIZE + place, -1 if bit is None else 1 << bit[1], Key(Kind.GLOBAL_FIELD, number))
            for number, place, bit in places
            if place is not None
        ]
        if masks:
            found[code] = _observer(masks, observers.get(code))
    return found


def _observer(
    masks: list[tuple[int, int, Key]], other: Callable[[Sequence[int]], Iterable[Key]] | None
) -> Callable[[Sequence[int]], Iterator[Key]]:
    def observe(operands: Sequence[int]) -> Iterator[Key]:
        if other is not None:
            yield from other(operands)
        for place, mask, key in masks:
            if len(operands) > place and operands[place] & mask:
                yield key

    return observe

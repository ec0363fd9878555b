"""Summaries of a module whose globals are others than when it was read: with the value ids that they have now.

Summaries of removed globals are left out; globals that are only referred to keep their GUID.
Rules: LLVM 22's module summary index, versions 1 to 12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import (
    ALIAS_LAYOUTS,
    FUNCTION_LAYOUTS,
    VARIABLE_LAYOUTS,
    VERSION_OF_CALL_INFO,
    VERSION_OF_SPLIT_GUIDS,
    CallInfo,
)
from bitcodec.errors import EncodingError
from bitcodec.ir.guid import global_identifier, guid_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import RawPart
    from bitcodec.object_numbers import ObjectNumbers

    _Record = tuple[int, tuple[int, ...]]

__all__ = ["renumbered"]

_WORD = 0xFFFF_FFFF
_CALL_SIZES = {CallInfo.NOTHING: 1, CallInfo.HOTNESS: 2, CallInfo.FREQUENCY: 2}
_OLD_CALL_SIZES = {CallInfo.NOTHING: 2, CallInfo.HOTNESS: 3, CallInfo.FREQUENCY: 2}
"""How many operands a call takes; up to version 1 there are counts among them."""
_LAYOUTS = {**FUNCTION_LAYOUTS, **VARIABLE_LAYOUTS, **ALIAS_LAYOUTS}
_ACCESS_HEAD = 3
_USE_SIZE = 4


def renumbered(part: RawPart, values: ObjectNumbers, source_filename: str) -> RawPart:
    """Return a block of summaries with the value ids of now.

    Args:
        part: the unchanged block.
        values: the value ids of the module.
        source_filename: of the module; locals have it in their identity.
    """
    return part._replace(records=tuple(_Renumbering(part, values, source_filename).records()))


class _Renumbering:
    def __init__(self, part: RawPart, values: ObjectNumbers, source_filename: str) -> None:
        self._part = part
        self._values = values
        self._source_filename = source_filename
        self._version = next((operands[0] for code, operands in part.records if code == Code.VERSION and operands), 0)
        self._ids = {old: values[value] for old, value in enumerate(part.globals) if value in values}
        self._next = len(values)
        self._gone: dict[int, GlobalValue] = {}

    def records(self) -> Iterator[_Record]:
        """Yield code and operands of each record.

        Raises:
            EncodingError: one is malformed.
        """
        changed = [record for record in map(self._changed, self._part.records) if record is not None]
        for code, operands in changed:
            yield code, operands
            if code == Code.VERSION:
                yield from self._guids()

    def _guids(self) -> Iterator[_Record]:
        for number, value in self._gone.items():
            guid = guid_of(global_identifier(value.name, self._source_filename, is_local=value.linkage.is_local))
            is_split = self._version >= VERSION_OF_SPLIT_GUIDS
            yield Code.VALUE_GUID, (number, guid >> 32, guid & _WORD) if is_split else (number, guid)

    def _changed(self, record: _Record) -> _Record | None:
        try:
            return self._renumbered(*record)
        except Malformed:
            reason = f"a record of code {record[0]} has too few operands, or is of a value that does not exist"
            raise EncodingError(f"malformed summaries cannot be renumbered: {reason}") from None

    def _renumbered(self, code: int, operands: tuple[int, ...]) -> _Record | None:
        layout = _LAYOUTS.get(code)
        if layout is not None:
            require_operands(operands, len(layout.names(self._version)))
            require_operands(self._part.globals, operands[0] + 1)
            if self._part.globals[operands[0]] not in self._values:
                return None
        changed = list(operands)
        for place in self._places(code, operands):
            require_operands(operands, place + 1)
            changed[place] = self._id(operands[place])
        return code, tuple(changed)

    def _id(self, old: int) -> int:
        if old not in self._ids:
            self._ids[old] = self._next
            if old < len(self._part.globals):
                self._gone[self._next] = self._part.globals[old]
            self._next += 1
        return self._ids[old]

    def _places(self, code: int, operands: Sequence[int]) -> Iterator[int]:
        """Yield the positions of the operands of a record that are value ids."""
        if code in FUNCTION_LAYOUTS:
            yield from self._places_of_function(code, operands)
        elif code in VARIABLE_LAYOUTS:
            yield from self._places_of_variable(code, operands)
        elif code in ALIAS_LAYOUTS:
            yield from (0, ALIAS_LAYOUTS[code].names(self._version).index("aliasee"))
        elif code in (Code.VALUE_GUID, Code.PERMODULE_CALLSITE_INFO):
            yield 0
        elif code == Code.TYPE_ID_METADATA:
            yield from range(3, len(operands), 2)
        elif code == Code.PARAM_ACCESS:
            yield from _places_of_accesses(operands)

    def _places_of_function(self, code: int, operands: Sequence[int]) -> Iterator[int]:
        layout = FUNCTION_LAYOUTS[code]
        names = layout.names(self._version)
        calls = len(names) + operands[names.index("reference_count")]
        sizes = _CALL_SIZES if self._version >= VERSION_OF_CALL_INFO else _OLD_CALL_SIZES
        yield 0
        yield from range(len(names), calls)
        yield from range(calls, len(operands), sizes[layout.call_info])

    def _places_of_variable(self, code: int, operands: Sequence[int]) -> Iterator[int]:
        names = VARIABLE_LAYOUTS[code].names(self._version)
        end = len(operands)
        if "reference_count" in names:
            end = len(names) + operands[names.index("reference_count")]
        yield 0
        yield from range(len(names), end)
        yield from range(end, len(operands), 2)


def _places_of_accesses(operands: Sequence[int]) -> Iterator[int]:
    """Yield the positions of callees: each parameter has a range, a count, and uses of four operands each."""
    place = 0
    while place < len(operands):
        place += _ACCESS_HEAD
        require_operands(operands, place + 1)
        count = operands[place]
        yield from range(place + 2, place + 2 + _USE_SIZE * count, _USE_SIZE)
        place += 1 + _USE_SIZE * count

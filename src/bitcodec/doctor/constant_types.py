"""Constants that refer to others by a type that these do not have, which typed pointers make possible.

LLVM before 15 ends the program at the first one; bitcodec does not notice, because its pointers are opaque.  Rules:
LLVM's reader of constants.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, ModuleCode, TypeCode
from bitcodec.doctor.keys import ConstructKind
from bitcodec.doctor.records import GLOBALS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from bitcodec.doctor.records import StreamRecords

    Type: TypeAlias = int | tuple[int, ...]
    """A type: the first id that it has, or the contents of its record."""
    References: TypeAlias = Iterator[tuple[int, int]]

__all__ = ["mismatched_constants"]

_UNIQUE = (TypeCode.STRUCT_NAMED, TypeCode.OPAQUE)
_FIRST_ELEMENT: dict[int, int] = {
    TypeCode.POINTER: 0,
    TypeCode.FUNCTION: 1,
    TypeCode.ARRAY: 1,
    TypeCode.VECTOR: 1,
    TypeCode.STRUCT_ANON: 1,
}
"""By code, the place of the first type in a record of a type; all operands behind it are types, but for pointers."""
_STRUCTS, _SEQUENCES = (TypeCode.STRUCT_ANON, TypeCode.STRUCT_NAMED), (TypeCode.ARRAY, TypeCode.VECTOR)
_EXPLICIT, _SPACE_SHIFT, _SPACE_OF_FUNCTION = 2, 2, 16
_OPERANDS_OF_CAST = 3


class _Types:
    """The types of a module.

    Args:
        records: code and operands of the record of each type.
    """

    def __init__(self, records: Sequence[tuple[int, list[int]]]) -> None:
        self._records = records
        self._first: dict[tuple[int, ...], int] = {}
        self._same: list[int] = []
        for number, (code, operands) in enumerate(records):
            contents = (number, code) if code in _UNIQUE else self._contents(code, operands)
            self._same.append(self._first.setdefault(contents, number))

    def _contents(self, code: int, operands: list[int]) -> tuple[int, ...]:
        start = _FIRST_ELEMENT.get(code, len(operands))
        end = 1 if code == TypeCode.POINTER else len(operands)
        inner = (self.of(operand) for operand in operands[start:end])
        rest = operands[end:] or ([0] if code == TypeCode.POINTER else [])
        return (-1, code, *operands[:start], *inner, *rest)

    def of(self, number: int) -> int:
        """Return the first type that is the same as one."""
        return self._same[number] if number < len(self._same) else number

    def pointer_to(self, number: int, space: int) -> Type:
        """Return the type of a pointer to a type in an address space."""
        contents = (-1, int(TypeCode.POINTER), self.of(number), space)
        return self._first.get(contents, contents)

    def is_pointer(self, number: int) -> bool:
        """Return whether a type is a pointer."""
        return number < len(self._records) and self._records[number][0] == TypeCode.POINTER

    def elements(self, number: int, count: int) -> list[int]:
        """Return the types of the elements of an aggregate, for a constant of a number of elements."""
        code, operands = self._records[number] if number < len(self._records) else (0, [])
        if code in _STRUCTS:
            return operands[1:]
        return operands[1:2] * count if code in _SEQUENCES else []


def mismatched_constants(records: StreamRecords) -> Iterator[int]:
    """Yield the rows of constants that refer to a value by another type than it has.

    Args:
        records: of a bitstream.
    """
    blocks, block_of = records.columns.blocks, records.columns.records.block
    rows_of_types, rows_of_globals = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for row in records.rows(BlockId.TYPE_BLOCK):
        rows_of_types[blocks.parent[block_of[row]]].append(row)
    for row in records.rows(BlockId.MODULE_BLOCK):
        if records.code(row) in GLOBALS:
            rows_of_globals[block_of[row]].append(row)
    # In modules of version 2, the place of the name precedes the fields.
    skipped = 2 if any(key.kind is ConstructKind.MODULE_VERSION for key in records.found) else 0
    for module, block_id in enumerate(records.block_ids):
        if block_id != BlockId.MODULE_BLOCK or blocks.parent[module] >= 0:
            continue
        types = _Types([(records.code(row), records.operands(row)) for row in rows_of_types[module]])
        known: dict[int, Type] = {
            number: _type_of_global(records.code(row), [*records.operands(row)[skipped:], 0, 0], types)
            for number, row in enumerate(rows_of_globals[module])
        }
        count = len(known)
        inside = range(module + 1, blocks.last_block[module])
        for block in (each for each in inside if records.block_ids[each] == BlockId.CONSTANTS_BLOCK):
            is_own = blocks.parent[block] == module
            yield from _mismatches(records, block, types, known, count if is_own else None)
            count += is_own and _number_of(records, block)


def _type_of_global(code: int, operands: list[int], types: _Types) -> Type:
    number, second = operands[:2]
    if types.is_pointer(number) and (code == ModuleCode.ALIAS_OLD or not second & _EXPLICIT):
        return types.of(number)
    if code == ModuleCode.GLOBALVAR:
        return types.pointer_to(number, second >> _SPACE_SHIFT)
    if code == ModuleCode.FUNCTION:
        return types.pointer_to(number, operands[_SPACE_OF_FUNCTION] if len(operands) > _SPACE_OF_FUNCTION + 2 else 0)
    return types.pointer_to(number, second)


def _constants(records: StreamRecords, block: int) -> Iterator[tuple[int, int]]:
    """Yield row and code of the records of a block."""
    blocks, codes = records.columns.blocks, records.columns.records.code
    rows = range(blocks.first_record[block], blocks.last_record[block])
    return zip(rows, codes[rows.start : rows.stop], strict=True)


def _number_of(records: StreamRecords, block: int) -> int:
    return sum(code != ConstantsCode.SETTYPE for _, code in _constants(records, block))


def _mismatches(
    records: StreamRecords, block: int, types: _Types, known: dict[int, Type], following: int | None
) -> Iterator[int]:
    """Yield the rows of a block; add the types of its constants to the known ones, if the first has a number."""
    current = 0
    for row, code in _constants(records, block):
        if code == ConstantsCode.SETTYPE:
            current = (records.operands(row) or [0])[0]
            continue
        referring = _REFERENCES.get(code)
        if referring is not None:
            for number, type_id in referring(records.operands(row), current, types):
                expected = types.of(type_id)
                if known.get(number, expected) != expected:
                    yield row
        if following is not None:
            known[following] = types.of(current)
            following += 1


def _aggregate(operands: list[int], current: int, types: _Types) -> References:
    return zip(operands, types.elements(current, len(operands)), strict=False)


def _cast(operands: list[int], _: int, __: _Types) -> References:
    if len(operands) >= _OPERANDS_OF_CAST:
        yield operands[2], operands[1]


def _address(operands: list[int], _: int, __: _Types) -> References:
    # An odd number of operands is a type in front of pairs of type and value.
    start = len(operands) % 2
    return zip(operands[start + 1 :: 2], operands[start::2], strict=False)


def _address_in_range(operands: list[int], _: int, __: _Types) -> References:
    return zip(operands[3::2], operands[2::2], strict=False)


def _operation(operands: list[int], current: int, _: _Types) -> References:
    return ((value, current) for value in operands[1:3])


def _comparison(operands: list[int], _: int, __: _Types) -> References:
    return ((value, operands[0]) for value in operands[1:3])


_REFERENCES: dict[int, Callable[[list[int], int, _Types], References]] = {
    ConstantsCode.AGGREGATE: _aggregate,
    ConstantsCode.CE_BINOP: _operation,
    ConstantsCode.CE_CAST: _cast,
    ConstantsCode.CE_SELECT: _operation,
    ConstantsCode.CE_CMP: _comparison,
    ConstantsCode.CE_GEP_OLD: _address,
    ConstantsCode.CE_INBOUNDS_GEP: _address,
    ConstantsCode.CE_GEP_WITH_INRANGE_INDEX_OLD: _address_in_range,
}
"""By code of a constant, the function that yields the numbers of values that it refers to, each with a type id."""

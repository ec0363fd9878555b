"""Reads CONSTANTS_BLOCK.

Operands of constants may come later, so a block is first taken in whole, then made, parts first.
Rules: docs/reference/records.md, 6.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from bitcodec.bitcode.integers import rotated
from bitcodec.bitcode.malformed import Malformed, unknown
from bitcodec.bitcode.reader.constant_makers import MAKERS, Making, check_count
from bitcodec.bitcode.reader.field_reader import FieldReader, Fields
from bitcodec.bitcode.reader.programs import Programs
from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.schema.constants import CONSTANT_LAYOUTS
from bitcodec.errors import BitcodecError
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction.deferring import materialize_symbols
from bitcodec.ir.types import ArrayType, IntegerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.tables.opcodes import CAST_OPCODES
from bitcodec.upgrade.expansion import Expandable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_CONSTANT_CODES", "ConstantReader", "PartId"]

_PROGRAMS = Programs(CONSTANT_LAYOUTS)
_SETS_TYPE = bytes(code == ConstantsCode.SETTYPE for code in range(256))
_MAKES_CONSTANT = bytes(code != ConstantsCode.SETTYPE for code in range(256))
"""Tables of properties of all codes, in the form that `bytes.translate` takes."""

_FIRST = attrgetter("first")
_NEWEST_CODE = int(ConstantsCode.PTRAUTH2)
_INTEGER, _UNDEF = int(ConstantsCode.INTEGER), int(ConstantsCode.UNDEF)
_NULL, _STRING, _C_STRING = int(ConstantsCode.NULL), int(ConstantsCode.STRING), int(ConstantsCode.CSTRING)
_CAST, _BITCAST, _CAST_OPERANDS = int(ConstantsCode.CE_CAST), CAST_OPCODES.index("bitcast"), 3
_INTEGERS = frozenset({_INTEGER})
_SIMPLE = frozenset({_INTEGER, _UNDEF, _NULL, _STRING, _C_STRING})
"""Codes of constants that need no other constants."""
HANDLED_CONSTANT_CODES = frozenset(CONSTANT_LAYOUTS) | {ConstantsCode.SETTYPE}


class PartId(int):
    """The number of a part of a constant: a placeholder until all parts are created."""

    __slots__ = ()


_WITH_PARTS = frozenset({PartId, list})
"""Classes of fields that parts replace, and of fields that contain such fields."""


class _Unmade(NamedTuple):
    """A constant whose record has been decoded."""

    code: int
    fields: Fields
    parts: tuple[int, ...]


class _Block(NamedTuple):
    """A block whose constants have numbers.

    Attributes:
        first: number of the first of them.
        rows: of their records, in order.
        type_rows: of the SETTYPE records, in order.
    """

    first: int
    rows: list[int]
    type_rows: list[int]
    records: Records

    def stated_type_id(self, index: int) -> int:
        """Return the type id in a SETTYPE record, -1 if it is empty."""
        columns, row = self.records.columns, self.type_rows[index]
        first, end = columns.records.first_operand[row : row + 2]
        return columns.operands[first] if first < end else -1


class _Lookup:
    """Looks up the values of constants' fields.

    It does not refer to the reader of constants, or a reader of fields would, and both would stay until cycles are
    collected, with the columns that they read.

    Attributes:
        boolean: `i1`.
        parts: the numbers of the parts of the constant that is being read.
        type_of_id: returns a type.
    """

    is_direct = False
    keeps_type_ids = True

    def __init__(self, module: ModuleTables, parts: list[int]) -> None:
        self.boolean = module.types.integer(1)
        self.parts = parts
        self.type_of_id = module.file_types.of

    def absolute(self, number: int, _type: Type | None) -> PartId:
        """Return a placeholder for a part."""
        self.parts.append(number)
        return PartId(number)


class ConstantReader:
    """Reads the constants of a module or of a function into a list of values.

    Args:
        module: the tables for type ids and globals.
        values: the values so far; constants are added to them, None for those that have not been made yet.
        type_ids: their type ids; type ids of constants are added in modules with typed pointers.
        known_value: returns a value of the list; for a function, it makes constants of the module.

    Attributes:
        has_expandables: whether a created one must be expanded into instructions.
    """

    def __init__(
        self,
        module: ModuleTables,
        values: list[Any],
        type_ids: list[int],
        known_value: Callable[[int], Value] | None = None,
    ) -> None:
        self._module = module
        self._values = values
        self._type_ids = type_ids
        self._known_value = known_value
        self._first = len(values)
        self.has_expandables = False
        self._parts: list[int] = []
        self._fields: FieldReader | None = None
        self._blocks: list[_Block] = []
        self._unmade: dict[int, _Unmade] = {}

    def enumerate(self, records: Records) -> None:
        """Give the constants of a block their numbers.

        Raises:
            BitcodeError: a type is malformed, in a module with typed pointers.
        """
        block = _Block(len(self._values), [], [], records)
        for rows in records.ranges():
            codes = records.code_bytes(rows)
            block.rows.extend(compress(rows, codes.translate(_MAKES_CONSTANT)))
            block.type_rows.extend(compress(rows, codes.translate(_SETS_TYPE)))
        self._blocks.append(block)
        self._values.extend([None] * len(block.rows))
        if self._module.file_types.has_typed_pointers:
            self._add_type_ids(block)

    def _add_type_ids(self, block: _Block) -> None:
        """Add the type ids of the constants of a block: the same for those that follow one SETTYPE."""
        rows, first = block.rows, 0
        for end in (*(bisect_left(rows, row) for row in block.type_rows), len(rows)):
            if first < end:
                self._type_ids += [self._type_id(block, rows[first])] * (end - first)
                first = end

    def _type_id(self, block: _Block, row: int) -> int:
        """Return the type id of a constant: from the SETTYPE before it, `i32` without one."""
        index = bisect_right(block.type_rows, row) - 1
        if index < 0:
            return self._module.file_types.virtual(self._module.types.integer(32))
        type_id, file_types = block.stated_type_id(index), self._module.file_types
        if not 0 <= type_id < len(file_types.types) or file_types.types[type_id] is file_types.table.void:
            with block.records.placed(block.type_rows[index]):
                if type_id < 0:
                    raise Malformed(Reason.TOO_FEW_OPERANDS())
                if file_types.of(type_id) is file_types.table.void:
                    raise Malformed(Reason.VOID_CONSTANT())
        return type_id

    @property
    def end(self) -> int:
        """The number after the last constant's, 0 without constants."""
        return self._blocks[-1].first + len(self._blocks[-1].rows) if self._blocks else 0

    def make_all(self) -> None:
        """Make all constants that have been enumerated.

        Raises:
            BitcodeError: one of them is malformed.
        """
        values = self._values
        for block in self._blocks:
            self._make_simple(block)
            end = block.first + len(block.rows)
            if None in values[block.first : end]:
                if self._module.file_types.has_typed_pointers:
                    self._resolve_bitcasts(block)
                for number in range(block.first, end):
                    if values[number] is None:
                        self.make(number)

    def with_parts(self, numbers: Iterable[int]) -> set[int]:
        """Return the numbers of constants that are given or part of those."""
        found: set[int] = set()
        pending = [*numbers]
        while pending:
            number = pending.pop()
            if number in found or not self._module.global_count <= number < self.end:
                continue
            found.add(number)
            block = self._blocks[bisect_right(self._blocks, number, key=_FIRST) - 1]
            pending += self._decode(number, block.records, block.rows[number - block.first]).parts
            self._unmade.pop(number, None)
        return found

    def make_integers(self) -> None:
        """Make the integers that have been enumerated: those that metadata wraps are many.

        Raises:
            BitcodeError: the type of one is malformed.
        """
        for block in self._blocks:
            self._make_simple(block, _INTEGERS)

    def _make_simple(self, block: _Block, wanted: frozenset[int] = _SIMPLE) -> None:
        """Make integers and other constants without parts, which most are; malformed ones are left to `make`."""
        values, module = self._values, self._module
        types, void = module.file_types.types, module.types.void
        columns = block.records.columns
        codes, firsts, operands = columns.records.code, columns.records.first_operand, columns.operands
        integers: dict[int, ConstantInt] | None = None
        type_: Type | None = None
        following = end = 0  # of the rows that have the type
        for number, row in enumerate(block.rows, block.first):
            code = codes[row]
            if values[number] is not None or code not in wanted:
                continue
            if row >= end:
                following = bisect_right(block.type_rows, row, following)
                type_id = block.stated_type_id(following - 1) if following else -1
                type_ = types[type_id] if 0 <= type_id < len(types) else void
                if type_ is void:
                    type_ = self._type_of(block, row, is_integer=code == _INTEGER)
                    if type_ is None:
                        continue
                integers = module.integers.setdefault(type_, {}) if isinstance(type_, IntegerType) else None
                end = block.type_rows[following] if following < len(block.type_rows) else block.rows[-1] + 1
            assert type_ is not None, "it was found above"  # noqa: S101
            first, last = firsts[row], firsts[row + 1]
            if code != _INTEGER:
                values[number] = _without_parts(module, code, type_, operands[first:last])
            elif integers is not None and first < last:
                operand = operands[first]
                found = integers.get(operand)
                if found is None and isinstance(type_, IntegerType):
                    found = integers[operand] = module.constants.integer(type_, rotated(operand))
                values[number] = found

    def _resolve_bitcasts(self, block: _Block) -> None:
        """Resolve casts between typed pointers, which are of one type now, to their operands.

        They are most of the constants with parts in old files.  Others are left to `make`, as are casts of constants
        that have not been created yet.
        """
        values, type_ids, types = self._values, self._type_ids, self._module.file_types.types
        columns = block.records.columns
        codes, firsts, operands = columns.records.code, columns.records.first_operand, columns.operands
        for number, row in enumerate(block.rows, block.first):
            if codes[row] != _CAST or values[number] is not None:
                continue
            first, last = firsts[row], firsts[row + 1]
            if last - first != _CAST_OPERANDS or operands[first] != _BITCAST:
                continue
            type_id, operand = operands[first + 1], operands[first + 2]
            if type_id >= len(types) or operand >= len(values):
                continue
            if operand < self._module.global_count:
                materialize_symbols(self._module.module)
            value = values[operand]
            if isinstance(value, Constant) and value.type is types[type_ids[number]]:
                values[number] = value

    def _type_of(self, block: _Block, row: int, *, is_integer: bool) -> Type | None:
        """Return the type of a constant, None if it is invalid and the constant is not an integer."""
        try:
            return self._module.file_types.of(self._type_id(block, row))
        except BitcodecError:
            if is_integer:
                raise
            return None

    def make(self, number: int) -> None:
        """Make an enumerated constant and all its parts, unless that has been done.

        Raises:
            BitcodeError: one of them is malformed.
        """
        pending = [number]
        entered: set[int] = set()
        while pending:
            current = pending[-1]
            if self._values[current] is not None:
                pending.pop()
                continue
            block = self._blocks[bisect_right(self._blocks, current, key=_FIRST) - 1]
            row = block.rows[current - block.first]
            try:
                missing = self._try(current, block, row, is_again=current in entered)
            except Malformed:
                with block.records.placed(row):
                    raise
            if missing:
                entered.add(current)
                pending += missing
            else:
                pending.pop()

    def _try(self, number: int, block: _Block, row: int, *, is_again: bool) -> list[int]:
        """Make a constant if its parts have been made; return those that have not.

        Raises:
            Malformed: a part is missing, or the record is malformed.
        """
        unmade = self._unmade.get(number) or self._decode(number, block.records, row)
        values = self._values
        missing = [part for part in unmade.parts if part < len(values) and values[part] is None]
        if not missing:
            values[number] = self._made(self._type_id(block, row), unmade)
            self._unmade.pop(number, None)
        elif is_again:
            raise Malformed(Reason.ENDLESS_CONSTANT())
        return missing

    def _decode(self, number: int, records: Records, row: int) -> _Unmade:
        code = records.columns.records.code[row]
        if code > _NEWEST_CODE:
            # LLVM 22 makes it undef.
            raise unknown("constant", ConstantsCode, code)
        parts = self._parts
        parts.clear()
        reader = self._fields
        if reader is None:
            # Most functions have integers only, which need none.
            reader = self._fields = FieldReader(_PROGRAMS, _Lookup(self._module, parts), records.columns)
        else:
            reader.use(records.columns)
        fields = reader.fields(code if reader.has_program(code) else _UNDEF, row)
        _collect_pairs(fields, parts)
        if parts and min(parts) < self._module.global_count:
            materialize_symbols(self._module.module)
        if self._known_value is not None:
            for part in parts:
                if part < self._first:
                    self._known_value(part)
        unmade = _Unmade(code, fields, tuple(parts))
        if unmade.parts:
            self._unmade[number] = unmade
        return unmade

    def _made(self, type_id: int, unmade: _Unmade) -> Value:
        fields = unmade.fields
        if unmade.code == ConstantsCode.AGGREGATE:
            check_count(self._module.file_types.of(type_id), len(fields["elements"]))
        if unmade.parts:
            fields = {
                name: self._resolved(field) if type(field) in _WITH_PARTS else field for name, field in fields.items()
            }
        making = Making(self._module, self._module.file_types.of(type_id), type_id, fields)
        make = MAKERS.get(unmade.code, MAKERS[ConstantsCode.UNDEF])
        value = cast("Value", make(making))
        if isinstance(value, Expandable):
            self.has_expandables = True
        # LLVM does not build the constant before it is used, and looks at the stated type until then.
        if unmade.parts and value.type is not making.type:
            raise Malformed(Reason.OTHER_CONSTANT_TYPE(type=value.type.brief, stated=making.type.brief))
        return value

    def _resolved(self, field: PartId | list[Any]) -> Any:
        if isinstance(field, PartId):
            return self._value(field)
        return [self._resolved(item) if type(item) in _WITH_PARTS else item for item in field]

    def _value(self, number: int) -> Value:
        value = self._values[number] if number < len(self._values) else None
        if value is None:
            raise Malformed(Reason.NO_VALUE(number=number))
        if not isinstance(value, (Constant, Expandable)):
            raise Malformed(Reason.NOT_CONSTANT(number=number))
        return value


def _without_parts(module: ModuleTables, code: int, type_: Type, operands: memoryview) -> Constant | None:
    """Return a constant other than an integer, None if its record is malformed."""
    if code == _UNDEF:
        return module.constants.undef(type_)
    try:
        if code == _NULL:
            return module.constants.null(type_)
        text = bytes(operands.tolist()) + b"\0" * (code == _C_STRING)
    except (TypeError, ValueError):
        return None
    if not isinstance(type_, ArrayType) or type_.element_type is not module.byte or type_.count != len(text):
        return None
    return module.constants.data(type_, text)


def _collect_pairs(fields: Fields, parts: list[int]) -> None:
    """Replace the pairs of type id and value id in `operands` by their values, and count these as parts."""
    pairs = fields.get("operands")
    if pairs:
        fields["operand type ids"] = [type_id for type_id, _ in pairs]
        fields["operands"] = [PartId(number) for _, number in pairs]
        parts += [number for _, number in pairs]

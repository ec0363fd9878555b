"""Reads CONSTANTS_BLOCK.

Operands of constants may come later, so a block is first taken in whole, then made, parts first.
Rules: bitcode record reference, section 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bitcodec.bitcode.reader.constant_makers import MAKERS, Making
from bitcodec.bitcode.reader.layouts import Decoder, Fields
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.schema.constants import CONSTANT_LAYOUTS

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_CONSTANT_CODES", "ConstantReader", "PartId"]

_DECODERS: dict[int, Decoder] = {code: Decoder(layout) for code, layout in CONSTANT_LAYOUTS.items()}
HANDLED_CONSTANT_CODES = frozenset(_DECODERS) | {ConstantsCode.SETTYPE}


class PartId(NamedTuple):
    """Stands for a part of a constant until all parts are made."""

    number: int


class _Unmade(NamedTuple):
    """A constant whose record has been decoded."""

    code: int
    fields: Fields
    parts: tuple[int, ...]


class ConstantReader:
    """Reads the constants of a module or of a function into a list of values.

    Args:
        module: what type ids and globals are looked up in.
        values: the values so far; constants are added to them, None for those that have not been made yet.
        type_ids: their type ids; those of constants are added.
    """

    def __init__(self, module: ModuleReader, values: list[Any], type_ids: list[int]) -> None:
        self._module = module
        self._values = values
        self._type_ids = type_ids
        self._parts: list[int] = []
        self._enumerated: dict[int, tuple[Records, int, int]] = {}
        self._unmade: dict[int, _Unmade] = {}

    def enumerate(self, records: Records) -> None:
        """Give the constants of a block their numbers and types.

        Raises:
            BitcodeError: a type makes no sense.
        """
        type_id = self._module.file_types.virtual(self._module.types.integer(32))
        keeps_type_ids = self._module.file_types.has_typed_pointers
        number = len(self._values)
        for rows in records.spans():
            if not isinstance(rows, range):
                continue
            for row, code in zip(rows, records.codes(rows), strict=True):
                if code == ConstantsCode.SETTYPE:
                    with records.placed(row):
                        type_id = records.operands(row)[0]
                        self._check_type(type_id)
                else:
                    self._enumerated[number] = (records, row, type_id)
                    number += 1
                    if keeps_type_ids:
                        self._type_ids.append(type_id)
        self._values.extend([None] * (number - len(self._values)))

    def make_all(self) -> None:
        """Make all constants that have been enumerated.

        Raises:
            BitcodeError: one of them makes no sense.
        """
        for number in list(self._enumerated):
            self.make(number)

    def make(self, number: int) -> None:
        """Make an enumerated constant and all that it is made of.

        Raises:
            BitcodeError: one of them makes no sense.
        """
        pending = [number]
        entered: set[int] = set()
        while pending:
            current = pending[-1]
            found = self._enumerated.get(current)
            if found is None:
                pending.pop()
                continue
            records, row, type_id = found
            with records.placed(row):
                unmade = self._unmade.get(current) or self._decode(current, records, row)
                missing = [part for part in unmade.parts if part in self._enumerated]
                if not missing:
                    self._values[current] = self._made(type_id, unmade)
                elif current in entered:
                    raise Malformed("the constant is part of itself")
            if missing:
                entered.add(current)
                pending += missing
            else:
                del self._enumerated[current]
                self._unmade.pop(current, None)
                pending.pop()

    def _decode(self, number: int, records: Records, row: int) -> _Unmade:
        code = records.codes(range(row, row + 1))[0]
        self._parts = []
        decoder = _DECODERS.get(code, _DECODERS[ConstantsCode.UNDEF])
        fields = decoder.decode(self, records.operands(row))  # type: ignore[arg-type] # no constant has fields of others
        _collect_pairs(fields, self._parts)
        unmade = _Unmade(code, fields, tuple(self._parts))
        if unmade.parts:
            self._unmade[number] = unmade
        return unmade

    def _made(self, type_id: int, unmade: _Unmade) -> Value:
        fields = unmade.fields
        if unmade.parts:
            fields = {name: self._resolved(field) for name, field in fields.items()}
        making = Making(self._module, self._module.file_types.of(type_id), type_id, fields)
        make = MAKERS.get(unmade.code, MAKERS[ConstantsCode.UNDEF])
        try:
            return cast("Value", make(making))
        except (TypeError, ValueError) as error:
            raise Malformed(str(error)) from error

    def _resolved(self, field: Any) -> Any:
        if isinstance(field, PartId):
            return self._value(field.number)
        if isinstance(field, list):
            return [self._resolved(item) for item in field]
        return field

    def _value(self, number: int) -> Value:
        value = self._values[number] if number < len(self._values) else None
        if value is None:
            raise Malformed(f"there is no value {number}")
        return cast("Value", value)

    def _check_type(self, type_id: int) -> None:
        if self._module.file_types.of(type_id) is self._module.types.void:
            raise Malformed("a constant cannot be void")

    # What layouts look things up with

    def type_of_id(self, type_id: int) -> Type:
        """Return a type."""
        return self._module.file_types.of(type_id)

    def absolute(self, number: int, _type: Type | None) -> PartId:
        """Return what stands for a part."""
        self._parts.append(number)
        return PartId(number)


def _collect_pairs(fields: Fields, parts: list[int]) -> None:
    """Let the pairs of type id and value id in `operands` stand for their values, and count these as parts."""
    pairs = fields.get("operands")
    if pairs:
        fields["operand type ids"] = [type_id for type_id, _ in pairs]
        fields["operands"] = [PartId(number) for _, number in pairs]
        parts += [number for _, number in pairs]

"""Constants with typed pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import (
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantPointerNull,
    ConstantWithOperands,
    InlineAsm,
    UndefValue,
)
from bitcodec.ir.types import StructType
from bitcodec.ir.unlisted import unlisted_copy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.downgrade.pointers.values import TypedValues
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.functions import Function
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = ["TypedConstants"]

_OF_ANY_TYPE = (ConstantPointerNull, UndefValue, ConstantAggregateZero)
_FREE = {"inttoptr", "addrspacecast"}
"""Casts to a pointer to any type."""


class TypedConstants:
    """Makes constants with typed pointers, each once; they are in no list of uses.

    Args:
        values: the types of values.
        table: the constants of the module.
    """

    def __init__(self, values: TypedValues, table: ConstantTable) -> None:
        self._values = values
        self._table = table
        self._natural: dict[Value, Value] = {}
        self._cast: dict[tuple[Value, Type], Value] = {}
        self._made: set[Value] = set()
        self._indices: dict[int, Value] = {}

    def written(self, value: Value) -> Value:
        """Return a constant in the type that it has by itself."""
        if not isinstance(value, ConstantWithOperands) or value in self._made:
            return value
        found = self._natural.get(value)
        return self._make(value) if found is None else found

    def typed(self, value: Value, wanted: Type) -> Value:
        """Return a constant in a type, which is that of the constant but for what pointers point to."""
        if isinstance(value, _OF_ANY_TYPE):
            return (
                value
                if value.type is wanted or self._values.types.typed(value.type) is wanted
                else self._copied(value, wanted)
            )
        if isinstance(value, ConstantWithOperands):
            value = self.written(value)
        if value.type is wanted or self._values.type_of(value) is wanted:
            return value
        if isinstance(value, expressions.ConstantCast) and value.opcode in _FREE:
            return self._copied(value, wanted)
        if isinstance(value, ConstantAggregate):
            # Types that are not those that any value has are vectors of pointers, and lists of structors.
            return self._copied(value, wanted, list(map(self.typed, value.operands, _elements(wanted, value))))
        return self._bitcast(value, wanted)

    def index(self, number: int) -> Value:
        """Return the operand of an address that is a number."""
        found = self._indices.get(number)
        if found is None:
            found = self._indices[number] = self._table.integer(self._table.types.integer(32), number)
        return found

    def assembly(self, value: InlineAsm, type_: FunctionType, constraints: str = "") -> Value:
        """Return assembly text with the type of what it takes and returns, and other constraints if any are given."""
        key = value, type_
        found = self._cast.get(key)
        if found is None:
            found = self._cast[key] = unlisted_copy(
                value,
                type=self._values.types.pointer(type_, 0),
                function_type=type_,
                constraints=constraints or value.constraints,
            )
        return found

    def block_address(self, function: Function, block: BasicBlock) -> Value:
        """Return the address of a block."""
        key = block, function.type
        found = self._cast.get(key)
        if found is None:
            address = expressions.BlockAddress.__new__(expressions.BlockAddress)
            address._name, address._uses, address._as_metadata = "", [], None  # noqa: SLF001 - it is in no list of uses
            address._operands, address.type, address.table = (block,), function.type, self._table  # noqa: SLF001
            address.function = function
            found = self._cast[key] = address
            self._made.add(found)
        return found

    def _copied(self, value: Value, type_: Type, operands: Sequence[Value] | None = None) -> Value:
        key = value, type_
        found = self._cast.get(key)
        if found is None:
            changes = {} if operands is None else {"_operands": tuple(operands)}
            found = self._cast[key] = unlisted_copy(value, type=type_, **changes)
            self._made.add(found)
        return found

    def _bitcast(self, value: Value, type_: Type) -> Value:
        key = value, type_
        found = self._cast.get(key)
        if found is None:
            found = expressions.ConstantCast.__new__(expressions.ConstantCast)
            found._name, found._uses, found._as_metadata = "", [], None  # noqa: SLF001 - it is in no list of uses
            found._operands, found.type, found.table, found.opcode = (value,), type_, self._table, "bitcast"  # noqa: SLF001
            self._cast[key] = found
            self._made.add(found)
        return found

    def _make(self, value: ConstantWithOperands) -> Value:
        """Return a constant made of others; these are made first, without recursion."""
        natural = self._natural
        pending: list[ConstantWithOperands] = [value]
        while pending:
            current = pending[-1]
            if current in natural:
                pending.pop()
                continue
            missing = [
                part
                for part in current.operands
                if isinstance(part, ConstantWithOperands) and part not in natural and part not in self._made
            ]
            if missing:
                pending += missing
                continue
            pending.pop()
            natural[current] = self._made_of(current)
        return natural[value]

    def _made_of(self, value: ConstantWithOperands) -> Value:
        types = self._values.types
        if isinstance(value, expressions.BlockAddress):
            return value
        type_, operands = types.typed(value.type), list(value.operands)
        wanted: Sequence[Type]
        if isinstance(value, ConstantAggregate):
            wanted = _elements(type_, value)
        elif isinstance(value, expressions.ConstantGetElementPtr):
            source = types.typed(value.source_element_type)
            wanted = [types.to(operands[0].type, source), *(each.type for each in operands[1:])]
            type_ = types.to(value.type, self._values.element(source, value.operands[2:]))
        elif isinstance(value, expressions.DSOLocalEquivalent | expressions.NoCFIValue):
            wanted, type_ = [self._values.type_of(operands[0])], self._values.type_of(operands[0])
        elif isinstance(value, expressions.ConstantCast):
            wanted = [self._values.type_of(self.written(operands[0]))]
        else:
            wanted = [types.typed(each.type) for each in operands]
        made = [
            each if isinstance(each, BasicBlock) else self.typed(each, type_of)
            for each, type_of in zip(operands, wanted, strict=True)
        ]
        if type_ is types.typed(value.type) and all(new is old for new, old in zip(made, operands, strict=True)):
            return value
        found = unlisted_copy(value, type=type_, _operands=tuple(made))
        self._made.add(found)
        return found


def _elements(type_: Type, aggregate: ConstantAggregate) -> Sequence[Type]:
    """Return the types of the elements of an aggregate."""
    if isinstance(type_, StructType):
        return type_.element_types
    return type_.element_types * len(aggregate.operands)

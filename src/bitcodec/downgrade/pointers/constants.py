# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202
"""Constants with typed pointers."""

from __future__ import annotations

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import (
    BlockAddress,
    ConstantCast,
    ConstantGetElementPtr,
    DSOLocalEquivalent,
    NoCFIValue,
)
from bitcodec.ir.constants import (
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantPointerNull,
    ConstantWithOperands,
    UndefValue,
)
from bitcodec.ir.construction import copies, present, unlisted
from bitcodec.ir.types import StructType
from bitcodec.object_numbers import ObjectNumbers

_OF_ANY_TYPE = (ConstantPointerNull, UndefValue, ConstantAggregateZero)
_GLOBAL_REFERENCES = (DSOLocalEquivalent, NoCFIValue)
_FREE = {"inttoptr", "addrspacecast"}
"""Casts to a pointer to any type."""


class TypedConstants:
    """Makes constants with typed pointers, each once; they are in no list of uses.

    Args:
        values: the types of values.
        table: the constants of the module.
    """

    def __init__(self, values, table) -> None:
        self._values = values
        self._types = values.types
        self._record_types = values.record_types
        self._table = table
        self._natural = {}
        self._cast = {}
        self._made = ObjectNumbers()
        self._indices = {}

    def written(self, value):
        """Return a constant in the type that it has by itself."""
        if not isinstance(value, ConstantWithOperands) or self._made.find(value) >= 0:
            return value
        found = self._natural.get(value)
        return self._make(value) if found is None else found

    def typed(self, value, wanted):
        """Return a constant in a type, which differs from the constant's type only in pointees."""
        if isinstance(value, _OF_ANY_TYPE):
            if value.type is wanted or self._types.typed(value.type) is wanted:
                return value
            return self._copied(value, wanted, None)
        if isinstance(value, ConstantWithOperands):
            value = self.written(value)
        if value.type is wanted or self._record_types.type_of(value) is wanted:
            return value
        if isinstance(value, ConstantCast) and value.opcode in _FREE:
            return self._copied(value, wanted, None)
        if isinstance(value, ConstantAggregate):
            # Types that are not those that any value has are vectors of pointers, and lists of structors.
            elements = zip(present.operands_of(value), _elements(wanted, value), strict=True)
            return self._copied(value, wanted, tuple([self.typed(part, type_) for part, type_ in elements]))
        return self._bitcast(value, wanted)

    def index(self, number):
        """Return the operand of an address that is a number."""
        found = self._indices.get(number)
        if found is None:
            found = self._indices[number] = self._table.integer(self._table.types.integer(32), number)
        return found

    def assembly(self, value, type_, constraints=""):
        """Return assembly text with the function type given, and other constraints if any are given."""
        key = value, type_
        found = self._cast.get(key)
        if found is None:
            found = self._cast[key] = unlisted.unlisted_copy(
                value,
                type=self._types.pointer(type_, 0),
                function_type=type_,
                constraints=constraints or value.constraints,
            )
        return found

    def block_address(self, function, block):
        """Return the address of a block."""
        key = block, function.type
        found = self._cast.get(key)
        if found is None:
            found = self._cast[key] = self._new(BlockAddress, block, function.type)
            found.function = function
        return found

    def _new(self, kind, operand, type_):
        """Return a new constant with one operand."""
        found = unlisted.unlisted(kind, type_, (operand,), table=self._table)
        self._made.put(found, 0)
        return found

    def _copied(self, value, type_, operands):
        """Return a copy of a constant with another type, and other operands unless these are None."""
        key = value, type_
        found = self._cast.get(key)
        if found is None:
            found = self._cast[key] = self._copy_of(value, type_, operands)
        return found

    def _copy_of(self, value, type_, operands):
        if operands is None:
            copy = copies.copy_of(value)
            copy.type = type_
        else:
            copy = copies.copy_with(value, operands, type_)
        self._made.put(copy, 0)
        return copy

    def _bitcast(self, value, type_):
        key = value, type_
        found = self._cast.get(key)
        if found is None:
            found = self._cast[key] = self._new(ConstantCast, value, type_)
            found.opcode = "bitcast"
        return found

    def _make(self, value):
        """Return a constant made of others; these are made first, without recursion."""
        natural = self._natural
        pending = [value]
        while pending:
            current = pending[len(pending) - 1]
            if current in natural:
                pending.pop()
                continue
            missing = [
                part
                for part in present.operands_of(current)
                if isinstance(part, ConstantWithOperands) and part not in natural and self._made.find(part) < 0
            ]
            if missing:
                pending += missing
                continue
            pending.pop()
            natural[current] = self._made_of(current)
        return natural[value]

    def _made_of(self, value):
        types = self._types
        if isinstance(value, BlockAddress):
            return value
        natural_type = types.typed(value.type)
        type_ = natural_type
        operands = tuple(present.operands_of(value))
        if isinstance(value, ConstantAggregate):
            wanted = _elements(type_, value)
        elif isinstance(value, ConstantGetElementPtr):
            source = types.typed(value.source_element_type)
            part = operands[0]
            wanted = [types.to(part.type, source)]
            for part in operands[1:]:
                wanted.append(part.type)
            type_ = types.to(value.type, self._values.element(source, operands[2:]))
        elif isinstance(value, _GLOBAL_REFERENCES):
            type_ = self._record_types.type_of(operands[0])
            wanted = [type_]
        elif isinstance(value, ConstantCast):
            wanted = [self._record_types.type_of(self.written(operands[0]))]
        else:
            wanted = [types.typed(part.type) for part in operands]
        made = []
        is_same = type_ is natural_type
        for part, type_of in zip(operands, wanted, strict=True):
            typed = part if isinstance(part, BasicBlock) else self.typed(part, type_of)
            is_same = is_same and typed is part
            made.append(typed)
        return value if is_same else self._copy_of(value, type_, tuple(made))


def _elements(type_, aggregate):
    """Return the types of the elements of an aggregate."""
    if isinstance(type_, StructType):
        return type_.element_types
    return type_.element_types * len(present.operands_of(aggregate))

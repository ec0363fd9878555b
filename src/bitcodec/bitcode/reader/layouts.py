"""Turns layouts into decoders: for each field a closure that takes its operands from the record.

A decoder is made once for each layout and each way of typing pointers.
Rules: bitcode record reference, section 7.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.reader.integers import constant_range, range_width
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.fields import Field, Kind, TypeRule
from bitcodec.ir.types import VectorType
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.schema.fields import Layout
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Decoder", "Fields", "State", "alignment"]

Fields = dict[str, Any]
"""Decoded fields by name; beside a value `x` of a module with typed pointers stands its type id as `x type`."""

_ORDERINGS = tuple(AtomicOrdering)
_MAX_ALIGNMENT_EXPONENT = 32


class State(Protocol):
    """What fields of kinds that name something are looked up in."""

    @property
    def types(self) -> TypeTable:
        """Makes types."""

    def type_of_id(self, type_id: int) -> Type:
        """Return a type."""

    def block(self, number: int) -> BasicBlock:
        """Return a basic block."""

    def scope(self, number: int) -> str:
        """Return the name of a synchronization scope."""

    def attribute_list(self, index: int) -> AttributeList:
        """Return an attribute list."""

    def absolute(self, number: int, type: Type | None) -> Any:
        """Return the value of an id, of a type if that is known."""

    def value(self, operands: Iterator[int]) -> Value:
        """Return a value whose type follows if it is defined later."""

    def typed_value(self, number: int, type: Type) -> Value:
        """Return a value of a type that is known."""

    def incoming_value(self, number: int, type: Type) -> Value:
        """Return the value of an edge of a phi."""

    def argument_values(self, operands: Iterator[int], fields: Fields) -> list[Value]:
        """Return the arguments of a call to the callee in `fields`."""

    def pointee(self, fields: Fields, of: str) -> Type:
        """Return what the typed pointer in a field points to."""

    @property
    def last_type_id(self) -> int:
        """The type id of the value read last, in modules with typed pointers."""


class Decoder:
    """Decodes records of one layout.

    Args:
        layout: the fields.
        keeps_type_ids: whether values come with their type ids, because pointers are typed.
    """

    __slots__ = ("_readers",)

    def __init__(self, layout: Layout, *, keeps_type_ids: bool = False) -> None:
        self._readers = [(field.name, _reader(field, keeps_type_ids=keeps_type_ids)) for field in layout]

    def decode(self, state: State, operands: list[int]) -> Fields:
        """Return the fields of a record.

        Raises:
            Malformed: a field makes no sense.
            StopIteration: there are too few operands.
        """
        fields: Fields = {}
        iterator = iter(operands)
        for name, read in self._readers:
            fields[name] = read(state, iterator, fields)
        return fields


def alignment(code: int) -> int | None:
    """Return an alignment in bytes, None if the target decides.

    Raises:
        Malformed: it is too large.
    """
    if not code:
        return None
    if code - 1 > _MAX_ALIGNMENT_EXPONENT:
        raise Malformed(f"an alignment of 2**{code - 1} bytes is too large")
    return 1 << (code - 1)


def _reader(field: Field, *, keeps_type_ids: bool) -> Any:
    read = _TYPED_VALUE_READERS[field.rule](field) if field.rule else _READERS[field.kind](field)
    if keeps_type_ids and field.kind in (Kind.VALUE, Kind.TYPED_VALUE):
        read = _with_type_id(field, read)
    if field.if_bit is not None:
        read = _if_bit(field.if_bit, read)
    if field.if_remaining:
        read = _if_remaining(field.if_remaining, read)
    if field.is_optional or field.default is not None:
        read = _if_any(field.default, read)
    return read


def _with_type_id(field: Field, read: Any) -> Any:
    key = f"{field.name} type"

    def typed(state: State, operands: Iterator[int], fields: Fields) -> Any:
        value = read(state, operands, fields)
        fields[key] = state.last_type_id
        return value

    return typed


def _if_bit(if_bit: tuple[str, int], read: Any) -> Any:
    name, bit = if_bit
    return lambda state, operands, fields: read(state, operands, fields) if fields[name] >> bit & 1 else None


def _if_remaining(count: int, read: Any) -> Any:
    if count < 0:
        return lambda state, operands, fields: read(state, operands, fields) if operands.__length_hint__() % 2 else None
    return lambda state, operands, fields: (
        read(state, operands, fields) if operands.__length_hint__() == count else None
    )


def _if_any(default: int | None, read: Any) -> Any:
    if read is _read_number:
        return lambda _state, operands, _fields: next(operands, default)
    return lambda state, operands, fields: read(state, operands, fields) if operands.__length_hint__() else default


def _read_number(_state: State, operands: Iterator[int], _fields: Fields) -> int:
    return next(operands)


def _read_flag(_state: State, operands: Iterator[int], _fields: Fields) -> bool:
    return next(operands) != 0


def _read_alignment(_state: State, operands: Iterator[int], _fields: Fields) -> int | None:
    return alignment(next(operands))


def _read_ordering(_state: State, operands: Iterator[int], _fields: Fields) -> AtomicOrdering:
    code = next(operands)
    return _ORDERINGS[code] if code < len(_ORDERINGS) else AtomicOrdering.SEQUENTIALLY_CONSISTENT


def _read_range(_state: State, operands: Iterator[int], _fields: Fields) -> ConstantRange:
    take = operands.__next__
    return constant_range(range_width(take), take)


def _read_rest(_state: State, operands: Iterator[int], _fields: Fields) -> list[int]:
    return list(operands)


def _read_pairs(_state: State, operands: Iterator[int], _fields: Fields) -> list[tuple[int, int]]:
    return [(first, next(operands)) for first in operands]


def _read_values(state: State, operands: Iterator[int], fields: Fields) -> list[Value]:
    values = []
    while operands.__length_hint__():  # type: ignore[attr-defined]
        values.append(state.value(operands))
        if "first type" not in fields:
            fields["first type"] = state.last_type_id
    return values


def _read_counted_values(state: State, operands: Iterator[int], _fields: Fields) -> list[Value]:
    return [state.value(operands) for _ in range(next(operands))]


def _read_blocks(state: State, operands: Iterator[int], _fields: Fields) -> list[BasicBlock]:
    return [state.block(number) for number in operands]


def _read_counted_blocks(state: State, operands: Iterator[int], _fields: Fields) -> list[BasicBlock]:
    return [state.block(next(operands)) for _ in range(next(operands))]


def _read_incoming(state: State, operands: Iterator[int], fields: Fields) -> list[tuple[Value, BasicBlock]]:
    type_ = fields["type"]
    edges = []
    fields["flags"] = 0
    while (number := next(operands, None)) is not None:
        block = next(operands, None)
        if block is None:
            fields["flags"] = number
            break
        edges.append((state.incoming_value(number, type_), state.block(block)))
    return edges


def _read_cases(state: State, operands: Iterator[int], fields: Fields) -> list[tuple[Value, BasicBlock]]:
    type_ = fields["type"]
    return [(state.absolute(number, type_), state.block(next(operands))) for number in operands]


def _read_clauses(state: State, operands: Iterator[int], _fields: Fields) -> list[tuple[int, Value]]:
    return [(next(operands), state.value(operands)) for _ in range(next(operands))]


_READERS: dict[Kind, Callable[[Field], Any]] = {
    Kind.NUMBER: lambda _: _read_number,
    Kind.FLAG: lambda _: _read_flag,
    Kind.ALIGNMENT: lambda _: _read_alignment,
    Kind.ORDERING: lambda _: _read_ordering,
    Kind.RANGE: lambda _: _read_range,
    Kind.SCOPE: lambda _: lambda state, operands, _fields: state.scope(next(operands)),
    Kind.ATTRIBUTES: lambda _: lambda state, operands, _fields: state.attribute_list(next(operands)),
    Kind.TYPE: lambda field: _type_reader(field.name),
    Kind.BLOCK: lambda _: lambda state, operands, _fields: state.block(next(operands)),
    Kind.VALUE: lambda _: lambda state, operands, _fields: state.value(operands),
    Kind.ABSOLUTE: lambda field: lambda state, operands, fields: state.absolute(next(operands), fields.get(field.of)),
    Kind.VALUES: lambda _: _read_values,
    Kind.COUNTED_VALUES: lambda _: _read_counted_values,
    Kind.BLOCKS: lambda _: _read_blocks,
    Kind.COUNTED_BLOCKS: lambda _: _read_counted_blocks,
    Kind.NUMBERS: lambda _: _read_rest,
    Kind.ABSOLUTES: lambda _: lambda state, operands, _fields: [state.absolute(number, None) for number in operands],
    Kind.TYPED_ABSOLUTES: lambda _: _read_pairs,
    Kind.INCOMING: lambda _: _read_incoming,
    Kind.CASES: lambda _: _read_cases,
    Kind.CLAUSES: lambda _: _read_clauses,
    Kind.ARGUMENTS: lambda _: lambda state, operands, fields: state.argument_values(operands, fields),
}


def _type_reader(name: str) -> Any:
    key = f"{name} id"

    def read(state: State, operands: Iterator[int], fields: Fields) -> Type:
        type_id = fields[key] = next(operands)
        return state.type_of_id(type_id)

    return read


def _element_type(vector: Value) -> Type:
    if not isinstance(vector.type, VectorType):
        raise Malformed(f"a {vector.type.brief} where a vector should be")
    return vector.type.element_type


_TYPED_VALUE_READERS: dict[TypeRule, Callable[[Field], Any]] = {
    TypeRule.SAME: lambda field: (
        lambda state, operands, fields: state.typed_value(next(operands), fields[field.of].type)
    ),
    TypeRule.GIVEN: lambda field: lambda state, operands, fields: state.typed_value(next(operands), fields[field.of]),
    TypeRule.ELEMENT: lambda field: (
        lambda state, operands, fields: state.typed_value(next(operands), _element_type(fields[field.of]))
    ),
    TypeRule.POINTEE: lambda field: (
        lambda state, operands, fields: state.typed_value(next(operands), state.pointee(fields, field.of))
    ),
    TypeRule.BOOLEAN: lambda _: (
        lambda state, operands, _fields: state.typed_value(next(operands), state.types.integer(1))
    ),
    TypeRule.TOKEN: lambda _: lambda state, operands, _fields: state.typed_value(next(operands), state.types.token),
}

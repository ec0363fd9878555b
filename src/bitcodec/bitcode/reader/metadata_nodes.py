"""Makes metadata from records, each when it is asked for, with all that it reaches.

Nodes that are not distinct are made after what they refer to, so that equal ones are found to be equal.  Distinct ones
are made at once and filled later; so are the others where they refer to each other in a circle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bitcodec.bitcode.reader.debug_info import fill, references
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.text import characters
from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import Layout, layout_of
from bitcodec.bitcode.upgrade.debug_info_records import upgraded_expression
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DIGlobalVariableExpression, DINode
from bitcodec.ir.metadata import DIArgList, MDNode, MDTuple, Metadata, ValueAsMetadata
from bitcodec.ir.types import MetadataType, Type, VoidType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.metadata_index import MetadataIndex
    from bitcodec.ir.metadata import MetadataTable
    from bitcodec.ir.values import Value

__all__ = ["NodeMaker", "TypeOf", "ValueOf", "of_type"]

TypeOf: TypeAlias = "Callable[[int], Type]"
"""Returns the type of a type id; may raise `Malformed`."""
ValueOf: TypeAlias = "Callable[[int, int], Value | None]"
"""Returns the value of a type id and an absolute value id, None for one that is void; may raise `Malformed`."""

_DISTINCT = 1
_VALUE_OPERANDS = 2


class _Open(NamedTuple):
    """A record under way: its operands in LLVM 22's order, and its layout if it is debug information."""

    code: int
    operands: list[int]
    layout: Layout | None


class NodeMaker:
    """Makes the metadata of an index.

    Args:
        outer: makes the metadata of the ids before those of the index.

    Attributes:
        table: where equal metadata meets.
        type_of: returns the type of a type id.
    """

    def __init__(
        self, table: MetadataTable, index: MetadataIndex, type_of: TypeOf, value_of: ValueOf, outer: NodeMaker | None
    ) -> None:
        self.table = table
        self._index = index
        self.type_of = type_of
        self._value_of = value_of
        self._outer = outer
        self._first = index.first_id
        self._made: list[Metadata | None] = [None] * len(index)
        self._open: dict[int, _Open] = {}
        self._unfilled: list[tuple[int, _Open]] = []
        self._new: list[int] = []
        self._current = -1
        self._empty_expression = table.unique(DIExpression())

    def make(self, metadata_id: int) -> Metadata:
        """Return the metadata of an id.

        Raises:
            Malformed: there is no such id.
            BitcodeError: its record, or one that it reaches, makes no sense.
        """
        number = metadata_id - self._first
        if number < 0:
            return self._of_outer(metadata_id)
        # Upgrades may have added records.
        self._made += [None] * (len(self._index) - len(self._made))
        if number >= len(self._made):
            raise Malformed(f"metadata id {metadata_id}, but there are {self._first + self._index.count}")
        found = self._made[number]
        return self._make(metadata_id) if found is None else found

    def make_all(self) -> None:
        """Make everything."""
        for number, made in enumerate(self._made):
            if made is None:
                self._make(number + self._first)

    def get(self, metadata_id: int) -> Metadata:
        """Return metadata that has been made already."""
        if metadata_id < self._first:
            return self._of_outer(metadata_id)
        found = self._made[metadata_id - self._first]
        if found is None:
            raise Malformed(f"metadata id {metadata_id} refers to itself")
        return found

    def string(self, metadata_id: int) -> str:
        """Return the text of a string."""
        if metadata_id >= self._first:
            text = self._index.text(metadata_id)
            if text is not None:
                return text
            code, operands = self._index.record(metadata_id)
            if code == MetadataCode.STRING_OLD:
                return characters(operands)
        elif self._outer is not None:
            return self._outer.string(metadata_id)
        raise Malformed(f"metadata id {metadata_id} is no string")

    def _of_outer(self, metadata_id: int) -> Metadata:
        if self._outer is None:
            raise Malformed(f"metadata id {metadata_id}")
        return self._outer.make(metadata_id)

    def _make(self, metadata_id: int) -> Metadata:
        self._current = metadata_id
        try:
            if not self._begin(metadata_id):
                self._finish([metadata_id])
            while self._unfilled:
                self._complete(*self._unfilled.pop())
        except Malformed as error:
            self._forget()
            raise self._index.error(self._current, str(error)) from None
        except IndexError as error:
            self._forget()
            raise self._index.error(self._current, "has too few operands") from error
        except BaseException:
            self._forget()
            raise
        self._new.clear()
        return self.get(metadata_id)

    def _forget(self) -> None:
        """Let go of what has been made since something was asked for: it may be unfinished."""
        for number in self._new:
            self._made[number] = None
        self._new.clear()
        self._open.clear()
        self._unfilled.clear()

    def _keep(self, metadata_id: int, metadata: Metadata) -> None:
        self._made[metadata_id - self._first] = metadata
        self._new.append(metadata_id - self._first)

    def _begin(self, metadata_id: int) -> bool:
        """Make what needs nothing else, and distinct nodes without their content; return whether it is made."""
        number = metadata_id - self._first
        if number < 0:
            self._of_outer(metadata_id)
            return True
        if number < len(self._made) and self._made[number] is not None:
            return True
        if metadata_id in self._open:
            return False
        text = self._index.text(metadata_id)
        if text is not None:
            self._keep(metadata_id, self.table.string(text))
            return True
        outside, self._current = self._current, metadata_id
        code, operands = self._index.record(metadata_id)
        leaf = _LEAVES.get(code)
        if leaf is not None:
            self._keep(metadata_id, leaf(self, operands))
        else:
            self._open_record(metadata_id, code, operands)
        self._current = outside
        return self._made[number] is not None

    def _open_record(self, metadata_id: int, code: int, operands: list[int]) -> None:
        if code in _TUPLES:
            record = _Open(code, operands, None)
            is_distinct = code == MetadataCode.DISTINCT_NODE
        else:
            record = _Open(code, self._index.modern(metadata_id), layout_of(code))
            is_distinct = bool(record.operands[0] & _DISTINCT)
        if is_distinct:
            self._keep(metadata_id, _shell(record, is_distinct=True))
            self._unfilled.append((metadata_id, record))
        else:
            self._open[metadata_id] = record

    def _complete(self, metadata_id: int, record: _Open) -> None:
        """Fill a distinct node."""
        self._current = metadata_id
        missing = [needed for needed in self._references(record) if not self._begin(needed)]
        if missing:
            self._finish(missing)
            self._current = metadata_id
        node = self._made[metadata_id - self._first]
        assert isinstance(node, MDNode), "a distinct node is there from the beginning"  # noqa: S101
        self._fill(node, record)

    def _finish(self, pending: list[int]) -> None:
        """Make nodes that are not distinct, each after what it refers to."""
        entered: set[int] = set()
        while pending:
            metadata_id = pending[-1]
            record = self._open.get(metadata_id)
            if record is None:
                pending.pop()
                continue
            self._current = metadata_id
            if metadata_id not in entered:
                entered.add(metadata_id)
                missing = [needed for needed in self._references(record) if not self._begin(needed)]
                for needed in missing:
                    if needed in entered:
                        self._keep(needed, _shell(self._open[needed], is_distinct=False))
                    else:
                        pending.append(needed)
                if pending[-1] != metadata_id:
                    continue
            pending.pop()
            del self._open[metadata_id]
            entered.discard(metadata_id)
            self._close(metadata_id, record)

    def _close(self, metadata_id: int, record: _Open) -> None:
        """Make a node of which all references are there."""
        node = self._made[metadata_id - self._first]
        if isinstance(node, MDNode):
            self._fill(node, record)
            # What refers to itself equals nothing else.
            node.is_distinct = any(operand is node for operand in node.operands)
        elif record.code == MetadataCode.ARG_LIST:
            self._keep(metadata_id, DIArgList(self._values(record.operands)))
        else:
            made = _shell(record, is_distinct=False)
            self._fill(made, record)
            self._keep(metadata_id, self.table.unique(made))

    def _references(self, record: _Open) -> list[int]:
        if record.layout is not None:
            return references(record.layout, record.operands)
        if record.code == MetadataCode.ARG_LIST:
            return record.operands
        if record.code == MetadataCode.OLD_NODE:
            return [number for type_, number in self._typed_pairs(record.operands) if isinstance(type_, MetadataType)]
        return [raw - 1 for raw in record.operands if raw]

    def _fill(self, node: MDNode, record: _Open) -> None:
        if isinstance(node, DINode) and record.layout is not None:
            fill(node, record.layout, record.operands, self)
            if isinstance(node, DIGlobalVariableExpression) and node.expression is None:
                node.expression = self._empty_expression
        elif isinstance(node, MDTuple):
            if record.code == MetadataCode.OLD_NODE:
                node.set_operands(self._old_element(*pair) for pair in _pairs(record.operands))
            else:
                node.set_operands([self.get(raw - 1) if raw else None for raw in record.operands])

    def _typed_pairs(self, operands: list[int]) -> list[tuple[Type, int]]:
        return [(self.type_of(type_id), number) for type_id, number in _pairs(operands)]

    def _old_element(self, type_id: int, number: int) -> Metadata | None:
        type_ = self.type_of(type_id)
        if isinstance(type_, MetadataType):
            return self.get(number)
        return None if isinstance(type_, VoidType) else self.value(type_id, number)

    def _values(self, metadata_ids: list[int]) -> list[ValueAsMetadata]:
        values = [self.get(metadata_id) for metadata_id in metadata_ids]
        found = [value for value in values if isinstance(value, ValueAsMetadata)]
        if len(found) < len(values):
            raise Malformed("an argument that is no value")
        return found

    def value(self, type_id: int, value_id: int) -> ValueAsMetadata:
        """Return what stands for a value.

        Raises:
            Malformed: there is no such value, or it is void.
        """
        value = self._value_of(type_id, value_id)
        if value is None:
            raise Malformed(f"value {value_id} is void")
        return self.table.value(value)


def of_type(value: Value, value_id: int, type: Type) -> Value:
    """Return a value that is to be of a type.

    Raises:
        Malformed: it is of another.
    """
    if value.type is not type:
        raise Malformed(f"value {value_id} is a {value.type.brief}, not a {type.brief}")
    return value


def _string_old(maker: NodeMaker, operands: list[int]) -> Metadata:
    return maker.table.string(characters(operands))


def _value(maker: NodeMaker, operands: list[int]) -> Metadata:
    if len(operands) > _VALUE_OPERANDS:
        raise Malformed("has too many operands")
    return maker.value(operands[0], operands[1])


def _old_function_node(maker: NodeMaker, operands: list[int]) -> Metadata:
    """Return the local value that is meant; nodes that hold more are no longer possible, they become empty."""
    if len(operands) == 2 and not isinstance(maker.type_of(operands[0]), MetadataType | VoidType):
        return maker.value(*operands)
    return maker.table.tuple()


def _expression(maker: NodeMaker, operands: list[int]) -> Metadata:
    elements = upgraded_expression(operands[0] >> 1, operands[1:])
    return maker.table.unique(DIExpression(elements, is_distinct=bool(operands[0] & _DISTINCT)))


def _assign_id(_maker: NodeMaker, operands: list[int]) -> Metadata:
    if not operands[0] & _DISTINCT:
        raise Malformed("a DIAssignID that is not distinct")
    if len(operands) > 1:
        raise Malformed("has too many operands")
    return DIAssignID()


_LEAVES: dict[int, Callable[[NodeMaker, list[int]], Metadata]] = {
    MetadataCode.STRING_OLD: _string_old,
    MetadataCode.VALUE: _value,
    MetadataCode.OLD_FN_NODE: _old_function_node,
    MetadataCode.EXPRESSION: _expression,
    MetadataCode.ASSIGN_ID: _assign_id,
}
"""Makers of what refers to no other metadata."""

_TUPLES = {MetadataCode.NODE, MetadataCode.DISTINCT_NODE, MetadataCode.OLD_NODE, MetadataCode.ARG_LIST}


def _shell(record: _Open, *, is_distinct: bool) -> MDNode:
    """Return a node without content."""
    if record.layout is None:
        if record.code == MetadataCode.ARG_LIST:
            raise Malformed("a list of arguments that refers to itself")
        return MDTuple(is_distinct=is_distinct)
    node = record.layout.node.__new__(record.layout.node)
    node.is_distinct = is_distinct
    return node


def _pairs(operands: list[int]) -> list[tuple[int, int]]:
    if len(operands) % 2:
        raise Malformed("a type without a value")
    return list(zip(operands[::2], operands[1::2], strict=True))

# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: SLF001
"""The loop over the records of metadata nodes, and the programs by which it makes the content of nodes.

Rules: docs/reference/records.md, 8.
"""

from __future__ import annotations

import re
from itertools import compress, count
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.old_node_records import Number
from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.host import native
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction import present
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode, MDString
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from bitcodec.bitcode.reader.metadata_sources import Index, Maker
    from bitcodec.ir.metadata import Metadata

__all__ = [
    "DebugInfoForm",
    "NodeForm",
    "NodeReader",
    "ReadStep",
    "RecordReader",
    "TupleForm",
    "append_numbers",
    "find_code",
    "known_node",
]


class ReadStep:
    """How a field is made from an operand: the first cell of a step of a program.

    The cells after it are the position of the operand, and two numbers that the step needs.
    """

    CELLS = 4
    ANY = 0
    """The operand, which may be larger than 64 bits."""
    NUMBER = 1
    """The operand if it is not larger than the first number, else its bits in that."""
    COLUMN = 2
    BOOLEAN = 3
    SIGNED = 4
    """32 bits in two's complement."""
    BITS = 5
    """Bits from the first number on; the second is their mask."""
    FLAG = 6
    """As BITS; whether they are set."""
    OPTIONAL_NUMBER = 7
    """Nothing if it is the first number, else the second is added."""
    NODE = 8
    """The node with the id that is one less; None if it is 0."""
    ID = 9
    """The node with the id."""
    STRING = 10
    """The text of the string with the id that is one less; empty if it is 0."""
    OPTIONAL_STRING = 11
    UNSIGNED_INTEGER = 12
    """A number that a constant gives, or other metadata."""
    SIGNED_INTEGER = 13
    EXPRESSION = 14
    """As NODE, but an empty expression if it is 0."""
    REST = 15
    """As NODE, for each operand from the position on."""


_CELLS = ReadStep.CELLS
_ANY, _NUMBER, _COLUMN, _BOOLEAN, _SIGNED = (
    ReadStep.ANY,
    ReadStep.NUMBER,
    ReadStep.COLUMN,
    ReadStep.BOOLEAN,
    ReadStep.SIGNED,
)
_BITS, _FLAG, _OPTIONAL_NUMBER = ReadStep.BITS, ReadStep.FLAG, ReadStep.OPTIONAL_NUMBER
_NODE, _ID, _STRING, _OPTIONAL_STRING = ReadStep.NODE, ReadStep.ID, ReadStep.STRING, ReadStep.OPTIONAL_STRING
_UNSIGNED, _EXPRESSION = ReadStep.UNSIGNED_INTEGER, ReadStep.EXPRESSION
_REST = ReadStep.REST

_WORD, _INTEGERS = 0xFFFF_FFFF, 1 << 64
_SIGN = 0x8000_0000
_COLUMN_LIMIT = 1 << 16
"""LLVM does not know columns from here on."""

_VALUE = int(MetadataCode.VALUE)
_VALUE_OPERANDS = 2
_DISTINCT_NODE = int(MetadataCode.DISTINCT_NODE)
_NUMBER_BYTES = 8
_ROW_BITS = 32
_ROW = 0xFFFF_FFFF


def known_node(made: Any, outer: Any, first_id: int, metadata_id: int) -> Any:
    """Return metadata that has been made; None if it has not.

    Args:
        made: the metadata of a function, or of the module.
        outer: the metadata of the module; None if `made` is that.
        first_id: the first id that is not of the module.
        metadata_id: the id of the node.
    """
    # `dict.get` itself: compiled, a method of a class that is derived from it is looked up by name.
    if metadata_id < first_id:
        return None if outer is None else dict.get(outer, metadata_id)
    return dict.get(made, metadata_id)


class NodeForm:
    """How the nodes of a record code are made from the operands of their records.

    Args:
        kind: their class.
        distinct: the bits of a record's first operand any of which makes the node distinct; 0 if the code decides that.
        length: how many operands a complete record has.
        lengths: how many operands a record may have, None if any number.
        upgrade: returns the operands of a record in LLVM 22's order, None if all have that.

    Attributes:
        kind, distinct, length, lengths, upgrade: as above.
    """

    def __init__(
        self,
        kind: type[MDNode],
        distinct: int = 0,
        length: int = 0,
        lengths: frozenset[int] | None = None,
        upgrade: Callable[[list[int]], list[int]] | None = None,
    ) -> None:
        self.kind = kind
        self.distinct = distinct
        self.length = length
        self.lengths = lengths
        self.upgrade = upgrade

    def is_modern(self, operands: list[int]) -> bool:
        """Return whether the operands of a record are complete and in LLVM 22's order without a closer look."""
        return self.upgrade is None and len(operands) == self.length

    def references(self, made: Any, operands: list[int]) -> list[int]:
        """Return the metadata ids that a record refers to, without names.

        Args:
            made: has the metadata of each id; see `NodeMaker`.
            operands: of the record, complete and in LLVM 22's order.
        """
        raise NotImplementedError

    def contents(self, made: Any, operands: list[int]) -> tuple[Any, ...]:
        """Return the contents of the node, as `MDNode.key` does; all references have been created."""
        raise NotImplementedError


class TupleForm(NodeForm):
    """Form of nodes that contain only references."""

    def references(self, made: Any, operands: list[int]) -> list[int]:  # noqa: ARG002
        """Return the ids of the elements that are not null."""
        return [raw - 1 for raw in operands if raw]

    def contents(self, made: Any, operands: list[int]) -> tuple[Any, ...]:
        """Return the elements."""
        return tuple([made[raw - 1] if raw else None for raw in operands])


class DebugInfoForm(NodeForm):
    """Form of debug-info nodes: a program.

    Args:
        kind, distinct, length, lengths, upgrade: as in `NodeForm`.
        references: positions of operands that are ids to which one was added.
        ids: positions of operands that are ids.
        rest: the position from which on all operands are references; -1 if it does not apply.
        cells: a step for each field, `ReadStep.CELLS` cells each.
    """

    def __init__(
        self,
        kind: type[MDNode],
        distinct: int,
        length: int,
        lengths: frozenset[int] | None,
        upgrade: Callable[[list[int]], list[int]] | None,
        references: tuple[int, ...],
        ids: tuple[int, ...],
        rest: int,
        cells: array[int],
    ) -> None:
        super().__init__(kind, distinct, length, lengths, upgrade)
        self._references = references
        self._ids = ids
        self._rest = rest
        self._cells = cells
        self._field_count = len(cells) // _CELLS
        fixed = [position for step, position in zip(cells[::_CELLS], cells[1::_CELLS], strict=True) if step != _REST]
        self._operand_count = 1 + max(fixed + list(references + ids))

    def references(self, made: Any, operands: list[int]) -> list[int]:  # noqa: ARG002
        """Return the ids in the order of the positions."""
        if len(operands) < self._operand_count:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        found = []
        for position in self._references:
            raw = operands[position]
            if raw and type(raw) is int:
                found.append(raw - 1)
        for position in self._ids:
            found.append(operands[position])  # noqa: PERF401 - compiled, this is a loop without a call
        if self._rest >= 0:
            found += [raw - 1 for raw in operands[self._rest :] if raw]
        return found

    def contents(self, made: Any, operands: list[int]) -> tuple[Any, ...]:
        """Return the fields."""
        if len(operands) < self._operand_count:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        found: list[Any] = [None] * self._field_count
        for place in range(self._field_count):
            found[place] = self._field(made, operands, place * _CELLS)
        return tuple(found)

    def _field(self, made: Any, operands: list[int], cell: int) -> Any:  # noqa: C901, PLR0911, PLR0912 - one for each step
        step, position = self._cells[cell], self._cells[cell + 1]
        if step == _REST:
            return tuple([made[raw - 1] if raw else None for raw in operands[position:]])
        operand = operands[position]
        if step == _NODE:
            return made[operand - 1] if operand else None
        if step == _STRING:
            return _text(made, operand - 1) if operand else ""
        if step == _NUMBER:
            number, first = operand, self._cells[cell + 2]
            return operand if number <= first else number & first
        if step == _ANY:
            return operand
        if step >= _UNSIGNED:
            if step == _EXPRESSION:
                return made[operand - 1] if operand else made.empty_expression
            return _integer(made, operand, step != _UNSIGNED)
        if step == _ID:
            return made[operand]
        if step == _OPTIONAL_STRING:
            return _text(made, operand - 1) if operand else None
        number = operand
        if step == _BOOLEAN:
            return number != 0
        first = self._cells[cell + 2]
        if step == _COLUMN:
            number &= _WORD
            return number if number < _COLUMN_LIMIT else 0
        if step == _SIGNED:
            signed = number & _WORD
            return signed - 2 * _SIGN if signed >= _SIGN else signed
        if step == _BITS:
            return number >> first & self._cells[cell + 3]
        if step == _FLAG:
            return number >> first & self._cells[cell + 3] != 0
        return None if number == first else number + self._cells[cell + 3] & _WORD


def _text(made: Any, metadata_id: int) -> str:
    known = made if metadata_id >= made.first_id or made.outer is None else made.outer
    found = dict.get(known, metadata_id)
    text: str = found.text if type(found) is MDString else made.string(metadata_id)
    return text


def _integer(made: Any, raw: int, is_signed: bool) -> int | Metadata | None:  # noqa: FBT001 - called for each field
    """Return the number of a constant `i64`, or other metadata unchanged."""
    if type(raw) is Number:
        return int(raw)
    if not raw:
        return None
    metadata: Metadata = made[raw - 1]
    if isinstance(metadata, ConstantAsMetadata):
        value = metadata.value
        if isinstance(value, ConstantInt) and value.type.bit_width == 64:
            return value.value if is_signed or value.value >= 0 else value.value + _INTEGERS
    return metadata


def find_code(codes: bytes | bytearray, code: int, first: int = 0) -> list[int]:
    """Return the indices of a code, counted from `first`."""
    if not native.COMPILED:
        return [first + found.start() for found in re.finditer(re.escape(bytes([code])), codes)]
    cells = codes
    return [first + index for index in range(len(cells)) if cells[index] == code]


def append_numbers(numbers: array[int], marks: bytes, first: int, step: int) -> None:
    """Append a number for each mark that is 1: `first` if it is the first mark, `step` more for each mark before it."""
    if not native.COMPILED:
        numbers.extend(compress(count(first, step), marks))
        return
    at = len(numbers)
    numbers.frombytes(bytes(_NUMBER_BYTES * marks.count(1)))
    cells, flags, number = numbers, marks, first
    for index in range(len(flags)):
        if flags[index] == 1:
            cells[at] = number
            at += 1
        number += step


class RecordReader:
    """Reads operands of the records of an index.

    Args:
        index: has the records.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._first_id = index.first_id
        self._columns = index.columns
        self._block = -1
        self._bounds: Any = None
        self._operands: Any = None

    def operands_at(self, metadata_ids: list[int], position: int) -> list[int]:
        """Return the operand at a position of the record of each id, 0 if the record is shorter."""
        rewritten, entries, found = self._index.rewritten, self._index.entries, []
        for metadata_id in metadata_ids:
            if rewritten and metadata_id in rewritten:
                found += rewritten[metadata_id][1][position : position + 1] or [0]
                continue
            row = self._row_of(entries[metadata_id - self._first_id])
            at = self._bounds[row] + position
            found.append(self._operands[at] if at < self._bounds[row + 1] else 0)
        return found

    def _row_of(self, entry: int) -> int:
        """Return the row of a record in its block, of which the columns are set."""
        block, row = entry >> _ROW_BITS, entry & _ROW
        if block != self._block:
            self._bounds, self._operands = self._columns[block]
            self._block = block
        if row + 1 >= len(self._bounds):
            raise IndexError("there is no such record")
        return row

    def _operands_at(self, entry: int) -> list[int]:
        row = self._row_of(entry)
        first, end = self._bounds[row], self._bounds[row + 1]
        if not native.COMPILED:
            numbers: list[int] = self._operands[first:end].tolist()
            return numbers
        return [self._operands[at] for at in range(first, end)]


class NodeReader(RecordReader):
    """Makes the metadata of all records of an index.

    Args:
        maker: holds the metadata.
        index: has the records.
        forms: by code; those that are missing are added.
        leaves: by code, makers of metadata that refers to no other metadata.
    """

    def __init__(
        self, maker: Maker[NodeForm], index: Index, forms: dict[int, NodeForm], leaves: dict[int, Any]
    ) -> None:
        super().__init__(index)
        self._maker = maker
        self._table = maker.table
        self._forms = forms
        self._leaves = leaves
        self._new = maker.new
        local = maker.local
        self._own: list[Any] = [] if local is None else local.own
        self._types: list[Any] = [] if local is None else local.types
        self._first_own: Any = 0 if local is None else local.first_own

    def make_all(self) -> None:
        """Make everything that is not there, then fill the distinct nodes.

        Raises:
            Malformed: the record of the id `NodeMaker.current` is malformed.
        """
        maker: Any = self._maker
        index = self._index
        codes, entries, rewritten = index.codes, index.entries, index.rewritten
        number = 0
        while number < len(entries):
            metadata_id = self._first_id + number
            if metadata_id not in maker:
                maker.current = metadata_id
                entry = entries[number]
                if entry < 0 or metadata_id in rewritten:
                    code, operands = index.record(metadata_id)
                else:
                    code, operands = codes[number], self._operands_at(entry)
                self._make(metadata_id, code, operands)
            number += 1
        unfilled = iter(maker.unfilled)  # now all is there that these refer to
        for metadata_id, node, form in zip(unfilled, unfilled, unfilled, strict=True):
            maker.current = metadata_id
            node._content = form.contents(maker, self._operands_of(metadata_id, form))

    def _operands_of(self, metadata_id: int, form: NodeForm) -> list[int]:
        """Return the operands of a node that was begun before."""
        index = self._index
        if metadata_id in index.rewritten:
            code, operands = index.record(metadata_id)
        else:
            number = metadata_id - self._first_id
            code, operands = index.codes[number], self._operands_at(index.entries[number])
        return self._modernize(metadata_id, code, form, operands) if form.distinct else operands

    def _modernize(self, metadata_id: int, code: int, form: NodeForm, operands: list[int]) -> list[int]:
        """Return the operands of a record of debug information, all of them, in LLVM 22's order."""
        count, length = len(operands), form.length
        if form.upgrade is None:
            if count == length:
                return operands
        elif (form.lengths is None or count in form.lengths) and metadata_id not in self._index.rewritten:
            try:
                modern: list[int] = form.upgrade(operands)
            except Malformed:
                pass  # is raised again below, with its place
            else:
                if len(modern) >= length:
                    return modern
            operands = self._index.record(metadata_id)[1]
        return self._index.modernized(metadata_id, code, operands)

    def _make(self, metadata_id: int, code: int, operands: list[int]) -> None:
        leaf = self._leaves.get(code)
        if leaf is not None:
            self._keep(metadata_id, self._make_leaf(leaf, code, operands))
            return
        form: Any = self._forms.get(code)
        if form is None:
            form = self._forms[code] = self._maker.form(code)
        if form.distinct:
            operands = self._modernize(metadata_id, code, form, operands)
            if not operands:
                raise Malformed(Reason.TOO_FEW_OPERANDS())
            is_distinct = operands[0] & form.distinct != 0
        else:
            is_distinct = code == _DISTINCT_NODE
        if is_distinct:
            node = form.kind.__new__(form.kind)
            node.is_distinct = True
            self._maker.unfilled += (metadata_id, node, form)
            self._keep(metadata_id, node)
        else:
            self._make_node(metadata_id, form, operands)

    def _make_leaf(self, leaf: Callable[[Any, list[int]], Metadata], code: int, operands: list[int]) -> Metadata:
        if code != _VALUE or len(operands) != _VALUE_OPERANDS:
            return leaf(self._maker, operands)
        # Most of them are such.
        type_id, number = operands[0], operands[1] - self._first_own
        if 0 <= number < len(self._own) and type_id < len(self._types):
            value = self._own[number]
            if value.type is self._types[type_id]:
                return present.present_wrapper(value) or self._table.value(value)
        value = self._maker.value_of(operands[0], operands[1])
        if value is None:
            return leaf(self._maker, operands)  # which refuses it
        return present.present_wrapper(value) or self._table.value(value)

    def _make_node(self, metadata_id: int, form: NodeForm, operands: list[int]) -> None:
        """Make a uniqued node, with the nodes that it refers to."""
        maker = self._maker
        for needed in form.references(maker, operands):
            if needed not in maker:
                if needed >= self._first_id:
                    maker.make_with_references(metadata_id, form)
                    return
                found = None if maker.outer is None else maker.outer.get(needed)
                if found is None:
                    _ = maker[needed]
                else:
                    maker[needed] = found
        content = form.contents(maker, operands)
        if maker.self_references or form.kind is MDNode:
            self._keep(metadata_id, maker.made_of(metadata_id, form, content))
            return
        node = form.kind.__new__(form.kind)
        node.is_distinct = False
        node._content = content
        self._keep(metadata_id, self._table.known(node, content))

    def _keep(self, metadata_id: int, metadata: Metadata) -> None:
        self._maker[metadata_id] = metadata
        self._new.append(metadata_id)

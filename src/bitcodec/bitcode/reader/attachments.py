"""Locations, metadata and debug records of instructions, made on first access.

Rules: docs/reference/records.md, 7.8 and 8.6.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.boundary import Boundary
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.ir.construction.present import present_location
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord, DebugRecord
from bitcodec.ir.lazy import Deferred, MaterializationLock
from bitcodec.ir.metadata import LocalAsMetadata, MDNode
from bitcodec.reasons import Reason
from bitcodec.upgrade.branch_weights import are_misfits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata, ModuleMetadata
    from bitcodec.bitcode.reader.metadata_nodes import NodeMaker
    from bitcodec.bitcode.reader.wrapped_values import WrappedValues
    from bitcodec.errors import BitcodeError
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.values import Value
    from bitcodec.sentences import Sentence

__all__ = [
    "DEBUG_RECORD_OPERANDS",
    "LOCATION_KIND",
    "LOCATION_OPERANDS",
    "VARIABLE_KINDS",
    "AttachmentSource",
    "DeferredAttachedLocation",
    "DeferredAttachments",
    "DeferredFunctionMetadata",
    "DeferredLocation",
    "DeferredRecords",
    "decode_body",
    "location_fields",
    "resolve_all",
]

DEBUG_RECORD_OPERANDS: dict[int, int] = {
    FunctionCode.DEBUG_RECORD_VALUE: 4,
    FunctionCode.DEBUG_RECORD_DECLARE: 4,
    FunctionCode.DEBUG_RECORD_ASSIGN: 7,
    FunctionCode.DEBUG_RECORD_VALUE_SIMPLE: 4,
    FunctionCode.DEBUG_RECORD_LABEL: 2,
    FunctionCode.DEBUG_RECORD_DECLARE_VALUE: 4,
}
"""How many operands LLVM reads of a debug record.  It ignores the others, whatever they are."""

T = TypeVar("T")

_COLUMNS = 1 << 16
"""Columns from here on are not known, as LLVM has it."""

LOCATION_KIND = 0
"""The kind of a location in each file that LLVM wrote."""

_LOW_WORD = 0xFFFF_FFFF
LOCATION_OPERANDS = 7
"""How many operands of a location LLVM knows."""
_MAX_GROUP, _MAX_RANK = (1 << 61) - 1, 7
"""LLVM keeps both in 64 bits."""
_ATOM_GROUP = 5
"""From this operand on LLVM looks only at records of all operands."""

_NODE_OR_NONE = (MDNode, type(None))
VARIABLE_KINDS = {kind.code: kind for kind in DbgVariableKind}
"""Kinds of variable debug records, by record code."""
_VALUE = DbgVariableKind.VALUE


class AttachmentSource:
    """Source from which all deferred parts of one function are read.

    Args:
        module: metadata of the module.
        place: position of the body.
        values: values of the function that its metadata wraps.
        known: metadata of the function, if a part has been created before; otherwise None.

    Attributes:
        module: metadata of the module.
        table: uniques equal metadata.
        places: positions of the metadata blocks in the body, found so far.
        blocks: these blocks, decoded or not.
        by_pairs: attachments, by the pairs of kind and metadata id in the records.
        cells: numbers from the records of deferred parts; see `InstructionExtras.defer`.
    """

    def __init__(
        self,
        module: ModuleMetadata,
        place: BlockPlace,
        values: WrappedValues,
        known: FunctionMetadata | None = None,
    ) -> None:
        self._place = place
        self._values = values
        self.module = module
        self.table = module.context.metadata
        self.places: list[BlockPlace] = []
        self.blocks: list[BlockPlace | Records] = []
        self.by_pairs: dict[tuple[int, ...], dict[str, MDNode]] = {}
        self.cells = array("Q")
        self._attached_locations: dict[tuple[int, ...], DILocation] = {}
        self._known = known

    @cached_property
    def metadata(self) -> FunctionMetadata:
        """The metadata of the function, from the blocks found before the first access."""
        if self._known is not None:
            self._known.use_values(self._values.of, self._values)
            return self._known
        return self.module.function(self.blocks, self._values.of, self._values)

    @cached_property
    def made(self) -> NodeMaker:
        """Metadata of the function by id."""
        return self.metadata.maker

    def keep_places(self) -> None:
        """Drop the records of metadata blocks: they may be part of much that was decoded together."""
        if "metadata" in self.__dict__:
            self.metadata.keep_places(self.places)
        self.blocks = [*self.places]

    def node(self, metadata_id: int) -> Metadata:
        """Return metadata of the function; see `FunctionMetadata.node`."""
        return self.metadata.node(metadata_id)

    @property
    def has_old_expressions(self) -> bool:
        """Whether metadata of the function that was read has expressions of an old form."""
        return bool(self.blocks) and "metadata" in self.__dict__ and self.metadata.has_old_expressions

    def scopes(self, row: int, scope_id: int, inlined_at_id: int) -> tuple[MDNode | None, MDNode | None]:
        """Return the scope of a location, None if absent, and its inlining location, None if it is not inlined.

        The ids are in the form of a record: plus one.
        """
        made = self.made
        with self._at(row):
            scope = made[scope_id - 1] if scope_id else None
            inlined_at = made[inlined_at_id - 1] if inlined_at_id else None
            if not isinstance(scope, _NODE_OR_NONE):
                raise _no_node(scope_id - 1)
            if not isinstance(inlined_at, _NODE_OR_NONE):
                raise _no_node(inlined_at_id - 1)
            return (None, None) if scope is None else (scope, inlined_at)

    def record(self, row: int, code: int, operands: list[int], value: Value | None) -> DebugRecord:
        """Return a debug record; its value is an operand unless it is given."""
        made: Any = self.made
        with self._at(row):
            if value is None:
                return _debug_record(code, [made[operand] for operand in operands])
            # Most are of this form.
            location, variable, expression = operands
            wrapped = self.table.value(value)
            return DbgVariableRecord(_VALUE, made[location], made[variable], made[expression], wrapped)

    def attached(self, row: int, pairs: tuple[int, ...]) -> dict[str, MDNode]:
        """Return the attachments of an instruction by kind, from pairs of kind and metadata id.

        It ends before the first node that wraps a value of the function, as in LLVM. A location is left out.
        """
        found = self.by_pairs.get(pairs)
        if found is None:
            # Most of it is attached to many.
            found = self.by_pairs[pairs] = self.module.attached.get(pairs) or self._read_attached(row, pairs)
            if LOCATION_KIND not in pairs and max(pairs[1::2], default=0) < self.module.count:
                self.module.attached[pairs] = found
        return found.copy()

    def attached_location(self, row: int, pairs: tuple[int, ...]) -> DILocation | None:
        """Return the location that pairs attach to an instruction, None if they attach none.

        LLVM writes it in records of the body, but reads it here too.
        """
        if pairs not in self.by_pairs:
            _ = self.attached(row, pairs)
        return self._attached_locations.get(pairs)

    def _read_attached(self, row: int, numbers: tuple[int, ...]) -> dict[str, MDNode]:
        found: dict[str, MDNode] = {}
        pairs, module = iter(numbers), self.module
        with self._at(row):
            for kind, metadata_id in zip(pairs, pairs, strict=True):
                node = self.made[metadata_id]
                name = module.kind(kind)
                if kind == LOCATION_KIND and name == "dbg" and isinstance(node, DILocation):
                    self._attached_locations[numbers] = node
                elif isinstance(node, MDNode):
                    found[name] = module.upgraded(name, node)
                elif isinstance(node, LocalAsMetadata):
                    break
                else:
                    raise Malformed(Reason.ATTACHED_NO_NODE(number=metadata_id, kind=name))
        return found

    def attached_to_function(self, row: int, kind: int, metadata_id: int) -> tuple[str, MDNode]:
        """Return kind and node of an attachment of the function itself."""
        with self._at(row):
            node = self.made[metadata_id]
            if not isinstance(node, MDNode):
                raise _no_node(metadata_id)
            return self.module.kind(kind), node

    def _at(self, row: int) -> _RecordBoundary:
        return _RecordBoundary(self._place, row)


class _RecordBoundary(Boundary):
    """A boundary with the place of a record of a body, which is decoded again to find that."""

    __slots__ = ("_row",)

    def __init__(self, place: BlockPlace, row: int) -> None:
        super().__init__(place)
        self._row = row

    def _refusal(self, reason: Sentence) -> BitcodeError:
        return decode_body(self._place).error(self._row, reason)


def resolve_all(instructions: Iterable[Instruction]) -> None:
    """Read the locations, attachments and debug records of a function's instructions, and all of its metadata.

    Raises:
        BitcodecError: it is malformed.
    """
    source = None
    for instruction in instructions:
        location = present_location(instruction)  # properties would read each part by itself
        if isinstance(location, DeferredLocation) and location.source is not source:
            source = location.source
            source.metadata.read_all()
        if location is not None or instruction.has_attachments or instruction.has_debug_records:
            instruction.materialize()


def decode_body(place: BlockPlace) -> Records:
    """Decode the body of a function without its metadata blocks, which have separate places."""
    return place.decode(skipped=(BlockId.METADATA_BLOCK,))


def location_fields(operands: list[int]) -> tuple[int, int, int, int, bool, int, int]:
    """Return the fields of a location in their order, with ids to which one was added in the place of scopes."""
    if len(operands) != LOCATION_OPERANDS:
        operands = [*operands[:_ATOM_GROUP], 0, 0, 0][:LOCATION_OPERANDS]
    line, column, scope, inlined_at, is_implicit, group, rank = operands
    line, column = line & _LOW_WORD, column & _LOW_WORD
    group, rank = group & _MAX_GROUP, rank & _MAX_RANK
    return line, column if column < _COLUMNS else 0, scope, inlined_at, is_implicit != 0, group, rank


class _DeferredOfBody(Deferred[T]):
    """A deferred part of a function."""

    __slots__ = ("source",)

    source: AttachmentSource

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self.source.table.lock


class DeferredLocation(_DeferredOfBody[DILocation | None]):
    """The location of a DEBUG_LOC record; instructions that follow one another may share it.

    Attributes:
        at: index in `AttachmentSource.cells` of the row and `LOCATION_OPERANDS` operands of the record.
    """

    __slots__ = ("at",)

    at: int

    def resolve(self) -> DILocation | None:
        """Return it, None if it has no scope."""
        row, *operands = self.source.cells[self.at : self.at + 1 + LOCATION_OPERANDS]
        line, column, scope_id, inlined_at_id, *rest = location_fields(operands)
        scope, inlined_at = self.source.scopes(row, scope_id, inlined_at_id)
        if scope is None:
            return None
        return self.source.table.node(DILocation, (line, column, scope, inlined_at, *rest))


class DeferredAttachedLocation(_DeferredOfBody["DILocation | None"]):
    """The location among pairs of kind and metadata id; if there is none, the location of a record of the body."""

    __slots__ = ("_pairs", "_row", "_stated")

    def __init__(
        self, source: AttachmentSource, row: int, pairs: tuple[int, ...], stated: Deferred[DILocation | None] | None
    ) -> None:
        self.source = source
        self._row = row
        self._pairs = pairs
        self._stated = stated

    def resolve(self) -> DILocation | None:
        """Return it."""
        found = self.source.attached_location(self._row, self._pairs)
        return self._stated.resolve() if found is None and self._stated is not None else found


class DeferredAttachments(_DeferredOfBody[dict[str, MDNode]]):
    """The metadata attached to an instruction: pairs of kind and metadata id, and how many ways there are from it."""

    __slots__ = ("_pairs", "_row", "_ways")

    def __init__(self, source: AttachmentSource, row: int, pairs: tuple[int, ...], ways: int | None) -> None:
        self.source = source
        self._row = row
        self._pairs = pairs
        self._ways = ways

    def resolve(self) -> dict[str, MDNode]:
        """Return it by kind."""
        found = self.source.attached(self._row, self._pairs)
        if "prof" in found and are_misfits(found["prof"], self._ways):
            del found["prof"]
        return found


class DeferredFunctionMetadata(_DeferredOfBody[list[tuple[str, MDNode]]]):
    """The metadata attached to a function with a body: pairs of kind and metadata id, of one record or several."""

    __slots__ = ("_pairs",)

    def __init__(self, source: AttachmentSource) -> None:
        self.source = source
        self._pairs: list[tuple[int, int, int]] = []

    def add(self, row: int, pairs: list[int]) -> None:
        """Add the pairs of a record."""
        self._pairs += [(row, *pair) for pair in zip(pairs[::2], pairs[1::2], strict=True)]

    def resolve(self) -> list[tuple[str, MDNode]]:
        """Return kind and node of each, in order."""
        return [self.source.attached_to_function(*entry) for entry in self._pairs]


class DeferredRecords(_DeferredOfBody[list[DebugRecord]]):
    """The debug records before an instruction.

    Args:
        source: reads them.
        at: index in its `cells` of row, code, count of operands, and operands of each record.
        values: for each, its value if the record gives it as an operand.
    """

    __slots__ = ("_at", "_found", "_values")

    def __init__(self, source: AttachmentSource, at: int, values: list[Value | None]) -> None:
        self.source = source
        self._at = at
        self._values = values
        self._found: list[DebugRecord] | None = None

    def resolve(self) -> list[DebugRecord]:
        """Return them, in order: the same list each time."""
        if self._found is None:
            self._found = list(self._read())
            self._values = []  # which may go away
        return self._found

    def _read(self) -> Iterator[DebugRecord]:
        cells, at = self.source.cells, self._at
        for value in self._values:
            row, code, count = cells[at : at + 3]
            at += 3 + count
            yield self.source.record(row, code, cells[at - count : at].tolist(), value)


def _no_node(metadata_id: int) -> Malformed:
    return Malformed(Reason.NO_NODE(number=metadata_id))


def _debug_record(code: int, nodes: list[Any]) -> DebugRecord:
    """Return a record that refers to metadata only; the verifier checks the kinds of these nodes."""
    if code == FunctionCode.DEBUG_RECORD_LABEL:
        return DbgLabelRecord(nodes[0], nodes[1])
    extra = dict(zip(("assign_id", "address_expression", "address"), nodes[4:], strict=False))
    return DbgVariableRecord(VARIABLE_KINDS[code], nodes[0], nodes[1], nodes[2], nodes[3], **extra)

"""What instructions have beside their operands, made when it is asked for: locations, metadata, debug records.

Rules: bitcode record reference, sections 7.8 and 8.6.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitcode.upgrade.branch_weights import are_misfits
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import LocalAsMetadata, MDNode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata, ModuleMetadata
    from bitcodec.bitcode.reader.metadata_nodes import ValueOf
    from bitcodec.errors import BitcodeError
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.values import Value

__all__ = [
    "DEBUG_RECORD_CODES",
    "AttachmentSource",
    "DeferredAttachments",
    "DeferredFunctionMetadata",
    "DeferredLocation",
    "DeferredRecords",
    "decode_body",
    "resolve_all",
]

DEBUG_RECORD_CODES = frozenset(
    {
        FunctionCode.DEBUG_RECORD_VALUE,
        FunctionCode.DEBUG_RECORD_DECLARE,
        FunctionCode.DEBUG_RECORD_ASSIGN,
        FunctionCode.DEBUG_RECORD_VALUE_SIMPLE,
        FunctionCode.DEBUG_RECORD_LABEL,
        FunctionCode.DEBUG_RECORD_DECLARE_VALUE,
    }
)


_COLUMNS = 1 << 16
"""Columns from here on are not known, as LLVM has it."""

_LOCATION_OPERANDS = 7

_NODE_OR_NONE = (MDNode, type(None))
_VARIABLE_KINDS = {kind.code: kind for kind in DbgVariableKind}
_VALUE = DbgVariableKind.VALUE
_new = object.__new__


class AttachmentSource:
    """What all of a function's deferred parts are read with.

    Args:
        module: metadata of the module.
        place: the body.
        value_of: returns the values that metadata of the function wraps.

    Attributes:
        module: metadata of the module.
        table: where equal metadata meets.
        blocks: the blocks of metadata in the body, those met so far.
        attached: what is attached to instructions, by the operands that say so: most of it is attached to many.
    """

    def __init__(self, module: ModuleMetadata, place: BlockPlace, value_of: ValueOf) -> None:
        self._place = place
        self._value_of = value_of
        self.module = module
        self.table = module.context.metadata
        self.blocks: list[BlockPlace] = []
        self.attached: dict[tuple[int, ...], dict[str, MDNode]] = {}

    @cached_property
    def metadata(self) -> FunctionMetadata:
        """The metadata of the function; that of blocks met until it is first asked for."""
        return self.module.function(self.blocks, self._value_of)

    @cached_property
    def made(self) -> Mapping[int, Metadata]:
        """Metadata of the function by id; see `NodeMaker`."""
        return self.metadata.maker

    def node(self, metadata_id: int) -> Metadata:
        """Return metadata of the function; see `FunctionMetadata.node`."""
        return self.metadata.node(metadata_id)

    @property
    def has_old_expressions(self) -> bool:
        """Whether metadata of the function that was asked for has expressions of an old form."""
        return "metadata" in self.__dict__ and self.metadata.has_old_expressions

    def error(self, row: int, refusal: Malformed | IndexError) -> BitcodeError:
        """Return the error that says why a record was refused, and where; to find that the body is decoded again."""
        reason = str(refusal) if isinstance(refusal, Malformed) else "has too few operands"
        return decode_body(self._place).error(row, reason)


def resolve_all(instructions: Sequence[Instruction]) -> None:
    """Read what the instructions of a function have beside their operands, and all metadata of the function.

    That is faster than to ask each for it.

    Raises:
        BitcodecError: it is malformed.
    """
    _resolve_locations(instructions)
    for instruction in instructions:
        attachments, records = instruction._attachments, instruction._records
        if attachments is not None and isinstance(attachments, Deferred):
            instruction._attachments = attachments.resolve()
        if records is not None and isinstance(records, Deferred):
            instruction._records = records.resolve()


def _resolve_locations(instructions: Sequence[Instruction]) -> None:
    """Do for all locations what `DeferredLocation.resolve` does, but look for scopes only where they change."""
    deferred = [location for i in instructions if type(location := i._location) is DeferredLocation]
    if not deferred:
        return
    source = deferred[0]._source
    source.metadata.read_all()
    table = source.table
    known = table.nodes(DILocation)
    scope_id = inlined_at_id = -1
    for location in deferred:
        line, column, its_scope, its_inlined_at, is_implicit, group, rank = location.fields()
        if its_scope != scope_id or its_inlined_at != inlined_at_id or location._source is not source:
            source, scope_id, inlined_at_id = location._source, its_scope, its_inlined_at
            scope, inlined_at = location.scopes()
        if location._found is None and scope is not None:
            node = _new(DILocation)
            node.is_distinct = False
            node.line = line
            node.column = column
            node.scope = scope
            node.inlined_at = inlined_at
            node.is_implicit_code = is_implicit
            node.atom_group = group
            node.atom_rank = rank
            content = (line, column, scope, inlined_at, is_implicit, group, rank)
            location._found = node if known.setdefault(content, node) is node else table.known(node, content)
    for instruction in instructions:
        if type(location := instruction._location) is DeferredLocation:
            instruction._location = location._found


def decode_body(place: BlockPlace) -> Records:
    """Decode the body of a function without its metadata, which has places of its own."""
    return place.decode(skipped=(BlockId.METADATA_BLOCK,))


class DeferredLocation(Deferred["DILocation | None"]):
    """The location of a DEBUG_LOC record; instructions that follow one another may share it."""

    __slots__ = ("_found", "_operands", "_row", "_source")

    def __init__(self, source: AttachmentSource, row: int, operands: list[int]) -> None:
        self._source = source
        self._row = row
        self._operands = operands
        self._found: DILocation | None = None

    def fields(self) -> tuple[int, int, int, int, bool, int, int]:
        """Return its fields in their order, with ids to which one was added in the place of scopes."""
        operands = self._operands
        if len(operands) != _LOCATION_OPERANDS:
            operands = [*operands, 0, 0, 0][:_LOCATION_OPERANDS]
        line, column, scope, inlined_at, is_implicit, group, rank = operands
        return line, column if column < _COLUMNS else 0, scope, inlined_at, is_implicit != 0, group, rank

    def resolve(self) -> DILocation | None:
        """Return it, None if it has no scope."""
        scope, inlined_at = self.scopes()
        if self._found is None and scope is not None:
            line, column, _, _, *rest = self.fields()
            self._found = self._source.table.node(DILocation, (line, column, scope, inlined_at, *rest))
        return self._found

    def scopes(self) -> tuple[MDNode | None, MDNode | None]:
        """Return its scope, None if it has none, and where that is inlined, None if it is not."""
        scope_id, inlined_at_id = self._operands[2:4]
        if not scope_id:
            return None, None
        source = self._source
        try:
            scope = source.made[scope_id - 1]
            inlined_at = source.made[inlined_at_id - 1] if inlined_at_id else None
            if not isinstance(scope, MDNode) or not isinstance(inlined_at, _NODE_OR_NONE):
                raise _no_node(inlined_at_id if isinstance(scope, MDNode) else scope_id)
        except (Malformed, IndexError) as error:
            raise source.error(self._row, error) from None
        return scope, inlined_at


def _no_node(metadata_id_plus_one: int) -> Malformed:
    return Malformed(f"metadata id {metadata_id_plus_one - 1} is no node")


class DeferredAttachments(Deferred[dict[str, MDNode]]):
    """The metadata attached to an instruction: pairs of kind and metadata id."""

    __slots__ = ("_pairs", "_row", "_source", "_ways")

    def __init__(self, source: AttachmentSource, row: int, pairs: tuple[int, ...], ways: int | None) -> None:
        self._source = source
        self._row = row
        self._pairs = pairs
        self._ways = ways

    def resolve(self) -> dict[str, MDNode]:
        """Return it by kind, up to the first that wraps a value of the function, as LLVM does."""
        known = self._source.attached
        found = known.get(self._pairs)
        if found is None:
            found = known[self._pairs] = self._read()
        found = found.copy()
        if "prof" in found and are_misfits(found["prof"], self._ways):
            del found["prof"]
        return found

    def _read(self) -> dict[str, MDNode]:
        found: dict[str, MDNode] = {}
        source, pairs = self._source, iter(self._pairs)
        module = source.module
        try:
            for kind, metadata_id in zip(pairs, pairs, strict=True):
                node = source.made[metadata_id]
                name = module.kind(kind)
                if isinstance(node, MDNode):
                    found[name] = module.upgraded(name, node)
                elif isinstance(node, LocalAsMetadata):
                    break
                else:
                    raise Malformed(f"metadata id {metadata_id}, attached as {name}, is no node")  # noqa: TRY301
        except (Malformed, IndexError) as error:
            raise source.error(self._row, error) from None
        return found


class DeferredFunctionMetadata(Deferred["list[tuple[str, MDNode]]"]):
    """The metadata attached to a function with a body: pairs of kind and metadata id, of one record or several."""

    __slots__ = ("_pairs", "_source")

    def __init__(self, source: AttachmentSource) -> None:
        self._source = source
        self._pairs: list[tuple[int, int, int]] = []

    def add(self, row: int, pairs: list[int]) -> None:
        """Add the pairs of a record."""
        self._pairs += [(row, *pair) for pair in zip(pairs[::2], pairs[1::2], strict=True)]

    def resolve(self) -> list[tuple[str, MDNode]]:
        """Return kind and node of each, in order."""
        return [self._read(*entry) for entry in self._pairs]

    def _read(self, row: int, kind: int, metadata_id: int) -> tuple[str, MDNode]:
        source = self._source
        try:
            node = source.made[metadata_id]
            if not isinstance(node, MDNode):
                raise Malformed(f"metadata id {metadata_id} is no node")  # noqa: TRY301 - to be given its place
            return source.module.kind(kind), node
        except (Malformed, IndexError) as error:
            raise source.error(row, error) from None


class DeferredRecords(Deferred["list[DebugRecord]"]):
    """The debug records in front of an instruction: row, code, operands and, if it is written so, the value of each."""

    __slots__ = ("_entries", "_source")

    def __init__(self, source: AttachmentSource) -> None:
        self._source = source
        self._entries: list[tuple[int, int, tuple[int, ...], Value | None]] = []

    def add(self, row: int, code: int, operands: tuple[int, ...], value: Value | None) -> None:
        """Add a record behind the others."""
        self._entries.append((row, code, operands, value))

    def resolve(self) -> list[DebugRecord]:
        """Return them, in order."""
        source = self._source
        value_of = source.table.value
        made: Any = source.made
        found: list[DebugRecord] = []
        for row, code, operands, value in self._entries:
            try:
                if value is None:
                    found.append(_debug_record(code, [made[operand] for operand in operands]))
                else:
                    # Most are of this form.
                    location, variable, expression = operands
                    wrapped = value._as_metadata or value_of(value)
                    found.append(DbgVariableRecord(_VALUE, made[location], made[variable], made[expression], wrapped))
            except (Malformed, IndexError) as error:
                raise source.error(row, error) from None
        return found


def _debug_record(code: int, nodes: list[Any]) -> DebugRecord:
    """Return a record that refers to metadata alone; what kinds of nodes these are is a verifier's matter."""
    if code == FunctionCode.DEBUG_RECORD_LABEL:
        return DbgLabelRecord(nodes[0], nodes[1])
    extra = dict(zip(("assign_id", "address_expression", "address"), nodes[4:], strict=False))
    return DbgVariableRecord(_VARIABLE_KINDS[code], nodes[0], nodes[1], nodes[2], nodes[3], **extra)

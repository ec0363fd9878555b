"""What instructions have beside their operands, made when it is asked for: locations, metadata, debug records.

Rules: bitcode record reference, sections 7.8 and 8.6.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitcode.upgrade.branch_weights import are_misfits
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import LocalAsMetadata, MDNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata, ModuleMetadata
    from bitcodec.ir.debug_records import DebugRecord
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

_VARIABLE_KINDS = {kind.code: kind for kind in DbgVariableKind}


class AttachmentSource:
    """What all of a function's deferred parts are read with.

    Args:
        metadata: returns the metadata of the function.
        module: metadata of the module.
        place: the body.
    """

    __slots__ = ("_metadata", "_place", "module")

    def __init__(self, metadata: Callable[[], FunctionMetadata], module: ModuleMetadata, place: BlockPlace) -> None:
        self._metadata = metadata
        self._place = place
        self.module = module

    @property
    def metadata(self) -> FunctionMetadata:
        """Metadata of the function."""
        return self._metadata()

    @contextmanager
    def placed(self, row: int) -> Iterator[None]:
        """Give what is refused inside the place of a record; to find that the body is decoded once more."""
        try:
            yield
        except (Malformed, IndexError) as error:
            with decode_body(self._place).placed(row):
                raise error from None


def decode_body(place: BlockPlace) -> Records:
    """Decode the body of a function without its metadata, which has places of its own."""
    return place.decode(skipped=(BlockId.METADATA_BLOCK,))


class DeferredLocation(Deferred["DILocation | None"]):
    """The location of a DEBUG_LOC record; instructions that follow one another may share it."""

    __slots__ = ("_column", "_found", "_inlined_at", "_line", "_rest", "_row", "_scope", "_source")

    def __init__(self, source: AttachmentSource, row: int, operands: list[int]) -> None:
        self._source = source
        self._row = row
        self._line, self._column, self._scope, self._inlined_at, *rest = operands
        self._rest = tuple(rest) if any(rest) else ()
        self._found: DILocation | None = None

    def resolve(self) -> DILocation | None:
        """Return it, None if it has no scope."""
        if self._found is None:
            with self._source.placed(self._row):
                self._found = self._read()
        return self._found

    def _read(self) -> DILocation | None:
        is_implicit, group, rank = (*self._rest, 0, 0, 0)[:3]
        scope = self._node(self._scope)
        if scope is None:
            return None
        location = DILocation(
            line=self._line,
            column=self._column if self._column < _COLUMNS else 0,
            scope=scope,
            inlined_at=self._node(self._inlined_at),
            is_implicit_code=bool(is_implicit),
            atom_group=group,
            atom_rank=rank,
        )
        return self._source.module.context.metadata.unique(location)

    def _node(self, metadata_id_plus_one: int) -> MDNode | None:
        node = self._source.metadata.optional(metadata_id_plus_one)
        if node is not None and not isinstance(node, MDNode):
            raise Malformed(f"metadata id {metadata_id_plus_one - 1} is no node")
        return node


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
        found: dict[str, MDNode] = {}
        with self._source.placed(self._row):
            for kind, metadata_id in zip(self._pairs[::2], self._pairs[1::2], strict=True):
                node = self._source.metadata.node(metadata_id)
                name = self._source.module.kind(kind)
                if isinstance(node, LocalAsMetadata):
                    break
                if not isinstance(node, MDNode):
                    raise Malformed(f"metadata id {metadata_id}, attached as {name}, is no node")
                found[name] = self._source.module.upgraded(name, node)
        if "prof" in found and are_misfits(found["prof"], self._ways):
            del found["prof"]
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
        found = []
        for row, kind, metadata_id in self._pairs:
            with self._source.placed(row):
                node = self._source.metadata.node(metadata_id)
                if not isinstance(node, MDNode):
                    raise Malformed(f"metadata id {metadata_id} is no node")
                found.append((self._source.module.kind(kind), node))
        return found


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
        found = []
        for row, code, operands, value in self._entries:
            with self._source.placed(row):
                found.append(self._read(code, operands, value))
        return found

    def _read(self, code: int, operands: tuple[int, ...], value: Value | None) -> DebugRecord:
        metadata = self._source.metadata
        nodes: list[Metadata] = [metadata.node(operand) for operand in operands]
        location = nodes[0]
        if code == FunctionCode.DEBUG_RECORD_LABEL:
            return DbgLabelRecord(location, nodes[1])  # type: ignore[arg-type] # a verifier's matter
        if value is not None:
            nodes.append(self._source.module.context.metadata.value(value))
            code = FunctionCode.DEBUG_RECORD_VALUE
        extra = dict(zip(("assign_id", "address_expression", "address"), nodes[4:], strict=False))
        return DbgVariableRecord(
            _VARIABLE_KINDS[code],
            location,  # type: ignore[arg-type] # a verifier's matter
            nodes[1],  # type: ignore[arg-type]
            nodes[2],  # type: ignore[arg-type]
            nodes[3],
            **extra,  # type: ignore[arg-type]
        )

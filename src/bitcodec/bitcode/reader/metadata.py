"""The metadata of a module and of its functions: decoded on first access, made node by node.

Rules: docs/reference/records.md, 8.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from bitcodec import upgrade
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.blocks import BlockPlace, Records, decoded_records
from bitcodec.bitcode.reader.metadata_index import HANDLED_METADATA_CODES, KIND_MASK, MetadataIndex, read_kind
from bitcodec.bitcode.reader.metadata_nodes import NodeMaker
from bitcodec.bitcode.reader.old_debug_info import DebugInfoUpgrade
from bitcodec.bitcode.reader.wrapped_constants import find_wrappers, may_have_operands
from bitcodec.bitcode.schema.blocks import MetadataCode, MetadataKindCode
from bitcodec.errors import BitcodecError, copy_error
from bitcodec.ir.lazy import Deferred, DeferredPart, MaterializationLock
from bitcodec.ir.metadata import MDNode, Metadata, NamedMetadata
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.bitcode.reader.metadata_index import NamedNode
    from bitcodec.bitcode.reader.metadata_nodes import TypeOf, ValueOf
    from bitcodec.bitcode.reader.wrapped_values import WrappedValues
    from bitcodec.ir.context import Context
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_METADATA_CODES", "UPGRADED_KINDS", "FunctionMetadata", "ModuleMetadata"]

_ALIASING, _LOOP = "tbaa", "llvm.loop"
UPGRADED_KINDS = frozenset({_ALIASING, _LOOP})
"""Kinds of attachments that `ModuleMetadata.upgraded` may replace."""


class _Metadata:
    """Base of the metadata of a module and of a function."""

    _index: MetadataIndex
    maker: NodeMaker
    """Makes its nodes."""

    @property
    def count(self) -> int:
        """The first metadata id that is free."""
        return self._index.first_id + self._index.count

    def node(self, metadata_id: int) -> Metadata:
        """Return the metadata of an id.

        Raises:
            Malformed: the id is unknown.
            BitcodeError: its record, or one that it reaches, is malformed.
        """
        return self.maker[metadata_id]

    @cached_property
    def has_old_expressions(self) -> bool:
        """Whether `dbg.declare` of a parameter may have a `deref` in front that is one too many: up to LLVM 4."""
        expressions = self._index.by_code({MetadataCode.EXPRESSION}).get(MetadataCode.EXPRESSION, [])
        # A file is of one LLVM.
        return any(self._index.record(metadata_id)[1][:1] < [2 << 1] for metadata_id in expressions[:1])

    def read_all(self) -> None:
        """Make all metadata.

        Raises:
            BitcodeError: a record is malformed.
        """
        maker = self.maker
        for first_id, texts in self._index.all_texts():
            maker.update(enumerate(map(maker.table.string, texts), first_id))
        maker.make_all()

    def keep_places(self, places: Sequence[BlockPlace]) -> None:
        """Drop the decoded records of its blocks, which are at these places; the operands that nodes need are kept."""
        self._index.keep_places(places)

    def read_deferred(self) -> None:
        """Read the content of all nodes of the module and its functions that have been made without it.

        Raises:
            BitcodeError: a record is malformed.
        """
        self.maker.read_deferred()


class ModuleMetadata(_Metadata):
    """The metadata of a module.

    Args:
        blocks: its METADATA blocks, in order.
        kind_blocks: its METADATA_KIND blocks.
        type_of: returns the type of a type id.
        value_of: returns the global or constant of a type id and a value id.

    Attributes:
        attached: nodes attached to instructions, by the pairs of kind and metadata id that attach them; only nodes
            of pairs that refer to no metadata of a function.
    """

    def __init__(
        self,
        context: Context,
        blocks: Sequence[BlockPlace | Records],
        kind_blocks: Sequence[BlockPlace | Records],
        type_of: TypeOf,
        value_of: ValueOf,
    ) -> None:
        self.context = context
        self.type_of = type_of
        self.value_of = value_of
        self._blocks = blocks
        self._kind_blocks = kind_blocks
        self._left: list[FunctionMetadata] = []
        self._refusal: BitcodecError | Malformed | None = None
        self._wrappers: tuple[Sequence[Value | None], set[int]] | None = None
        self.attached: dict[tuple[int, ...], dict[str, MDNode]] = {}

    @property
    def index(self) -> MetadataIndex:
        """Its records."""
        return self._index

    def nodes_of_globals(self) -> dict[int, DeferredNodes]:
        """Return the nodes attached to globals by value id, unread."""
        attached = {value_id: list(pairs) for value_id, pairs in self.global_attachments.items()}
        for value_id, metadata_id in self.function_subprograms:
            attached.setdefault(value_id, []).append(("dbg", metadata_id))
        return {value_id: DeferredNodes(self, pairs) for value_id, pairs in attached.items()}

    def leave(self, metadata: FunctionMetadata) -> None:
        """Note metadata of a function of which only that is made which is needed."""
        if metadata.count > self.count:
            self._left.append(metadata)

    def read_left(self) -> None:
        """Make all remaining metadata, as LLVM does, which refuses malformed metadata even if it is unused.

        Raises:
            BitcodeError: a record is malformed.
        """
        while self._left:
            metadata = self._left[-1]
            metadata.read_all()
            self._left.remove(metadata)

    @cached_property
    def _index(self) -> MetadataIndex:  # type: ignore[override] # made at the first touch
        return MetadataIndex(0, [decoded_records(block) for block in self._blocks])

    @cached_property
    def _upgrade(self) -> DebugInfoUpgrade:
        if self._refusal is not None:  # records have been rewritten in part, so another attempt would misread them
            raise self._refusal if isinstance(self._refusal, Malformed) else copy_error(self._refusal)
        try:
            return DebugInfoUpgrade(self._index, self.value_of)
        except (BitcodecError, Malformed) as error:
            self._refusal = error
            raise

    @cached_property
    def maker(self) -> NodeMaker:  # type: ignore[override] # made at the first touch
        """Makes its nodes."""
        _ = self._upgrade  # which rewrites records, before anything is made of them
        made = NodeMaker(self.context.metadata, self._index, self.type_of, self.value_of, None)
        _share_types(made, self._index, self.context)
        return made

    def forget_values(self) -> None:
        """Release the lookup of values, when all metadata has been read.

        It leads back to the reader, which would stay, with all tables, until Python looks for circles.
        """
        self.value_of = self.maker.value_of = self._upgrade.value_of = _no_value

    def wrappers(self, values: Sequence[Value | None]) -> set[int]:
        """Return the metadata ids that wrap constants with operands, or constants that have not been made.

        Args:
            values: the values of the module by value id; None for constants that have not been created.
        """
        if self._wrappers is None or self._wrappers[0] is not values:
            self._wrappers = values, find_wrappers(self._index, may_have_operands(values))
        return self._wrappers[1]

    @cached_property
    def named(self) -> dict[str, NamedMetadata]:
        """Named metadata, by name and in order; its nodes are made on first access."""
        return {
            name: NamedMetadata(name, DeferredPart(self.context.lock, partial(self._operands_of, records)))
            for name, records in self._index.named.items()
        }

    @cached_property
    def kinds(self) -> dict[int, str]:
        """Names of the kinds of attachments, by the numbers that the file has for them.

        Raises:
            BitcodeError: a number has two names.
        """
        kinds: dict[int, str] = {}
        for block in self._kind_blocks:
            records = decoded_records(block)
            for row, code, operands in records:
                if code == MetadataKindCode.KIND:
                    with records.placed(row):
                        read_kind(operands, kinds)
        # Before LLVM 3.8 they stood among the rest.
        return {**self._index.kinds, **kinds}

    def kind(self, number: int) -> str:
        """Return the name of a kind.

        Raises:
            Malformed: the file defines no such kind.
        """
        found = self.kinds.get(number & KIND_MASK)
        if found is None:
            raise Malformed(Reason.NAMELESS_KIND(number=number))
        return found

    @cached_property
    def global_attachments(self) -> dict[int, list[tuple[str, int]]]:
        """Kind and metadata id of each node attached to a global, by the global's value id.

        Raises:
            BitcodeError: a kind has no name.
        """
        found: dict[int, list[tuple[str, int]]] = {}
        kinds, count = self.kinds, self.count
        for records, row, value_id, pairs in self._index.attachments():
            attached = found.setdefault(value_id, [])
            for number, metadata_id in pairs:
                name = kinds.get(number & KIND_MASK)
                if name is None:
                    raise records.error(row, Reason.NAMELESS_KIND(number=number))
                if metadata_id >= count:
                    raise records.error(row, Reason.NO_METADATA(number=metadata_id))
                if not self._index.may_be_node(metadata_id):
                    raise records.error(row, Reason.NO_NODE(number=metadata_id))
                attached.append((name, metadata_id))
        return self._upgrade.attachments(found)

    @property
    def function_subprograms(self) -> list[tuple[int, int]]:
        """Value id of a function, metadata id of its subprogram, if the subprogram contains it: up to LLVM 3.8."""
        return self._upgrade.function_subprograms

    @cached_property
    def has_old_loop_tags(self) -> bool:
        """Whether nodes of loops may have the names of LLVM 3.4 and before."""
        strings = self._index.by_code({MetadataCode.STRING_OLD}).get(MetadataCode.STRING_OLD, [])
        return any(upgrade.is_old_loop_tag(self.maker.string(metadata_id)) for metadata_id in strings)

    def upgraded(self, kind: str, node: MDNode) -> MDNode:
        """Return the node that LLVM 22 attaches to an instruction in place of a node: usually the same node."""
        if kind == _ALIASING:
            return upgrade.upgraded_tbaa(node, self.context)
        if kind == _LOOP and self.has_old_loop_tags:
            return upgrade.upgraded_loop(node, self.context.metadata)
        return node

    def function(
        self, blocks: Sequence[BlockPlace | Records], value_of: ValueOf, local: WrappedValues | None = None
    ) -> FunctionMetadata:
        """Return the metadata of a function.

        Args:
            blocks: its METADATA blocks, in order.
            value_of: returns values, its arguments and instructions among them.
            local: these; None if `value_of` is to find them.
        """
        return FunctionMetadata(self, blocks, value_of, local)

    def _operands_of(self, named: Iterable[NamedNode]) -> list[MDNode]:
        nodes = []
        for records, row, operands in named:
            with records.placed(row):
                nodes += [self._operand(operand) for operand in operands]
        return nodes

    def _operand(self, metadata_id: int) -> MDNode:
        node = self.node(metadata_id)
        if not isinstance(node, MDNode):
            raise Malformed(Reason.NO_NODE(number=metadata_id))
        return node


class DeferredNodes(Deferred[list[tuple[str, MDNode]]]):
    """The nodes attached to a global: kind and metadata id of each."""

    __slots__ = ("_metadata", "_pairs")

    def __init__(self, metadata: ModuleMetadata, pairs: list[tuple[str, int]]) -> None:
        self._metadata = metadata
        self._pairs = pairs

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self._metadata.context.lock

    def resolve(self) -> list[tuple[str, MDNode]]:
        """Return kind and node of each, in order; other metadata is left out."""
        nodes = [(kind, self._metadata.node(metadata_id)) for kind, metadata_id in self._pairs]
        return [(kind, node) for kind, node in nodes if isinstance(node, MDNode)]


class FunctionMetadata(_Metadata):
    """The metadata of a function: its ids continue after the module's."""

    def __init__(
        self,
        module: ModuleMetadata,
        blocks: Sequence[BlockPlace | Records],
        value_of: ValueOf,
        local: WrappedValues | None,
    ) -> None:
        outer = module.maker
        self._module = module
        self._index = MetadataIndex(module.count, blocks)
        self.maker = NodeMaker(module.context.metadata, self._index, module.type_of, value_of, outer, local)
        _share_types(self.maker, self._index, module.context)

    def wrappers(self, values: Sequence[Value | None], own: Sequence[Value | None]) -> set[int]:
        """Return the metadata ids, including the module's, that wrap constants with operands.

        Args:
            values: the values of the module, as in `ModuleMetadata.wrappers`.
            own: the values of the function, which follow them.
        """
        is_of_module, is_own, first_own = may_have_operands(values), may_have_operands(own), len(values)
        return find_wrappers(
            self._index,
            lambda value_id: is_of_module(value_id) if value_id < first_own else is_own(value_id - first_own),
            self._module.wrappers(values),
        )

    def forget(self, codes: Iterable[int]) -> dict[int, tuple[int, list[int]]]:
        """Discard the nodes of records of some codes, for re-creation at the next request; return the records by id."""
        found: dict[int, tuple[int, list[int]]] = {}
        for metadata_ids in self._index.by_code(codes).values():
            for metadata_id in metadata_ids:
                found[metadata_id] = self._index.record(metadata_id)
                self.maker.pop(metadata_id, None)
        return found

    def use_values(self, value_of: ValueOf, local: WrappedValues) -> None:
        """Find the values of the function from now on."""
        self.maker.value_of, self.maker.local = value_of, local


def _share_types(maker: NodeMaker, index: MetadataIndex, context: Context) -> None:
    if context.shared_types is not None:
        from bitcodec.bitcode.reader.shared_types import adopt_shared_types  # noqa: PLC0415 - few programs link modules

        adopt_shared_types(maker, index, context.shared_types)


def _no_value(_type_id: int, value_id: int) -> None:
    raise Malformed(Reason.LATE_WRAPPER(number=value_id))

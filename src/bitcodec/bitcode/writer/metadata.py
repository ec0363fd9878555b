"""Metadata: which there is, in whose block each stands, and its id.

What one function alone refers to stands in that function's block.  Rules: writer reference, section 11.7.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.bitcode.writer.constants import Collected
from bitcodec.bitcode.writer.debug_info import form_of
from bitcodec.errors import EncodingError
from bitcodec.ir.constants import Constant
from bitcodec.ir.debug_info import DINode
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import (
    DIArgList,
    LocalAsMetadata,
    MDNode,
    MDString,
    MDTuple,
    ValueAsMetadata,
)
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module

__all__ = [
    "MODULE",
    "NO_METADATA",
    "Key",
    "MetadataCollector",
    "MetadataIds",
    "MetadataNumbers",
    "metadata_rank",
    "references",
]

Key: TypeAlias = "str | Constant | MDNode"
"""What has an id: a string by its text, a constant by itself, a node."""

NO_METADATA = -1
"""Stands where an id would; records have the next number, 0, for what is not there."""

MODULE = 0
"""Tag of what is the module's own; functions are counted from 1."""


class MetadataCollector:
    """Collects metadata, and knows for each whether it is the module's own or stands in the block of a function.

    Args:
        ids: of the module's own metadata.
        constants: takes the constants that metadata wraps.
    """

    def __init__(self, ids: MetadataIds, constants: Collected) -> None:
        self.ids = ids
        self._constants = constants
        self._tags: dict[Any, int] = {}
        self._ordered: list[Key] = []

    def collect_function(self, function: Function, tag: int) -> None:
        """Collect what a function refers to."""
        for _, node in function.metadata:
            self.add(node, tag)
        self._collect_body(function, tag)

    def _collect_body(self, function: Function, tag: int) -> None:
        last = scope = inlined_at = None
        for block in function._blocks:
            for instruction in block._instructions:
                # Most have little beside their operands, and a location in the scope of the instruction before.
                if instruction._records or instruction._attachments or isinstance(instruction, CallBase):
                    self._collect_beside(instruction, tag)
                location: Any = instruction._location
                if location is None or location is last:
                    continue
                last = location
                if location.scope is not scope:
                    scope = location.scope
                    self._add_known(scope, tag)
                if location.inlined_at is not inlined_at:
                    inlined_at = location.inlined_at
                    if inlined_at is not None:
                        self._add_known(inlined_at, tag)

    def _collect_beside(self, instruction: Instruction, tag: int) -> None:
        if instruction._records:
            for record in instruction.debug_records:
                self._collect_record(record, tag)
        if isinstance(instruction, CallBase):
            for operand in instruction._operands:
                if type(operand) is MetadataAsValue:
                    self._collect_value(operand.metadata, tag)
        if instruction._attachments:
            for node in instruction.metadata.values():
                self._add_known(node, tag)

    def _add_known(self, node: MDNode, tag: int) -> None:
        """Collect a node that most often has been collected for the same function."""
        known = self._tags.get(node)
        if known is None:
            self.add(node, tag)
        elif known not in (MODULE, tag):
            self._move_to_module(node)

    def _collect_record(self, record: DebugRecord, tag: int) -> None:
        if isinstance(record, DbgLabelRecord):
            self._add_known(record.label, tag)
        else:
            variable: Any = record
            self._collect_value(variable.value, tag)
            self._add_known(variable.variable, tag)
            self._add_known(variable.expression, tag)
            if variable.kind is DbgVariableKind.ASSIGN:
                self._collect_assignment(variable, tag)
        self._add_known(record.location, tag)

    def _collect_assignment(self, record: Any, tag: int) -> None:
        for node in (record.assign_id, record.address_expression):
            if node is not None:
                self._add_known(node, tag)
        if record.address is not None:
            self._collect_value(record.address, tag)

    def _collect_value(self, metadata: Any, tag: int) -> None:
        """Collect what may wrap a value of the function; that one has an id only while the function is written."""
        if isinstance(metadata, LocalAsMetadata):
            return
        if isinstance(metadata, DIArgList):
            for argument in metadata.arguments:
                self._collect_value(argument, tag)
        else:
            self.add(metadata, tag)

    def add(self, metadata: Any, tag: int) -> None:
        """Collect metadata, and all that it refers to."""
        key = metadata if isinstance(metadata, MDNode) else self.ids.key(metadata)
        if key is None:
            return
        known = self._tags.get(key)
        if known is not None:
            if known not in (MODULE, tag):
                self._move_to_module(key)
        elif isinstance(key, MDNode):
            self._walk(key, tag)
        else:
            self._take_leaf(key, tag)

    def _take_leaf(self, key: Key, tag: int) -> None:
        """Take what refers to nothing.

        Raises:
            EncodingError: it is a list of arguments, which debug records alone may refer to.
        """
        if isinstance(key, DIArgList):
            raise EncodingError(f"a node refers to {key}, which only debug records may do")
        self._tags[key] = tag
        self._ordered.append(key)
        if isinstance(key, Constant):
            self._constants.add(key)

    def _walk(self, root: MDNode, tag: int) -> None:
        """Take nodes behind those that they refer to; distinct ones behind the nodes that are not and lead to them."""
        tags = self._tags
        tags[root] = tag
        pending = [(root, self._keys(root))]
        delayed: list[MDNode] = []
        while pending:
            node, rest = pending[-1]
            for key in rest:
                known = tags.get(key)
                if known is not None:
                    if known not in (tag, MODULE):
                        self._move_to_module(key)
                elif not isinstance(key, MDNode):
                    self._take_leaf(key, tag)
                elif key.is_distinct and not node.is_distinct:
                    delayed.append(key)
                else:
                    tags[key] = tag
                    pending.append((key, self._keys(key)))
                    break
            else:
                pending.pop()
                self._ordered.append(node)
                if delayed and (not pending or pending[-1][0].is_distinct):
                    for late in reversed(delayed):
                        if late not in tags:
                            tags[late] = tag
                            pending.append((late, self._keys(late)))
                    delayed = []

    def _keys(self, node: MDNode) -> Iterator[Any]:
        """Return the keys of what a node refers to."""
        keys = map(self.ids.key, references(node))
        return iter([key for key in keys if key is not None])

    def _move_to_module(self, key: Key) -> None:
        """Let metadata, and all that it refers to, be the module's own."""
        tags = self._tags
        pending = [key]
        while pending:
            current = pending.pop()
            if not tags.get(current):
                continue
            tags[current] = MODULE
            if isinstance(current, MDNode):
                pending += self._keys(current)


class MetadataNumbers(MetadataCollector):
    """Collects all metadata of a module.

    Args:
        module: which is read to the end.
        ids: where ids of the module's own metadata are put down.
        constants: takes the constants that metadata wraps.

    Attributes:
        of_module: that metadata.
        of_function: what stands in the blocks of functions.
    """

    def __init__(self, module: Module, ids: MetadataIds, constants: Collected) -> None:
        super().__init__(ids, constants)
        self.of_module: list[Key] = []
        self.of_function: dict[Function, list[Key]] = {}
        self._collect(module)
        self._number(module)

    def _collect(self, module: Module) -> None:
        for named in module.named_metadata.values():
            for node in named.operands:
                self.add(node, MODULE)
        for variable in (*module.global_variables, *module.ifuncs):
            for _, node in variable.metadata:
                self.add(node, MODULE)
        for tag, function in enumerate(module.functions, 1):
            if not function.is_declaration:
                self.collect_function(function, tag)
            else:
                for _, node in function.metadata:
                    self.add(node, MODULE)

    def _number(self, module: Module) -> None:
        by_tag: defaultdict[int, list[Key]] = defaultdict(list)
        for key in self._ordered:
            by_tag[self._tags[key]].append(key)
        for keys in by_tag.values():
            keys.sort(key=metadata_rank)
        self.of_module = by_tag.get(MODULE, [])
        self.of_function = {function: by_tag.get(tag, []) for tag, function in enumerate(module.functions, 1)}
        for key in self.of_module:
            self.ids[key] = len(self.ids)


class MetadataIds(dict[Any, int]):
    """Ids of metadata by `Key`; other forms of the same are found by it.

    Args:
        constants: makes the constants that integers stand for.
    """

    def __init__(self, constants: ConstantTable) -> None:
        super().__init__()
        self._constants = constants
        self._i64 = constants.types.integer(64)

    def key(self, metadata: Any) -> Any:
        """Return what has an id for metadata, for the text of a string, or for an integer that is a constant `i64`.

        That is None for what wrapped a value that is gone.
        """
        kind = type(metadata)
        if kind is MDString:
            return metadata.text
        if kind is int:
            return self._constants.integer(self._i64, metadata)
        return metadata.value if isinstance(metadata, ValueAsMetadata) else metadata

    def __missing__(self, metadata: Any) -> int:
        key = self.key(metadata)
        if key is None:
            return NO_METADATA
        if key is metadata:
            raise KeyError(metadata)
        return self[key]


def references(node: MDNode) -> Sequence[Any]:
    """Return what a node refers to: metadata, texts of strings, integers that are constants `i64`."""
    if isinstance(node, MDTuple):
        return [operand for operand in node.operands if operand is not None]
    return form_of(type(node)).references(node) if isinstance(node, DINode) else ()


def metadata_rank(key: Key) -> int:
    """Return where LLVM puts it: strings, constants, distinct nodes, other nodes."""
    if isinstance(key, str):
        return 0
    if isinstance(key, MDNode):
        return 2 if key.is_distinct else 3
    return 1

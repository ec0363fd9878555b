"""Records of metadata: the blocks of a module and of its functions.

Rules: docs/reference/records.md, 8; docs/reference/writer.md, 11.4 and 11.7.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode, MetadataKindCode
from bitcodec.bitcode.writer.abbreviations import METADATA_INDEX_OFFSET
from bitcodec.bitcode.writer.nodes import NodeWriter
from bitcodec.bitcode.writer.rows import BlobRecord, BlockRows, IndexedRows, Rows, characters, encoded
from bitcodec.bitstream.abbreviations import Abbreviation, array, blob, fixed, vbr
from bitcodec.bitstream.bitwriter import BitWriter
from bitcodec.ir.debug_info import DILocation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitcodec.bitcode.writer.metadata_ids import Key, MetadataIds
    from bitcodec.bitcode.writer.numbers import ModuleNumbers, Numbers
    from bitcodec.ir.metadata import DIArgList, MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["function_metadata", "kind_rows", "kinds_block", "module_metadata", "node_record"]

_MODULE_WIDTH = 4
_FUNCTION_WIDTH = 3
_KINDS_WIDTH = 3
_INDEXED = 25
"""From how many records on LLVM writes an index of them."""

_LOCATION, _GENERIC_DEBUG, _INDEX_OFFSET, _INDEX = range(4, 8)
"""Ids of the abbreviations of the module's block."""

_LOCATION_FIELDS = (fixed(1), vbr(6), vbr(8), vbr(6), vbr(6), fixed(1), vbr(6), fixed(3))
_FURTHER_ABBREVIATIONS = (
    Abbreviation.of(MetadataCode.GENERIC_DEBUG, fixed(1), vbr(6), fixed(1), vbr(6), array, vbr(6)),
    METADATA_INDEX_OFFSET,
    Abbreviation.of(MetadataCode.INDEX, array, vbr(6)),
)
_STRINGS = Abbreviation.of(MetadataCode.STRINGS, vbr(6), vbr(6), blob)
_NAME = Abbreviation.of(MetadataCode.NAME, array, fixed(8))
_BY_CODE: dict[int, int] = {MetadataCode.LOCATION: _LOCATION, MetadataCode.GENERIC_DEBUG: _GENERIC_DEBUG}
_LENGTH_WIDTH = 6


def module_metadata(module: Module, numbers: ModuleNumbers) -> BlockRows | None:
    """Return the module-level metadata block, None if it is empty."""
    keys = numbers.metadata.of_module
    block = BlockRows(BlockId.METADATA_BLOCK, _MODULE_WIDTH)
    attachments = _global_attachments(module, numbers)
    if not (keys or module.named_metadata or attachments):
        return None
    block.items += (_location_abbreviation(numbers.dialect.location_length), *_FURTHER_ABBREVIATIONS)
    texts = _texts(keys)
    _add_strings(block, texts)
    nodes = Rows()
    _add_records(nodes, keys[len(texts) :], numbers, _BY_CODE)
    _add_indexed(block, nodes)
    if module.named_metadata:
        _add_named(block, module, numbers)
    rows = block.rows()
    for operands in attachments:
        rows.add(MetadataCode.GLOBAL_DECL_ATTACHMENT, operands)
    return block


def function_metadata(
    keys: Sequence[Key], local: Iterable[Value], lists: Iterable[DIArgList], numbers: Numbers
) -> BlockRows | None:
    """Return the metadata block of a function, None if it is empty.

    Args:
        keys: metadata that only this function refers to.
        local: its values that are wrapped.
        lists: its lists of arguments.
        numbers: numbers of the module, and of the function.
    """
    block = BlockRows(BlockId.METADATA_BLOCK, _FUNCTION_WIDTH)
    texts = _texts(keys)
    _add_strings(block, texts)
    rows = Rows()
    abbreviations: dict[int, int] = {}
    if DILocation in map(type, keys):
        block.items.append(_location_abbreviation(numbers.dialect.location_length))
        # Each item so far has defined one.
        abbreviations[MetadataCode.LOCATION] = 4 + len(block.items) - 1
    _add_records(rows, keys[len(texts) :], numbers, abbreviations)
    ids, types, values = numbers.metadata_ids, numbers.types, numbers.values
    for value in local:
        rows.add(MetadataCode.VALUE, [types.of(value), values[value]])
    for arguments in lists:
        rows.add(MetadataCode.ARG_LIST, [ids[argument] for argument in arguments.arguments])
    if rows:
        block.items.append(rows)
    return block if block.items else None


def kinds_block(numbers: Numbers) -> BlockRows:
    """Return the names of kinds of attached metadata."""
    return BlockRows(BlockId.METADATA_KIND_BLOCK, _KINDS_WIDTH, [kind_rows(numbers.kinds, 0)])


def kind_rows(kinds: Mapping[str, int], first: int) -> Rows:
    """Return the records of the names of kinds from a number on."""
    rows = Rows()
    for name, number in kinds.items():
        if number >= first:
            rows.add(MetadataKindCode.KIND, [number, *characters(name)])
    return rows


def _texts(keys: Sequence[Key]) -> list[str]:
    """Return the strings, which come first."""
    texts = []
    for key in keys:
        if not isinstance(key, str):
            break
        texts.append(key)
    return texts


def _add_strings(block: BlockRows, texts: Sequence[str]) -> None:
    if not texts:
        return
    data = [encoded(text) for text in texts]
    lengths = BitWriter()
    for text in data:
        lengths.write_vbr(len(text), _LENGTH_WIDTH)
    lengths.align32()
    bounds = lengths.getvalue()
    operands = len(data), len(bounds)
    block.items.append(BlobRecord(MetadataCode.STRINGS, operands, bounds + b"".join(data), _STRINGS))


def _add_records(rows: Rows, keys: Sequence[Key], numbers: Numbers, abbreviations: dict[int, int]) -> None:
    """Add the records of constants and nodes."""
    writer = NodeWriter(rows, numbers.metadata_ids, numbers.dialect.node_programs)
    writer.write_all(keys, numbers.types, numbers.values, abbreviations)


@cache
def _location_abbreviation(length: int) -> Abbreviation:
    """Return the abbreviation of locations of so many fields; a writer prepares the same object once."""
    return Abbreviation.of(MetadataCode.LOCATION, *_LOCATION_FIELDS[: 1 + length])


def node_record(node: MDNode, ids: MetadataIds) -> tuple[int, list[int]]:
    """Return code and operands of the record of a node.

    Args:
        node: the node.
        ids: the ids of everything that it refers to.
    """
    rows = Rows()
    NodeWriter(rows, ids).write(node, {})
    return rows.record(0)


def _add_indexed(block: BlockRows, nodes: Rows) -> None:
    """Add records, with an index of where each begins if they are many."""
    if len(nodes) <= _INDEXED:
        if nodes:
            block.items.append(nodes)
        return
    block.items.append(IndexedRows(nodes, MetadataCode.INDEX_OFFSET, _INDEX_OFFSET, MetadataCode.INDEX, _INDEX))


def _add_named(block: BlockRows, module: Module, numbers: Numbers) -> None:
    block.items.append(_NAME)
    abbreviation_id = 4 + sum(isinstance(item, Abbreviation | BlobRecord) for item in block.items) - 1
    rows = block.rows()
    for named in module.named_metadata.values():
        rows.add(MetadataCode.NAME, characters(named.name), abbreviation_id)
        rows.add(MetadataCode.NAMED_NODE, [numbers.metadata_ids[node] for node in named.operands])


def _global_attachments(module: Module, numbers: Numbers) -> list[list[int]]:
    """Return the operands of the records of globals' attachments."""
    declarations = [function for function in module.functions if function.is_declaration]
    return [
        [numbers.values[value], *numbers.attached(attached)]
        for values in (declarations, module.ifuncs, module.global_variables)
        for value in values
        if (attached := numbers.dialect.attached_to(value))
    ]

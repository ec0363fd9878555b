"""Whether records refer to metadata, found without making any of it.

Rules: docs/reference/records.md, 7.2, 8.5 and 8.6.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.debug_info import form_of
from bitcodec.bitcode.reader.metadata_index import modern_operands
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataCode
from bitcodec.bitcode.schema.metadata import DEBUG_INFO_CODES
from bitcodec.bitstream.tally import COMPILED, find_operands
from bitcodec.ir.construction.deferring import materialize_symbols
from bitcodec.ir.functions import Function
from bitcodec.ir.types import FunctionType, MetadataType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.reader.module import ModuleReader
__all__ = ["is_referred_to"]

_DEBUG_INTRINSICS = "llvm.dbg."
_NODES = (MetadataCode.NODE, MetadataCode.DISTINCT_NODE)
_DEBUG_RECORDS = range(FunctionCode.DEBUG_RECORD_VALUE, FunctionCode.DEBUG_RECORD_DECLARE_VALUE + 1)


def is_referred_to(reader: ModuleReader, metadata_id: int) -> bool:
    """Return whether anything but one named metadata may refer to a tuple of the module.

    Calls that pass metadata have relative numbers for it; where one may pass a tuple, the answer is yes.

    Raises:
        BitcodecError: the module is malformed.
    """
    if _may_be_passed(reader):
        return True
    named = 0
    for block_id, code, operands in _find_records(reader, metadata_id):
        if block_id == BlockId.METADATA_BLOCK and code == MetadataCode.NAMED_NODE:
            named += operands.count(metadata_id)
        elif _mentions(metadata_id, block_id, code, operands):
            return True
    return named > 1


def _may_be_passed(reader: ModuleReader) -> bool:
    """Return whether a call may pass a tuple; debug intrinsics only get empty ones."""
    if not any(_takes_metadata(type_) for type_ in reader.tables.file_types.types):
        return False
    materialize_symbols(reader.tables.module)
    functions = [value for value in reader.tables.values if isinstance(value, Function)]
    return any(_takes_metadata(each.value_type) for each in functions if not each.name.startswith(_DEBUG_INTRINSICS))


def _takes_metadata(type_: object) -> bool:
    if not isinstance(type_, FunctionType):
        return False
    return any(isinstance(parameter, MetadataType) for parameter in type_.parameter_types)


def _find_records(reader: ModuleReader, metadata_id: int) -> Iterator[tuple[int, int, list[int]]]:
    """Yield block id, code and operands of each record with a metadata id, or that id and 1, among its operands."""
    columns = reader.place.decode().columns
    records, firsts = columns.records, columns.records.first_operand
    for row in {bisect_right(firsts, at) - 1 for at in _positions(columns.operands, metadata_id)}:
        block_id = columns.blocks.id[records.block[row]]
        yield block_id, records.code[row], columns.operands[firsts[row] : firsts[row + 1]].tolist()


def _positions(operands: memoryview, number: int) -> list[int]:
    """Return the indices of a number and of the next one; no objects are made of operands: there may be millions."""
    if COMPILED:
        return find_operands(operands, number, number + 1)
    data, size = operands.cast("B"), operands.itemsize
    spelled = [re.escape(each.to_bytes(size, sys.byteorder)) for each in (number, number + 1)]
    found: list[int] = []
    for pattern in map(re.compile, spelled):
        match = pattern.search(data)
        while match is not None:
            if match.start() % size == 0:
                found.append(match.start() // size)
            match = pattern.search(data, match.start() + 1)
    return found


def _mentions(metadata_id: int, block_id: int, code: int, operands: list[int]) -> bool:
    try:
        return metadata_id in _references(block_id, code, operands)
    except Malformed:
        return True  # what makes no sense may mean anything


def _references(block_id: int, code: int, operands: list[int]) -> Sequence[int]:
    """Return the metadata ids in a record."""
    if block_id == BlockId.METADATA_BLOCK:
        return _references_of_metadata(code, operands)
    if block_id == BlockId.METADATA_ATTACHMENT_BLOCK:
        return operands[1 + len(operands) % 2 :: 2]
    if block_id == BlockId.FUNCTION_BLOCK:
        if code == FunctionCode.DEBUG_LOC:
            return [number - 1 for number in operands[2:4]]
        if code in _DEBUG_RECORDS:
            return operands
    return ()


def _references_of_metadata(code: int, operands: list[int]) -> Sequence[int]:
    if code in _NODES:
        return [number - 1 for number in operands]
    if code in DEBUG_INFO_CODES:
        return form_of(code).references(None, modern_operands(code, operands))
    if code == MetadataCode.GLOBAL_DECL_ATTACHMENT:
        return operands[2::2]
    # Other records refer to nothing, or have an old form, in which any number may be an id.
    return () if code in _WITHOUT_REFERENCES else operands


_WITHOUT_REFERENCES = frozenset(
    {
        MetadataCode.VALUE,
        MetadataCode.EXPRESSION,
        MetadataCode.STRING_OLD,
        MetadataCode.STRINGS,
        MetadataCode.NAME,
        MetadataCode.KIND,
        MetadataCode.INDEX,
        MetadataCode.INDEX_OFFSET,
        MetadataCode.ASSIGN_ID,
    }
)

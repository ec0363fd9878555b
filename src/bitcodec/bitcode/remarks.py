"""Remarks of `llvm-bcanalyzer --dump` on LLVM IR: metadata strings, and whether indexes and hashes are right.

It does so in every stream, whatever its magic number, as it goes by the ids of block and record alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.module_hash import ModuleHasher
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode, ModuleCode
from bitcodec.bitstream.cursor import Cursor
from bitcodec.bitstream.text import escaped
from bitcodec.errors import BitstreamError
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.bitstream.columns import Columns
    from bitcodec.sentences import Sentence

__all__ = ["DumpRemarks"]

_LENGTH_WIDTH = 6
_HASH_OPERANDS = 5
_HASH_WORD = 0xFFFF_FFFF
_MAX_HASHED = 64
"""Sizes of the stream that hashes may cover together: modules nested in modules cost one each."""


class DumpRemarks:
    """Remarks on the records of `columns`, decoded from `data`; to be asked in stream order.

    Args:
        data, columns: as above.
        hashed_names: the names in the string table, one after another, to check hashes of modules with
            (`--check-hash`). Default: hashes are not checked.
    """

    def __init__(self, data: memoryview, columns: Columns, hashed_names: bytes = b"") -> None:
        self._data = data
        self._columns = columns
        self._index_expected: dict[int, int] = {}
        self._hashed_names = hashed_names
        self._hashers: dict[int, tuple[ModuleHasher, int]] = {}
        self._hashed_size = 0

    def after_operands(self, block_id: int) -> Mapping[int, Callable[[int], str]]:
        """Return the remarks after the operands, by record code."""
        if block_id == BlockId.METADATA_BLOCK:
            return {MetadataCode.INDEX_OFFSET: self._index_offset, MetadataCode.INDEX: self._index}
        if block_id == BlockId.MODULE_BLOCK and self._hashed_names:
            return {ModuleCode.HASH: self._hash}
        return {}

    def instead_of_blob(self, block_id: int) -> Mapping[int, Callable[[int, str], str]]:
        """Return the texts printed in place of a blob, by record code."""
        return {MetadataCode.STRINGS: self._strings} if block_id == BlockId.METADATA_BLOCK else {}

    def _index_offset(self, row: int) -> str:
        operands = self._columns.operands_of(row).tolist()
        if len(operands) != 2:
            return "(Invalid record)"
        records = self._columns.records
        self._index_expected[records.block[row]] = records.end[row] + operands[0] + (operands[1] << 32)
        return ""

    def _index(self, row: int) -> str:
        records = self._columns.records
        expected = self._index_expected.get(records.block[row], 0)
        if expected == records.start[row]:
            return " (offset match)"
        return f" (offset mismatch: {expected} vs {records.start[row]})"

    def _hash(self, row: int) -> str:
        operands = self._columns.operands_of(row).tolist()
        if len(operands) != _HASH_OPERANDS:
            return " (invalid)"
        is_right = self._hash_before(row) == [operand & _HASH_WORD for operand in operands]
        return " (match)" if is_right else " (!mismatch!)"

    def _hash_before(self, row: int) -> list[int]:
        """Return the hash of the block's content before a record; each byte of a block is hashed once."""
        records, blocks = self._columns.records, self._columns.blocks
        block = records.block[row]
        hasher, start = self._hashers.get(block) or (ModuleHasher([self._hashed_names]), blocks.body[block] // 8)
        end = (records.start[row] + blocks.abbreviation_width[block]) // 8
        self._hashed_size += end - start
        if self._hashed_size > len(self._data) * _MAX_HASHED:
            raise self._error(row, Reason.NESTED_HASHES(maximum=_MAX_HASHED))
        hasher.add(self._data[start:end])
        self._hashers[block] = hasher, end
        return hasher.words()

    def _strings(self, row: int, indent: str) -> str:
        start, size = self._columns.blobs.of_record(row) or (0, 0)
        operands = self._columns.operands_of(row).tolist()
        if len(operands) != 2 or not size:
            raise self._error(row, Reason.METADATA_STRINGS())
        count, characters = operands
        try:
            strings = list(_split_strings(bytes(self._data[start : start + size]), count, characters))
        except BitstreamError as error:
            raise self._error(row, Reason.METADATA_STRING_LENGTHS()) from error
        lines = [f"{indent}    '{escaped(string)}'" for string in strings]
        return "\n".join([f" num-strings = {count} {{", *lines, f"{indent}  }}"])

    def _error(self, row: int, reason: Sentence) -> BitstreamError:
        records = self._columns.records
        return BitstreamError(reason, records.start[row], self._columns.blocks.path(records.block[row]))


def _split_strings(blob: bytes, count: int, characters: int) -> Iterator[bytes]:
    """Yield `count` strings: their lengths are at the start of the blob, their bytes from `characters` on.

    Raises:
        BitstreamError: the blob has too few lengths or bytes; the position is relative to the blob.
    """
    lengths = Cursor(blob[:characters])
    position = min(characters, len(blob))
    for _ in range(count):
        end = position + lengths.read_vbr(_LENGTH_WIDTH)
        if end > len(blob):
            raise BitstreamError(Reason.REMARK_STRING(), position * 8)
        yield blob[position:end]
        position = end

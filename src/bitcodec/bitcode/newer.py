"""Records and blocks of versions of LLVM that are newer than 22, by the rows of `schema.blocks`.

The reader refuses records that change the meaning of the rest; this is for records that can be ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.producers import may_be_newer
from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId, FunctionCode, MetadataCode, ModuleCode
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.names import Names
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import CAST_OPCODES
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream import Columns

__all__ = ["NewerRecord", "newer_lines", "newer_records"]

_FIRST_UNKNOWN_BLOCK = max(BlockId) + 1
_NAMES = Names(LLVM_IR_NAMES)
_SINCE: dict[int, dict[int, tuple[str, int]]] = {
    block_id.value: {code.value: (code.name, code.since) for code in codes} for block_id, codes in RECORD_CODES.items()
}
"""By block id and code: the name of a record, and the first version that has it."""
_OUTCOMES: dict[tuple[int, int | None], tuple[str, bool]] = {
    (BlockId.MODULE_BLOCK, ModuleCode.ASM_PROPERTY): ("kept as long as the assembly text is not changed", True),
    (BlockId.MODULE_BLOCK, ModuleCode.GUIDLIST): ("left out if the module is rewritten, LLVM computes it again", False),
    (BlockId.METADATA_BLOCK, MetadataCode.PROPERTY): ("read", False),
    (BlockId.FUNCTION_BLOCK, FunctionCode.INST_CAST): ("passed over", True),
}
"""By block id and code: the outcome for the records, and whether the model loses their content."""
_NAMED: dict[tuple[int, int | None], tuple[str, int]] = {
    (BlockId.FUNCTION_BLOCK, FunctionCode.INST_CAST): ("`nonnull` of addrspacecast", 24),
}
"""By block id and code: the newer part of older records, and its first version."""
_REFUSING = (BlockId.TYPE_BLOCK, BlockId.CONSTANTS_BLOCK, BlockId.FUNCTION_BLOCK, BlockId.METADATA_BLOCK)
_REFUSED, _PASSED_OVER = ("refused", True), ("passed over", True)


class NewerRecord(NamedTuple):
    """Records of one code in blocks of one id, or blocks of an id that is not known.

    Attributes:
        block: name of the block.
        code: of the records, None for a whole block.
        name: of the records, "" if they are not known.
        since: the first version of LLVM that has them, 0 if that is not known.
        bit_offset: start of the first one.
        times: how many there are.
        outcome: how the reader and writer treat them.
        is_lost: whether the model loses their content.
    """

    block: str
    code: int | None
    name: str
    since: int
    bit_offset: int
    times: int
    outcome: str
    is_lost: bool

    def __str__(self) -> str:
        times = f", {self.times} times" if self.times > 1 else ""
        what = self.block if self.code is None else f"record {self.code} of {self.block}"
        named = f"of LLVM {self.since} ({self.name})" if self.since else "not known: a newer LLVM may have it"
        return f"{what} is {named}{times}; {self.outcome}"


def newer_records(columns: Columns) -> Iterator[NewerRecord]:
    """Yield the records of newer versions in a bitstream of LLVM IR, decoded to columns, in the order of the file."""
    blocks, records = columns.blocks, columns.records
    ids = blocks.id.tolist()
    found: dict[tuple[int, int | None], list[int]] = {}
    for row, block_id in enumerate(ids):
        if block_id >= _FIRST_UNKNOWN_BLOCK:
            found.setdefault((block_id, None), [blocks.start[row], 0])[1] += 1
    tables = [_SINCE.get(block_id) for block_id in ids]
    for row, (block, code) in enumerate(zip(records.block, records.code, strict=True)):
        table = tables[block]
        if (table is not None and (code not in table or table[code][1] > MODEL)) or (
            code == FunctionCode.INST_CAST and ids[block] == BlockId.FUNCTION_BLOCK and _is_non_null(columns, row)
        ):
            found.setdefault((ids[block], code), [records.start[row], 0])[1] += 1
    for (block_id, each), (place, count) in sorted(found.items(), key=lambda item: item[1][0]):
        name, since = _NAMED.get((block_id, each)) or _SINCE.get(block_id, {}).get(each or -1, ("", 0))
        outcome, is_lost = _OUTCOMES.get((block_id, each), _REFUSED if block_id in _REFUSING else _PASSED_OVER)
        yield NewerRecord(_NAMES.describe_block(block_id), each, name, since, place, count, outcome, is_lost)


def _is_non_null(columns: Columns, row: int) -> bool:
    """Return whether a cast is of pointers to another address space and has a flag."""
    first, end = columns.records.first_operand[row : row + 2].tolist()
    # A value that is defined later has its type behind it.
    opcodes = columns.operands[end - 2 : end].tolist() if end - first > _SHORTEST_CAST else [0, 0]
    return opcodes[0] == _ADDRESS_SPACE_CAST and opcodes[1] & _NON_NULL == _NON_NULL


_SHORTEST_CAST, _ADDRESS_SPACE_CAST, _NON_NULL = 3, CAST_OPCODES.index("addrspacecast"), 1


def newer_lines(columns: Columns, producers: Iterable[str | None]) -> list[str]:
    """Return the lines about newer records; none if no producer may be a newer version of LLVM."""
    return list(map(str, newer_records(columns))) if any(map(may_be_newer, producers)) else []

"""How many instructions and metadata nodes a stream has, by kind: counted by their records, no body is opened.

Rules: docs/reference/records.md, 7.3 and 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataCode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.bitstream.statistics import BlockStatistics, RecordStatistics

__all__ = ["instruction_counts", "metadata_records"]

_INSTRUCTION = "INST_"
_SPELLINGS = {
    "binop": "arithmetic",
    "unop": "fneg",
    "cmp2": "compare",
    "cmp": "compare",
    "vselect": "select",
    "gep": "getelementptr",
    "inbounds_gep": "getelementptr",
    "extractelt": "extractelement",
    "insertelt": "insertelement",
    "shufflevec": "shufflevector",
    "extractval": "extractvalue",
    "insertval": "insertvalue",
    "loadatomic": "atomic load",
    "storeatomic": "atomic store",
    "vaarg": "va_arg",
}
"""Names of instructions in assembly text, or of their groups, where the record has another name."""

_NOT_NODES = {
    MetadataCode.STRING_OLD,
    MetadataCode.STRINGS,
    MetadataCode.VALUE,
    MetadataCode.NAME,
    MetadataCode.KIND,
    MetadataCode.NAMED_NODE,
    MetadataCode.GLOBAL_DECL_ATTACHMENT,
    MetadataCode.INDEX_OFFSET,
    MetadataCode.INDEX,
}


def instruction_counts(blocks: Mapping[int, BlockStatistics]) -> dict[str, int]:
    """Return how many instructions of each kind there are, the most frequent first.

    Args:
        blocks: the statistics of a stream of LLVM IR.
    """
    counts: dict[str, int] = {}
    for code, record in _records(blocks, BlockId.FUNCTION_BLOCK).items():
        name = _name(FunctionCode, code)
        if name.startswith(_INSTRUCTION):
            kind = name.removeprefix(_INSTRUCTION).removesuffix("_OLD").lower()
            kind = _SPELLINGS.get(kind, kind)
            counts[kind] = counts.get(kind, 0) + record.count
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def metadata_records(blocks: Mapping[int, BlockStatistics]) -> dict[str, RecordStatistics]:
    """Return how many metadata nodes of each kind there are and their size, the largest in sum first."""
    found = {
        _name(MetadataCode, code).lower().replace("_", " "): record
        for code, record in _records(blocks, BlockId.METADATA_BLOCK).items()
        if code not in _NOT_NODES
    }
    return dict(sorted(found.items(), key=lambda item: -item[1].bits))


def _records(blocks: Mapping[int, BlockStatistics], block_id: BlockId) -> dict[int, RecordStatistics]:
    return blocks[block_id].records if block_id in blocks else {}


def _name(codes: type[FunctionCode | MetadataCode], code: int) -> str:
    try:
        return codes(code).name
    except ValueError:
        return f"record {code}"

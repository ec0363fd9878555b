"""The names of LLVM IR's blocks and records, as `llvm-bcanalyzer` prints them."""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId
from bitcodec.bitstream.names import NameTable

__all__ = ["LLVM_IR_NAMES"]

LLVM_IR_NAMES = NameTable(
    blocks={block: block.dump_name for block in BlockId if block.dump_name},
    records={
        block: {code: code.dump_name for code in codes if code.dump_name} for block, codes in RECORD_CODES.items()
    },
)

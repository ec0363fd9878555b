"""The bitstream container: bits, abbreviations, blocks and records.

It reads and writes any application's stream (LLVM IR, Clang's precompiled headers and diagnostics, remarks, ...) and
knows nothing of what the records mean.

    >>> from bitcodec import bitstream
    >>> stream = bitstream.open("module.bc")                            # doctest: +SKIP
    >>> [block.id for block in stream.blocks]                           # doctest: +SKIP
    [13, 8, 23, 25]
"""

from typing import TYPE_CHECKING

from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.bitstream.abbreviations import (
        Abbreviation,
        AbbreviationId,
        Encoding,
        Operand,
        array,
        blob,
        char6,
        fixed,
        literal,
        vbr,
    )
    from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfo, BlockInfoCode
    from bitcodec.bitstream.blocks import Block, Record
    from bitcodec.bitstream.columns import Columns
    from bitcodec.bitstream.cursor import COMPILED, Cursor
    from bitcodec.bitstream.draft import Draft
    from bitcodec.bitstream.encoding import encode
    from bitcodec.bitstream.items import Definition, DraftBlock, DraftRecord
    from bitcodec.bitstream.magic import StreamKind
    from bitcodec.bitstream.stream import Bitstream, loads, open  # noqa: A004 - as in gzip.open
    from bitcodec.bitstream.wrapper import Wrapper
    from bitcodec.bitstream.writer import Writer

__all__ = [
    "BLOCKINFO_BLOCK_ID",
    "COMPILED",
    "Abbreviation",
    "AbbreviationId",
    "Bitstream",
    "Block",
    "BlockInfo",
    "BlockInfoCode",
    "Columns",
    "Cursor",
    "Definition",
    "Draft",
    "DraftBlock",
    "DraftRecord",
    "Encoding",
    "Operand",
    "Record",
    "StreamKind",
    "Wrapper",
    "Writer",
    "array",
    "blob",
    "char6",
    "encode",
    "fixed",
    "literal",
    "loads",
    "open",
    "vbr",
]

__getattr__ = names_on_demand(
    __name__,
    {
        "Abbreviation": "bitcodec.bitstream.abbreviations",
        "AbbreviationId": "bitcodec.bitstream.abbreviations",
        "BLOCKINFO_BLOCK_ID": "bitcodec.bitstream.blockinfo",
        "Bitstream": "bitcodec.bitstream.stream",
        "Block": "bitcodec.bitstream.blocks",
        "BlockInfo": "bitcodec.bitstream.blockinfo",
        "BlockInfoCode": "bitcodec.bitstream.blockinfo",
        "COMPILED": "bitcodec.bitstream.cursor",
        "Columns": "bitcodec.bitstream.columns",
        "Cursor": "bitcodec.bitstream.cursor",
        "Definition": "bitcodec.bitstream.items",
        "Draft": "bitcodec.bitstream.draft",
        "DraftBlock": "bitcodec.bitstream.items",
        "DraftRecord": "bitcodec.bitstream.items",
        "Encoding": "bitcodec.bitstream.abbreviations",
        "Operand": "bitcodec.bitstream.abbreviations",
        "Record": "bitcodec.bitstream.blocks",
        "StreamKind": "bitcodec.bitstream.magic",
        "Wrapper": "bitcodec.bitstream.wrapper",
        "Writer": "bitcodec.bitstream.writer",
        "array": "bitcodec.bitstream.abbreviations",
        "blob": "bitcodec.bitstream.abbreviations",
        "char6": "bitcodec.bitstream.abbreviations",
        "encode": "bitcodec.bitstream.encoding",
        "fixed": "bitcodec.bitstream.abbreviations",
        "literal": "bitcodec.bitstream.abbreviations",
        "loads": "bitcodec.bitstream.stream",
        "open": "bitcodec.bitstream.stream",
        "vbr": "bitcodec.bitstream.abbreviations",
    },
)

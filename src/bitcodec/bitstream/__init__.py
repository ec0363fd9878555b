"""The bitstream container: bits, abbreviations, blocks and records.

It reads and writes any application's stream (LLVM IR, Clang's precompiled headers and diagnostics, remarks, ...) and
does not know the meaning of the records.

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

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "abbreviations": (
            "Abbreviation",
            "AbbreviationId",
            "Encoding",
            "Operand",
            "array",
            "blob",
            "char6",
            "fixed",
            "literal",
            "vbr",
        ),
        "blockinfo": ("BLOCKINFO_BLOCK_ID", "BlockInfo", "BlockInfoCode"),
        "blocks": ("Block", "Record"),
        "columns": ("Columns",),
        "cursor": ("COMPILED", "Cursor"),
        "draft": ("Draft",),
        "encoding": ("encode",),
        "items": ("Definition", "DraftBlock", "DraftRecord"),
        "magic": ("StreamKind",),
        "stream": ("Bitstream", "loads", "open"),
        "wrapper": ("Wrapper",),
        "writer": ("Writer",),
    },
)

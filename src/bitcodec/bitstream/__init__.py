"""The bitstream container: bits, abbreviations, blocks and records.

It reads and writes any application's stream (LLVM IR, Clang's precompiled headers and diagnostics, remarks, ...) and
knows nothing of what the records mean.

    >>> from bitcodec import bitstream
    >>> stream = bitstream.open("module.bc")                            # doctest: +SKIP
    >>> [block.id for block in stream.blocks]                           # doctest: +SKIP
    [13, 8, 23, 25]
"""

import importlib
from typing import TYPE_CHECKING

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
from bitcodec.bitstream.magic import StreamKind
from bitcodec.bitstream.stream import Bitstream, loads, open  # noqa: A004 - as in gzip.open
from bitcodec.bitstream.wrapper import Wrapper

if TYPE_CHECKING:
    from bitcodec.bitstream.draft import Draft
    from bitcodec.bitstream.encoding import encode
    from bitcodec.bitstream.items import Definition, DraftBlock, DraftRecord
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

_WRITING = {
    "Definition": "items",
    "Draft": "draft",
    "DraftBlock": "items",
    "DraftRecord": "items",
    "Writer": "writer",
    "encode": "encoding",
}
"""What only those need who write, and the modules it is in: imported when asked for."""


def __getattr__(name: str) -> object:
    """Import what is for writing when it is asked for."""
    if name not in _WRITING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WRITING[name]}"), name)

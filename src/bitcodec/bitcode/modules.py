"""The modules of a file, one from another.

Rules: docs/reference/records.md, 1.2 (several modules in one file) and 9.2 (offsets count from each module's
own start, so that a module can be moved unchanged).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitstream.magic import MAGIC_SIZE
from bitcodec.errors import BitcodeError
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.bitstream import Bitstream, Block

__all__ = ["ModuleBlocks", "ModuleFrame", "check_modules", "frame_of", "modules_of", "single_module"]

_WORD = 4
_MAX_PADDING = 8
"""Bytes at the end of a stream in which LLVM does not look for a module: archivers leave padding there."""


class ModuleBlocks(NamedTuple):
    """The top-level blocks that make up one module; None for blocks that old files lack.

    Attributes:
        symtab: the table of symbols for linkers, if it is of this module alone.
    """

    module: Block
    identification: Block | None = None
    strtab: Block | None = None
    symtab: Block | None = None


class ModuleFrame(NamedTuple):
    """The blocks around a module, bit for bit; empty for those that it does not have.

    Attributes:
        identification: precedes the module.
        symbols: the table of symbols for linkers, if it is of this module alone.
        strings: the string table.
    """

    identification: memoryview = memoryview(b"")
    symbols: memoryview = memoryview(b"")
    strings: memoryview = memoryview(b"")


def modules_of(stream: Bitstream) -> list[ModuleBlocks]:
    """Return the modules of a stream in order, each with the string table that follows it.

    Raises:
        BitstreamError: the top level of the stream is malformed.
    """
    modules: list[ModuleBlocks] = []
    group: list[ModuleBlocks] = []
    identification: Block | None = None
    symtab: Block | None = None
    for block in stream.blocks:
        if block.id == BlockId.MODULE_BLOCK:
            group.append(ModuleBlocks(block, identification))
        elif block.id == BlockId.SYMTAB_BLOCK:
            symtab = block
        elif block.id == BlockId.STRTAB_BLOCK:
            modules += _with_tables(group, block, symtab)
            group, symtab = [], None
        identification = block if block.id == BlockId.IDENTIFICATION_BLOCK else None
    return modules + group


def check_modules(stream: Bitstream) -> None:
    """Refuse a stream that ends where LLVM requires a module.

    A stream without a module is legal if at most padding follows its last block.

    Raises:
        BitcodeError: no module follows an IDENTIFICATION block, or the stream ends before its first module.
        BitstreamError: the top level of the stream is malformed.
    """
    blocks = stream.blocks
    for number, block in enumerate(blocks, 1):
        following = blocks[number].id if number < len(blocks) else None
        if block.id == BlockId.IDENTIFICATION_BLOCK and following != BlockId.MODULE_BLOCK:
            reason = Reason.MODULE_MISSING() if following is None else Reason.MODULE_EXPECTED(block=following)
            raise BitcodeError(reason, block.end)
    size = len(stream.trailing)
    if all(block.id != BlockId.MODULE_BLOCK for block in blocks) and (size > _MAX_PADDING or size % _WORD):
        place = blocks[-1].end if blocks else MAGIC_SIZE * 8
        raise BitcodeError(Reason.NO_MODULE(size=size), place)


def single_module(stream: Bitstream, module: ModuleBlocks) -> bytes:
    """Return a file that contains only this module, with its blocks bit for bit unchanged."""
    blocks = (module.identification, module.module, module.symtab, module.strtab)
    return stream.magic + b"".join(_bytes_of(stream, block) for block in blocks)


def frame_of(stream: Bitstream, module: ModuleBlocks) -> ModuleFrame:
    """Return the blocks around a module."""
    return ModuleFrame(*(_bytes_of(stream, block) for block in (module.identification, module.symtab, module.strtab)))


def _bytes_of(stream: Bitstream, block: Block | None) -> memoryview:
    return stream.payload[:0] if block is None else stream.payload[block.start // 8 : block.end // 8]


def _with_tables(group: list[ModuleBlocks], strtab: Block, symtab: Block | None) -> list[ModuleBlocks]:
    own_symtab = symtab if len(group) == 1 else None
    return [ModuleBlocks(module.module, module.identification, strtab, own_symtab) for module in group]

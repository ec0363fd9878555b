"""Changes to bytes, and to the blocks and records of streams, at random: what harnesses feed to all that reads.

Every change takes a `random.Random`, so that a seed gives the same input again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId, ModuleCode
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.items import DraftBlock, DraftRecord
from bitcodec.upgrade.intrinsics import aarch64, amdgcn, arm, debug, generic, memory, nvvm, riscv, wasm, x86

# Bytes


def mutated(data: bytes, source: random.Random) -> bytes:
    """Return `data` with a few bits, bytes or words changed, cut off, doubled or removed."""
    copy = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 4, 16))):
        place = source.randrange(max(len(copy), 1))
        kind = source.randrange(6)
        if kind == 0 and copy:
            copy[place % len(copy)] ^= 1 << source.randrange(8)
        elif kind == 1 and copy:
            copy[place % len(copy)] = source.choice((0, 0x7F, 0x80, 0xFF))
        elif kind == 2:
            copy[place & ~3 : (place & ~3) + 4] = source.choice((b"\0" * 4, b"\xff" * 4, b"\xff\xff\xff\x7f"))
        elif kind == 3 and source.random() < 0.2:
            del copy[place:]
        elif kind == 4:
            del copy[place & ~3 : (place & ~3) + 4 * source.randrange(1, 5)]
        else:
            copy[place & ~3 : place & ~3] = copy[place & ~3 : (place & ~3) + 4 * source.randrange(1, 5)]
    return bytes(copy)


# Records

NUMBERS = [0, 1, 2, 3, 8, 31, 32, 63, 64, 65, 128, 255, 1 << 16, 1 << 20, 1 << 24, 1 << 31, 1 << 32, 1 << 63, 1 << 64]
"""Whose neighbours below are of interest too."""


def with_records_changed(data: bytes, source: random.Random) -> bytes:
    """Return a stream with a few records or blocks changed, doubled, moved or removed, and written anew.

    Raises:
        BitcodecError: it is no sound stream.
    """
    draft = Bitstream(data).edit()
    blocks = all_blocks(draft.blocks)
    for _ in range(source.choice((1, 1, 1, 2, 3, 8))):
        block = source.choice(blocks) if source.random() < 0.4 else by_size(blocks, source)
        if block.items:
            source.choice(CHANGES)(block, source.randrange(len(block.items)), source)
    if source.random() < 0.2:
        rename_function(blocks, source)
    return draft.dumps()


def all_blocks(outer: list[DraftBlock]) -> list[DraftBlock]:
    """Return these blocks and all inside them, but for BLOCKINFO: what is changed there the bitstream refuses."""
    found = list(outer)
    for block in found:
        found += block.blocks
    return [block for block in found if block.id != BLOCKINFO_BLOCK_ID]


def by_size(blocks: list[DraftBlock], source: random.Random) -> DraftBlock:
    return source.choices(blocks, [len(block.items) + 1 for block in blocks])[0]


def change_operand(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    if not isinstance(record, DraftRecord):
        return
    if not record.operands:
        rewrite(record, [number(source)])
        return
    operands = list(record.operands)
    # What a record is about stands in front.
    place = source.randrange(min(len(operands), source.choice((4, 16, len(operands)))))
    kind = source.randrange(4)
    if kind == 0:
        operands[place] += source.choice((-2, -1, 1, 2, 5))
    elif kind == 1:
        operands[place] ^= 1 << source.randrange(source.choice((4, 8, 32, 64)))
    else:
        operands[place] = source.choice(operands) if kind == 2 else number(source)
    rewrite(record, operands)


def change_length(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    if isinstance(record, DraftRecord):
        operands = list(record.operands)
        place = source.randint(0, len(operands))
        change = source.randrange(3)
        if change == 0:
            del operands[place:]
        elif change == 1:
            del operands[place : place + 1]
        else:
            operands[place:place] = [number(source) for _ in range(source.choice((1, 1, 2, 9)))]
        rewrite(record, operands)


def change_code(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    known = RECORD_CODES.get(block.id)  # type: ignore[call-overload]
    if isinstance(record, DraftRecord) and known is not None:
        record.code = source.choice([*known]).value if source.random() < 0.95 else source.randrange(100)
        rewrite(record, list(record.operands))


def double(block: DraftBlock, index: int, source: random.Random) -> None:
    item = block.items[index]
    if isinstance(item, DraftRecord):
        item = DraftRecord(item.code, item.operands, item.abbreviation_id, item.blob)
        block.items.insert(source.choice((index, source.randrange(len(block.items)))), item)
    elif isinstance(item, DraftBlock) and item.source is not None:
        block.items.insert(source.randrange(len(block.items)), DraftBlock.of(item.source))


def move(block: DraftBlock, index: int, source: random.Random) -> None:
    if not is_definition(block, index):
        block.items.insert(source.randrange(len(block.items)), block.items.pop(index))


def remove(block: DraftBlock, index: int, _source: random.Random) -> None:
    if not is_definition(block, index):
        del block.items[index]


def exchange_operands(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    others = block.records
    if isinstance(record, DraftRecord) and others:
        rewrite(record, list(source.choice(others).operands))


def rename_function(blocks: list[DraftBlock], source: random.Random) -> None:
    """Give a function the name of another, or of an intrinsic that old files have: whatever its type is."""
    functions = [
        record
        for block in blocks
        if block.id == BlockId.MODULE_BLOCK
        for record in block.records
        if record.code == ModuleCode.FUNCTION and len(record.operands) > 2
    ]
    blobs = [record for block in blocks if block.id == BlockId.STRTAB_BLOCK for record in block.records if record.blob]
    if functions and blobs:
        record = source.choice(functions)
        where = source.choice(functions).operands[:2]
        if source.random() < 0.5:
            names, name = bytes(blobs[0].blob or b""), source.choice(old_intrinsics()).encode()
            where = (len(names), len(name))
            blobs[0].blob = names + name
        rewrite(record, [*where, *record.operands[2:]])


@cache
def old_intrinsics() -> list[str]:
    tables = {"": (generic, memory), "x86.": (x86,), "aarch64.": (aarch64,), "arm.": (arm,), "nvvm.": (nvvm,)}
    tables |= {"amdgcn.": (amdgcn,), "riscv.": (riscv,), "wasm.": (wasm,), "dbg.": (debug,)}
    names = [
        f"llvm.{target}{name}"
        for target, homes in tables.items()
        for home in homes
        for name in (
            home.TABLE.rows if home is x86 else [*home.TABLE._exact, *(row[0] for row in home.TABLE._prefixes)]
        )
    ]
    return [name.replace("*", source) for name in names for source in ("", ".v4i32")]


def is_definition(block: DraftBlock, index: int) -> bool:
    return not isinstance(block.items[index], DraftRecord | DraftBlock)


CHANGES: list[Callable[[DraftBlock, int, random.Random], None]] = [
    *[change_operand] * 8,
    *[change_length] * 3,
    *[change_code] * 2,
    double,
    move,
    remove,
    exchange_operands,
]


def number(source: random.Random) -> int:
    return source.choice((source.choice(NUMBERS) - source.randrange(2), source.randrange(300), source.randrange(8)))


def rewrite(record: DraftRecord, operands: list[int]) -> None:
    """Give a record other operands; without an abbreviation, unless it has a blob, they may be any."""
    record.operands = tuple(operand & (1 << 64) - 1 for operand in operands)
    if record.blob is None:
        record.abbreviation_id = AbbreviationId.UNABBREV_RECORD

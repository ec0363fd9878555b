"""What is fuzzed: the bitstream reader, the loader of metadata, the text of types and constants.

A target is a function of bytes.  It returns if they were read or refused by a `BitcodecError`, and raises otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bitcodec import BitcodecError
from bitcodec.asm import module_text
from bitcodec.bitcode.loading import loads
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode, MetadataCode, ModuleCode, TypeCode
from bitcodec.bitstream import Abbreviation, Bitstream, Block, Record, Writer, blob, encode, literal, vbr
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.names import NO_NAMES
from bitcodec.bitstream.statistics import block_statistics

from .records import PlainRecord, pack_records, unpack_records

LARGEST = 1 << 14
"""Bytes of an input; larger ones only take longer."""
_MAGIC = b"BC\xc0\xde"
_VERSION = 2
_STRINGS = Abbreviation((literal(MetadataCode.STRINGS), vbr(6), vbr(6), blob))
_NO_NODES = (MetadataCode.NAME, MetadataCode.NAMED_NODE, MetadataCode.KIND, MetadataCode.GLOBAL_DECL_ATTACHMENT)
"""Records that take no metadata id."""
_OFFSETS = (MetadataCode.INDEX_OFFSET, MetadataCode.INDEX)
"""Records that would point to where the file had its nodes."""
_GLOBALS = 2
"""Values of the skeleton, in front of the constants: a variable and a function."""

_INTEGER = 2
"""The type of those, if the input has no types."""
_INTEGERS = 200
"""Constants that metadata can refer to."""


class Target(NamedTuple):
    """A target.

    Attributes:
        run: reads an input.
        seeds: makes inputs of a file of bitcode.
        interpreted: names of the packages whose loops have to be interpreted for their coverage to be seen.
    """

    run: Callable[[bytes], None]
    seeds: Callable[[bytes], Iterator[bytes]]
    interpreted: tuple[str, ...]


# The bitstream reader


def read_bitstream(data: bytes) -> None:
    """Decode, print, count, encode and edit a stream; the magic number need not be in the input."""
    data = _MAGIC + data
    stream = Bitstream(data)
    columns = stream.decode()
    for _ in dump_chunks(stream.payload, columns, table=NO_NAMES):
        pass
    block_statistics(columns)
    if columns.error is None:
        again = Bitstream(encode(stream.payload, columns)).decode()
        assert again.operands.tobytes() == columns.operands.tobytes(), "what was encoded has other operands"
    stream.edit().dumps()


def seeds_of_bitstream(data: bytes) -> Iterator[bytes]:
    if data.startswith(_MAGIC):
        yield data[len(_MAGIC) :]


# Metadata


def read_metadata(data: bytes) -> None:
    """Read a module whose metadata block has the records of the input, and print it."""
    _print(module_with_metadata(list(unpack_records(data))))


def module_with_metadata(records: list[PlainRecord]) -> bytes:
    """Return a module with types (those of the other block) and metadata; a named node refers to all of it."""
    writer = Writer()
    with writer.block(BlockId.MODULE_BLOCK):
        integer = _write_skeleton(writer, [record for record in records if record.is_in_other_block])
        with writer.block(BlockId.CONSTANTS_BLOCK):
            writer.record(ConstantsCode.SETTYPE, [integer])
            for value in range(_INTEGERS):
                writer.record(ConstantsCode.INTEGER, [2 * value])
        with writer.block(BlockId.METADATA_BLOCK, width=4):
            strings = writer.define(_STRINGS)
            count = 0
            for record in records:
                if record.is_in_other_block:
                    continue
                if record.code == MetadataCode.STRINGS and len(record.operands) >= 2:
                    characters = bytes(operand & 0xFF for operand in record.operands[2:])
                    writer.record(record.code, record.operands[:2], abbreviation_id=strings, blob=characters)
                    count += min(record.operands[0], len(characters))
                elif record.code not in _OFFSETS:
                    writer.record(record.code, record.operands)
                    count += record.code not in _NO_NODES
            writer.record(MetadataCode.NODE, range(1, count + 1))
            writer.record(MetadataCode.NAME, b"all")
            writer.record(MetadataCode.NAMED_NODE, [count])
        _write_body(writer, 0)
    return writer.getvalue()


def seeds_of_metadata(data: bytes) -> Iterator[bytes]:
    for module in _blocks_of(data, BlockId.MODULE_BLOCK):
        for block in module.blocks:
            if block.id == BlockId.METADATA_BLOCK:
                yield pack_records(_with_known_value(record) for record in block.records)


def _with_known_value(record: Record) -> PlainRecord:
    operands = (*record.operands, *bytes(record.blob or b""))
    if record.code == MetadataCode.VALUE:
        operands = (_INTEGER, _GLOBALS + operands[-1] % _INTEGERS)
    return PlainRecord(record.code, operands)


# Types and constants


def read_constants(data: bytes) -> None:
    """Read a module with the types and constants of the input, each constant stored by a function, and print it."""
    _print(module_with_constants(list(unpack_records(data))))


def module_with_constants(records: list[PlainRecord]) -> bytes:
    """Return a module with types (those of the other block) and constants; a function stores each constant."""
    constants = [record for record in records if not record.is_in_other_block]
    writer = Writer()
    with writer.block(BlockId.MODULE_BLOCK):
        _write_skeleton(writer, [record for record in records if record.is_in_other_block])
        with writer.block(BlockId.CONSTANTS_BLOCK):
            for record in constants:
                writer.record(record.code, record.operands)
        _write_body(writer, sum(record.code != ConstantsCode.SETTYPE for record in constants))
    return writer.getvalue()


def seeds_of_constants(data: bytes) -> Iterator[bytes]:
    types = _types_of(data)
    for block in _blocks_of(data, BlockId.CONSTANTS_BLOCK):
        yield pack_records([*types, *(PlainRecord(record.code, record.operands) for record in block.records)])


def _types_of(data: bytes) -> list[PlainRecord]:
    return [
        PlainRecord(record.code, record.operands, is_in_other_block=True)
        for block in _blocks_of(data, BlockId.TYPE_BLOCK)
        for record in block.records
        if record.code != TypeCode.NUMENTRY
    ]


# What they share


def _write_skeleton(writer: Writer, types: list[PlainRecord]) -> int:
    """Write these types and four more, a variable and a function; return the number of the type `i32`."""
    writer.record(ModuleCode.VERSION, [1])
    first = sum(record.code not in (TypeCode.NUMENTRY, TypeCode.STRUCT_NAME) for record in types)
    with writer.block(BlockId.TYPE_BLOCK):
        writer.record(TypeCode.NUMENTRY, [first + 4])
        for record in types:
            writer.record(record.code, record.operands)
        writer.record(TypeCode.OPAQUE_POINTER, [0])
        writer.record(TypeCode.VOID, [])
        writer.record(TypeCode.INTEGER, [32])
        writer.record(TypeCode.FUNCTION, [0, first + 1])
    writer.record(ModuleCode.GLOBALVAR, [first + 2, 2, 0, 0, 0, 0])
    writer.record(ModuleCode.FUNCTION, [first + 3, 0, 0, 0, 0, 0, 0, 0])
    return first + 2


def _write_body(writer: Writer, constants: int) -> None:
    with writer.block(BlockId.FUNCTION_BLOCK):
        writer.record(FunctionCode.DECLAREBLOCKS, [1])
        count = _GLOBALS + constants
        for index in range(constants):
            writer.record(FunctionCode.INST_STORE, [count, constants - index, 0, 0])
        writer.record(FunctionCode.INST_RET, [])


def _print(data: bytes) -> None:
    try:
        module = loads(data)
        for _ in module_text(module):
            pass
    except BitcodecError:
        return


def _blocks_of(data: bytes, block_id: int) -> Iterator[Block]:
    """Yield the blocks of an id, at any depth."""
    try:
        todo = list(Bitstream(data).blocks)
        while todo:
            block = todo.pop()
            todo += block.blocks
            if block.id == block_id:
                yield block
    except BitcodecError:
        return


TARGETS = {
    "bitstream": Target(read_bitstream, seeds_of_bitstream, ("bitcodec.bitstream",)),
    "metadata": Target(read_metadata, seeds_of_metadata, ("bitcodec.bitcode", "bitcodec.asm")),
    "constants": Target(read_constants, seeds_of_constants, ("bitcodec.bitcode", "bitcodec.asm", "bitcodec.ir")),
}
"""By their names on the command line."""


def run_input(name: str, data: bytes) -> None:
    """Give an input to a target.

    Raises:
        Exception: something else than a `BitcodecError`, which the target refuses input by.
    """
    with suppress(BitcodecError):
        TARGETS[name].run(data[:LARGEST])


def seeds(name: str, folder: Path) -> list[bytes]:
    """Return inputs made of the files of a folder, the smallest first, each once."""
    found: set[bytes] = set()
    for path in sorted(folder.glob("*.bc")):
        found.update(seed for seed in TARGETS[name].seeds(path.read_bytes()) if len(seed) <= LARGEST)
    return sorted(found, key=lambda seed: (len(seed), seed))

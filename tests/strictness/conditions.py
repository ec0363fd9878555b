"""Properties of modules without which a reason for a difference does not hold."""

from __future__ import annotations

import subprocess

from tests.hostile.mutators import all_blocks

import bitcodec
from bitcodec import BitcodecError, EncodingError
from bitcodec.bitcode.producers import may_be_newer
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode
from bitcodec.bitstream import Bitstream
from bitcodec.ir.construction.present import source_of

__all__ = [
    "has_annotations",
    "has_computed_case",
    "has_unknown_block_of_wrong_length",
    "is_miswritten",
    "is_of_newer_version",
    "is_padded_with_zeros",
    "is_refused_as_text",
]

_DISASSEMBLE, _ASSEMBLE = ["llvm-dis-22", "-", "-o", "-"], ["llvm-as-22", "-", "-o", "-"]
_KNOWN_BLOCKS = frozenset(BlockId)
_READ_TRAILING = 8
"""Bytes behind the last block that LLVM does not look at."""
_ANNOTATIONS = tuple(b"nvvm.annotations")


def has_computed_case(data: bytes) -> bool:
    """Return whether a module has a switch whose case is `ptrtoint` of `inttoptr`."""
    module = bitcodec.loads(data)
    source = source_of(module)
    module.materialize()
    return isinstance(source, ModuleReader) and bool(source.tables.with_computed_cases)


def is_of_newer_version(data: bytes) -> bool:
    """Return whether the producer of a module is newer than LLVM 22."""
    return may_be_newer(bitcodec.loads(data).producer)


def is_padded_with_zeros(data: bytes) -> bool:
    """Return whether zeros follow the last block, more than LLVM's reader passes over."""
    trailing = bytes(Bitstream(data).trailing)
    return len(trailing) > _READ_TRAILING and not any(trailing)


def has_annotations(data: bytes) -> bool:
    """Return whether a module has `!nvvm.annotations`, which LLVM replaces while reading."""
    try:
        blocks = all_blocks(Bitstream(data).edit().blocks)
    except (BitcodecError, EncodingError):
        return False
    return any(
        record.code == MetadataCode.NAME and tuple(record.operands) == _ANNOTATIONS
        for block in blocks
        if block.id == BlockId.METADATA_BLOCK
        for record in block.records
    )


def has_unknown_block_of_wrong_length(data: bytes) -> bool:
    """Return whether a block that LLVM skips by its length ends elsewhere."""
    blocks = Bitstream(data).decode().blocks
    rows = zip(blocks.id, blocks.body, blocks.size_in_words, blocks.end, strict=True)
    return any(block_id not in _KNOWN_BLOCKS and body + words * 32 != end for block_id, body, words, end in rows)


def is_refused_as_text(data: bytes) -> bool:
    """Return whether LLVM's parser refuses the text that LLVM prints for a module."""
    return bool(_run(_ASSEMBLE, _run(_DISASSEMBLE, data).stdout).returncode)


def is_miswritten(data: bytes) -> bool:
    """Return whether LLVM's reader refuses what LLVM's writer makes of the text that LLVM prints for a module."""
    written = _run(_ASSEMBLE, _run(_DISASSEMBLE, data).stdout)
    return not written.returncode and bool(_run(_DISASSEMBLE, written.stdout).returncode)


def _run(command: list[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=data, capture_output=True, check=False)

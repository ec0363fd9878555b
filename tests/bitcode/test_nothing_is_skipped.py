"""Every record of every valid module is either read, or passed over for a reason that stands here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.reader.attributes import HANDLED_ATTRIBUTE_CODES, HANDLED_GROUP_CODES
from bitcodec.bitcode.reader.body import HANDLED_FUNCTION_CODES
from bitcodec.bitcode.reader.constants import HANDLED_CONSTANT_CODES
from bitcodec.bitcode.reader.metadata_index import HANDLED_METADATA_CODES
from bitcodec.bitcode.reader.module_tables import HANDLED_MODULE_CODES
from bitcodec.bitcode.reader.summaries import HANDLED_SUMMARY_CODES
from bitcodec.bitcode.reader.symbols import HANDLED_SYMBOL_CODES
from bitcodec.bitcode.reader.types import HANDLED_TYPE_CODES
from bitcodec.bitcode.reader.use_lists import HANDLED_USELIST_CODES
from bitcodec.bitcode.schema.blocks import (
    RECORD_CODES,
    SUMMARY_BLOCKS,
    BlockId,
    FunctionCode,
    MetadataCode,
    ModuleCode,
    ValueSymtabCode,
)
from bitcodec.bitstream.magic import StreamKind
from bitcodec.containers import open_streams
from bitcodec.errors import BitcodecError
from corpus import FOLDER, needs_corpus

HANDLED: dict[int, frozenset[int]] = {
    BlockId.MODULE_BLOCK: HANDLED_MODULE_CODES,
    BlockId.PARAMATTR_BLOCK: HANDLED_ATTRIBUTE_CODES,
    BlockId.PARAMATTR_GROUP_BLOCK: HANDLED_GROUP_CODES,
    BlockId.CONSTANTS_BLOCK: HANDLED_CONSTANT_CODES,
    BlockId.FUNCTION_BLOCK: HANDLED_FUNCTION_CODES,
    BlockId.VALUE_SYMTAB_BLOCK: HANDLED_SYMBOL_CODES | {ValueSymtabCode.COMBINED_ENTRY},
    BlockId.METADATA_BLOCK: HANDLED_METADATA_CODES,
    BlockId.TYPE_BLOCK: HANDLED_TYPE_CODES,
    BlockId.USELIST_BLOCK: HANDLED_USELIST_CODES,
    **dict.fromkeys(SUMMARY_BLOCKS, HANDLED_SUMMARY_CODES),
    # Of these blocks all records are of one kind, or two.
    **{
        block_id: frozenset(RECORD_CODES[block_id])
        for block_id in (
            BlockId.IDENTIFICATION_BLOCK,
            BlockId.METADATA_ATTACHMENT_BLOCK,
            BlockId.METADATA_KIND_BLOCK,
            BlockId.MODULE_STRTAB_BLOCK,
            BlockId.OPERAND_BUNDLE_TAGS_BLOCK,
            BlockId.STRTAB_BLOCK,
            BlockId.SYNC_SCOPE_NAMES_BLOCK,
        )
    },
}

PASSED_OVER = {
    0: "BLOCKINFO: the bitstream's own",
    BlockId.SYMTAB_BLOCK: "symbols for linkers: kept as they are, `Module.raw_parts`",
}
"""Blocks that the reader of modules leaves alone."""

HANDLED_BY_DOING_NOTHING = {
    (BlockId.MODULE_BLOCK, ModuleCode.VSTOFFSET): "where the symbol table is: for readers that skip",
    (BlockId.METADATA_BLOCK, MetadataCode.INDEX_OFFSET): "where the index is: for readers that skip",
    (BlockId.METADATA_BLOCK, MetadataCode.INDEX): "where nodes are: for readers that skip",
    (BlockId.FUNCTION_BLOCK, FunctionCode.BLOCKADDR_USERS): "helps only who moves functions elsewhere",
}
"""Records of blocks that are read, which say nothing that the model holds."""


WITHOUT_BITCODE = {
    "embed-marker.o": "a section that says only that bitcode was asked for",
    "lib-thin.a": "names files that are not there",
}
NO_WHOLE_MODULE = {"thinlink-min.bc": "what the thin link needs of a module: llvm-dis refuses its globals too"}


@cache
def counts() -> Counter[tuple[int, int]]:
    """Return how often each record occurs in the modules of the corpus, by block id and code."""
    found: Counter[tuple[int, int]] = Counter()
    for path in files():
        for stream in open_streams(memoryview(path.read_bytes())):
            if stream.stream.kind is StreamKind.LLVM_IR:
                columns = stream.stream.columns
                ids, codes = columns.blocks.id, columns.records.code
                found.update((ids[block], code) for block, code in zip(columns.records.block, codes, strict=True))
    return found


def files() -> Iterator[Path]:
    """Yield the files of the corpus that LLVM reads."""
    for folder in ("modules", "legacy", "containers"):
        for path in sorted((FOLDER / folder).iterdir()):
            if path.suffix in {".bc", ".o", ".obj", ".a", ".lib"} and path.name not in WITHOUT_BITCODE:
                yield path


@needs_corpus
def test_all_records_are_handled() -> None:
    missing = {
        (block_id, code)
        for block_id, code in counts()
        if block_id not in PASSED_OVER and code not in HANDLED.get(block_id, frozenset())
    }
    assert not missing
    assert counts().total() > 250_000


@needs_corpus
def test_nothing_is_passed_over_that_does_not_occur() -> None:
    occurring = {block_id for block_id, _ in counts()}
    assert PASSED_OVER.keys() <= occurring
    assert HANDLED_BY_DOING_NOTHING.keys() - {(BlockId.FUNCTION_BLOCK, FunctionCode.BLOCKADDR_USERS)} <= counts().keys()


@needs_corpus
def test_most_kinds_of_records_occur() -> None:
    """What no file has, nobody has tried; the rest is of hand-made streams, and of files of our own for summaries."""
    known = {
        (block_id, code) for block_id, codes in HANDLED.items() for code in codes if block_id not in SUMMARY_BLOCKS
    }
    assert len(known & counts().keys()) / len(known) > 0.85


@pytest.mark.parametrize("block_id", HANDLED)
def test_handled_records_have_names(block_id: int) -> None:
    assert HANDLED[block_id] <= set(RECORD_CODES[BlockId(block_id)])


@needs_corpus
def test_all_modules_are_read_to_the_end() -> None:
    refused = {}
    modules = 0
    for path in files():
        try:
            for module in bitcodec.open_all(path):
                module.materialize()
                modules += 1
        except BitcodecError as error:
            refused[path.name] = str(error)
    assert refused.keys() == NO_WHOLE_MODULE.keys()
    assert modules > 500

"""Records cut to each shorter length are read, or refused by a reason: no decoder relies on an operand being there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.amounts import some
from tests.hostile.mutators import all_blocks, rewrite

from bitcodec import BitcodecError, InternalError
from bitcodec.bitcode.loading import modules_in
from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.items import DraftRecord
from bitcodec.linker.symbols import linker_symbols

FOLDER = Path(__file__).parents[1]
LONGEST = 30
"""Records are cut to lengths below; behind that most are lists."""


@cache
def first_records() -> list[tuple[Path, int, int]]:
    """Return files, numbers of blocks, and numbers of items in them: the first record of each code."""
    seen: set[tuple[int, int]] = set()
    found = []
    for path in sorted(FOLDER.rglob("*.bc"), key=lambda path: (path.stat().st_size, path)):
        try:
            blocks = all_blocks(Bitstream(path.read_bytes()).edit().blocks)
        except BitcodecError:
            continue
        for number, block in enumerate(blocks):
            for place, record in enumerate(block.items):
                if isinstance(record, DraftRecord) and record.blob is None and (block.id, record.code) not in seen:
                    seen.add((block.id, record.code))
                    found.append((path, number, place))
    return found


def read(stream: Bitstream) -> None:
    summarize(stream)
    for module in modules_in(stream, "cut"):
        for part in (linker_symbols, lambda module: module.summary, lambda module: module.materialize()):
            try:
                part(module)
            except InternalError:
                raise
            except BitcodecError:
                pass


def test_no_decoder_relies_on_an_operand() -> None:
    files = some(first_records(), 40)
    assert files
    for path, number, place in files:
        draft = Bitstream(path.read_bytes()).edit()
        record = all_blocks(draft.blocks)[number].items[place]
        assert isinstance(record, DraftRecord)
        operands = record.operands
        for length in range(min(len(operands), LONGEST)):
            rewrite(record, list(operands[:length]))
            try:
                read(Bitstream(draft.dumps()))
            except InternalError as error:
                pytest.fail(f"record {record.code} of {path.name} with {length} operands: {error}")
            except BitcodecError:
                pass

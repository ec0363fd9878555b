"""Sizes: everything in a file has a share, and the shares add up to its bits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bitcodec import BitcodecError, bitstream
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.bitstream.wrapper import wrapped
from bitcodec.report import FileReport, Report, Share, collect, collect_file, merged_shares
from bits import Bits
from corpus import FOLDER, is_there

from .files import DATA, EXAMPLES, HELLO, QUEUE

FILES = sorted(
    path
    for folder in (DATA, EXAMPLES)
    for path in folder.iterdir()
    if path.suffix not in {".gz", ".c", ".json", ".md", ".mir"}
)
FILES = [path for path in FILES if path.is_file()]


def all_shares(share: Share) -> Iterator[Share]:
    yield share
    for part in share.parts:
        yield from all_shares(part)


def check(file: FileReport) -> None:
    assert file.share.bits == file.size * 8
    for share in all_shares(file.share):
        assert share.bits > 0 or not share.parts
        assert share.bits >= 0
        if share.parts:
            assert sum(part.bits for part in share.parts) == share.bits, share.name
    assert sum(share.bits for _, share in file.share.leaves()) == file.size * 8
    assert merged_shares(Report([file])).bits == sum(part.bits for part in merged_shares(Report([file])).parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_shares_add_up(path: Path) -> None:
    (file,) = collect([path]).files
    check(file)
    assert file.size == path.stat().st_size


@pytest.mark.skipif(not is_there(), reason="the corpus is not next to the checkout")
@pytest.mark.same_in_both
def test_shares_add_up_in_the_corpus() -> None:
    count = 0
    for path in sorted(FOLDER.glob("*/*"))[::4]:
        if path.suffix in {".gz", ".md", ".json"} or path.parent.name == "src":
            continue
        try:
            (file,) = collect([path]).files
        except BitcodecError:
            continue
        check(file)
        count += 1
    assert count > 100


def test_blocks_and_records_are_those_of_analyze() -> None:
    stream = bitstream.open(QUEUE)
    statistics = block_statistics(stream.columns)
    records = {(block, code): record for block, each in statistics.items() for code, record in each.records.items()}
    found = [share for _, share in collect([QUEUE]).files[0].share.leaves() if " " not in share.name]

    assert sum(share.bits for share in found) == sum(record.bits for record in records.values())
    assert sum(share.instances for share in found) == len(stream.columns.records)


def test_what_lies_around_blocks_has_a_share() -> None:
    plain = collect_file(HELLO.read_bytes(), "plain")
    around = collect_file(wrapped(HELLO.read_bytes()) + bytes(32), "around")
    names = [part.name for part in around.share.parts]

    check(around)
    assert plain.share.parts[0].name == "magic number"
    assert names[0] == "wrapper header and padding"
    assert around.share.parts[0].bits == around.share.bits - plain.share.bits


@pytest.mark.parametrize("size", [4, 40, 400, 1000, 2000, 3001])
def test_files_that_are_cut_off_add_up(size: int) -> None:
    try:
        file = collect_file(HELLO.read_bytes()[:size], "cut")
    except BitcodecError:
        return
    check(file)
    assert file.errors or not file.modules


def test_deep_nesting_and_many_kinds_add_up() -> None:
    bits = Bits()
    for number in range(2000):
        bits = bits.enter_block(8 + number % 50)
    for _ in range(2000):
        bits = bits.end_block()
    deep = collect_file(bits.stream(), "deep")
    check(deep)

    bits = Bits()
    for number in range(2000):
        bits = bits.enter_block(8 + number).end_block()
    wide = collect_file(bits.stream(), "wide")
    check(wide)
    assert len(wide.share.parts) < 600

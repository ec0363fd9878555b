"""llvm-bcanalyzer 22 and bitcodec print the same text of random streams."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from answers import Digest, ask
from bitcodec import bitstream
from bits import CHARACTERS, Bits, Field, wrapped

from .forms import installed
from .random_streams import StreamMaker
from .reference import analyzer_text

OPTIONS = {
    "--non-symbolic": {"symbolic": False},
    "--show-binary-blobs": {"blobs": True},
    "--dump-blockinfo": {"block_info": True},
}

STRINGS: tuple[Field, ...] = (35, ("vbr", 6), ("fixed", 32), "blob")
INDEX_OFFSET: tuple[Field, ...] = (38, ("fixed", 32), ("fixed", 32))
INDEX: tuple[Field, ...] = (39, "array", ("vbr", 6))


def assert_same(data: bytes, folder: Path, *flags: str) -> None:
    """Compare both tools' text of `data`: the dump, and the summary alone."""
    (folder / "x.bc").write_bytes(data)
    options = {name: value for flag in flags for name, value in OPTIONS[flag].items()}
    dump, summary = analyzer_text(installed(), data, "x.bc", **options)
    assert dump == run(folder, "--dump", *flags)
    assert summary == run(folder)


def run(folder: Path, *flags: str) -> bytes | Digest:
    """Return what the tool prints: its digest, where the text is not asked for again."""
    done = ask(["llvm-bcanalyzer-22", *flags, "x.bc"], cwd=folder, keeps="digest")
    assert done.returncode == 0, done.stderr
    found: bytes | Digest = done.stdout
    return found


@pytest.mark.parametrize("seed", [*range(60), *(pytest.param(seed, marks=pytest.mark.live) for seed in range(60, 160))])
def test_streams_at_random(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    flags = [flag for flag in OPTIONS if random.random() < 0.3]
    data = StreamMaker(random).data
    if random.random() < 0.2:
        data = wrapped(data, before=bytes(random.choice([0, 4])), cpu_type=random.getrandbits(32))
    assert_same(data, tmp_path, *flags)


@pytest.mark.parametrize("flags", [[], ["--non-symbolic"]], ids=str)
def test_every_block_and_record_by_name(flags: list[str], tmp_path: Path) -> None:
    bits = Bits()
    for block_id in range(1, 31):
        bits.enter_block(block_id)
        for code in range(81):
            # The tool expects a blob of metadata strings, see below.
            if (block_id, code) != (15, 35):
                bits.unabbreviated(code, [1, 2])
        bits.end_block()
    assert_same(bits.stream(), tmp_path, *flags)


def test_names_of_its_own(tmp_path: Path) -> None:
    # Names that are not printable LLVM prints raw; `tests/cli/test_hostile_text.py` has those.
    bits = Bits().enter_block(0).unabbreviated(1, [8]).unabbreviated(2, b"Mine").unabbreviated(3, [1, *b"VER"])
    bits.unabbreviated(3, [1, *b"again"]).unabbreviated(3, [2]).unabbreviated(1, [9]).unabbreviated(2, [])
    bits.unabbreviated(1, [3]).unabbreviated(2, b"Three").unabbreviated(1, [40]).unabbreviated(2, b"<\xc3\xa9&'>")
    bits.end_block()
    for block_id in (3, 8, 9, 40):
        bits.enter_block(block_id).unabbreviated(1, [1]).unabbreviated(2, b"xy").end_block()
    for flags in ([], ["--non-symbolic"], ["--dump-blockinfo"], list(OPTIONS)):
        assert_same(bits.stream(), tmp_path, *flags)


def metadata_strings(lengths: list[int], characters: bytes) -> bytes:
    prefix = Bits(b"")
    for length in lengths:
        prefix.vbr(length, 6)
    table = prefix.stream()
    bits = Bits().enter_block(15).define(*STRINGS)
    return bits.abbreviated(4, STRINGS, [35, len(lengths), len(table)], table + characters).end_block().stream()


@pytest.mark.parametrize(
    ("lengths", "characters"),
    [
        ([3], b"abc"),
        ([0], b""),
        ([3, 0, 31, 32], b"abc" + b"x" * 63),
        ([5, 4], b"\x00\xff'\"\\<>&\t"),
        ([1], b"and more than that"),
        ([100, 1] * 20, bytes(range(100, 201)) * 20),
    ],
)
def test_metadata_strings(lengths: list[int], characters: bytes, tmp_path: Path) -> None:
    assert_same(metadata_strings(lengths, characters), tmp_path)


def metadata_index(distance: int, *, block: int = 15) -> bytes:
    bits = Bits().enter_block(block).define(*INDEX_OFFSET).define(*INDEX)
    bits.abbreviated(4, INDEX_OFFSET, [38, distance % 2**32, distance >> 32]).unabbreviated(3, [1, 2])
    return bits.abbreviated(5, INDEX, [39, 1, 2, 3]).end_block().stream()


@pytest.mark.parametrize("off_by", [0, 1, -1, 1 << 32])
def test_metadata_index(off_by: int, tmp_path: Path) -> None:
    probe = bitstream.loads(metadata_index(0)).blocks[0].records
    right = probe[2].start - probe[0].end
    data = metadata_index(right + off_by)
    assert_same(data, tmp_path)
    assert (b"(offset match)" in analyzer_text(installed(), data, "x.bc")[0]) == (off_by == 0)


def test_metadata_index_elsewhere_or_alone(tmp_path: Path) -> None:
    assert_same(metadata_index(0, block=16), tmp_path)
    assert_same(Bits().enter_block(15).unabbreviated(39, [1]).end_block().stream(), tmp_path)
    assert_same(Bits().enter_block(15).unabbreviated(38, [1]).end_block().stream(), tmp_path)


def test_the_smallest_streams(tmp_path: Path) -> None:
    assert_same(Bits().stream(), tmp_path)
    assert_same(Bits().enter_block(8).end_block().stream(), tmp_path)
    assert_same(Bits().enter_block(0).end_block().stream(), tmp_path)


def test_lengths_that_lie(tmp_path: Path) -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).end_block(words=77).enter_block(9).end_block(words=0)
    assert_same(bits.stream(), tmp_path)


def test_fields_of_few_bits(tmp_path: Path) -> None:
    fields: tuple[Field, ...] = (1, ("vbr", 1), ("fixed", 0), ("vbr", 0), "array", ("vbr", 1))
    bits = Bits().enter_block(8).define(*fields).id(4).fixed(0b0111, 4).vbr(3, 6).fixed(0b0010, 4).end_block()
    assert_same(bits.stream(), tmp_path)


def test_a_blockinfo_in_an_open_block(tmp_path: Path) -> None:
    """The block keeps the abbreviations that it began with."""
    first: tuple[Field, ...] = (5, ("fixed", 8))
    second: tuple[Field, ...] = (6, ("fixed", 3))
    bits = Bits().enter_block(0).unabbreviated(1, [8]).define(*first).end_block().enter_block(8)
    bits.enter_block(0).unabbreviated(1, [8]).define(*second).end_block().abbreviated(4, first, [5, 200])
    bits.enter_block(8).abbreviated(4, second, [6, 7]).end_block().end_block()
    assert_same(bits.stream(), tmp_path)


@pytest.mark.parametrize("depth", [2, 50, 256])
def test_deep_streams(depth: int, tmp_path: Path) -> None:
    bits = Bits()
    for _ in range(depth):
        bits.enter_block(8).unabbreviated(2, b"x")
    for _ in range(depth):
        bits.end_block()
    assert_same(bits.stream(), tmp_path)


def test_strings_and_blobs(tmp_path: Path) -> None:
    text: tuple[Field, ...] = (2, "array", "char6")
    data: tuple[Field, ...] = (3, "array", ("fixed", 8))
    blob: tuple[Field, ...] = (4, "blob")
    bits = Bits().enter_block(8, width=4).define(*text).define(*data).define(*blob)
    bits.abbreviated(4, text, [2, *CHARACTERS.encode()])
    for first in range(256):
        bits.abbreviated(5, data, [3, first, 0x41]).abbreviated(6, blob, [4], bytes([first, 0x41]))
    stream = bits.end_block().stream()
    for flags in ([], ["--show-binary-blobs"]):
        assert_same(stream, tmp_path, *flags)

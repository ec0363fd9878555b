"""Damage is found in the order in which LLVM's readers go through a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.doctor import Verdict, diagnose

from .readers import disagreements

HELLO, QUEUE = ((Path(__file__).parents[2] / "examples" / f"{name}.bc").read_bytes() for name in ("hello", "queue"))
_HUGE = (1 << 24).to_bytes(4, "little")
_HUGE_SIZE = 0b011111_111111_111111
"""More than the file has bytes, in groups of six bits."""
_WIDTH_AT_TOP = 10
"""At the top level, the number of bits in front of the width of a block's abbreviation ids."""


def blocks_of(data: bytes, block_id: int) -> list[tuple[int, int]]:
    """Return first bit and first bit of the content of the blocks of an id."""
    blocks = bitstream.loads(data).decode().blocks
    return [
        (start, body)
        for each, start, body in zip(blocks.id, blocks.start, blocks.body, strict=True)
        if each == block_id
    ]


def with_length(data: bytes, block_id: int, words: bytes) -> bytes:
    """Return a file with another length in the header of the first block of an id."""
    _, body = blocks_of(data, block_id)[0]
    return data[: body // 8 - 4] + words + data[body // 8 :]


def without_width(data: bytes, block_id: int) -> bytes:
    """Return a file in which the first block of an id, at the top level, has abbreviation ids of 0 bits."""
    start, _ = blocks_of(data, block_id)[0]
    number = int.from_bytes(data, "little") & ~(0xF << start + _WIDTH_AT_TOP)
    return number.to_bytes(len(data), "little")


def with_number(data: bytes, block_id: int, bits: int, width: int, number: int) -> bytes:
    """Return a file with another number at some bits from the beginning of the content of a block."""
    _, body = blocks_of(data, block_id)[0]
    whole = int.from_bytes(data, "little") & ~(((1 << width) - 1) << body + bits)
    return (whole | number << body + bits).to_bytes(len(data), "little")


def older(version: int = 12) -> bytes:
    return bitcodec.dumps(bitcodec.loads(HELLO), llvm_version=version)


CASES: dict[str, Callable[[], bytes]] = {
    "length of types": lambda: with_length(HELLO, BlockId.TYPE_BLOCK, _HUGE),
    "length of constants": lambda: with_length(HELLO, BlockId.CONSTANTS_BLOCK, _HUGE),
    "older length of types": lambda: with_length(older(), BlockId.TYPE_BLOCK, _HUGE),
    "older length of metadata": lambda: with_length(older(), BlockId.METADATA_BLOCK, _HUGE),
    "length of a body": lambda: with_length(HELLO, BlockId.FUNCTION_BLOCK, _HUGE),
    "older length of a body": lambda: with_length(older(8), BlockId.FUNCTION_BLOCK, _HUGE),
    "length of a module": lambda: with_length(HELLO, BlockId.MODULE_BLOCK, _HUGE),
    "names without width": lambda: without_width(HELLO, BlockId.STRTAB_BLOCK),
    "abbreviations of no block": lambda: with_number(HELLO, BLOCKINFO_BLOCK_ID, 0, 2, 2),
    "other abbreviation id": lambda: with_number(HELLO, BlockId.TYPE_BLOCK, 0, 4, 15),
    "size of a record": lambda: with_number(HELLO, BlockId.MODULE_BLOCK, 9, 18, _HUGE_SIZE),
    "body before one that is out of reach": lambda: with_number(QUEUE, BlockId.FUNCTION_BLOCK, 0, 5, 31),
    "first of two modules": lambda: with_number(older() + older()[4:], BlockId.CONSTANTS_BLOCK, 0, 4, 15),
    "cut off": lambda: HELLO[: len(HELLO) // 3 & ~3],
}


def verdicts(name: str) -> tuple[Verdict, ...]:
    [diagnosis] = diagnose(CASES[name](), profiles=())
    assert diagnosis.damage is not None
    return diagnosis.verdicts


def damaged(verdict: Verdict) -> bool:
    return any(each.rule == "damage" for each in verdict.obstacles)


def messages(name: str, *versions: int) -> Iterator[str]:
    for verdict in verdicts(name):
        if verdict.version in versions:
            yield next(each.message for each in verdict.obstacles if each.rule == "damage")


@pytest.mark.same_in_both
def test_lengths_count_only_for_what_is_skipped() -> None:
    # Of those that are asked, `llvm-dis` goes through the module again, and skips its blocks.
    for name in ("length of types", "length of constants"):
        assert {17, 18, 20, 21} <= {each.version for each in verdicts(name) if not damaged(each)}
    assert {each.version for each in verdicts("older length of types") if each.reads} == {12, 17, 18, 20, 21}
    for name in ("older length of types", "older length of metadata"):
        assert all("can't skip to bit" in message for message in messages(name, 13, 16, 19, 22))
    assert all("can't skip to bit" in message for message in messages("length of a body", 9, 14, 15, 22))
    assert list(messages("length of a body", 8)) == list(messages("older length of a body", 8)) == ["Invalid record"]


@pytest.mark.same_in_both
def test_names_are_read_before_the_module() -> None:
    width = "can't enter sub-block: current code size is 0"
    assert list(messages("names without width", 5, 8, 9, 22)) == ["Invalid record", "Invalid record", width, width]
    assert not damaged(verdicts("names without width")[0])
    assert verdicts("names without width")[5].message == width


@pytest.mark.same_in_both
def test_definitions_belong_to_blocks() -> None:
    assert set(messages("abbreviations of no block", 5, 14, 15, 22)) == {"Malformed block"}


@pytest.mark.same_in_both
def test_sizes_are_checked() -> None:
    assert set(messages("size of a record", *range(15, 23))) == {"Size is not plausible"}
    assert all("Unexpected end of file" in message for message in messages("size of a record", *range(9, 15)))


@pytest.mark.same_in_both
def test_bodies_are_read_one_after_the_other() -> None:
    assert set(messages("body before one that is out of reach", 22)) == {"Invalid abbrev number"}


@pytest.mark.same_in_both
def test_modules_are_counted_before_they_are_read() -> None:
    said = {verdict.version: verdict.message for verdict in verdicts("first of two modules")}
    assert {said[version] for version in range(5, 13)} == {"Expected a single module"}
    assert said[13] == "LLVM ERROR: Invalid abbrev number"


@pytest.mark.same_in_both
@pytest.mark.parametrize("name", CASES)
def test_readers_say_the_same(name: str, tmp_path: Path) -> None:
    assert disagreements(CASES[name](), tmp_path) == []

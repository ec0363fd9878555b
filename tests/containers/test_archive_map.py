"""Symbol tables of archives in all forms, built here; `tests/cli/test_nm.py` compares those of `llvm-ar`."""

from __future__ import annotations

import struct

import pytest

from bitcodec.containers.archive_map import archive_map
from bitcodec.errors import ContainerError

from .builders import archive, bsd_member, member

FIRST, SECOND = member(b"a.o/", b"first!"), member(b"b.o/", b"second")
NAMES = b"one\0two\0three\0"
WANTED = [(b"one", b"a.o"), (b"two", b"b.o"), (b"three", b"a.o")]


def with_table(field: bytes, size: int, pack: str, *, behind: bytes = NAMES) -> bytes:
    """Return an archive whose table has a count, offsets of members and names."""
    first = 8 + 60 + size * 4 + len(behind)
    first += first % 2
    offsets = (first, first + len(FIRST), first)
    table = struct.pack(f">{pack}{3 * pack}", 3, *offsets) + behind
    return archive(member(field, table), FIRST, SECOND)


def with_pairs(name: str, word: str) -> bytes:
    """Return an archive whose table has pairs of offsets, of a name and of a member."""
    size = struct.calcsize(f"<{word}")
    text = 2 * size + 6 * size + len(NAMES)
    first = 8 + 60 + len(name) + text
    first += first % 2
    pairs = (0, first, 4, first + len(FIRST), 8, first)
    table = struct.pack(f"<{word}6{word}{word}", 6 * size, *pairs, len(NAMES)) + NAMES
    return archive(bsd_member(name, table), FIRST, SECOND)


def for_windows() -> bytes:
    """Return an archive with both tables of Windows, and one for Arm64EC."""
    first_table = member(b"/", struct.pack(">I", 0))
    ec_table = member(b"/<ECSYMBOLS>/", struct.pack("<IH", 1, 2) + b"ec\0")
    first = 8 + len(first_table) + 60 + 4 + 2 * 4 + 4 + 3 * 2 + len(NAMES)
    first += first % 2 + len(ec_table)
    table = struct.pack("<IIII3H", 2, first, first + len(FIRST), 3, 1, 2, 1) + NAMES
    return archive(first_table, member(b"/", table), ec_table, FIRST, SECOND)


@pytest.mark.parametrize(
    "data",
    [
        with_table(b"/", 4, "I"),
        with_table(b"/SYM64/", 8, "Q"),
        with_pairs("__.SYMDEF", "I"),
        with_pairs("__.SYMDEF SORTED", "I"),
        with_pairs("__.SYMDEF_64", "Q"),
        for_windows(),
    ],
    ids=["gnu", "gnu of 64 bits", "bsd", "darwin", "darwin of 64 bits", "coff"],
)
def test_forms(data: bytes) -> None:
    assert archive_map(memoryview(data), is_thin=False).symbols == WANTED


def test_arm64ec() -> None:
    assert archive_map(memoryview(for_windows()), is_thin=False).ec_symbols == [(b"ec", b"b.o")]


@pytest.mark.parametrize("data", [archive(), archive(FIRST, SECOND)])
def test_no_table(data: bytes) -> None:
    assert archive_map(memoryview(data), is_thin=False) == ([], [])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (with_table(b"/", 4, "I", behind=b"one\0two\0three"), "expected 3 names, found 2"),
        (archive(member(b"/", b"\xff\xff\xff\xff")), "archive symbol table does not fit"),
        (archive(member(b"/", struct.pack(">II", 1, 9) + b"f\0")), "expected a member at byte 0x9"),
        (archive(bsd_member("__.SYMDEF", struct.pack("<5I", 8, 99, 8, 2, 0))), "expected a name at byte 0x63"),
        (archive(member(b"/", bytes(4)), member(b"/", struct.pack("<IIH", 0, 1, 1) + b"f\0")), "number of a member"),
    ],
)
def test_malformed(data: bytes, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        archive_map(memoryview(data), is_thin=False)

"""Tables kept as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.tables.make_intrinsics import shortened, words_of

from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.tables.listing import Listing

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """\
# Comments
#
# of two lines.

red
green

one
two

0call.on.hold 1 0
2time 0 0
1up 1 1
0hold 0 1
0x86.add 1 1
1avx.add 0 0
2sub.wide 1 0
"""
ROWS = {
    "call.on.hold": ("green", "one"),
    "call.on.time": ("red", "one"),
    "call.up": ("green", "two"),
    "hold": ("red", "two"),
    "x86.add": ("green", "two"),
    "x86.avx.add": ("red", "one"),
    "x86.avx.sub.wide": ("green", "one"),
}


@pytest.fixture
def listing(tmp_path: Path) -> Listing[tuple[str, str]]:
    (tmp_path / "table.txt").write_text(TABLE)
    return Listing(str(tmp_path / "table.txt"), lambda *texts: texts)


def test_rows_are_found_by_their_whole_names(listing: Listing[tuple[str, str]]) -> None:
    assert dict(listing) == ROWS
    assert len(listing) == len(ROWS)
    for name in ("call", "call.on", "hold.on", "x86.avx", "x86.avx.sub", "x86.avx.add.add", "", ".", "0hold", "y.z"):
        assert name not in listing
        with pytest.raises(KeyError):
            listing[name]


def test_beginnings_of_names_are_found(listing: Listing[tuple[str, str]]) -> None:
    for name in ROWS:
        assert all(listing.has_beginning(name[:end]) for end in range(len(name) + 1))
    for text in ("call.o.", "call.on.t.", "callx", "hold.", "x86.b", "x86.avx.z", "y", "y.", "0"):
        assert not listing.has_beginning(text)


def test_names_are_written_without_the_words_that_they_share() -> None:
    lines = [line.split()[0] for line in TABLE.splitlines() if line[:1] in {"0", "1", "2"}]
    assert list(shortened(map(words_of, ROWS))) == lines
    assert list(shortened([list("abcdefghijkl"), list("abcdefghijkm")])) == ["0a.b.c.d.e.f.g.h.i.j.k.l", "9j.k.m"]


def test_every_intrinsic_is_found_by_its_name() -> None:
    rows = intrinsic_rows()
    assert len(rows) == len({*rows}) > 16_000
    assert all(rows[name].signature.endswith(")") for name in rows)
    assert rows["memcpy.inline"].signature == "void(A:p,B:p,C:i,i1)"
    assert rows.has_beginning("x86.sse2.")

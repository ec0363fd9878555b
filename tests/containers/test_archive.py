"""Archives in each of their forms."""

from __future__ import annotations

import pytest

from bitcodec.containers import find
from bitcodec.errors import ContainerError

from .builders import BITSTREAM, OTHER_BITSTREAM, TEXT, archive, bsd_member, gnu_archive, member


def paths(data: bytes) -> list[str]:
    return [part.path for part in find(data)]


def test_members_come_in_order_with_their_bytes_and_offsets() -> None:
    data = archive(member(b"b.bc/", BITSTREAM), member(b"a.bc/", OTHER_BITSTREAM))
    found = find(data)
    assert [part.path for part in found] == ["b.bc", "a.bc"]
    assert [bytes(part.data) for part in found] == [BITSTREAM, OTHER_BITSTREAM]
    assert [part.offset for part in found] == [data.index(BITSTREAM), data.index(OTHER_BITSTREAM)]


def test_members_that_are_neither_bitstream_nor_container_are_passed_over() -> None:
    assert paths(archive(member(b"readme/", TEXT), member(b"a.bc/", BITSTREAM), member(b"empty/"))) == ["a.bc"]


@pytest.mark.parametrize("table", [b"/", b"/SYM64/", b"/<ECSYMBOLS>/", b"__.SYMDEF", b"__.SYMDEF SORTED"])
def test_symbol_tables_are_no_members(table: bytes) -> None:
    assert paths(archive(member(table, BITSTREAM), member(b"a.bc/", BITSTREAM))) == ["a.bc"]


def test_gnu_long_names() -> None:
    assert paths(gnu_archive(("a name of more than sixteen bytes.bc", BITSTREAM), ("b.bc", BITSTREAM))) == [
        "a name of more than sixteen bytes.bc",
        "b.bc",
    ]


def test_coff_long_names_end_with_a_zero_byte() -> None:
    names = b"folder\\first.obj\0second.obj\0"
    tables = [member(b"/"), member(b"/"), member(b"//", names)]
    data = archive(*tables, member(b"/0", BITSTREAM), member(b"/17", BITSTREAM))
    assert paths(data) == ["folder\\first.obj", "second.obj"]


def test_bsd_names_stand_before_the_content() -> None:
    data = archive(bsd_member("__.SYMDEF\0\0\0", b"table"), bsd_member("a long name with blanks.o\0\0\0", BITSTREAM))
    (found,) = find(data)
    assert (found.path, bytes(found.data)) == ("a long name with blanks.o", BITSTREAM)
    assert found.offset == data.index(BITSTREAM)


def test_darwin_padding_is_not_part_of_a_bitstream() -> None:
    twelve_bytes = b"BC\xc0\xde12345678"
    (found,) = find(archive(bsd_member("a.bc", twelve_bytes + b"\n\n\n\n")))
    assert bytes(found.data) == twelve_bytes


def test_newlines_that_end_a_gnu_member_belong_to_it() -> None:
    content = b"BC\xc0\xde12345678\n\n\n\n"
    (found,) = find(archive(member(b"a.bc/", content)))
    assert bytes(found.data) == content


def test_members_of_one_name_stay_apart() -> None:
    same = member(b"a.o/", BITSTREAM)
    taken = member(b"a.o#2/", BITSTREAM)
    assert paths(archive(same, same, taken, same)) == ["a.o", "a.o#2", "a.o#2#2", "a.o#3"]


def test_names_are_shown_on_one_line() -> None:
    assert paths(archive(member(b"a\nb\xff.bc/", BITSTREAM))) == ["a\\0Ab\\FF.bc"]


def test_a_very_long_name_is_shown_by_its_end() -> None:
    (path,) = paths(archive(bsd_member("x" * 5000 + "end.bc", BITSTREAM)))
    assert path.startswith("...x")
    assert path.endswith("xend.bc")
    assert len(path) < 300


def test_the_last_padding_byte_may_be_missing() -> None:
    assert paths(archive(member(b"a.bc/", BITSTREAM + b"odd"))[:-1]) == ["a.bc"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (archive(member(b"a/", BITSTREAM))[:40], "archive member header does not fit: 60 bytes at byte 8 of 40"),
        (archive(member(b"a/", BITSTREAM, size=99)), "archive member a/ does not fit: 99 bytes at byte 68 of 84"),
        (archive(member(b"a/", end=b"??")), "archive member header at byte 8 lacks its end mark"),
        (archive(member(b"a/").replace(b"0         `", b"-1        `")), "size .* at byte 8 is not a number: '-1'"),
        (archive(member(b"a/").replace(b"0         `", b"1_0       `")), "is not a number: '1_0'"),
        (archive(member(b"a/").replace(b"0         `", b"          `")), "is not a number: ''"),
        (archive(member(b"/7", BITSTREAM)), "long archive member name /7 does not fit: 0 bytes at byte 7 of 0"),
        (archive(member(b"/1x", BITSTREAM)), "long archive member name /1x is not a number: '1x'"),
        (archive(member(b"#1/99", BITSTREAM)), "name of the archive member at byte 68 does not fit"),
        (archive(member(b"#1/no", BITSTREAM)), "length of the name of the archive member at byte 68 is not a number"),
    ],
)
def test_malformed(data: bytes, message: str) -> None:
    with pytest.raises(ContainerError, match=message):
        find(data)

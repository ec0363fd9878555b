"""Thin archives: their members are files beside them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bitcodec.containers import find
from bitcodec.errors import ContainerError

from .builders import BITSTREAM, OTHER_BITSTREAM, TEXT, archive, elf, member, thin_archive


def test_members_are_found_from_the_folder_of_the_archive(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.bc").write_bytes(BITSTREAM)
    (tmp_path / "sub" / "b.o").write_bytes(elf((".llvmbc", OTHER_BITSTREAM)))
    found = find(thin_archive("a.bc", "sub/b.o"), path=tmp_path / "lib.a")
    assert [part.path for part in found] == ["a.bc", "sub/b.o:.llvmbc"]
    assert [bytes(part.data) for part in found] == [BITSTREAM, OTHER_BITSTREAM]
    assert [part.offset for part in found] == [None, None]


def test_absolute_and_upward_paths(tmp_path: Path) -> None:
    (tmp_path / "a.bc").write_bytes(BITSTREAM)
    (tmp_path / "b.bc").write_bytes(OTHER_BITSTREAM)
    (tmp_path / "lib").mkdir()
    found = find(thin_archive("../a.bc", str(tmp_path / "b.bc")), path=str(tmp_path / "lib" / "lib.a"))
    assert [bytes(part.data) for part in found] == [BITSTREAM, OTHER_BITSTREAM]


def test_a_file_named_many_times_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.bc").write_bytes(BITSTREAM)
    os.link(tmp_path / "a.bc", tmp_path / "b.bc")
    found = find(thin_archive("a.bc", "./a.bc", "b.bc"), path=tmp_path / "lib.a")
    assert [part.path for part in found] == ["a.bc"]


def test_a_thin_archive_that_names_itself_ends(tmp_path: Path) -> None:
    archive_file = tmp_path / "lib.a"
    archive_file.write_bytes(thin_archive("lib.a", "a.bc"))
    (tmp_path / "a.bc").write_bytes(BITSTREAM)
    # The file is met once as the input and once as its own member.
    assert {part.path for part in find(archive_file.read_bytes(), path=archive_file)} == {"lib.a:a.bc"}


def test_a_thin_archive_in_a_thin_archive_counts_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "inner.a").write_bytes(thin_archive("a.bc"))
    (tmp_path / "sub" / "a.bc").write_bytes(BITSTREAM)
    (found,) = find(thin_archive("sub/inner.a"), path=tmp_path / "lib.a")
    assert found.path == "sub/inner.a:a.bc"


def test_gnu_names_for_members_of_another_archive(tmp_path: Path) -> None:
    (tmp_path / "inner.a").write_bytes(archive(member(b"a.bc/", BITSTREAM), member(b"b.bc/", OTHER_BITSTREAM)))
    headers = member(b"/0:8", size=16) + member(b"/0:84", size=16)
    data = b"!<thin>\n" + member(b"//", b"inner.a/\n") + headers
    assert [part.path for part in find(data, path=tmp_path / "lib.a")] == ["inner.a:a.bc", "inner.a:b.bc"]


def test_files_of_no_interest_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(TEXT)
    assert find(thin_archive("notes.txt"), path=tmp_path / "lib.a") == []


def test_without_a_path_it_says_so() -> None:
    with pytest.raises(ContainerError, match="the members of a thin archive are separate files: give its path"):
        find(thin_archive("a.bc"))


def test_within_another_file_it_says_so(tmp_path: Path) -> None:
    data = archive(member(b"thin.a/", thin_archive("a.bc")))
    with pytest.raises(ContainerError, match=r"in thin\.a .*: it must be a file of its own"):
        find(data, path=tmp_path / "lib.a")


@pytest.mark.parametrize("name", ["absent.bc", "zero\0byte.bc", "x" * 3000])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(ContainerError, match="is named by a thin archive but"):
        find(thin_archive(name), path=tmp_path / "lib.a")


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "/dev/zero"):
        with pytest.raises(ContainerError, match="is not a regular file"):
            find(thin_archive(name), path=tmp_path / "lib.a")

"""Files written whole or not at all."""

from __future__ import annotations

import mmap
import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bitcodec
from bitcodec import BitcodecError, bitstream, mir
from bitcodec.files import read_file, read_stream, remove_unfinished, write_pieces, write_whole
from bitcodec.pcsections import decode_file

HELLO = str(Path(__file__).parents[2] / "examples" / "hello.bc")
posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and permissions as POSIX has them")


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


class Unwritable:
    """Data that cannot be written: the failure comes in the midst of writing."""


def test_a_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "new.bc", b"content")
    assert (tmp_path / "new.bc").read_bytes() == b"content"
    assert names(tmp_path) == ["new.bc"]


def test_a_file_replaced(tmp_path: Path) -> None:
    path = tmp_path / "old.bc"
    path.write_bytes(b"a longer content than the new one")
    write_whole(os.fspath(path), memoryview(b"new"))
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("existing", [None, b"old"])
def test_a_failure_leaves_all_as_it_was(tmp_path: Path, existing: bytes | None) -> None:
    path = tmp_path / "file.bc"
    if existing is not None:
        path.write_bytes(existing)
    with pytest.raises(TypeError):
        write_whole(path, Unwritable())  # type: ignore[arg-type]
    assert names(tmp_path) == ([] if existing is None else ["file.bc"])
    assert existing is None or path.read_bytes() == existing


def test_a_rename_that_fails_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.bc"
    path.write_bytes(b"old")

    def refuse(_temporary: str, _target: str) -> None:
        raise OSError("no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file.bc"]


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "file.bc", b"")


@posix
def test_permissions(tmp_path: Path) -> None:
    old, new, plain = tmp_path / "old", tmp_path / "new", tmp_path / "plain"
    old.write_bytes(b"")
    old.chmod(0o640)
    plain.write_bytes(b"")
    write_whole(old, b"1")
    write_whole(new, b"1")
    assert old.stat().st_mode & 0o7777 == 0o640
    assert new.stat().st_mode == plain.stat().st_mode


@posix
def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="no /dev/null")
def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole("/dev/null", b"gone")
    assert Path("/dev/null").is_char_device()


def test_reading(tmp_path: Path) -> None:
    for content in (b"", b"x", bytes(100_000)):
        (tmp_path / "file").write_bytes(content)
        assert read_file(tmp_path / "file") == content
        assert read_file(tmp_path / "file").readonly


IMPOSSIBLE = ["a\0b", "\ud800"]
OPENERS: list[Callable[[str], object]] = [
    read_file,
    bitcodec.open,
    bitcodec.open_all,
    bitstream.open,
    mir.open,
    decode_file,
    lambda path: bitcodec.save(bitcodec.open(HELLO), path),
    lambda path: bitstream.open(HELLO).save(path),
    lambda path: bitstream.open(HELLO).edit().save(path),
    lambda path: mir.save(mir.loads(""), path),
    lambda path: write_whole(path, b""),
]


@pytest.mark.parametrize("name", IMPOSSIBLE)
@pytest.mark.parametrize("use", OPENERS)
def test_names_that_no_file_can_have(use: Callable[[str], object], name: str) -> None:
    with pytest.raises(OSError, match="no file can have this name") as caught:
        use(name)
    assert caught.value.filename == name


@pytest.mark.parametrize("use", OPENERS)
def test_names_that_are_too_long(use: Callable[[str], object]) -> None:
    with pytest.raises(OSError, match="too long"):
        use("x" * 5000)


@posix
def test_a_link_whose_target_does_not_exist_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("target")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@posix
def test_a_link_to_itself(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("link")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(link, b"new")


@posix
@pytest.mark.parametrize("existing", ["file", "nothing", "folder", "device"])
def test_a_link_that_is_not_followed_is_replaced(existing: str, tmp_path: Path) -> None:
    target = {"device": Path("/dev/null")}.get(existing, tmp_path / "target")
    if existing == "file":
        target.write_bytes(b"precious")
    elif existing == "folder":
        target.mkdir()
    link = tmp_path / "link"
    link.symlink_to(target)
    write_whole(link, b"new", follow_links=False)
    assert not link.is_symlink()
    assert link.read_bytes() == b"new"
    assert existing != "file" or target.read_bytes() == b"precious"
    assert existing != "nothing" or not target.exists()
    assert existing != "folder" or names(target) == []


@posix
def test_a_pipe_that_has_the_name_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    write_whole(path, b"new", follow_links=False)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["", "missing/", "here/"])
def test_names_of_folders(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(name, b"")
    assert names(tmp_path) == ["here"]


def test_a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_errors_name_the_file_and_not_the_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "file"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(path, b"")
    assert caught.value.filename == str(path)


def test_unfinished_files_are_removed_by_who_is_about_to_end(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        assert len(names(tmp_path)) == 1
        remove_unfinished()
        assert names(tmp_path) == []

    with pytest.raises(FileNotFoundError):
        write_pieces(tmp_path / "file", pieces())
    assert names(tmp_path) == []


def test_files_are_mapped_on_request(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(100_000))
    assert isinstance(read_file(path).obj, bytes)
    assert isinstance(read_file(path, mmap=True).obj, mmap.mmap)
    assert read_file(path, mmap=True) == bytes(100_000)
    path.write_bytes(b"")
    assert read_file(path, mmap=True) == b""


def test_modules_and_streams_of_mapped_files() -> None:
    assert str(bitcodec.open(HELLO, mmap=True)) == str(bitcodec.open(HELLO))
    assert [module.identifier for module in bitcodec.open_all(HELLO, mmap=True)] == [HELLO]
    assert bitstream.open(HELLO, mmap=True).data == bitstream.open(HELLO).data


def test_a_file_larger_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(10 << 30)
    for use in (read_file, bitstream.open, mir.open):
        with pytest.raises(OSError, match="File too large: more than 4,294,967,296 bytes") as caught:
            use(path)  # type: ignore[operator]
        assert caught.value.filename == str(path)


def test_heads_are_checked_before_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(3 << 30)
    tracemalloc.start()
    try:
        for use in (bitcodec.open, bitcodec.open_all):
            with pytest.raises(BitcodecError, match="no bitcode"):
                use(path)
        with pytest.raises(BitcodecError, match="no ELF file"):
            decode_file(path)
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="no /dev/zero")
def test_devices_without_an_end() -> None:
    with pytest.raises(BitcodecError, match="no bitcode"):
        bitcodec.open("/dev/zero")
    tracemalloc.start()
    try:
        with pytest.raises(OSError, match="File too large"):
            read_file("/dev/zero", limit=8 << 20)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_the_head_of_what_comes_in_small_pieces() -> None:
    heads: list[bytes] = []
    data = bytes(range(256)) * 1000
    pieces = iter([data[:100], data[100:70_000], data[70_000:], b""])

    class Pipe:
        def read(self, _size: int) -> bytes:
            return next(pieces)

    assert read_stream(Pipe(), check_head=heads.append) == data
    assert heads == [data[: 1 << 16]]

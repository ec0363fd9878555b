"""Files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bitcodec.files import read_file, write_whole


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


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_permissions(tmp_path: Path) -> None:
    old, new, plain = tmp_path / "old", tmp_path / "new", tmp_path / "plain"
    old.write_bytes(b"")
    old.chmod(0o640)
    plain.write_bytes(b"")
    write_whole(old, b"1")
    write_whole(new, b"1")
    assert old.stat().st_mode & 0o7777 == 0o640
    assert new.stat().st_mode == plain.stat().st_mode


@pytest.mark.skipif(os.name != "posix", reason="links and pipes as POSIX has them")
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

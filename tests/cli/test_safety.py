"""Nothing is overwritten unasked, and what is in a file forges no line of ours."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bits import Bits, wrapped
from corpus import FOLDER, needs_corpus

from .running import BITCODEC, fail, run, succeed

posix = pytest.mark.skipif(os.name != "posix", reason="links and pipes as POSIX has them")


def test_extract_leaves_its_own_input_alone(small: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.bc").write_bytes(wrapped(small))
    assert "there is such a file already" in fail("extract", "a.bc", "-o", ".")
    assert Path("a.bc").read_bytes() == wrapped(small)
    succeed("extract", "a.bc", "-o", ".", "--force")
    assert Path("a.bc").read_bytes() == small


def test_extract_wants_to_be_told_where(small_file: Path) -> None:
    assert run("extract", small_file).exit_code == 2
    assert run("extract", small_file, "-o", "-").exit_code == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["info"], ["info", "--json"], ["analyze"], ["extract", "--list"]], ids=" ".join)
def test_a_full_device_is_no_traceback(arguments: list[str], small_file: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*BITCODEC, *arguments, small_file], stdout=full, stderr=subprocess.PIPE, check=False)
    assert b"Traceback" not in done.stderr


def test_names_of_symbols_forge_no_lines(tmp_path: Path) -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2])
    bits.enter_block(17).unabbreviated(1, [1]).unabbreviated(7, [8]).end_block()  # INTEGER
    bits.unabbreviated(7, [0, 12, 0, 3, 0, 0, 0, 0]).end_block()  # GLOBALVAR
    bits.enter_block(23).define(1, "blob").abbreviated(4, [1, "blob"], [1], b"a\n    U b\x1b[1m").end_block()
    (tmp_path / "a.bc").write_bytes(bits.stream())
    text = succeed("info", "--symbols", tmp_path / "a.bc").decode()
    assert "\x1b" not in text
    assert "    U b" not in text.splitlines()


def test_names_of_files_forge_no_lines(tmp_path: Path) -> None:
    fail("info", tmp_path / "a\nb")


@needs_corpus
def test_a_combined_index_is_not_said_to_be_old() -> None:
    assert "3.7 or older" not in succeed("info", FOLDER / "containers" / "index-22.thinlto.bc").decode()


@needs_corpus
def test_objects_extracted_into_one_folder_do_not_meet(tmp_path: Path) -> None:
    for name in ("embed-elf-14.o", "embed-elf-22.o"):
        shutil.copy(FOLDER / "containers" / name, tmp_path)
        succeed("extract", tmp_path / name, "-o", tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 2


@posix
@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("target", ["nowhere", "precious", "folder"])
def test_extract_follows_no_link(target: str, force: list[str], small_file: Path, small: bytes, tmp_path: Path) -> None:
    outside, out = tmp_path / "outside", tmp_path / "out"
    (outside / "folder").mkdir(parents=True)
    (outside / "precious").write_bytes(b"precious")
    out.mkdir()
    link = out / "small.bc"
    link.symlink_to(outside / target)
    before = sorted(outside.rglob("*"))
    if force:
        succeed("extract", small_file, "-o", out, *force)
        assert (link.is_symlink(), link.read_bytes()) == (False, small)
    else:
        assert "there is such a file already" in fail("extract", small_file, "-o", out)
        assert link.is_symlink()
    assert sorted(outside.rglob("*")) == before
    assert (outside / "precious").read_bytes() == b"precious"


@posix
def test_extract_opens_no_pipe(small_file: Path, small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "out" / "small.bc"
    path.parent.mkdir()
    os.mkfifo(path)
    fail("extract", small_file, "-o", path.parent)
    succeed("extract", small_file, "-o", path.parent, "--force")
    assert path.read_bytes() == small


@posix
def test_a_folder_that_the_user_gives_may_be_a_link(small_file: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    succeed("extract", small_file, "-o", tmp_path / "link")
    assert (tmp_path / "real" / "small.bc").is_file()


@posix
@pytest.mark.parametrize("target", ["nowhere", "precious"])
def test_other_commands_follow_links_that_the_user_gives(target: str, small_file: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"old")
    (tmp_path / "link").symlink_to(target)
    succeed("wrap", small_file, "-o", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / target).read_bytes() == succeed("wrap", small_file, "-o", "-")

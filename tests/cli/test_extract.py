"""`extract`: bitstreams out of objects and archives, modules out of files that hold several."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from corpus import FOLDER, File, accepted_streams, needs_corpus, parameters

from .documents import document
from .running import fail, llvm_process, succeed

SEVERAL = [file for file in accepted_streams() if isinstance(file.goldens.get("ll"), list)]
WRAPPER = b"\xde\xc0\x17\x0b"


def entries(kind: str) -> list[Any]:
    """Return the corpus's files of a kind that hold something, as parameters."""
    if not FOLDER.is_dir():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no corpus at {FOLDER}"))]
    files = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
    wanted = [
        file for file in files if file["kind"] == kind and any(member["size"] for member in file.get("members") or ())
    ]
    return [pytest.param(file, id=file["file"]) for file in wanted]


def extract(path: Path, folder: Path) -> list[dict[str, Any]]:
    """Extract a file; return what is said of each output, after a look whether it is there."""
    pieces = list(document(succeed("extract", path, "-o", folder, "--json"))["streams"])
    assert sorted(Path(piece["output"]) for piece in pieces) == sorted(folder.iterdir())
    assert [Path(piece["output"]).stat().st_size for piece in pieces] == [piece["bytes"] for piece in pieces]
    return pieces


def unwrapped(data: bytes) -> bytes:
    if not data.startswith(WRAPPER):
        return data
    offset, size = (int.from_bytes(data[start : start + 4], "little") for start in (8, 12))
    return data[offset : offset + size]


@pytest.mark.parametrize("entry", entries("embedded-object"))
def test_sections_of_objects(entry: dict[str, Any], tmp_path: Path) -> None:
    data = (FOLDER / entry["file"]).read_bytes()
    pieces = extract(FOLDER / entry["file"], tmp_path / "out")
    together = b"".join(Path(piece["output"]).read_bytes() for piece in pieces)
    (member,) = entry["members"]
    start = data.index(WRAPPER) if WRAPPER in data else data.index(together)
    section = data[start : start + member["size"]]
    assert sha256(section).hexdigest() == member["sha256"]
    assert together == unwrapped(section)
    if "section" in member:
        assert all(piece["member"].startswith(member["section"]) for piece in pieces)


@pytest.mark.parametrize("entry", entries("archive"))
def test_members_of_archives(entry: dict[str, Any], tmp_path: Path) -> None:
    archive = tmp_path / "in" / Path(entry["file"]).name
    archive.parent.mkdir()
    shutil.copy(FOLDER / entry["file"], archive)
    data = archive.read_bytes()
    if data.startswith(b"!<thin>"):
        extract(FOLDER / "containers" / "lib-gnu.a", archive.parent / "beside")
        for piece in (archive.parent / "beside").iterdir():
            piece.rename(archive.parent / piece.name)
        contents = [(archive.parent / member["name"]).read_bytes() for member in entry["members"]]
    else:
        contents = [data[member["offset"] : member["offset"] + member["size"]] for member in entry["members"]]
    assert [sha256(content).hexdigest() for content in contents] == [member["sha256"] for member in entry["members"]]
    pieces = extract(archive, tmp_path / "out")
    for piece, content in zip(pieces, contents, strict=True):
        output = Path(piece["output"]).read_bytes()
        assert output == unwrapped(content) or (content.startswith(b"\x7fELF") and output in content)


@pytest.mark.parametrize("entry", [*entries("embedded-object"), *entries("archive")])
def test_llvm_reads_what_comes_out_live(entry: dict[str, Any], tmp_path: Path) -> None:
    if Path(entry["file"]).name == "lib-thin.a":
        extract(FOLDER / "containers" / "lib-gnu.a", tmp_path)
        shutil.copy(FOLDER / entry["file"], tmp_path)
        pieces = extract(tmp_path / "lib-thin.a", tmp_path / "out")
    else:
        pieces = extract(FOLDER / entry["file"], tmp_path / "out")
    for piece in pieces:
        tool = "llvm-dis" if piece["kind"] == "LLVM IR" else "llvm-bcanalyzer"
        options = ["-o", os.devnull] if tool == "llvm-dis" else []
        assert llvm_process(tool, piece["output"], *options, keeps="digest").returncode == 0


@pytest.mark.parametrize("file", parameters(SEVERAL))
def test_modules_of_one_file_live(file: File, tmp_path: Path) -> None:
    pieces = extract(FOLDER / file.path, tmp_path / "out")
    goldens = [gzip.decompress((FOLDER / golden["file"]).read_bytes()) for golden in file.goldens["ll"]]
    assert [sha256(golden).hexdigest() for golden in goldens] == [golden["sha256"] for golden in file.goldens["ll"]]
    assert len(pieces) == len(goldens)
    assert [piece["module"] for piece in pieces] == list(range(1, len(goldens) + 1))
    for number, (piece, golden) in enumerate(zip(pieces, goldens, strict=True), 1):
        assert Path(piece["output"]).name == f"{Path(file.name).stem}.{number}.bc"
        alone = Path(piece["output"]).rename(tmp_path / file.name)  # the text tells the name
        done = llvm_process("llvm-dis", alone.name, "-o", "-", folder=tmp_path, keeps="digest")
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == golden


@pytest.mark.parametrize("file", parameters([file for file in accepted_streams() if file.kind == "wrapper"][::4]))
def test_wrappers_come_off(file: File, tmp_path: Path) -> None:
    (piece,) = extract(FOLDER / file.path, tmp_path / "out")
    assert Path(piece["output"]).read_bytes() == unwrapped(file.data)


@pytest.mark.parametrize(
    "file", parameters([file for file in accepted_streams() if file.kind in {"pch", "diagnostics", "remarks"}][::3])
)
def test_other_streams_keep_their_suffix(file: File, tmp_path: Path) -> None:
    (piece,) = extract(FOLDER / file.path, tmp_path / "out")
    suffix = {"pch": ".pch", "diagnostics": ".dia", "remarks": ".opt.bitstream"}[file.kind]
    assert Path(piece["output"]).name.endswith(suffix)
    assert Path(piece["output"]).read_bytes() == file.data


@needs_corpus
def test_an_empty_section_says_what_to_do() -> None:
    assert "recompile with -fembed-bitcode" in fail("extract", FOLDER / "containers" / "embed-marker.o", "--list")


@needs_corpus
def test_a_thin_archive_without_its_members() -> None:
    assert "a22.bc is named by a thin archive but cannot be read" in fail(
        "extract", FOLDER / "containers" / "lib-thin.a", "--list"
    )


def test_list_writes_nothing(small_file: Path, tmp_path: Path) -> None:
    text = succeed("extract", small_file, "--list", "-o", tmp_path / "out").decode()
    assert text == f"{tmp_path / 'out' / 'small.bc'}  16 bytes, LLVM IR, from {small_file}\n"
    assert not (tmp_path / "out").exists()


def test_standard_input(small: bytes, tmp_path: Path) -> None:
    succeed("extract", "-", "-o", tmp_path / "out", stdin=small)
    assert (tmp_path / "out" / "stdin.bc").read_bytes() == small

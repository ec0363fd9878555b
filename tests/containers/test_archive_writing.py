"""Archives with other contents for members: readable by `llvm-ar`, with tables of symbols that are right."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import bitcodec
from bitcodec.containers import open_streams, replace_members
from bitcodec.errors import ContainerError

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "tests/data/lib-gnu.a"
BITCODE = [ROOT / "examples/hello.bc", ROOT / "examples/queue.bc", ROOT / "examples/shapes/shapes.bc"]
needs_tools = pytest.mark.skipif(
    shutil.which("llvm-ar-22") is None or shutil.which("llvm-nm-22") is None, reason="needs llvm-ar-22 and llvm-nm-22"
)


def test_the_same_contents_make_the_same_archive() -> None:
    data = LIBRARY.read_bytes()
    streams = [found for found in open_streams(memoryview(data)) if found.offset is not None]
    contents = {found.offset: bytes(found.stream.data) for found in streams if found.offset is not None}
    assert replace_members(data, contents) == data
    assert replace_members(data, {}) == data


def run(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@needs_tools
@pytest.mark.parametrize("form", ["gnu", "bsd", "darwin", "coff"])
def test_other_sizes(tmp_path: Path, form: str) -> None:
    path = tmp_path / "lib.a"
    long = tmp_path / "a_name_that_is_too_long_for_the_header.bc"
    shutil.copy(BITCODE[2], long)
    run("llvm-ar-22", f"--format={form}", "rcs", path, *BITCODE[:2], long)
    before = run("llvm-nm-22", "--print-armap", path)
    data = path.read_bytes()
    found = {one.path: one for one in open_streams(memoryview(data))}
    module = bitcodec.open(BITCODE[0])
    for _ in range(7):
        module.add_string("longer")
    new = bitcodec.dumps(module)
    offset = found["hello.bc"].offset
    assert offset is not None
    path.write_bytes(replace_members(data, {offset: new}))
    assert run("llvm-nm-22", "--print-armap", path).partition("\n\n")[0] == before.partition("\n\n")[0]
    run("llvm-ar-22", "x", "--output", tmp_path, path)
    assert (tmp_path / "hello.bc").read_bytes().startswith(new)
    assert (tmp_path / "queue.bc").read_bytes().startswith(BITCODE[1].read_bytes())
    assert long.read_bytes().startswith(BITCODE[2].read_bytes())
    assert [one.path for one in open_streams(memoryview(path.read_bytes()))] == list(found)


def test_a_place_that_is_no_member() -> None:
    with pytest.raises(ContainerError, match="no member of the archive has its content at byte 9"):
        replace_members(LIBRARY.read_bytes(), {9: b"new"})


def test_a_malformed_table() -> None:
    data = b"!<arch>\n" + b"/".ljust(48) + b"4".ljust(10) + b"`\n" + b"\xff\xff\xff\xff"
    with pytest.raises(ContainerError, match="table of symbols"):
        replace_members(data, {})

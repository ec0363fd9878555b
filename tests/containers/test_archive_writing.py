"""Archives with other contents for members: readable by `llvm-ar`, with tables of symbols that are right."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import bitcodec
from answers import Digest, ask
from bitcodec.containers import open_streams, replace_members
from bitcodec.errors import ContainerError

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "tests/data/lib-gnu.a"
BITCODE = [ROOT / "examples/hello.bc", ROOT / "examples/queue.bc", ROOT / "examples/shapes/shapes.bc"]


def test_the_same_contents_make_the_same_archive() -> None:
    data = LIBRARY.read_bytes()
    streams = [found for found in open_streams(memoryview(data)) if found.offset is not None]
    contents = {found.offset: bytes(found.stream.data) for found in streams if found.offset is not None}
    assert replace_members(data, contents) == data
    assert replace_members(data, {}) == data


def symbols_of(path: Path) -> str:
    """Return what `llvm-nm` prints of the table of symbols of an archive."""
    done = ask(["llvm-nm-22", "--print-armap", path], text=True, check=True)
    assert isinstance(done.stdout, str)
    return done.stdout.partition("\n\n")[0]


def member(path: Path, name: str) -> bytes | Digest:
    """Return the content of a member, as `llvm-ar` prints it."""
    done = ask(["llvm-ar-22", "p", path, name], cwd=path.parent, check=True, keeps="digest")
    found: bytes | Digest = done.stdout
    return found


def with_padding(content: bytes) -> tuple[bytes, bytes]:
    """Return the content of a member, and the same as archives of Darwin may have it."""
    return content, content + b"\n" * (-len(content) % 8)


@pytest.mark.parametrize("form", ["gnu", "bsd", "darwin", "coff", "gnu of 64 bits", "darwin of 64 bits"])
def test_other_sizes(tmp_path: Path, form: str) -> None:
    path = tmp_path / "lib.a"
    long = tmp_path / "a_name_that_is_too_long_for_the_header.bc"
    shutil.copy(BITCODE[2], long)
    form, _, wide = form.partition(" ")
    environment = {"SYM64_THRESHOLD": "1"} if wide else None  # tables of 64 bits, as for archives of 4 GB
    command = ["llvm-ar-22", f"--format={form}", "rcs", path, *BITCODE[:2], long]
    ask(command, environment=environment, check=True, writes=path)
    before = symbols_of(path)
    data = path.read_bytes()
    found = {one.path: one for one in open_streams(memoryview(data))}
    module = bitcodec.open(BITCODE[0])
    for _ in range(7):
        module.add_string("longer")
    new = bitcodec.dumps(module)
    offset = found["hello.bc"].offset
    assert offset is not None
    path.write_bytes(replace_members(data, {offset: new}))
    assert symbols_of(path) == before
    long.rename(tmp_path / "other.bc")
    assert member(path, "hello.bc") in with_padding(new)
    assert member(path, "queue.bc") in with_padding(BITCODE[1].read_bytes())
    assert member(path, long.name) in with_padding(BITCODE[2].read_bytes())
    assert [one.path for one in open_streams(memoryview(path.read_bytes()))] == list(found)


def test_a_place_that_is_no_member() -> None:
    with pytest.raises(ContainerError, match="no member of the archive has its content at byte 9"):
        replace_members(LIBRARY.read_bytes(), {11: b"new", 9: b"new"})


def test_a_malformed_table() -> None:
    data = b"!<arch>\n" + b"/".ljust(48) + b"4".ljust(10) + b"`\n" + b"\xff\xff\xff\xff"
    with pytest.raises(ContainerError, match="table of symbols"):
        replace_members(data, {})

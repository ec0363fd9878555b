"""Bitstreams replaced in archives, in sections of ELF objects, in a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import ask
from bitcodec.containers import open_streams, replace_streams
from bitcodec.containers.elf_headers import ElfHeader
from bitcodec.errors import ContainerError

from .builders import gnu_archive

ROOT = Path(__file__).parents[2]
OBJECT = (ROOT / "tests/data/embed-elf-22.o").read_bytes()
SMALL, LARGE = ((ROOT / "examples" / name).read_bytes() for name in ("hello.bc", "queue.bc"))


def streams(data: bytes) -> dict[int, bytes]:
    found = open_streams(memoryview(data))
    return {each.offset: bytes(each.stream.data) for each in found if each.offset is not None}


@pytest.mark.parametrize(
    "data", [OBJECT, gnu_archive(("a.o", OBJECT), ("b.o", SMALL), ("c.o", OBJECT + b"x")), SMALL + LARGE]
)
@pytest.mark.parametrize("new", [SMALL, LARGE * 2])
def test_streams_are_replaced(data: bytes, new: bytes) -> None:
    old = streams(data)
    assert streams(replace_streams(data, old)) == old
    changed = replace_streams(data, dict.fromkeys(old, new))
    assert [found.rstrip(b"\0") for found in streams(changed).values() if found] == [
        each.rstrip(b"\0") for each in [*streams(new).values()] * len(old)
    ]


def test_other_sections_stay(tmp_path: Path) -> None:
    shown = []
    for data in (OBJECT, replace_streams(OBJECT, dict.fromkeys(streams(OBJECT), LARGE))):
        path = tmp_path / "a.o"
        path.write_bytes(data)
        done = ask(["llvm-readelf-22", "-S", "-W", "-s", "-r", path], text=True, check=True)
        assert not done.stderr
        shown.append([line for line in done.stdout.splitlines() if ".llvmbc" not in line])
    assert shown[0] == shown[1]


def test_a_section_at_the_end_is_replaced_there() -> None:
    once = replace_streams(OBJECT, dict.fromkeys(streams(OBJECT), LARGE))
    twice = replace_streams(once, dict.fromkeys(streams(once), LARGE * 2))
    assert len(twice) - len(once) < len(LARGE) + 16


def test_an_impossible_alignment_is_refused() -> None:
    header = ElfHeader.of(memoryview(OBJECT))
    table = header.section_table(memoryview(OBJECT))
    assert table is not None
    (start,) = streams(OBJECT)
    row = next(number for number, fields in enumerate(table.rows(memoryview(OBJECT))) if fields[4] == start)
    data = bytearray(OBJECT)
    place = table.start + row * table.layout.size
    fields = table.layout.unpack_from(data, place)
    table.layout.pack_into(data, place, *fields[:8], 1 << 60, fields[9])
    with pytest.raises(ContainerError, match="alignment of"):
        replace_streams(data, {start: LARGE * 2})


@pytest.mark.parametrize("data", [OBJECT, gnu_archive(("a.o", SMALL)), SMALL])
def test_an_offset_without_a_bitstream(data: bytes) -> None:
    with pytest.raises(ContainerError, match="no bitstream begins at byte 9"):
        replace_streams(data, {9: b""})


def test_other_containers_are_refused() -> None:
    data = (ROOT / "tests/data/embed-macho.o").read_bytes()
    with pytest.raises(ContainerError, match=r"Mach-O object cannot be replaced.*llvm-objcopy"):
        replace_streams(data, streams(data))

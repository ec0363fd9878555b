"""Flags changed by copying: the same bytes as the stream editor writes, with less work."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.editing import flag_changes
from bitcodec.bitcode.editing.module_copy import copy_with_metadata
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitstream import DraftBlock, loads
from bitcodec.ir.construction.present import source_of
from corpus import FOLDER, needs_corpus

DATA = Path(__file__).parents[2] / "data"
QUEUE = Path(__file__).parents[3] / "examples" / "queue.bc"
SAMPLE = [*sorted(FOLDER.glob("modules/*.bc"))[::16], *sorted(FOLDER.glob("legacy/*.bc"))[::16]]
MODULE_BLOCK, METADATA_BLOCK = 8, 15
INDEX = 39


def set_level(data: bytes, level: int) -> bytes | None:
    module = bitcodec.loads(data)
    flag = next((key for key in ("PIC Level", "wchar_size") if key in module.flags), None)
    if flag is None:
        return None
    module.flags.set(flag, level)
    return flag_changes.replace_flags(module, loads(data))


def by_editor(data: bytes, level: int, monkeypatch: pytest.MonkeyPatch) -> bytes | None:
    with monkeypatch.context() as patched:
        patched.setattr(flag_changes, "copy_with_metadata", lambda *_: None)
        return set_level(data, level)


def wrapped(data: bytes) -> bytes:
    return bitcodec.bitstream.Wrapper(len(data)).encode() + data + bytes(-(20 + len(data)) % 16)


@pytest.mark.parametrize("path", [QUEUE, DATA / "control-O2-16.bc"], ids=lambda path: path.name)
@pytest.mark.parametrize("level", [1, 4, 8])
def test_bytes_are_those_of_the_editor(path: Path, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (path.read_bytes(), wrapped(path.read_bytes()), path.read_bytes() + bytes(4)):
        assert set_level(data, level) == by_editor(data, level, monkeypatch)


@needs_corpus
@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_bytes_of_the_corpus_are_those_of_the_editor(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    try:
        copied = set_level(data, 1)
    except bitcodec.BitcodecError:
        pytest.skip("cannot be read")
    assert copied == by_editor(data, 1, monkeypatch)


def test_wrong_index_and_offsets_are_corrected_as_by_the_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = loads(QUEUE.read_bytes()).edit()
    module = draft.block(MODULE_BLOCK)
    index = next(
        record
        for block in module.blocks
        if block.id == METADATA_BLOCK
        for record in block.records
        if record.code == INDEX
    )
    index.operands = tuple(1 for _ in index.operands)
    data = draft.dumps()
    changed = set_level(data, 1)
    assert changed is not None
    assert changed == by_editor(data, 1, monkeypatch)


def test_no_item_of_the_stream_becomes_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    items = DraftBlock.items.fget
    assert items is not None
    monkeypatch.setattr(DraftBlock, "items", property(lambda self: opened.append(self.id) or items(self)))
    assert set_level(QUEUE.read_bytes(), 1) is not None
    assert not opened


def test_a_file_without_changes_takes_no_memory_beside_its_copies() -> None:
    data = QUEUE.read_bytes()
    reader = source_of(bitcodec.loads(data))
    assert isinstance(reader, ModuleReader)
    assert copy_with_metadata(reader, {}, ()) == data
    tracemalloc.start()
    try:
        copy_with_metadata(reader, {}, ())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 * len(data) + 1_000_000

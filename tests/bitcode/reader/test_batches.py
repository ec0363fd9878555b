"""Bodies of a whole module are decoded together, with the same results and errors as one by one."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import bitcodec
from amounts import some
from bitcodec import BitcodecError
from bitcodec.bitcode.reader import batches, module
from bitcodec.bitcode.reader.field_reader import FieldReader
from bitcodec.ir.construction.deferring import read_for_moving
from bitcodec.ir.module import Module

DATA = Path(__file__).parents[2] / "data"
NAMES = ["control-O2-16", "exceptions-O2-19", "ir_metadata-22"]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bit offsets of the bodies that are decoded one by one."""
    offsets: list[int] = []
    decode = module.decode_body

    def decode_body(place: batches.BlockPlace) -> batches.Records:
        offsets.append(place.start)
        return decode(place)

    monkeypatch.setattr(module, "decode_body", decode_body)
    return offsets


def outcome(data: bytes, *, is_whole: bool) -> list[str]:
    """Return text or error of each function of a module."""
    loaded = bitcodec.loads(data)
    if is_whole:
        try:
            loaded.materialize()
        except BitcodecError as error:
            first = str(error)
            return [first]
    found = []
    for function in loaded.functions:
        try:
            found.append(str(function))
        except BitcodecError as error:
            found.append(str(error))
            if not is_whole:
                return [str(error)]
    return found


def body_count(loaded: Module) -> int:
    return sum(not function.is_declaration for function in loaded.functions)


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_module_decodes_no_body_alone(name: str, alone: list[int]) -> None:
    loaded = bitcodec.loads((DATA / f"{name}.bc").read_bytes())
    loaded.materialize()
    assert not alone


@pytest.mark.parametrize("name", NAMES)
def test_bodies_that_are_not_read_in_the_order_of_the_file_are_decoded_alone(name: str, alone: list[int]) -> None:
    loaded = bitcodec.loads((DATA / f"{name}.bc").read_bytes())
    for function in reversed(list(loaded.functions)):
        function.materialize()
    assert len(alone) == len(set(alone)) == body_count(loaded)


@pytest.mark.parametrize(("size", "most"), [(1 << 20, 16), (300, 16), (300, 1)])
@pytest.mark.parametrize("name", NAMES)
def test_bodies_that_move_to_another_module_are_decoded_in_batches_in_any_order(
    name: str, size: int, most: int, alone: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (DATA / f"{name}.bc").read_bytes()
    expected = str(bitcodec.loads(data))
    alone.clear()
    monkeypatch.setattr(batches, "_BATCH_BYTES", size)
    monkeypatch.setattr(batches, "_MAX_BATCHES", most)
    loaded = bitcodec.loads(data)
    order = list(loaded.functions)
    for function in (*order[1::2], *reversed(order[::2])):
        read_for_moving(function)
    assert len(alone) == len(set(alone))
    assert most == 1 or not alone
    assert str(loaded) == expected


@pytest.mark.parametrize("size", [1, 300, 1 << 20])
@pytest.mark.parametrize("name", NAMES)
def test_of_bodies_that_are_read_in_the_order_of_the_file_the_first_is_decoded_alone(
    name: str, size: int, alone: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (DATA / f"{name}.bc").read_bytes()
    expected = str(bitcodec.loads(data))
    alone.clear()
    monkeypatch.setattr(batches, "_FIRST_BATCH_BYTES", size)
    loaded = bitcodec.loads(data)
    for function in loaded.functions:
        function.materialize()
    assert len(alone) == 1
    assert str(loaded) == expected


@pytest.mark.parametrize("size", [1, 300, 1 << 20])
@pytest.mark.parametrize("name", NAMES)
def test_the_size_of_batches_does_not_matter(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (DATA / f"{name}.bc").read_bytes()
    expected = outcome(data, is_whole=False)
    monkeypatch.setattr(batches, "_BATCH_BYTES", size)
    assert outcome(data, is_whole=True) == expected


def test_a_batch_with_a_malformed_body_is_decoded_one_by_one(alone: list[int]) -> None:
    """Bytes of a module are inverted: the error is the same as without batches."""
    data = (DATA / "control-O2-16.bc").read_bytes()
    decoded_alone = 0
    for byte in some(range(0, len(data), 61), 30):
        damaged = data[:byte] + bytes([data[byte] ^ 0xFF]) + data[byte + 1 :]
        try:
            bitcodec.loads(damaged)
        except BitcodecError:
            continue
        alone.clear()
        whole = outcome(damaged, is_whole=True)
        decoded_alone += bool(alone)
        if len(whole) == 1:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(batches.BodyBatch, "prepare", lambda *_: None)
                patch.setattr(batches.BodyBatch, "prepare_in_order", lambda *_: None)
                assert outcome(damaged, is_whole=True) == whole
    assert decoded_alone


def readers() -> list[FieldReader]:
    """Return all that there are: modules of other tests may have some."""
    return [found for found in gc.get_objects() if isinstance(found, FieldReader)]


def test_no_reader_is_left_behind() -> None:
    """Readers of fields hold columns: they go at once, and not when cycles are collected."""
    gc.collect()
    gc.disable()
    try:
        before = readers()
        loaded = bitcodec.loads((DATA / "ir_metadata-22.bc").read_bytes())
        loaded.materialize()
        gc.disable()
        assert {*map(id, readers())} <= {*map(id, before)}
    finally:
        gc.enable()

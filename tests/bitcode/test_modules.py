"""The modules of a file: which blocks make up each, and each taken out alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.modules import ModuleBlocks, modules_of, single_module
from bitcodec.errors import BitstreamError
from bits import Bits
from corpus import FOLDER, accepted_streams, needs_corpus

IDENTIFICATION, MODULE, STRTAB, SYMTAB = 13, 8, 23, 25


def stream_of(*block_ids: int) -> bitstream.Bitstream:
    """Return a stream of blocks that each hold one record, their number."""
    bits = Bits()
    for number, block_id in enumerate(block_ids):
        bits.enter_block(block_id).unabbreviated(1, [number]).end_block()
    return bitstream.loads(bits.stream())


def numbers(module: ModuleBlocks) -> list[int | None]:
    """Return the numbers of a module's blocks: identification, module, symbol table, string table."""
    blocks = (module.identification, module.module, module.symtab, module.strtab)
    return [block.records[0].operands[0] if block else None for block in blocks]


@pytest.mark.parametrize(
    ("block_ids", "modules"),
    [
        ([], []),
        ([MODULE], [[None, 0, None, None]]),
        ([IDENTIFICATION, MODULE], [[0, 1, None, None]]),
        ([IDENTIFICATION, MODULE, STRTAB], [[0, 1, None, 2]]),
        ([IDENTIFICATION, MODULE, STRTAB, SYMTAB, STRTAB], [[0, 1, None, 2]]),
        ([IDENTIFICATION, MODULE, SYMTAB, STRTAB], [[0, 1, 2, 3]]),
        ([IDENTIFICATION, MODULE, STRTAB, IDENTIFICATION, MODULE, STRTAB], [[0, 1, None, 2], [3, 4, None, 5]]),
        ([IDENTIFICATION, MODULE, IDENTIFICATION, MODULE, STRTAB], [[0, 1, None, 4], [2, 3, None, 4]]),
        ([MODULE, MODULE, SYMTAB, STRTAB], [[None, 0, None, 3], [None, 1, None, 3]]),
        ([IDENTIFICATION, 99, MODULE], [[None, 2, None, None]]),
        ([STRTAB, SYMTAB], []),
    ],
)
def test_which_blocks_belong_together(block_ids: list[int], modules: list[list[int | None]]) -> None:
    assert [numbers(module) for module in modules_of(stream_of(*block_ids))] == modules


def test_a_module_alone_is_its_blocks_bit_for_bit() -> None:
    stream = stream_of(IDENTIFICATION, MODULE, IDENTIFICATION, MODULE, STRTAB)
    second = single_module(stream, modules_of(stream)[1])
    body = 16 - 4
    assert second == stream.magic + bytes(stream.payload[4 + 2 * body :])


def test_a_file_of_one_module_alone_is_the_file() -> None:
    stream = stream_of(IDENTIFICATION, MODULE, SYMTAB, STRTAB)
    (module,) = modules_of(stream)
    assert single_module(stream, module) == bytes(stream.payload)


def test_a_wrapper_is_left_behind() -> None:
    payload = bytes(stream_of(IDENTIFICATION, MODULE, STRTAB).payload)
    wrapped = bitstream.Wrapper(len(payload), offset=24).encode() + b"gap." + payload
    stream = bitstream.loads(wrapped)
    assert [single_module(stream, module) for module in modules_of(stream)] == [payload]


def test_a_malformed_top_level_is_refused() -> None:
    data = Bits().enter_block(MODULE).end_block(words=100).stream()
    with pytest.raises(BitstreamError) as caught:
        modules_of(bitstream.loads(data))
    assert caught.value.bit_offset == 32


@needs_corpus
@pytest.mark.parametrize("release", [14, 16, 19, 22])
def test_llvm_cat_leaves_each_module_its_own_tables_or_one_for_all(release: int) -> None:
    for form, shared in (("binary", False), ("cat", True)):
        stream = bitstream.open(FOLDER / "containers" / f"multi-{form}-{release}.bc")
        first, second = modules_of(stream)
        assert first.strtab is not None
        assert second.strtab is not None
        assert (first.strtab.start == second.strtab.start) == shared


@needs_corpus
def test_modules_are_told_apart_as_the_manifest_does() -> None:
    counts: dict[str, Any] = {
        entry["file"]: len(entry["goldens"]["ll"]) if isinstance(entry["goldens"]["ll"], list) else 1
        for entry in json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
        if "ll" in entry.get("goldens", {})
    }
    found = {path: len(modules_of(bitstream.open(FOLDER / path))) for path in counts}
    assert found == counts
    assert sum(count > 1 for count in counts.values()) > 5
    assert Path(FOLDER / "modules").is_dir()
    assert counts.keys() <= {file.path for file in accepted_streams()} | {"containers/trailing-zeros.bc"}

"""Flags changed in files of any LLVM: all else stays, and LLVM reads what results."""

from __future__ import annotations

import collections
import hashlib
import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import recall
from answers.tools import path_of
from bitcodec import bitcode
from bitcodec.bitcode.editing.flag_changes import replace_flags
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitstream import loads
from bitcodec.flags import set_flag
from bitcodec.ir import Module
from corpus import FOLDER, needs_corpus

DATA = Path(__file__).parents[2] / "data"
QUEUE = Path(__file__).parents[3] / "examples" / "queue.bc"
FILES = [*sorted(FOLDER.glob("modules/*.bc")), *sorted(FOLDER.glob("legacy/*.bc"))]
FUNCTION_BLOCK, MODULE_BLOCK, IDENTIFICATION_BLOCK = 12, 8, 13
LEAST = {"wchar_size": 0.93, "PIC Level": 0.95, "removed": 0.99}
"""How many files have what it takes to say these flags otherwise; the rest would be written anew."""


def blocks(data: bytes, block_id: int) -> list[bytes]:
    stream = loads(data)
    found = [inner for block in stream.blocks if block.id == MODULE_BLOCK for inner in (block, *block.blocks)]
    return [data[b.start // 8 : b.end // 8] for b in (*found, *stream.blocks) if b.id == block_id]


def changed(path: Path, module: Module) -> bytes | None:
    return replace_flags(module, bitcodec.bitstream.open(path))


def flags_of(data: bytes) -> dict[str, tuple[int, str]]:
    return {key: (flag.behavior, str(flag.value)) for key, flag in bitcodec.loads(data).flags.items()}


@pytest.mark.parametrize("path", [QUEUE, DATA / "control-O2-16.bc"], ids=lambda path: path.name)
def test_only_the_flag_is_another(path: Path) -> None:
    module = bitcodec.open(path)
    module.flags.set("PIC Level", 1)
    data = changed(path, module)
    assert data is not None
    before, original = flags_of(path.read_bytes()), path.read_bytes()
    assert flags_of(data) == {**before, "PIC Level": (before["PIC Level"][0], "i32 1")}
    for block_id in (FUNCTION_BLOCK, IDENTIFICATION_BLOCK):
        assert blocks(data, block_id) == blocks(original, block_id)
    assert len(data) == len(original)


def test_what_reading_brings_up_to_date_is_not_written() -> None:
    path = DATA / "control-O2-16.bc"
    module = bitcodec.open(path)
    flags = module.flags
    flags.remove("uwtable")
    data = changed(path, module)
    assert data is not None
    assert list(flags_of(data)) == [key for key in flags_of(path.read_bytes()) if key != "uwtable"]
    assert bitcodec.loads(data).producer == module.producer


def test_the_file_may_lack_what_it_takes() -> None:
    for key, value in (("wchar_size", 77), ("new flag", 1)):
        module = bitcodec.open(QUEUE)
        set_flag(module, key, value)
        assert changed(QUEUE, module) is None


@pytest.mark.parametrize("place", [2, 3], ids=["scope", "inlined at"])
def test_a_flag_that_a_location_refers_to_stays(place: int, tmp_path: Path) -> None:
    draft = bitcodec.bitstream.open(QUEUE).edit()
    (module,) = (block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK)
    (metadata,) = (block for block in module.blocks if block.id == BlockId.METADATA_BLOCK)
    names = [tuple(each.operands) for each in metadata.records]
    flags = names[names.index(tuple(b"llvm.module.flags")) + 1]
    body = next(block for block in module.blocks if block.id == BlockId.FUNCTION_BLOCK)
    location = next(each for each in body.records if each.code == FunctionCode.DEBUG_LOC)
    keys = list(bitcodec.open(QUEUE).flags)
    operands = list(location.operands)
    operands[place] = flags[keys.index("PIC Level")] + 1
    location.operands = tuple(operands)
    path = tmp_path / "a.bc"
    path.write_bytes(bitcode.dumps(draft))
    for key, is_possible in (("PIC Level", False), ("uwtable", True)):
        read = bitcodec.open(path)
        read.flags.set(key, 1)
        assert (changed(path, read) is not None) is is_possible


def test_a_module_that_was_read_to_the_end_has_no_file() -> None:
    module = bitcodec.open(QUEUE)
    module.materialize()
    assert changed(QUEUE, module) is None


@needs_corpus
def test_files_of_all_versions(tmp_path: Path) -> None:
    tried, done = collections.Counter[str](), collections.Counter[str]()
    written = []
    for path in FILES:
        modules = bitcodec.open_all(path)
        if len(modules) > 1 or not modules[0].flags:
            continue
        for key, value in (("wchar_size", 2), ("PIC Level", 1), ("removed", None)):
            module = bitcodec.open(path)
            if value is None:
                module.flags.remove(next(iter(module.flags)))
            elif key not in module.flags or module.flags.integer(key) == value:
                continue
            else:
                module.flags.set(key, value)
            expected = {name: (flag.behavior, str(flag.value)) for name, flag in module.flags.items()}
            data = changed(path, module)
            tried[key] += 1
            if data is None:
                continue
            done[key] += 1
            assert {name: found[1] for name, found in flags_of(data).items()} == {
                name: found[1] for name, found in expected.items()
            }, path.name
            assert blocks(data, FUNCTION_BLOCK) == blocks(path.read_bytes(), FUNCTION_BLOCK), path.name
            written.append(tmp_path / f"{len(written)}.bc")
            written[-1].write_bytes(data)
    assert {key: done[key] / tried[key] >= least for key, least in LEAST.items()} == dict.fromkeys(LEAST, True)
    assert is_read_by_llvm(written[::5])


def is_read_by_llvm(paths: list[Path]) -> bool:
    """Return whether llvm-dis reads files."""
    digests = [hashlib.sha256(path.read_bytes()).digest() for path in paths]

    def compute() -> bool:
        return subprocess.run([str(path_of("llvm-dis-22")), *paths], check=False, capture_output=True).returncode == 0

    return bool(recall(["llvm-dis-22", b"".join(digests)], compute))

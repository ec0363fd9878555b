"""The table of symbols for linkers, byte for byte that of LLVM 22."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.assembling import assemble
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode

FOLDER = Path(__file__).parent / "irsymtab"
TEXTS = sorted(FOLDER.glob("*.ll"))
LLVM_AS, LTO, LLD = (shutil.which(f"{name}-22") for name in ("llvm-as", "llvm-lto2", "ld.lld"))
ELF = FOLDER / "elf.ll"


def blobs(data: bytes) -> tuple[bytes | None, bytes | None]:
    """Return the table of symbols and the string table of bitcode, in a wrapper or not."""
    found: dict[int, bytes] = {}
    for block in bitstream.loads(data).blocks:
        if block.id in (BlockId.SYMTAB_BLOCK, BlockId.STRTAB_BLOCK):
            found[block.id] = b"".join(bytes(record.blob or b"") for record in block.records)
    return found.get(BlockId.SYMTAB_BLOCK), found.get(BlockId.STRTAB_BLOCK)


def assembled(path: Path) -> bytes:
    return assemble(path.read_bytes(), path.name, "22")


def symbols(data: bytes) -> dict[str, int]:
    """Return the flags of symbols by their names."""
    table, strings = blobs(data)
    assert table is not None
    assert strings is not None
    start, count = struct.unpack_from("<2I", table, 28)
    rows = (struct.unpack_from("<6I", table, start + 24 * number) for number in range(count))
    return {strings[at : at + size].decode(): flags for at, size, _, _, _, flags in rows}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_it_is_that_of_llvm(path: Path) -> None:
    """The recorded tables are those of LLVM 22.1.8."""
    table, strings = blobs(assembled(path))
    recorded = path.with_suffix(".symtab")
    assert (table or b"").hex("\n", 24).splitlines() == recorded.read_text().splitlines()
    if table is not None:
        assert (strings or b"").decode() == path.with_suffix(".strtab").read_text()


@pytest.mark.skipif(LLVM_AS is None, reason="llvm-as-22 is not installed")
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_it_is_that_of_llvm_live(path: Path) -> None:
    command = [str(LLVM_AS), path.name, "-o", "-"]
    expected = subprocess.run(command, cwd=FOLDER, capture_output=True, check=True).stdout
    table, strings = blobs(expected)
    found = blobs(assembled(path))
    assert found[0] == table
    assert table is None or found[1] == strings


def test_every_change_is_in_it() -> None:
    data = assembled(ELF)
    for copies_unchanged in (True, False):
        module = bitcodec.loads(data)
        module.functions["c"].name = "other"
        module.flags.remove("Code Model")
        changed = symbols(bitcodec.dumps(module, copies_unchanged=copies_unchanged))
        assert "other" in changed
        assert "c" not in changed
        assert "_GLOBAL_OFFSET_TABLE_" not in changed
    assert "_GLOBAL_OFFSET_TABLE_" in symbols(data)


def test_an_unchanged_module_keeps_it() -> None:
    data = assembled(ELF)
    assert bitcodec.dumps(bitcodec.loads(data)) == data


def test_its_producer_is_the_llvm_22_that_wrote_the_file() -> None:
    draft = bitstream.loads(assembled(ELF)).edit()
    draft.block(BlockId.IDENTIFICATION_BLOCK).record(1).text = "LLVM22.1.3"
    module = bitcodec.loads(bitcode.dumps(draft))
    module.source_filename = "other.c"
    _, strings = blobs(bitcodec.dumps(module, copies_unchanged=False))
    assert b"22.1.3" in (strings or b"")


def test_modules_without_it() -> None:
    text = ELF.read_text()
    without_layout = "\n".join(line for line in text.splitlines() if "datalayout" not in line)
    for other in (without_layout, text + '\nmodule asm "nop"\n'):
        assert blobs(assemble(other.encode(), "x.ll", "22"))[0] is None
    module = bitcodec.loads(assembled(ELF))
    assert blobs(bitcodec.dumps(module, llvm_version=19))[0] is None


def test_a_changed_stream_has_none() -> None:
    draft = bitstream.loads(assembled(ELF)).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.TRIPLE).text = "i386-unknown-linux-gnu"
    assert blobs(bitcode.dumps(draft))[0] is None


@pytest.mark.skipif(LTO is None or LLD is None, reason="llvm-lto2-22 or ld.lld-22 is not installed")
@pytest.mark.parametrize("copies_unchanged", [True, False])
def test_lld_links_a_large_code_model_live(tmp_path: Path, copies_unchanged: bool) -> None:
    module = bitcodec.loads(assembled(FOLDER / "large.ll"))
    module.source_filename = "other.c"
    path = tmp_path / "large.bc"
    path.write_bytes(bitcodec.dumps(module, copies_unchanged=copies_unchanged))
    dumped = subprocess.run([str(LTO), "dump-symtab", path], capture_output=True, check=True, text=True).stdout
    assert "_GLOBAL_OFFSET_TABLE_" in dumped
    subprocess.run([str(LLD), "-shared", path, "-o", tmp_path / "large.so"], check=True)

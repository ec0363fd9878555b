"""The table of symbols for linkers, byte for byte that of LLVM 22."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import build, recall
from answers.tools import path_of
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.assembling import assemble
from bitcodec.bitcode.saving import NEWEST_VERSION, OLDEST_VERSION
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode

FOLDER = Path(__file__).parent / "irsymtab"
TEXTS = sorted(FOLDER.glob("*.ll"))
ELF = FOLDER / "elf.ll"
ASSEMBLY = '\nmodule asm ".globl made"\nmodule asm "made: nop"\n'


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
    def compute() -> list[str | None]:
        command = [str(path_of("llvm-as-22")), path.name, "-o", "-"]
        table, strings = blobs(subprocess.run(command, cwd=FOLDER, capture_output=True, check=True).stdout)
        return [None if table is None else table.hex(" ", 24), (strings or b"").decode()]

    theirs = recall(["llvm-as-22", path.name, path.read_text()], compute)
    table, strings = blobs(assembled(path))
    assert theirs[0] == (None if table is None else table.hex(" ", 24))
    assert table is None or theirs[1] == (strings or b"").decode()


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
    for other in (without_layout, text + ASSEMBLY):
        assert blobs(assemble(other.encode(), "x.ll", "22"))[0] is None


@pytest.mark.parametrize("version", range(OLDEST_VERSION, NEWEST_VERSION))
def test_files_for_older_versions_have_none(version: int) -> None:
    module = bitcodec.loads(assembled(FOLDER / "large.ll"))
    assert blobs(bitcodec.dumps(module, llvm_version=version))[0] is None


def dumped(version: int, path: Path) -> list[str]:
    """Return the symbols that linkers of a version find in a file, made by it or in the table of the file."""
    command = [str(path_of(f"llvm-lto2-{version}")), "dump-symtab", str(path)]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    return [line for line in lines if not line.startswith(("version: ", "producer: "))]


HAS_TABLE_OF_MODEL = {"elf": 19, "large": 19}
"""Files of which the table says more than LLVM finds without it, and the first LLVM that was seen to write that."""


@pytest.mark.parametrize("name", ["elf", "coff", "macho", "large", "i386", "mingw"])
@pytest.mark.parametrize("version", [13, 14, 15, 16, 19])
def test_older_linkers_find_the_same_without_it(version: int, name: str, tmp_path: Path) -> None:
    """A linker makes the table of a file that has none, but does not see the code model in it."""
    ours, theirs = tmp_path / "ours.bc", tmp_path / "theirs.bc"
    module = bitcodec.loads(assembled(FOLDER / f"{name}.ll"))
    ours.write_bytes(bitcodec.dumps(module, llvm_version=version))

    def compute() -> list[list[str]]:
        subprocess.run([str(path_of(f"opt-{version}")), ours, "-o", theirs], check=True)
        assert blobs(theirs.read_bytes())[0] is not None
        return [dumped(version, ours), dumped(version, theirs)]

    found, with_table = recall([f"opt-{version}", f"llvm-lto2-{version}", ours.read_bytes()], compute)
    missing = [line.split()[-1] for line in with_table if line not in found]
    assert missing == ["_GLOBAL_OFFSET_TABLE_"] * (version >= HAS_TABLE_OF_MODEL.get(name, version + 1))


def test_llvm_writes_none_for_assembly() -> None:
    """These tools of LLVM cannot read assembly, unlike opt and clang."""
    commands = ["llvm-as-22 a.ll -o a.bc", "llvm-link-22 a.bc -o b.bc"]
    made = build(commands, {"a.ll": ELF.read_text() + ASSEMBLY}, ["a.bc", "b.bc"])
    assert [blobs(data)[0] for data in made.values()] == [None, None]


def test_a_changed_stream_has_none() -> None:
    draft = bitstream.loads(assembled(ELF)).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.TRIPLE).text = "i386-unknown-linux-gnu"
    assert blobs(bitcode.dumps(draft))[0] is None


@pytest.mark.parametrize("copies_unchanged", [True, False])
def test_lld_links_a_large_code_model(copies_unchanged: bool) -> None:
    module = bitcodec.loads(assembled(FOLDER / "large.ll"))
    module.source_filename = "other.c"
    data = bitcodec.dumps(module, copies_unchanged=copies_unchanged)
    commands = ["sh -c 'llvm-lto2-22 dump-symtab large.bc > symbols'", "ld.lld-22 -shared large.bc -o large.so"]
    assert b"_GLOBAL_OFFSET_TABLE_" in build(commands, {"large.bc": data}, ["symbols"])["symbols"]

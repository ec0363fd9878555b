"""`--block-info` and `--check-hash` of `dump` and `analyze`: the text of llvm-bcanalyzer 22."""

from __future__ import annotations

import copy
import hashlib
import struct
from pathlib import Path

import pytest

from bits import Bits, wrapped

from .running import fail, llvm_process, run, succeed

BLOCKS = bytes.fromhex(
    "42430000210800000400000003831aac011b1c046a3010a801000000250c0000030000001a01ca08212d08d480050000"
)
"""LLVM's test `no-block-info.bc`: the blocks 8 and 9; records of the second are abbreviated."""
BLOCK_INFO = bytes.fromhex(
    "42430000010800000d0000000701b2408482288c02f05000a1100aa1003c148128888228000741b240e0422ee802f05000b8800bb8003c14"
    "412ee4422e000000"
)
"""LLVM's test `block-info-only.bc`: names of both blocks."""
NAMED = b"""\
<ABC NumWords=4 BlockCodeSize=2>
  <AAA op0=42 op1=43 op2=44/>
  <BBB op0=42/>
  <AAA op0=42/>
</ABC>
<XYZ NumWords=3 BlockCodeSize=3>
  <XXX abbrevid=4 op0=50 op1=4/>
  <YYY op0=42/>
  <XXX abbrevid=4 op0=50 op1=5/>
</XYZ>
"""
"""Recorded from llvm-bcanalyzer 22.1.8."""
HISTOGRAM = b"\t\t      2        14       7.0  100.00  XXX\n\t\t      1        27                    YYY\n"
"""Recorded from llvm-bcanalyzer 22.1.8."""
MODULE = Path(__file__).parents[1] / "bitcode" / "module_hash-22.bc"
NAMES = "fgpartcresolverfcalledai"
"""The names that the hash of the module covers."""
MAGIC_AND_HEADER = 12
"""Bytes in front of the first record of a stream that begins with a block."""
FIELDS = (0, ("fixed", 3))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    nested = Bits().enter_block(10)
    nested.enter_block(0).end_block()
    for name, data in {
        "blocks": BLOCKS,
        "info": BLOCK_INFO,
        "both": BLOCK_INFO + BLOCKS[4:],
        "other": BLOCKS + BLOCK_INFO[4:],
        "broken": BLOCK_INFO[:-8],
        "then-broken": BLOCK_INFO + b"no block",
        "no-block": BLOCKS + b"no block",
        "nested": nested.end_block().stream(),
        "wrapped": wrapped(BLOCK_INFO),
        "defines": defines().stream(),
        "abbreviated": Bits().enter_block(8).abbreviated(4, FIELDS, [0, 5]).end_block().stream(),
    }.items():
        (tmp_path / f"{name}.bc").write_bytes(data)
    return tmp_path


def defines() -> Bits:
    """Return a BLOCKINFO with an abbreviation for block 8."""
    return Bits().enter_block(0).unabbreviated(1, [8]).define(*FIELDS).end_block()


@pytest.mark.usefixtures("folder")
def test_names_come_from_the_file() -> None:
    assert succeed("dump", "blocks.bc", "--block-info", "info.bc").startswith(NAMED)
    text = succeed("analyze", "blocks.bc", "--block-info", "info.bc")
    assert b"  Block ID #9 (XYZ):\n" in text
    assert HISTOGRAM in text
    assert b'"name": "XYZ"' in succeed("dump", "--json", "blocks.bc", "--block-info", "info.bc")
    assert b'"name": "XYZ"' in succeed("analyze", "--json", "blocks.bc", "--block-info", "info.bc")


@pytest.mark.usefixtures("folder")
def test_abbreviations_come_from_the_file() -> None:
    assert b"  <UnknownCode0 abbrevid=4 op0=5/>\n" in succeed("dump", "abbreviated.bc", "--block-info", "defines.bc")


@pytest.mark.usefixtures("folder")
def test_a_blockinfo_of_the_stream_replaces_it() -> None:
    assert succeed("dump", "both.bc", "--block-info", "defines.bc").startswith(b"<BLOCKINFO_BLOCK/>\n" + NAMED)


@pytest.mark.usefixtures("folder")
def test_only_a_blockinfo_at_the_top_level_counts() -> None:
    for name in ("blocks", "nested"):
        assert succeed("dump", "blocks.bc", "--block-info", f"{name}.bc") == succeed("dump", "blocks.bc")


@pytest.mark.usefixtures("folder")
def test_malformed_files_are_refused() -> None:
    for name in ("broken", "no-block"):
        for command in ("dump", "analyze"):
            assert fail(command, "blocks.bc", "--block-info", f"{name}.bc").startswith(f"bitcodec: error: {name}.bc: ")
    assert "missing.bc" in fail("dump", "blocks.bc", "--block-info", "missing.bc")


@pytest.mark.parametrize("command", ["dump", "analyze"])
@pytest.mark.parametrize("name", ["blocks", "both", "other", "abbreviated"])
def test_block_info_live(command: str, name: str, folder: Path) -> None:
    options = ["--dump"] if command == "dump" else []
    for file in sorted(folder.iterdir()):
        words = ["llvm-bcanalyzer", *options, f"{name}.bc", "--block-info", file.name]
        theirs = llvm_process(*words, folder=folder, keeps="digest")
        ours = run(command, f"{name}.bc", "--block-info", file.name)
        assert (file.name, bool(ours.exit_code)) == (file.name, bool(theirs.returncode))
        if not theirs.returncode:
            assert (file.name, ours.stdout_bytes) == (file.name, theirs.stdout)


@pytest.mark.parametrize(("names", "remark"), [("", b""), (NAMES, b" (match)"), ("f", b" (!mismatch!)")])
def test_hashes_are_checked(names: str, remark: bytes) -> None:
    """The remarks were recorded from llvm-bcanalyzer 22.1.8."""
    (line,) = [line for line in succeed("dump", "--check-hash", names, MODULE).splitlines() if b"<HASH" in line]
    assert line.rpartition(b" op4=")[2].partition(b"/>")[0].lstrip(b"0123456789") == remark


def hashes() -> bytes:
    """Return modules with hashes: of three words, of other content, nested, and one that is right but not aligned."""
    words = [1, 2, 3, 4, 5]
    bits = Bits().enter_block(8).unabbreviated(17, words[:3]).unabbreviated(1, [2]).unabbreviated(17, words)
    bits.enter_block(8).unabbreviated(17, [0] * 5).end_block()
    bits.unabbreviated(1, [2]).fixed(3, 3)
    body = copy.deepcopy(bits).stream()[MAGIC_AND_HEADER : bits.size // 8]
    bits.vbr(17, 6).vbr(5, 6)
    for word in struct.unpack(">5I", hashlib.sha1(b"f" + body, usedforsecurity=False).digest()):
        bits.vbr(word, 6)
    bits.end_block()
    return bits.enter_block(9, width=5).unabbreviated(17, words).end_block().stream()


LINES = [
    b"<HASH op0=1 op1=2 op2=3 (invalid)/>",
    b"<VERSION op0=2/>",
    b"<HASH op0=1 op1=2 op2=3 op3=4 op4=5 (!mismatch!)/>",
    b"<HASH op0=0 op1=0 op2=0 op3=0 op4=0 (!mismatch!)/>",
    b"<VERSION op0=2/>",
    b"<HASH op0=2899257224 op1=1819075678 op2=1116459784 op3=55736597 op4=1657996804 (match)/>",
    b"<UnknownCode17 op0=1 op1=2 op2=3 op3=4 op4=5/>",
]
"""Recorded from llvm-bcanalyzer 22.1.8."""


def test_hashes_of_other_sizes_and_places(tmp_path: Path) -> None:
    path = tmp_path / "hashes.bc"
    path.write_bytes(hashes())
    lines = [line.strip() for line in succeed("dump", "--check-hash", "f", path).splitlines() if b"op0=" in line]
    assert lines == LINES


def test_check_hash_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.bc").write_bytes(MODULE.read_bytes())
    (tmp_path / "hashes.bc").write_bytes(hashes())
    monkeypatch.chdir(tmp_path)
    for name in ("a.bc", "hashes.bc"):
        for names in ("", NAMES, "f", "\u00e9"):
            words = ["llvm-bcanalyzer", "--dump", f"--check-hash={names}", name]
            theirs = llvm_process(*words, folder=tmp_path, keeps="digest")
            assert run("dump", f"--check-hash={names}", name).stdout_bytes == theirs.stdout


def test_deeply_nested_hashes_are_refused(tmp_path: Path) -> None:
    """Each of them covers all that is in it."""
    bits, depth = Bits(), 1000
    for _ in range(depth):
        bits.enter_block(8)
    for _ in range(depth):
        bits.unabbreviated(17, [0] * 5).end_block()
    path = tmp_path / "nested.bc"
    path.write_bytes(bits.stream())
    assert "more than 64 modules with hashes are nested in each other" in fail("dump", "--check-hash", "f", path)
    assert succeed("dump", path)

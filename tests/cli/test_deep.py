"""Blocks in blocks, 100,000 deep: no command minds."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bits import Bits

from .documents import document
from .running import BITCODEC, process, succeed

DEPTH = 100_000


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bits = Bits()
    for _ in range(DEPTH):
        bits.enter_block(8, width=2)
    for _ in range(DEPTH):
        bits.end_block()
    path: Path = tmp_path_factory.mktemp("deep") / "deep.bc"
    path.write_bytes(bits.stream())
    return path


def test_dump(deep: Path) -> None:
    opened = closed = 0
    with subprocess.Popen([*BITCODEC, "dump", deep], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        for line in running.stdout:
            opened += b"<MODULE_BLOCK NumWords=" in line
            closed += b"</MODULE_BLOCK>" in line
        assert running.stderr.read() == b""
    assert (running.returncode, opened, closed) == (0, DEPTH, DEPTH)


def test_analyze(deep: Path) -> None:
    done = process("analyze", deep)
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"      Num Instances: {DEPTH}\n".encode() in done.stdout


def test_info(deep: Path) -> None:
    done = process("info", deep)
    assert (done.returncode, done.stderr) == (0, b"")
    assert re.search(rb"^    MODULE_BLOCK +100,000 ", done.stdout, re.MULTILINE)


def test_extract(deep: Path, tmp_path: Path) -> None:
    (piece,) = document(succeed("extract", deep, "-o", tmp_path, "--json"))["streams"]
    assert Path(piece["output"]).read_bytes() == deep.read_bytes()


def test_cut_short_the_line_stays_short(deep: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.bc"
    cut.write_bytes(deep.read_bytes()[: 4 + DEPTH * 8])
    done = process("analyze", cut)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert len(done.stderr) < 1000
    assert b"MODULE_BLOCK > ... 99,992 more ... > MODULE_BLOCK" in done.stderr.replace(b"99992", b"99,992")

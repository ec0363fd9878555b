"""The readers agree about files that bitcodec writes for them, and about changed records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.saving import OLDEST_VERSION
from bitcodec.doctor import VERSIONS

from .readers import disagreements

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FILES = [ROOT / "examples" / "hello.bc", *sorted(DATA.glob("*-1[49].bc"))]

pytestmark = pytest.mark.same_in_both


def variants(path: Path) -> Iterator[bytes]:
    """Yield a file, the same written for older versions, and with a few records cut short."""
    data = path.read_bytes()
    yield data
    module = bitcodec.open(path)
    for version in range(OLDEST_VERSION, VERSIONS[-1], 3):
        yield bitcodec.dumps(module, llvm_version=version)
    for block_id, code in ((15, 20), (10, 3), (17, 21)):
        yield cut(data, block_id, code)


def cut(data: bytes, block_id: int, code: int) -> bytes:
    """Return a file with a record that has no operands."""
    draft = bitstream.loads(data).edit()
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
    for record in [
        record for block in blocks if block.id == block_id for record in block.records if record.code == code
    ][:1]:
        record.operands, record.abbreviation_id = (), 3
    return bitcode.dumps(draft)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_version_reads_what_it_is_said_to_read(path: Path, tmp_path: Path) -> None:
    for number, data in enumerate(variants(path)):
        assert (number, disagreements(data, tmp_path)) == (number, [])

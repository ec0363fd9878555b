"""Instructions and metadata nodes counted by their records: as many as the modules have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.tallies import instruction_counts, metadata_records
from bitcodec.bitstream.statistics import block_statistics
from bits import Bits

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
MODULES = [
    ROOT / "examples" / "queue.bc",
    *(DATA / f"{name}.bc" for name in ("atomics-O2-22", "control-O2-16", "exceptions-O2-19", "structs-i386-14")),
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_there_are_as_many_instructions_as_in_the_bodies(path: Path) -> None:
    counts = instruction_counts(block_statistics(bitstream.open(path).columns))
    opcodes = [one.opcode for function in bitcodec.open(path).functions for one in function.instructions]
    assert counts.get("call", 0) >= opcodes.count("call")  # calls that only describe variables are records now
    assert sum(counts.values()) - counts.get("call", 0) == len(opcodes) - opcodes.count("call")
    for kind in ("phi", "br", "getelementptr", "alloca", "select", "invoke", "switch", "ret", "cmpxchg", "fence"):
        assert counts.get(kind, 0) == opcodes.count(kind)
    assert counts.get("load", 0) + counts.get("atomic load", 0) == opcodes.count("load")
    assert counts.get("compare", 0) == opcodes.count("icmp") + opcodes.count("fcmp")
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


def test_kinds_are_words() -> None:
    bits = Bits().enter_block(8).enter_block(12)
    for code in FunctionCode:
        bits.unabbreviated(code, [])
    counts = instruction_counts(block_statistics(bitstream.loads(bits.end_block().end_block().stream()).columns))
    assert sum(counts.values()) == sum(code.name.startswith("INST_") for code in FunctionCode)
    assert (counts["getelementptr"], counts["compare"], counts["select"]) == (3, 2, 2)
    assert all(re.fullmatch(r"[a-z_ ]+", kind) for kind in counts)


def test_nodes_are_counted_and_what_is_none_is_not() -> None:
    bits = Bits().enter_block(8).enter_block(15)
    for code, operands in ((3, [1]), (3, [2]), (21, [0] * 20), (35, []), (39, [1]), (77, [])):
        bits.unabbreviated(code, operands)
    found = metadata_records(block_statistics(bitstream.loads(bits.end_block().end_block().stream()).columns))
    assert {kind: record.count for kind, record in found.items()} == {"subprogram": 1, "node": 2, "record 77": 1}


def test_a_stream_without_modules_has_none() -> None:
    statistics = block_statistics(bitstream.open(DATA / "bad-22.dia").columns)
    assert instruction_counts(statistics) == metadata_records(statistics) == {}

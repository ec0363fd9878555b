"""Where a module comes from: producer, target, source, however old its writer and however damaged the file."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.summary import ModuleSummary, summarize
from bits import Bits
from corpus import FOLDER, needs_corpus


def summaries(bits: Bits) -> list[ModuleSummary]:
    return summarize(bitstream.loads(bits.stream()))


def test_a_module_of_today() -> None:
    bits = Bits().enter_block(13).unabbreviated(1, b"LLVM22.1.8").unabbreviated(2, [0]).end_block()
    bits.enter_block(8).unabbreviated(1, [2]).unabbreviated(2, b"x86_64").unabbreviated(3, b"e-m:e")
    bits.unabbreviated(16, b"a.c").end_block()
    assert summaries(bits) == [
        ModuleSummary(
            producer="LLVM22.1.8", epoch=0, version=2, triple="x86_64", data_layout="e-m:e", source_filename="a.c"
        )
    ]


def test_an_old_module_says_little() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [0]).unabbreviated(2, b"i386").end_block()
    assert summaries(bits) == [ModuleSummary(triple="i386")]


def test_each_module_has_its_own_producer() -> None:
    bits = Bits()
    for producer in (b"LLVM14.0.6", None):
        if producer:
            bits.enter_block(13).unabbreviated(1, producer).unabbreviated(2, [0]).end_block()
        bits.enter_block(8).unabbreviated(1, [2]).end_block()
    assert [(one.producer, one.epoch) for one in summaries(bits)] == [("LLVM14.0.6", 0), (None, None)]


def test_text_may_be_any_bytes() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).unabbreviated(2, [0xFF, 0x161]).end_block()
    assert summaries(bits)[0].triple == "\\xffa"


def test_records_without_operands_are_passed_over() -> None:
    bits = Bits().enter_block(13).unabbreviated(2, []).end_block().enter_block(8).unabbreviated(1, []).end_block()
    assert summaries(bits) == [ModuleSummary()]


def test_inner_blocks_are_not_looked_into() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).enter_block(12)
    for _ in range(10):
        bits.fixed(0xFFFF_FFFF, 32)  # no record could be read here
    bits.end_block().unabbreviated(2, b"after").end_block()
    assert summaries(bits)[0].triple == "after"


def test_of_a_malformed_module_what_comes_before_the_fault_is_told() -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).unabbreviated(2, b"before").id(5)
    assert summaries(bits) == [ModuleSummary(version=2, triple="before")]


@needs_corpus
@pytest.mark.parametrize(
    ("path", "producer", "version"),
    [
        ("legacy/aggregateInstructions.3.2.ll.bc", None, 1),
        ("legacy/compatibility-3.6.ll.bc", None, 1),
        ("legacy/compatibility-4.0.ll.bc", "LLVM4.0.0", 1),
        ("modules/structs-O0g-14.bc", "LLVM14.0.6", 2),
        ("modules/structs-O0g-22.bc", "LLVM22.1.8", 2),
    ],
)
def test_files_of_many_years(path: str, producer: str | None, version: int) -> None:
    (module,) = summarize(bitstream.open(FOLDER / path))
    assert (module.producer, module.version) == (producer, version)

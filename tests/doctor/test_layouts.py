"""Data layouts that make no sense are refused with each version's message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.doctor import diagnose

from .readers import disagreements

pytestmark = pytest.mark.same_in_both

NO_NUMBER = "not a number, or does not fit in an unsigned int"
LAYOUTS = {
    "e%m:e": ("", "malformed specification, must be just 'e' or 'E'"),
    "e-m:ex": ("Unknown mangling specifier in datalayout string", "unknown mangling mode"),
    "e-m:q": ("Unknown mangling in datalayout string", "unknown mangling mode"),
    "e-32:32:32": ("Unknown specifier in datalayout string", "unknown specifier '3'"),
    "e-i64:65": (
        "number of bits must be a byte width multiple",
        "ABI alignment must be a power of two times the byte width",
    ),
    "e-i64:x": (NO_NUMBER, "ABI alignment must be a 16-bit integer"),
    "e-Sx": (NO_NUMBER, "stack natural alignment must be a 16-bit integer"),
    "e-ni:0": ("Address space 0 can never be non-integral", "address space 0 cannot be non-integral"),
    "e-i64:0": ("ABI alignment specification must be >0 for non-aggregate types", "ABI alignment must be non-zero"),
}
"""By data layout, what LLVM 19 and LLVM 20 say of it, as these were asked."""


def with_record(code: int, text: str, *, behind: bool = False) -> bytes:
    """Return a module with another record of text, which may stand behind the functions."""
    module = bitcodec.parse_assembly('target datalayout = "e"\ntarget triple = "x86_64"\ndeclare void @f()\n')
    draft = bitstream.loads(bitcodec.dumps(module, llvm_version=4)).edit()
    block = next(block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK)
    record = next(record for record in block.records if record.code == code)
    record.operands, record.abbreviation_id = tuple(map(ord, text)), 3
    if behind:
        block.items.remove(record)
        function = next(each for each in block.records if each.code == ModuleCode.FUNCTION)
        block.items.insert(block.items.index(function) + 1, record)
    return draft.dumps()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_messages(layout: str) -> None:
    (diagnosis,) = diagnose(with_record(ModuleCode.DATALAYOUT, layout))
    older, newer = LAYOUTS[layout]
    fatal = f"LLVM ERROR: {older}" if older else ""
    assert [diagnosis.verdict(version).message for version in (4, 14, 15, 19, 20, 22)] == [
        *(fatal, fatal),
        *(older, older),
        *(newer, newer),
    ]


def test_targets_precede_functions() -> None:
    for code, word in ((ModuleCode.TRIPLE, "target triple"), (ModuleCode.DATALAYOUT, "datalayout")):
        (diagnosis,) = diagnose(with_record(code, "e", behind=True))
        assert [diagnosis.verdict(version).message for version in (4, 12, 22)] == [
            *("", f"{word} too late in module"),
            f"{word} too late in module",
        ]


NEWER = {"e-Fi32": 8, "e-G1": 11, "e-P1": 6, "e-A5": 4, "e-m:a": 10, "e-m:l": 13}
"""By data layout with a specification that old versions lack, the last version that refuses it, as it was asked."""


@pytest.mark.parametrize("layout", NEWER)
def test_new_specifications(layout: str) -> None:
    (diagnosis,) = diagnose(with_record(ModuleCode.DATALAYOUT, layout))
    assert max(verdict.version for verdict in diagnosis.verdicts if not verdict.reads) == NEWER[layout]


def files() -> Iterator[bytes]:
    yield from (with_record(ModuleCode.DATALAYOUT, layout) for layout in (*LAYOUTS, *NEWER))
    yield from (with_record(code, "e", behind=True) for code in (ModuleCode.TRIPLE, ModuleCode.DATALAYOUT))


def test_readers_say_the_same(tmp_path: Path) -> None:
    for number, data in enumerate(files()):
        assert (number, disagreements(data, tmp_path)) == (number, [])

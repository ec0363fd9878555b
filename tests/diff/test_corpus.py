"""Whatever compilers wrote: nothing is different from itself, and whatever is different is told without fail."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.diff import Change, differences, unified_diff
from bitcodec.ir.module import Module
from corpus import FOLDER, is_there, needs_corpus

from .models import DATA, compared

MODULES = FOLDER / "modules"
SHIPPED = ["atomics-O2-22.bc", "control-O2-16.bc", "exceptions-O2-19.bc", "ir_metadata-22.bc", "ir_types-22.bc"]


def files(*patterns: str) -> list[Path]:
    return [path for pattern in patterns for path in sorted(FOLDER.glob(pattern))] if is_there() else []


def opened(path: Path) -> list[Module]:
    return bitcodec.open_all(path)


def assert_nothing_differs_from_itself(path: Path) -> None:
    for before, after in zip(opened(path), opened(path), strict=True):
        assert compared(before, after) == []
        assert compared(before, after, debug_info=False) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_differs_from_itself(name: str) -> None:
    assert_nothing_differs_from_itself(DATA / name)


@needs_corpus
@pytest.mark.parametrize("path", files("modules/*.bc", "legacy/*.bc") or [None], ids=lambda path: path and path.name)
def test_nothing_of_the_corpus_differs_from_itself(path: Path) -> None:
    assert_nothing_differs_from_itself(path)


def pairs() -> list[tuple[Path, Path]]:
    """Return the same source compiled by LLVM 14 and 22, and at both levels of optimization by 22."""
    newest = files("modules/*-O0g-22.bc")
    versions = [(path.with_name(path.name.replace("-22.", "-14.")), path) for path in newest]
    levels = [(path, path.with_name(path.name.replace("-O0g-", "-O2-"))) for path in newest]
    return [(one, other) for one, other in versions + levels if one.exists() and other.exists()]


@needs_corpus
@pytest.mark.parametrize(("path", "other"), pairs() or [(None, None)], ids=lambda path: path and path.name)
def test_each_difference_is_told(path: Path, other: Path) -> None:
    (before,), (after,) = opened(path), opened(other)
    found = list(differences(before, after))
    assert found
    assert len({(one.category, one.label) for one in found}) == len(found)
    for one in found:
        lines = list(unified_diff(one))[2:]
        kept = "\n".join(line[1:] for line in lines if line[0] in " -")
        assert any(line[0] in "+-" for line in lines)
        if one.change is Change.REMOVED:
            assert kept == one.before
        if one.change is not Change.CHANGED:
            assert one.before is None or one.after is None


@needs_corpus
def test_debug_information_alone_is_no_other_code() -> None:
    """What clang adds to a module for `-g` at `-O0`, and nothing else, is ignored."""
    (module,) = opened(MODULES / "debuginfo-codeview-22.bc")
    (other,) = opened(MODULES / "debuginfo-codeview-22.bc")
    for function in other.functions:
        function.metadata.clear()
        for instruction in function.instructions:
            instruction.debug_location = None
            instruction.debug_records.clear()
    assert compared(module, other, debug_info=False) == []

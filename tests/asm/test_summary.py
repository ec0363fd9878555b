"""The text of summaries, against what llvm-dis 22 prints of the same files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import bitcodec
from bitcodec.asm.summary import summary_lines
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.module import Module
from bitcodec.ir.summary import (
    FunctionSummary,
    GlobalValueFlags,
    ModuleSummaryIndex,
    ParameterAccess,
    TypeIdSummary,
    TypeTest,
)
from bitcodec.tables.linkage import Linkage, Visibility
from bitcodec.tables.summaries import ImportKind, TypeTestKind
from corpus import FOLDER, needs_corpus

DATA = Path(__file__).parents[1] / "data" / "summaries"
SHIPPED = sorted(DATA.glob("*.bc"))


def goldens(path: Path) -> list[list[str]]:
    """Return the lines of the summary of each module in a file, as LLVM prints them; none if it refuses the file."""
    single = path.with_name(f"{path.name}.ll.gz")
    files = [single] if single.exists() else sorted(path.parent.glob(f"{path.name}.[0-9]*.ll.gz"))
    texts = [gzip.decompress(file.read_bytes()).decode(errors="surrogateescape") for file in files]
    return [[line for line in text.split("\n") if line.startswith("^")] for text in texts]


def lines(module: Module) -> list[str]:
    return [] if module.summary is None else list(summary_lines(module.summary))


def lines_of_all(path: Path) -> list[list[str]]:
    found = []
    for module in bitcodec.open_all(path):
        module.identifier = path.name  # LLVM ran in the file's folder
        found.append(lines(module))
    return found


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_files(path: Path) -> None:
    assert goldens(path)[0]
    assert lines_of_all(path) == goldens(path)


@needs_corpus
def test_corpus() -> None:
    files = line_count = 0
    for folder in ("modules", "legacy", "containers"):
        for path in sorted((FOLDER / folder).glob("*.bc")):
            golden = goldens(path)
            if any(golden):
                assert lines_of_all(path) == golden, path.name
                files += 1
                line_count += sum(map(len, golden))
    assert files >= 48
    assert line_count >= 1385


@needs_corpus
def test_modules_without_summaries() -> None:
    assert lines(bitcodec.open(FOLDER / "modules" / "structs-O0g-22.bc")) == []


# What no tool writes


def test_an_empty_index() -> None:
    assert list(summary_lines(ModuleSummaryIndex())) == ["^0 = blockcount: 0"]


def test_modules_and_types_are_in_order_of_bytes() -> None:
    """Bytes that are no UTF-8 come before characters that need four of them, whatever Python has for them."""
    index = ModuleSummaryIndex()
    for path in ("\U0001f600", "\udc80", "b", ""):
        index.add_module(path)
    assert [line.split('"')[1] for line in list(summary_lines(index))[:4]] == [
        "[Regular LTO]",
        "b",
        r"\80",
        r"\F0\9F\98\80",
    ]


def test_types_that_share_a_guid_are_all_told() -> None:
    index = ModuleSummaryIndex()
    for name in ("one", "other"):
        index.type_ids[name] = TypeIdSummary(name, 7, TypeTest(TypeTestKind.SINGLE))
    assert [line.split(",")[0] for line in summary_lines(index)][:2] == [
        '^0 = typeid: (name: "one"',
        '^1 = typeid: (name: "other"',
    ]


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (0, 4, "[0, 3]"),
        (-8, -1, "[-8, -2]"),
        (0, 0, "[0, -1]"),
        (-1, -1, "[-9223372036854775808, 9223372036854775807]"),
        (5, 2, "[-9223372036854775808, 9223372036854775807]"),
        (5, -(1 << 63), "[5, 9223372036854775807]"),
    ],
)
def test_ranges(lower: int, upper: int, text: str) -> None:
    index = ModuleSummaryIndex()
    access = ParameterAccess(3, ConstantRange(64, lower, upper), ())
    flags = GlobalValueFlags(Linkage.EXTERNAL, Visibility.DEFAULT, frozenset(), ImportKind.DEFINITION)
    summary = FunctionSummary(
        module=index.add_module("m"), flags=flags, instruction_count=1, parameter_accesses=(access,)
    )
    index.add_value(5).summaries.append(summary)
    assert f"params: ((param: 3, offset: {text}))" in list(summary_lines(index))[1]

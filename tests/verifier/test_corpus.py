"""Whatever compilers wrote is sound; of what LLVM's own old tests hold, LLVM 22 refuses a little, and so is it here."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.verifier import verify
from corpus import FOLDER, is_there, needs_corpus

DATA = Path(__file__).parents[1] / "data"
SHIPPED = ["atomics-O2-22.bc", "control-O2-16.bc", "exceptions-O2-19.bc", "ir_metadata-22.bc", "ir_types-22.bc"]
NOT_EMPTY = {"nonnull metadata must be empty"}
IMPORTED = {*NOT_EMPTY, "Global is marked as dllimport, but not external"}
REFUSED = {
    "DICompileUnit-no-DWOId.ll.bc": {"DICompileUnit not listed in llvm.dbg.cu"},
    "calling-conventions.3.2.ll.bc": {"calling convention does not permit calls"},
    **{f"compatibility-{version}.ll.bc": IMPORTED for version in ("3.6", "3.7", "3.8", "3.9", "4.0", "5.0")},
    "compatibility-6.0.ll.bc": NOT_EMPTY,
    "miscInstructions.3.2.ll.bc": {"EH pad cannot be in entry block."},
    "verifier-non-integer-gep-index.ll.bc": {"GEP indexes must be integers"},
}
"""What `llvm-as` 22 says of the text of these files."""


def files() -> list[Path]:
    return (
        [path for kind in ("modules", "legacy") for path in sorted((FOLDER / kind).glob("*.bc"))] if is_there() else []
    )


def messages(path: Path) -> set[str]:
    return {finding.message for module in bitcodec.open_all(path) for finding in verify(module)}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shipped(name: str) -> None:
    assert messages(DATA / name) == set()


@needs_corpus
@pytest.mark.parametrize("path", files() or [None], ids=lambda path: path and path.name)
def test_the_corpus(path: Path) -> None:
    assert messages(path) == REFUSED.get(path.name, set())

"""What `llvm-dis` 22 printed for the files of the corpus."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import pytest

from corpus import FOLDER, is_there, needs_corpus

from .text import digest_of_llvm, printed

FOLDERS = ("modules", "legacy", "containers")
DIFFERENT: dict[str, str] = {}
"""Files whose text is another, with reasons; a test fails when one of them becomes the same."""


@cache
def goldens_of(path: Path) -> list[Path]:
    """Return the texts of the modules of a file, each in a file of its own, as LLVM writes them."""
    alone = path.with_name(f"{path.name}.ll.gz")
    numbered = sorted(path.parent.glob(f"{path.name}.[0-9].ll.gz"))
    return [alone] if alone.is_file() else numbered


FILES = [
    path
    for folder in FOLDERS
    for path in (sorted((FOLDER / folder).iterdir()) if is_there() else ())
    if goldens_of(path)
]
BENCH = sorted(FOLDER.parent.glob("bench/*.bc")) if is_there() else []


@needs_corpus
def test_all_goldens_are_there() -> None:
    counts = {folder: sum(path.parent.name == folder for path in FILES) for folder in FOLDERS}
    assert counts == {"modules": 348, "legacy": 129, "containers": 27}
    assert all((FOLDER / name).is_file() for name in DIFFERENT)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_text_is_that_of_llvm(path: Path) -> None:
    ours = printed(path.read_bytes(), path.name)
    theirs = b"".join(gzip.decompress(golden.read_bytes()) for golden in goldens_of(path))
    assert (ours == theirs) is (f"{path.parent.name}/{path.name}" not in DIFFERENT)


@pytest.mark.parametrize("path", BENCH, ids=lambda path: path.name)
def test_large_modules_too(path: Path) -> None:
    ours = printed(path.read_bytes(), str(path))
    assert len(ours) > 10_000_000
    assert ours == digest_of_llvm(path)

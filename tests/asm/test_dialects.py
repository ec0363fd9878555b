"""The command that compares texts of older LLVMs with their bitcode runs, on what is here."""

from __future__ import annotations

import gzip
import shutil
from collections import Counter
from pathlib import Path

import pytest

from . import dialects

pytestmark = pytest.mark.same_in_both
GOLDENS = Path(__file__).parent / "parser" / "dialects" / "goldens"


def test_texts_are_compared_with_bitcode(tmp_path: Path) -> None:
    (tmp_path / "typed-7.ll").write_bytes(gzip.decompress((GOLDENS / "typed-7.ll.gz").read_bytes()))
    shutil.copyfile(GOLDENS / "typed-7.bc", tmp_path / "typed-7.bc")
    counts: Counter[str] = Counter()
    assert list(dialects.differences(tmp_path, 7, as_today=False, counts=counts)) == []
    assert counts == {"compared": 1, "same": 1}
    (tmp_path / "typed-7.ll").write_text("@x = global i32 0\n")
    (line,) = dialects.differences(tmp_path, None, as_today=False, counts=counts)
    assert line.startswith("typed-7.ll: ")

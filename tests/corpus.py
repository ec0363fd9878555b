"""The corpus: beside the checkout, in `shared/corpus`; tests that need it skip visibly where it is not."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from amounts import some

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpus"
NOT_STREAMS = {"archive", "embedded-object"}
"""Kinds of files that hold bitstreams somewhere inside."""


class File(NamedTuple):
    """A file of the corpus, as its manifest has it."""

    path: str
    kind: str
    goldens: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def data(self) -> bytes:
        return (FOLDER / self.path).read_bytes()

    @property
    def is_accepted(self) -> bool:
        """Whether llvm-bcanalyzer 22 takes it."""
        if self.kind == "invalid":
            return bool(expected_of_invalid()[self.name]["llvm-bcanalyzer --dump"]["exit"] == 0)
        return bool(self.goldens["dump"]["exit"] == 0)

    def golden_dump(self) -> bytes:
        """Return what `llvm-bcanalyzer --dump` printed; the manifest vouches for it."""
        golden = self.goldens["dump"]
        text = gzip.decompress((FOLDER / golden["file"]).read_bytes())
        assert hashlib.sha256(text).hexdigest() == golden["sha256"]
        return text


def is_there() -> bool:
    return (FOLDER / "manifest.json").is_file()


def streams() -> list[File]:
    """Return all files that are bitstreams, or malformed ones."""
    if not is_there():
        return []
    entries = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
    files = [File(entry["file"], entry["kind"], entry.get("goldens", {})) for entry in entries]
    return [file for file in files if file.kind not in NOT_STREAMS]


def accepted_streams() -> list[File]:
    return [file for file in streams() if file.is_accepted]


def refused_streams() -> list[File]:
    return [file for file in streams() if not file.is_accepted]


def expected_of_invalid() -> dict[str, Any]:
    """Return what LLVM's tools say of the files in `invalid/`."""
    return dict(json.loads((FOLDER / "invalid" / "expected.json").read_text(encoding="utf-8"))["files"])


def parameters(files: list[File]) -> list[Any]:
    """Return files as parameters of a test of the calling file, or one parameter that skips if there is no corpus.

    By default it is a quarter of them, or 24.
    """
    if not is_there():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no corpus at {FOLDER}"))]
    chosen = some(files, max(len(files) // 4, 24), file=sys._getframe(1).f_code.co_filename)
    return [pytest.param(file, id=file.path) for file in chosen]


needs_corpus = pytest.mark.skipif(not is_there(), reason=f"no corpus at {FOLDER}")

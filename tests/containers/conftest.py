"""Where the corpus is: beside the checkout, in `shared/corpus`; tests that need it skip where it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus import FOLDER as CORPUS


def corpus_files(*kinds: str) -> list[Any]:
    """Return the manifest's entries of these kinds as parameters, or one that skips."""
    manifest = CORPUS / "manifest.json"
    if not manifest.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no corpus at {CORPUS}"))]
    entries = json.loads(manifest.read_text(encoding="utf-8"))["files"]
    return [pytest.param(entry, id=Path(entry["file"]).name) for entry in entries if entry["kind"] in kinds]


@pytest.fixture
def corpus() -> Path:
    """Return the folder of container files."""
    folder = CORPUS / "containers"
    if not folder.is_dir():
        pytest.skip(f"no corpus at {CORPUS}")
    return folder

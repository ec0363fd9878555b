"""The modules that are downgraded: all of the corpus that are alone in their files, and those for benchmarks."""

from __future__ import annotations

import json
from pathlib import Path

from corpus import FOLDER, is_there

__all__ = ["NOT_SOUND", "files"]

_KINDS = {"module", "wrapper", "thinlto"}
_FOLDERS = {"modules", "legacy"}

NOT_SOUND = {
    "DICompileUnit-no-DWOId.ll.bc",
    "calling-conventions.3.2.ll.bc",
    "compatibility-3.6.ll.bc",
    "compatibility-3.7.ll.bc",
    "compatibility-3.8.ll.bc",
    "compatibility-3.9.ll.bc",
    "compatibility-4.0.ll.bc",
    "compatibility-5.0.ll.bc",
    "compatibility-6.0.ll.bc",
    "miscInstructions.3.2.ll.bc",
    "verifier-non-integer-gep-index.ll.bc",
}
"""Files that the verifier of LLVM 22 refuses, after its own upgrade; of the first one, the debug information."""


def files() -> list[Path]:
    """Return the files in a fixed order, none where there is no corpus."""
    if not is_there():
        return []
    entries = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
    found = [
        FOLDER / entry["file"]
        for entry in entries
        if entry["kind"] in _KINDS and entry["file"].split("/")[0] in _FOLDERS
    ]
    return found + sorted((FOLDER.parent / "bench").glob("*.bc"))

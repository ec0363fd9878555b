"""Writes `goldens.json.gz`: what passes of LLVM 22 leave of metadata when they change instructions.

    python -m tests.transforms.metadata.make_goldens

Nothing in it comes from the rewriter: `llvm-as` reads the cases, `opt` changes them.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from pathlib import Path

from . import alone, pairs
from .locations import location_module
from .outcomes import assembled, is_there, theirs, theirs_of_locations

__all__ = ["GOLDENS"]

GOLDENS = Path(__file__).with_name("goldens.json.gz")


def main() -> None:
    if not is_there():
        sys.exit("llvm-as-22 and opt-22 are not installed")
    modules = {
        "pairs": (pairs.module_text(pairs.all_pairs()), theirs),
        "alone": (alone.module_text(), theirs),
        "locations": (location_module(), theirs_of_locations),
    }
    goldens = {}
    for name, (text, outcomes) in modules.items():
        bitcode = assembled(text)
        goldens[name] = {"bitcode": base64.b64encode(bitcode).decode(), "outcomes": outcomes(bitcode)}
    GOLDENS.write_bytes(gzip.compress(json.dumps(goldens, indent=0).encode(), mtime=0))


if __name__ == "__main__":
    main()

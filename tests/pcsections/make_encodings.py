"""Writes `tests/data/pcsection-encodings.json.gz`: what `llc` 22 makes of nodes with constants of all kinds.

    python -m tests.pcsections.make_encodings

Of bitcodec it has the modules alone; sections, relocations and where code is are those of the objects.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest does

import bitcodec
from answers.tools import path_of

from . import objects
from .encoding_cases import GOLDENS, TARGETS, bodies_for
from .test_live_encoding import compiled


def main() -> None:
    if path_of("llc-22") is None:
        sys.exit("llc-22 is not installed")
    rows = []
    for backend in TARGETS:
        module = backend.module(bodies_for(backend))
        found = compiled(bitcodec.dumps(module))
        golden = {
            "codes": objects.codes(found, module, backend.word),
            "symbols": {name: found.symbols[name] for name in ("near",)},
            "sections": {
                name: [section.data.hex(), section.rows]
                for name, section in found.sections.items()
                if section.flags & objects.LINK_ORDER
            },
        }
        rows.append(f"{json.dumps(backend.triple)}: {json.dumps(golden, separators=(',', ':'))}")
    GOLDENS.parent.mkdir(parents=True, exist_ok=True)
    GOLDENS.write_bytes(gzip.compress(("{" + ",\n".join(rows) + "}\n").encode(), mtime=0))


if __name__ == "__main__":
    main()

"""Writes `goldens.json.gz`: what `llvm-link` 22 makes of modules that are made up.

    python -m flags.make_goldens

Run it in `tests`.  Nothing in it comes from bitcodec: the modules are hypothesis's, what comes of them is LLVM's.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import Phase, given, settings

from .cases import modules
from .outcomes import theirs
from .text import Flags, assembly

__all__ = ["GOLDENS"]

GOLDENS = Path(__file__).with_name("goldens.json.gz")
COUNT = 200
TRIED = 5 * COUNT
FEWEST_FLAGS = 5
"""Of all modules of a case: what hypothesis makes up first is small."""


def main() -> None:
    goldens: dict[str, object] = {}

    @given(modules())
    @settings(max_examples=TRIED, phases=[Phase.generate], database=None, derandomize=True)
    def collect(flags: list[Flags]) -> None:
        texts = [assembly(each) for each in flags]
        if len(goldens) < COUNT and sum(len(each or ()) for each in flags) >= FEWEST_FLAGS:
            goldens["\0".join(texts)] = {"modules": texts, **theirs(flags, Path(folder))._asdict()}

    with TemporaryDirectory() as folder:
        collect()
    text = json.dumps(list(goldens.values()), indent=0)
    GOLDENS.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()

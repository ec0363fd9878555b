"""Writes `goldens.json.gz`: what `opt` of LLVM 22 makes of some of the cases.

    python -m tests.transforms.atomic_expand.make_goldens

Nothing in it comes from what it is to check: the functions are those that `opt -passes=atomic-expand` leaves.
"""

from __future__ import annotations

import gzip
import json
import sys
from itertools import islice
from pathlib import Path

from .cases import whole_grid
from .differences import is_listed
from .live import OPT, theirs
from .targets import TRIED

__all__ = ["GOLDENS"]

GOLDENS = Path(__file__).with_name("goldens.json.gz")
STEP = 89


def main() -> None:
    if OPT is None:
        sys.exit("opt-22 is not installed")
    goldens = {}
    for start, target in enumerate(TRIED):
        cases = [case for case in islice(whole_grid(), 5 * start, None, STEP) if not is_listed(target, case)]
        found = theirs(target, cases)
        if found is None:
            sys.exit(f"{target}: opt crashes")
        goldens[str(target)] = {str(case): found[0][f"f{index}"] for index, case in enumerate(cases)}
    text = json.dumps(goldens, indent=0)
    GOLDENS.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()

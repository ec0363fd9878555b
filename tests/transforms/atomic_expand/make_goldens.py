"""Writes `goldens.json.gz` and `random.json.gz`: what `opt` of LLVM 22 makes of cases and of random functions.

    python -m tests.transforms.atomic_expand.make_goldens

Nothing in it comes from what it is to check: the functions are those that `opt -passes=atomic-expand` leaves.
"""

from __future__ import annotations

import gzip
import json
import sys
from itertools import islice
from pathlib import Path

import bitcodec

from .cases import whole_grid
from .comparing import comparable
from .differences import is_listed
from .generating import function_texts, module_text
from .live import OPT, opt, theirs
from .targets import RECORDED, TRIED, Tried

__all__ = ["GOLDENS", "RANDOM"]

GOLDENS = Path(__file__).with_name("goldens.json.gz")
RANDOM = Path(__file__).with_name("random.json.gz")
STEP = 89
FUNCTIONS = 24


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
    write(GOLDENS, goldens)
    write(RANDOM, {str(target): random_goldens(target, number) for number, target in enumerate(RECORDED)})


def random_goldens(target: Tried, seed: int) -> dict[str, list[str]]:
    """Return the text of random functions and what `opt` makes of them, but for those on which it fails."""
    found = {}
    for number, text in enumerate(function_texts(seed, FUNCTIONS)):
        data = bitcodec.dumps(bitcodec.parse_assembly(module_text({number: text}, target.head)))
        expanded = opt(data, "-passes=atomic-expand,verify", *target.options)
        if expanded is not None:
            found[f"f{number}"] = [text, comparable(bitcodec.loads(expanded))[0][f"f{number}"]]
    return found


def write(file: Path, goldens: object) -> None:
    file.write_bytes(gzip.compress(json.dumps(goldens, indent=0).encode(), mtime=0))


if __name__ == "__main__":
    main()

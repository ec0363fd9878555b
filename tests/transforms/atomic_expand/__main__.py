"""Compares expansions of random functions with those of `opt` of LLVM 22, for every target.

python -m tests.transforms.atomic_expand --count 2000
"""

from __future__ import annotations

import argparse
import sys

from .generated import compare
from .live import OPT
from .targets import ALIKE, OTHERS, TRIED


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="functions for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="targets whose name contains this")
    parser.add_argument("--show", type=int, default=0, help="differences to show for each target")
    chosen = parser.parse_args()
    if OPT is None:
        sys.exit("opt-22 is not installed")
    is_bad = False
    for target in (*TRIED, *OTHERS, *ALIKE):
        if chosen.only not in str(target):
            continue
        result = compare(target, chosen.seed, chosen.count)
        print(
            f"{target}: {result.equal} of {chosen.count} equal, {len(result.different)} differ, "
            f"{len(result.refused)} where opt fails"
        )
        for name in result.different[: chosen.show]:
            print(result.shown(name))
        is_bad |= bool(result.different)
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())

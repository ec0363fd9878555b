"""Writes the recorded answers: what `opt` of LLVM 22 makes of cases, random functions and accesses on AMDGPU.

    python -m tests.transforms.atomic_expand.make_goldens

Nothing in it comes from what it is to check: the functions are those that `opt -passes=atomic-expand` leaves.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import bitcodec

from .cases import whole_grid
from .comparing import comparable
from .decisions import decision_text, decisions
from .differences import is_listed
from .generating import module_text
from .live import OPT, opt, theirs
from .targets import RECORDED, TRIED, Tried

__all__ = ["AMDGPU", "DECISIONS", "GOLDENS", "RANDOM"]

GOLDENS = Path(__file__).with_name("goldens.json.gz")
RANDOM = Path(__file__).with_name("random.json.gz")
AMDGPU = Path(__file__).with_name("amdgpu.json.gz")
DECISIONS = Path(__file__).with_name("amdgpu_decisions.json")
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
    random = {target: random_goldens(target, number) for number, target in enumerate(RECORDED)}
    for file, is_amdgpu in ((RANDOM, False), (AMDGPU, True)):
        write(file, {str(target): found for target, found in random.items() if target.is_amdgpu is is_amdgpu})

    DECISIONS.write_text(json.dumps(decision_goldens(), indent=0))


def decision_goldens() -> dict[str, str]:
    """Return letters for what `opt` makes of accesses on AMDGPU, others for each processor."""
    assert OPT is not None
    found = {}
    for number, target in enumerate(target for target in RECORDED if target.is_amdgpu):
        command = [OPT, "-passes=atomic-expand", *target.options, "-o", "-", "-"]
        done = subprocess.run(command, input=decision_text(number, target.head).encode(), stdout=-1, check=True)
        found[str(target)] = decisions(bitcodec.loads(done.stdout))
    return found


def random_goldens(target: Tried, seed: int) -> dict[str, list[str]]:
    """Return the text of random functions and what `opt` makes of them, but for those on which it fails."""
    found = {}
    for number, text in enumerate(target.function_texts(seed, FUNCTIONS)):
        data = bitcodec.dumps(bitcodec.parse_assembly(module_text({number: text}, target.head)))
        expanded = opt(data, "-passes=atomic-expand,verify", *target.options)
        if expanded is not None:
            found[f"f{number}"] = [text, comparable(bitcodec.loads(expanded))[0][f"f{number}"]]
    return found


def write(file: Path, goldens: object) -> None:
    file.write_bytes(gzip.compress(json.dumps(goldens, indent=0).encode(), mtime=0))


if __name__ == "__main__":
    main()

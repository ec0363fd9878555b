"""Reports the lines of the list that no run has used: `python -m tests.skips FOLDER`, with files of `--write-skips`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .lines import LISTED, Line, Skip, parse_lines


def unused(lines: list[Line], written: list[Path]) -> list[Line]:
    """Return the lines that hold in some of the runs, and allowed no skip there."""
    left = []
    read = [json.loads(file.read_text(encoding="utf-8")) for file in written]
    for line in lines:
        runs = [run for run in read if line.holds_in(run["runs"])]
        if runs and not any(line.allows(Skip(*each)) for run in runs for each in run["skips"]):
            left.append(line)
    return left


if __name__ == "__main__":
    files = sorted(Path(sys.argv[1]).glob("*.json"))
    found = unused(parse_lines(LISTED.read_text(encoding="utf-8")), files)
    print(f"{len(files)} runs; {len(found)} lines of {LISTED.name} name skips that did not happen in them")
    for line in found:
        print(f"  {' '.join(sorted(line.runs))} | {line.tests} | {line.reason}")

"""Commands over thousands of modules, the whole command."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import bitcodec_command, interleaved, process
from benchmarks.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.inputs import Input

__all__ = ["ROWS_OF_MANY_MODULES"]

_CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
_COUNT = 2000
_COMMANDS = (
    ("flags conflicts", "modules", 1.5),
    ("flags lint", "modules", 2.0),
    ("flags lint", "legacy", 2.0),
    ("link --dry-run", "modules", 2.0),
)
"""Each command, the folder of its modules, and how many milliseconds a module may take."""
_measured: list[Path] = []


def many_modules(_source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Run each command on 2,000 modules of the corpus.

    Once, for they are the same whatever is measured beside.  `legacy` has modules of LLVM 3.0 to 14.
    """
    if _measured:
        return
    for command, modules, bar in _COMMANDS:
        files = sorted((_CORPUS / modules).glob("*.bc"))
        if not files:
            continue
        listed = folder / f"{modules}.rsp"
        listed.write_text("\n".join(map(str, islice(cycle(files), _COUNT))), encoding="utf-8")
        _measured.append(listed)
        # There are conflicts, and so it says no.
        times = interleaved({command: process(bitcodec_command(*command.split(), f"@{listed}"), code=1)}, runs)
        took = times[command]
        each = took.median / _COUNT * 1e3, took.least / _COUNT * 1e3
        yield Result(f"{command}, a module", f"{_COUNT:,} of {modules}", "ms", *each, bar, times)


ROWS_OF_MANY_MODULES = (many_modules,)

"""Feeds hostile input to every public function and every command: `python -m tests.hostile --seconds 600`.

A case is a number: an input changed at random, and what is done with it.  Only documented errors may come of it, in 5 s
of processor time for 100 KB of input, and in 60 bytes of memory for each byte of input and 100 MB; no worker may crash.
`--only N` runs the case of a number alone.  `--compare-forms` runs each case in the compiled and in the interpreted
form, and compares what came of it: texts, bytes, errors and their positions.

Numbers stand for the same cases wherever the same files are: with and without the shared corpus they differ.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bitcodec

from .cases import FAMILIES
from .causes import Cause
from .pool import Batches, Result, Worker, run_all
from .report import Report, save

MANY = 1 << 62
PACKAGE = Path(bitcodec.__file__).parent


def main() -> None:
    arguments = _parse()
    families = tuple(arguments.families.split(",")) if arguments.families else ()
    if arguments.save is not None:
        arguments.save.mkdir(parents=True, exist_ok=True)
    first = arguments.first if arguments.only is None else arguments.only
    count = arguments.cases if arguments.only is None else 1
    if arguments.only is not None and arguments.save is not None:
        save(arguments.save, arguments.only, families)
    report = Report(families, arguments.save)
    batches = Batches(first, first + count)
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        sources = [arguments.source, _copy_interpreted(Path(folder))] if arguments.compare_forms else [arguments.source]
        options = ["--slowness", str(arguments.slowness)]
        options += ["--families", arguments.families] if arguments.families else []
        jobs = [[Worker(source, options, arguments.slowness) for source in sources] for _ in range(arguments.jobs)]
        stop = _stopper(report, batches, arguments.seconds, keep_going=arguments.keep_going)
        run_all(batches, [_runner(workers, report, stop) for workers in jobs])
        for workers in jobs:
            for worker in workers:
                worker.stop()
    print(report.text(arguments.jobs))
    sys.exit(1 if report.failures or not report.count else 0)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="when to stop; default: after all cases")
    parser.add_argument("--cases", type=int, help="how many cases; default: as many as the time allows, or 1000")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case; default: 0")
    parser.add_argument("--only", type=int, help="run one case, by its number")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes; default: 1")
    parser.add_argument("--save", type=Path, help="folder for the input of cases that fail, or of --only")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first failure")
    parser.add_argument("--compare-forms", action="store_true", help="run both forms and compare the results")
    parser.add_argument("--families", help=f"kinds of cases, with commas between: {', '.join(FAMILIES)}; default: all")
    parser.add_argument("--source", type=Path, help="folder of the package to test; default: the one that is imported")
    parser.add_argument("--slowness", type=float, default=1.0, help="what limits are multiplied by; default: 1")
    arguments = parser.parse_args()
    if arguments.cases is None:
        arguments.cases = 1000 if arguments.seconds == float("inf") else MANY
    return arguments


def _copy_interpreted(folder: Path) -> Path:
    shutil.copytree(PACKAGE, folder / "bitcodec", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return folder


def _stopper(report: Report, batches: Batches, seconds: float, *, keep_going: bool) -> Callable[[], None]:
    end = time.monotonic() + seconds

    def stop() -> None:
        if time.monotonic() > end or (report.failures and not keep_going):
            batches.stop()

    return stop


def _runner(workers: list[Worker], report: Report, stop: Callable[[], None]) -> Callable[[int, int], None]:
    def run(first: int, last: int) -> None:
        for results in zip(*(worker.run(first, last) for worker in workers), strict=True):
            report.add(compare(*results))
        stop()

    return run


def compare(result: Result, other: Result | None = None) -> Result:
    """Return the result, or a failure if the other form gives something else."""
    if other is None or result.cause is not None:
        return result
    if other.cause is not None:
        return other._replace(cause=Cause(f"interpreted: {other.cause.kind}", other.cause.frame))
    if result.digest != other.digest:
        return result._replace(cause=Cause("forms differ"), name="`--only` shows the case")
    return result


if __name__ == "__main__":
    main()

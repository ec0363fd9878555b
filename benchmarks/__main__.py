"""`python -m benchmarks [--quick] [--runs N] [--json FILE] [--only ROW ...]`."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from pathlib import Path

from benchmarks.inputs import REAL, inputs
from benchmarks.measure import llvm_tool
from benchmarks.results import Result
from benchmarks.rows import ROWS
from benchmarks.table import as_json, print_result, print_table
from bitcodec import __version__
from bitcodec.bitstream import COMPILED


def main() -> None:
    """Measure, and print a table."""
    options = _parser().parse_args()
    wanted = [row for row in ROWS if not options.only or row.__name__ in options.only]
    form = "compiled" if COMPILED else "interpreted"
    print(f"bitcodec {__version__} ({form}), Python {platform.python_version()}")
    print(f"medians of {options.runs} interleaved runs, and the same of the fastest runs")
    if llvm_tool("llvm-bcanalyzer") is None:
        print("llvm-bcanalyzer is not installed: times are absolute, with nothing beside them")
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        found = inputs(Path(folder))
        if not REAL.is_dir():
            print(f"no files at {REAL}: a stream is made up")
        for source in found:
            print(f"{source.name}: {source.size:,} bytes")
            for row in wanted:
                if sys.stderr.isatty():
                    print(f"  {row.__name__} ...", file=sys.stderr, end="\r", flush=True)
                for result in row(source, options.runs, Path(folder)):
                    print_result(result)
                    results.append(result)
    print()
    print_table(results)
    if options.json:
        Path(options.json).write_text(json.dumps(as_json(results), indent=2), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Speed and memory beside LLVM's own tools."
    )
    parser.add_argument("--runs", type=int, default=11, metavar="N", help="runs of each thing (default: 11)")
    parser.add_argument("--quick", dest="runs", action="store_const", const=3, help="3 runs: to see where things are")
    parser.add_argument("--json", metavar="FILE", help="write all figures there")
    parser.add_argument(
        "--only", nargs="+", metavar="ROW", choices=[row.__name__ for row in ROWS], help="measure only these"
    )
    return parser


main()

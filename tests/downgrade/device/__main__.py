"""Runs generated kernels on the host, as they are and as they are written for libNVVM, and compares every result.

python -m tests.downgrade.device                     all kernels
python -m tests.downgrade.device --only reduce_fmax  kernels with that in their names
python -m tests.downgrade.device --step 10           every tenth kernel
python -m tests.downgrade.device --step 10 --first 3 every tenth kernel from the fourth on: ten runs are all
python -m tests.downgrade.device --step 8 --record   writes the record that tests without clang rely on
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import bitcodec

from .host import comparable, compile_library, for_host, joined, outputs, written_for_host
from .kernels import Kernel, kernels

RECORD = Path(__file__).parent / "compared.txt"
HEADER = """\
# Kernels whose results, as they are written for libNVVM, are those of the originals in each of 48 rows of operands,
# both compiled by clang 22.1.8 for x86-64 and run; recorded with --step 8 --record.  A line: the name, a digest of the
# text of the written module, and one of the results of the original.
"""
_LIMIT = 60
"""Seconds that a kernel may run."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}, unless a result differs")
    given = parser.parse_args()
    chosen = [each for each in kernels() if given.only in each.name][given.first :: given.step]
    counts: Counter[str] = Counter()
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        written: dict[Kernel, str] = {}
        for each in chosen:
            try:
                written[each] = written_text(each)
            except bitcodec.EncodingError as error:
                counts["refused"] += 1
                print(f"{each.name}: refused: {error}")
        originals = compile_library(joined(for_host(each.text) for each in written), folder, "original")
        lowered = compile_library(joined(map(written_for_host, written.values())), folder, "written")
        for each in written:
            faulthandler.dump_traceback_later(_LIMIT, exit=True)
            expected, found = (comparable(each, outputs(each, library)) for library in (originals, lowered))
            counts["same" if expected == found else "different"] += 1
            lines.append(f"{each.name} {digest(written_module(each))} {digest(repr(expected))}\n")
            if expected != found:
                print(f"{each.name}: different: {difference(expected, found)}", flush=True)
    print(dict(counts))
    if given.record and set(counts) == {"same"}:
        RECORD.write_text(HEADER + "".join(lines), encoding="utf-8")
    return int(set(counts) != {"same"})


def written_module(kernel: Kernel) -> str:
    """Return the text that bitcodec prints of what it writes for libNVVM."""
    return str(bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(kernel.module), profile="nvvm")))


def digest(text: str) -> str:
    """Return the beginning of a text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def recorded() -> dict[str, tuple[str, str]]:
    """Return the digests of what is written and of the results, by name of a kernel."""
    lines = (line.split() for line in RECORD.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {name: (written, results) for name, written, results in lines}


def written_text(kernel: Kernel) -> str:
    """Return the text of what is written for libNVVM."""
    data = bitcodec.dumps(bitcodec.parse_assembly(kernel.module), profile="nvvm")
    return subprocess.run(["llvm-dis-22", "-o", "-"], input=data, check=True, capture_output=True).stdout.decode()


def difference(expected: list[tuple[int | str, ...]], found: list[tuple[int | str, ...]]) -> str:
    """Return the first difference in words."""
    rows = [row for row, (one, other) in enumerate(zip(expected, found, strict=True)) if one != other]
    one, other = (
        tuple(hex(each) if isinstance(each, int) else each for each in list_[rows[0]]) for list_ in (expected, found)
    )
    return f"{len(rows)} rows; row {rows[0]}: {one} {other}"


if __name__ == "__main__":
    sys.exit(main())

"""Downgrades all modules of the corpus to every version, and has the real readers of these judge.

python -m tests.downgrade --meaning             all versions; compares what LLVM 22 reads from the results, too
python -m tests.downgrade --llvm 16 --llvm 19   some
python -m tests.downgrade --step 10             every tenth file
python -m tests.downgrade --only sqlite         files with that in their names, or with --without, all others

At the end it prints a table of the outcomes for each version, and counts the constructs that bitcodec refuses.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bitcodec

from .files import NOT_SOUND, files
from .meaning import FIRST_WITHOUT_CASTS, comparable, differences, disassembled, is_simplified
from .oracles import CRASHED, VERSIONS, has, verify

_OUTCOMES = ("accepted", "refused", "not accepted", "crashed", "different", "failed")
"""What becomes of a module, in the order of the columns.

"refused" is by bitcodec, "not accepted" and "crashed" by the reader; "different" means something else to LLVM 22 than
the original; "failed" ended in an error of this comparison.
"""
_REFUSAL = re.compile(r"(.*?)(?: in @.*?)? (?:cannot be written|would be lost) for LLVM \d+", re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", type=int, action="append", choices=VERSIONS)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--without")
    parser.add_argument("--meaning", action="store_true")
    given = parser.parse_args()
    named = [path for path in files() if path.name not in NOT_SOUND and given.only in path.name]
    if given.without:
        named = [path for path in named if given.without not in path.name]
    table: dict[int, Counter[str]] = {}
    refused: dict[int, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in filter(has, given.llvm or VERSIONS):
            counts, constructs = table.setdefault(version, Counter()), refused.setdefault(version, Counter())
            for path in named[given.first :: given.step]:
                kind, message = _outcome(version, path, Path(folder) / "older.bc", has_meaning=given.meaning)
                counts[kind] += 1
                if kind == "refused":
                    found = _REFUSAL.match(message)
                    constructs[found[1] if found else message] += 1
                if kind != "accepted":
                    print(f"LLVM {version}: {path.name}: {kind}: {message}", flush=True)
            print(f"LLVM {version}: {dict(counts)}", flush=True)
    _print_tables(table, refused)
    return int(any(counts.total() > counts["accepted"] + counts["refused"] for counts in table.values()))


def _outcome(version: int, path: Path, output: Path, *, has_meaning: bool) -> tuple[str, str]:
    try:
        return _judged(version, path, output, has_meaning=has_meaning)
    except subprocess.CalledProcessError as error:
        return "failed", f"{error}: {error.stderr[:300]!r}"
    except Exception:  # noqa: BLE001 - one file must not end the comparison of all
        return "failed", traceback.format_exc()[-1000:]


def _judged(version: int, path: Path, output: Path, *, has_meaning: bool) -> tuple[str, str]:
    losses: list[bitcodec.Loss] = []
    module = bitcodec.open(path)
    try:
        bitcodec.save(module, output, llvm_version=version, on_loss=losses.append)
    except bitcodec.EncodingError as error:
        return "refused", str(error)[:300]
    message = verify(version, output, module.target_triple)
    if message:
        return "crashed" if message.startswith(CRASHED) else "not accepted", message[:300]
    if has_meaning:
        original = comparable(path, output.parent, losses, version)
        before = _unchanged(path, is_simplified(version)) if original is path else disassembled(original, version)
        found = differences(before, disassembled(output, version), losses)
        if found:
            return "different", f"{len(found)} lines\n" + "\n".join(found[:8])
    return "accepted", ""


@lru_cache(maxsize=1000)
def _unchanged(path: Path, simplified: bool) -> str:
    """Return the text of a file of the corpus, which many versions are compared with."""
    return disassembled(path, FIRST_WITHOUT_CASTS - simplified)


def _print_tables(table: dict[int, Counter[str]], refused: dict[int, Counter[str]]) -> None:
    print("\nLLVM " + "".join(f"{outcome:>14}" for outcome in _OUTCOMES))
    for version, counts in sorted(table.items()):
        print(f"{version:4} " + "".join(f"{counts[outcome]:14}" for outcome in _OUTCOMES))
    for version, constructs in sorted(refused.items()):
        for construct, count in constructs.most_common():
            print(f"LLVM {version}: refused {count}: {construct}")


if __name__ == "__main__":
    sys.exit(main())

"""Downgrades all modules of the corpus to every version, and has the real readers of these judge.

python -m tests.bitcode.downgrade                       all versions
python -m tests.bitcode.downgrade --llvm 16 --llvm 19   some
python -m tests.bitcode.downgrade --step 10 --meaning   every tenth file; compares what llvm-dis 22 prints too
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import bitcodec

from .files import NOT_SOUND, files
from .meaning import comparable, differences, disassembled
from .oracles import VERSIONS, has, verify


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", type=int, action="append", choices=VERSIONS)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--meaning", action="store_true")
    given = parser.parse_args()
    failed = 0
    chosen = [path for path in files() if path.name not in NOT_SOUND][given.first :: given.step]
    with tempfile.TemporaryDirectory() as folder:
        for version in filter(has, given.llvm or VERSIONS):
            counts: Counter[str] = Counter()
            for path in chosen:
                outcome = _outcome(version, path, Path(folder) / "older.bc", has_meaning=given.meaning)
                kind = outcome.partition(":")[0]
                counts[kind] += 1
                if kind != "accepted":
                    print(f"LLVM {version}: {path.name}: {outcome}", flush=True)
            print(f"LLVM {version}: {dict(counts)}", flush=True)
            failed += counts.total() - counts["accepted"] - counts["refused"]
    return min(failed, 1)


def _outcome(version: int, path: Path, output: Path, *, has_meaning: bool) -> str:
    losses: list[bitcodec.Loss] = []
    module = bitcodec.open(path)
    try:
        bitcodec.save(module, output, llvm_version=version, on_loss=losses.append)
    except bitcodec.EncodingError as error:
        return f"refused: {error}"[:300]
    message = verify(version, output, module.target_triple)
    if message:
        return f"not accepted: {message[:300]}"
    if has_meaning:
        original = comparable(path, output.parent, losses)
        found = differences(disassembled(original, version), disassembled(output, version), losses)
        if found:
            return "different: " + "\n".join(found[:6])
    return "accepted"


if __name__ == "__main__":
    sys.exit(main())

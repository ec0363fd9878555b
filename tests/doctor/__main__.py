"""Holds the verdicts of `doctor` against the real readers: `python -m tests.doctor --count 1000`.

A third of the files is of the corpus, a third mutated, a third written for older versions; the number of a file is the
seed.  Prints the files for which a reader says something else, and for each reader how often verdict and message agree.
With `--keep`, answers of readers are kept, so that a changed table is held against them at once.  `--nvvm` does the
same for libNVVM, with files of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bitcodec import BitcodecError
from bitcodec.doctor import Effect, Verdict, diagnose
from libnvvm import compile_to_ptx

from .readers import Answer, ask, available
from .samples import for_libnvvm, for_versions

_OF_OPTIMIZER = "Symbol name with unsupported characters"
"""libNVVM has read it: its optimizer, a later step, leaves a jump to a block that it removed; with `-g` it does not."""
_SILENT = "exit status 1"
"""libNVVM refuses some broken modules without a message."""
LIBNVVM = 0
"""The number of libNVVM among the readers."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file (default: 0)")
    parser.add_argument("--llvm", type=int, action="append", help="version to ask (default: all that there are)")
    parser.add_argument("--nvvm", action="store_true", help="ask libNVVM alone")
    parser.add_argument("--keep", type=Path, help="folder for files and answers, made if it is not there")
    given = parser.parse_args()
    readers = [LIBNVVM] if given.nvvm else given.llvm or available()
    counts: dict[int, Counter[str]] = {reader: Counter() for reader in readers}
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.first, given.first + given.count):
            compare(number, readers, given.keep or Path(folder), counts)
    for reader, count in counts.items():
        name = "libNVVM" if reader == LIBNVVM else f"LLVM {reader}"
        same = count.total() - count["verdict"]
        refused = count["same message"] + count["message"]
        print(
            f"{name}: {same} of {count.total()} verdicts ({100 * same / count.total():.2f} %), "
            f"{count['same message']} of {refused} messages ({100 * count['same message'] / max(refused, 1):.2f} %), "
            f"{count['crash']} crashes, {count['undefined']} messages where others crash"
        )
    return 0


def compare(number: int, readers: list[int], folder: Path, counts: dict[int, Counter[str]]) -> None:
    """Compare what the readers say of a file with what `doctor` says."""
    name, data = (for_libnvvm if LIBNVVM in readers else for_versions)(number)
    answers = answers_about(number, data, readers, folder)
    try:
        (diagnosis, *_) = diagnose(data, profiles=("nvvm",) if LIBNVVM in readers else ())
    except BitcodecError as error:
        verdicts = {}
        unread = str(error)
    else:
        unread = ""
        verdicts = {LIBNVVM if each.profile else each.version: each for each in diagnosis.verdicts + diagnosis.profiles}
    for reader in readers:
        kind = kind_of(answers[reader], verdicts.get(reader))
        counts[reader][kind] += 1
        if kind in {"verdict", "message"}:
            verdict = verdicts.get(reader)
            said = unread if verdict is None else "reads it" if verdict.reads else repr(verdict.message)
            answer = answers[reader]
            real = "reads it" if answer.reads else "crashes" if answer.crashes else repr(answer.message[:300])
            print(f"{number} {name}: {reader} {kind}: {real}; doctor: {said}", flush=True)


def kind_of(answer: Answer, verdict: Verdict | None) -> str:
    """Return how an answer and a verdict (None: the file is no bitcode) compare."""
    if answer.reads != (verdict is not None and verdict.reads):
        return "verdict"
    if answer.reads:
        return "read"
    if answer.crashes:
        return "crash"
    if verdict is not None and verdict.obstacles[0].effect is Effect.CRASHES:
        return "undefined"
    return "same message" if verdict is None or is_said(verdict, answer.message) else "message"


def is_said(verdict: Verdict, message: str) -> bool:
    # libNVVM says where it is, or nothing at all.
    return verdict.message in message if verdict.profile and verdict.message else verdict.message == message


def answers_about(number: int, data: bytes, readers: list[int], folder: Path) -> dict[int, Answer]:
    """Return what the readers say of a file, from the folder if it is there."""
    prefix = "nvvm-" if LIBNVVM in readers else ""
    path = folder / f"{prefix}{number}.bc"
    record = path.with_suffix(".json")
    known: dict[int, Answer] = {}
    if record.exists() and path.read_bytes() == data:
        known = {int(reader): Answer(*answer) for reader, answer in json.loads(record.read_text()).items()}
    path.write_bytes(data)
    known |= {reader: _asked(reader, path) for reader in readers if reader not in known}
    record.write_text(json.dumps({reader: tuple(answer) for reader, answer in known.items()}))
    return known


def _asked(reader: int, path: Path) -> Answer:
    if reader != LIBNVVM:
        return ask(reader, path)
    message = compile_to_ptx(path).message
    if _OF_OPTIMIZER in message:
        message = ""
    if message == _SILENT:
        return Answer(reads=False, message="", crashes=False)
    return Answer(not message, message, crashes=message.startswith("exit status -"))


if __name__ == "__main__":
    sys.exit(main())

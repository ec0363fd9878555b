"""Compares bitcodec with llvm-as 22 on mutated texts: `python -m tests.asm.mutations --count 20000`.

Tokens of texts of the corpus are removed, doubled, swapped or replaced, in one of eight in the lines of a summary.
Both parse without the verifier.  Differences are printed by kind and count, with examples; `--only N` shows one
mutation.  The seed of a mutation is its number.  Totals are printed on the way.  What differs goes into the file of
`--keep`: the same command continues a run that was interrupted, and `--again` compares what is in the file once more.
The status is 1 if verdicts differ on more than one in 200, or bitcodec crashed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import bitcodec

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "corpus"
COMMAND = ["llvm-as-22", "-disable-output", "-disable-verify", "-"]
MAX_BYTES = 40_000
"""Of texts; larger ones are not mutated, so that a run has time for many."""
MAX_SECONDS = 20
TOLERATED = 200
"""Verdicts may differ on one mutation in so many."""

CLASSES = {
    "raised": "bitcodec raised an exception of another kind, or hung",
    "accepted": "bitcodec takes what llvm-as refuses",
    "refused": "bitcodec refuses what llvm-as takes",
    "place": "both refuse, at different places",
    "message": "both refuse at one place, in different words",
}
"""Kinds of differences, the verdicts first."""
VERDICTS = ("raised", "accepted", "refused")

_TOKEN = re.compile(rb'[%@!$]?"[^"\n]*"|![A-Za-z_.][\w.]*|[\w.$@%#^!-]+|[^\s\w]')
_ERROR = re.compile(r"<stdin>:(\d+:\d+): error: (.*)")
_NO_NAME = re.compile(r'%"type 0x[0-9a-f]+"')
"""How llvm-as prints a type without a name: by its address, which differs from run to run."""
CHUNK = 500
"""Mutations between two lines of totals."""
_WORDS = rb"""
0 1 -1 7 64 4294967296 99999999999999999999 i1 i8 i32 i64 i999 ptr void label metadata token opaque double float half
null undef poison zeroinitializer none true false 1.0 0x0 0xK1 c"a" "x" "" , ( ) [ ] { } < > = * : | x ! !0 !1 !99 !{}
%0 %1 %99 %x @x @0 #0 #9 $x ^0 ^1 ^99 distinct define declare global constant alias private internal external weak
hidden dllimport dso_local unnamed_addr thread_local addrspace(1) align 4 section comdat gc noinline nounwind readnone
memory(none) nocapture byval(i32) sret(i8) noundef range(i8,0,1) dereferenceable(4) fastcc cc tail musttail nuw nsw
exact fast nnan inbounds volatile atomic seq_cst monotonic acquire unordered syncscope("a") add fadd icmp eq ult br ret
switch phi call load store getelementptr alloca select trunc bitcast inttoptr invoke landingpad cleanup unreachable
vscale splat blockaddress asm sideeffect ... to within unwind from name: scope: line: guid flags refs module summaries
DW_TAG_member DW_OP_deref DW_ATE_signed DIFlagPublic !DIExpression() !DIArgList() !DILocation() #dbg_value
""".split()
"""What tokens are replaced by."""


class Difference(NamedTuple):
    """A difference between bitcodec and llvm-as.

    Attributes:
        kind: one of CLASSES.
        llvm: the error of llvm-as, empty if it takes the text.
        ours: that of bitcodec.
    """

    kind: str
    llvm: str
    ours: str


@cache
def texts() -> list[tuple[str, bytes]]:
    """Return the texts that are mutated, with their names."""
    paths = sorted((FOLDER / "modules").glob("*.ll.gz")) + sorted((FOLDER / "legacy").glob("*.ll.gz"))
    found = [(path.name, gzip.decompress(path.read_bytes())) for path in paths if path.stat().st_size < MAX_BYTES]
    return [(name, text) for name, text in found if len(text) < MAX_BYTES]


@cache
def texts_with_summaries() -> list[tuple[str, bytes]]:
    """Return those of the texts that have a summary that llvm-as takes."""
    return [(name, text) for name, text in texts() if b"\n^0 = " in text and answer_of_llvm(text) == ""]


def mutation_of(number: int) -> tuple[str, bytes]:
    """Return the name of a text and its mutation of a number."""
    source = random.Random(f"assembly {number}")
    is_summary = number % 8 == 7
    name, text = source.choice(texts_with_summaries() if is_summary else texts())
    lines = text.split(b"\n")
    chosen = [
        index
        for index, line in enumerate(lines)
        if line.strip() and line[:1] != b";" and (line[:1] == b"^" or not is_summary)
    ]
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        index = source.choice(chosen)
        lines[index] = changed_line(lines[index], source)
    return name, b"\n".join(lines)


def changed_line(line: bytes, source: random.Random) -> bytes:
    """Return a line with a token removed, doubled, swapped with another of the line, or replaced."""
    tokens = list(_TOKEN.finditer(line))
    if not tokens:
        return line
    token = source.choice(tokens)
    before, after = line[: token.start()], line[token.end() :]
    kind = source.randrange(6)
    if kind == 0:
        return before + after
    if kind == 1:
        return before + token[0] + b" " + token[0] + after
    if kind == 2:
        first, second = sorted((token, source.choice(tokens)), key=re.Match.start)
        if first is second:
            return before + after
        between = line[first.end() : second.start()]
        return line[: first.start()] + second[0] + between + first[0] + line[second.end() :]
    if kind == 3:
        return before + source.choice(tokens)[0] + after
    word = source.choice(_WORDS)
    return before + word + after if kind == 4 else before + word + b" " + token[0] + after


def answer_of_llvm(text: bytes) -> str | None:
    """Return the error of llvm-as with its place, empty if it takes the text, None if it crashed."""
    try:
        done = subprocess.run(COMMAND, input=text, capture_output=True, check=False, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode == 0:
        return ""
    found = _ERROR.search(done.stderr.decode(errors="replace"))
    if found is None:
        return None
    message = _NO_NAME.sub('%""', found[2]).replace('%"" = type opaque', "opaque")
    return f"{found[1]}: {message}"


class Hung(Exception):  # noqa: N818 - a state, and seen nowhere else
    """Bitcodec has not finished in time."""


def answer_of_bitcodec(text: bytes) -> str:
    """Return the error of bitcodec with its place, empty if it takes the text.

    Raises:
        Exception: of any kind that is not bitcodec's own.
    """
    signal.alarm(MAX_SECONDS)
    try:
        bitcodec.parse_assembly(text, dialect=22)
    except bitcodec.AssemblyError as error:
        return str(error)
    finally:
        signal.alarm(0)
    return ""


def compare(text: bytes) -> Difference | None:
    """Return how bitcodec and llvm-as differ on a text, None if they agree or llvm-as crashed."""
    theirs = answer_of_llvm(text)
    try:
        ours = answer_of_bitcodec(text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Difference("raised", theirs or "", f"{error!r} {Path(frame.filename).name}:{frame.lineno}")
    if theirs is None or theirs == ours:
        return None
    if not theirs or not ours:
        return Difference("accepted" if theirs else "refused", theirs, ours)
    is_same_place = theirs.partition(": ")[0] == ours.partition(": ")[0]
    return Difference("message" if is_same_place else "place", theirs, ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutation (default: 0)")
    parser.add_argument("--only", type=int, help="run one mutation, by its number")
    parser.add_argument("--save", type=Path, help="write the text of --only here")
    parser.add_argument("--keep", type=Path, help="write what differs here, as JSON; continue if it is there")
    parser.add_argument("--again", type=Path, help="compare only the mutations that such a file has")
    parser.add_argument("--examples", type=int, default=3, help="numbers shown for each group (default: 3)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, _hang)
    if arguments.only is not None:
        show(arguments.only, arguments.save)
        return
    numbers = [*range(arguments.first, arguments.first + arguments.count)]
    if arguments.again:
        numbers = [number for number, *_ in json.loads(arguments.again.read_text())["differences"]]
    found = compare_all(numbers, arguments.keep)
    report(found, arguments.examples)
    if any(each.kind == "raised" for _, each in found) or count_verdicts(found) * TOLERATED > len(numbers):
        raise SystemExit(1)


def compare_all(numbers: list[int], keep: Path | None) -> list[tuple[int, Difference]]:
    """Return what differs on mutations, by their numbers; print totals on the way.

    Args:
        numbers: of the mutations.
        keep: gets what differs after each chunk. A file that is there has the first chunks of this run.
    """
    done, found = 0, []
    if keep is not None and keep.exists():
        kept = json.loads(keep.read_text())
        done, found = kept["done"], [(number, Difference(*rest)) for number, *rest in kept["differences"]]
    started, skipped = time.monotonic(), done
    while done < len(numbers):
        chunk = numbers[done : done + CHUNK]
        found += [(number, each) for number in chunk if (each := compare(mutation_of(number)[1]))]
        done += len(chunk)
        if keep is not None:
            keep.write_text(json.dumps({"done": done, "differences": [(number, *each) for number, each in found]}))
        seconds = time.monotonic() - started
        kinds = dict(Counter(each.kind for _, each in found))
        print(
            f"{done} mutations ({done - skipped} in {seconds:.0f} s): {count_verdicts(found)} verdicts differ; {kinds}",
            flush=True,
        )
    return found


def count_verdicts(found: list[tuple[int, Difference]]) -> int:
    """Return on how many mutations verdicts differ."""
    return sum(each.kind in VERDICTS for _, each in found)


def _hang(_signal: int, _frame: object) -> None:
    raise Hung


_GENERAL = [
    (re.compile(r"^\d+:\d+: "), ""),
    (re.compile(r"'[^']*'|\"[^\"]*\""), "'...'"),
    (re.compile(r"-?\d+"), "N"),
]


def _general(message: str) -> str:
    for pattern, replacement in _GENERAL:
        message = pattern.sub(replacement, message)
    return message[:100]


def report(found: list[tuple[int, Difference]], examples: int) -> None:
    """Print differences, grouped by both messages."""
    groups: dict[tuple[str, str, str], list[tuple[int, Difference]]] = defaultdict(list)
    for number, difference in found:
        groups[difference.kind, _general(difference.llvm), _general(difference.ours)].append((number, difference))
    for kind, meaning in CLASSES.items():
        of_kind = sorted((group for group in groups if group[0] == kind), key=lambda group: -len(groups[group]))
        print(f"{kind}: {meaning}: {sum(len(groups[group]) for group in of_kind)}")
        for group in of_kind:
            members = groups[group]
            print(f"  {len(members):4} llvm-as: {members[0][1].llvm[:200]}")
            print(f"       ours: {members[0][1].ours[:200]}  {[number for number, _ in members[:examples]]}")


def show(number: int, path: Path | None) -> None:
    """Print a mutation's lines and both answers."""
    name, text = mutation_of(number)
    if path:
        path.write_bytes(text)
    original = dict(texts())[name].split(b"\n")
    print(name)
    for index, (line, changed) in enumerate(zip(original, text.split(b"\n"), strict=True)):
        if line != changed:
            print(f"{index + 1:5} {line.decode(errors='replace')}\n      {changed.decode(errors='replace')}")
    print(f"llvm-as: {answer_of_llvm(text)}")
    print(compare(text))


if __name__ == "__main__":
    sys.exit(main())

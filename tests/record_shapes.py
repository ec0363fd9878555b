"""Each kind of record of a module, too short, too long and with huge operands: `python -m tests.record_shapes FILE...`.

Only one record of each stream is changed, so that a failure names it.  The streams go through some of the functions of
`tests.entry_points`.
"""

from __future__ import annotations

import argparse
import faulthandler
import itertools
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitcodec import BitcodecError
from bitcodec.bitstream import AbbreviationId, Bitstream
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID

try:
    from entry_points import ENTRY_POINTS
except ImportError:  # run as a module
    from tests.entry_points import ENTRY_POINTS  # type: ignore[no-redef]

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitstream import Draft, DraftBlock, DraftRecord

__all__ = ["Shape", "changed_records", "failures"]

HUGE = ((1 << 64) - 1, 1 << 63, (1 << 32) - 1, 1 << 31, 1 << 24)
MAX_CHANGED_OPERANDS = 24
ROUTES = frozenset(
    """
    bitcode.dumps bitcode.dumps.triple bitcode.summarize change.attach change.edit_body change.rename_function
    change.set_flag change.strip change.triple diff.differences dumps dumps.anew dumps.one_body flags.replace_flags
    module.besides module.summary str symbols_of verify
    """.split()  # noqa: SIM905 - a set with quotes around each name says no more
)
"""The entry points that changed records go through."""


class Shape(NamedTuple):
    """A stream with one record changed.

    Attributes:
        name: block id, record code and what was changed.
        data: the stream.
    """

    name: str
    data: bytes


def _kinds(draft: Draft) -> Iterator[tuple[str, DraftRecord]]:
    """Yield the first and the last record of each code in each kind of block."""
    pending: list[tuple[str, DraftBlock]] = [(str(block.id), block) for block in draft.blocks]
    found: dict[str, list[DraftRecord]] = {}
    while pending:
        path, block = pending.pop(0)
        if block.id != BLOCKINFO_BLOCK_ID:
            for record in block.records:
                found.setdefault(f"{path}:{record.code}", []).append(record)
            pending += [(f"{path}/{inner.id}", inner) for inner in block.blocks]
    for name, records in found.items():
        yield name, records[0]
        if len(records) > 1:
            yield f"{name} (last)", records[-1]


def _operands(operands: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    count = len(operands)
    if count:
        yield "no operands", ()
    for length in sorted({1, 2, count // 2, count - 2, count - 1}):
        if 0 < length < count:
            yield f"{length} operands", operands[:length]
    yield "one more", (*operands, 0)
    yield "one more, huge", (*operands, HUGE[0])
    yield "more", (*operands, *[1] * 9)
    for index in range(min(count, MAX_CHANGED_OPERANDS)):
        for value in (*HUGE[: 2 if index > 3 else 5], operands[index] + 1, 0):
            if value != operands[index]:
                yield f"operand {index} is {value}", (*operands[:index], value & HUGE[0], *operands[index + 1 :])


def changed_records(data: bytes, first: int = 0, step: int = 1) -> Iterator[Shape]:
    """Yield the stream with each kind of record changed in each way, or one in `step` of these from the `first` on."""
    changes = itertools.count(-first)
    count = len(list(_kinds(Bitstream(data).edit())))
    for number in range(count):
        draft = Bitstream(data).edit()
        name, record = list(_kinds(draft))[number]
        before, blob = record.operands, record.blob
        for change, operands in _operands(before):
            place = next(changes)
            if place < 0 or place % step:
                continue
            record.operands = operands
            if blob is None:
                record.abbreviation_id = AbbreviationId.UNABBREV_RECORD
            try:
                yield Shape(f"{name} {change}", draft.dumps())
            except BitcodecError:
                continue  # an abbreviation with a blob that cannot express it


def failures(shape: Shape) -> Iterator[tuple[str, BaseException]]:
    """Yield the entry points that raise what they must not, with what they raise."""
    for entry_point in ENTRY_POINTS:
        if entry_point.name not in ROUTES:
            continue
        try:
            entry_point(shape.data)
        except entry_point.refuses:
            pass
        except Exception as error:  # noqa: BLE001 - which is what is looked for
            yield entry_point.name, error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--step", type=int, default=1, help="take every N-th shape alone")
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    seen: dict[str, int] = {}
    total = 0
    for file in arguments.files:
        for number, shape in enumerate(changed_records(file.read_bytes())):
            if (number - arguments.first) % arguments.step:
                continue
            total += 1
            faulthandler.dump_traceback_later(60, exit=True)
            for name, error in failures(shape):
                frames = traceback.extract_tb(error.__traceback__)
                place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
                key = f"{type(error).__name__} {place}"
                seen[key] = seen.get(key, 0) + 1
                if seen[key] <= 2:
                    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-1:-5:-1])
                    print(
                        f"{file.name}: {shape.name}: {name}: {type(error).__name__}: {str(error)[:200]} [{where}]",
                        flush=True,
                    )
    faulthandler.cancel_dump_traceback_later()
    print(f"{total} shapes, {sum(seen.values())} failures of {len(seen)} kinds")
    sys.exit(bool(seen))


if __name__ == "__main__":
    main()

"""Mutates real files and feeds them to all that reads: `python -m tests.mutations --count 20000`.

Nothing but a `BitcodecError` may come of it, within two seconds of processor time for each and 500 MB for all.  One in
four changes bytes, which mostly ends in the bitstream; the others change records and write them anew, so that what
they say is what has to be refused.  The seed is the number of the mutation, so that a failure can be repeated:
`--only N` runs the N-th alone.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import resource
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.hostile.mutators import mutated, with_records_changed

from bitcodec import BitcodecError, EncodingError
from bitcodec.asm import module_text
from bitcodec.bitcode import foreign
from bitcodec.bitcode.loading import loads, modules_in
from bitcodec.bitcode.modules import modules_of, single_module
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitcode.saving import dumps
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream import Bitstream, encode
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.magic import StreamKind
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.containers import open_streams
from bitcodec.flags import conflicts, explanation, lint, merge
from bitcodec.ir.module import Module

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
FOLDERS = [DATA, DATA / "upgrade", ROOT / "examples", *(ROOT.parent / "shared" / "corpus").glob("[!s]*/")]
SUFFIXES = {".bc", ".o", ".obj", ".a", ".lib", ".dia", ".pch", ".pcm", ".bitstream", ".profile", ".offload"}
MOST_SECONDS = 2.0
MOST_MEGABYTES = 500
LIMIT = 2 << 30
"""Bytes of address space: what asks for more gets a MemoryError, not the machine."""
LARGEST_CHANGED = 40_000
"""Bytes; records of larger files are not changed, so that a run has time for many."""

# Reading


def read_everything(data: bytes) -> None:
    """Do all that the commands do with a file, and read its modules whole."""
    for found in open_streams(memoryview(data)):
        read_stream(found.stream)


def read_stream(stream: Bitstream) -> None:
    """Decode, print, count and take apart; an error in one of them does not keep the others from being tried."""
    columns = stream.decode()
    remarks = DumpRemarks(stream.payload, columns)
    for attempt in (
        lambda: sum(map(len, dump_chunks(stream.payload, columns, table=LLVM_IR_NAMES, remarks=remarks))),
        lambda: block_statistics(columns),
        lambda: summarize(stream),
        lambda: [single_module(stream, module) for module in modules_of(stream)],
        lambda: encode(stream.payload, columns),
        lambda: stream.edit().dumps(),
        lambda: read_modules(stream),
    ):
        try:
            attempt()
        except BitcodecError as error:
            check_message(error)


def read_flags(module: Module) -> None:
    """Do what can be done with module flags."""
    flags = module.flags
    _ = flags.check(), lint(flags), conflicts([("once", flags), ("twice", flags)])
    for diagnostic in merge(flags, flags).diagnostics:
        _ = str(diagnostic), explanation(diagnostic)


def read_modules(stream: Bitstream) -> None:
    """Read the modules of a stream whole.

    Raises:
        BitcodecError: they are malformed.
    """
    if stream.kind is StreamKind.LLVM_IR:
        for module in modules_in(stream, "mutated"):
            module.materialize()
            read_flags(module)
            for _ in module_text(module):
                pass
            look_at(module)
            write(module)


def write(module: Module) -> None:
    """Write a module, which has been read whole, and read what was written: that is never malformed."""
    data = dumps(module, copies_unchanged=False)
    try:
        loads(data).materialize()
    except BitcodecError as error:
        raise AssertionError(f"what was written cannot be read: {error}") from error


def look_at(module: Module) -> None:
    """Ask for what was read: a part that is not what it says would be found out here."""
    for value in module.globals:
        assert repr(value)
        assert value.parent is module
    for function in module.functions:
        for block in function.blocks:
            assert block.parent is function
            for instruction in block.instructions:
                assert instruction.parent is block
                assert repr(instruction)
                assert all(repr(operand) for operand in instruction.operands)
                assert all(repr(node) for node in instruction.metadata.values())
    for named in module.named_metadata.values():
        assert all(repr(node) for node in named.operands)


def check_message(error: BitcodecError) -> None:
    """Check that an error is one line that a user can read."""
    message = str(error)
    assert message, "an error without a word"
    assert "\n" not in message, f"an error of several lines: {message}"
    assert len(message) < 2000, f"an error of {len(message)} characters: {message[:200]}"


# The command


class Mutation(NamedTuple):
    """A mutation by its number.

    Attributes:
        name: the file that it is made of.
        data: the changed file.
        read: what reads it.
    """

    name: str
    data: bytes
    read: Callable[[bytes], None]


@cache
def files() -> list[Path]:
    return in_order(path for folder in FOLDERS for path in folder.iterdir() if path.suffix in SUFFIXES)


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Return paths in the same order wherever the project is: its own files are first."""
    return sorted(paths, key=lambda path: (not path.is_relative_to(ROOT), path))


@cache
def modules() -> list[Path]:
    """Return the files whose records are changed."""
    return [path for path in files() if path.stat().st_size < LARGEST_CHANGED and is_module(path)]


def is_module(path: Path) -> bool:
    try:
        stream = Bitstream(path.read_bytes())
        return stream.kind is StreamKind.LLVM_IR and any(block.id == BlockId.MODULE_BLOCK for block in stream.blocks)
    except BitcodecError:
        return False


def mutation(index: int) -> Mutation:
    """Return the mutation of a number."""
    source = random.Random(index)
    if index % 4:
        path = source.choice(modules())
        try:
            data = with_records_changed(path.read_bytes(), source)
            return Mutation(path.name, data, lambda data: read_modules(Bitstream(data)))
        except (BitcodecError, EncodingError):
            pass  # a malformed file of the corpus, or a blob where none can be
    path = source.choice(files())
    return Mutation(path.name, mutated(path.read_bytes(), source), read_everything)


def outcome(index: int) -> tuple[str, float]:
    """Run a mutation; return why it was refused, "" if it was not, and the seconds it took."""
    made = mutation(index)
    start = time.process_time()
    try:
        made.read(made.data)
        reason = ""
    except BitcodecError as error:
        check_message(error)
        reason = str(error)
    return reason, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutation")
    parser.add_argument("--only", type=int, help="run one mutation, by its number")
    parser.add_argument("--keep-going", action="store_true", help="tell of every failure, not of the first alone")
    parser.add_argument("--save", type=Path, help="where to put the file of a mutation that fails, or of --only")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    foreign.ARE_REFUSED = False  # what a boundary would turn into a refusal is a check that is missing
    first = arguments.first if arguments.only is None else arguments.only
    count = arguments.count if arguments.only is None else 1
    refused = failed = 0
    slowest = (0.0, 0)
    for index in range(first, first + count):
        faulthandler.dump_traceback_later(60, exit=True)
        if arguments.save and arguments.only is not None:
            arguments.save.write_bytes(mutation(index).data)
        try:
            reason, seconds = outcome(index)
            if arguments.only is not None:
                print(reason or "read")
            assert seconds <= MOST_SECONDS, f"{seconds:.1f} s"
        except Exception as error:
            failed += 1
            print(f"\rmutation {index}, of {mutation(index).name}: {type(error).__name__}: {error}", file=sys.stderr)
            if not arguments.keep_going:
                raise
            continue
        refused += bool(reason)
        slowest = max(slowest, (seconds, index))
        if sys.stderr.isatty() and index % 20 == 0:
            print(f"\r{index - first + 1} of {count}, {refused} refused", end="", file=sys.stderr)
    faulthandler.cancel_dump_traceback_later()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{count} mutations of {len(files())} files: {refused} refused, {failed} failed; "
        f"slowest {slowest[0]:.2f} s (number {slowest[1]}), peak {megabytes:.0f} MB in one process"
    )
    if megabytes > MOST_MEGABYTES or failed:
        sys.exit("too much memory" if not failed else 1)


if __name__ == "__main__":
    main()

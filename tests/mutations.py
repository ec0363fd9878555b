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
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bitcodec import BitcodecError, EncodingError
from bitcodec.asm import module_text
from bitcodec.bitcode.loading import load, modules_in
from bitcodec.bitcode.modules import modules_of, single_module
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitcode.saving import dumps
from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId, ModuleCode
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitcode.summary import summarize
from bitcodec.bitcode.upgrade.intrinsics import aarch64, amdgcn, arm, debug, generic, memory, nvvm, riscv, wasm, x86
from bitcodec.bitstream import Bitstream, encode
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.items import DraftBlock, DraftRecord
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


# Bytes


def mutated(data: bytes, source: random.Random) -> bytes:
    """Return `data` with a few bits, bytes or words changed, cut off, doubled or removed."""
    copy = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 4, 16))):
        place = source.randrange(max(len(copy), 1))
        kind = source.randrange(6)
        if kind == 0 and copy:
            copy[place % len(copy)] ^= 1 << source.randrange(8)
        elif kind == 1 and copy:
            copy[place % len(copy)] = source.choice((0, 0x7F, 0x80, 0xFF))
        elif kind == 2:
            copy[place & ~3 : (place & ~3) + 4] = source.choice((b"\0" * 4, b"\xff" * 4, b"\xff\xff\xff\x7f"))
        elif kind == 3 and source.random() < 0.2:
            del copy[place:]
        elif kind == 4:
            del copy[place & ~3 : (place & ~3) + 4 * source.randrange(1, 5)]
        else:
            copy[place & ~3 : place & ~3] = copy[place & ~3 : (place & ~3) + 4 * source.randrange(1, 5)]
    return bytes(copy)


# Records

NUMBERS = [0, 1, 2, 3, 8, 31, 32, 63, 64, 65, 128, 255, 1 << 16, 1 << 20, 1 << 24, 1 << 31, 1 << 32, 1 << 63, 1 << 64]
"""Whose neighbours below are of interest too."""


def with_records_changed(data: bytes, source: random.Random) -> bytes:
    """Return a stream with a few records or blocks changed, doubled, moved or removed, and written anew.

    Raises:
        BitcodecError: it is no sound stream.
    """
    draft = Bitstream(data).edit()
    blocks = all_blocks(draft.blocks)
    for _ in range(source.choice((1, 1, 1, 2, 3, 8))):
        block = source.choice(blocks) if source.random() < 0.4 else by_size(blocks, source)
        if block.items:
            source.choice(CHANGES)(block, source.randrange(len(block.items)), source)
    if source.random() < 0.2:
        rename_function(blocks, source)
    return draft.dumps()


def all_blocks(outer: list[DraftBlock]) -> list[DraftBlock]:
    """Return these blocks and all inside them, but for BLOCKINFO: what is changed there the bitstream refuses."""
    found = list(outer)
    for block in found:
        found += block.blocks
    return [block for block in found if block.id != BLOCKINFO_BLOCK_ID]


def by_size(blocks: list[DraftBlock], source: random.Random) -> DraftBlock:
    return source.choices(blocks, [len(block.items) + 1 for block in blocks])[0]


def change_operand(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    if not isinstance(record, DraftRecord):
        return
    if not record.operands:
        rewrite(record, [number(source)])
        return
    operands = list(record.operands)
    # What a record is about stands in front.
    place = source.randrange(min(len(operands), source.choice((4, 16, len(operands)))))
    kind = source.randrange(4)
    if kind == 0:
        operands[place] += source.choice((-2, -1, 1, 2, 5))
    elif kind == 1:
        operands[place] ^= 1 << source.randrange(source.choice((4, 8, 32, 64)))
    else:
        operands[place] = source.choice(operands) if kind == 2 else number(source)
    rewrite(record, operands)


def change_length(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    if isinstance(record, DraftRecord):
        operands = list(record.operands)
        place = source.randint(0, len(operands))
        change = source.randrange(3)
        if change == 0:
            del operands[place:]
        elif change == 1:
            del operands[place : place + 1]
        else:
            operands[place:place] = [number(source) for _ in range(source.choice((1, 1, 2, 9)))]
        rewrite(record, operands)


def change_code(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    known = RECORD_CODES.get(block.id)  # type: ignore[call-overload]
    if isinstance(record, DraftRecord) and known is not None:
        record.code = source.choice([*known]).value if source.random() < 0.95 else source.randrange(100)
        rewrite(record, list(record.operands))


def double(block: DraftBlock, index: int, source: random.Random) -> None:
    item = block.items[index]
    if isinstance(item, DraftRecord):
        item = DraftRecord(item.code, item.operands, item.abbreviation_id, item.blob)
        block.items.insert(source.choice((index, source.randrange(len(block.items)))), item)
    elif isinstance(item, DraftBlock) and item.source is not None:
        block.items.insert(source.randrange(len(block.items)), DraftBlock.of(item.source))


def move(block: DraftBlock, index: int, source: random.Random) -> None:
    if not is_definition(block, index):
        block.items.insert(source.randrange(len(block.items)), block.items.pop(index))


def remove(block: DraftBlock, index: int, _source: random.Random) -> None:
    if not is_definition(block, index):
        del block.items[index]


def exchange_operands(block: DraftBlock, index: int, source: random.Random) -> None:
    record = block.items[index]
    others = block.records
    if isinstance(record, DraftRecord) and others:
        rewrite(record, list(source.choice(others).operands))


def rename_function(blocks: list[DraftBlock], source: random.Random) -> None:
    """Give a function the name of another, or of an intrinsic that old files have: whatever its type is."""
    functions = [
        record
        for block in blocks
        if block.id == BlockId.MODULE_BLOCK
        for record in block.records
        if record.code == ModuleCode.FUNCTION and len(record.operands) > 2
    ]
    blobs = [record for block in blocks if block.id == BlockId.STRTAB_BLOCK for record in block.records if record.blob]
    if functions and blobs:
        record = source.choice(functions)
        where = source.choice(functions).operands[:2]
        if source.random() < 0.5:
            names, name = bytes(blobs[0].blob or b""), source.choice(old_intrinsics()).encode()
            where = (len(names), len(name))
            blobs[0].blob = names + name
        rewrite(record, [*where, *record.operands[2:]])


@cache
def old_intrinsics() -> list[str]:
    tables = {"": (generic, memory), "x86.": (x86,), "aarch64.": (aarch64,), "arm.": (arm,), "nvvm.": (nvvm,)}
    tables |= {"amdgcn.": (amdgcn,), "riscv.": (riscv,), "wasm.": (wasm,), "dbg.": (debug,)}
    names = [
        f"llvm.{target}{name}"
        for target, homes in tables.items()
        for home in homes
        for name in (
            home.TABLE.rows if home is x86 else [*home.TABLE._exact, *(row[0] for row in home.TABLE._prefixes)]
        )
    ]
    return [name.replace("*", source) for name in names for source in ("", ".v4i32")]


def is_definition(block: DraftBlock, index: int) -> bool:
    return not isinstance(block.items[index], DraftRecord | DraftBlock)


CHANGES: list[Callable[[DraftBlock, int, random.Random], None]] = [
    *[change_operand] * 8,
    *[change_length] * 3,
    *[change_code] * 2,
    double,
    move,
    remove,
    exchange_operands,
]


def number(source: random.Random) -> int:
    return source.choice((source.choice(NUMBERS) - source.randrange(2), source.randrange(300), source.randrange(8)))


def rewrite(record: DraftRecord, operands: list[int]) -> None:
    """Give a record other operands; without an abbreviation, unless it has a blob, they may be any."""
    record.operands = tuple(operand & (1 << 64) - 1 for operand in operands)
    if record.blob is None:
        record.abbreviation_id = AbbreviationId.UNABBREV_RECORD


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
        load(data).materialize()
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
    return sorted(path for folder in FOLDERS for path in folder.iterdir() if path.suffix in SUFFIXES)


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

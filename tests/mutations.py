"""Mutates real files and feeds them to all that reads: `python -m tests.mutations --count 20000`.

Nothing but a `BitcodecError` may come of it, within two seconds and 500 MB for each.  The seed is fixed, so that a
failure can be repeated: `--only N` runs the N-th mutation alone.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from pathlib import Path

from bitcodec import BitcodecError
from bitcodec.bitcode.modules import modules_of, single_module
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream import Bitstream, encode
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.containers import open_streams

ROOT = Path(__file__).parents[1]
FOLDERS = [ROOT / "tests" / "data", ROOT / "examples", *(ROOT.parent / "shared" / "corpus").glob("[!s]*/")]
SUFFIXES = {".bc", ".o", ".obj", ".a", ".lib", ".dia", ".pch", ".pcm", ".bitstream", ".profile", ".offload"}
MOST_SECONDS = 2.0
MOST_MEGABYTES = 500


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


def read_everything(data: bytes) -> None:
    """Do all that the commands do with a file."""
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
    ):
        try:
            attempt()
        except BitcodecError as error:
            if "\n" in str(error):
                raise AssertionError(f"an error of several lines: {error}") from error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--only", type=int, help="run one mutation, by its number")
    arguments = parser.parse_args()
    files = sorted(path for folder in FOLDERS for path in folder.iterdir() if path.suffix in SUFFIXES)
    numbers = [arguments.only] if arguments.only is not None else range(arguments.count)
    refused, slowest = 0, 0.0
    for number in numbers:
        source = random.Random(number)
        path = source.choice(files)
        data = mutated(path.read_bytes(), source)
        start = time.perf_counter()
        try:
            read_everything(data)
        except BitcodecError:
            refused += 1
        except BaseException:
            print(f"mutation {number}, of {path.name}", file=sys.stderr)
            raise
        seconds = time.perf_counter() - start
        slowest = max(slowest, seconds)
        if seconds > MOST_SECONDS:
            sys.exit(f"mutation {number}, of {path.name}: {seconds:.1f} s")
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(numbers)} mutations of {len(files)} files: {refused} refused at once, none crashed; "
        f"slowest {slowest:.2f} s, peak {megabytes:.0f} MB in one process"
    )
    if megabytes > MOST_MEGABYTES:
        sys.exit("too much memory")


if __name__ == "__main__":
    main()

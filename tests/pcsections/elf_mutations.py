"""Mutates ELF files and reads all of them: `python -m tests.pcsections.elf_mutations --count 20000`.

Nothing but a `BitcodecError` may come of it, within two seconds of processor time.  The seed is the number of the
mutation, so that a failure can be repeated: `--first N --count 1`.
"""

from __future__ import annotations

import argparse
import random
import resource
import struct
import time
from functools import cache
from pathlib import Path

from tests.hostile.mutators import mutated
from tests.mutations import check_message

from bitcodec import BitcodecError
from bitcodec.containers.elf_file import ElfFile
from bitcodec.pcsections.debug_info.lines import Lines
from bitcodec.pcsections.objects.pieces import pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbols

FOLDER = Path(__file__).parents[1] / "data" / "pcsections"
EXPECTED = FOLDER / "expected.json"
MOST_SECONDS = 2.0
LIMIT = 2 << 30
"""Bytes of address space: what asks for more gets a MemoryError, not the machine."""
NUMBERS = [0, 1, 2, 3, 4, 7, 8, 11, 16, 18, 24, 0x83, 0x800, 0xFF00, 0xFFF1, 0xFFFF, 1 << 16, 1 << 31, (1 << 64) - 1]


@cache
def files() -> list[bytes]:
    return [path.read_bytes() for path in sorted(FOLDER.iterdir()) if path != EXPECTED]


def mutation(index: int) -> bytes:
    """Return the mutation of a number: changed bytes, or changed fields of headers, symbols and relocations."""
    source = random.Random(index)
    data = source.choice(files())
    return mutated(data, source) if index % 4 == 0 else with_fields_changed(data, source)


def with_fields_changed(data: bytes, source: random.Random) -> bytes:
    file, copy = ElfFile(data), bytearray(data)
    table = file.header.section_table(file.data)
    assert table is not None
    order = "<" if file.header.byte_order == "little" else ">"
    for _ in range(source.choice((1, 1, 2, 4))):
        section = source.choice(file.sections[1:])
        header = table.start + section.index * table.layout.size
        start, size = source.choice(((header, table.layout.size), (section.offset, section.size), (16, 48)))
        width = source.choice((1, 2, 4, 8))
        if size >= width:
            at = start + source.randrange(size // width) * width
            value = source.choice((source.choice(NUMBERS), source.randrange(300), source.getrandbits(8 * width)))
            format_ = order + {1: "B", 2: "H", 4: "I", 8: "Q"}[width]
            copy[at : at + width] = struct.pack(format_, value & (1 << 8 * width) - 1)
    return bytes(copy)


def read(data: bytes) -> int:
    """Read all there is to read; return how many parts of it were refused."""
    refused = 0
    for attempt in (read_pieces, read_functions, read_lines, read_sections):
        try:
            attempt(data)
        except BitcodecError as error:
            check_message(error)
            refused += 1
    return refused


def read_pieces(data: bytes) -> None:
    file = ElfFile(data)
    names = {section.name for section in file.sections} & {"fc", "fs", "is"}
    for piece in pieces(file, None if file.is_relocatable else names):
        if piece.pcs is not None:
            assert len({len(column) for column in piece.pcs}) == 1
            ends = [offset + size for offset, size in zip(piece.pcs.offsets, piece.pcs.sizes, strict=True)]
            assert ends == sorted(ends)
            assert max(ends, default=0) <= len(piece.data)


def read_functions(data: bytes) -> None:
    symbols = FunctionSymbols(data)
    for section, columns in symbols.columns.items():
        for start, end in zip(columns.starts, columns.ends, strict=True):
            assert start < end
            assert symbols.find(section, start) is not None
    assert symbols.places is not None


def read_lines(data: bytes) -> None:
    lines = Lines(data)
    for section in (None, 1, 2):
        for address in range(0, 40, 3):
            lines.find(section, address)
    assert lines.warning is None or "\n" not in lines.warning


def read_sections(data: bytes) -> None:
    file = ElfFile(data)
    for section in file.sections:
        try:
            file.content(section)
        except BitcodecError as error:
            check_message(error)


def check(index: int) -> int:
    """Read the mutation of a number; return how many parts of it were refused."""
    start = time.process_time()
    refused = read(mutation(index))
    seconds = time.process_time() - start
    assert seconds < MOST_SECONDS, f"mutation {index} took {seconds:.1f} s"
    return refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutation")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    refused = 0
    for index in range(arguments.first, arguments.first + arguments.count):
        try:
            refused += check(index) > 0
        except Exception as error:
            raise SystemExit(f"mutation {index}: {type(error).__name__}: {error}") from error
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{arguments.count} mutations: {refused} refused in part or whole, none failed; peak {peak:.0f} MB")


if __name__ == "__main__":
    main()

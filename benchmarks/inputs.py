"""What is measured on: bitcode of real programs, or a stream made up for the purpose."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bitcodec import bitstream
from bitcodec.bitstream import Abbreviation, Writer, array, blob, char6, fixed, literal, vbr

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MADE_UP", "Input", "inputs", "repeated"]

REAL = Path(__file__).resolve().parents[2] / "shared" / "bench"

MADE_UP = "made-up.bc"

MODULE, CONSTANTS, FUNCTION, VALUE_SYMTAB, METADATA, TYPE, STRTAB = 8, 11, 12, 14, 15, 17, 23
_FUNCTIONS = 3000
_NODES = 120_000
_NAMES = 4000


class Input(NamedTuple):
    """A file and what to call it."""

    name: str
    path: Path

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @property
    def has_debug_info(self) -> bool:
        """Whether it has debug information, as names say; other files take LLVM less time to begin with."""
        return "-g" in self.name


def inputs(folder: Path) -> list[Input]:
    """Return the real files, if they are beside the checkout, or one made up in `folder`."""
    real = sorted(REAL.glob("*.bc"))
    if real:
        return [Input(path.name, path) for path in real]
    path = folder / MADE_UP
    path.write_bytes(made_up())
    return [Input(path.name, path)]


def repeated(source: Input, times: int, folder: Path) -> Input:
    """Write the blocks of a stream several times over: a valid stream again."""
    stream = bitstream.open(source.path)
    body = bytes(stream.payload[len(stream.magic) : stream.blocks[-1].end // 8])
    path = folder / f"{source.path.stem}-{times}.bc"
    path.write_bytes(stream.magic + body * times)
    return Input(f"{source.name} x{times}", path)


def made_up() -> bytes:
    """Return a stream with about the mix of records that compiled programs have: metadata, code, names."""
    chance = random.Random(1)
    writer = Writer()
    with writer.block(MODULE, width=3):
        writer.record(1, [2])
        _write_blockinfo(writer)
        _write_types(writer)
        _write_metadata(writer, chance)
        for _ in range(_FUNCTIONS):
            _write_function(writer, chance)
        _write_symbols(writer, chance)
    with writer.block(STRTAB, width=3):
        number = writer.define(Abbreviation.of(literal(1), blob))
        writer.record(1, abbreviation_id=number, blob=bytes(chance.choices(b"abcdefghij_0123456789", k=50_000)))
    return writer.getvalue()


def _write_blockinfo(writer: Writer) -> None:
    shared = {
        VALUE_SYMTAB: [
            Abbreviation.of(literal(1), vbr(8), array, char6),
            Abbreviation.of(literal(1), vbr(8), array, fixed(8)),
        ],
        CONSTANTS: [Abbreviation.of(literal(4), vbr(8)), Abbreviation.of(literal(1), fixed(6))],
        FUNCTION: [
            Abbreviation.of(literal(20), vbr(6), fixed(6), vbr(4), fixed(1)),
            Abbreviation.of(literal(2), vbr(6), vbr(6), fixed(4)),
            Abbreviation.of(literal(3), vbr(6), fixed(6), fixed(4)),
        ],
    }
    with writer.block(bitstream.BLOCKINFO_BLOCK_ID, width=2):
        for block_id, abbreviations in shared.items():
            writer.record(1, [block_id])
            for abbreviation in abbreviations:
                writer.define(abbreviation)


def _write_types(writer: Writer) -> None:
    with writer.block(TYPE, width=4):
        function = writer.define(Abbreviation.of(literal(21), fixed(1), array, fixed(6)))
        writer.record(1, [60])
        for number in range(20):
            writer.record(7, [number + 1])
        for number in range(40):
            writer.record(21, [0, *(argument % 20 for argument in range(number % 7 + 1))], abbreviation_id=function)


def _write_metadata(writer: Writer, chance: random.Random) -> None:
    with writer.block(METADATA, width=4):
        location = writer.define(Abbreviation.of(literal(7), fixed(1), vbr(6), vbr(8), vbr(6), vbr(6), fixed(1)))
        derived = writer.define(Abbreviation.of(literal(16), *[vbr(6)] * 12))
        node = writer.define(Abbreviation.of(literal(3), array, vbr(6)))
        for number in range(_NODES):
            kind = chance.randrange(4)
            near = max(number - chance.randrange(1000), 0)
            if kind == 0:
                writer.record(7, [0, number % 5000, number % 80, near, 0, 0], abbreviation_id=location)
            elif kind == 1:
                operands = [0, 13, near, 3, number % 9000, near, near + 1, 64, 0, number % 512, 0, 0]
                writer.record(16, operands, abbreviation_id=derived)
            elif kind == 2:
                writer.record(3, [near + offset for offset in range(number % 9)], abbreviation_id=node)
            else:
                writer.record(27, [1, near, 0, number, 0, near, 6, 7 + number % 100, 0, 0, 0, near, 1])


def _write_function(writer: Writer, chance: random.Random) -> None:
    with writer.block(FUNCTION, width=4):
        writer.record(1, [chance.randrange(3, 30)])
        with writer.block(CONSTANTS, width=4):
            writer.record(1, [chance.randrange(60)], abbreviation_id=5)
            for _ in range(chance.randrange(20)):
                writer.record(4, [int(chance.expovariate(0.01))], abbreviation_id=4)
        for operands in _instructions(chance, chance.randrange(40, 240)):
            writer.record(operands[0], operands[2:], abbreviation_id=operands[1])


def _instructions(chance: random.Random, count: int) -> Iterator[tuple[int, ...]]:
    """Yield record code, abbreviation id, operands."""
    for _ in range(count):
        value = int(chance.expovariate(0.05))
        kind = chance.randrange(10)
        if kind < 2:
            yield 20, 4, value, chance.randrange(60), 4, 0
        elif kind < 3:
            yield 2, 5, value, 1, chance.randrange(12)
        elif kind < 4:
            yield 3, 6, value, chance.randrange(60), 1
        elif kind < 6:
            yield 34, 3, 0, 32768, 57, 10_000 + value, value, value + 2, value + 3
        elif kind < 8:
            yield 35, 3, value, 7, 1000 + value, 0, 0
        elif kind < 9:
            yield 44, 3, value, value + 1, 4, 0
        else:
            yield 11, 3, value, value + 1, 5


def _write_symbols(writer: Writer, chance: random.Random) -> None:
    with writer.block(VALUE_SYMTAB, width=4):
        for number in range(_NAMES):
            name = bytes(chance.choices(b"abcdefghijklmnop_", k=chance.randrange(4, 30)))
            writer.record(1, [number, *name], abbreviation_id=4)

"""Streams made up at random, and what is in them: the writer of `bits` makes the one, this file notes the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from bits import CHARACTERS, Bits, Field

MAX_UINT64 = 2**64 - 1
BLOCKINFO = 0


@dataclass
class MadeRecord:
    """A record as it was written."""

    code: int
    operands: tuple[int, ...]
    abbreviation_id: int
    blob: bytes | None = None


@dataclass
class MadeBlock:
    """A block as it was written."""

    id: int
    width: int
    items: list[MadeRecord | MadeBlock] = field(default_factory=list)
    abbreviations: list[tuple[Field, ...]] = field(default_factory=list)


@dataclass
class Limits:
    """How wild a stream may be."""

    depth: int = 4
    items: int = 6
    block_ids: tuple[int, ...] = (1, 7, 8, 9, 12, 17, 26, 30, 31, 1000, 2**32 - 1)
    codes: int = 40
    magics: tuple[bytes, ...] = (b"BC\xc0\xde", b"CPCH", b"DIAG", b"RMRK", b"BCxx")
    abbreviated: bool = True


class StreamMaker:
    """Makes one stream: `data`, and the `blocks` in it."""

    def __init__(self, random: Random, limits: Limits | None = None) -> None:
        self._random = random
        self._limits = limits or Limits()
        self._bits = Bits(random.choice(self._limits.magics))
        self._shared: dict[int, list[tuple[Field, ...]]] = {}
        self.blocks = [self._block(0, self._block_id()) for _ in range(random.randint(1, 3))]
        self.data = self._bits.stream()

    def _block_id(self) -> int:
        if self._random.random() < 0.2:
            return BLOCKINFO
        return self._random.choice(self._limits.block_ids)

    def _block(self, depth: int, block_id: int) -> MadeBlock:
        random = self._random
        made = MadeBlock(block_id, random.choice([3, 4, 5, 6, 32]))
        self._bits.enter_block(block_id, width=made.width)
        if block_id == BLOCKINFO:
            self._fill_info(made)
        else:
            made.abbreviations += self._shared.get(block_id, [])
            self._fill(made, depth)
        self._bits.end_block()
        return made

    def _fill(self, made: MadeBlock, depth: int) -> None:
        random = self._random
        for _ in range(random.randint(0, self._limits.items)):
            choice = random.random()
            if choice < 0.2 and depth < self._limits.depth:
                made.items.append(self._block(depth + 1, self._block_id()))
            elif choice < 0.4 and self._limits.abbreviated and 4 + len(made.abbreviations) < 2**made.width:
                made.abbreviations.append(self._define())
            else:
                made.items.append(self._record(made))

    def _fill_info(self, made: MadeBlock) -> None:
        """Fill a BLOCKINFO block, which replaces the one before."""
        random = self._random
        self._shared = {}
        for _ in range(random.randint(0, 3)):
            described = random.choice(self._limits.block_ids)
            self._info_record(made, 1, [described])
            for _ in range(random.randint(0, 3)):
                if self._limits.abbreviated and random.random() < 0.5:
                    self._shared.setdefault(described, []).append(self._define())
                elif random.random() < 0.3:
                    self._info_record(made, 2, self._name())
                else:
                    self._info_record(made, 3, [random.randrange(self._limits.codes), *self._name()])
        # Blocks of width 3 have room for four of the stream's own ids.
        self._shared = {block_id: layouts[:4] for block_id, layouts in self._shared.items() if len(layouts) <= 4}

    def _info_record(self, made: MadeBlock, code: int, operands: list[int]) -> None:
        self._bits.unabbreviated(code, operands)
        made.items.append(MadeRecord(code, tuple(operands), 3))

    def _name(self) -> list[int]:
        return [self._random.choice(b"abcXYZ_019") for _ in range(self._random.randint(1, 8))]

    def _define(self) -> tuple[Field, ...]:
        layout = self._layout()
        self._bits.define(*layout)
        return layout

    def _layout(self) -> tuple[Field, ...]:
        """Return the fields of an abbreviation that records can be written by."""
        random = self._random
        code: Field = random.choice([random.randrange(self._limits.codes), ("fixed", 6), ("vbr", 4), "char6"])
        layout: list[Field] = [code, *(self._scalar() for _ in range(random.randint(0, 4)))]
        ending = random.random()
        if ending < 0.4:
            element = self._scalar()
            takes_no_bits = isinstance(element, int) or element in [("fixed", 0), ("vbr", 0)]
            layout += ["array", "char6" if takes_no_bits else element]
        elif ending < 0.6:
            layout.append("blob")
        return tuple(layout)

    def _scalar(self) -> Field:
        random = self._random
        choices: list[Field] = [
            random.choice([0, 1, 255, random.randrange(2**32), MAX_UINT64]),
            ("fixed", random.choice([0, 1, 7, 8, 31, 32])),
            ("vbr", random.choice([0, 2, 6, 8, 31, 32])),
            "char6",
        ]
        return random.choice(choices)

    def _record(self, made: MadeBlock) -> MadeRecord:
        random = self._random
        if not made.abbreviations or random.random() < 0.4:
            operands = [self._number(64) for _ in range(random.choice([0, 1, 2, 3, 40]))]
            record = MadeRecord(random.randrange(self._limits.codes), tuple(operands), 3)
            self._bits.unabbreviated(record.code, operands)
            return record
        index = random.randrange(len(made.abbreviations))
        layout = made.abbreviations[index]
        values: list[int] = []
        blob = None
        for position, item in enumerate(layout):
            if item == "array":
                values += [self._value(layout[position + 1]) for _ in range(random.choice([0, 1, 5, 33, 70]))]
                break
            if item == "blob":
                blob = self._blob()
            else:
                values.append(self._value(item, is_code=position == 0))
        self._bits.abbreviated(4 + index, layout, values, blob or b"")
        return MadeRecord(values[0], tuple(values[1:]), 4 + index, blob)

    def _value(self, item: Field, *, is_code: bool = False) -> int:
        if isinstance(item, int):
            return item
        if isinstance(item, str):
            return ord(self._random.choice(CHARACTERS))
        kind, width = item
        if is_code:
            return self._random.randrange(self._limits.codes)
        return self._number(width if kind == "fixed" or not width else 64)

    def _number(self, width: int) -> int:
        """Return a number of any size up to `width` bits, small ones as likely as large ones."""
        return self._random.getrandbits(self._random.randint(0, width)) if width else 0

    def _blob(self) -> bytes:
        size = self._random.choice([0, 1, 3, 4, 5, 100])
        if self._random.random() < 0.5:
            return bytes(self._random.choice(b" !abc~'\\\"<") for _ in range(size))
        return self._random.randbytes(size)

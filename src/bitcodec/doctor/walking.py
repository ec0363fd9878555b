"""Finds the first error of a reader of LLVM in a damaged bitstream: it walks in that reader's order.

A reader first skips the modules of a file by their lengths and reads the tables of names behind them.  Then it reads
the blocks of a module up to the first function body, then the symbol table, then each body, then the remaining blocks.
It checks lengths of blocks only to skip them.  Rules: LLVM's bitstream and bitcode readers, version by version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId, ModuleCode, ValueSymtabCode
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.magic import MAGIC_SIZE
from bitcodec.doctor.bits import CHANGED_IN, Abbreviations, BitEntry, Bits, RefusedError
from bitcodec.doctor.records import GLOBALS, Phase
from bitcodec.doctor.rule import Effect
from bitcodec.doctor.rules import SUMMARY_LIMITS
from bitcodec.errors import BitstreamError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from bitcodec.bitstream import Columns

__all__ = ["Stumble", "Walks"]

_WORD = 32
_TOLERATED = 8
"""Bytes at the end of a file that LLVM does not read."""
_WITH_NAMES = 5
"""The first version that has tables of names behind the modules."""
_TABLES = (BlockId.STRTAB_BLOCK, BlockId.SYMTAB_BLOCK)
_READ_IN_MODULES = frozenset(
    {
        BlockId.PARAMATTR_BLOCK,
        BlockId.PARAMATTR_GROUP_BLOCK,
        BlockId.TYPE_BLOCK,
        BlockId.CONSTANTS_BLOCK,
        BlockId.METADATA_BLOCK,
        BlockId.METADATA_KIND_BLOCK,
        BlockId.USELIST_BLOCK,
        BlockId.OPERAND_BUNDLE_TAGS_BLOCK,
        BlockId.SYNC_SCOPE_NAMES_BLOCK,
    }
)
_READ_IN_BODIES = frozenset(
    {
        BlockId.CONSTANTS_BLOCK,
        BlockId.VALUE_SYMTAB_BLOCK,
        BlockId.METADATA_BLOCK,
        BlockId.METADATA_ATTACHMENT_BLOCK,
        BlockId.USELIST_BLOCK,
    }
)
"""Readers skip all other blocks."""
_FIRSTS = (0, _WITH_NAMES, *CHANGED_IN)
"""The first versions that walk in a different way; each stands for all versions up to the next one."""
_NO_MODULE = "Expected a single module"
_NO_BODIES = "Trying to materialize functions before seeing function blocks"
_NO_BODY = "Expect function block"
_NO_NAME = _NO_VALUE = _NO_BLOCK = "Invalid record"
_MALFORMED = "Malformed block"


class Stumble(NamedTuple):
    """An error of a reader, or a part that it misreads.

    Attributes:
        phase: the phase in which the reader reaches it.
        bit_offset: the offset of the reader then.
        message: of the reader.
        effect: the effect on the reader.
    """

    phase: int
    bit_offset: int
    message: str
    effect: Effect = Effect.REFUSES


class Walks:
    """Errors of readers of all versions in a damaged bitstream.

    Args:
        payload: the bitstream.
        columns: the same, decoded as far as it goes.
    """

    def __init__(self, payload: memoryview, columns: Columns) -> None:
        self._payload = payload
        blocks = columns.blocks
        self._whole = {start: end for start, end in zip(blocks.start, blocks.end, strict=True) if end}
        starts = zip(blocks.start, blocks.end, blocks.id, strict=True)
        self._bodies = {start for start, end, block_id in starts if end and block_id == BlockId.FUNCTION_BLOCK}
        self._known: dict[tuple[int, bool], Stumble | None] = {}

    @property
    def second_module(self) -> int | None:
        """Where a second module begins, None without one, or if the readers do not get far enough to count them."""
        walk = _Walk(self._payload, _FIRSTS[-1], has_summaries=False, whole=self._whole, bodies=self._bodies)
        return walk.second_module()

    def of(self, version: int) -> Stumble | None:
        """Return the first error of the reader of a version, None if it reads everything."""
        kind = max(each for each in _FIRSTS if each <= version), version in SUMMARY_LIMITS
        if kind not in self._known:
            self._known[kind] = _Walk(self._payload, *kind, self._whole, self._bodies).run()
        return self._known[kind]


class _Walk:
    """One walk.

    Args:
        payload: the bitstream.
        version: of LLVM.
        has_summaries: whether the reader walks a module again for its summary, as `llvm-dis` does.
        whole: by start of a block, the end of blocks that are sound.
        bodies: the starts of the sound blocks that are function bodies.

    Attributes:
        version: of LLVM.
        reads_names: whether the version knows tables of names.
        size_of_names: size of the module's table of names in bytes.
    """

    def __init__(
        self,
        payload: memoryview,
        version: int,
        has_summaries: bool,  # noqa: FBT001
        whole: Mapping[int, int],
        bodies: AbstractSet[int],
    ) -> None:
        self.version = version
        self._has_summaries = has_summaries
        self.reads_names = version >= _WITH_NAMES
        self.size_of_names = 0
        self._payload = payload
        self._whole = whole
        self._sound_bodies = bodies
        self._phase: int = Phase.TOP_LEVEL
        self._place: int | None = None
        self._bits = Bits(payload, 0, len(payload), version)

    def run(self) -> Stumble | None:
        """Walk the stream; return the error that stops the reader."""
        try:
            for first, start, end, size_of_names in self._modules():
                self.size_of_names = size_of_names
                module = _Module(self, first, start, end)
                module.read()
                if self._has_summaries:
                    module.look_for_summary()
        except RefusedError as refused:
            message = str(refused)
        except BitstreamError:
            message = self._bits.end_of_file()
        else:
            return None
        place = self._bits.offset if self._place is None else self._place
        return Stumble(self._phase, self._bits.base + place, message)

    def second_module(self) -> int | None:
        """Return where a second module begins, None if the reader does not reach one."""
        try:
            starts = [start for _, start, _, _ in self._modules()]
        except (RefusedError, BitstreamError):
            return None
        return starts[1] if len(starts) > 1 else None

    def _modules(self) -> list[tuple[int, int, int, int]]:
        """Return first bit, first bit of the module block and end of each module, with the block that identifies it.

        With the size of its table of names, which follows it.
        """
        bits, found, sizes = self._bits, list[tuple[int, int, int]](), list[int]()
        bits.jump(MAGIC_SIZE * 8)
        own = Abbreviations(2)
        while bits.offset // 8 + _TOLERATED < len(self._payload):
            entry = bits.advance(own)
            if entry.is_end:
                raise RefusedError(_MALFORMED)
            if not entry.is_block:
                bits.read_record(entry.number, own, is_skipped=True)
            elif entry.number == BlockId.IDENTIFICATION_BLOCK:
                bits.skip_block()
                module = bits.advance(own)
                if not (module.is_block and module.number == BlockId.MODULE_BLOCK):
                    raise RefusedError(_MALFORMED)
                bits.skip_block()
                found.append((entry.start, module.start, bits.offset))
            elif entry.number in _TABLES and self.reads_names:
                self._read_simple(Abbreviations(0))
                if entry.number == BlockId.STRTAB_BLOCK:
                    sizes += [bits.blob_size] * (len(found) - len(sizes))
            else:
                bits.skip_block()
                if entry.number == BlockId.MODULE_BLOCK:
                    found.append((entry.start, entry.start, bits.offset))
        if not found:
            raise RefusedError(_NO_MODULE)
        sizes += [0] * (len(found) - len(sizes))
        return [(*each, size) for each, size in zip(found, sizes, strict=True)]

    def begin(self, first: int, end: int) -> Bits:
        """Begin with a module, of which a reader takes the bytes alone; return its bits."""
        self._phase = Phase.MODULE
        self._bits = Bits(self._payload[first // 8 : end // 8], first, (end - first) // 8, self.version)
        return self._bits

    def come_to(self, phase: int, place: int | None = None) -> None:
        """Begin with a phase.

        Args:
            phase: the phase.
            place: the place in the module that errors are attributed to; None: the reader's position.
        """
        self._phase = phase
        self._place = place

    def read(self, entry: BitEntry, defined: Abbreviations) -> None:
        """Read a block without looking at the blocks inside; nothing, if it is known to be sound.

        Args:
            entry: of the block.
            defined: the abbreviations that BLOCKINFO defines for such blocks.
        """
        end = self._whole.get(self._bits.base + entry.start)
        if end is not None:
            self._bits.jump(end - self._bits.base)
        else:
            self._read_simple(defined)

    def read_body(self, entry: BitEntry, defined: Callable[[int], Abbreviations]) -> None:
        """Read a function body, nothing if it is known to be sound.

        Args:
            entry: of the block.
            defined: returns the abbreviations that BLOCKINFO defines for blocks of an id.
        """
        bits = self._bits
        if bits.base + entry.start in self._sound_bodies:
            return
        bits.jump(entry.behind)
        own = bits.enter(defined(BlockId.FUNCTION_BLOCK))
        while not (inner := bits.advance(own)).is_end:
            if not inner.is_block:
                bits.read_record(inner.number, own)
            elif inner.number in _READ_IN_BODIES:
                self.read(inner, defined(inner.number))
            else:
                bits.skip_block(_NO_BLOCK)

    def _read_simple(self, defined: Abbreviations) -> None:
        bits = self._bits
        own = bits.enter(defined)
        while not (inner := bits.advance(own)).is_end:
            if inner.is_block:
                bits.skip_block()
            else:
                bits.read_record(inner.number, own)


class _Module:
    """A module on a walk.

    Args:
        walk: the walk.
        first: where its bytes begin.
        start: where its block begins.
        end: where it ends.
    """

    def __init__(self, walk: _Walk, first: int, start: int, end: int) -> None:
        self._walk = walk
        self._bits = walk.begin(first, end)
        self._is_identified = first != start
        self._start = start - first
        self._defined: dict[int, Abbreviations] = {}
        self._version = 0
        self._table = 0
        self._has_read_table = self._has_left = False
        self._bodies: list[BitEntry] = []
        self._behind_bodies = 0
        self._offsets: dict[int, int] = {}
        self._globals = 0
        self._defined_functions: list[int] = []

    def read(self) -> None:
        bits = self._bits
        if self._is_identified:
            self._walk.read(bits.advance(Abbreviations(2)), Abbreviations(0))
        bits.jump(self._start)
        bits.advance(Abbreviations(2))
        own = bits.enter(Abbreviations(0))
        while not (entry := bits.advance(own)).is_end:
            if not entry.is_block:
                self._note(*bits.read_record(entry.number, own))
            elif entry.number == BlockId.FUNCTION_BLOCK:
                self._come_to_body(entry, own)
            else:
                self._read_block(entry)
        if self._has_left:
            raise RefusedError(_MALFORMED)
        if not self._table or not self._bodies:
            self._read_bodies(own.width)

    def look_for_summary(self) -> None:
        """Walk the module, up to a summary."""
        bits = self._bits
        bits.jump(self._start)
        bits.advance(Abbreviations(2))
        own = bits.enter(Abbreviations(0))
        while not (entry := bits.advance(own)).is_end:
            if not entry.is_block:
                bits.read_record(entry.number, own, is_skipped=True)
            elif entry.number in SUMMARY_BLOCKS:
                return
            else:
                bits.skip_block()

    def _note(self, code: int, operands: list[int]) -> None:
        has_table_of_names = self._version >= _WITH_TABLE_OF_NAMES and self._walk.reads_names
        if code == ModuleCode.VERSION and operands:
            self._version = operands[0]
        elif code == ModuleCode.VSTOFFSET and operands:
            self._table = operands[0]
        elif code in GLOBALS:
            if has_table_of_names and sum(operands[:2]) > self._walk.size_of_names:
                raise RefusedError(_NO_NAME)
            # In modules of version 2, the place of the name precedes the type, the convention and this.
            place = _IS_DECLARED + (2 if self._version >= _WITH_TABLE_OF_NAMES else 0)
            if code == ModuleCode.FUNCTION and len(operands) > place and not operands[place]:
                self._defined_functions.append(self._globals)
            self._globals += 1

    def _read_block(self, entry: BitEntry) -> None:
        if entry.number == BLOCKINFO_BLOCK_ID:
            self._read_block_info()
        elif entry.number in _READ_IN_MODULES:
            self._walk.read(entry, self._of(entry.number))
        elif entry.number == BlockId.VALUE_SYMTAB_BLOCK and not self._has_read_table:
            self._read_offsets()
        else:
            self._bits.skip_block(_NO_BLOCK)

    def _of(self, block_id: int) -> Abbreviations:
        return self._defined.setdefault(block_id, Abbreviations(0))

    def _come_to_body(self, entry: BitEntry, own: Abbreviations) -> None:
        """Skip a body; before the first one, read the symbol table, and with that all bodies."""
        bits, is_first = self._bits, not self._bodies
        if is_first and self._table:
            self._read_symbol_table(own)
            bits.jump(entry.behind)
        self._bodies.append(entry)
        bits.skip_block(_NO_BLOCK)
        self._behind_bodies = place = bits.offset
        if is_first and self._table:
            self._find_bodies(own)
            self._read_bodies(own.width)
            # It goes on behind the last body of which it knows the place.
            bits.jump(max(place, *((words - 1) * _WORD for words in self._offsets.values()), 0))
            self._walk.come_to(Phase.SUMMARIES)

    def _read_symbol_table(self, own: Abbreviations) -> None:
        self._walk.come_to(Phase.FIRST_BODY)
        self._has_read_table = True
        place, bits = (self._table - 1) * _WORD, self._bits
        is_inside = 0 <= place < bits.size
        if is_inside:
            bits.jump(place)
        if self._walk.version >= _TO_LOOK_FOR_TABLE:
            if not is_inside or bits.enters(own.width, BlockId.VALUE_SYMTAB_BLOCK) is None:
                return  # a rule of its own
        elif is_inside:
            if bits.advance(own).is_end:
                # It takes this for the end of the module, and goes on with ids as they are outside.
                self._has_left = True
                own.width = _OUTER_WIDTH
                own.defined.clear()
        else:
            raise RefusedError(bits.end_of_file(place))
        self._read_offsets()

    def _read_offsets(self) -> None:
        bits = self._bits
        table = bits.enter(self._of(BlockId.VALUE_SYMTAB_BLOCK))
        while not (inner := bits.advance(table)).is_end:
            if inner.is_block:
                bits.skip_block()
                continue
            code, operands = bits.read_record(inner.number, table)
            if code == ValueSymtabCode.FNENTRY:
                if len(operands) < _PAIR or operands[0] >= self._globals:
                    raise RefusedError(_NO_VALUE)
                self._offsets[operands[0]] = operands[1]

    def _find_bodies(self, own: Abbreviations) -> None:
        """Find the bodies behind the first one; the symbol table has their places."""
        try:
            while (entry := self._bits.enters(own.width, BlockId.FUNCTION_BLOCK)) is not None:
                self._bodies.append(entry)
                self._bits.skip_block()
                self._behind_bodies = self._bits.offset
        except (RefusedError, BitstreamError):
            pass

    def _read_bodies(self, width: int) -> None:
        self._walk.come_to(Phase.BODIES)
        if self._defined_functions and not self._bodies:
            raise RefusedError(_NO_BODIES)
        for number, value_id in enumerate(self._defined_functions):
            expected = self._bodies[number] if number < len(self._bodies) else None
            place = self._behind_bodies if expected is None else expected.start
            self._walk.come_to(Phase.BODIES, place)
            # The symbol table states where each body is, but for that of the first function if it is read before that.
            stated = self._offsets.get(value_id) if number or not self._table else None
            if stated is not None:
                start = (stated - 1) * _WORD
                if not 0 <= start < self._bits.size:
                    raise RefusedError(self._bits.end_of_file(start))
                found = BitEntry(
                    AbbreviationId.ENTER_SUBBLOCK, BlockId.FUNCTION_BLOCK, start, start + width + _ID_WIDTH
                )
            elif expected is None:
                raise RefusedError(_NO_BODY)
            else:
                found = expected
            self._walk.come_to(Phase.BODIES, None if found.start == place else place)
            self._walk.read_body(found, self._of)

    def _read_block_info(self) -> None:
        """Read the definitions of abbreviations for blocks of other ids."""
        bits, current = self._bits, None
        own = bits.enter(Abbreviations(0))
        while not (entry := bits.advance(own, defines=False)).is_end:
            if entry.is_block:
                bits.skip_block_in_blockinfo()
            elif entry.is_definition:
                if current is None:
                    raise RefusedError(_MALFORMED)
                current.add(bits.read_definition())
            else:
                code, operands = bits.read_record(entry.number, own)
                if code == _SET_BLOCK and not operands:
                    raise RefusedError(_MALFORMED)
                current = self._of(operands[0]) if code == _SET_BLOCK else current


_IS_DECLARED = 2
_ID_WIDTH, _OUTER_WIDTH = 8, 2
_PAIR = 2
_TO_LOOK_FOR_TABLE = 15
"""The first version that looks whether a symbol table is where it should be."""
_WITH_TABLE_OF_NAMES = 2
"""The first version of modules that have one."""
_SET_BLOCK = 1

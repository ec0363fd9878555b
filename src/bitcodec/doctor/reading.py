"""Everything that is malformed in a stream, as far as it can be found.

bitcodec's reader stops at the first malformed part, and reads parts in another order.  Readers of LLVM may reach
another one first, or take no notice of the first.  So the parts are read one by one here, and in a damaged bitstream
the records before the damage, too: LLVM checks each as soon as it has decoded it.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.bitcode.loading import modules_in
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import GLOBAL_RECORDS
from bitcodec.bitstream import loads
from bitcodec.doctor.mending import mended
from bitcodec.errors import BitcodecError, BitcodeError, BitstreamError, PlacedError
from bitcodec.ir.construction.deferring import materialize_globals, materialize_symbols
from bitcodec.ir.construction.present import source_of
from bitcodec.ir.instructions import Switch
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitstream import Bitstream, Columns
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["Reading", "is_whole", "read"]

_NAME = "bitcode"
_GLOBALS = tuple(code.name for code in ModuleCode if code in GLOBAL_RECORDS)
_MAX_FAULTS = 64
"""Maximum number of collected faults; readers stop at the first one that they notice."""


class Reading(NamedTuple):
    """Result of reading a stream.

    Attributes:
        modules: the modules that could be opened.
        faults: the errors, beginning with the one that bitcodec refuses the stream for; empty if it is sound.
        readable: number of function bodies that can be read.
        damaged: the names of functions with bodies that cannot be read.
        computed: switches with cases that LLVM 22 does not compute: the number of the module in the file, of the body
            in the module, and of the switch in the body.
    """

    modules: list[Module]
    faults: list[PlacedError]
    readable: int = 0
    damaged: tuple[str, ...] = ()
    computed: tuple[tuple[int, int, int], ...] = ()


def read(stream: Bitstream, columns: Columns) -> Reading:
    """Read all modules of a stream; if something is malformed, look for more of that.

    Args:
        stream: the stream.
        columns: the same, decoded as far as it goes.
    """
    computed: list[tuple[int, int, int]] = []
    modules, fault = _read(stream, computed)
    if fault is None:
        return Reading(modules, [], computed=tuple(computed))
    found = {_key(fault): fault}
    readable, damaged = 0, []
    for module in modules:
        _collect(_parts(module), found)
        for function in _defined_functions(module):
            if _collect([function.materialize], found):
                readable += 1
            else:
                damaged.append(function.name)
    if any(isinstance(each, BitstreamError) for each in found.values()):
        found |= {_key(each): each for each in _before_damage(stream.payload, columns)}
    if any(each.reason.record in _GLOBALS and len(each.block_path) == 1 for each in found.values()):
        # Globals that follow have other numbers.
        found = {key: each for key, each in found.items() if each.reason.identity is not Reason.NAMED_NO_FUNCTION}
    faults = [_counted(each, columns) for each in found.values()]
    return Reading(modules, faults, readable, tuple(damaged), tuple(computed))


def is_whole(data: bytes) -> bool:
    """Return whether bytes are a stream with modules in which nothing is malformed."""
    try:
        modules, fault = _read(loads(data))
    except BitcodecError:
        return False
    return bool(modules) and fault is None


def _read(
    stream: Bitstream, computed: list[tuple[int, int, int]] | None = None
) -> tuple[list[Module], PlacedError | None]:
    """Read all modules; return the ones that could be opened, and the first error.

    Args:
        stream: the stream.
        computed: receives the switches with cases that LLVM 22 does not compute.
    """
    modules: list[Module] = []
    try:
        for module in modules_in(stream, _NAME):
            source = source_of(module)
            modules.append(module)
            module.materialize()
            if computed is not None and isinstance(source, ModuleReader):
                computed += _computed(source, len(modules) - 1)
        stream.check(stream.listing)
    except BitcodecError as error:
        return modules, _placed(error)
    return modules, None


def _computed(source: ModuleReader, number: int) -> Iterator[tuple[int, int, int]]:
    """Yield the switches with computed cases of a module, which has been read, as `Reading` has them."""
    tables = source.tables
    wanted = set(tables.with_computed_cases)
    functions = {switch.function for switch in wanted}
    for body, function in enumerate(tables.defined if wanted else ()):
        if function in functions:
            last = [block.instructions[-1] for block in function.blocks if block.instructions]
            switches = [instruction for instruction in last if isinstance(instruction, Switch)]
            yield from ((number, body, place) for place, switch in enumerate(switches) if switch in wanted)


def _placed(error: BitcodecError) -> PlacedError:
    if not isinstance(error, PlacedError):
        return PlacedError(str(error), 0)
    return type(error)(error.reason.bare, error.bit_offset, error.block_path)


def _counted(fault: PlacedError, columns: Columns) -> PlacedError:
    """Return a fault of a record that is too short with the number of its operands."""
    records = columns.records
    row = bisect_left(records.start, fault.bit_offset)
    reason = fault.reason
    is_short = reason.identity is Reason.TOO_FEW_OPERANDS
    if not is_short or row == len(records) or records.start[row] != fault.bit_offset:
        return fault
    count = records.first_operand[row + 1] - records.first_operand[row]
    counted = Sentence(f"{reason}: {count}", reason.identity, {"count": count}, reason.record)
    return type(fault)(counted, fault.bit_offset, fault.block_path)


def _key(fault: PlacedError) -> tuple[int, str]:
    return fault.bit_offset, fault.reason


def _parts(module: Module) -> Iterator[Callable[[], object]]:
    """Yield functions that read the parts of a module, function bodies aside."""
    source = source_of(module)
    if isinstance(source, ModuleReader):
        yield source.tables.attribute_lists.all
        yield source.constant_ids
    yield partial(materialize_symbols, module)
    yield partial(materialize_globals, module)
    if isinstance(source, ModuleReader):
        yield source.read_metadata
        yield source.read_rest


def _collect(
    parts: Iterator[Callable[[], object]] | list[Callable[[], object]], found: dict[tuple[int, str], PlacedError]
) -> bool:
    """Read parts, and add the errors in them; return whether there are none."""
    are_sound = True
    for part in parts:
        try:
            part()
        except BitcodecError as error:
            are_sound = False
            fault = _placed(error)
            if len(found) < _MAX_FAULTS:
                found.setdefault(_key(fault), fault)
    return are_sound


def _defined_functions(module: Module) -> list[Function]:
    try:
        return [function for function in module.functions if not function.is_declaration]
    except BitcodecError:
        return []  # its globals are damaged


_OF_MENDING = (
    Reason.FEW_TYPES,
    Reason.BODY_COUNT,
    Reason.NO_VALUE,
    Reason.NO_NAMED_VALUE,
    Reason.NO_SUMMARIZED_VALUE,
    Reason.NO_SYMBOL_TABLE,
    Reason.BODY_OFFSET,
    Reason.NO_BODY,
    Reason.NAME_OUTSIDE,
    Reason.NO_METADATA_ID,
    Reason.EARLY_METADATA,
    Reason.NEVER_DEFINED,
    Reason.NO_CONSTANT,
)
"""Faults that may result from the absence of the parts that follow."""


def _before_damage(payload: memoryview, columns: Columns) -> list[BitcodeError]:
    """Return the errors in the records that precede the damage of a bitstream."""
    whole = mended(payload, columns)
    if whole is None:
        return []
    try:
        modules, fault = _read(loads(whole.data))
        if isinstance(fault, BitstreamError) and not fault.block_path:
            # What follows the module is damaged, too.
            modules, fault = _read(loads(whole.data[: fault.bit_offset // 8]))
    except BitcodecError:
        return []
    if fault is None:
        return []
    found = {_key(fault): fault}
    for module in modules:
        _collect(_parts(module), found)
        _collect([function.materialize for function in _defined_functions(module)], found)
    return [
        each
        for each in found.values()
        if isinstance(each, BitcodeError) and each.bit_offset < whole.place and each.reason.identity not in _OF_MENDING
    ]

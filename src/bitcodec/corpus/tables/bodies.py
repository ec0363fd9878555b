"""Tables about bodies of functions: `instructions`, `calls`, `pcsections`, `graphs`."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.analysis.call_graph import function_behind
from bitcodec.corpus.columns import KEY, Column, Reads, Table, from_subject
from bitcodec.corpus.opcode_numbers import OPCODE_NUMBERS
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.corpus.opened import OpenedModule
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.pcsections import PCSection

__all__ = ["CALLS", "GRAPHS", "INSTRUCTIONS", "PCSECTIONS"]

_INT32 = "i"
_UINT8 = "B"
_MAX_INT32 = (1 << 31) - 1
_UNKNOWN = -1


def _defined(opened: OpenedModule) -> Iterator[tuple[int, Function]]:
    """Yield the functions with a body, and their positions."""
    for position, function in enumerate(opened.functions):
        if not function.is_declaration:
            yield position, function


def _function_columns(function: Callable[[Any], object], name: Callable[[Any], object]) -> tuple[Column, ...]:
    return (
        Column("function", "int32", Reads.BODIES, "Position of the function, from 0.", function),
        Column("name", "string", Reads.BODIES, "Name of the function.", name),
    )


class _OpcodeCount(NamedTuple):
    position: int
    function: Function
    opcode: str
    total: int


def _instructions(opened: OpenedModule) -> Iterator[_OpcodeCount]:
    for position, function in _defined(opened):
        with opened.reporting("instructions", position):
            counts: Counter[str] = Counter()
            for block in function.blocks:
                counts.update([instruction.opcode for instruction in block.instructions])
            for opcode in sorted(counts):
                yield _OpcodeCount(position, function, opcode, counts[opcode])


INSTRUCTIONS = Table(
    "instructions",
    "An opcode that a function uses.",
    (
        KEY,
        *_function_columns(from_subject("position"), lambda row: row.function.name),
        Column("opcode", "string", Reads.BODIES, "Opcode, such as `load`.", from_subject("opcode")),
        Column("count", "int32", Reads.BODIES, "Instructions with this opcode.", from_subject("total")),
    ),
    _instructions,
    ("module", "function", "opcode"),
)


class _Call(NamedTuple):
    opened: OpenedModule
    position: int
    caller: Function
    number: int
    call: CallBase

    @property
    def callee(self) -> Function | None:
        return function_behind(self.call.callee)

    @property
    def is_assembly(self) -> bool:
        return isinstance(self.call.callee, InlineAsm)


def _calls(opened: OpenedModule) -> Iterator[_Call]:
    for position, function in _defined(opened):
        with opened.reporting("calls", position):
            number = 0
            for block in function.blocks:
                for instruction in block.instructions:
                    if isinstance(instruction, CallBase):
                        yield _Call(opened, position, function, number, instruction)
                    number += 1


def _callee_name(row: _Call) -> str | None:
    callee = row.callee
    return None if callee is None else callee.name


def _callee_position(row: _Call) -> int | None:
    callee = row.callee
    return None if callee is None else row.opened.positions.get(callee)


def _of_location(name: str) -> Callable[[_Call], object]:
    def value(row: _Call) -> object:
        location = row.call.debug_location
        found: int = 0 if location is None else getattr(location, name)
        return found if 0 < found <= _MAX_INT32 else None

    return value


CALLS = Table(
    "calls",
    "A call, as an instruction: `call`, `invoke` or `callbr`, intrinsics included.",
    (
        KEY,
        Column("function", "int32", Reads.BODIES, "Position of the caller, from 0.", from_subject("position")),
        Column(
            "instruction",
            "int32",
            Reads.BODIES,
            "Position of the call among the instructions of the caller, from 0.",
            from_subject("number"),
        ),
        Column("caller", "string", Reads.BODIES, "Name of the caller.", lambda row: row.caller.name),
        Column("opcode", "string", Reads.BODIES, "`call`, `invoke` or `callbr`.", lambda row: row.call.opcode),
        Column(
            "callee",
            "string",
            Reads.BODIES,
            "Name of the function behind aliases and casts; null if it is unknown or inline assembly.",
            _callee_name,
        ),
        Column(
            "callee_function",
            "int32",
            Reads.BODIES,
            "Position of that function; joins `functions.function`. Null if an upgrade has declared it.",
            _callee_position,
        ),
        Column(
            "is_indirect",
            "bool",
            Reads.BODIES,
            "Whether the callee is known only when the program runs.",
            lambda row: row.callee is None and not row.is_assembly,
        ),
        Column(
            "is_assembly", "bool", Reads.BODIES, "Whether the callee is inline assembly.", from_subject("is_assembly")
        ),
        Column("arguments", "int32", Reads.BODIES, "Arguments.", lambda row: row.call.argument_count),
        Column("line", "int32", Reads.BODIES, "Source line; null if unknown.", _of_location("line")),
        Column("column", "int32", Reads.BODIES, "Source column; null if unknown.", _of_location("column")),
    ),
    _calls,
    ("module", "function", "instruction"),
)


class _Request(NamedTuple):
    position: int
    function: Function
    instruction: int | None
    section: PCSection


def _pcsections(opened: OpenedModule) -> Iterator[_Request]:
    for position, function in _defined(opened):
        with opened.reporting("pcsections", position):
            yield from _requests(position, function, None, function)
            for number, instruction in enumerate(function.instructions):
                if instruction.has_attachments:
                    yield from _requests(position, function, number, instruction)


def _requests(
    position: int, function: Function, number: int | None, holder: Function | Instruction
) -> Iterator[_Request]:
    for section in holder.pcsections or ():
        yield _Request(position, function, number, section)


PCSECTIONS = Table(
    "pcsections",
    "A PC section that a function or an instruction requests.",
    (
        KEY,
        *_function_columns(from_subject("position"), lambda row: row.function.name),
        Column(
            "instruction",
            "int32",
            Reads.BODIES,
            "Position of the instruction in the function, from 0; null if the function requests it.",
            from_subject("instruction"),
        ),
        Column("section", "string", Reads.BODIES, "Name of the section.", lambda row: row.section.name),
        Column(
            "options", "string", Reads.BODIES, "Options, such as `C`; empty if none.", lambda row: row.section.options
        ),
        Column(
            "constants",
            "list<string>",
            Reads.BODIES,
            "Constants that follow the PC, with their types.",
            lambda row: [str(constant) for constant in row.section.constants],
        ),
    ),
    _pcsections,
    ("module", "function", "instruction"),
)


class _Graph:
    """Opcodes and edges of a function."""

    def __init__(self, position: int, function: Function, opened: OpenedModule) -> None:
        self.position = position
        self.opcodes, self.block_starts = array(_UINT8), array(_INT32)
        self.edge_sources, self.edge_targets = array(_INT32), array(_INT32)
        self.call_instructions, self.callees = array(_INT32), array(_INT32)
        numbers = {block: number for number, block in enumerate(function.blocks)}
        for block, number in numbers.items():
            self.block_starts.append(len(self.opcodes))
            self._add_instructions(block.instructions, opened)
            for successor in block.successors:
                self.edge_sources.append(number)
                self.edge_targets.append(numbers[successor])

    def _add_instructions(self, instructions: tuple[Instruction, ...], opened: OpenedModule) -> None:
        first = len(self.opcodes)
        self.opcodes.extend([OPCODE_NUMBERS[instruction.opcode] for instruction in instructions])
        for number, instruction in enumerate(instructions, first):
            if isinstance(instruction, CallBase):
                callee = function_behind(instruction.callee)
                self.call_instructions.append(number)
                self.callees.append(_UNKNOWN if callee is None else opened.positions.get(callee, _UNKNOWN))


def _graphs(opened: OpenedModule) -> Iterator[_Graph]:
    for position, function in _defined(opened):
        with opened.reporting("graphs", position):
            yield _Graph(position, function, opened)


GRAPHS = Table(
    "graphs",
    "Opcodes, control-flow edges and call edges of a function that is defined, as arrays.",
    (
        KEY,
        Column("function", "int32", Reads.BODIES, "Position of the function, from 0.", from_subject("position")),
        Column(
            "opcodes",
            "list<uint8>",
            Reads.BODIES,
            "Opcode of each instruction, as a number of `LLVMOpcode` in LLVM's C interface.",
            from_subject("opcodes"),
        ),
        Column(
            "block_starts",
            "list<int32>",
            Reads.BODIES,
            "Position of the first instruction of each basic block.",
            from_subject("block_starts"),
        ),
        Column(
            "edge_sources",
            "list<int32>",
            Reads.BODIES,
            "Block that each control-flow edge leaves, as a position in the function.",
            from_subject("edge_sources"),
        ),
        Column(
            "edge_targets", "list<int32>", Reads.BODIES, "Block that each edge enters.", from_subject("edge_targets")
        ),
        Column(
            "call_instructions",
            "list<int32>",
            Reads.BODIES,
            "Position of each call among the instructions.",
            from_subject("call_instructions"),
        ),
        Column(
            "callees",
            "list<int32>",
            Reads.BODIES,
            "Position of the function that each call calls; -1 if it is unknown.",
            from_subject("callees"),
        ),
    ),
    _graphs,
    ("module", "function"),
)

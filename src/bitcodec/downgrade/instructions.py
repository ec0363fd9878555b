"""Instructions for older versions of LLVM: fields that these lack, and what is lost with them.

Rules: docs/reference/older-readers.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.analysis.control_flow import ControlFlow
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.writer.instructions import forms_of
from bitcodec.bitcode.writer.programs import (
    ABSENT,
    EXPLICIT_TYPE,
    TYPE_OF_RESULT,
    Condition,
    Form,
    code_of,
    program_of,
    tabled,
)
from bitcodec.downgrade import constructs
from bitcodec.downgrade.constructs import OPAQUE_POINTERS
from bitcodec.ir import instructions as ir
from bitcodec.ir.types import VectorType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import (
    NO_CAST_FLAGS,
    NO_FAST_MATH,
    flag_numbers,
    flags_of_opcode,
    members_of,
    newer_flags,
)
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bitcodec.bitcode.writer.programs import Program, Source
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.types import PointerType, Type

__all__ = ["CHECKS", "Check", "InstructionPrograms"]


class _OlderField(NamedTuple):
    """A field that is written in another way for older versions.

    Attributes:
        kind: the class of the instructions.
        name: of the field.
        since: the first version of LLVM that reads it as LLVM 22 does.
        source: what it is written from for older ones.
    """

    kind: type[ir.Instruction]
    name: str
    since: int
    source: Source


_OLDER_CASTS = {
    **{name: number for number, name in enumerate(CAST_OPCODES)},
    "ptrtoaddr": CAST_OPCODES.index("ptrtoint"),
}

_OLDER_FIELDS = (
    *(_OlderField(kind, "type", OPAQUE_POINTERS, TYPE_OF_RESULT) for kind in (ir.Load, ir.Phi, ir.Cast, ir.VAArg)),
    _OlderField(ir.Alloca, "type", OPAQUE_POINTERS, EXPLICIT_TYPE),
    _OlderField(ir.GetElementPtr, "source_element_type", OPAQUE_POINTERS, EXPLICIT_TYPE),
    *(
        _OlderField(kind, "function_type", OPAQUE_POINTERS, EXPLICIT_TYPE)
        for kind in (ir.Call, ir.Invoke, ir.CallBranch)
    ),
    _OlderField(ir.Cast, "opcode", 22, tabled("opcode", _OLDER_CASTS)),
)


_OLDER_FORMS: dict[type[ir.Instruction], tuple[int, Form]] = {
    ir.AtomicRMW: (
        13,
        Form(FunctionCode.INST_ATOMICRMW_OLD, {"operation": code_of("operation"), "alignment": ABSENT}),
    ),
}
"""By class, the first version of LLVM that has a new form of record, and the form before."""


def _older_flags(kind: type[ir.Instruction], version: int) -> dict[str, Source]:
    """Return the source of flags for a version that lacks some of a class, if it might take them for others."""
    opcodes = _FLAGGED.get(kind, ())
    rows = flags_of_opcode(opcodes[0]) if len(opcodes) == 1 else ()
    if all(row.since <= version for row in rows):
        return {}
    if all(row.since > version for row in rows):
        return {"flags": ABSENT}
    return {"flags": tabled("flags", flag_numbers(opcodes[0], "flags", version))}


class InstructionPrograms(dict[type[ir.Instruction], "Program"]):
    """Programs by class, for an older version of LLVM; each is made when an instruction of the class is first written.

    Args:
        version: of LLVM.
    """

    def __init__(self, version: int) -> None:
        super().__init__()
        self._version = version

    def __missing__(self, kind: type[ir.Instruction]) -> Program:
        older = {row.name: row.source for row in _OLDER_FIELDS if row.kind is kind and row.since > self._version}
        older |= _older_flags(kind, self._version)
        since, older_form = _OLDER_FORMS.get(kind, (0, None))
        forms = [
            (condition, argument, form._replace(sources={**form.sources, **older, **self._newer_fields(form)}))
            for condition, argument, form in forms_of(kind)
        ]
        if older_form is not None and since > self._version:
            forms = [(Condition.ALWAYS, None, older_form)]
        program = self[kind] = program_of(forms)
        return program

    def _newer_fields(self, form: Form) -> dict[str, Source]:
        """Return the fields of a record that the version does not read, and so are not written."""
        return {field.name: ABSENT for field in INSTRUCTION_LAYOUTS[form.code] if field.since > self._version}


class Check(NamedTuple):
    """Finds what older versions lack in the instructions of a class.

    Attributes:
        kind: the class.
        since: the first version of LLVM that lacks nothing.
        find: adds what an instruction has to the losses: instruction, losses, name of the function, how many are alike.
        harmless: by attribute, the values of instructions that have nothing to be found, if each attribute has one;
            instructions with the same values are alike.  If there are none, each instruction is looked at.
    """

    kind: type[ir.Instruction]
    since: int
    find: Callable[[Any, Losses, str, int], None]
    harmless: Mapping[str, Sequence[object]] = {}


def _flags(instruction: Any, losses: Losses, place: str, times: int) -> None:
    """Find the flags of the table that the version lacks."""
    opcode = instruction.opcode
    for since in {row.since for row in newer_flags(opcode, instruction.flags, losses.version)}:
        losses.add(constructs.FLAGS_OF_INSTRUCTIONS[opcode][since], place, instruction, times)


def _cast(cast: ir.Cast, losses: Losses, place: str, times: int) -> None:
    if cast.flags:
        _flags(cast, losses, place, times)
        return
    if cast.fast_math:
        row = constructs.FAST_MATH_CAST
    elif cast.opcode == "ptrtoaddr":
        row = constructs.PTRTOADDR
    else:
        return
    if row.since > losses.version:
        losses.add(row, place, cast, times)


def _variable(alloca: ir.Alloca, losses: Losses, place: str, times: int) -> None:
    space, module = cast("PointerType", alloca.type).address_space, alloca.module
    if losses.version < constructs.ALLOCA_SPACE.since:
        if space:
            losses.add(constructs.ALLOCA_SPACE, place, alloca, times)
    elif module is not None and space != module.data_layout.alloca_address_space:
        losses.add(constructs.ALLOCA_OTHER_SPACE, place, alloca, times)


def _atomic(operation: ir.AtomicRMW, losses: Losses, place: str, times: int) -> None:
    row = constructs.atomic_operation(operation.operation.spelling, is_vector=isinstance(operation.type, VectorType))
    if row is not None and row.since > losses.version:
        losses.add(row, place, operation, times)
    _natural(operation, operation.type, losses, place, times)


def _exchange(exchange: ir.AtomicCmpXchg, losses: Losses, place: str, times: int) -> None:
    _natural(exchange, exchange.compare.type, losses, place, times)


def _natural(operation: Any, type_: Type, losses: Losses, place: str, times: int) -> None:
    """Compare an alignment with the size, which is what old versions take for it."""
    module = operation.module
    if losses.version >= constructs.ATOMIC_ALIGNMENT.since or module is None:
        return
    size = module.data_layout.store_size(type_)
    if operation.alignment < size:
        losses.add(constructs.UNALIGNED_ATOMIC, place, operation, times)
    elif operation.alignment > size:
        losses.add(constructs.ATOMIC_ALIGNMENT, place, operation, times)


def _indirect_jump(call: ir.CallBranch, losses: Losses, place: str, times: int) -> None:
    """Refuse a result that is used where control comes to along an indirect edge."""
    function = call.function
    if not call.is_used or function is None:
        return
    dominators = ControlFlow(function).dominators
    for use in call.uses:
        user = cast("ir.Instruction", use.user)
        block = user.parent
        if isinstance(user, ir.Phi):
            block = user.incoming_blocks[use.operand_number]
            if (block, user.parent) == (call.parent, call.default_destination):
                continue
        if block is None or not dominators.is_reachable(block):
            continue
        if not dominators.dominates(call.default_destination, block):
            losses.add(constructs.INDIRECT_RESULT, place, call, times)


def _checks_of_flags() -> Iterator[Check]:
    """Yield checks for the classes that have flags which are newer than others; casts have more to check."""
    for kind, opcodes in _FLAGGED.items():
        rows = [row for opcode in opcodes for row in flags_of_opcode(opcode)]
        newer = [row for row in rows if row.since]
        if newer:
            members = members_of(type(newer[0].member))
            bits = [flags for flags in range(2 * max(row.member for row in rows)) if not _has_newer(opcodes, flags)]
            yield Check(kind, max(row.since for row in newer), _flags, {"flags": [members[flags] for flags in bits]})


def _has_newer(opcodes: Sequence[str], flags: int) -> bool:
    return any(newer_flags(opcode, flags, 0) for opcode in opcodes)


_FLAGGED: dict[type[ir.Instruction], Sequence[str]] = {
    ir.BinaryOperator: [row.integer for row in BINARY_OPCODES],
    ir.ICmp: ["icmp"],
    ir.Alloca: ["alloca"],
    ir.Load: ["load"],
    ir.Store: ["store"],
    ir.GetElementPtr: ["getelementptr"],
    ir.AtomicCmpXchg: ["cmpxchg"],
    ir.AtomicRMW: ["atomicrmw"],
}
"""The opcodes of the classes whose attribute `flags` is of the table."""

CHECKS = (
    Check(ir.Alloca, constructs.ALLOCA_OTHER_SPACE.since, _variable, {"type": []}),
    Check(ir.CallBranch, constructs.INDIRECT_RESULT.since, _indirect_jump),
    *_checks_of_flags(),
    Check(
        ir.Cast,
        constructs.PTRTOADDR.since,
        _cast,
        {"flags": [NO_CAST_FLAGS], "fast_math": [NO_FAST_MATH], "opcode": [*set(CAST_OPCODES) - {"ptrtoaddr"}]},
    ),
    Check(ir.AtomicRMW, max(row.since for row in constructs.ATOMIC_OPERATION.values()), _atomic),
    Check(ir.AtomicCmpXchg, constructs.ATOMIC_ALIGNMENT.since, _exchange),
)

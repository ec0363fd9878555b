"""How each class of instructions is written: its record, and where a field is not simply an attribute, what it is.

Rules: bitcode record reference, sections 7.3 to 7.7; writer reference, section 11.8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import (
    ALIGNMENT_HIGH_SHIFT,
    ALLOCA_ALIGNMENT_LOW_MASK,
    ALLOCA_EXPLICIT_TYPE,
    ALLOCA_INALLOCA,
    ALLOCA_SWIFT_ERROR,
    CALL_CONVENTION_SHIFT,
    CALL_EXPLICIT_TYPE_BIT,
    CALL_FAST_MATH_BIT,
    CALL_MUST_TAIL_BIT,
    CALL_NO_TAIL_BIT,
    CALL_TAIL_BIT,
    INVOKE_EXPLICIT_TYPE_BIT,
)
from bitcodec.bitcode.writer.abbreviations import FunctionAbbreviation
from bitcodec.bitcode.writer.layouts import Form, compiled
from bitcodec.ir import instructions as ir
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES, TailCallKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["writer_of"]

_BINARY = {
    spelling: number
    for number, row in enumerate(BINARY_OPCODES)
    for spelling in (row.integer, row.floating)
    if spelling
}
_CAST = {spelling: number for number, spelling in enumerate(CAST_OPCODES)}
_TAIL_BITS = {
    TailCallKind.NONE: 0,
    TailCallKind.TAIL: 1 << CALL_TAIL_BIT,
    TailCallKind.MUSTTAIL: 1 << CALL_MUST_TAIL_BIT | 1 << CALL_TAIL_BIT,
    TailCallKind.NOTAIL: 1 << CALL_NO_TAIL_BIT,
}


def _call_flags(call: ir.Call) -> int:
    flags = call.calling_convention << CALL_CONVENTION_SHIFT | 1 << CALL_EXPLICIT_TYPE_BIT
    return flags | _TAIL_BITS[call.tail_kind] | bool(call.fast_math) << CALL_FAST_MATH_BIT


def _call_branch_flags(call: ir.CallBranch) -> int:
    return call.calling_convention << CALL_CONVENTION_SHIFT | 1 << CALL_EXPLICIT_TYPE_BIT


def _alloca_flags(alloca: ir.Alloca) -> int:
    code = alloca.alignment.bit_length()
    flags = ALLOCA_EXPLICIT_TYPE | code & ALLOCA_ALIGNMENT_LOW_MASK | (code >> 5) << ALIGNMENT_HIGH_SHIFT
    return flags | ALLOCA_INALLOCA * alloca.is_inalloca | ALLOCA_SWIFT_ERROR * alloca.is_swift_error


_NAMES: dict[str, Any] = {
    "binary_opcode": _BINARY.__getitem__,
    "cast_opcode": _CAST.__getitem__,
    "call_flags": _call_flags,
    "call_branch_flags": _call_branch_flags,
    "alloca_flags": _alloca_flags,
}
"""What sources call by name."""

_A = FunctionAbbreviation
_FIRST, _SECOND, _THIRD = (f"i._operands[{index}]" for index in range(3))
_PAIR = {"lhs": _FIRST, "rhs": _SECOND}
_LOADED = {"pointer": _FIRST, "type": "i.type"}
_STORED = {"pointer": _SECOND, "value": _FIRST}
_PAD = {"parent_pad": "i._operands[-1]", "arguments": "i._operands[:-1]"}
_CALLED = {"callee": "i._operands[-1]"}

_FORMS: dict[type[ir.Instruction], Form] = {
    ir.UnaryOperator: Form(
        FunctionCode.INST_UNOP,
        {"operand": _FIRST, "opcode": "0", "flags": "i.fast_math"},
        _A.UNOP,
        _A.UNOP_FLAGS,
    ),
    ir.BinaryOperator: Form(
        FunctionCode.INST_BINOP,
        {**_PAIR, "opcode": "binary_opcode(i.opcode)", "flags": "(i.flags or i.fast_math)"},
        _A.BINOP,
        _A.BINOP_FLAGS,
    ),
    ir.Cast: Form(
        FunctionCode.INST_CAST,
        {"operand": _FIRST, "opcode": "cast_opcode(i.opcode)", "flags": "(i.flags or i.fast_math)"},
        _A.CAST,
        _A.CAST_FLAGS,
    ),
    ir.ICmp: Form(FunctionCode.INST_CMP2, {**_PAIR, "predicate": "i.predicate.code"}, _A.CMP, _A.CMP_FLAGS),
    ir.FCmp: Form(
        FunctionCode.INST_CMP2,
        {**_PAIR, "predicate": "i.predicate.code", "flags": "i.fast_math"},
        _A.CMP,
        _A.CMP_FLAGS,
    ),
    ir.Select: Form(
        FunctionCode.INST_VSELECT,
        {"true_value": _SECOND, "false_value": _THIRD, "condition": _FIRST, "flags": "i.fast_math"},
    ),
    ir.Freeze: Form(FunctionCode.INST_FREEZE, {"operand": _FIRST}),
    ir.ExtractElement: Form(FunctionCode.INST_EXTRACTELT, {"vector": _FIRST, "index": _SECOND}),
    ir.InsertElement: Form(FunctionCode.INST_INSERTELT, {"vector": _FIRST, "element": _SECOND, "index": _THIRD}),
    ir.ShuffleVector: Form(FunctionCode.INST_SHUFFLEVEC, {**_PAIR, "mask": "state.mask(i)"}),
    ir.ExtractValue: Form(FunctionCode.INST_EXTRACTVAL, {"aggregate": _FIRST}),
    ir.InsertValue: Form(FunctionCode.INST_INSERTVAL, {"aggregate": _FIRST, "value": _SECOND}),
    ir.Alloca: Form(
        FunctionCode.INST_ALLOCA,
        {
            "type": "i.allocated_type",
            "size_type": "i._operands[0].type",
            "array_size": _FIRST,
            "flags": "alloca_flags(i)",
            "address_space": "(None if i.type.address_space == state.alloca_space else i.type.address_space)",
        },
    ),
    ir.GetElementPtr: Form(FunctionCode.INST_GEP, {"operands": "i._operands"}, _A.GEP, is_always=True),
    ir.VAArg: Form(FunctionCode.INST_VAARG, {"list_type": "i._operands[0].type", "pointer": _FIRST}),
    ir.Fence: Form(FunctionCode.INST_FENCE),
    ir.AtomicCmpXchg: Form(FunctionCode.INST_CMPXCHG),
    ir.AtomicRMW: Form(FunctionCode.INST_ATOMICRMW, {"operation": "i.operation.code"}),
    ir.Phi: Form(FunctionCode.INST_PHI),
    ir.Switch: Form(FunctionCode.INST_SWITCH, {"type": "i._operands[0].type"}),
    ir.IndirectBranch: Form(
        FunctionCode.INST_INDIRECTBR, {"type": "i._operands[0].type", "destinations": "i._operands[1:]"}
    ),
    ir.Unreachable: Form(FunctionCode.INST_UNREACHABLE, {}, _A.UNREACHABLE),
    ir.Call: Form(FunctionCode.INST_CALL, {**_CALLED, "flags": "call_flags(i)"}),
    ir.Invoke: Form(
        FunctionCode.INST_INVOKE,
        {
            **_CALLED,
            "flags": f"i.calling_convention | {1 << INVOKE_EXPLICIT_TYPE_BIT}",
            "normal_destination": "i._operands[-3]",
            "unwind_destination": "i._operands[-2]",
        },
    ),
    ir.CallBranch: Form(FunctionCode.INST_CALLBR, {**_CALLED, "flags": "call_branch_flags(i)"}),
    ir.Resume: Form(FunctionCode.INST_RESUME),
    ir.LandingPad: Form(FunctionCode.INST_LANDINGPAD),
    ir.CleanupReturn: Form(FunctionCode.INST_CLEANUPRET),
    ir.CatchReturn: Form(FunctionCode.INST_CATCHRET),
    ir.CatchPad: Form(FunctionCode.INST_CATCHPAD, _PAD),
    ir.CleanupPad: Form(FunctionCode.INST_CLEANUPPAD, _PAD),
    ir.CatchSwitch: Form(FunctionCode.INST_CATCHSWITCH),
}
"""By class; of those that are not here, one class has several forms."""

_SEVERAL: dict[type[ir.Instruction], Mapping[str, Form]] = {
    ir.Load: {
        "i.is_atomic": Form(FunctionCode.INST_LOADATOMIC, _LOADED),
        "True": Form(FunctionCode.INST_LOAD, _LOADED, _A.LOAD),
    },
    ir.Store: {
        "i.is_atomic": Form(FunctionCode.INST_STOREATOMIC, _STORED),
        "True": Form(FunctionCode.INST_STORE, _STORED, _A.STORE),
    },
    ir.Return: {
        "i._operands": Form(FunctionCode.INST_RET, {"value": _FIRST}, _A.RET, _A.RET),
        "True": Form(FunctionCode.INST_RET, {"value": "None"}, _A.RET_VOID),
    },
    ir.Branch: {
        "len(i._operands) > 1": Form(
            FunctionCode.INST_BR,
            {"target": _THIRD, "otherwise": _SECOND, "condition": _FIRST},
            _A.BR_COND,
            _A.BR_COND,
        ),
        "True": Form(FunctionCode.INST_BR, {"target": _FIRST, "otherwise": "None", "condition": "None"}, _A.BR),
    },
}
"""By class: its forms, the first whose condition holds is taken."""

_WRITERS: dict[type[ir.Instruction], Callable[[Any, Any], None]] = {}
"""Of classes met so far."""


def writer_of(kind: type[ir.Instruction]) -> Callable[[Any, Any], None]:
    """Return what writes the instructions of a class: a function of the state of a body and the instruction."""
    found = _WRITERS.get(kind)
    if found is None:
        found = _WRITERS[kind] = _made(kind)
    return found


def _made(kind: type[ir.Instruction]) -> Callable[[Any, Any], None]:
    return compiled(_SEVERAL[kind] if kind in _SEVERAL else {"True": _FORMS[kind]}, _NAMES)

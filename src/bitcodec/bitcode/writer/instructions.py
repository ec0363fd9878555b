"""How each class of instructions is written: its record, and the sources of fields that are not plain attributes.

Rules: docs/reference/records.md, 7.3 to 7.7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

from typing import Any

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import (
    ALIGNMENT_HIGH_SHIFT,
    ALLOCA_ALIGNMENT_LOW_MASK,
    ALLOCA_EXPLICIT_TYPE,
    CALL_CONVENTION_SHIFT,
    CALL_EXPLICIT_TYPE_BIT,
    CALL_FAST_MATH_BIT,
    CALL_MUST_TAIL_BIT,
    CALL_NO_TAIL_BIT,
    CALL_TAIL_BIT,
    INVOKE_EXPLICIT_TYPE_BIT,
)
from bitcodec.bitcode.writer.abbreviations import FunctionAbbreviation
from bitcodec.bitcode.writer.programs import (
    ABSENT,
    ADDRESS_SPACE,
    ALL_FLAGS,
    MASK,
    Form,
    Program,
    When,
    attribute,
    code_of,
    constant,
    operand,
    operands,
    packed,
    part,
    program_of,
    tabled,
    type_of,
)
from bitcodec.ir import instructions as ir
from bitcodec.tables.instruction_flags import flag_numbers
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES, AtomicOrdering, TailCallKind

__all__ = ["FORMS", "OPCODES", "PROGRAMS", "WRITTEN_CODES"]

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


class _AllocaAlignments(dict[int, int]):
    """The bits of an alignment in the flags of an alloca; most alignments are present from the start."""

    def __init__(self) -> None:
        super().__init__((1 << power, self[1 << power]) for power in range(8))

    def __missing__(self, alignment: int) -> int:
        code = alignment.bit_length()
        return code & ALLOCA_ALIGNMENT_LOW_MASK | (code >> 5) << ALIGNMENT_HIGH_SHIFT


_CALLING_CONVENTION = part("calling_convention", CALL_CONVENTION_SHIFT)
_CALL_FLAGS = packed(
    1 << CALL_EXPLICIT_TYPE_BIT,
    _CALLING_CONVENTION,
    part("tail_kind", 0, _TAIL_BITS),
    part("fast_math", CALL_FAST_MATH_BIT, is_flag=True),
)
_INVOKE_FLAGS = packed(1 << INVOKE_EXPLICIT_TYPE_BIT, part("calling_convention", 0))
_CALL_BRANCH_FLAGS = packed(1 << CALL_EXPLICIT_TYPE_BIT, _CALLING_CONVENTION)
_ALLOCA_FLAGS = packed(
    ALLOCA_EXPLICIT_TYPE,
    part("alignment", 0, _AllocaAlignments()),
    part("flags", 0),
)


_A = FunctionAbbreviation
_FIRST, _SECOND, _THIRD = map(operand, range(3))
_PAIR = {"lhs": _FIRST, "rhs": _SECOND}
_LOADED = {"pointer": _FIRST}
_STORED = {"pointer": _SECOND, "value": _FIRST}
_PAD = {"parent_pad": operand(-1), "arguments": operands(0, -1)}
_CALLED = {"callee": operand(-1)}

_FORMS: dict[type[ir.Instruction], Form] = {
    ir.UnaryOperator: Form(
        FunctionCode.INST_UNOP,
        {"operand": _FIRST, "opcode": constant(0), "flags": attribute("fast_math")},
        _A.UNOP,
        _A.UNOP_FLAGS,
    ),
    ir.BinaryOperator: Form(
        FunctionCode.INST_BINOP,
        {**_PAIR, "opcode": tabled("opcode", _BINARY), "flags": ALL_FLAGS},
        _A.BINOP,
        _A.BINOP_FLAGS,
    ),
    ir.Cast: Form(
        FunctionCode.INST_CAST,
        {"operand": _FIRST, "opcode": tabled("opcode", _CAST), "flags": ALL_FLAGS},
        _A.CAST,
        _A.CAST_FLAGS,
    ),
    ir.ICmp: Form(FunctionCode.INST_CMP2, {**_PAIR, "predicate": code_of("predicate")}, _A.CMP, _A.CMP_FLAGS),
    ir.FCmp: Form(
        FunctionCode.INST_CMP2,
        {**_PAIR, "predicate": code_of("predicate"), "flags": attribute("fast_math")},
        _A.CMP,
        _A.CMP_FLAGS,
    ),
    ir.Select: Form(
        FunctionCode.INST_VSELECT,
        {"true_value": _SECOND, "false_value": _THIRD, "condition": _FIRST, "flags": attribute("fast_math")},
    ),
    ir.Freeze: Form(FunctionCode.INST_FREEZE, {"operand": _FIRST}),
    ir.ExtractElement: Form(FunctionCode.INST_EXTRACTELT, {"vector": _FIRST, "index": _SECOND}),
    ir.InsertElement: Form(FunctionCode.INST_INSERTELT, {"vector": _FIRST, "element": _SECOND, "index": _THIRD}),
    ir.ShuffleVector: Form(FunctionCode.INST_SHUFFLEVEC, {**_PAIR, "mask": MASK}),
    ir.ExtractValue: Form(FunctionCode.INST_EXTRACTVAL, {"aggregate": _FIRST}),
    ir.InsertValue: Form(FunctionCode.INST_INSERTVAL, {"aggregate": _FIRST, "value": _SECOND}),
    ir.Alloca: Form(
        FunctionCode.INST_ALLOCA,
        {
            "type": attribute("allocated_type"),
            "size_type": type_of(0),
            "array_size": _FIRST,
            "flags": _ALLOCA_FLAGS,
            "address_space": ADDRESS_SPACE,
        },
    ),
    ir.GetElementPtr: Form(FunctionCode.INST_GEP, {"operands": operands(0)}, _A.GEP),
    ir.VAArg: Form(FunctionCode.INST_VAARG, {"list_type": type_of(0), "pointer": _FIRST}),
    ir.Fence: Form(FunctionCode.INST_FENCE),
    ir.AtomicCmpXchg: Form(
        FunctionCode.INST_CMPXCHG,
        {field: tabled("flags", flag_numbers("cmpxchg", field)) for field in ("flags", "is_weak")},
    ),
    ir.AtomicRMW: Form(FunctionCode.INST_ATOMICRMW, {"operation": code_of("operation")}),
    ir.Phi: Form(FunctionCode.INST_PHI),
    ir.Switch: Form(FunctionCode.INST_SWITCH, {"type": type_of(0)}),
    ir.IndirectBranch: Form(FunctionCode.INST_INDIRECTBR, {"type": type_of(0), "destinations": operands(1)}),
    ir.Unreachable: Form(FunctionCode.INST_UNREACHABLE, {}, _A.UNREACHABLE),
    ir.Call: Form(FunctionCode.INST_CALL, {**_CALLED, "flags": _CALL_FLAGS}),
    ir.Invoke: Form(
        FunctionCode.INST_INVOKE,
        {
            **_CALLED,
            "flags": _INVOKE_FLAGS,
            "normal_destination": operand(-3),
            "unwind_destination": operand(-2),
        },
    ),
    ir.CallBranch: Form(FunctionCode.INST_CALLBR, {**_CALLED, "flags": _CALL_BRANCH_FLAGS}),
    ir.Resume: Form(FunctionCode.INST_RESUME),
    ir.LandingPad: Form(FunctionCode.INST_LANDINGPAD),
    ir.CleanupReturn: Form(FunctionCode.INST_CLEANUPRET),
    ir.CatchReturn: Form(FunctionCode.INST_CATCHRET),
    ir.CatchPad: Form(FunctionCode.INST_CATCHPAD, _PAD),
    ir.CleanupPad: Form(FunctionCode.INST_CLEANUPPAD, _PAD),
    ir.CatchSwitch: Form(FunctionCode.INST_CATCHSWITCH),
}
"""By class; of those that are not here, one class has several forms."""

_ATOMIC: dict[str, Any] = {"when": When.UNLESS_VALUE, "argument": ("ordering", AtomicOrdering.NOT_ATOMIC)}
_BRANCH = {"target": _THIRD, "otherwise": _SECOND, "condition": _FIRST}

FORMS: dict[type[ir.Instruction], tuple[Form, ...]] = {
    **{kind: (form,) for kind, form in _FORMS.items()},
    ir.Load: (
        Form(FunctionCode.INST_LOADATOMIC, _LOADED, **_ATOMIC),
        Form(FunctionCode.INST_LOAD, _LOADED, _A.LOAD),
    ),
    ir.Store: (
        Form(FunctionCode.INST_STOREATOMIC, _STORED, **_ATOMIC),
        Form(FunctionCode.INST_STORE, _STORED, _A.STORE),
    ),
    ir.Return: (
        Form(FunctionCode.INST_RET, {"value": _FIRST}, _A.RET, _A.RET, When.MORE_OPERANDS, 0),
        Form(FunctionCode.INST_RET, {"value": ABSENT}, _A.RET_VOID),
    ),
    ir.Branch: (
        Form(FunctionCode.INST_BR, _BRANCH, _A.BR_COND, _A.BR_COND, When.MORE_OPERANDS, 1),
        Form(FunctionCode.INST_BR, {"target": _FIRST, "otherwise": ABSENT, "condition": ABSENT}, _A.BR),
    ),
}
"""By class: its forms, the first whose condition holds is taken."""

_SEVERAL_OPCODES: dict[type[ir.Instruction], tuple[str, ...]] = {
    ir.UnaryOperator: ("fneg",),
    ir.BinaryOperator: tuple(_BINARY),
    ir.Cast: CAST_OPCODES,
}
OPCODES: dict[type[ir.Instruction], tuple[str, ...]] = {
    kind: _SEVERAL_OPCODES.get(kind) or (str(kind.opcode),) for kind in FORMS
}
"""The opcodes that the instructions of each class can have."""


WRITTEN_CODES = frozenset(form.code for forms in FORMS.values() for form in forms)
"""The codes of the records that make instructions, without the older ones."""


class _Programs(dict[type[ir.Instruction], Program]):
    """By class; each is made when an instruction of the class is first written."""

    def __missing__(self, kind: type[ir.Instruction]) -> Program:
        program = self[kind] = program_of(FORMS[kind])
        return program


PROGRAMS = _Programs()
"""How the instructions of each class are written."""

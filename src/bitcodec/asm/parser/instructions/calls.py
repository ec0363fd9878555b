# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Calls: `call`, `invoke`, `callbr`.

Rules: docs/reference/text.md, 9.4 and 17.7; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.assembly_constraints import constraint_problem
from bitcodec.asm.parser.attributes import (
    OF_PARAMETERS,
    OF_RESULTS,
    FunctionAttributes,
    parse_function_attributes,
    parse_optional_attributes,
)
from bitcodec.asm.parser.calling_conventions import parse_optional_calling_convention
from bitcodec.asm.parser.constants import parse_value
from bitcodec.asm.parser.debug_records import check_debug_intrinsic
from bitcodec.asm.parser.dialects.pointees import last_pointee
from bitcodec.asm.parser.instructions.control_flow import parse_blocks, parse_typed_block
from bitcodec.asm.parser.instructions.flags import check_fast_math, parse_optional_fast_math, parse_ordered_flags
from bitcodec.asm.parser.metadata import parse_metadata_value
from bitcodec.asm.parser.phrases import expect, expect_word, parse_string
from bitcodec.asm.parser.tokens import (
    COMMA,
    DOTS,
    GLOBAL_NAME,
    LEFT_PARENTHESIS,
    LEFT_SQUARE,
    RIGHT_PARENTHESIS,
    RIGHT_SQUARE,
    WORD,
)
from bitcodec.asm.parser.type_rules import ARGUMENT, SIZED
from bitcodec.asm.parser.types import parse_optional_address_space, parse_type
from bitcodec.ir.attributes import NO_ATTRIBUTES, AttributeList, AttributeSet
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.calls import Call, CallBranch, Invoke, OperandBundle, make_call
from bitcodec.ir.types import FunctionType, LabelType, MetadataType
from bitcodec.tables.instruction_flags import INLINE_ASSEMBLY, NO_FAST_MATH, AsmFlags, flag_words
from bitcodec.tables.opcodes import TailCallKind
from bitcodec.upgrade.assembly import upgraded_assembly
from bitcodec.upgrade.callbr import upgraded_callbr

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["PARSERS"]

_ARC_CALL = "clang.arc.attachedcall"
"""Without a function it means nothing any more."""
_NO_LIST = AttributeList()


class _Arguments:
    """The arguments of a call: values, attributes and positions."""

    __slots__ = ("attributes", "pointees", "starts", "values")

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.pointees: list[Type | None] = []
        self.attributes: dict[int, AttributeSet] = {}
        self.starts: list[int] = []


class _Callee:
    """The parts of a call up to its operand bundles; `name` is the callee's name if it is a global."""

    __slots__ = (
        "arguments",
        "attributes",
        "bundles",
        "callee",
        "convention",
        "function_type",
        "groups",
        "name",
        "pointees",
    )

    function_type: FunctionType
    callee: Value
    name: bytes
    arguments: list[Value]
    attributes: AttributeList
    pointees: list[Type | None]
    groups: list[int]
    bundles: list[OperandBundle]
    convention: int


def _parse_call(state: ModuleState, is_musttail: bool = False) -> _Callee:
    lexer, start = state.lexer, state.opcode_start
    convention = parse_optional_calling_convention(lexer, state.dialect)
    returned = parse_optional_attributes(state, OF_RESULTS)
    space = parse_optional_address_space(state, state.program_space)
    type_start = lexer.start
    type_ = parse_type(state, "expected type", allow_void=True)
    pointee = last_pointee(state, type_) if state.is_old else None
    callee_start = lexer.start
    name = lexer.content() if lexer.kind == GLOBAL_NAME else b""
    callee = _parse_callee(state, space)
    arguments = _parse_arguments(state, is_musttail=is_musttail)
    own = parse_function_attributes(state)
    bundles = _parse_bundles(state)
    if isinstance(pointee, FunctionType) and _is_type_of_callee(state, pointee, callee):
        type_ = pointee
    function_type = _function_type(state, type_, arguments, type_start)
    if isinstance(callee, _PendingAsm):
        callee = callee.resolved(state, function_type, callee_start)
    if function_type is type_:
        _check_arguments(state, function_type, arguments, start)
    parts = _Callee()
    parts.function_type = function_type
    parts.callee = callee
    parts.name = name
    parts.arguments = arguments.values
    parts.attributes = _attribute_list(state, own, returned, arguments)
    parts.pointees = arguments.pointees
    parts.groups = own.groups
    parts.bundles = bundles
    parts.convention = convention
    return parts


def _is_type_of_callee(state: ModuleState, pointee: FunctionType, callee: Value | _PendingAsm) -> bool:
    """Return whether a pointer before a callee is the callee's own type, as up to LLVM 3.6, and not its result's."""
    if isinstance(callee, Function):
        return callee.value_type is pointee
    return state.dialect.is_before(3, 7)


def _attribute_list(
    state: ModuleState, own: FunctionAttributes, returned: AttributeSet, arguments: _Arguments
) -> AttributeList:
    if not own.attributes and returned is NO_ATTRIBUTES and not arguments.attributes:
        return _NO_LIST
    return state.attribute_list(own.own(), returned, arguments.attributes)


class _PendingAsm:
    """Assembly text as a callee, whose function type is not known yet."""

    __slots__ = ("assembly", "constraints", "flags")

    def __init__(self, assembly: str, constraints: str, flags: AsmFlags) -> None:
        self.assembly = assembly
        self.constraints = constraints
        self.flags = flags

    def resolved(self, state: ModuleState, function_type: FunctionType, start: int) -> Value:
        """Return the value of a function type.

        Raises:
            AssemblyError: the constraints do not fit it.
        """
        problem = "" if state.dialect.is_old else constraint_problem(function_type, self.constraints)
        if problem:
            state.lexer.refuse(problem, start)
        return state.constants.inline_asm(function_type, self.assembly, self.constraints, self.flags)


def _parse_callee(state: ModuleState, space: int) -> Value | _PendingAsm:
    lexer = state.lexer
    if lexer.kind == WORD and lexer.text() == b"asm":
        lexer.advance()
        flags = AsmFlags(parse_ordered_flags(lexer, flag_words(INLINE_ASSEMBLY)))
        assembly = parse_string(lexer)
        if state.dialect.is_old:
            assembly = upgraded_assembly(assembly)
        expect(lexer, COMMA, "expected comma in inline asm expression")
        return _PendingAsm(assembly, parse_string(lexer, "expected constraint string"), flags)
    return parse_value(state, state.types.pointer(space) if space else state.ptr)


def _parse_arguments(state: ModuleState, is_musttail: bool) -> _Arguments:
    lexer = state.lexer
    expect(lexer, LEFT_PARENTHESIS, "expected '(' in call")
    found = _Arguments()
    is_old, metadata = state.is_old, state.metadata_type
    assert state.function is not None  # noqa: S101 - calls are in functions
    is_in_vararg = is_musttail and state.function.function.is_vararg
    while lexer.kind != RIGHT_PARENTHESIS:
        if found.values:
            expect(lexer, COMMA, "expected ',' in argument list")
        if lexer.kind == DOTS:
            what = "unexpected ellipsis in argument list for "
            if not is_musttail:
                lexer.refuse(f"{what}non-musttail call")
            if not is_in_vararg:
                lexer.refuse(f"{what}musttail call in non-varargs function")
            lexer.advance()
            expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of argument list")
            return found
        found.starts.append(lexer.start)
        type_ = _parse_argument_type(state)
        if is_old:
            found.pointees.append(last_pointee(state, type_))
        if type_ is metadata:
            found.values.append(parse_metadata_value(state))
            continue
        attributes = parse_optional_attributes(state, OF_PARAMETERS)
        if attributes is not NO_ATTRIBUTES:
            found.attributes[len(found.values)] = attributes
        found.values.append(parse_value(state, type_))
    if is_in_vararg:
        lexer.refuse("expected '...' at end of argument list for musttail call in varargs function")
    lexer.advance()
    return found


def _parse_argument_type(state: ModuleState) -> Type:
    start = state.lexer.start
    type_ = parse_type(state)
    if not state.traits_of(type_) & ARGUMENT:
        state.lexer.refuse("invalid type for function argument", start)
    return type_


def _parse_bundles(state: ModuleState) -> list[OperandBundle]:
    lexer, start = state.lexer, state.lexer.start
    bundles: list[OperandBundle] = []
    if lexer.kind != LEFT_SQUARE:
        return bundles
    has_any = False
    lexer.advance()
    while lexer.kind != RIGHT_SQUARE:
        if has_any:
            expect(lexer, COMMA, "expected ',' in input list")
        has_any = True
        tag = parse_string(lexer)
        expect(lexer, LEFT_PARENTHESIS, "expected '(' in operand bundle")
        inputs: list[Value] = []
        while lexer.kind != RIGHT_PARENTHESIS:
            if inputs:
                expect(lexer, COMMA, "expected ',' in input list")
            type_ = parse_type(state)
            is_metadata = isinstance(type_, MetadataType)
            inputs.append(parse_metadata_value(state) if is_metadata else parse_value(state, type_))
        lexer.advance()
        if inputs or tag != _ARC_CALL or not state.dialect.is_old:
            bundles.append(OperandBundle(tag, tuple(inputs)))
    if not bundles and not has_any:
        lexer.refuse("operand bundle set must not be empty", start)
    lexer.advance()
    return bundles


def _function_type(state: ModuleState, type: Type, arguments: _Arguments, start: int) -> FunctionType:
    """Return the type that a call has for its callee: written out, or of its arguments."""
    # Mostly it is a type of values, or `void`.
    if type is not state.void and not state.traits_of(type) & SIZED:
        if isinstance(type, FunctionType):
            return type
        if isinstance(type, LabelType | MetadataType):
            state.lexer.refuse("Invalid result type for LLVM function", start)
    return state.function_type(type, arguments.values)


def _check_arguments(state: ModuleState, type: FunctionType, arguments: _Arguments, start: int) -> None:
    parameters = type.parameter_types
    for index, value in enumerate(arguments.values):
        if index >= len(parameters):
            if not type.is_vararg:
                state.lexer.refuse("too many arguments specified", arguments.starts[index])
            break
        if value.type is not parameters[index]:
            what = f"argument is not of expected type '{parameters[index]}'"
            state.lexer.refuse(what, arguments.starts[index])
    if len(arguments.values) < len(parameters):
        state.lexer.refuse("not enough parameters specified for call", start)


def _complete(state: ModuleState, call: CallBase, parts: _Callee) -> Instruction:
    if state.is_old:
        state.parameter_pointees[call] = parts.pointees
    if parts.groups:
        state.group_users.append((call, tuple(parts.groups)))
    return call


def _call(state: ModuleState, opcode: str) -> Instruction:
    kind = _NO_TAIL if opcode == "call" else _TAIL_KINDS[opcode]
    lexer = state.lexer
    call_start = lexer.start
    if kind is not _NO_TAIL:
        expect_word(lexer, b"call", "expected 'tail call', 'musttail call', or 'notail call'")
    fast_math = parse_optional_fast_math(lexer)
    parts = _parse_call(state, is_musttail=kind is _MUST_TAIL)
    result = parts.function_type.return_type
    if fast_math is not NO_FAST_MATH:
        check_fast_math(lexer, "call", result, fast_math, call_start)
    check_debug_intrinsic(state, parts.name, call_start)
    if not parts.bundles:
        operands = (*parts.arguments, parts.callee)
        call = make_call(parts.function_type, operands, parts.convention, parts.attributes, kind, fast_math)
    else:
        call = Call(
            parts.function_type,
            parts.callee,
            parts.arguments,
            bundles=parts.bundles,
            calling_convention=parts.convention,
            attributes=parts.attributes,
            tail_kind=kind,
            fast_math=fast_math,
        )
    return _complete(state, call, parts)


def _invoke(state: ModuleState, _opcode: str) -> Instruction:
    parts = _parse_call(state)
    expect_word(state.lexer, b"to", "expected 'to' in invoke")
    normal = parse_typed_block(state)
    expect_word(state.lexer, b"unwind", "expected 'unwind' in invoke")
    unwind = parse_typed_block(state)
    call = Invoke(
        parts.function_type,
        parts.callee,
        parts.arguments,
        normal,
        unwind,
        bundles=parts.bundles,
        calling_convention=parts.convention,
        attributes=parts.attributes,
    )
    return _complete(state, call, parts)


def _call_branch(state: ModuleState, _opcode: str) -> Instruction:
    parts = _parse_call(state)
    expect_word(state.lexer, b"to", "expected 'to' in callbr")
    default = parse_typed_block(state)
    expect(state.lexer, LEFT_SQUARE, "expected '[' in callbr")
    blocks = parse_blocks(state)
    function_type, callee, arguments = parts.function_type, parts.callee, parts.arguments
    if state.dialect.is_old:
        upgraded = upgraded_callbr(state.context, function_type, callee, arguments, blocks)
        if upgraded is not None:
            function_type, callee = upgraded
            arguments = arguments[: len(function_type.parameter_types)]
    call = CallBranch(
        function_type,
        callee,
        arguments,
        default,
        blocks,
        bundles=parts.bundles,
        calling_convention=parts.convention,
        attributes=parts.attributes,
    )
    return _complete(state, call, parts)


_NO_TAIL, _MUST_TAIL = TailCallKind.NONE, TailCallKind.MUSTTAIL
_TAIL_KINDS = {kind.spelling: kind for kind in TailCallKind if kind.spelling}

PARSERS: dict[str, Callable[[ModuleState, str], Instruction]] = {
    "call": _call,
    **dict.fromkeys(_TAIL_KINDS, _call),
    "invoke": _invoke,
    "callbr": _call_branch,
}

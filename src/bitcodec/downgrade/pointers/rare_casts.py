"""Instructions with typed pointers, of classes that few programs have: see `casts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.downgrade.pointers.pointees import is_pointers
from bitcodec.ir import instructions as ir
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.construction.unlisted import unlisted_copy
from bitcodec.ir.functions import Function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitcodec.downgrade.pointers.pointees import PointerTypes
    from bitcodec.downgrade.pointers.types import TypedTypes
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

    class _Values(Protocol):
        @property
        def types(self) -> TypedTypes: ...

    class _Constants(Protocol):
        def assembly(self, value: InlineAsm, type_: FunctionType, constraints: str = "") -> Value: ...
        def block_address(self, function: Function, block: BasicBlock) -> Value: ...

    class _Casts(Protocol):
        @property
        def types(self) -> PointerTypes: ...
        @property
        def values(self) -> _Values: ...
        @property
        def constants(self) -> _Constants: ...
        @property
        def function(self) -> Function: ...
        def in_type(self, value: Value, wanted: Type) -> Value: ...
        def plainly(self, value: Value) -> Value: ...
        def copied(self, instruction: Instruction, operands: Sequence[Value]) -> Instruction: ...
        def same(self, instruction: Instruction, original: Instruction) -> Instruction: ...
        def aggregates(self, instruction: Instruction) -> Instruction: ...
        def call(self, call: CallBase, original: Instruction) -> Instruction: ...


__all__ = ["RARE_RULES", "callee_in_type", "destination_of", "phis_of"]


def _with(casts: _Casts, instruction: Instruction, operands: Iterable[Value], **changes: Any) -> Instruction:
    """Return an instruction with operands and attributes, itself if they are its own."""
    made = casts.copied(instruction, tuple(operands))
    for name, value in changes.items():
        if getattr(made, name) is not value:
            made = unlisted_copy(made, **{name: value})
    return made


def _same(casts: _Casts, instruction: Any, original: Instruction) -> Instruction:
    return casts.same(instruction, original)


def _aggregates(casts: _Casts, instruction: Any, _original: Instruction) -> Instruction:
    return casts.aggregates(instruction)


def _exchange(casts: _Casts, operation: Any, _original: Instruction) -> Instruction:
    """Return an atomic operation on a pointee."""
    pointer, *values = operation.operands
    types = casts.types
    type_ = types.typed(values[0].type)
    operands = [casts.in_type(each, type_) for each in values]
    return _with(casts, operation, [casts.in_type(pointer, types.pointer_to(pointer.type, type_)), *operands])


def _insert_value(casts: _Casts, insert: Any, _original: Instruction) -> Instruction:
    aggregate, value = insert.operands
    type_ = casts.types.typed(aggregate.type)
    for index in insert.indices:
        type_ = casts.values.types.element(type_, index)
    return _with(casts, insert, [casts.plainly(aggregate), casts.in_type(value, type_)])


def _variable_argument(casts: _Casts, argument: Any, original: Instruction) -> Instruction:
    (pointer,) = argument.operands
    operands = [casts.in_type(pointer, casts.types.typed(pointer.type))]
    return _with(casts, argument, operands, type=casts.types.type_of(original))


def _landing_pad(casts: _Casts, pad: Any, _original: Instruction) -> Instruction:
    types = casts.types
    operands = [
        casts.in_type(clause, types.typed(clause.type)) if is_pointers(clause.type) else casts.plainly(clause)
        for clause in pad.operands
    ]
    return _with(casts, pad, operands, type=types.typed(pad.type))


def _branch(casts: _Casts, call: ir.CallBranch, original: Instruction) -> Instruction:
    """Return a call that may jump, which passes the addresses of the blocks as LLVM before 15 wants."""
    made = casts.call(call, original)
    callee = call.callee
    if not isinstance(callee, InlineAsm) or "!i" not in callee.constraints:
        return made
    addresses = [casts.constants.block_address(casts.function, block) for block in call.indirect_destinations]
    old: Any = made.function_type  # type: ignore[attr-defined]
    types = casts.values.types
    parameters = (*old.parameter_types, *[types.byte_pointer] * len(addresses))
    type_: Any = types.function(old.return_type, parameters, is_vararg=False)
    count = call.argument_count
    assembly = casts.constants.assembly(callee, type_, callee.constraints.replace("!i", "i"))
    operands = (*made.operands[:count], *addresses, *made.operands[count:-1], assembly)
    return unlisted_copy(made, operands=operands, function_type=type_, argument_count=count + len(addresses))


def callee_in_type(casts: _Casts, callee: Value, type_: Any) -> Value:
    """Return the callee as a pointer to a type of functions."""
    if isinstance(callee, InlineAsm):
        return casts.constants.assembly(callee, type_)
    if isinstance(callee, Function) and casts.types.signature(callee)[1] is type_:
        return callee
    return casts.in_type(callee, casts.types.pointer_to(callee.type, type_))


def destination_of(call: Value) -> BasicBlock | None:
    """Return the block that begins with the casts of the result of a call; None if they follow the call."""
    if isinstance(call, ir.Invoke):
        return call.normal_destination
    return call.default_destination if isinstance(call, ir.CallBranch) else None


def phis_of(call: ir.Invoke | ir.CallBranch) -> list[ir.Phi]:
    """Return the phis that have the result of a call on the edge that the call makes."""
    destination = destination_of(call)
    found: list[ir.Phi] = []
    for instruction in () if destination is None else destination.instructions:
        if not isinstance(instruction, ir.Phi):
            break
        for value, block in zip(instruction.operands, instruction.incoming_blocks, strict=True):
            if value is call and block is call.parent:
                found.append(instruction)
    return found


RARE_RULES: dict[type[Instruction], Callable[[_Casts, Any, Instruction], Instruction]] = {
    ir.Freeze: _same,
    ir.ExtractElement: _same,
    ir.InsertElement: _same,
    ir.ShuffleVector: _same,
    ir.AtomicRMW: _exchange,
    ir.AtomicCmpXchg: _exchange,
    ir.InsertValue: _insert_value,
    ir.VAArg: _variable_argument,
    ir.LandingPad: _landing_pad,
    ir.IndirectBranch: _aggregates,
    ir.CallBranch: _branch,
}
"""By class, the function that writes an instruction in the place of an original."""

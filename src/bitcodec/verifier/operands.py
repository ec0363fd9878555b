"""Rules of all instructions: their types, their operands, and dominance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import ConstantWithOperands, InlineAsm
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Call, CallBase, CallBranch, Instruction
from bitcodec.ir.type_properties import is_operand
from bitcodec.ir.types import MetadataType, VoidType
from bitcodec.verifier.constants import check_constant
from bitcodec.verifier.rules import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.verifier import Verifier

__all__ = [
    "IS_OWN_OPERAND",
    "NOT_DOMINATED",
    "NOT_FIRST_CLASS",
    "OPERAND_CHECKS",
    "USED_OUTSIDE",
    "is_reached",
    "type_problem",
]

_INVOKABLE = (
    "llvm.donothing",
    "llvm.seh.try.begin",
    "llvm.seh.try.end",
    "llvm.seh.scope.begin",
    "llvm.seh.scope.end",
    "llvm.coro.resume",
    "llvm.coro.destroy",
    "llvm.coro.await.suspend.",
    "llvm.experimental.patchpoint.",
    "llvm.fake.use",
    "llvm.experimental.gc.statepoint.",
    "llvm.wasm.throw",
    "llvm.wasm.rethrow",
)
"""Beginnings of the names of intrinsics that may unwind."""


IS_OWN_OPERAND = "Only PHI nodes may reference their own value!"
USED_OUTSIDE = "Instruction referencing instruction not embedded in a basic block!"
NOT_FIRST_CLASS = "Instruction operands must be first-class values!"
NOT_DOMINATED = "Instruction does not dominate all uses!"
"""Reported for all operands."""


def type_problem(instruction: Instruction, verifier: Verifier) -> str | None:
    """Return the error in the type of an instruction; types that any instruction may have are recorded."""
    type_ = instruction.type
    if isinstance(type_, VoidType):
        return "Instruction has a name, but provides a void value!" if instruction.name else None
    if not is_operand(type_):
        return "Instruction returns a non-scalar type!"
    if isinstance(type_, MetadataType):
        return None if isinstance(instruction, CallBase) else "Invalid use of metadata!"
    verifier.value_types.add(type_)
    return None


def is_reached(instruction: Instruction, body: Body) -> bool:
    """Return whether an instruction is reachable."""
    return instruction.parent is not None and body.is_reachable(instruction.parent)


def _instruction(operand: Instruction, user: Instruction, index: int, body: Body) -> str | None:
    if not is_operand(operand.type):
        return NOT_FIRST_CLASS
    if operand.function is not body.function:
        return "Referring to an instruction in another function!"
    return None if body.dominates_use(operand, user, index) else NOT_DOMINATED


def _function(function: Function, user: Instruction, index: int, body: Body) -> str | None:
    if function.is_intrinsic and not _is_attached_call(user, index, body):
        if not _is_callee(user, index):
            return "Cannot take the address of an intrinsic!"
        if not (isinstance(user, (Call, CallBranch)) or function.name.startswith(_INVOKABLE)):
            return (
                "Cannot invoke an intrinsic other than donothing, patchpoint, statepoint, coro_resume, coro_destroy, "
                "clang.arc.attachedcall or wasm.(re)throw"
            )
    if function.parent is not body.verifier.module:
        return _foreign("Referencing function in another module!", function, user, body)
    return None


def _is_callee(user: Instruction, index: int) -> bool:
    return isinstance(user, CallBase) and index == user.operand_count - 1


def _is_attached_call(user: Instruction, index: int, body: Body) -> bool:
    """Return whether an operand is in a bundle that names the function to call right after a call."""
    return isinstance(user, CallBase) and index in body.attached_call_operands(user)


def _foreign(message: str, value: GlobalValue, user: Instruction, body: Body) -> Problem:
    return Problem(message, user, body.verifier.module, value, value.parent)


def _global(value: GlobalValue, user: Instruction, _index: int, body: Body) -> str | None:
    if value.parent is body.verifier.module:
        return None
    return _foreign("Referencing global in another module!", value, user, body)


def _block(block: BasicBlock, _user: Instruction, _index: int, body: Body) -> str | None:
    return None if block.parent is body.function else "Referring to a basic block in another function!"


def _argument(argument: Argument, _user: Instruction, _index: int, body: Body) -> str | None:
    if not is_operand(argument.type):
        return NOT_FIRST_CLASS
    return None if argument.parent is body.function else "Referring to an argument in another function!"


def _assembly(_assembly: InlineAsm, user: Instruction, index: int, _body: Body) -> str | None:
    return None if _is_callee(user, index) else "Cannot take the address of an inline asm!"


def _constant(constant: ConstantWithOperands, user: Instruction, _index: int, body: Body) -> None:
    check_constant(constant, user, body.verifier)


_BY_KIND: dict[type, Callable[[Any, Instruction, int, Body], str | None]] = {
    Instruction: _instruction,
    Function: _function,
    GlobalValue: _global,
    BasicBlock: _block,
    Argument: _argument,
    InlineAsm: _assembly,
    ConstantWithOperands: _constant,
}


class _Checks(dict[type, "Callable[[Any, Instruction, int, Body], str | None] | None"]):
    """Checks of operands by class; a class without a check inherits the check of a base class.

    None if only the type counts: values of it must be first-class.
    """

    def __missing__(self, kind: type) -> Callable[[Any, Instruction, int, Body], str | None] | None:
        found = self[kind] = next((_BY_KIND[base] for base in kind.__mro__ if base in _BY_KIND), None)
        return found


OPERAND_CHECKS = _Checks()

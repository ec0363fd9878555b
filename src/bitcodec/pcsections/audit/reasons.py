"""Why nodes may be gone, as far as the module tells from which they are gone.

Rules: PC sections reference, sections 1.2, 4.1, 4.2, 5.2 and 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitcodec.ir.instructions import (
    Alloca,
    AtomicCmpXchg,
    AtomicRMW,
    CallBase,
    IndirectBranch,
    Load,
    Phi,
    Return,
    Store,
    Switch,
    Unreachable,
)
from bitcodec.pcsections.audit.requests import MALFORMED
from bitcodec.pcsections.metadata.selecting import has_code

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.pcsections.audit.carriers import Key
    from bitcodec.pcsections.audit.requests import Requests

__all__ = ["CODE_GENERATION", "TRANSFORMATION", "Reason", "Reasons"]


class Reason(NamedTuple):
    """A row: what becomes of some instructions.

    Attributes:
        holds: whether it may have become of one.
        text: what it is.
    """

    holds: Callable[[Instruction, Module], bool]
    text: str


def _of(*kinds: type[Instruction]) -> Callable[[Instruction, Module], bool]:
    return lambda instruction, _: isinstance(instruction, kinds)


def _becomes_call(instruction: Instruction, module: Module) -> bool:
    """Return whether it is atomic, and wider than a pointer or less aligned than it is wide."""
    match instruction:
        case Load(is_atomic=True):
            type_ = instruction.type
        case Store(is_atomic=True):
            type_ = instruction.operands[0].type
        case AtomicRMW():
            type_ = instruction.operands[1].type
        case AtomicCmpXchg():
            type_ = instruction.operands[1].type
        case _:
            return False
    size = module.data_layout.store_size(type_)
    return size > module.data_layout.pointer_size() or instruction.alignment < size


_LIBRARY_CALL = Reason(
    _becomes_call, "it is atomic and wide, or not aligned: a call of an __atomic_... function has no node"
)

CODE_GENERATION = (
    _LIBRARY_CALL,
    Reason(_of(CallBase), "SelectionDAG keeps no nodes of calls, intrinsics and inline assembly that make no value"),
    Reason(_of(Return, Unreachable, Switch, IndirectBranch), "SelectionDAG keeps no nodes of what makes no value"),
    Reason(_of(Phi, Alloca), "no machine instruction is made of it"),
    Reason(lambda *_: True, "it was folded into another instruction, made one with it, or deleted"),
)
"""On the way to machine IR and to an object: the first row that holds."""

TRANSFORMATION = (
    _LIBRARY_CALL,
    Reason(_of(CallBase), "it was inlined, or made anew with other arguments"),
    Reason(_of(Load, Store), "it was made one with another, kept in a register, made a vector, or deleted"),
    Reason(lambda *_: True, "it was replaced, made one with another, or deleted"),
)
"""On the way to other LLVM IR: the first row that holds."""


class Reasons:
    """Tells why what a function carried may be gone.

    Args:
        module: the module.
        requests: what it asks for.
        functions: what functions there are later.
        rows: what may have become of instructions.
        needs_code: whether functions without code are bound to be gone.
    """

    def __init__(
        self,
        module: Module,
        requests: Requests,
        functions: Container[str],
        rows: tuple[Reason, ...],
        *,
        needs_code: bool,
    ) -> None:
        self._module = module
        self._requests = requests
        self._functions = functions
        self._rows = rows
        self._needs_code = needs_code

    def __call__(self, key: Key, opcodes: Mapping[str, int]) -> str:
        """Return why what is carried by some opcodes of a function may be gone, "" if nothing tells."""
        name, wanted = key
        if self._needs_code and not has_code(self._requests.functions[name]):
            return "no code is made of the function: it is a declaration, or available_externally"
        if name not in self._functions:
            return "the function is gone: inlined, deleted, or another module's copy was taken"
        if wanted.groups[0].section == MALFORMED:
            return "the node is malformed"
        carriers = (each for each in self._requests.instructions(key) if each.opcode in opcodes)
        return "; ".join(dict.fromkeys(map(self._of_instruction, carriers)))

    def _of_instruction(self, instruction: Instruction) -> str:
        return next(row.text for row in self._rows if row.holds(instruction, self._module))

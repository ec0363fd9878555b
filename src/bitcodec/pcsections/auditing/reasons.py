"""Reasons why nodes may be gone, as far as the original module shows them.

Rules: docs/reference/pc-sections.md, 1.2, 4.1, 4.2, 5.2 and 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.auditing.requests import MALFORMED
from bitcodec.pcsections.metadata.selecting import has_code
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.pcsections.auditing.carriers import Key
    from bitcodec.pcsections.auditing.requests import Requests

__all__ = ["CODE_GENERATION", "TRANSFORMATION", "LossReason", "Reasons"]


class LossReason(NamedTuple):
    """A row: why the nodes of some instructions are gone.

    Attributes:
        holds: whether it may be so for one.
        text: why they are.
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


_LIBRARY_CALL = LossReason(_becomes_call, "calls of __atomic_... functions have no nodes")

CODE_GENERATION = (
    _LIBRARY_CALL,
    LossReason(_of(CallBase), "selection keeps no nodes of calls and inline assembly"),
    LossReason(_of(Return, Unreachable, Switch, IndirectBranch), "selection keeps no nodes of what makes no value"),
    LossReason(_of(Phi, Alloca), "no machine instruction is made of it"),
)
"""On the way to machine IR and to an object: the first row that holds."""

TRANSFORMATION = (
    _LIBRARY_CALL,
    LossReason(_of(CallBase), "the call was inlined, or rebuilt"),
    LossReason(_of(Phi, Alloca), "it is in registers now"),
)
"""On the way to other LLVM IR: the first row that holds."""

_OTHERWISE = "replaced, made one with another, or deleted"
"""Reason if no row applies."""


class Reasons:
    """Explains why nodes of a function may be gone.

    Args:
        module: the module.
        requests: its requests.
        functions: the functions that exist later.
        rows: why nodes of instructions may be gone.
        needs_code: whether it examines code, which some functions lack.
    """

    def __init__(
        self,
        module: Module,
        requests: Requests,
        functions: Container[str],
        rows: tuple[LossReason, ...],
        *,
        needs_code: bool,
    ) -> None:
        self._module = module
        self._requests = requests
        self._functions = functions
        self._rows = rows
        self._needs_code = needs_code

    def __call__(self, key: Key, opcodes: Mapping[str, int], missing: int) -> str:
        """Return the reason why nodes with carriers of some opcodes in a function may be gone, "" if unknown.

        Args:
            key: the function, and the node.
            opcodes: the opcodes of the carriers.
            missing: how many of them are gone.
        """
        name, wanted = key
        function = self._requests.functions[name]
        if self._needs_code and not has_code(function):
            return "the function has no code here: it is a declaration, or available_externally"
        if name not in self._functions:
            if self._needs_code and function.linkage is Linkage.PRIVATE:
                return "the function is private, so no symbol gives its address"
            return "the function is gone: inlined, deleted, or taken from elsewhere"
        if wanted.groups[0].section == MALFORMED:
            return "the node is malformed"
        carriers = [each for each in self._requests.instructions(key) if each.opcode in opcodes]
        known = [text for text in map(self._of_instruction, carriers) if text]
        if carriers and len(known) < missing:
            known.append(_OTHERWISE)
        return "; ".join(dict.fromkeys(known))

    def _of_instruction(self, instruction: Instruction) -> str:
        return next((row.text for row in self._rows if row.holds(instruction, self._module)), "")

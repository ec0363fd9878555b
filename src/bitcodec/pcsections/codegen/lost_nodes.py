"""Nodes that LLVM's instruction selection cannot keep.

LLVM with assertions, as in llvmlite's wheels, aborts on one, where LLVM without assertions warns, or is silent, and
continues without it.  So such nodes are removed after an abort: the rest is compiled to the same code.

Rules: docs/reference/pc-sections.md, 5.2; which instructions these are was observed with LLVM 22 on all of the corpus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.loading import loads
from bitcodec.bitcode.saving import dumps
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase, IndirectBranch, Return, Store, Switch
from bitcodec.ir.pcsections import PCSECTIONS
from bitcodec.ir.types import VoidType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import Instruction

__all__ = ["LOST_NODES", "LostNodes", "without_nodes"]

_LOSING = "loosing !pcsections"
"""LLVM's spelling."""


class LostNodes(NamedTuple):
    """A row: nodes that LLVM aborts on.

    Attributes:
        mark: LLVM's message then.
        holds: whether an instruction has such a node.
    """

    mark: str
    holds: Callable[[Instruction], bool]


def _selects_to_nothing(instruction: Instruction) -> bool:
    """Return whether selection makes no value of it, for which a node could be kept."""
    is_call = isinstance(instruction, CallBase) and isinstance(instruction.type, VoidType)
    return is_call or isinstance(instruction, Return | IndirectBranch)


def _of(kind: type[Instruction]) -> Callable[[Instruction], bool]:
    return lambda instruction: isinstance(instruction, kind)


def _is_thread_local_address(instruction: Instruction) -> bool:
    callee = instruction.callee if isinstance(instruction, CallBase) else None
    return isinstance(callee, Function) and callee.name.startswith("llvm.threadlocal.address")


LOST_NODES = (
    LostNodes("!Leafs.empty()", _is_thread_local_address),
    LostNodes(_LOSING, _selects_to_nothing),
    LostNodes(_LOSING, _of(CallBase)),  # one that is made a jump
    LostNodes(_LOSING, _of(Switch)),
    LostNodes(_LOSING, _of(Store)),  # one of nothing, or to `swifterror`
)
"""The rows; of several with one mark, the next is tried when the one before was not enough."""


def without_nodes(bitcode: bytes, holds: Callable[[Instruction], bool]) -> tuple[bytes, int]:
    """Return a module without the nodes of some instructions, and of how many.

    Raises:
        BitcodecError: the module is malformed.
    """
    module, count = loads(bitcode), 0
    for function in module.functions:
        for instruction in function.instructions:
            if holds(instruction) and instruction.metadata.pop(PCSECTIONS, None) is not None:
                count += 1
    return dumps(module), count

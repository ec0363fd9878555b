"""Drops debug information: what LLVM does with that of a version it does not read.

Rules: auto-upgrade reference, section 10.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction import instructions_with_extras, present_metadata
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.metadata import MDTuple

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode, NamedMetadata
    from bitcodec.ir.module import Module

__all__ = ["strip_function", "strip_globals", "strip_named_metadata"]

_NAMES = ("llvm.dbg.", "llvm.gcov")
_KINDS = ("dbg", "heapallocsite", "DIAssignID")
_LOOP = "llvm.loop"


def strip_named_metadata(named: dict[str, NamedMetadata]) -> None:
    """Drop the lists of compile units and the like."""
    for name in [name for name in named if name.startswith(_NAMES[0]) or name == _NAMES[1]]:
        del named[name]


def strip_globals(module: Module) -> None:
    """Drop what variables and functions have attached."""
    for value in (*module.global_variables, *module.functions):
        if present_metadata(value):
            value.metadata.pop("dbg", None)


def strip_function(function: Function) -> None:
    """Drop the locations and records of a body, and what gives loops where they are.

    They are read first, because LLVM refuses malformed ones in such modules too.

    Raises:
        BitcodecError: one of them is malformed.
    """
    loops: dict[MDNode, MDNode | None] = {}
    for instruction in instructions_with_extras(function):
        _ = instruction.debug_location
        instruction.debug_location = None
        if instruction.has_debug_records:
            instruction.debug_records.clear()
        if instruction.has_attachments:
            _strip_attachments(instruction, loops)


def _strip_attachments(instruction: Instruction, loops: dict[MDNode, MDNode | None]) -> None:
    attached = instruction.metadata
    for kind in _KINDS:
        attached.pop(kind, None)
    loop = attached.get(_LOOP)
    if loop is not None:
        if loop not in loops:
            loops[loop] = _without_locations(loop)
        stripped = loops[loop]
        if stripped is None:
            del attached[_LOOP]
        else:
            attached[_LOOP] = stripped


def _without_locations(loop: MDNode) -> MDNode | None:
    """Return a loop's node without locations, None if it held nothing else."""
    if not isinstance(loop, MDTuple) or not any(isinstance(operand, DILocation) for operand in loop):
        return loop
    kept = [operand for operand in loop if not isinstance(operand, DILocation) and operand is not loop]
    if not kept:
        return None
    stripped = MDTuple([None, *kept], is_distinct=True)
    stripped.set_operand(0, stripped)
    return stripped

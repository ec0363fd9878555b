"""Drops debug information of a version that LLVM does not read, as LLVM does.

Rules: docs/reference/upgrades.md, 10.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.deferring import complete_metadata, ignore_debug_info
from bitcodec.ir.construction.present import instructions_with_extras, present_metadata
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.metadata import MDTuple
from bitcodec.upgrade.module_flags import DEBUG_INFO_VERSION, debug_info_version

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode, NamedMetadata
    from bitcodec.ir.module import Module

__all__ = [
    "drop_other_debug_info",
    "ignored_debug_info",
    "strip_declared_globals",
    "strip_function",
    "strip_globals",
    "strip_named_metadata",
]

_NAMES = ("llvm.dbg.", "llvm.gcov")
_KINDS = ("dbg", "heapallocsite", "DIAssignID")
_LOOP = "llvm.loop"


def drop_other_debug_info(module: Module) -> None:
    """Drop the debug information of a module that has been read whole, unless LLVM 22 reads its version.

    Raises:
        BitcodecError: a part of it is malformed.
    """
    version = debug_info_version(module.named_metadata)
    if version == DEBUG_INFO_VERSION:
        return
    is_found = [strip_named_metadata(module.named_metadata), strip_globals(module)]
    is_found += [strip_function(function) for function in module.functions]
    if any(is_found):
        ignore_debug_info(module, version)


def strip_declared_globals(module: Module) -> None:
    """Drop debug information of another version from variables and declarations; read no bodies."""
    version = debug_info_version(module.named_metadata)
    if version == DEBUG_INFO_VERSION:
        return
    for value in (*module.global_variables, *(each for each in module.functions if each.is_declaration)):
        complete_metadata(value)
    if strip_globals(module):
        ignore_debug_info(module, version)


def ignored_debug_info(module: Module) -> str:
    """Return LLVM's warning of debug information that was dropped because of its version, "" if none was."""
    version = module.ignored_debug_info_version
    return "" if version is None else f"ignoring debug info with an invalid version ({version}) in {module.identifier}"


def strip_named_metadata(named: dict[str, NamedMetadata]) -> bool:
    """Drop the lists of compile units and the like, read first as in `strip_function`; return whether there was one.

    Raises:
        BitcodecError: one of them is malformed.
    """
    dropped = [name for name in named if name.startswith(_NAMES[0]) or name == _NAMES[1]]
    for name in dropped:
        _ = named[name].operands
        del named[name]
    return bool(dropped)


def strip_globals(module: Module) -> bool:
    """Drop the debug information attached to variables and functions; return whether there was any."""
    is_found = False
    for value in (*module.global_variables, *module.functions):
        if present_metadata(value):
            is_found |= value.metadata.pop("dbg", None) is not None
    return is_found


def strip_function(function: Function) -> bool:
    """Drop the subprogram of a function, the locations and records of its body, and the locations of its loops.

    They are read first, because LLVM refuses malformed ones in such modules too.

    Returns:
        Whether there was a subprogram or a location.  LLVM warns of nothing else that it drops here.

    Raises:
        BitcodecError: one of them is malformed.
    """
    complete_metadata(function)
    is_found = bool(present_metadata(function)) and function.metadata.pop("dbg", None) is not None
    loops: dict[MDNode, MDNode | None] = {}
    for instruction in instructions_with_extras(function):
        is_found |= instruction.debug_location is not None
        instruction.debug_location = None
        if instruction.has_debug_records:
            instruction.debug_records.clear()
        if instruction.has_attachments:
            _strip_attachments(instruction, loops)
    return is_found


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

"""Takes debug information out.  Rules: `StripDebugInfo` of LLVM 22."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.host.collection import without_collection
from bitcodec.transforms.loops import LocationStripper
from bitcodec.transforms.reading import read_for_change

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalObject
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MetadataTable
    from bitcodec.ir.module import Module

__all__ = ["strip_debug_info"]

_DBG = "dbg"
_LOOP = "llvm.loop"
_KINDS = (_DBG, "heapallocsite", "DIAssignID")
"""Kinds of attached metadata that are debug information, or refer to some."""


def strip_debug_info(module: Module) -> None:
    """Remove all debug information, as `opt --strip-debug` does.

    Locations, debug records, `!dbg` of functions and variables, `llvm.dbg.*` and locations of loops are removed; so
    is `llvm.gcov`, which means nothing without them.  Module flags stay.

    Raises:
        BitcodecError: something in the module is malformed; it is then unchanged.
    """
    with without_collection():
        read_for_change(module)
        _strip_module(module)


def _strip_module(module: Module) -> None:
    for name in list(module.named_metadata):
        if name.startswith("llvm.dbg.") or name == "llvm.gcov":
            del module.named_metadata[name]
    for variable in module.global_variables:
        _strip_global(variable)
    for function in module.functions:
        _strip_global(function)
        _strip_body(function, module.context.metadata)


def _strip_global(value: GlobalObject) -> None:
    value.metadata.pop(_DBG, None)


def _strip_body(function: Function, table: MetadataTable) -> None:
    loops = LocationStripper(table)
    for block in function.blocks:
        for instruction in block.instructions:
            _strip_instruction(instruction, loops)
        block.trailing_debug_records.clear()


def _strip_instruction(instruction: Instruction, loops: LocationStripper) -> None:
    instruction.debug_location = None
    # `debug_records` and `metadata` would make an empty list and mapping for each instruction.
    if instruction.has_debug_records:
        instruction.debug_records.clear()
    if not instruction.has_attachments:
        return
    attached = instruction.metadata
    for kind in _KINDS:
        attached.pop(kind, None)
    if _LOOP in attached:
        stripped = loops[attached.pop(_LOOP)]
        if stripped is not None:
            attached[_LOOP] = stripped

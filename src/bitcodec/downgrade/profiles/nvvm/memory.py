"""Copies of memory and variable arguments for libNVVM, whose code generator assumes too much about addresses."""

from __future__ import annotations

from itertools import dropwhile, islice
from typing import TYPE_CHECKING

from bitcodec.builder import attribute
from bitcodec.downgrade.profiles.editing import assembly, calls_of, editor, intrinsics_of, name_of, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.instructions import Call, VAArg
from bitcodec.ir.types import PointerType
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["lower_memory"]

_COPIES = frozenset({"memcpy", "memmove", "memset"})
_ALIGN = "align"


def lower_memory(module: Module, losses: Losses) -> None:
    """State the alignments of copies, and read variable arguments by generic addresses."""
    for function, name in intrinsics_of(module):
        base = name.partition(".")[0]
        for call in calls_of(function) if base in _COPIES or base == "va_start" else ():
            if base in _COPIES:
                _state_alignment(call, base, losses)
            elif isinstance(call, Call) and not _is_generic(call):
                losses.add(rows.VARIABLE_ARGUMENTS, name_of(call), call)
                _make_generic(call)
    bodies = [(function, list(function.instructions)) for function in module.functions]
    for instruction, function in ((each, function) for function, body in bodies for each in body):
        if isinstance(instruction, VAArg):
            losses.add(rows.VARIABLE_ARGUMENTS, function.name, instruction)
            _read_argument(instruction, module)


def _state_alignment(call: CallBase, base: str, losses: Losses) -> None:
    """Set the alignment of pointers without one to 1 byte: libNVVM copies vectors, assuming that they are aligned."""
    old = call.attributes
    parameters = {index: old.for_parameter(index) for index in range(len(call.arguments))}
    for index, argument in enumerate(call.arguments[:2]):
        if isinstance(argument.type, PointerType) and _ALIGN not in parameters[index]:
            parameters[index] = parameters[index].with_(attribute((_ALIGN, 1)))
    made = AttributeList(old.for_function, old.for_return, parameters)
    if made != old:
        losses.add(rows.intrinsic(f"alignment of {PREFIX}{base}", "`align 1`", message=""), name_of(call), call)
        call.attributes = made


def _is_generic(call: Call) -> bool:
    """Return whether the address is made generic right behind a call already, as `_make_generic` does it."""
    block = call.parent
    assert block is not None  # noqa: S101 - it is in a function of the module
    rest = dropwhile(lambda each: each is not call, block.instructions)
    found = (each.callee for each in islice(rest, _NEAR) if isinstance(each, Call))
    return any(isinstance(callee, InlineAsm) and callee.assembly == _GENERIC for callee in found)


_NEAR = 10
"""Limit of the instructions that `_make_generic` makes, with casts of pointers between them."""
_GENERIC = "cvta.local.u64 $0, $1;"


def _make_generic(call: Call) -> None:
    """Store the generic address of the arguments: libNVVM stores that in local memory, which only `va_arg` expects."""
    (list_,) = call.arguments
    builder = editor(call)
    builder.after(call)
    alignment = builder.module.data_layout.abi_alignment(builder.types.ptr)
    first = builder.load(builder.types.ptr, list_, alignment=alignment)
    word = _address(builder)
    # A cast from the address space of local memory sends libNVVM's optimizer into an endless loop.
    local = [builder.ptrtoint(first, word)]
    generic = assembly(builder, _GENERIC, "=l,l", word, local, has_side_effects=False)
    builder.store(builder.inttoptr(generic, builder.types.ptr), list_, alignment=alignment)


def _address(builder: Builder) -> Type:
    return builder.types.integer(builder.module.data_layout.pointer_size(0) * 8)


def _read_argument(instruction: VAArg, module: Module) -> None:
    """Read the next argument as the code generator of LLVM does: at its alignment, right behind the one before."""
    builder, layout, type_ = editor(instruction), module.data_layout, instruction.type
    (list_,) = instruction.operands
    types = builder.types
    alignment = layout.abi_alignment(type_)
    pointer_alignment = layout.abi_alignment(types.ptr)
    place: Value = builder.load(types.ptr, list_, alignment=pointer_alignment)
    number = builder.add(builder.ptrtoint(place, _address(builder)), alignment - 1)
    place = builder.inttoptr(builder.and_(number, -alignment), types.ptr)
    following = builder.getelementptr(types.integer(8), place, [layout.alloc_size(type_)])
    builder.store(following, list_, alignment=pointer_alignment)
    replace(instruction, builder.load(type_, place, alignment=alignment))

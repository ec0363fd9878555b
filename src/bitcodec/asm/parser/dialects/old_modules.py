"""Upgrades of modules that were read from old text: those that the reader of bitcode makes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bitcodec import upgrade
from bitcodec.asm.parser.upgrading import has_current_debug_info
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.layout_specification import LayoutError
from bitcodec.malformed import Malformed
from bitcodec.tables import calling_conventions
from bitcodec.upgrade.attributes import (
    AttributeFitter,
    upgraded_strings,
    with_byval_of_interrupt,
    without_implicit_section,
)
from bitcodec.upgrade.branch_weights import are_misfits, ways_of
from bitcodec.upgrade.data_layout import upgraded_data_layout
from bitcodec.upgrade.element_types import with_element_types
from bitcodec.upgrade.intrinsics import replacement_of
from bitcodec.upgrade.module_flags import (
    has_branch_protection,
    upgrade_linker_options,
    upgrade_module_flags,
    upgrade_retain_release_marker,
)
from bitcodec.upgrade.structors import upgrade_structors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.upgrade.intrinsics import Replacement

__all__ = ["fit_attributes", "upgrade_layout", "upgrade_old_module"]

_RUNTIME_CALLS = ("objc_", "clang.arc.use")
_UNSAFE_ATOMICS = "amdgpu-unsafe-fp-atomics"


def upgrade_layout(module: Module) -> None:
    """Bring the data layout up to date, before anything takes sizes and alignments from it.

    One that would become malformed in LLVM 22 is unchanged: LLVM writes `-i128:128` into `-i64:64:64`.
    """
    try:
        module.data_layout = DataLayout(upgraded_data_layout(str(module.data_layout), module.target_triple))
    except LayoutError:
        return


# Attributes


def fit_attributes(state: ModuleState) -> None:
    """Give functions and calls their attributes as LLVM 22 has them, with the types that pointers had.

    Raises:
        AssemblyError: an attribute needs a type, which no pointer has.
    """
    fitter = AttributeFitter()
    for function in state.module.functions:
        attributes = _completed(state, fitter, function, function.attributes)
        attributes, section = without_implicit_section(attributes)
        if section is not None:
            function.section = section
        function.attributes = fitter.without_incompatible(attributes, function.value_type)
        for instruction in _instructions(function):
            if isinstance(instruction, CallBase):
                _fit_call(state, fitter, instruction)


def _completed(
    state: ModuleState, fitter: AttributeFitter, of: Function | CallBase, attributes: AttributeList
) -> AttributeList:
    """Return attributes with their types, and without strings that replace others."""
    pointee = _pointees_of(state, of)
    if attributes.for_function:
        attributes = attributes.with_function(_strings(attributes.for_function))
    try:
        attributes = fitter.with_pointees(attributes, pointee)
        if isinstance(of, CallBase):
            return with_element_types(attributes, of.callee, pointee)
    except Malformed as error:
        state.lexer.refuse(str(error), 0)
    is_interrupt = of.calling_convention == calling_conventions.X86_INTR
    first = pointee(0) if is_interrupt and of.value_type.parameter_types else None
    return attributes if first is None else with_byval_of_interrupt(attributes, first)


_strings = lru_cache(maxsize=1 << 10)(upgraded_strings)


def _pointees_of(state: ModuleState, of: Function | CallBase) -> Callable[[int], Type | None]:
    known = state.parameter_pointees.get(of, ())
    return lambda index: known[index] if index < len(known) else None


def _fit_call(state: ModuleState, fitter: AttributeFitter, call: CallBase) -> None:
    function_type = call.function_type
    extra = call.arguments[len(function_type.parameter_types) :]
    attributes = _completed(state, fitter, call, call.attributes)
    call.attributes = fitter.without_incompatible(attributes, function_type, tuple([value.type for value in extra]))


def _instructions(function: Function) -> Iterator[Instruction]:
    for block in function.blocks:
        yield from block.instructions


# Everything else


def upgrade_old_module(state: ModuleState) -> None:
    """Change a module as the reader changes bitcode of that time."""
    module, named = state.module, state.module.named_metadata
    has_marker = upgrade_retain_release_marker(named, module.context)
    _upgrade_attachments(state)
    _upgrade_calls(state, has_marker=has_marker)
    if not has_current_debug_info(module, state.surroundings):
        upgrade.drop_other_debug_info(module)
    upgrade_linker_options(named)
    upgrade_module_flags(named, module.context)
    upgrade.upgrade_nvvm_annotations(module)
    if has_branch_protection(module.target_triple):
        protection = upgrade.mark_branch_protection(module, named)
        if protection is not None:
            upgrade.protect_functions(module, protection)


def _upgrade_attachments(state: ModuleState) -> None:
    context = state.context
    for instruction, kind, _node in state.metadata.attachments:
        attached = instruction.metadata
        node = attached.get(kind)
        if node is None:
            continue
        if kind == "tbaa":
            attached[kind] = upgrade.upgraded_tbaa(node, context)
        elif kind == "llvm.loop":
            attached[kind] = upgrade.upgraded_loop(node, context.metadata)
        elif kind == "prof" and are_misfits(node, ways_of(instruction)):
            del attached[kind]


def _upgrade_calls(state: ModuleState, *, has_marker: bool) -> None:
    """Replace old intrinsics by new declarations, in the order of bitcode."""
    module = state.module
    replacements = _replaced_intrinsics(module)
    upgrade_structors(module)
    runtime: dict[Function, Replacement] = {}
    if any(function.name.startswith(_RUNTIME_CALLS) for function in module.functions):
        runtime = upgrade.arc_replacements(module, has_old_marker=has_marker)
        replacements.update(runtime)
    for function in module.functions:
        if not function.is_declaration:
            _upgrade_body(state, function, replacements)
    for old, replacement in replacements.items():
        if replacement.declaration is not None:
            upgrade.redirect_uses(old, replacement)
        if old in runtime and not old.is_used:
            old.erase_from_parent()
        elif old.parent is None and old.is_used:
            module.append(old)


def _replaced_intrinsics(module: Module) -> dict[Function, Replacement]:
    """Remove old intrinsics from a module and return their replacements."""
    intrinsics = [function for function in module.functions if function.is_intrinsic]
    names = {function.name for function in intrinsics}
    replacements: dict[Function, Replacement] = {}
    for function in intrinsics:
        replacement = replacement_of(function, names)
        if replacement is not None:
            replacements[function] = replacement
            module.remove(function)
    return replacements


def _upgrade_body(state: ModuleState, function: Function, replacements: dict[Function, Replacement]) -> None:
    metadata = state.context.metadata
    upgrade.upgrade_calls(function, replacements)
    upgrade.upgrade_strict_calls(function)
    if state.dialect.is_before(5):
        upgrade.upgrade_declares(function, metadata)
    if _UNSAFE_ATOMICS in function.attributes.for_function:
        upgrade.upgrade_unsafe_atomics(function, metadata)

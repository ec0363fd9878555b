"""Upgrades of a module that has been read from text, as llvm-as makes them.

Rules: docs/reference/parsing.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import upgrade
from bitcodec.ir.construction.setting import set_metadata_kinds
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Call
from bitcodec.upgrade.calls import redirect_uses, upgrade_calls_of
from bitcodec.upgrade.intrinsics import has_odd_type, listed_replacement_of, replacement_of
from bitcodec.upgrade.module_flags import (
    DEBUG_INFO_VERSION,
    debug_info_version,
    has_branch_protection,
    upgrade_module_flags,
)
from bitcodec.upgrade.tbaa import upgraded_tbaa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.asm.parser.implicit_intrinsics import ImplicitUpgrade
    from bitcodec.asm.parser.metadata_state import MetadataState
    from bitcodec.asm.parser.surroundings import Surroundings
    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType
    from bitcodec.upgrade.intrinsics import Replacement

__all__ = ["has_current_debug_info", "upgrade_access_tags", "upgrade_module"]

_OLD_SECTION = "__DATA, __objc_catlist"
"""Sections with this prefix no longer have spaces between their parts."""
_STRIPPED_KIND = "heapallocsite"


def upgrade_access_tags(metadata: MetadataState, context: Context) -> None:
    """Give accesses to memory whose tag names a type alone a tag of that type."""
    upgraded: dict[MDNode, MDNode] = {}
    for instruction, kind, reference in metadata.attachments:
        if kind == "tbaa":
            node = metadata.resolved(reference)
            tag = upgraded.get(node)
            if tag is None:
                tag = upgraded[node] = upgraded_tbaa(node, context)
            if tag is not node:
                instruction.metadata[kind] = tag


def upgrade_module(module: Module, surroundings: Surroundings | None, implicit: Sequence[ImplicitUpgrade]) -> None:
    """Change a module as llvm-as does when it has read one.

    Args:
        module: the module.
        surroundings: the module that it becomes a part of, None if it is a separate module.
        implicit: old intrinsics that are called without a declaration, in the order of their places.
    """
    _upgrade_implicit(module, implicit)
    _upgrade_intrinsics(module)
    named = module.named_metadata
    if not has_current_debug_info(module, surroundings):
        _register_stripped_kind(module)
        upgrade.drop_other_debug_info(module)
    upgrade_module_flags(named, module.context)
    _upgrade_sections(module)
    upgrade.upgrade_nvvm_annotations(module)
    if has_branch_protection(module.target_triple):
        protection = upgrade.mark_branch_protection(module, named)
        if protection is not None:
            upgrade.protect_functions(module, protection)


def has_current_debug_info(module: Module, surroundings: Surroundings | None) -> bool:
    """Return whether a module, or the one that it becomes a part of, has debug information as LLVM 22 reads it."""
    modules = [module] if surroundings is None else [module, surroundings.module]
    return any(debug_info_version(each.named_metadata) == DEBUG_INFO_VERSION for each in modules)


def _register_stripped_kind(module: Module) -> None:
    """Register the kind of attachment that LLVM looks for, and so makes known, when it strips debug information."""
    kinds = module.metadata_kinds
    if _STRIPPED_KIND not in kinds and any(
        instruction.has_attachments
        for function in module.functions
        for block in function.blocks
        for instruction in block.instructions
    ):
        set_metadata_kinds(module, (*kinds, _STRIPPED_KIND))


def _upgrade_implicit(module: Module, implicit: Sequence[ImplicitUpgrade]) -> None:
    """Upgrade calls of old intrinsics without a declaration.

    LLVM upgrades them when it declares the intrinsic, so the functions that they add precede the functions of the next.
    """
    first = len(module.functions)
    additions: list[tuple[int, int]] = []
    for old, replacement, place in implicit:
        known = len(module.functions)
        _upgrade_intrinsic(old, replacement)
        if old.is_used:
            module.append(old)
        additions.append((place, len(module.functions) - known))
    if any(count and place < first for place, count in additions):
        _move_to_places(module, first, additions)


def _move_to_places(module: Module, first: int, additions: Sequence[tuple[int, int]]) -> None:
    """Move functions from the end of a module to places before others.

    Args:
        module: the module.
        first: the position of the first of them.
        additions: place and number of functions that follow each other, in the order of places.
    """
    functions = [*module.functions]
    begin = additions[0][0]
    ordered: list[Function] = []
    for place, count in additions:
        ordered += functions[begin:place]
        ordered += functions[first : first + count]
        begin, first = place, first + count
    ordered += functions[begin : len(functions) - sum(count for _, count in additions)]
    for function in ordered:
        module.remove(function)
    module.extend(ordered)


def _upgrade_intrinsics(module: Module) -> None:
    # One declaration after another, with its calls: that is the order of new declarations.
    names = {function.name for function in module.functions if function.is_intrinsic}
    for old in module.functions:
        replacement = replacement_of(old, names) if old.is_intrinsic else None
        if replacement is not None:
            _upgrade_intrinsic(old, replacement)
        elif old.is_intrinsic and old.is_used and has_odd_type(old):
            _upgrade_other_calls(old, module)
        else:
            continue
        if not old.is_used:
            old.erase_from_parent()


def _upgrade_intrinsic(old: Function, replacement: Replacement) -> None:
    upgrade_calls_of(old, replacement)
    if old.parent is not None and old.is_used:
        _upgrade_other_calls(old, old.parent)
    redirect_uses(old, replacement)


def _upgrade_other_calls(old: Function, module: Module) -> None:
    """Rewrite old calls that are not of the type of the declaration as if a declaration had their type.

    LLVM takes new names from the type of the declaration alone, so calls that only need a new name are left.
    """
    others: dict[FunctionType, list[Call]] = {}
    for user in old.users:
        if type(user) is Call and user.operand_at(-1) is old and user.function_type is not old.value_type:
            others.setdefault(user.function_type, []).append(user)
    name = old.name
    for function_type, calls in others.items():
        old.name = ""  # which the other declaration has for a moment
        other = Function(old.type, function_type)
        other.name = name
        module.append(other)
        replacement = listed_replacement_of(other)
        module.remove(other)
        old.name = name if module.get(name) is None else f"{name}.old"
        if replacement is not None:
            for call in calls:
                call.set_operand(-1, other)
            upgrade_calls_of(other, replacement)
            other.replace_all_uses_with(old)


def _upgrade_sections(module: Module) -> None:
    for variable in module.global_variables:
        if variable.section.startswith(_OLD_SECTION):
            variable.section = ",".join(part.strip() for part in variable.section.split(","))

"""Branch protection of ARM: module flags for all functions become attributes of each function.

Rules: docs/reference/upgrades.md, 10.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import StringAttribute
from bitcodec.ir.metadata import MDString, MDTuple, constant_integer
from bitcodec.tables.module_flags import MODULE_FLAGS
from bitcodec.upgrade.module_flags import has_branch_protection

if TYPE_CHECKING:
    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.metadata import MDNode, NamedMetadata
    from bitcodec.ir.module import Module

__all__ = ["mark_branch_protection", "protect_functions"]

_KEY, _VALUE = 1, 2
"""Operands of a flag; its behaviour precedes them."""
_DONE = 2
"""Value of the flags once they have been applied to functions."""

_SWITCHES = ("branch-target-enforcement", "branch-protection-pauth-lr", "guarded-control-stack")
_SIGN, _SIGN_ALL, _SIGN_WITH_B_KEY = "sign-return-address", "sign-return-address-all", "sign-return-address-with-bkey"
_SIGNING = (_SIGN, _SIGN_ALL, _SIGN_WITH_B_KEY)


def mark_branch_protection(module: Module, named: dict[str, NamedMetadata]) -> set[str] | None:
    """Mark the flags that become function attributes, and return them; None if functions have them already.

    Flags and functions are read apart; whoever requests flags finds them the same, before functions are read or after.
    """
    flags = named[MODULE_FLAGS].operands if MODULE_FLAGS in named else []
    values = _values(flags)
    if _DONE in values.values() or not has_branch_protection(module.target_triple):
        return None
    set_ = {name for name, value in values.items() if value == 1}
    if _SIGN not in set_:
        set_ -= set(_SIGNING)
    for index, flag in enumerate(flags):
        if isinstance(flag, MDTuple) and _key(flag) in set_:
            flags[index] = _marked(flag, module)
    return set_


def protect_functions(module: Module, set_: set[str]) -> None:
    """Give the functions that are defined here the attributes of module flags."""
    for function in module.functions:
        if not function.is_declaration:
            attributes = function.attributes
            function.attributes = attributes.with_function(_protected(attributes.for_function, set_))


def _values(flags: list[MDNode]) -> dict[str, int]:
    """Return the numbers of the flags of interest."""
    values: dict[str, int] = {}
    for flag in flags:
        key = _key(flag)
        value = flag[_VALUE] if key and isinstance(flag, MDTuple) else None
        constant = constant_integer(value)
        if constant is not None:
            values[key] = constant.unsigned
            if constant.unsigned == _DONE:
                break
    return values


def _key(flag: MDNode) -> str:
    """Return the name of a flag of interest, "" for any other."""
    key = flag[_KEY] if isinstance(flag, MDTuple) and len(flag) == 3 else None
    return key.text if isinstance(key, MDString) and key.text in (*_SWITCHES, *_SIGNING) else ""


def _protected(attributes: AttributeSet, set_: set[str]) -> AttributeSet:
    if _SIGN in set_:
        if _SIGN not in attributes:
            attributes = attributes.with_(StringAttribute(_SIGN, "all" if _SIGN_ALL in set_ else "non-leaf"))
        if f"{_SIGN}-key" not in attributes:
            key = "b_key" if _SIGN_WITH_B_KEY in set_ else "a_key"
            attributes = attributes.with_(StringAttribute(f"{_SIGN}-key", key))
    elif attributes.string(_SIGN) == "none":
        attributes = attributes.without(_SIGN, f"{_SIGN}-key")
    for name in _SWITCHES:
        attributes = _switched(attributes, name, is_on=name in set_)
    return attributes


def _switched(attributes: AttributeSet, name: str, *, is_on: bool) -> AttributeSet:
    """Return attributes of which one is there without a value, or is not there."""
    value = attributes.string(name)
    if value == "false":
        return attributes.without(name)
    if value == "true" or (value is None and is_on):
        return attributes.with_(StringAttribute(name))
    return attributes


def _marked(flag: MDTuple, module: Module) -> MDTuple:
    metadata = module.context.metadata
    done = module.context.constants.integer(module.context.types.integer(32), _DONE)
    return metadata.tuple([*flag.operands[:_VALUE], metadata.value(done)])

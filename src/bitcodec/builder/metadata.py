"""Metadata: nodes, named metadata, module flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple, Metadata, NamedMetadata
from bitcodec.ir.metadata_values import MetadataAsValue, as_argument
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.ir.values import Value
from bitcodec.tables.module_flags import Behavior, behavior_of

if TYPE_CHECKING:
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = [
    "MetadataLike",
    "add_module_flag",
    "add_named_metadata",
    "has_module_flag",
    "metadata_node",
    "metadata_value",
]

MetadataLike: TypeAlias = "Metadata | Value | str | None"
"""Metadata; a value, which is wrapped; a string, which becomes a metadata string; None for `null`."""

_FLAG_BITS = 32


def metadata_node(module: Module, *operands: MetadataLike, distinct: bool = False) -> MDTuple:
    """Return the node `!{...}` of these operands; one that is distinct is a new one each time.

    Raises:
        TypeError: an operand is nothing that metadata can hold.
    """
    found = [_metadata(module, operand) for operand in operands]
    return module.context.metadata.unique(MDTuple(found, is_distinct=distinct))


def metadata_value(module: Module, metadata: MetadataLike) -> MetadataAsValue:
    """Return metadata as a value, to pass to an intrinsic."""
    context = module.context
    return MetadataAsValue(context.types.metadata, as_argument(_metadata(module, metadata), context.metadata))


def add_named_metadata(module: Module, name: str, *nodes: MDNode) -> NamedMetadata:
    """Return the named metadata of that name, with nodes added; it is made if it is not there yet."""
    found = module.named_metadata.get(name)
    if found is None:
        found = module.named_metadata[name] = NamedMetadata(name)
    found.operands.extend(nodes)
    return found


def add_module_flag(module: Module, behavior: int | str, name: str, value: int | Metadata) -> MDTuple:
    """Add a module flag.

    Args:
        module: the module.
        behavior: the behavior if the flags of two linked modules differ: a `Behavior`, or its name such as `max`.
        name: of the flag.
        value: metadata, or a number for a constant `i32`.

    Returns:
        The node.

    Raises:
        ValueError: the module has that flag already, or the behavior is unknown; `require` may be repeated.
    """
    behavior = behavior_of(behavior) if isinstance(behavior, str) else behavior
    if behavior != Behavior.REQUIRE and has_module_flag(module, name):
        raise ValueError(f"the module has a flag {name!r} already")
    constants, i32 = module.context.constants, module.context.types.integer(_FLAG_BITS)
    content = constants.integer(i32, value) if isinstance(value, int) else value
    flag = metadata_node(module, constants.integer(i32, behavior), name, content)
    add_named_metadata(module, MODULE_FLAGS, flag)
    return flag


def has_module_flag(module: Module, name: str) -> bool:
    """Return whether a module has a flag of that name; flags that only require others do not count."""
    flags = module.named_metadata.get(MODULE_FLAGS)
    for flag in () if flags is None else flags.operands:
        match flag.operands:
            case (ConstantAsMetadata(ConstantInt(behavior)), MDString(text), *_) if behavior != Behavior.REQUIRE:
                if text == name:
                    return True
    return False


def _metadata(module: Module, given: MetadataLike) -> Metadata | None:
    table = module.context.metadata
    if isinstance(given, Value):
        return table.value(given)
    if isinstance(given, str):
        return table.string(given)
    if given is not None and not isinstance(given, Metadata):
        raise TypeError(f"expected metadata, a value, a str or None, found {given!r}; wrap a number in a constant")
    return given

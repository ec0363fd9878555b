"""Lists of functions that run before and after `main`: each entry names the data it belongs to now.

Rules: docs/reference/upgrades.md, 10.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constants import Constant, ConstantAggregate, UndefValue
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.types import ArrayType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["upgrade_structors"]

_LISTS = ("llvm.global_ctors", "llvm.global_dtors")


def upgrade_structors(module: Module) -> None:
    """Recreate the lists of entries without data, with `null` for it, after all other variables."""
    for name in _LISTS:
        old = module.global_variables.get(name)
        if old is not None and not old.is_declaration and _is_old(old):
            _replace(old, module)


def _is_old(variable: GlobalVariable) -> bool:
    entry = variable.value_type.element_type if isinstance(variable.value_type, ArrayType) else None
    return isinstance(entry, StructType) and len(entry.element_types) == 2


def _replace(old: GlobalVariable, module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    entry = cast("ArrayType", old.value_type).element_type
    new_entry = types.struct([*entry.element_types, types.ptr])
    initializer = old.initializer
    entries = [
        constants.aggregate(new_entry, [*_fields(cast("Constant", each), constants), constants.null(types.ptr)])
        # A list of zeros has no entries that LLVM would take over.
        for each in (initializer.operands if isinstance(initializer, ConstantAggregate) else ())
    ]
    new = GlobalVariable(types.ptr, types.array(len(entries), new_entry), old.linkage)
    name, old.name = old.name, ""
    new.name = name
    module.append(new)
    new.initializer = constants.aggregate(new.value_type, entries)
    if present_uses(old) and old.type is new.type:
        old.replace_all_uses_with(new)
    if not present_uses(old):
        old.initializer = None
        module.remove(old)


def _fields(entry: Constant, constants: ConstantTable) -> list[Constant]:
    if isinstance(entry, ConstantAggregate):
        return cast("list[Constant]", list(entry.operands))
    make: Callable[[Type], Constant] = constants.undef if isinstance(entry, UndefValue) else constants.null
    return [make(type_) for type_ in entry.type.element_types]

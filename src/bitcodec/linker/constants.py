"""Constants of a source as the destination has them: with its types, and with other globals.

Constants are rebuilt from the inside out with a worklist: they nest to any depth.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import BlockAddress, ConstantCast, ConstantGetElementPtr
from bitcodec.ir.constants import (
    Constant,
    ConstantAggregate,
    ConstantDataSequential,
    ConstantWithOperands,
    InlineAsm,
    PoisonValue,
    UndefValue,
)
from bitcodec.ir.globals import GlobalValue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.ir.context import Context
    from bitcodec.ir.types import FunctionType, SequentialType
    from bitcodec.linker.types import TypeMapper

__all__ = ["ConstantMapper"]


class ConstantMapper:
    """Finds constants of the types that the destination has.

    Args:
        types: finds types.
        context: of the modules.
    """

    def __init__(self, types: TypeMapper, context: Context) -> None:
        self._types = types
        self._table = context.constants
        self._mapped: dict[Constant, Constant] = {}
        self._copied: set[Constant] = set()
        """Constants that LLVM makes again, because they refer to globals or their types change."""

    def get(self, root: Constant) -> Constant:
        """Return the constant that takes the place of one of the source."""
        if not self._types.has_changes or isinstance(root, GlobalValue):
            return root
        found = self._mapped.get(root)
        return self._rebuilt(root, self._mapped) if found is None else found

    def replaced(self, root: Constant, replaced: Mapping[Constant, Constant]) -> Constant:
        """Return a constant of the types that the destination has, made of other constants instead of some."""
        if not replaced:
            return self.get(root)
        return self._rebuilt(root, {**replaced, root: root} if isinstance(root, GlobalValue) else {**replaced})

    def substituted(self, root: Constant, replaced: Mapping[GlobalValue, Constant]) -> Constant:
        """Return a constant that refers to other globals instead of some."""
        made: dict[Constant, Constant] = {}
        made.update(replaced.items())
        return self._rebuilt(root, made) if replaced else root

    def assembly(self, given: InlineAsm) -> InlineAsm:
        """Return assembly text of the type that the destination has."""
        return self._table.inline_asm(
            cast("FunctionType", self._types.get(given.function_type)),
            given.assembly,
            given.constraints,
            given.flags,
        )

    def _rebuilt(self, root: Constant, made: dict[Constant, Constant]) -> Constant:
        pending = [root]
        while pending:
            constant = pending[-1]
            if constant in made:
                pending.pop()
                continue
            missing = [part for part in _inner(constant) if part not in made]
            if missing:
                pending += missing
            else:
                pending.pop()
                made[constant] = self._made(constant, made)
        return made[root]

    def _made(self, constant: Constant, made: Mapping[Constant, Constant]) -> Constant:
        type_ = self._types.get(constant.type)
        if not isinstance(constant, ConstantWithOperands):
            return constant if type_ is constant.type else self._without_parts(constant)
        parts = cast("tuple[Constant, ...]", constant.operands)
        operands = [made.get(part, part) for part in parts]
        is_same = type_ is constant.type and all(map(is_, operands, parts))
        if not is_same or any(isinstance(part, GlobalValue | BlockAddress) or part in self._copied for part in parts):
            self._copied.add(constant)
        if isinstance(constant, ConstantGetElementPtr):
            return constant if is_same and self._keeps_source(constant) else self._address(constant, operands)
        if is_same or isinstance(constant, BlockAddress):
            return constant
        if isinstance(constant, ConstantAggregate):
            return self._table.aggregate(type_, operands)
        if isinstance(constant, ConstantCast):
            return self._table.cast(constant.opcode, operands[0], type_)
        return constant.rebuilt(operands, self._table)

    def _keeps_source(self, constant: ConstantGetElementPtr) -> bool:
        """Return whether an address keeps its source element type: LLVM changes the type of copies only."""
        type_ = constant.source_element_type
        return constant not in self._copied or self._types.get(type_) is type_

    def _address(self, constant: ConstantGetElementPtr, operands: Sequence[Constant]) -> Constant:
        source = self._types.get(constant.source_element_type)
        return self._table.get_element_ptr(source, operands[0], operands[1:], constant.flags, constant.in_range)

    def _without_parts(self, constant: Constant) -> Constant:
        type_ = self._types.get(constant.type)
        if isinstance(constant, PoisonValue):
            return self._table.poison(type_)
        if isinstance(constant, UndefValue):
            return self._table.undef(type_)
        if isinstance(constant, ConstantDataSequential):
            return self._table.data(cast("SequentialType", type_), constant.elements)
        return self._table.null(type_) if constant.is_null else constant


def _inner(constant: Constant) -> list[Constant]:
    if not isinstance(constant, ConstantWithOperands) or isinstance(constant, BlockAddress):
        return []
    return [part for part in constant.operands if isinstance(part, Constant) and not isinstance(part, GlobalValue)]

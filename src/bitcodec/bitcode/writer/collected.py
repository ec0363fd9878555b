"""The constants that a table contains, and their order.  Rules: docs/reference/writer.md, 11.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant, ConstantData
from bitcodec.ir.types import IntegerType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type, VectorType
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

__all__ = ["Collected", "mask_type", "shuffle_mask"]


class Collected(dict["Value", int]):
    """Constants that need a number, with the number of their occurrences, each after its operands.

    Args:
        known: values that have a number already.
        written: returns the constant that is written for another.
        add_type: called with the types of new constants, in LLVM's order.
    """

    def __init__(
        self,
        known: ObjectNumbers,
        written: Callable[[Value], Value] | None = None,
        add_type: Callable[[Type], object] | None = None,
    ) -> None:
        super().__init__()
        self._known = known
        self._written = written
        self._add_type = add_type

    def add(self, value: Value, times: int = 1) -> None:
        """Add a constant with the number of its occurrences, and its operands."""
        if self._written is not None:
            value = self._written(value)
        known = self.get(value)
        if known is not None:
            self[value] = known + times
        elif value not in self._known:
            # Most are numbers, which are not made of others.
            if isinstance(value, ConstantData):
                if self._add_type is not None:
                    self._add_type(value.type)
                self[value] = times
            else:
                self._add_new(value)
                self[value] += times - 1

    def _add_new(self, value: Value) -> None:
        pending = [value]
        while pending:
            current = pending[-1]
            if self._add_type is not None and current not in self:
                self._add_type(current.type)
            parts = _parts(current)
            missing = [part for part in parts if part not in self and part not in self._known]
            if missing and current not in self:
                pending += reversed(missing)
                continue
            pending.pop()
            if current not in self:
                self[current] = 1
                if self._add_type is not None and isinstance(current, expressions.ConstantGetElementPtr):
                    self._add_type(current.source_element_type)
                for part in parts:
                    if part in self:
                        self[part] += 1

    def in_order(self, types: Mapping[Type, int], *, is_sorted: bool = True) -> list[Value]:
        """Return them as LLVM sorts them: by type, most used first, integers in front.

        Args:
            types: numbers of types.
            is_sorted: whether LLVM sorts them, which it does not if it states orders of uses.
        """
        if not is_sorted:
            return list(self)
        ranks: dict[Type, tuple[bool, int]] = {}
        for value in self:
            if value.type not in ranks:
                ranks[value.type] = not isinstance(value.type.scalar_type, IntegerType), types[value.type]
        return sorted(self, key=lambda value: (ranks[value.type], -self[value]))


def _parts(value: Value) -> Sequence[Value]:
    if not isinstance(value, Constant) or not value.operands:
        return ()
    if isinstance(value, expressions.BlockAddress):
        return [part for part in value.operands if not isinstance(part, BasicBlock)]
    if isinstance(value, expressions.ConstantShuffleVector):
        return [*value.operands, shuffle_mask(value, value.table)]
    return value.operands


def mask_type(shuffle: Any, types: TypeTable) -> VectorType:
    """Return the type of the constant vector that records have for the mask of a shuffle."""
    return types.vector(len(shuffle.mask), types.integer(32), is_scalable=shuffle.type.is_scalable)


def shuffle_mask(shuffle: Any, constants: ConstantTable) -> Constant:
    """Return the constant vector that records have for the mask of a shuffle."""
    word = constants.types.integer(32)
    mask, is_scalable = shuffle.mask, shuffle.type.is_scalable
    type_ = mask_type(shuffle, constants.types)
    if is_scalable:
        return constants.poison(type_) if mask[0] < 0 else constants.null(type_)
    poison = constants.poison(word)
    return constants.aggregate(type_, [poison if index < 0 else constants.integer(word, index) for index in mask])

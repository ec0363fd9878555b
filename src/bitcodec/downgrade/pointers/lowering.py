"""Typed pointers for a whole module, as the writer requests them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.pointers.casts import BodyCasts
from bitcodec.downgrade.pointers.constants import TypedConstants
from bitcodec.downgrade.pointers.intrinsics import typed_name
from bitcodec.downgrade.pointers.values import TypedTypeNumbers, TypedValues
from bitcodec.ir.construction.setting import set_name
from bitcodec.ir.construction.unlisted import unlisted_copy
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.bitcode.writer.dialect import Written
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["PointerLowering"]


class PointerLowering:
    """Gives the pointers of a module types.

    Args:
        module: the module, which is not changed.
        declared: returns the function that is declared in the place of another.
        replacements: by instruction, the instructions that are written in its place.
        replaced_types: by type, the type that is written for it. Default: every type is written itself.

    Attributes:
        declarations: by function, the one that is declared in its place, with a name for typed pointers.
        added: declarations that the module lacks.

    Raises:
        EncodingError: a cast is needed where no instruction can be.
    """

    def __init__(
        self,
        module: Module,
        declared: Callable[[Any], Any],
        replacements: dict[Instruction, tuple[Instruction, ...]],
        replaced_types: Mapping[Type, Type] | None = None,
    ) -> None:
        self._values = TypedValues(module, declared, replacements, replaced_types)
        self._constants = TypedConstants(self._values, module.context.constants)
        self._casts = BodyCasts(self._values, self._constants)
        self._lowered = replacements
        self.declarations: dict[Function, Function] = {}
        self.added = tuple(self._values.overloads.added)
        for made in self.added:
            set_name(made, typed_name(made.name, self._values.value_type(made)))
        for function in module.functions:
            if function.is_intrinsic:
                self._rename(function, declared(function))

    def _rename(self, function: Function, declared: Function) -> None:
        type_ = self._values.value_type(declared)
        name = typed_name(declared.name, type_)
        if name != declared.name:
            made = self.declarations[function] = unlisted_copy(declared, name=name)
            self._values.set_value_type(made, type_)

    def written_in(self, function: Function) -> Written:
        """Return the instructions of the blocks of a body, with typed pointers, and the casts behind them.

        Raises:
            EncodingError: a cast is needed where no instruction can be.
        """
        return self._casts.made(function, self._lowered)

    def value_type(self, value: GlobalValue) -> Type:
        """Return the value type of a global."""
        return self._values.value_type(value)

    def held(self, value: GlobalValue, operand: Value) -> Value:
        """Return the replacement of a constant that a global refers to."""
        types, type_ = self._values.types, self._values.value_type(value)
        if isinstance(value, GlobalVariable):
            return self._constants.typed(operand, type_)
        if isinstance(value, GlobalAlias):
            return self._constants.typed(operand, types.to(operand.type, type_))
        if isinstance(value, GlobalIFunc):
            resolver = types.function(types.to(value.type, type_), (), is_vararg=False)
            return self._constants.typed(operand, types.to(operand.type, resolver))
        return self._constants.written(operand)

    def type_numbers(self) -> TypedTypeNumbers:
        """Return a new, empty numbering of types."""
        return TypedTypeNumbers(self._values, self._constants.written)

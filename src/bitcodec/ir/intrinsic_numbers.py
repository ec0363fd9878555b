"""Numeric suffixes of names of intrinsics for structs without a name, which these names would not distinguish.

Rules: LLVM 22's unique names of intrinsics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Protocol

    from bitcodec.ir.types import FunctionType, Type

    class DeclaringModule(Protocol):
        """Interface of the module."""

        _intrinsic_numbers: IntrinsicNumbers | None

        def get(self, name: str, /) -> Any:
            """Return the global of a name, None if there is none."""


__all__ = ["IntrinsicNumbers"]


class IntrinsicNumbers:
    """The numbers that a module has given to types of intrinsics so far; each type keeps its number."""

    __slots__ = ("_known", "_next")

    def __init__(self) -> None:
        self._known: dict[tuple[str, Type], int] = {}
        self._next: dict[str, int] = {}

    def name(self, module: DeclaringModule, name: str, base: str, function_type: FunctionType) -> str:
        """Return a name with its number: the name of a declaration of this type, or a free one.

        Args:
            module: the module with the declaration.
            name: its name without a number.
            base: the part of it between `llvm.` and the types.
            function_type: its type.
        """
        key = base, function_type
        number = self._known.get(key)
        if number is None:
            number = self._next.get(name, 0)
            while (found := module.get(f"{name}.{number}")) is not None and found.value_type is not function_type:
                self._known.setdefault((base, found.value_type), number)
                number += 1
            self._known[key] = number
            self._next[name] = number + 1
        return f"{name}.{number}"

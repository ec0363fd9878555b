"""Questions about types and all types inside them, each asked once for each type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.types import Type

__all__ = ["InnerTypes"]


class InnerTypes(dict["Type", bool]):
    """Whether a type, or any type inside it, has a property.

    Answers are kept for the types inside too, so that all questions about a module together take time in proportion to
    its types, however they are nested.

    Args:
        has_property: whether a type has the property by itself.
        aggregates: classes of types whose elements are to be looked at.
    """

    __slots__ = ("_aggregates", "_has_property")

    def __init__(self, has_property: Callable[[Type], bool], aggregates: tuple[type[Type], ...]) -> None:
        super().__init__()
        self._has_property = has_property
        self._aggregates = aggregates

    def __missing__(self, type_: Type) -> bool:
        visited: set[Type] = set()
        pending = [type_]
        while pending:
            current = pending[-1]
            if current in self:
                pending.pop()
            elif current not in visited:
                visited.add(current)
                if self._has_property(current):
                    self[current] = True
                elif isinstance(current, self._aggregates):
                    # A type that holds itself has been visited; it adds nothing.
                    pending += [part for part in set(current.element_types) if part not in visited]
                else:
                    self[current] = False
            else:
                is_aggregate = isinstance(current, self._aggregates)
                self[current] = is_aggregate and any(self.get(part, False) for part in current.element_types)
        return self[type_]

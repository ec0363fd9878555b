"""The module that a text is added to; `outside` finds there the entities that the text does not define."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_finder import TypeFinder

if TYPE_CHECKING:
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import StructType
    from bitcodec.ir.values import Value

__all__ = ["Surroundings"]


class Surroundings:
    """A module that a text is added to.

    Args:
        module: the module.

    Attributes:
        module: the module.
        places: positions of names in the text, by kind and name; see `ModuleState.note_place`.
        found: the module's globals for those that the text declares, or uses without a declaration.
        globals: the globals that the text defines or declares, in order.
        used: other values of the module that the text uses.
    """

    __slots__ = ("_structs", "found", "globals", "module", "places", "used")

    def __init__(self, module: Module) -> None:
        self.module = module
        self.places: dict[tuple[str, str], int] = {}
        self.found: dict[Constant, Constant] = {}
        self.globals: list[GlobalValue] = []
        self.used: list[Value] = []
        self._structs: set[StructType] | None = None

    def place(self, kind: str, name: str) -> int:
        """Return where the text has a name, 0 if it is unknown."""
        return self.places.get((kind, name), 0)

    def uses_struct(self, struct: StructType) -> bool:
        """Return whether anything in the module is of a type that contains an identified struct."""
        if self._structs is None:
            self.module.materialize()
            finder = TypeFinder()
            finder.find_in(self.module)
            self._structs = {*finder.structs}
        return struct in self._structs

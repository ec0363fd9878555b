"""The globals of a module, a list for each kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.symbols import SymbolTable

__all__ = ["Globals"]

G = TypeVar("G", bound=GlobalValue)

_PLURALS: dict[type[GlobalValue], str] = {
    GlobalVariable: "global variables",
    Function: "functions",
    GlobalAlias: "aliases",
    GlobalIFunc: "ifuncs",
}
_SHOWN = 4
"""Names that `repr` shows."""


@Sequence.register
class Globals(Generic[G]):
    """The globals of one kind, in order: a sequence, in which they are found by position or by name."""

    __slots__ = ("_items", "_kind", "_symbols")

    def __init__(self, kind: type[G], symbols: SymbolTable) -> None:
        self._kind = kind
        self._symbols = symbols
        self._items: dict[G, None] = {}

    def get(self, name: str) -> G | None:
        """Return the global of that name, None if there is none."""
        found = self._symbols.get(name)
        return found if isinstance(found, self._kind) else None

    @overload
    def __getitem__(self, key: int | str) -> G: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[G]: ...
    def __getitem__(self, key: int | str | slice) -> G | Sequence[G]:
        if isinstance(key, str):
            found = self.get(key)
            if found is None:
                raise KeyError(key)
            return found
        return list(self._items)[key]

    def __contains__(self, item: object) -> bool:
        return self.get(item) is not None if isinstance(item, str) else item in self._items

    def __iter__(self) -> Iterator[G]:
        return iter(list(self._items))

    def __reversed__(self) -> Iterator[G]:
        return reversed(list(self._items))

    def index(self, item: G) -> int:
        """Return the position of a global.

        Raises:
            ValueError: it is not there.
        """
        return list(self._items).index(item)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        names = [f"@{value.name}" for value in islice(self._items, _SHOWN)]
        more = ["..."] if len(self) > _SHOWN else []
        return (
            f"<{len(self)} {_PLURALS[self._kind]}: {', '.join(names + more)}>"
            if names
            else f"<no {_PLURALS[self._kind]}>"
        )

"""Metadata attached to globals: pairs in order, with the verbs of a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.metadata import MDNode

__all__ = ["Attachments"]

D = TypeVar("D")


class Attachments(list["tuple[str, MDNode]"]):
    """Metadata attached to a global: a list of pairs of kind and node, because a kind may occur more than once.

    Kinds are also keys, as in the metadata of instructions. A key finds the first node of its kind; an assignment
    replaces all nodes of the kind.

    >>> metadata = bitcodec.open("examples/hello.bc").functions["main"].metadata
    >>> "dbg" in metadata, metadata["dbg"].name, metadata.get("prof")
    (True, 'main', None)
    >>> [kind for kind, node in metadata.items()]
    ['dbg']
    """

    __slots__ = ()

    @overload
    def __getitem__(self, key: str, /) -> MDNode: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> tuple[str, MDNode]: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[tuple[str, MDNode]]: ...
    def __getitem__(self, key: Any, /) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        for kind, node in self:
            if kind == key:
                return node
        raise KeyError(key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        if not isinstance(key, str):
            super().__setitem__(key, value)
            return
        place = next((index for index, (kind, _) in enumerate(self) if kind == key), len(self))
        others = [pair for pair in self if pair[0] != key]
        self[:] = [*others[:place], (key, value), *others[place:]]

    def __delitem__(self, key: Any, /) -> None:
        if not isinstance(key, str):
            super().__delitem__(key)
        elif any(kind == key for kind, _ in self):
            self[:] = [pair for pair in self if pair[0] != key]
        else:
            raise KeyError(key)

    def __contains__(self, key: object, /) -> bool:
        return any(kind == key for kind, _ in self) if isinstance(key, str) else super().__contains__(key)

    @overload
    def get(self, kind: str) -> MDNode | None: ...
    @overload
    def get(self, kind: str, default: D) -> MDNode | D: ...
    def get(self, kind: str, default: object = None) -> object:
        """Return the first node of a kind, `default` if there is none."""
        return next((node for found, node in self if found == kind), default)

    def get_all(self, kind: str) -> list[MDNode]:
        """Return the nodes of a kind, in order."""
        return [node for found, node in self if found == kind]

    def add(self, kind: str, node: MDNode) -> None:
        """Attach another node, behind those of the same kind that are attached already."""
        self.append((kind, node))

    def items(self) -> list[tuple[str, MDNode]]:
        """Return the pairs of kind and node."""
        return [*self]

    def keys(self) -> list[str]:
        """Return the kind of each node."""
        return [kind for kind, _ in self]

    def values(self) -> list[MDNode]:
        """Return the nodes."""
        return [node for _, node in self]

    def update(self, pairs: Iterable[tuple[str, MDNode]]) -> None:
        """Attach nodes, each instead of all others of its kind."""
        for kind, node in pairs:
            self[kind] = node

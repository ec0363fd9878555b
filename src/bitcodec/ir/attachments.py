"""Metadata attached to globals: a mapping in which a kind may occur more than once."""

from __future__ import annotations

from collections.abc import ItemsView, MutableMapping, ValuesView
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.metadata import MDNode

__all__ = ["Attachments"]


class Attachments(MutableMapping[str, "MDNode"]):
    """Metadata attached to a function or variable: nodes by kind, in order, as in the metadata of instructions.

    A kind may have several nodes, such as `type` and, for variables, `dbg`. Then iteration, `keys` and `items` contain
    it once for each node, a subscript finds its first node, and `get_all` returns them all. An assignment replaces all
    nodes of a kind, `del` removes them, and `add` attaches another one.

    >>> metadata = bitcodec.open("examples/hello.bc").functions["main"].metadata
    >>> list(metadata), metadata["dbg"].name, metadata.get("prof")
    (['dbg'], 'main', None)
    >>> [(kind, node.line) for kind, node in metadata.items()]
    [('dbg', 5)]
    >>> metadata.get_all("type")
    []

    Args:
        pairs: kind and node of each.
    """

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, MDNode]] = ()) -> None:
        self._pairs = [*pairs]

    def __getitem__(self, kind: str) -> MDNode:
        for found, node in self._pairs:
            if found == kind:
                return node
        raise KeyError(kind)

    def __setitem__(self, kind: str, node: MDNode) -> None:
        _check_kind(kind)
        place = next((index for index, (found, _) in enumerate(self._pairs) if found == kind), len(self._pairs))
        others = [pair for pair in self._pairs if pair[0] != kind]
        self._pairs[:] = [*others[:place], (kind, node), *others[place:]]

    def __delitem__(self, kind: str) -> None:
        if kind not in self:
            raise KeyError(kind)
        self._pairs[:] = [pair for pair in self._pairs if pair[0] != kind]

    def __iter__(self) -> Iterator[str]:
        return iter([kind for kind, _ in self._pairs])

    def __len__(self) -> int:
        return len(self._pairs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Attachments):
            return self._pairs == other._pairs
        return len(self) == len(other) and dict(self._pairs) == other if isinstance(other, dict) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def get_all(self, kind: str) -> list[MDNode]:
        """Return the nodes of a kind, in order."""
        return [node for found, node in self._pairs if found == kind]

    def add(self, kind: str, node: MDNode) -> None:
        """Attach another node, after all present ones."""
        _check_kind(kind)
        self._pairs.append((kind, node))

    def assign(self, pairs: Iterable[tuple[str, MDNode]]) -> None:
        """Replace everything that is attached by pairs of kind and node."""
        pairs = [*pairs]
        for kind, _ in pairs:
            _check_kind(kind)
        self._pairs[:] = pairs

    def items(self) -> ItemsView[str, MDNode]:
        """Return the pairs of kind and node."""
        return _Items(self)

    def values(self) -> ValuesView[MDNode]:
        """Return the nodes."""
        return _AttachedNodes(self)

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{kind!r}: {node!r}' for kind, node in self._pairs)}}}"


def _check_kind(kind: str) -> None:
    """Refuse a kind that no file can contain."""
    if not isinstance(kind, str):
        raise TypeError(f"the kind of attached metadata is a string, not {kind!r}")


class _Items(ItemsView[str, "MDNode"]):
    """Pairs of kind and node."""

    __slots__ = ()

    _mapping: Attachments

    def __iter__(self) -> Iterator[tuple[str, MDNode]]:
        return iter([*self._mapping._pairs])

    def __contains__(self, pair: object) -> bool:
        return pair in self._mapping._pairs

    def __repr__(self) -> str:
        return f"items({self._mapping._pairs!r})"


class _AttachedNodes(ValuesView["MDNode"]):
    """Nodes, without their kinds."""

    __slots__ = ()

    _mapping: Attachments

    def __iter__(self) -> Iterator[MDNode]:
        return iter([node for _, node in self._mapping._pairs])

    def __contains__(self, node: object) -> bool:
        return any(node == found for _, found in self._mapping._pairs)

    def __repr__(self) -> str:
        return f"values({[*self]!r})"

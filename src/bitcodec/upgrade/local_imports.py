"""Entities imported into functions: units listed them up to LLVM 15, subprograms retain them since.

Records of bitcode and nodes of text are upgraded by the same steps, each before metadata is made of them.
Rules: docs/reference/upgrades.md, 10.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from bitcodec.ir.debug_info import DIImportedEntity, DILexicalBlock, DILexicalBlockFile, DISubprogram

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from bitcodec.ir.metadata import MDNode

__all__ = ["Nodes", "move_local_imports"]

N = TypeVar("N", bound="Hashable")

_BLOCKS = (DILexicalBlock, DILexicalBlockFile)
_IMPORTS, _RETAINED_NODES = "imports", "retained_nodes"


class Nodes(Protocol[N]):
    """Nodes that have not been made yet; fields have the names of the attributes of their classes."""

    def class_of(self, node: N) -> type[MDNode] | None:
        """Return the class of a node, None if it is another kind of metadata."""

    def scope_of(self, node: N) -> N | None:
        """Return the scope of a node, None if absent."""

    def list_of(self, node: N, field: str) -> N | None:
        """Return the list in a field of a node, None if it is absent."""

    def elements_of(self, listed: N) -> Sequence[N]:
        """Return the elements of a list."""

    def set_list(self, node: N, field: str, elements: Sequence[N]) -> None:
        """Give a node a new list in a field."""


def move_local_imports(units: Iterable[N], nodes: Nodes[N]) -> None:
    """Move entities whose scope is local from the compile units that list them to the subprograms around them."""
    scopes = _Scopes(nodes)
    seen: set[N] = set()
    for unit in units:
        listed = nodes.list_of(unit, _IMPORTS)
        if listed is None or listed in seen:
            continue
        seen.add(listed)
        entities = nodes.elements_of(listed)
        local = {entity: scope for entity in entities if (scope := scopes.local_scope(entity)) is not None}
        if not local:
            continue
        nodes.set_list(unit, _IMPORTS, [entity for entity in entities if entity not in local])
        by_subprogram: dict[N, list[N]] = {}
        for entity in entities:
            subprogram = scopes.subprogram_of(local[entity]) if entity in local else None
            if subprogram is not None:
                by_subprogram.setdefault(subprogram, []).append(entity)
        for subprogram, retained in by_subprogram.items():
            before = nodes.list_of(subprogram, _RETAINED_NODES)
            kept = [] if before is None else nodes.elements_of(before)
            nodes.set_list(subprogram, _RETAINED_NODES, [*kept, *retained])


class _Scopes(Generic[N]):
    """Finds the subprograms of scopes; follows each chain of scopes once."""

    def __init__(self, nodes: Nodes[N]) -> None:
        self._nodes = nodes
        self._subprograms: dict[N, N | None] = {}

    def local_scope(self, entity: N) -> N | None:
        """Return the scope of an imported entity, None if it is not local."""
        nodes = self._nodes
        scope = nodes.scope_of(entity) if nodes.class_of(entity) is DIImportedEntity else None
        return scope if scope is not None and nodes.class_of(scope) in (DISubprogram, *_BLOCKS) else None

    def subprogram_of(self, scope: N | None) -> N | None:
        """Return the subprogram around a scope, None if its chain of scopes is broken or a circle."""
        nodes, known = self._nodes, self._subprograms
        path: list[N] = []
        while scope is not None and scope not in known:
            known[scope] = None  # what a circle comes back to
            path.append(scope)
            kind = nodes.class_of(scope)
            if kind is DISubprogram:
                known[scope] = scope
            elif kind in _BLOCKS:
                scope = nodes.scope_of(scope)
            else:
                scope = None
        found = None if scope is None else known[scope]
        known.update(dict.fromkeys(path, found))
        return found

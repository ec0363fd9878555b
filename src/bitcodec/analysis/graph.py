"""Directed graphs of parts of a module: as text for Graphviz, as JSON, and as networkx takes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["Graph"]

N = TypeVar("N")


class Graph(Generic[N]):
    """A directed graph.

    Args:
        name: name of its subject.
        successors: of each node the nodes that edges lead to; each node is a key.
        names: of the nodes; each is unique.
    """

    def __init__(self, name: str, successors: Mapping[N, Sequence[N]], names: Mapping[N, str]) -> None:
        self.name = name
        self._successors = successors
        self._names = names
        self._predecessors: dict[N, list[N]] | None = None

    @property
    def nodes(self) -> tuple[N, ...]:
        """Its nodes."""
        return tuple(self._successors)

    def successors(self, node: N) -> tuple[N, ...]:
        """Return the nodes that edges from a node lead to, each once.

        Raises:
            KeyError: the graph has no such node.
        """
        return tuple(dict.fromkeys(self._successors[node]))

    def predecessors(self, node: N) -> tuple[N, ...]:
        """Return the nodes that edges to a node come from, each once.

        Raises:
            KeyError: the graph has no such node.
        """
        found = self._predecessors
        if found is None:
            found = {each: [] for each in self._successors}
            for source, target in self.edges():
                found[target].append(source)
            self._predecessors = found
        return tuple(found[node])

    def edges(self) -> Iterator[tuple[N, N]]:
        """Yield each edge: where it begins and where it leads to."""
        for node in self._successors:
            for successor in self.successors(node):
                yield node, successor

    def reachable(self, *starts: N) -> set[N]:
        """Return the nodes that edges lead to from some nodes, however far, and these nodes."""
        found = set(starts)
        pending = list(starts)
        while pending:
            for successor in self._successors[pending.pop()]:
                if successor not in found:
                    found.add(successor)
                    pending.append(successor)
        return found

    def node_name(self, node: N) -> str:
        """Return the name of a node in `adjacency`, `to_dot` and `to_json`."""
        return self._names[node]

    def adjacency(self) -> dict[str, list[str]]:
        """Return the names of the successors by the name of each node, as `networkx.DiGraph` takes it."""
        return {self._names[node]: self._named(self.successors(node)) for node in self._successors}

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz: `dot -Tsvg` draws it."""
        lines = [f"digraph {_quoted(self.name)} {{", "  node [shape=box];"]
        lines += [f"  {_quoted(self._names[node])};" for node in self._successors]
        lines += [f"  {_quoted(self._names[one])} -> {_quoted(self._names[other])};" for one, other in self.edges()]
        return "\n".join([*lines, "}", ""])

    def to_json(self) -> str:
        """Return the graph as JSON, in the form of `networkx.node_link_data`."""
        document: dict[str, Any] = {
            "schema": "bitcodec/graph/1",
            "directed": True,
            "multigraph": False,
            "graph": {"name": self.name},
            "nodes": [{"id": self._names[node]} for node in self._successors],
            "links": [{"source": self._names[one], "target": self._names[other]} for one, other in self.edges()],
        }
        return json.dumps(document, indent=2)

    def _named(self, nodes: Iterable[N]) -> list[str]:
        return [self._names[node] for node in nodes]

    def __len__(self) -> int:
        return len(self._successors)

    def __iter__(self) -> Iterator[N]:
        return iter(self._successors)

    def __contains__(self, node: object) -> bool:
        return node in self._successors

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.name}, {len(self)} nodes>"


def _quoted(name: str) -> str:
    escaped = one_line(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

"""Entities that are imported into functions: moved from units to subprograms, whatever nodes are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import DICompileUnit, DIImportedEntity, DILexicalBlock, DINamespace, DISubprogram
from bitcodec.upgrade.local_imports import move_local_imports

if TYPE_CHECKING:
    from collections.abc import Sequence

Node = dict[str, Any]


class Table:
    """Nodes by name: class, scope and lists of each."""

    def __init__(self, **nodes: Node) -> None:
        self.nodes = nodes

    def class_of(self, node: str) -> Any:
        return self.nodes[node].get("class")

    def scope_of(self, node: str) -> str | None:
        return self.nodes[node].get("scope")

    def list_of(self, node: str, field: str) -> str | None:
        return self.nodes[node].get(field)

    def elements_of(self, listed: str) -> list[str]:
        return [*self.nodes[listed]["elements"]]

    def set_list(self, node: str, field: str, elements: Sequence[str]) -> None:
        name = self.nodes[node][field] = f"{field} of {node}"
        self.nodes[name] = {"elements": [*elements]}

    def named(self, node: str, field: str) -> list[str]:
        return self.elements_of(self.nodes[node][field])


def entity(scope: str | None) -> Node:
    return {"class": DIImportedEntity, "scope": scope}


def table() -> Table:
    return Table(
        unit={"class": DICompileUnit, "imports": "all"},
        other={"class": DICompileUnit, "imports": "all"},
        all={"elements": ["a", "b", "c", "d", "e"]},
        a=entity("inner"),
        b=entity("space"),
        c=entity("f"),
        d=entity("round"),
        e=entity(None),
        f={"class": DISubprogram, "retained_nodes": "kept"},
        kept={"elements": ["x"]},
        x={},
        outer={"class": DILexicalBlock, "scope": "f"},
        inner={"class": DILexicalBlock, "scope": "outer"},
        round={"class": DILexicalBlock, "scope": "round"},
        space={"class": DINamespace, "scope": "f"},
    )


def test_local_entities_are_retained_by_the_subprogram_around_them() -> None:
    nodes = table()
    move_local_imports(["unit", "other"], nodes)
    assert nodes.named("unit", "imports") == ["b", "e"]
    assert nodes.named("f", "retained_nodes") == ["x", "a", "c"]


def test_a_list_of_several_units_is_the_first_ones() -> None:
    nodes = table()
    move_local_imports(["unit", "other"], nodes)
    assert nodes.named("other", "imports") == ["a", "b", "c", "d", "e"]


def test_lists_without_local_entities_stay() -> None:
    nodes = table()
    nodes.nodes["all"]["elements"] = ["b", "e"]
    move_local_imports(["unit"], nodes)
    assert nodes.nodes["unit"]["imports"] == "all"

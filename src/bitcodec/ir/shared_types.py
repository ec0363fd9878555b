"""Composite types of debug information of which all modules of a context share one of each, by their identifiers."""

from __future__ import annotations

from typing import Any

from bitcodec.named_tuple import NamedTuple

__all__ = ["SharedType", "SharedTypes"]


class SharedType(NamedTuple):
    """A type that modules share.

    Attributes:
        node: the node that represents it.
        tag: its tag, which types of the same identifier must have.
        is_declaration: whether its members are unknown; a definition then takes its place.
    """

    node: Any
    tag: int
    is_declaration: bool


class SharedTypes:
    """The types that the modules of a context share.

    Attributes:
        known: by identifier.
        nodes: their nodes.
    """

    __slots__ = ("known", "nodes")

    def __init__(self) -> None:
        self.known: dict[str, SharedType] = {}
        self.nodes: set[Any] = set()

    def add(self, identifier: str, shared: SharedType) -> None:
        """Add a type, or replace one."""
        self.known[identifier] = shared
        self.nodes.add(shared.node)

"""Carriers of nodes: the terms in which modules, machine IR and objects are compared.

Nodes are known by their contents, because numbers and identities do not last: of nodes with equal contents in one
function, shared or distinct, nothing specifies which is which.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["FUNCTION", "UNKNOWN", "Carriers", "Group", "Wanted"]

FUNCTION = "function"
"""Opcode for nodes that a function carries."""
UNKNOWN = ""
"""Opcode of unknown carriers: in objects."""


class Group(NamedTuple):
    """The request of a node for one section.

    Attributes:
        section: its name with options, as `hot!C`.
        constants: their text with types.
    """

    section: str
    constants: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.section}: {', '.join(self.constants)}" if self.constants else self.section


class Wanted(NamedTuple):
    """The contents of a node; in terms of an object, one group of it.

    Attributes:
        of_function: whether a function carries it, not an instruction.
        groups: its requests.
    """

    of_function: bool
    groups: tuple[Group, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.groups))


Key = tuple[str, Wanted]
"""The name of a function, and the node carried in it."""


class Carriers:
    """Carriers of nodes in a module, a file of machine IR, or an object.

    Args:
        functions: the names of the functions that have code.

    Attributes:
        functions: their names.
        opcodes: for each function and node, the number of carriers of each opcode.
    """

    __slots__ = ("functions", "opcodes")

    def __init__(self, functions: Iterable[str]) -> None:
        self.functions = frozenset(functions)
        self.opcodes: dict[Key, Counter[str]] = {}

    def add(self, function: str, wanted: Wanted, opcode: str, count: int = 1) -> None:
        """Count carriers."""
        self.opcodes.setdefault((function, wanted), Counter())[opcode] += count

    def count(self, key: Key) -> int:
        """Return how many carriers there are in a function."""
        found = self.opcodes.get(key)
        return 0 if found is None else found.total()

"""Lets modules share composite types of debug information, and their members.

Types are known by their identifiers, members by their names, member functions by their linkage names: whatever else the
nodes of several modules contain, the first one is used.

Rules: docs/reference/linking.md, 9; LLVM's uniquing of types under the One Definition Rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import DIDerivedType, DISubprogram
from bitcodec.ir.shared_types import SharedTypes
from bitcodec.tables.debug_info_flags import DISPFlag
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import Content, MDNode

__all__ = ["MEMBER_KEYS", "share_types"]


def share_types(context: Context) -> None:
    """Let the modules that are read into a context from now on share composite types and their members."""
    types = context.shared_types = SharedTypes()
    nodes = context.metadata._nodes
    for kind, key_of in MEMBER_KEYS.items():
        nodes[kind] = _NodeMembers(types.nodes, key_of)


class _NodeMembers(dict["Content", Any]):
    """Nodes of a class by content; members of shared types also by their identifying fields."""

    __slots__ = ("_key_of", "_members", "_types")

    def __init__(self, types: set[MDNode], key_of: Callable[[Content], tuple[Any, Hashable] | None]) -> None:
        self._types = types
        self._key_of = key_of
        self._members: dict[Hashable, Any] = {}

    def setdefault(self, content: Content, node: Any = None) -> Any:
        """Return the node of a content, or of the member that it describes; add `node` if there is none."""
        member = self._key_of(content) if self._types else None
        if member is None or member[0] not in self._types:
            return super().setdefault(content, node)
        return self._members.setdefault(member, node)


def _places(kind: type[MDNode], *names: str) -> tuple[int, ...]:
    """Return the places of fields in the content of nodes of a class."""
    fields: tuple[str, ...] = kind.__match_args__  # type: ignore[attr-defined] # classes of debug information have them
    return tuple(map(fields.index, names))


_MEMBER = int(Tag.member)
_TAG, _MEMBER_NAME, _MEMBER_SCOPE = _places(DIDerivedType, "tag", "name", "scope")
_SCOPE, _LINKAGE_NAME, _FLAGS, _PARAMETERS = _places(
    DISubprogram, "scope", "linkage_name", "sp_flags", "template_params"
)


def _key_of_member(content: Content) -> tuple[Any, Hashable] | None:
    """Return the scope of a member and its key there, None for other types."""
    name = content[_MEMBER_NAME]
    return (content[_MEMBER_SCOPE], name) if name and content[_TAG] == _MEMBER else None


def _key_of_subprogram(content: Content) -> tuple[Any, Hashable] | None:
    """Return the scope of a declaration and its key there, None for definitions."""
    name = content[_LINKAGE_NAME]
    if not name or content[_FLAGS] & DISPFlag.Definition:
        return None
    return content[_SCOPE], (name, content[_PARAMETERS])


MEMBER_KEYS: dict[type[MDNode], Callable[[Content], tuple[Any, Hashable] | None]] = {
    DIDerivedType: _key_of_member,
    DISubprogram: _key_of_subprogram,
}
"""By class: functions that return the scope and the key of a member of a type, None for other nodes."""

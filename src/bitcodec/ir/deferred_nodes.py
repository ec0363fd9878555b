"""Distinct nodes whose content is read at the first touch.

A subprogram leads to its types, and these to most of a module; who asks where a line comes from wants neither.  Only
nodes that are not distinct need content at once, to be known by it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, cast

from bitcodec.ir.metadata import MDNode

if TYPE_CHECKING:
    from bitcodec.ir.lazy import Deferred

__all__ = ["deferred_node", "is_unread", "read_content"]

# To read and to write what is in a node, whatever its class has to say.
_is_distinct: Any = MDNode.__dict__["is_distinct"]
_class: Any = object.__dict__["__class__"]


def deferred_node(kind: type[MDNode], content: Deferred[tuple[Any, ...]]) -> MDNode:
    """Return a distinct node of a class, with its content to be read; what goes wrong then goes to who touches it."""
    node = object.__new__(kind)
    _is_distinct.__set__(node, content)
    _class.__set__(node, _unread(cast("Any", kind)))
    return node


def read_content(node: MDNode) -> None:
    """Give a node its content, if it has been deferred.

    Raises:
        BitcodecError: it is malformed; the node is as it was, and may be read again.
    """
    if isinstance(node, _Unread):
        content = _is_distinct.__get__(node).resolve()
        _class.__set__(node, node._kind)
        node.is_distinct = True
        node._fill(content)


def is_unread(node: MDNode) -> bool:
    """Return whether a node's content has been deferred, and not been read yet."""
    return issubclass(type(node), _Unread)


class _Unread(MDNode):
    """What nodes are instances of until they are read; until then their slot of `is_distinct` holds what reads them.

    For `isinstance` and patterns they are what they become.  No field has a value, so that who asks for one comes here.
    """

    __slots__ = ()

    is_distinct = True
    _kind: ClassVar[type[MDNode]]

    def __getattr__(self, name: str) -> Any:
        read_content(self)
        return getattr(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        read_content(self)
        setattr(self, name, value)


@cache
def _unread(kind: type[MDNode]) -> type[MDNode]:
    """Return the class of the nodes of a class that have not been read."""
    members = {"__slots__": (), "__module__": kind.__module__, "__doc__": kind.__doc__, "_kind": kind}
    return cast("type[MDNode]", type(kind.__name__, (_Unread, kind), members))

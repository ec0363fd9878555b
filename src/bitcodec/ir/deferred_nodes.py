"""Distinct nodes whose content is read at the first touch.

A subprogram leads to its types, and these to most of a module; who asks where a line comes from wants neither.  Only
nodes that are not distinct need content at once, to be known by it.
"""

from __future__ import annotations

from functools import cache
from types import MemberDescriptorType
from typing import Any, ClassVar, cast

from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import MDNode

__all__ = ["deferred_node", "is_unread", "read_content"]

# To read and to write what is in a node, whatever its class has to say.
_is_distinct: Any = MDNode.__dict__["is_distinct"]
_class: Any = object.__dict__["__class__"]
_new = object.__new__
_DISTINCT = True


def deferred_node(kind: type[MDNode], content: Deferred[tuple[Any, ...]]) -> MDNode:
    """Return a distinct node of a class, with its content to be read; what goes wrong then goes to who touches it."""
    node = _new(kind)
    _is_distinct.__set__(node, content)
    _class.__set__(node, _unread(cast("Any", kind)))
    return node


def read_content(node: MDNode) -> None:
    """Give a node its content, if it has been deferred.  Other threads wait until all of it is there.

    Raises:
        BitcodecError: it is malformed; the node is as it was, and may be read again.
    """
    unread = type(node)
    if not issubclass(unread, _Unread):
        return
    content = _is_distinct.__get__(node)
    if not isinstance(content, Deferred):
        # Another thread has set all slots, and is about to do this.
        _class.__set__(node, unread._kind)
    elif not content.lock.run_once(content, _fill, node, unread._kind, content):
        content.resolve()  # refuses, because the content needs itself


def _fill(node: MDNode, kind: type[MDNode], content: Deferred[tuple[Any, ...]]) -> None:
    """Set all slots of a node; other threads take it for unread until its class is another."""
    if _is_distinct.__get__(node) is content:  # else another thread was first
        filled: Any = _new(kind)
        filled._fill(content.resolve())
        for slot in _slots(cast("Any", kind)):
            slot.__set__(node, slot.__get__(filled))
        _is_distinct.__set__(node, _DISTINCT)
        _class.__set__(node, kind)


@cache
def _slots(kind: type[MDNode]) -> tuple[Any, ...]:
    """Return what reads and writes the slots that hold the content of nodes of a class."""
    members = [member for base in kind.__mro__ for member in vars(base).values()]
    return tuple(
        member for member in members if isinstance(member, MemberDescriptorType) and member is not _is_distinct
    )


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

"""Distinct nodes whose content is read at the first touch.

A subprogram leads to its types, and these to most of a module; who asks where a line comes from wants neither.  Only
nodes that are not distinct need content at once, to be known by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.lazy import Deferred

if TYPE_CHECKING:
    from bitcodec.ir.metadata import Content, MDNode

__all__ = ["defer_content", "deferred_node", "is_unread", "read_content"]


def deferred_node(kind: type[MDNode], content: Deferred[Content]) -> MDNode:
    """Return a distinct node of a class, with its content to be read; what goes wrong then goes to who touches it."""
    node = kind.__new__(kind)
    node.is_distinct = True
    node._content = content
    return node


def defer_content(node: MDNode, content: Deferred[Content]) -> None:
    """Give a distinct node other content, to be read."""
    node._content = content


def read_content(node: MDNode) -> None:
    """Give a node its content, if it has been deferred.  Other threads wait until all of it is there.

    Raises:
        BitcodecError: it is malformed; the node is as it was, and may be read again.
    """
    if is_unread(node):
        node._read_content()


def is_unread(node: MDNode) -> bool:
    """Return whether a node's content has been deferred, and not been read yet."""
    return isinstance(getattr(node, "_content", None), Deferred)

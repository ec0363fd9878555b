"""Debug information: one class for each kind of node, made from the rows of `bitcodec.tables.debug_info`.

The stub next to this file gives type checkers the fields; a test keeps it equal to the table.
"""

from __future__ import annotations

from typing import Any

from bitcodec.ir.debug_info_base import (
    DIAssignID,
    DIExpression,
    DINode,
    SubrangeTable,
    abstract_class,
    node_class,
)
from bitcodec.ir.metadata import NODE_TABLES
from bitcodec.tables.debug_info import ABSTRACT_NODES, NODES

_classes: dict[str, Any] = {"DIAssignID": DIAssignID, "DIExpression": DIExpression, "DINode": DINode}
for _abstract in ABSTRACT_NODES:
    _classes[_abstract.name] = abstract_class(_abstract, _classes[_abstract.base], __name__)
for _node in NODES:
    _classes[_node.name] = node_class(_node, _classes[_node.base], __name__)
globals().update(_classes)
NODE_TABLES[_classes["DISubrange"]] = SubrangeTable

__all__ = sorted(_classes)  # noqa: PLE0605 - the table knows them

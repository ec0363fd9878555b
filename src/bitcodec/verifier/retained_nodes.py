"""Rules of retained nodes: what a subprogram lists is local to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import (
    DIImportedEntity,
    DILabel,
    DILexicalBlock,
    DILexicalBlockFile,
    DILocalScope,
    DILocalVariable,
)
from bitcodec.verifier.node_rules import each_is, is_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.rules import Rules

__all__ = ["RETAINED_NODES"]


def _each(rule: Callable[[Any, Any], bool]) -> Callable[[Any], bool]:
    """Return a test whether a rule for a subprogram and a node that it retains holds for all of these."""
    return lambda node: all(rule(node, retained) for retained in node.retained_nodes or ())


def _belongs_to(subprogram: Any, retained: Any) -> bool:
    scope, passed = retained.scope, set()
    while isinstance(scope, (DILexicalBlock, DILexicalBlockFile)) and scope not in passed:
        passed.add(scope)
        scope = scope.scope
    return scope is subprogram


RETAINED_NODES: Rules = (
    is_list("retained_nodes", "invalid retained nodes list"),
    ("nullptr in retained nodes", _each(lambda _, retained: retained is not None)),
    (
        "invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity",
        each_is("retained_nodes", DILocalVariable, DILabel, DIImportedEntity),
    ),
    (
        "invalid retained nodes, retained node is not local",
        _each(lambda _, retained: isinstance(retained.scope, DILocalScope)),
    ),
    ("invalid retained nodes, retained node does not belong to subprogram", _each(_belongs_to)),
)

"""Rules of retained nodes: nodes that a subprogram lists are local to it."""

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
from bitcodec.verifier.rules import Searched, first_broken

if TYPE_CHECKING:
    from bitcodec.verifier.rules import Rules

__all__ = ["RETAINED_NODES"]


def _belongs_to(subprogram: Any, retained: Any) -> bool:
    scope, passed = retained.scope, set()
    while isinstance(scope, (DILexicalBlock, DILexicalBlockFile)) and scope not in passed:
        passed.add(scope)
        scope = scope.scope
    return scope is subprogram


def _with_nodes(subprogram: Any, retained: Any) -> tuple[object, ...]:
    return subprogram, subprogram.retained_nodes, retained


_RULES: Rules = (
    ("nullptr in retained nodes", lambda _, retained: retained is not None, _with_nodes),
    (
        "invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity",
        lambda _, retained: isinstance(retained, (DILocalVariable, DILabel, DIImportedEntity)),
        _with_nodes,
    ),
    (
        "invalid retained nodes, retained node is not local",
        lambda _, retained: isinstance(retained.scope, DILocalScope),
        _with_nodes,
    ),
    (
        "invalid retained nodes, retained node does not belong to subprogram",
        _belongs_to,
        lambda subprogram, retained: (*_with_nodes(subprogram, retained), retained.scope),
    ),
)
"""For a subprogram and a node that it retains."""


def _problem(subprogram: Any) -> str | None:
    """Return the problem of the first retained node that has one."""
    for retained in subprogram.retained_nodes or ():
        if isinstance(retained, DILocalVariable) and retained.scope is subprogram:
            continue  # the rules hold, and most nodes are of this kind
        problem = first_broken(_RULES, subprogram, retained)
        if problem is not None:
            return problem
    return None


RETAINED_NODES = Searched(_problem)

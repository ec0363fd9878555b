"""Rules of alias scopes: lists of them that instructions have, and their declarations in functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.metadata import MDNode, MDString
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.instructions import CallBase
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules

__all__ = ["alias_scope_problems", "check_scope_declarations", "note_scope_declaration"]


def _is_named(node: Any) -> bool:
    """Return whether a scope or a domain is known by itself, or by a string."""
    return node.operands[0] is node or isinstance(node.operands[0], MDString)


def _domain(scope: Any) -> tuple[object, ...]:
    return (scope.operands[1],)


_ALIAS_SCOPE: Rules = (
    ("scope must have two or three operands", lambda scope: len(scope.operands) in {2, 3}),
    ("first scope operand must be self-referential or string", _is_named),
    (
        "third scope operand must be string (if used)",
        lambda scope: len(scope.operands) < 3 or isinstance(scope.operands[2], MDString),
    ),
    ("second scope operand must be MDNode", lambda scope: isinstance(scope.operands[1], MDNode)),
    ("domain must have one or two operands", lambda scope: len(scope.operands[1].operands) in {1, 2}, _domain),
    (
        "first domain operand must be self-referential or string",
        lambda scope: _is_named(scope.operands[1]),
        _domain,
    ),
    (
        "second domain operand must be string (if used)",
        lambda scope: len(scope.operands[1].operands) < 2 or isinstance(scope.operands[1].operands[1], MDString),
        _domain,
    ),
)


def alias_scope_problems(node: MDNode) -> Iterator[str]:
    """Yield the problems of a list of alias scopes: one for each scope, up to the first element that is not a node."""
    for scope in node.operands:
        if not isinstance(scope, MDNode):
            yield Problem("scope list must consist of MDNodes", node)
            return
        problem = first_broken(_ALIAS_SCOPE, scope)
        if problem is not None:
            yield problem if isinstance(problem, Problem) else Problem(problem, scope)


def _list_of(call: CallBase) -> Any:
    """Return the list of scopes that a call declares."""
    argument: Any = call.arguments[0]
    return argument.metadata


_DECLARATION: Rules = (
    ("!id.scope.list must point to an MDNode", lambda call: isinstance(_list_of(call), MDNode)),
    (
        "!id.scope.list must point to a list with a single scope",
        lambda call: len(_list_of(call).operands) == 1,
    ),
)


def note_scope_declaration(call: CallBase, body: Body) -> None:
    """Record a call of `llvm.experimental.noalias.scope.decl`, which LLVM checks at the end of the function."""
    body.scope_declarations.append(call)


def check_scope_declarations(body: Body) -> None:
    """Check the scope lists of the declarations in a function, up to the first list without exactly one element."""
    for call in body.scope_declarations:
        problem = first_broken(_DECLARATION, call)
        if problem is not None:
            body.report(problem, call)
            return
        for found in alias_scope_problems(_list_of(call)):
            body.report(found, call)

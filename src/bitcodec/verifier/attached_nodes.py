"""Rules of nodes attached to instructions by themselves: access groups, types of callees, words.

Each function yields the errors in a node, with the values that LLVM prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.metadata import MDNode, MDString, MDTuple, constant_integer
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.verifier.rules import Rules

__all__ = [
    "access_group_problems",
    "annotation_problems",
    "callee_type_problems",
    "capture_problems",
    "relaxation_problems",
]


def _is_access_scope(node: MDNode) -> bool:
    return node.is_distinct and not node.operands


def access_group_problems(node: MDNode) -> Iterator[str]:
    """Yield the problem of an access group, or of a list of them."""
    for scope in () if _is_access_scope(node) else node.operands:
        if not isinstance(scope, MDNode):
            yield Problem("Access scope list must consist of MDNodes", node)
            return
        if not _is_access_scope(scope):
            yield Problem("Access scope list contains invalid access scope", node)
            return


def _is_zero(operand: Any) -> bool:
    number = constant_integer(operand)
    return number is not None and number.is_null


def _is_generalized(operand: Any) -> bool:
    return isinstance(operand, MDString) and operand.text.endswith(".generalized")


_CALLEE_TYPE: Rules = (
    ("The callee_type metadata must be a list of type metadata nodes", lambda type_: isinstance(type_, MDNode)),
    (
        "Well-formed generalized type metadata must contain exactly two operands",
        lambda type_: len(type_.operands) == 2,
    ),
    ("The first operand of type metadata for functions must be zero", lambda type_: _is_zero(type_.operands[0])),
    (
        "Only generalized type metadata can be part of the callee_type metadata list",
        lambda type_: _is_generalized(type_.operands[1]),
    ),
)


def callee_type_problems(node: MDNode) -> Iterator[str]:
    """Yield the problem of the first wrong type in a list."""
    for type_ in node.operands:
        problem = first_broken(_CALLEE_TYPE, type_)
        if problem is not None:
            yield Problem(problem, type_)
            return


_CAPTURED = {"address", "address_is_null", "provenance", "read_provenance"}


def capture_problems(node: MDNode) -> Iterator[str]:
    """Yield the error in a list of words about the captures of a store."""
    if not node.operands:
        yield Problem("!captures metadata cannot be empty")
    for word in node.operands:
        if not isinstance(word, MDString):
            yield Problem("!captures metadata must be a list of strings")
            return
        if word.text not in _CAPTURED:
            yield Problem("invalid entry in !captures metadata", word)
            return


def _is_tag(metadata: Any) -> bool:
    """Return whether it is a pair of strings."""
    return (
        isinstance(metadata, MDTuple)
        and len(metadata.operands) == 2
        and all(isinstance(operand, MDString) for operand in metadata.operands)
    )


def relaxation_problems(node: MDNode) -> Iterator[str]:
    """Yield the problem of a tag of a relaxed memory model, or of a list of them."""
    if _is_tag(node):
        return
    if not isinstance(node, MDTuple):
        yield Problem("!mmra expected to be a metadata tuple", node)
        return
    for tag in node.operands:
        if not _is_tag(tag):
            yield Problem("!mmra metadata tuple operand is not an MMRA tag", tag)
            return


def _is_annotation(metadata: Any) -> bool:
    if isinstance(metadata, MDTuple):
        return all(isinstance(operand, MDString) for operand in metadata.operands)
    return isinstance(metadata, MDString)


def annotation_problems(node: MDNode) -> Iterator[str]:
    """Yield the problem of a list of remarks."""
    if not isinstance(node, MDTuple):
        yield Problem("annotation must be a tuple")
    elif not node.operands:
        yield Problem("annotation must have at least one operand")
    elif not all(map(_is_annotation, node.operands)):
        yield Problem("operands must be a string or a tuple of strings")

"""What rules of debug-info nodes are made of: questions about fields, and rules that several classes have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import (
    DIExpression,
    DIFile,
    DIScope,
    DISubprogram,
    DITemplateParameter,
    DIType,
    DIVariable,
)
from bitcodec.ir.metadata import ConstantAsMetadata, MDTuple
from bitcodec.tables.debug_info_flags import DIFlag, DISPFlag

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.rules import Rule, Rules

__all__ = [
    "BASE_TYPE",
    "COMPUTED",
    "CONSTANT",
    "CONSTANT_SIZE",
    "FILE",
    "FLAGS",
    "IN_DEFINITION",
    "NOTHING",
    "SCOPE",
    "SCOPE_REFERENCE",
    "SIZE",
    "TEMPLATE_PARAMETERS",
    "TYPE",
    "bound",
    "each_is",
    "has_tag",
    "is_definition",
    "is_list",
    "may_be",
    "must_be",
]


def may_be(field: str, *classes: type) -> Callable[[Any], bool]:
    """Return what asks whether a field is empty, or of one of these classes."""
    return lambda node: getattr(node, field) is None or isinstance(getattr(node, field), classes)


def must_be(field: str, *classes: type) -> Callable[[Any], bool]:
    """Return what asks whether a field is of one of these classes."""
    return lambda node: isinstance(getattr(node, field), classes)


def each_is(field: str, *classes: type) -> Callable[[Any], bool]:
    """Return a test whether all elements of a list have one of these classes; None may be one of them."""

    def holds(node: Any) -> bool:
        return all(isinstance(entry, classes) for entry in getattr(node, field) or ())

    return holds


def has_tag(*tags: int) -> Rule:
    """Return the rule that a node has one of these tags."""
    return ("invalid tag", lambda node: node.tag in tags)


def is_list(field: str, message: str) -> Rule:
    """Return the rule that a field, if it is not empty, is a list."""
    return (message, may_be(field, MDTuple))


def bound(field: str, name: str, *others: type) -> Rule:
    """Return the rule for a bound, which may be computed."""
    message = f"{name} must be signed constant or DIVariable or DIExpression"
    return (message, may_be(field, DIVariable, DIExpression, *others))


def is_definition(node: object) -> bool:
    """Return whether it is a subprogram that is defined; any other scope counts as one."""
    return not isinstance(node, DISubprogram) or bool(node.sp_flags & DISPFlag.Definition)


def _has_one_reference_kind(node: Any) -> bool:
    pairs = (
        DIFlag.LValueReference | DIFlag.RValueReference,
        DIFlag.TypePassByValue | DIFlag.TypePassByReference,
    )
    return all(node.flags & pair != pair for pair in pairs)


CONSTANT = (int, ConstantAsMetadata)
COMPUTED = (*CONSTANT, DIVariable, DIExpression)
NOTHING = type(None)

FILE: Rule = ("invalid file", may_be("file", DIFile))
SCOPE: Rule = ("invalid scope", may_be("scope", DIScope))
SCOPE_REFERENCE: Rule = ("invalid scope ref", may_be("scope", DIScope))
BASE_TYPE: Rule = ("invalid base type", may_be("base_type", DIType))
TYPE: Rule = ("invalid type ref", may_be("type", DIType))
CONSTANT_SIZE: Rule = ("SizeInBits must be a constant", may_be("size", *CONSTANT))
SIZE: Rule = ("SizeInBits must be a constant or DIVariable or DIExpression", may_be("size", *COMPUTED))
FLAGS: Rule = ("invalid reference flags", _has_one_reference_kind)
IN_DEFINITION: Rule = ("scope points into the type hierarchy", lambda node: is_definition(node.scope))
TEMPLATE_PARAMETERS: Rules = (
    is_list("template_params", "invalid template params"),
    ("invalid template parameter", each_is("template_params", DITemplateParameter)),
)

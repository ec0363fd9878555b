"""Building blocks of the rules of debug-info nodes: predicates on fields, and rules that several classes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

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
from bitcodec.ir.types import IntegerType
from bitcodec.tables.debug_info_flags import DIFlag, DISPFlag
from bitcodec.verifier.rules import Called, without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.rules import Rule, Rules, Searched

__all__ = [
    "BASE_TYPE",
    "COMPUTED",
    "CONSTANT",
    "CONSTANT_SIZE",
    "FILE",
    "FLAGS",
    "IN_DEFINITION",
    "NOTHING",
    "OF_SCOPES",
    "OF_TEMPLATES",
    "OF_VARIABLES",
    "SCOPE",
    "SCOPE_REFERENCE",
    "SIZE",
    "TEMPLATE_PARAMETERS",
    "TRIP_COUNT",
    "TRIP_COUNT_RULES",
    "TYPE",
    "NodeRules",
    "bound",
    "each_is",
    "has_tag",
    "is_definition",
    "is_list",
    "list_rules",
    "may_be",
    "must_be",
    "with_entry",
    "with_field",
]


def may_be(field: str, *classes: type) -> Callable[[Any], bool]:
    """Return a predicate that holds if a field is empty or of one of these classes."""
    return lambda node: getattr(node, field) is None or isinstance(getattr(node, field), classes)


def must_be(field: str, *classes: type) -> Callable[[Any], bool]:
    """Return a predicate that holds if a field is of one of these classes."""
    return lambda node: isinstance(getattr(node, field), classes)


def each_is(field: str, *classes: type) -> Callable[[Any], bool]:
    """Return a test whether all elements of a list have one of these classes; None may be one of them."""

    def holds(node: Any) -> bool:
        return all(isinstance(entry, classes) for entry in getattr(node, field) or ())

    return holds


def with_field(field: str) -> Callable[[Any], tuple[object, ...]]:
    """Return a function that returns a node and the content of a field: the values that LLVM prints."""
    return lambda node: (node, getattr(node, field))


def with_entry(field: str, is_right: Callable[[Any], bool], *, has_list: bool = False) -> Callable[[Any], Any]:
    """Return a function for a node and the first wrong entry of a list, with the list between if LLVM prints it."""

    def values(node: Any) -> tuple[object, ...]:
        entries = getattr(node, field)
        wrong = next((entry for entry in entries if not is_right(entry)), None)
        return (node, entries, wrong) if has_list else (node, wrong)

    return values


def list_rules(field: str, wrong_list: str, wrong_entry: str, *classes: type, has_list: bool = False) -> Rules:
    """Return the rules that a field is a list, and that its entries have one of these classes."""
    values = with_entry(field, lambda entry: isinstance(entry, classes), has_list=has_list)
    return is_list(field, wrong_list), (wrong_entry, each_is(field, *classes), values)


def has_tag(*tags: int) -> Rule:
    """Return the rule that a node has one of these tags."""
    return ("invalid tag", lambda node: node.tag in tags)


def is_list(field: str, message: str) -> Rule:
    """Return the rule that a field, if it is not empty, is a list."""
    return (message, may_be(field, MDTuple), with_field(field))


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

FILE: Rule = ("invalid file", may_be("file", DIFile), with_field("file"))
SCOPE: Rule = ("invalid scope", may_be("scope", DIScope), with_field("scope"))
SCOPE_REFERENCE: Rule = ("invalid scope ref", may_be("scope", DIScope), with_field("scope"))
BASE_TYPE: Rule = ("invalid base type", may_be("base_type", DIType), with_field("base_type"))
TYPE: Rule = ("invalid type ref", may_be("type", DIType), with_field("type"))
CONSTANT_SIZE: Rule = ("SizeInBits must be a constant", may_be("size", *CONSTANT), without_values)
SIZE: Rule = ("SizeInBits must be a constant or DIVariable or DIExpression", may_be("size", *COMPUTED), without_values)
FLAGS: Rule = ("invalid reference flags", _has_one_reference_kind)
IN_DEFINITION: Rule = ("scope points into the type hierarchy", lambda node: is_definition(node.scope))
TEMPLATE_PARAMETERS = Called(
    list_rules(
        "template_params", "invalid template params", "invalid template parameter", DITemplateParameter, has_list=True
    )
)
OF_SCOPES, OF_VARIABLES, OF_TEMPLATES = Called((FILE,)), Called((SCOPE, FILE)), Called((TYPE,))
"""Rules that LLVM checks for kinds of nodes before the rules of each class."""
NodeRules: TypeAlias = "tuple[Rule | Called | Searched, ...]"


def _is_small_integer(node: Any) -> bool:
    count = node.operands[1]
    type_ = count.value.type if isinstance(count, ConstantAsMetadata) and count.value is not None else None
    return isinstance(type_, IntegerType) and type_.bit_width <= _MAX_TRIP_COUNT_WIDTH


_MAX_TRIP_COUNT_WIDTH = 32
TRIP_COUNT = "llvm.loop.estimated_trip_count"
"""The first operand of a node that estimates how often a loop runs."""
TRIP_COUNT_RULES: Rules = (
    ("Expected two operands", lambda node: len(node.operands) == 2),
    ("Expected second operand to be an integer constant of type i32 or smaller", _is_small_integer),
)

"""Rules for `!pcsections` nodes.

LLVM's verifier does not check them: errors crash the back end, or make it emit nonsense.  Rules: PC Sections
Metadata, "Metadata Format" and "Encoding Options"; docs/reference/pc-sections.md, 1.1 and 1.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import quote
from bitcodec.ir.constants import Constant
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple, ValueAsMetadata, wrapped_constant
from bitcodec.ir.target_types import layout_type
from bitcodec.ir.types import TargetExtensionType, TokenType, VectorType

if TYPE_CHECKING:
    from bitcodec.ir.metadata import MDNode, Operand
    from bitcodec.ir.types import Type

__all__ = ["OPTIONS_MARK", "broken_constant", "broken_name", "broken_rule"]

OPTIONS_MARK = "!"
"""Separator of a section's name and its options."""

_OPTIONS = "C"
"""The letters that have a meaning."""


def broken_rule(node: MDNode) -> str | None:
    """Return the first rule that a node breaks, None if it breaks none."""
    if not isinstance(node, MDTuple):
        return f"it is a {type(node).__name__}, where a tuple has to be"
    if not node.operands:
        return "it is empty: it has to begin with the name of a section"
    if not isinstance(node.operands[0], MDString):
        return f"it begins with {_describe(node.operands[0])}, where the name of a section has to be"
    for index, operand in enumerate(node.operands):
        message = broken_name(operand.text) if isinstance(operand, MDString) else _broken_tuple(operand)
        if message is not None:
            return f"operand {index}: {message}"
    return None


def broken_name(text: str) -> str | None:
    """Return the error in the string that requests a section, None if it is valid."""
    name, _, options = text.partition(OPTIONS_MARK)
    if not name:
        return f"{quote(text)} names no section"
    if "\0" in name:
        return f"{quote(text)} has a zero character in the name of a section"
    unknown = options.strip(_OPTIONS)
    if unknown:
        return f"{quote(text)} has the unknown option {quote(unknown[0])}: there is C alone"
    return None


def broken_constant(constant: Constant) -> str | None:
    """Return why a constant cannot be in a section, None if it can."""
    if isinstance(constant.type, TokenType):
        return "a token has no bytes"
    return _broken_type(constant.type)


def _broken_type(type: Type) -> str | None:
    """Return why constants of a type have no size that the back end knows, None if they have one."""
    pending, seen = [type], {type}
    while pending:
        part = pending.pop()
        if isinstance(part, VectorType) and part.is_scalable:
            return f"the size of {type.brief} is not known before the program runs"
        inner = part.element_types
        if isinstance(part, TargetExtensionType):
            layout = layout_type(part)
            if layout is None:
                return f"{type.brief} has no size"
            inner = (layout,)
        pending += set(inner) - seen
        seen.update(inner)
    return None


def _broken_tuple(operand: Operand) -> str | None:
    if not isinstance(operand, MDTuple):
        return f"expected the name of a section or a tuple of constants, found {_describe(operand)}"
    for element in operand.operands:
        value = wrapped_constant(element)
        if not isinstance(value, Constant):
            return f"expected a constant, found {_describe(element)}"
        message = broken_constant(value)
        if message is not None:
            return message
    return None


def _describe(operand: Operand) -> str:
    """Return the words for an operand."""
    if operand is None or (isinstance(operand, ValueAsMetadata) and operand.value is None):
        return "null"
    if isinstance(operand, MDString):
        return "a string"
    if isinstance(operand, ConstantAsMetadata):
        return "a constant outside a tuple"
    return type(operand).__name__

"""Text of references to metadata; `nodes` makes the text of nodes.

Rules: docs/reference/text.md, 12 and 13.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.names import quoted
from bitcodec.ir.debug_expressions import is_valid
from bitcodec.ir.debug_info import DIExpression
from bitcodec.ir.metadata import (
    ConstantAsMetadata,
    DIArgList,
    LocalAsMetadata,
    MDString,
    ValueAsMetadata,
)
from bitcodec.object_numbers import ObjectTexts
from bitcodec.tables.dwarf import OPERATORS, OTHER_OPERATORS, TypeEncoding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.asm.text_source import TextSource

__all__ = ["ExpressionTexts", "ReferenceTexts", "is_inline"]


class ReferenceTexts(ObjectTexts):
    """References to metadata: `!N` for nodes, the text itself for everything else.

    A node without a number gets the next one when its reference is first requested.

    Attributes:
        texts: makes the texts.
    """

    texts: TextSource

    def __missing__(self, metadata: Any) -> str:
        if type(metadata) is DIExpression:
            return self.texts.expressions[metadata]
        inline = _INLINE.get(type(metadata))
        if inline is not None:
            return inline(metadata, self.texts)
        text = self[metadata] = f"!{len(self)}"
        return text


def is_inline(metadata: object) -> bool:
    """Return whether metadata is printed in the place of references to it: such metadata has no number."""
    return type(metadata) in _INLINE


def _null(_metadata: None, _texts: TextSource) -> str:
    return "null"


def _string(string: MDString, texts: TextSource) -> str:
    return f"!{quoted(string.text[: texts.limit.enough])}"


def _value(metadata: ValueAsMetadata, texts: TextSource) -> str:
    return "null" if metadata.value is None else texts.typed(metadata.value)


def _arguments(arguments: DIArgList, texts: TextSource) -> str:
    return f"!DIArgList({texts.limit.join(_value(argument, texts) for argument in arguments.arguments)})"


class ExpressionTexts(dict[DIExpression, str]):
    """Texts of expressions, each made once: modules have few of them, and mention them often."""

    def __missing__(self, expression: DIExpression) -> str:
        words = _operations(expression) if is_valid(expression.elements) else map(str, expression.elements)
        text = self[expression] = f"!DIExpression({', '.join(words)})"
        return text


def _expression(expression: DIExpression, texts: TextSource) -> str:
    return texts.expressions[expression]


_CONVERT = next(code for code, operator in OPERATORS.items() if operator.name == "LLVM_convert")
_CONVERT_ARGUMENTS = OPERATORS[_CONVERT].arguments


def _operations(expression: DIExpression) -> Iterator[str]:
    # After a register there may be anything: LLVM takes such an expression for valid, whatever follows.
    for operator, *arguments in expression.operations:
        known = OPERATORS.get(operator)
        name = OTHER_OPERATORS.get(operator) if known is None else known.name
        yield f"DW_OP_{name}" if name else ""
        if operator == _CONVERT and len(arguments) == _CONVERT_ARGUMENTS:
            width, encoding = arguments
            yield f"{width}"
            yield TypeEncoding.spelling_of(encoding)
        else:
            yield from map(str, arguments)


_INLINE: dict[type, Callable[[Any, TextSource], str]] = {
    type(None): _null,
    MDString: _string,
    ConstantAsMetadata: _value,
    LocalAsMetadata: _value,
    DIArgList: _arguments,
    DIExpression: _expression,
}
"""By class of metadata that is never numbered."""

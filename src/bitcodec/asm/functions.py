"""Text of functions: the lines that precede the body; `bodies` has the body.

Rules: docs/reference/text.md, 7.
"""

from __future__ import annotations

from itertools import chain, starmap
from typing import TYPE_CHECKING

from bitcodec.asm.attributes import (
    address_words,
    attribute_words,
    calling_convention,
    group,
    linkage_words,
    program_address_space,
)
from bitcodec.asm.bodies import body_text
from bitcodec.asm.globals import attachments, back_text
from bitcodec.asm.use_lists import use_list_text
from bitcodec.ir.attributes import AttributeSet, StringAttribute
from bitcodec.ir.intrinsic_attributes import intrinsic_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import Function
    from bitcodec.ir.types import Type

__all__ = ["function_text"]


def function_text(function: Function, texts: Texts, *, by_block: bool = False) -> Iterator[str]:
    """Yield the text of a function in pieces.

    Args:
        function: the function.
        texts: makes the texts.
        by_block: whether each block is a piece; else a piece may contain several.

    Raises:
        BitcodecError: its body is malformed.
    """
    function.materialize()
    texts.enter(function)
    try:
        attributes = function.attributes
        yield _remarks(function, attributes.for_function, texts)
        head = _head(function, attributes, texts)
        attached = attachments(function, texts)
        texts.limit.spend(len(head) + len(attached), 1)
        if function.is_declaration:
            yield f"declare{attached} {head}\n"
        else:
            yield f"define {head}{attached} {{\n"
            yield from body_text(function, texts, by_block=by_block)
            yield use_list_text(texts.use_list_orders.get(function, ()), texts, "  ")
            yield "}\n"
    finally:
        texts.enter(None)


def _remarks(function: Function, attributes: AttributeSet, texts: Texts) -> str:
    """Return the comments before a function."""
    text = texts.function_remarks.get(attributes)
    if text is None:
        plain = AttributeSet(each for each in attributes if not isinstance(each, StringAttribute))
        text = f"; Function Attrs: {attribute_words(plain, texts).rstrip()}\n" if plain else ""
        texts.function_remarks[attributes] = text
    if function.is_intrinsic and intrinsic_name(function.name) is None:
        text += "; Unknown intrinsic\n"
    return text


def _head(function: Function, attributes: AttributeList, texts: Texts) -> str:
    words = linkage_words(function) + calling_convention(function.calling_convention)
    words += attribute_words(attributes.for_return, texts)
    name = f"{texts.types[function.return_type]} {texts.names[function]}"
    return f"{words}{name}({_parameters(function, attributes, texts)}){_tail(function, attributes, texts)}"


def _parameters(function: Function, attributes: AttributeList, texts: Texts) -> str:
    sets, types, names = attributes.parameters, texts.types, texts.names
    arguments = () if function.is_declaration else function.arguments

    def parameter_text(index: int, type_: Type) -> str:
        words = f" {attribute_words(sets[index], texts).rstrip()}" if index in sets else ""
        return f"{types[type_]}{words} {names[arguments[index]]}" if arguments else f"{types[type_]}{words}"

    parameters = starmap(parameter_text, enumerate(function.value_type.parameter_types))
    return texts.limit.join(chain(parameters, ("...",) if function.is_vararg else ()))


def _tail(function: Function, attributes: AttributeList, texts: Texts) -> str:
    """Return the text after the parameters."""
    words = address_words(function) + program_address_space(function.type, texts)
    text = f" {words.rstrip()}" if words else ""
    return text + group(attributes.for_function, texts) + back_text("function", function, texts)

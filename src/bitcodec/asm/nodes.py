# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Text of metadata nodes, by the programs of `debug_info`: modules have nodes by the hundred thousand.

Rules: docs/reference/text.md, 12 and 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.debug_info import SEPARATOR, NodePrintPrograms, PrintWhen, ValueShape
from bitcodec.asm.limits import FEW
from bitcodec.asm.names import escaped
from bitcodec.asm.text_buffer import TextBuffer
from bitcodec.ir.debug_info import DIAssignID
from bitcodec.ir.metadata import MDNode, MDTuple, content_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.asm.metadata import ReferenceTexts
    from bitcodec.asm.texts import Texts

__all__ = ["add_node_lines", "node_text"]

_UNLESS_EMPTY = PrintWhen.UNLESS_EMPTY
_UNLESS_MISSING = PrintWhen.UNLESS_MISSING
_IF_FOUND = PrintWhen.IF_FOUND
_REFERENCE = ValueShape.REFERENCE
_NUMBER = ValueShape.NUMBER
_STRING = ValueShape.STRING
_KNOWN = ValueShape.KNOWN
_SEPARATOR_SIZE = len(SEPARATOR)

_MADE_PROGRAMS = NodePrintPrograms()
_PROGRAMS: dict[type, Any] = {}
"""Programs used so far; a plain dictionary is faster than a subclass with `__missing__`."""


def add_node_lines(text: TextBuffer, nodes: Iterable[MDNode], number: int, texts: Texts) -> None:
    """Add the lines of nodes, which have numbers from this one on.

    Raises:
        BitcodecError: they are too long together.
    """
    for node in nodes:
        text.add_label(number)
        text.add(" = ")
        _add_node(text, node, texts)
        text.end_line()
        number += 1


def node_text(node: MDNode, texts: Texts) -> str:
    """Return the text of a single node, without its number."""
    text = TextBuffer()
    _add_node(text, node, texts)
    return text.take()


def _add_node(text: TextBuffer, node: MDNode, texts: Texts) -> None:
    """Add the text of a node."""
    content = content_of(node)
    if node.is_distinct:
        text.add("distinct ")
    kind = type(node)
    if kind is MDTuple:
        _add_operands(text, content, texts)
    elif kind is DIAssignID:
        text.add("!DIAssignID()")
    else:
        program = _PROGRAMS.get(kind)
        if program is None:
            program = _PROGRAMS[kind] = _MADE_PROGRAMS[kind]
        _add_fields(text, program, content, texts.references)


def _add_operands(text: TextBuffer, operands: tuple[Any, ...], texts: Texts) -> None:
    references = texts.references
    text.add("!{")
    if len(operands) > FEW:
        text.add(texts.limit.join(map(references.__getitem__, operands)))
    else:
        separator = ""
        for operand in operands:
            text.add(separator)
            text.add_text_of(references, operand)
            separator = ", "
    text.add("}")


def _add_fields(  # noqa: C901, PLR0912 - one loop over the fields of all nodes
    text: TextBuffer, program: Any, content: tuple[Any, ...], references: ReferenceTexts
) -> None:
    """Add the class of a node and its fields."""
    head, fields = program
    text.add(head)
    is_first = True
    for field in fields:
        place, label, when, shape, detail = field
        found = None
        if when == _IF_FOUND:
            found = detail(content, references)
            if found is None:
                continue
        else:
            value = content[place]
            if not value if when == _UNLESS_EMPTY else when == _UNLESS_MISSING and value is None:
                continue
        if is_first:
            is_first = False
            text.add(label[_SEPARATOR_SIZE:])
        else:
            text.add(label)
        if found is not None:
            text.add(found)
        elif shape == _NUMBER:
            text.add_number(value)
        elif shape == _REFERENCE:
            text.add_text_of(references, value)
        elif shape == _KNOWN:
            text.add(detail[value])
        elif shape == _STRING:
            text.add('"')
            text.add(escaped(value))
            text.add('"')
        else:
            text.add(detail(value, references))
    text.add(")")

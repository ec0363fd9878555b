# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Text of metadata nodes, by the programs of `debug_info`: modules have nodes by the hundred thousand.

Rules: assembly text reference, sections 12 and 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.debug_info import NodePrograms, Shape, When
from bitcodec.asm.limits import FEW
from bitcodec.asm.names import escaped
from bitcodec.ir.debug_info import DIAssignID
from bitcodec.ir.metadata import MDNode, MDTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.asm.metadata import References
    from bitcodec.asm.texts import Texts

__all__ = ["node_lines", "node_text"]

_UNLESS_EMPTY = When.UNLESS_EMPTY
_UNLESS_MISSING = When.UNLESS_MISSING
_IF_FOUND = When.IF_FOUND
_REFERENCE = Shape.REFERENCE
_NUMBER = Shape.NUMBER
_STRING = Shape.STRING
_KNOWN = Shape.KNOWN

_PROGRAMS = NodePrograms()


def node_lines(numbered: Iterable[tuple[MDNode, str]], texts: Texts) -> list[str]:
    """Return the lines of nodes with their numbers.

    Raises:
        BitcodecError: they are too long together.
    """
    lines: list[str] = []
    left = texts.limit.left
    size = 0
    for node, number in numbered:
        pieces = [number, " = "]
        _add_node(pieces, node, texts)
        pieces.append("\n")
        line = "".join(pieces)
        lines.append(line)
        size += len(line)
        if left is not None and size > left:
            texts.limit.check(size)
    return lines


def node_text(node: MDNode, texts: Texts) -> str:
    """Return the text of a node that stands by itself, without its number."""
    pieces: list[str] = []
    _add_node(pieces, node, texts)
    return "".join(pieces)


def _add_node(pieces: list[str], node: MDNode, texts: Texts) -> None:
    """Add the pieces of the text of a node."""
    content: Any = node._content
    if type(content) is not tuple:
        content = node._read_content()
    if node.is_distinct:
        pieces.append("distinct ")
    kind = type(node)
    if kind is MDTuple:
        _add_operands(pieces, content, texts)
    elif kind is DIAssignID:
        pieces.append("!DIAssignID()")
    else:
        _add_fields(pieces, _PROGRAMS[kind], content, texts.references)


def _add_operands(pieces: list[str], operands: tuple[Any, ...], texts: Texts) -> None:
    references = texts.references
    pieces.append("!{")
    if len(operands) > FEW:
        pieces.append(texts.limit.join(map(references.__getitem__, operands)))
    else:
        pieces.append(", ".join([references[operand] for operand in operands]))
    pieces.append("}")


def _add_fields(pieces: list[str], program: Any, content: tuple[Any, ...], references: References) -> None:
    """Add the class of a node and its fields."""
    head, fields = program
    separator = head
    for place, label, when, shape, detail in fields:
        if when == _IF_FOUND:
            text = detail(content, references)
            if text is None:
                continue
        else:
            value = content[place]
            if not value if when == _UNLESS_EMPTY else when == _UNLESS_MISSING and value is None:
                continue
            if shape == _NUMBER:
                text = f"{value}"
            elif shape == _REFERENCE:
                text = references[value]
            elif shape == _KNOWN:
                text = detail[value]
            elif shape == _STRING:
                text = f'"{escaped(value)}"'
            else:
                text = detail(value, references)
        pieces.append(separator)
        pieces.append(label)
        pieces.append(text)
        separator = ", "
    pieces.append(")" if separator is not head else f"{head})")

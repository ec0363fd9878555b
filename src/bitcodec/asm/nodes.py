# cython: language_level=3, annotation_typing=False, nonecheck=True
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
        line = f"{number} = {node_text(node, texts)}\n"
        lines.append(line)
        size += len(line)
        if left is not None and size > left:
            texts.limit.check(size)
    return lines


def node_text(node: MDNode, texts: Texts) -> str:
    """Return the text of a node that stands by itself, without its number."""
    content: Any = node._content
    if type(content) is not tuple:
        content = node._read_content()
    kind = type(node)
    if kind is MDTuple:
        text = _tuple_text(content, texts)
    elif kind is DIAssignID:
        return "distinct !DIAssignID()"
    else:
        text = _fields_text(kind, content, texts)
    return f"distinct {text}" if node.is_distinct else text


def _tuple_text(operands: tuple[Any, ...], texts: Texts) -> str:
    references = texts.references
    if len(operands) > FEW:
        return f"!{{{texts.limit.join(map(references.__getitem__, operands))}}}"
    return f"!{{{', '.join([references[operand] for operand in operands])}}}"


def _fields_text(kind: type[MDNode], content: tuple[Any, ...], texts: Texts) -> str:
    """Return the class of a node and its fields."""
    references = texts.references
    head, program = _PROGRAMS[kind]
    shown = []
    for place, label, when, shape, detail in program:
        if when == _IF_FOUND:
            text = detail(content, references)
            if text is not None:
                shown.append(f"{label}{text}")
            continue
        value = content[place]
        if not value if when == _UNLESS_EMPTY else when == _UNLESS_MISSING and value is None:
            continue
        if shape == _NUMBER:
            shown.append(f"{label}{value}")
        elif shape == _REFERENCE:
            shown.append(f"{label}{references[value]}")
        elif shape == _KNOWN:
            shown.append(f"{label}{detail[value]}")
        elif shape == _STRING:
            shown.append(f'{label}"{escaped(value)}"')
        else:
            shown.append(f"{label}{detail(value, references)}")
    return f"{head}{', '.join(shown)})"

"""Flags as tests write them: trees of values, LLVM assembly made of them and read back, modules made of them.

Nothing here is bitcodec's own reading or spelling, so that one mistake cannot hide in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from bitcodec.builder import new_module
from bitcodec.ir.context import Context
from bitcodec.ir.metadata import MDNode, MDString, MDTuple, Metadata, NamedMetadata
from bitcodec.ir.module import Module

__all__ = ["Flags", "Int", "Node", "Str", "Value", "assembly", "flag", "inline", "made", "parsed", "require"]

FLAGS = "llvm.module.flags"


class Int(NamedTuple):
    """A constant integer."""

    value: int
    width: int = 32


class Str(NamedTuple):
    """A string."""

    text: str


class Node:
    """A tuple; the same object is the same node."""

    def __init__(self, *items: Value, distinct: bool = False) -> None:
        self.items = list(items)
        self.distinct = distinct

    def __repr__(self) -> str:
        return inline(self)


Value: TypeAlias = Int | Str | Node | None
Flags: TypeAlias = "Sequence[Node] | None"
"""The flags of a module; None for a module that has no list of flags."""


def flag(behavior: int, key: str, value: Value) -> Node:
    return Node(Int(behavior), Str(key), value)


def require(name: str, key: str, value: Value) -> Node:
    return flag(3, name, Node(Str(key), value))


# Text of one value


def inline(value: Value) -> str:
    """Return a value with nodes written out where they stand."""
    if isinstance(value, Node):
        return f"{'distinct ' * value.distinct}!{{{', '.join(map(inline, value.items))}}}"
    return _leaf(value)


def _leaf(value: Int | Str | None) -> str:
    match value:
        case None:
            return "null"
        case Str(text):
            return f'!"{_escaped(text)}"'
        case Int(value=number, width=1):
            return f"i1 {'true' if number else 'false'}"
    return f"i{value.width} {value.value}"


def _escaped(text: str) -> str:
    return "".join(
        character if " " <= character <= "~" and character != '"' else f"\\{ord(character):02X}"
        for character in text.replace("\\", "\\\\")
    )


# Text of a module


def assembly(flags: Flags) -> str:
    """Return LLVM assembly of a module that has nothing but these flags."""
    if flags is None:
        return "\n"
    numbers: dict[int, int] = {}
    lines: list[str] = []

    def reference(value: Value) -> str:
        if not isinstance(value, Node):
            return _leaf(value)
        if id(value) not in numbers:
            number = numbers[id(value)] = len(numbers)
            inner = ", ".join(map(reference, value.items))
            lines.append(f"!{number} = {'distinct ' * value.distinct}!{{{inner}}}")
        return f"!{numbers[id(value)]}"

    listed = ", ".join(map(reference, flags))
    return "\n".join([f"!{FLAGS} = !{{{listed}}}", *lines, ""])


_TOKEN = re.compile(
    r"""\s+ | ;[^\n]* | metadata\b | (?P<named>![A-Za-z.]+) | (?P<reference>!\d+) | !"(?P<string>[^"]*)"
    | (?P<open>!\{) | i(?P<width>\d+)\s+(?P<number>-?\d+|true|false) | (?P<word>distinct|null) | (?P<mark>[},=])
    | [^\n]+""",
    re.VERBOSE,
)


def parsed(text: str) -> list[Node] | None:
    """Return the flags that assembly tells, in the spelling of today or that of LLVM 3.5; None if it has no list."""
    tokens = [match for match in _TOKEN.finditer(text) if match.lastgroup]
    nodes: dict[str, Node] = {}
    listed: list[Value] | None = None
    pending = iter(tokens)
    for token in pending:
        name = token["named"] or token["reference"]
        if name is None:
            continue
        next(pending)  # the equals sign
        node = _value(next(pending), pending, nodes)
        assert isinstance(node, Node)
        if name == f"!{FLAGS}":
            listed = node.items
        elif token["reference"]:
            known = nodes.setdefault(name, node)
            known.items, known.distinct = node.items, node.distinct
    return None if listed is None else [node for node in listed if isinstance(node, Node)]


def _value(token: re.Match[str], pending: Iterator[re.Match[str]], nodes: dict[str, Node]) -> Value:
    if token["reference"]:
        return nodes.setdefault(token["reference"], Node())
    if token["string"] is not None:
        return Str(re.sub(r"\\(\\|..)", _unescaped, token["string"]))
    if token["number"]:
        number = {"true": 1, "false": 0}.get(token["number"])
        return Int(int(token["number"]) if number is None else number, int(token["width"]))
    if token["word"] == "null":
        return None
    is_distinct = token["word"] == "distinct"
    if is_distinct:
        token = next(pending)
    assert token["open"], token[0]
    node = Node(distinct=is_distinct)
    for inner in pending:
        if inner["mark"] == "}":
            break
        if inner["mark"] != ",":
            node.items.append(_value(inner, pending, nodes))
    return node


def _unescaped(match: re.Match[str]) -> str:
    return "\\" if match[1] == "\\" else chr(int(match[1], 16))


# Modules


def made(flags: Flags, name: str = "made", context: Context | None = None) -> Module:
    """Return a module of these flags."""
    module = new_module(name, context=context)
    if flags is not None:
        known: dict[int, MDNode] = {}
        nodes = [_node(node, module.context, known) for node in flags]
        module.named_metadata[FLAGS] = NamedMetadata(FLAGS, nodes)
    return module


def _node(node: Node, context: Context, known: dict[int, MDNode]) -> MDNode:
    if id(node) not in known:
        operands = [_metadata(item, context, known) for item in node.items]
        known[id(node)] = context.metadata.unique(MDTuple(operands, is_distinct=node.distinct))
    return known[id(node)]


def _metadata(value: Value, context: Context, known: dict[int, MDNode]) -> Metadata | None:
    match value:
        case Node():
            return _node(value, context, known)
        case Str(text):
            found: MDString = context.metadata.string(text)
            return found
        case Int(number, width):
            return context.metadata.value(context.constants.integer(context.types.integer(width), number))
    return None

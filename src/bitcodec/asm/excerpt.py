"""Text of one function, and of the entities that it mentions: nothing else of the module is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.functions import function_text
from bitcodec.asm.module import group_lines, separated, type_line
from bitcodec.asm.nodes import node_text
from bitcodec.asm.numbering import Numbering
from bitcodec.asm.texts import Texts
from bitcodec.ir.debug_info import DILexicalBlock, DILexicalBlockFile, DILocation
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.types import Type

__all__ = ["function_assembly"]


def function_assembly(function: Function) -> Iterator[str]:
    """Yield the text of a function, then the structs, attribute groups and metadata nodes that it mentions.

    Groups and nodes are numbered from 0 in the order in which they are mentioned.  Of indirectly mentioned nodes,
    only those are listed that give the origin of code (locations and lexical blocks) or describe memory and loops
    (tuples); other nodes, such as files and types, have only a number: they would lead to most of a module.

    Raises:
        BitcodecError: the function, or an entity that it mentions, is malformed.
    """
    texts = Texts(function.parent, Numbering(function.parent))
    yield from function_text(function, texts)
    structs = _structs(texts.types.mentioned())
    yield from separated(type_line(struct, texts) for struct in structs)
    yield from separated(group_lines(list(texts.numbering.groups), texts))
    yield from separated(_node_lines(texts))


def _structs(types: Iterable[Type]) -> Iterator[StructType]:
    """Yield the identified structs that types contain, except inside structs."""
    pending = list(reversed(list(types)))
    seen: set[Type] = set()
    while pending:
        type_ = pending.pop()
        if type_ in seen:
            continue
        seen.add(type_)
        if isinstance(type_, StructType) and type_.name is not None:
            yield type_
        else:
            pending += reversed(type_.element_types)


def _node_lines(texts: Texts) -> Iterator[str]:
    references = texts.references
    of_function = len(references)
    shown = 0
    # To print a node may give numbers to others, which stand behind it then.
    while shown < len(references):
        for node in list(references)[shown:]:
            if shown < of_function or isinstance(node, _LISTED):
                yield f"{references[node]} = {node_text(node, texts)}\n"
            shown += 1


_LISTED: tuple[type[MDNode], ...] = (MDTuple, DILocation, DILexicalBlock, DILexicalBlockFile)

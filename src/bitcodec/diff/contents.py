"""Texts that describe things by their contents, not by numbers.

Small metadata nodes and attribute groups are written inline; debug information with a name is referred to by
its name (`entities`).  All else without a name, distinct and large nodes among them, has a mark there, and is reported
below the text that refers to it, as `!<1> = distinct !{!<1>, !"llvm.loop.mustprogress"}`: such texts are equal if, and
only if, the contents are.
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING, Any, cast

from bitcodec.asm.globals import variable_text
from bitcodec.asm.metadata import ReferenceTexts, is_inline
from bitcodec.asm.module import type_line
from bitcodec.asm.names import local_name
from bitcodec.asm.nodes import node_text
from bitcodec.asm.numbering import FirstUseNumbers, Numbering
from bitcodec.asm.texts import Texts
from bitcodec.diff.entities import Entities
from bitcodec.diff.marks import DROPPED, MARK, local_mark, thing_mark
from bitcodec.errors import BitcodecError
from bitcodec.ir.attributes import AttributeSet
from bitcodec.ir.debug_info import DIAssignID, DINode
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.metadata import MDNode, MDTuple
from bitcodec.ir.types import StructType
from bitcodec.tables.metadata_kinds import METADATA_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["Contents"]

_LONGEST = 240
_LONGEST_TUPLE = 80
"""Maximum number of characters of an inline tuple; tuples have no words that help to read them."""
_MOST_OPERANDS = 64
_LEAST_BUDGET = 1 << 26
_BUDGET_FACTOR = 64
"""Characters below texts, at least, and for each character of texts: small files may repeat large nodes."""


_MAX_KEPT = 1 << 14
"""References to nodes, and marks of nodes, that are kept; when there are more, all are forgotten.

It must exceed the number of nodes whose content can appear in one line: else they would be forgotten before their use.
"""
_ENTERED = -1
"""Takes the place of its mark while the content of a node is being made."""
_NOWHERE = -1
"""The place of a thing that a text does not mention."""


_DEBUG_INFO = (DINode, DIAssignID)
_DROPPED_ATTACHMENT = re.compile(rf",? ![-a-zA-Z0-9$._\\]+ {DROPPED}")
_RECORD = "    #dbg_"


class _Given(FirstUseNumbers[Any]):
    """Texts in the place of numbers, each made by a function when it is requested."""

    def __init__(self, make: Callable[[Any], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        text = self[key] = cast("Any", self._make(key))
        return text


class _Marks(FirstUseNumbers[Any]):
    """Marks in the place of numbers, which a function makes; none is kept."""

    def __init__(self, make: Callable[[Any], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        return cast("Any", self._make(key))


class _References(ReferenceTexts):
    """Text of references to metadata: for nodes, the result of a function."""

    def __init__(self, make: Callable[[MDNode], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, metadata: Any) -> str:
        if is_inline(metadata):
            return super().__missing__(metadata)
        text = self[metadata] = self._make(metadata)
        return text


class _Contents(Numbering):
    """Texts in the place of numbers."""

    def __init__(self, node: Callable[[MDNode], str], thing: Callable[[Any], str], group: Callable[[Any], str]) -> None:
        super().__init__(None)
        self.nodes = _References(node)
        self.groups = _Given(group)
        self.unnamed_structs = _Marks(thing)

    def ordered(self, attachments: Iterable[tuple[str, MDNode]]) -> list[tuple[str, MDNode]]:
        """Return kinds and attached nodes, in an order that does not depend on other modules."""
        return sorted(
            attachments, key=lambda attachment: (_KIND_RANKS.get(attachment[0], len(_KIND_RANKS)), attachment[0])
        )


_KIND_RANKS = {kind: rank for rank, kind in enumerate(METADATA_KINDS)}


class Contents(Texts):
    """Makes the texts of a module that are compared.

    Args:
        module: the module.
        debug_info: whether debug information counts.

    Attributes:
        entities: the debug information with names that was mentioned.
    """

    def __init__(self, module: Module, *, debug_info: bool) -> None:
        super().__init__(module, _Contents(self._reference, self._mark, self._group))
        self.entities = Entities()
        self._debug_info = debug_info
        self._things: list[Any] = []
        # Places in `_things`. A node that is not distinct has one if its content is too long to be inline.
        self._marks: dict[Any, int] = {}
        self._places = array("i")  # of things, in the text that is being made
        self._max_marks = _MAX_KEPT
        self._block_numbers: dict[Function, dict[BasicBlock, int]] = {}
        self._said = self._said_below = 0
        unnamed = [value for value in module.globals if not value.name]
        counts: dict[type, int] = {}
        for value in unnamed:
            if isinstance(value, GlobalVariable):
                self._constants[value] = f"@{self._mark(value)}"
            else:
                number = counts[type(value)] = counts.get(type(value), -1) + 1
                self._constants[value] = f"@<{type(value).__name__} {number}>"

    def enter(self, function: Function | None) -> None:
        """Take names of locals from a function from now on, those without names as marks, or from none."""
        super().enter(function)
        if function is not None:
            names = self.names
            # A name that is all digits has quotes around it.
            for value, text in [*names.items()]:
                if text[1:].isdecimal():
                    names[value] = f"%{local_mark(int(text[1:]))}"

    def block_name(self, function: Function, block: BasicBlock) -> str:
        """Return the text of a block in its address: its name, or the number of blocks in front of it."""
        if block.name:
            return local_name(block.name)
        numbers = self._block_numbers.get(function)
        if numbers is None:
            numbers = self._block_numbers[function] = {each: number for number, each in enumerate(function.blocks)}
        return f"%<block {numbers.get(block)}>"

    def closed(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines, and below them the things that they refer to by marks; these are counted again for this text.

        One such text must end before the next one begins.

        Raises:
            BitcodecError: it is out of all proportion.
        """
        places, things, waiting = self._places, self._things, array("i")

        def counted(mark: re.Match[str]) -> str:
            if mark[1] != _THING or (thing := int(mark[2])) >= len(places) or things[thing] is None:
                return mark[0]
            if places[thing] < 0:
                places[thing] = len(waiting)
                waiting.append(thing)
            return thing_mark(places[thing])

        try:
            for line in self._kept(lines):
                shown = MARK.sub(counted, line) if _THING in line else line
                self._said += len(shown)
                yield shown
            for thing in waiting:  # it grows meanwhile
                for line in self._kept(self._definition(things[thing])):
                    shown = MARK.sub(counted, line)
                    self._said_below += len(shown)
                    yield shown
                if self._said_below > _LEAST_BUDGET + _BUDGET_FACTOR * self._said:
                    raise BitcodecError("the compared values refer to too much metadata")
        finally:
            for thing in waiting:
                places[thing] = _NOWHERE
            if len(self._marks) > self._max_marks:
                self._forget_nodes()

    def _forget_nodes(self) -> None:
        """Forget the marks of nodes, which no text needs after its end."""
        things = self._things
        self._marks = {thing: number for number, thing in enumerate(things) if not _is_node(thing)}
        self._max_marks = 2 * len(self._marks) + _MAX_KEPT
        end = max(self._marks.values(), default=-1) + 1
        things[:] = [None if _is_node(thing) else thing for thing in things[:end]]
        del self._places[end:]
        self.references.clear()

    def definition_of(self, node: MDNode) -> list[str]:
        """Return the text of a node, without its reference."""
        if not isinstance(node, MDTuple):
            return [node_text(node, self)]
        head = "distinct !{" if node.is_distinct else "!{"
        operands = list(map(self.references.__getitem__, self._counting(node)))
        if sum(map(len, operands)) <= _LONGEST:
            return [f"{head}{', '.join(operands)}}}"]
        return [head, *(f"  {operand}," for operand in operands), "}"]

    def _kept(self, lines: Iterable[str]) -> Iterable[str]:
        """Return lines without ignored parts."""
        if self._debug_info:
            return lines
        return [_DROPPED_ATTACHMENT.sub("", line) for line in lines if not line.startswith(_RECORD)]

    def _definition(self, thing: Any) -> list[str]:
        """Return the lines that describe the thing behind a mark."""
        if isinstance(thing, GlobalVariable):
            return [variable_text(thing, self)]
        if isinstance(thing, StructType):
            return [type_line(thing, self).removesuffix("\n")]
        if isinstance(thing, AttributeSet):
            words = [AttributeSet([one]).spelled(in_group=True, type_text=self.types.__getitem__) for one in thing]
            return [f"attributes #{self._mark(thing)} = {{", *(f"  {word}" for word in words), "}"]
        first, *rest = self.definition_of(thing)
        return [f"!{self._mark(thing)} = {first}", *rest]

    def _mark(self, thing: Any) -> str:
        number = self._marks.get(thing, _ENTERED)
        if number < 0:
            number = self._marks[thing] = len(self._things)
            self._things.append(thing)
            self._places.append(_NOWHERE)
        return thing_mark(number)

    def _group(self, attributes: AttributeSet) -> str:
        words = attributes.spelled(in_group=True, type_text=self.types.__getitem__)
        return f"{{ {words} }}" if len(words) <= _LONGEST else self._mark(attributes)

    def _reference(self, node: MDNode) -> str:
        """Return the text of a reference to a node."""
        if not isinstance(node, MDNode):
            return f"!<{type(node).__name__}>"
        if len(self.references) > _MAX_KEPT:
            self.references.clear()
        return self._leaf(node) or self._inline(node) or f"!{self._mark(node)}"

    def _leaf(self, node: MDNode) -> str | None:
        """Return the text of a reference to a node that is not written inline, None for one that is."""
        if not self._debug_info and self._is_debug_info(node):
            return DROPPED
        entity = self.entities.reference(node)
        if entity is None:
            return f"!{self._mark(node)}" if node.is_distinct else None
        return f"!{entity}"

    def _is_large(self, node: MDNode) -> bool:
        """Return whether a node is known to have too long a content."""
        return self._marks.get(node, _ENTERED) >= 0 and not node.is_distinct

    def _inline(self, node: MDNode) -> str | None:
        """Return the content of a node, None if it is too long, or endless.

        Each node is looked at once, the innermost first; a node that holds one that is too long is too long.
        """
        references, marks = self.references, self._marks
        pending = [node]
        while pending:
            current = pending[-1]
            if current in references or self._is_large(current):
                pending.pop()
                continue
            if len(references) > _MAX_KEPT:
                references.clear()
            operands = [one for one in current.operands if isinstance(one, MDNode) and not is_inline(one)]
            text: str | None = None
            if len(operands) <= _MOST_OPERANDS and not any(map(self._is_large, operands)):
                missing = self._missing(operands)
                if missing:
                    marks[current] = _ENTERED
                    if all(marks.get(one) != _ENTERED for one in missing):
                        pending += reversed(missing)
                        continue
                else:
                    text = self._short_definition(current)
            pending.pop()
            if text is None:
                self._mark(current)
            else:
                marks.pop(current, None)
                references[current] = text
        return references.get(node)

    def _short_definition(self, node: MDNode) -> str | None:
        """Return the content of a node, None if it is too long."""
        text, *rest = self.definition_of(node)
        return None if rest or len(text) > (_LONGEST_TUPLE if isinstance(node, MDTuple) else _LONGEST) else text

    def _missing(self, operands: Iterable[MDNode]) -> list[MDNode]:
        """Return the operands that are written inline, but whose text is unknown yet."""
        references = self.references
        missing: list[MDNode] = []
        for operand in operands:
            if operand not in references:
                leaf = self._leaf(operand)
                if leaf is None:
                    missing.append(operand)
                else:
                    references[operand] = leaf
        return missing

    def _counting(self, node: MDTuple) -> list[Any]:
        """Return the operands of a node that count."""
        if self._debug_info:
            return list(node.operands)
        return [operand for operand in node.operands if not isinstance(operand, _DEBUG_INFO)]

    def _is_debug_info(self, node: MDNode) -> bool:
        """Whether a node is debug information, or a loop with nothing but its source location."""
        if isinstance(node, _DEBUG_INFO):
            return True
        operands = node.operands
        return (
            node.is_distinct
            and len(operands) > 1
            and all(one is node or isinstance(one, _DEBUG_INFO) for one in operands)
        )


def _is_node(thing: object) -> bool:
    return thing is None or isinstance(thing, MDNode)


_THING = thing_mark(0)[0]

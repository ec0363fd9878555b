"""The LLVM IR of a `.mir` file: text that is kept, with an index of the metadata nodes that it defines.

LLVM prints `pcsections !N` readably only if something in the IR part refers to the node.  So named metadata refers to
nodes that machine instructions alone carry: `!bitcodec.pcsections`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from bitcodec.errors import MIRError, PCSectionsError
from bitcodec.ir.context import Context
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.pcsections import PCSections
from bitcodec.mir.names import name_of
from bitcodec.mir.node_text import constant, parse_tuple, string_text, tuple_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.metadata import ConstantAsMetadata, Metadata
    from bitcodec.mir.names import Name
    from bitcodec.mir.source import Edits, SourceText

__all__ = ["KEPT_NODES", "IRPart"]

KEPT_NODES = "bitcodec.pcsections"
"""Named metadata for nodes that machine instructions alone carry."""

_DEFINITION = re.compile(r"^ *!([0-9]{1,9}) = (.*)$", re.MULTILINE)
_ATTACHED = re.compile(r"!pcsections !([0-9]{1,9})\b")
_DEFINED = re.compile(r'^ *define [^@\n]*@("[^"\n]*"|[-\w$.]+)\((.*)$', re.MULTILINE | re.ASCII)
_QUOTED = re.compile(r'"[^"]*"')
_NAMED = re.compile(rf"^ *!{re.escape(KEPT_NODES)} = !\{{(.*)\}}", re.MULTILINE)


class IRPart:
    """The LLVM IR of a file.

    Args:
        source: the text of the file.
        start: where the first line of the IR begins.
        end: where the last one ends.
        taken: numbers of new nodes of functions.

    Attributes:
        context: where constants of PC sections are made.
    """

    __slots__ = (
        "_added",
        "_asked",
        "_function_nodes",
        "_kept",
        "_known",
        "_next",
        "_node_texts",
        "_numbers",
        "_referred",
        "_source",
        "context",
        "end",
        "start",
    )

    def __init__(self, source: SourceText, start: int, end: int, taken: set[int]) -> None:
        self._source = source
        self.start = start
        self.end = end
        self.context = Context()
        self._added: list[int] = []
        self._kept: list[int] = []
        text = source.text[start:end]
        self._node_texts: dict[int, str] = {
            int(number): definition.strip() for number, definition in _DEFINITION.findall(text)
        }
        self._referred = {int(number) for number in _ATTACHED.findall(text)}
        self._referred.update(
            int(number) for nodes in _NAMED.findall(text) for number in re.findall(r"[0-9]{1,9}", nodes)
        )
        self._numbers = {definition: number for number, definition in reversed(self._node_texts.items())}
        self._next = max(self._node_texts.keys() | taken, default=-1) + 1
        self._known: dict[int, PCSections] = {}
        self._asked: dict[int, tuple[PCSections, int]] = {}
        self._function_nodes: dict[Name, list[int]] | None = None

    @property
    def text(self) -> str:
        """The IR as LLVM's assembler reads it, without additions."""
        indentation = self._source.indentation(self.start, self.end)
        return re.sub(f"^{indentation}", "", self._source.text[self.start : self.end], flags=re.MULTILINE)

    @property
    def nodes(self) -> Mapping[int, str]:
        """The definitions of metadata nodes by number, such as `!{!"hot", !1}`."""
        return self._node_texts

    def pcsections(self, number: int) -> PCSections:
        """Return the requests of a node.

        Raises:
            MIRError: the node does not exist.
            PCSectionsError: it is malformed, or has constants that are not read here.
        """
        found = self._known.get(number)
        if found is None:
            found = self._known[number] = PCSections.of_node(self._node(number))
            self._asked[id(found)] = found, number
        return found

    def function_nodes(self, name: Name) -> list[int]:
        """Return the numbers of the PC-section nodes of a function definition; the back end uses the first."""
        if self._function_nodes is None:
            text = self._source.text[self.start : self.end]
            self._function_nodes = {
                name_of(spelled): [int(number) for number in _ATTACHED.findall(_QUOTED.sub("", rest))]
                for spelled, rest in _DEFINED.findall(text)
            }
        return self._function_nodes.get(name, [])

    @property
    def next_number(self) -> int:
        """The first number that no node has."""
        return self._next

    def take_number(self) -> int:
        """Return the number of a node that is added to the module of the IR part."""
        number = self._next
        self._next += 1
        return number

    def rename_functions(self, names: Mapping[Name, Name]) -> None:
        """Rename functions."""
        if self._function_nodes is None:
            self.function_nodes("")
        known = self._function_nodes or {}
        self._function_nodes = {names.get(name, name): nodes for name, nodes in known.items()}

    def add(self, asked: PCSections) -> int:
        """Return the number of the node that requests sections; it is added if necessary.

        Raises:
            PCSectionsError: it would be malformed.
        """
        _, number = self._asked.get(id(asked), (asked, None))
        if number is None:
            PCSections(asked.sections).node(Context())  # which checks it
            elements: list[str] = []
            for section in asked:
                elements += (string_text(section), *map(self._constants_node, section.tuples))
            number = self._number_of(tuple_text(elements, is_distinct=asked.is_distinct))
            self._asked[id(asked)] = asked, number
            self._known.setdefault(number, asked)
        self.keep(number)
        return number

    def keep(self, number: int) -> None:
        """Keep a node in the text, because something refers to it.

        Raises:
            MIRError: the node does not exist.
        """
        self._definition(number)
        self.keep_new(number)

    def keep_new(self, number: int) -> None:
        """Keep a node that only the module of the IR part has, because something refers to it."""
        if number not in self._referred:
            self._referred.add(number)
            self._kept.append(number)

    def write(self, edits: Edits, text: str | None = None) -> None:
        """Add new nodes to the edits, behind everything else.

        Args:
            edits: receives them.
            text: the text of the IR, without indentation. Default: the original text.
        """
        newline = self._source.newline
        indentation = self._source.indentation(self.start, self.end)
        if text is not None:
            edits.replace(self.start, self.end, self._indented(text, indentation, newline))
        if not self._kept:
            return
        lines = [f"!{KEPT_NODES} = !{{{', '.join(f'!{number}' for number in self._kept)}}}"]
        lines += (f"!{number} = {self._node_texts[number]}" for number in self._added)
        edits.replace(self.end, self.end, "".join(f"{indentation}{line}{newline}" for line in lines))

    def _indented(self, text: str, indentation: str, newline: str) -> str:
        is_bare = re.search("^\r?\n", self._source.text[self.start : self.end], re.MULTILINE) is not None
        lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
        return "".join(f"{(line and indentation) or indentation * (not is_bare)}{line}{newline}" for line in lines)

    def _definition(self, number: int) -> str:
        text = self._node_texts.get(number)
        if text is None:
            raise MIRError(f"the IR part defines no node !{number}")
        return text

    def _node(self, number: int) -> MDTuple:
        """Return a node of sections, and of tuples of constants; deeper nodes are refused."""
        written = parse_tuple(self._definition(number))
        elements: list[Metadata | None] = []
        for kind, text in written.elements:
            if kind == "node":
                elements.append(self._constants(int(text[1:])))
            else:
                elements.append(self._element(kind, text))
        return self.context.metadata.unique(MDTuple(elements, is_distinct=written.is_distinct))

    def _constants(self, number: int) -> MDTuple:
        written = parse_tuple(self._definition(number))
        if any(kind == "node" for kind, _ in written.elements):
            raise PCSectionsError(f"!pcsections: !{number} has nodes where constants are expected")
        elements = [self._element(kind, text) for kind, text in written.elements]
        return self.context.metadata.unique(MDTuple(elements, is_distinct=written.is_distinct))

    def _element(self, kind: str, text: str) -> Metadata | None:
        if kind == "string":
            return self.context.metadata.string(text)
        return None if kind == "null" else self.context.metadata.value(constant(text, self.context))

    def _constants_node(self, node: MDTuple) -> str:
        """Return the node of a section's constants; it is added if necessary."""
        constants = [str(cast("ConstantAsMetadata", element).value) for element in node.operands]
        return f"!{self._number_of(tuple_text(constants, is_distinct=node.is_distinct))}"

    def _number_of(self, definition: str) -> int:
        """Return the number of the node that a text defines; a new one if it is unknown or distinct."""
        number = self._numbers.get(definition)
        if number is None or definition.startswith("distinct"):
            number = self.take_number()
            self._node_texts[number] = definition
            self._numbers[definition] = number
            self._added.append(number)
        return number

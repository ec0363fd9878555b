"""Files of machine IR: LLVM IR, and a document for each machine function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.files import read_file, write_whole
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.pcsections import PCSections
from bitcodec.mir.function import MachineFunction
from bitcodec.mir.ir_part import IRPart
from bitcodec.mir.operands import NodeReference
from bitcodec.mir.source import Edits, SourceText, decoded
from bitcodec.mir.yaml_nodes import YamlMapping, YamlScalar
from bitcodec.mir.yaml_reader import documents

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.mir.ir_objects import IRObjects
    from bitcodec.mir.operand import MachineOperand
    from bitcodec.mir.yaml_nodes import YamlNode

__all__ = ["MachineModule", "dumps", "loads", "open", "save"]

_OWN_NODE = re.compile(r"!([0-9]{1,9}) =")


class MachineModule:
    """A file of machine IR.

    Unchanged parts keep their characters, including comments and blanks; bodies are read when they are requested.

    Args:
        text: the file.

    Attributes:
        ir: its LLVM IR, if it has any.
        functions: its machine functions, in order.

    Raises:
        MIRError: it is not YAML, or not in LLVM's form of machine IR.
    """

    __slots__ = ("_edits", "_is_renamed", "_objects", "_source", "functions", "ir")

    def __init__(self, text: str) -> None:
        self._source = SourceText(text)
        self._edits = Edits()
        self._objects: IRObjects | None = None
        self._is_renamed = False
        self.functions: list[MachineFunction] = []
        roots = list(documents(self._source, self._edits))
        self.ir: IRPart | None = None
        first = roots[0] if roots else None
        for root in roots[isinstance(first, YamlScalar) :]:
            self.functions.append(self._function(root))
        if isinstance(first, YamlScalar):
            self.ir = self._ir(first)

    def function(self, name: str) -> MachineFunction:
        """Return the function of a name.

        Raises:
            MIRError: it does not exist.
        """
        for function in self.functions:
            if function.name == name:
                return function
        raise MIRError(f"no machine function is called {name!r}")

    @property
    def module(self) -> Module:
        """The IR part as a module, parsed when it is requested first.

        To change it changes the IR part of the file: `dumps` and `save` write the additions, and references to objects
        that have other names now; everything else keeps its text.

        Raises:
            MIRError: the file has no IR part.
            AssemblyError: the IR part is malformed; line and column count from its first line.
        """
        return self.objects.module

    @property
    def objects(self) -> IRObjects:
        """Objects of the IR part to which machine functions, blocks and operands refer.

        Raises:
            MIRError: the file has no IR part.
            AssemblyError: the IR part is malformed.
        """
        if self._objects is None:
            from bitcodec.mir.ir_objects import IRObjects  # noqa: PLC0415 - brings the parser, which few need

            self._objects = IRObjects(self._ir_part().text)
        return self._objects

    def node(self, reference: NodeReference | int) -> MDNode:
        """Return a node of the IR part.

        Raises:
            MIRError: the node does not exist.
            AssemblyError: the IR part is malformed.
        """
        number = reference.number if isinstance(reference, NodeReference) else reference
        found = self.objects.nodes.get(number)
        if found is None:
            raise MIRError(f"the IR part defines no node !{number}")
        return found

    def reference_to(self, node: MDNode) -> NodeReference:
        """Return how machine instructions refer to a node, which becomes a node of the IR part if it was none.

        >>> from bitcodec import mir
        >>> module = mir.open("examples/atomics.mir")
        >>> hot = module.module.context.metadata
        >>> print(module.reference_to(hot.tuple([hot.string("hot")])))
        !3

        Raises:
            MIRError: the file has no IR part.
            AssemblyError: the IR part is malformed.
        """
        nodes = self.objects.nodes
        number = next((number for number, known in nodes.items() if known is node), None)
        if number is None:
            number = self._ir_part().take_number()
            nodes[number] = node
        return NodeReference(number)

    def update_references(self) -> None:
        """Let machine functions refer to objects of the IR part by the names that these have now.

        `dumps` does so first.  Before new operands are made, it is needed if objects have other names or numbers.

        Raises:
            MIRError: a body is malformed.
        """
        self._follow_names(self._changed_text())

    def _follow_names(self, text: str | None) -> None:
        # The text numbers unnamed values, so without a change its numbers stay.
        renaming = None if text is None and not self._is_renamed else self.objects.rename()
        if renaming is None:
            return
        self._is_renamed = True
        from bitcodec.mir.renaming import rename  # noqa: PLC0415 - few need it

        for function in self.functions:
            rename(function, renaming)
        self._ir_part().rename_functions(renaming.globals)

    @property
    def nodes(self) -> Mapping[int, str]:
        """The definitions of the metadata nodes of the IR part by number, such as `!{!"hot", !1}`."""
        return {} if self.ir is None else self.ir.nodes

    @property
    def context(self) -> Context:
        """The context for constants of PC sections.

        Raises:
            MIRError: the file has no IR part.
        """
        return self._ir_part().context

    def pcsections(self, node: MachineOperand | int) -> PCSections:
        """Return the requests of a node of the IR part.

        Raises:
            MIRError: the node does not exist.
            PCSectionsError: it is malformed, or has constants other than integers and null pointers.
        """
        number = node.number if isinstance(node, NodeReference) else node
        if not isinstance(number, int):
            raise MIRError(f"the IR part defines no node {node}")
        new = self._new_node(number)
        return self._ir_part().pcsections(number) if new is None else PCSections.of_node(new)

    def _new_node(self, number: int) -> MDTuple | None:
        """Return a node that the module of the IR part has, and its text has not."""
        if self._objects is None or number in self.nodes:
            return None
        found = self._objects.nodes.get(number)
        return found if isinstance(found, MDTuple) else None

    def add_pcsections(self, asked: PCSections) -> NodeReference:
        """Return the node that requests sections; it is added if the IR part lacks it.

        Raises:
            MIRError: the file has no IR part.
            PCSectionsError: it would be malformed.
        """
        return NodeReference(self._ir_part().add(asked))

    def check_node(self, node: NodeReference) -> None:
        """See that a node is there, and that LLVM knows its number when it prints instructions that carry it.

        Raises:
            MIRError: the IR part does not define it.
        """
        if self._new_node(node.number) is None:
            self._ir_part().keep(node.number)
        else:
            self._ir_part().keep_new(node.number)

    def __repr__(self) -> str:
        return f"<MachineModule of {len(self.functions)} functions>"

    def dumps(self, *, reprint: bool = False) -> str:
        """Return the text of the file.

        Args:
            reprint: whether bodies are rewritten as LLVM writes them, unchanged parts too.

        Raises:
            MIRError: a body is malformed; unread bodies are checked only with `reprint`, or if objects of the IR
                part have other names now.
            BitcodecError: the module of the IR part cannot be printed.
        """
        text = self._changed_text()
        self._follow_names(text)
        edits = self._edits.copy()
        if self.ir is not None:
            self.ir.write(edits, text)
        for function in self.functions:
            function.write_body(edits, keeps=not reprint)
        return edits.applied_to(self._source.text)

    def _changed_text(self) -> str | None:
        """Return the text of the IR part, None if its module is unchanged."""
        if self._objects is None:
            return None
        from bitcodec.mir.ir_text import changed_text  # noqa: PLC0415 - brings the printer, which few need

        return changed_text(self._objects.text, self._objects.part, self._ir_part().next_number)

    def _ir_part(self) -> IRPart:
        if self.ir is None:
            raise MIRError("the file has no LLVM IR, where metadata nodes are defined; llc -stop-after writes it")
        return self.ir

    def _function(self, root: YamlNode) -> MachineFunction:
        if not isinstance(root, YamlMapping) or "name" not in root:
            raise self._source.error("a machine function expected: a document with a 'name'", root.start)
        return MachineFunction(self, self._source, root)

    def _ir(self, root: YamlScalar) -> IRPart:
        if root.style != "|":
            raise self._source.error("LLVM IR expected: '--- |' and lines that are indented", root.start)
        start = self._source.next_line(root.start)
        return IRPart(self._source, start, max(start, root.end), self._own_nodes())

    def _own_nodes(self) -> set[int]:
        """Return the numbers of nodes that functions define for themselves."""
        found = set()
        for function in self.functions:
            node = function.attributes.get("machineMetadataNodes")
            for text in [] if node is None else node.value:
                if isinstance(text, str) and (match := _OWN_NODE.match(text)):
                    found.add(int(match[1]))
        return found


def loads(data: str | bytes | bytearray | memoryview) -> MachineModule:
    """Read machine IR.

    Raises:
        MIRError: it is none, or no UTF-8.
    """
    return MachineModule(decoded(data))


def open(path: str | os.PathLike[str]) -> MachineModule:  # noqa: A001 - `mir.open`, like `bitcodec.open`
    """Read a file of machine IR.

    Raises:
        OSError: it cannot be read.
        MIRError: it is none.
    """
    return loads(read_file(path))


def dumps(module: MachineModule, *, reprint: bool = False) -> str:
    """Return the text of a file; see `MachineModule.dumps`."""
    return module.dumps(reprint=reprint)


def save(module: MachineModule, path: str | os.PathLike[str]) -> None:
    """Write a file, which is never half written.

    Raises:
        OSError: it cannot be written; it is then unchanged.
        MIRError: as `MachineModule.dumps` does.
    """
    write_whole(path, module.dumps().encode("utf-8"))

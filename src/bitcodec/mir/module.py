"""Files of machine IR: LLVM IR, and a document for each machine function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.files import read_file, write_whole
from bitcodec.mir.function import MachineFunction
from bitcodec.mir.ir_part import IRPart
from bitcodec.mir.operands import NodeReference
from bitcodec.mir.source import Edits, Source, decoded
from bitcodec.mir.yaml_nodes import YamlMapping, YamlScalar
from bitcodec.mir.yaml_reader import documents

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSections
    from bitcodec.mir.ir_objects import IRObjects
    from bitcodec.mir.operand import MachineOperand
    from bitcodec.mir.yaml_nodes import YamlNode

__all__ = ["MachineModule", "dumps", "loads", "open", "save"]

_OWN_NODE = re.compile(r"!([0-9]{1,9}) =")


class MachineModule:
    """A file of machine IR.

    What is not changed keeps its characters, comments and blanks among them; bodies are read when they are requested.

    Args:
        text: the file.

    Attributes:
        ir: its LLVM IR, if it has any.
        functions: its machine functions, in order.

    Raises:
        MIRError: it is no YAML, or not such as LLVM writes for machine IR.
    """

    __slots__ = ("_edits", "_objects", "_source", "functions", "ir")

    def __init__(self, text: str) -> None:
        self._source = Source(text)
        self._edits = Edits()
        self._objects: IRObjects | None = None
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
            MIRError: there is none.
        """
        for function in self.functions:
            if function.name == name:
                return function
        raise MIRError(f"no machine function is called {name!r}")

    @property
    def module(self) -> Module:
        """The IR part as a module, parsed when it is requested first.

        It shows what the file had then.  To change it does not change the file.

        Raises:
            MIRError: the file has no IR part.
            AssemblyError: the IR part is malformed; line and column count from its first line.
        """
        return self.objects.module

    @property
    def objects(self) -> IRObjects:
        """What machine functions, blocks and operands refer to in the IR part.

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
            MIRError: there is no such node.
            AssemblyError: the IR part is malformed.
        """
        number = reference.number if isinstance(reference, NodeReference) else reference
        found = self.objects.nodes.get(number)
        if found is None:
            raise MIRError(f"the IR part defines no node !{number}")
        return found

    @property
    def nodes(self) -> Mapping[int, str]:
        """The definitions of the metadata nodes of the IR part by number, such as `!{!"hot", !1}`."""
        return {} if self.ir is None else self.ir.nodes

    @property
    def context(self) -> Context:
        """Where constants of PC sections are made.

        Raises:
            MIRError: the file has no IR part.
        """
        return self._ir_part().context

    def pcsections(self, node: MachineOperand | int) -> PCSections:
        """Return what a node of the IR part requests.

        Raises:
            MIRError: there is no such node.
            PCSectionsError: it is malformed, or has constants other than integers and null pointers.
        """
        number = node.number if isinstance(node, NodeReference) else node
        if not isinstance(number, int):
            raise MIRError(f"the IR part defines no node {node}")
        return self._ir_part().pcsections(number)

    def add_pcsections(self, asked: PCSections) -> NodeReference:
        """Return the node that requests sections; if the IR part has none, it is added.

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
        self._ir_part().keep(node.number)

    def __repr__(self) -> str:
        return f"<MachineModule of {len(self.functions)} functions>"

    def dumps(self, *, reprint: bool = False) -> str:
        """Return the text of the file.

        Args:
            reprint: whether bodies are rewritten as LLVM writes them, also what was not changed.

        Raises:
            MIRError: a body is malformed; of those that nobody has read only with `reprint`.
        """
        edits = self._edits.copy()
        if self.ir is not None:
            self.ir.write(edits)
        for function in self.functions:
            function.write_body(edits, keeps=not reprint)
        return edits.applied_to(self._source.text)

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
        OSError: it cannot be written; it is then as it was.
        MIRError: as `MachineModule.dumps` does.
    """
    write_whole(path, module.dumps().encode("utf-8"))

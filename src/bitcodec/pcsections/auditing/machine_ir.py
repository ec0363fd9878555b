"""The nodes of machine IR: of its instructions, and in its IR part of its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError
from bitcodec.ir.pcsection_rules import broken_name
from bitcodec.mir import NodeReference
from bitcodec.mir.node_text import parse_tuple
from bitcodec.pcsections.auditing.carriers import FUNCTION, Carriers, Group, Wanted
from bitcodec.pcsections.auditing.requests import MALFORMED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.mir import MachineModule, MachineOperand

__all__ = ["carriers_of_machine_ir"]


def carriers_of_machine_ir(module: MachineModule) -> Carriers:
    """Return the carriers of nodes in machine IR.

    Raises:
        MIRError: it is malformed.
        PCSectionsError: a node cannot be read.
    """
    nodes = _Nodes(module.nodes)
    carriers = Carriers(function.name for function in module.functions)
    for function in module.functions:
        numbers = [] if module.ir is None else module.ir.function_nodes(function.name)
        if numbers:
            groups = nodes.groups(NodeReference(numbers[0]))
            carriers.add(function.name, Wanted(of_function=True, groups=groups), FUNCTION)
        for instruction in function.instructions:
            node = instruction.pcsections_node
            if node is not None:
                wanted = Wanted(of_function=False, groups=nodes.groups(node))
                carriers.add(function.name, wanted, instruction.opcode)
    return carriers


class _Nodes:
    """Reads nodes from their text, constants as they are spelled."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._known: dict[int, tuple[Group, ...]] = {}

    def groups(self, node: MachineOperand) -> tuple[Group, ...]:
        """Return the requests of a node.

        Raises:
            PCSectionsError: it is not in the IR part, or has constants whose text is not read here.
        """
        if not isinstance(node, NodeReference) or node.number not in self._texts:
            raise PCSectionsError(
                f"the IR part defines no node {node}: nothing specifies what its instructions request"
            )
        if node.number not in self._known:
            self._known[node.number] = self._read(node.number)
        return self._known[node.number]

    def _read(self, number: int) -> tuple[Group, ...]:
        groups: list[Group] = []
        for kind, text in parse_tuple(self._texts[number]).elements:
            if kind == "string" and broken_name(text) is None:
                groups.append(Group(text))
            elif kind == "node" and groups:
                last = groups[-1]
                groups[-1] = last._replace(constants=(*last.constants, *self._constants(int(text[1:]))))
            else:
                return (Group(MALFORMED, (self._texts[number],)),)
        return tuple(groups)

    def _constants(self, number: int) -> tuple[str, ...]:
        return tuple(text for _, text in parse_tuple(self._texts.get(number, "")).elements)

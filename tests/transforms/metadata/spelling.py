"""Nodes as text that is the same wherever they are: what they hold, written out."""

from __future__ import annotations

from bitcodec.ir.constants import ConstantFP, ConstantInt
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.ir.module import Module

__all__ = ["LAST_GROUP", "Spelling"]

LAST_GROUP = 6
"""Source atoms of higher numbers are new ones."""


class Spelling:
    """Spells nodes by what they hold; those that are distinct by their place in a list of the module.

    Args:
        module: the module, which may be one that a pass has changed.
    """

    def __init__(self, module: Module) -> None:
        named = module.named_metadata.get("names")
        self._names: dict[object, str] = (
            {} if named is None else {node: f"<{i}>" for i, node in enumerate(named.operands)}
        )

    def attached(self, instruction: Instruction) -> dict[str, str]:
        """Return the nodes of an instruction by kind."""
        return {kind: self.node(node) for kind, node in sorted(instruction.metadata.items())}

    def node(self, node: object) -> str:
        if node in self._names:
            return self._names[node]
        match node:
            case MDString(text):
                return repr(text)
            case ConstantAsMetadata(ConstantInt() as number):
                return f"i{number.type.bit_width} {number.value}"
            case ConstantAsMetadata(ConstantFP() as number):
                return f"{number.value}"
            case ConstantAsMetadata(value):
                return f"@{value.name}"
            case MDTuple():
                return f"{'distinct ' * node.is_distinct}!{{{', '.join(map(self.node, node))}}}"
            case DILocation():
                atom = f"{node.atom_group}.{node.atom_rank}" if node.atom_group <= LAST_GROUP else "new"
                place = f"{node.line}:{node.column} {self.node(node.scope)} {atom}{' implicit' * node.is_implicit_code}"
                return f"{place} in [{self.node(node.inlined_at)}]" if node.inlined_at is not None else place
            case None:
                return "null"
        fields = {name: value for name, value in zip(node.defaults, node.key(), strict=True) if value}
        return f"{type(node).__name__}({', '.join(f'{name}={self._field(value)}' for name, value in fields.items())})"

    def _field(self, value: object) -> str:
        return repr(value) if isinstance(value, (str, int)) else self.node(value)

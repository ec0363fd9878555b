"""Domains of alias scopes with a flag for disjoint scopes, which LLVM 24 introduced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions.calls import Call
from bitcodec.ir.metadata import MDString, MDTuple
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from bitcodec.ir.context import Context
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata

__all__ = ["DECLARING", "KINDS", "flags_of_domains", "has_flags", "is_domain", "scopes_of"]

_SHORTEST, _LONGEST = 2, 3
KINDS = frozenset({"alias.scope", "noalias"})
"""Kinds of attachments that are lists of scopes."""
DECLARING = "llvm.experimental.noalias.scope.decl"
"""The intrinsic function whose argument is a list of scopes."""


def flags_of_domains(context: Context) -> Mapping[Metadata, int]:
    """Return the metadata that the second operand of a domain may be, with the number that it wraps."""
    integer = context.types.integer(1)
    return {context.metadata.value(context.constants.integer(integer, number)): number for number in (0, 1)}


def has_flags(context: Context) -> bool:
    """Return whether metadata of a context may have such an operand."""
    integer = context.types.integer(1)
    return any(context.constants.integer(integer, number)._as_metadata is not None for number in (0, 1))


def is_domain(node: object, flags: Container[object]) -> bool:
    """Return whether a node has the form of a domain of LLVM 24: `!{self or name, i1, optional name}`."""
    if not isinstance(node, MDTuple):
        return False
    operands = node.operands
    if not _SHORTEST <= len(operands) <= _LONGEST or operands[1] not in flags:
        return False
    is_known = operands[0] is node or isinstance(operands[0], MDString)
    return is_known and all(isinstance(name, MDString) for name in operands[_SHORTEST:])


def scopes_of(instruction: Instruction) -> Iterator[MDTuple]:
    """Yield the scopes of the lists that are attached to an instruction, or that it declares."""
    lists: list[object] = []
    if instruction.has_attachments:
        attached = instruction.metadata
        lists = [attached.get(kind) for kind in KINDS]
    callee = instruction.called_function if isinstance(instruction, Call) else None
    if callee is not None and callee.name == DECLARING:
        lists += [each.metadata for each in instruction.operands if isinstance(each, MetadataAsValue)]
    for each in lists:
        if isinstance(each, MDTuple):
            yield from (scope for scope in each.operands if isinstance(scope, MDTuple))

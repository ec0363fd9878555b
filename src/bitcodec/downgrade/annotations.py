"""`!annotation` attachments with details, which the verifiers of LLVM 12 to 16 refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.metadata import MDString, MDTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = ["has_details", "lower_annotations", "refuses_details"]

_DETAILS = Construct("details of !annotation", 17, Way.DROP, "strings of the annotation")
_FIRST_VERIFIED = 12
"""The first version whose verifier checks annotations."""


def refuses_details(version: int) -> bool:
    """Return whether a version refuses annotations that are more than a string."""
    return _FIRST_VERIFIED <= version < _DETAILS.since


def has_details(node: MDTuple) -> bool:
    """Return whether a node may be an annotation with details: `!{!{!"alloca_name_altered", !"x"}}`."""
    operands = node.operands
    return any(isinstance(part, MDTuple) for part in operands) and all(
        isinstance(part, MDString) or (isinstance(part, MDTuple) and _are_strings(part)) for part in operands
    )


def lower_annotations(
    module: Module, nodes: Container[MDNode], contents: dict[MDNode, tuple[Any, ...]], losses: Losses
) -> None:
    """Let nodes that are attached as annotations contain the strings of their details.

    Args:
        module: the module.
        nodes: the nodes with details.
        contents: receives the content that is written for a node.
        losses: receives the losses.
    """
    for function in module.functions:
        for instruction in function.instructions:
            node = instruction.metadata.get("annotation") if instruction.has_attachments else None
            if isinstance(node, MDTuple) and node in nodes:
                losses.add(_DETAILS, function.name, node)
                contents[node] = tuple(_strings(node))


def _are_strings(node: MDTuple) -> bool:
    return bool(node.operands) and all(isinstance(part, MDString) for part in node.operands)


def _strings(node: MDTuple) -> Iterator[Any]:
    for part in node.operands:
        if isinstance(part, MDTuple):
            yield from part.operands
        else:
            yield part

"""Domains of alias scopes in the form of LLVM 24: `i1` as the second operand, which older verifiers refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.alias_scopes import flags_of_domains, scopes_of
from bitcodec.ir.metadata import MDTuple

if TYPE_CHECKING:
    from collections.abc import Container

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = ["JOINT_DOMAIN", "lower_domains"]

JOINT_DOMAIN = Construct("`i1 false` in a domain of alias scopes", 24, Way.LOWER, "a domain without it")
_DISJOINT_DOMAIN = Construct("`i1 true` in a domain of alias scopes", 24, Way.DROP)


def lower_domains(
    module: Module, nodes: Container[MDTuple], contents: dict[MDNode, tuple[Any, ...]], losses: Losses
) -> None:
    """Write the nodes that are domains of attached scopes without their second operand.

    Options of loops have the same form as domains with a name.

    Args:
        module: the module.
        nodes: the nodes that have the form of domains.
        contents: receives the content that is written for a node.
        losses: receives the losses.
    """
    flags = flags_of_domains(module.context)
    for function in module.functions:
        for instruction in function.instructions:
            for scope in scopes_of(instruction):
                domain = scope.operands[1] if len(scope.operands) > 1 else None
                if isinstance(domain, MDTuple) and domain in nodes and domain not in contents:
                    first, flag, *names = domain.operands
                    is_disjoint = flags[flag] if flag is not None else 0
                    row = _DISJOINT_DOMAIN if is_disjoint else JOINT_DOMAIN
                    losses.add(row, function.name, domain)
                    contents[domain] = (first, *names)

"""Replaces constants by others, all at once: each constant that is made of them is rebuilt once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import Constant, ConstantWithOperands
from bitcodec.ir.construction import replace_wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["replace_constants"]


def replace_constants(replacements: dict[Constant, Constant]) -> None:
    """Let everything that uses some constants use others of the same types; constants made of them are rebuilt once.

    Args:
        replacements: the other constant of each; those that were rebuilt are added.
    """
    roots = tuple(replacements)
    rebuilt = _users_behind_operands(roots)
    users = dict.fromkeys(
        user for constant in (*roots, *rebuilt) for user in constant._uses if not isinstance(user, ConstantWithOperands)
    )
    for made in rebuilt:
        operands = [replacements.get(operand, operand) for operand in made._operands]  # type: ignore[call-overload]
        made._let_go()
        replacements[made] = made.rebuilt(operands, made.table)
    for user in users:
        old = user._operands
        user._operands = tuple([replacements.get(operand, operand) for operand in old])  # type: ignore[call-overload]
        for before, after in zip(old, user._operands, strict=True):
            if after is not before:
                after._uses.append(user)
    for constant, other in replacements.items():
        constant._uses = []
        replace_wrapped(constant, other)


def _users_behind_operands(roots: Iterable[Constant]) -> list[ConstantWithOperands]:
    """Return the constants that are made of some, however deep, each behind those that it is made of."""
    found: dict[Constant, None] = {}
    entered: set[Constant] = set()
    for root in roots:
        pending: list[tuple[Constant, bool]] = [(root, False)]
        while pending:
            constant, is_left = pending.pop()
            if is_left:
                found[constant] = None
            elif constant not in entered:
                entered.add(constant)
                pending.append((constant, True))
                pending += [(user, False) for user in constant._uses if isinstance(user, ConstantWithOperands)]
    return [constant for constant in reversed(found) if isinstance(constant, ConstantWithOperands)]

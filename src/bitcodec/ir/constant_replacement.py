"""Replaces constants by others, all at once: each constant that uses them is rebuilt once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constants import Constant, ConstantData, ConstantWithOperands
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.construction.replacing import replace_wrapped
from bitcodec.ir.construction.setting import set_uses
from bitcodec.ir.uses import numbered_uses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.uses import Places
    from bitcodec.ir.values import User

__all__ = ["replace_constants"]


def replace_constants(replacements: dict[Constant, Constant], *, keeps_order: bool = False) -> int:
    """Replace some constants by others of the same types in all users; constants that use them are rebuilt once.

    Args:
        replacements: the new constant for each old one; rebuilt constants are added.
        keeps_order: whether uses by constants that are rebuilt keep their places among the uses of other constants.

    Returns:
        How many operands and uses have been looked at.
    """
    roots = tuple(replacements)
    rebuilt = _users_behind_operands(roots)
    orders = _orders_around(rebuilt, roots) if keeps_order else {}
    users = dict.fromkeys(
        user for constant in (*roots, *rebuilt) for user in constant._uses if not isinstance(user, ConstantWithOperands)
    )
    for made in rebuilt:
        operands = [replacements.get(operand, operand) for operand in made._operands]  # type: ignore[call-overload]
        made._let_go()
        other = replacements[made] = made.rebuilt(operands, made.table)
        if made in orders:
            # Of a constant among those around, uses may have moved since its order was taken.
            orders[made] += orders.get(other) or numbered_uses(other)
    for user in users:
        old = user._operands
        user._operands = tuple([replacements.get(operand, operand) for operand in old])  # type: ignore[call-overload]
        for before, after in zip(old, user._operands, strict=True):
            if after is not before:
                after._uses.append(user)
    for constant, other in replacements.items():
        constant._uses = []
        replace_wrapped(constant, other)
    # Several constants may become one, and so may several users of one.
    found: dict[Constant, dict[tuple[User, int], None]] = {}
    for constant, uses in orders.items():
        order = [(replacements.get(user, user), number) for user, number in uses]  # type: ignore[call-overload]
        found.setdefault(replacements.get(constant, constant), {}).update(dict.fromkeys(order))
    for value, merged in found.items():
        if len(merged) == len(present_uses(value)):
            set_uses(value, merged)
    return sum([len(made._operands) for made in rebuilt]) + sum(map(len, orders.values()))


def _orders_around(
    rebuilt: list[ConstantWithOperands], roots: tuple[Constant, ...]
) -> dict[Constant, list[tuple[User, int]]]:
    """Return the uses of constants that are rebuilt, and of their operands, but not of those that are replaced."""
    operands = [cast("Constant", operand) for made in rebuilt for operand in made._operands]
    around = dict.fromkeys(constant for constant in (*rebuilt, *operands) if not isinstance(constant, ConstantData))
    for root in roots:
        around.pop(root, None)
    places: Places = {}
    orders = {constant: [*numbered_uses(constant, places)] for constant in around}
    return {constant: uses for constant, uses in orders.items() if uses}


def _users_behind_operands(roots: Iterable[Constant]) -> list[ConstantWithOperands]:
    """Return the direct and indirect constant users of some constants, each after its operands."""
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

"""Variables with cyclic initializers: PTX defines each variable before its address is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import Constant
from bitcodec.ir.globals import GlobalAlias, GlobalValue, GlobalVariable

if TYPE_CHECKING:
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["in_circle"]


def in_circle(module: Module) -> GlobalVariable | None:
    """Return the first variable that is found to refer to itself, directly or through others; None without one."""
    done: set[GlobalVariable] = set()
    for first in module.global_variables:
        path: dict[GlobalVariable, list[GlobalVariable]] = {}
        pending = [] if first in done else [first]
        while pending:
            variable = pending.pop()
            if variable not in path:
                path[variable] = _referred_to(variable)
            if path[variable]:
                following = path[variable].pop()
                if following in path:
                    return following
                pending += [variable] if following in done else [variable, following]
            else:
                del path[variable]
                done.add(variable)
    return None


def _referred_to(variable: GlobalVariable) -> list[GlobalVariable]:
    """Return the variables whose addresses are in an initializer."""
    found: dict[GlobalVariable, None] = {}
    pending: list[Value] = [] if variable.initializer is None else [variable.initializer]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, GlobalVariable):
            found[value] = None
        elif isinstance(value, GlobalAlias):
            pending.append(value.aliasee)
        elif isinstance(value, Constant) and not isinstance(value, GlobalValue):
            pending += [each for each in value.operands if each is not None]
    return list(found)

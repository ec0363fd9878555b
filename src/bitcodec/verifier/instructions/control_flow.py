"""Rules of `phi`, and of the terminators that neither call nor unwind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import Branch, IndirectBranch, Phi, Return, Switch, Unreachable
from bitcodec.ir.type_properties import is_integer, is_pointer
from bitcodec.ir.types import LabelType, VoidType
from bitcodec.verifier.rules import first_broken, without_values
from bitcodec.verifier.shapes import Shape
from bitcodec.verifier.target_types import is_token_like

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["IS_LAST", "PROBLEMS", "SHAPES"]

IS_LAST: Rule = (
    "Terminator found in the middle of a basic block!",
    lambda found, _: found is found.parent.terminator,
    lambda found, _: (found.parent,),
)
"""The rule of all terminators."""


def _with_block(phi: Phi, _: object) -> tuple[object, ...]:
    return phi, phi.parent


def _with_return_type(found: Return, body: Body) -> tuple[object, ...]:
    return found, body.function.return_type


def _with_duplicate(switch: Switch, _: object) -> tuple[object, ...]:
    """Return the first value that another case has."""
    seen: set[Value] = set()
    for value in switch.case_values:
        if value in seen:
            return switch, value
        seen.add(value)
    return (switch,)


def _is_among_phis(_phi: Phi, body: Body) -> bool:
    return isinstance(body.previous, (Phi, type(None)))


def _returns_nothing(found: Return, body: Body) -> bool:
    return not isinstance(body.function.return_type, VoidType) or found.value is None


def _returns_its_type(found: Return, body: Body) -> bool:
    returned = body.function.return_type
    return isinstance(returned, VoidType) or (found.value is not None and found.value.type is returned)


_IS_GROUPED: Rules = (("PHI nodes not grouped at top of basic block!", _is_among_phis, _with_block),)
_PHI: Rules = (
    *_IS_GROUPED,
    ("PHI nodes cannot have token type!", lambda phi, _: not is_token_like(phi.type), without_values),
    (
        "PHI node operands are not the same type as the result!",
        lambda phi, _: all(value.type is phi.type for value in phi.operands),
    ),
)
_RETURN: Rules = (
    ("Found return instr that returns non-void in Function of void return type!", _returns_nothing, _with_return_type),
    ("Function return type does not match operand type of return inst!", _returns_its_type, _with_return_type),
    IS_LAST,
)
_BRANCH: Rules = (
    (
        "Branch condition is not 'i1' type!",
        lambda branch, _: branch.condition is None or is_integer(branch.condition.type, 1),
        lambda branch, _: (branch, branch.condition),
    ),
    IS_LAST,
)
_SWITCH: Rules = (
    (
        "Case value is not a constant integer.",
        lambda switch, _: all(isinstance(value, ConstantInt) for value in switch.case_values),
    ),
    (
        "Switch constants must all be same type as switch value!",
        lambda switch, _: all(value.type is switch.condition.type for value in switch.case_values),
    ),
    (
        "Duplicate integer as switch case",
        lambda switch, _: len(set(switch.case_values)) == len(switch.case_values),
        _with_duplicate,
    ),
    IS_LAST,
)
_INDIRECT_BRANCH: Rules = (
    ("Indirectbr operand must have pointer type!", lambda branch, _: is_pointer(branch.address.type)),
    (
        "Indirectbr destinations must all have pointer type!",
        lambda branch, _: all(isinstance(block.type, LabelType) for block in branch.successors),
    ),
    IS_LAST,
)

PROBLEMS: dict[type, tuple[Callable[[Any, Body], str | None], ...]] = {
    Phi: (partial(first_broken, _PHI),),
    Return: (partial(first_broken, _RETURN),),
    Branch: (partial(first_broken, _BRANCH),),
    Switch: (partial(first_broken, _SWITCH),),
    IndirectBranch: (partial(first_broken, _INDIRECT_BRANCH),),
    Unreachable: (partial(first_broken, (IS_LAST,)),),
}
SHAPES: dict[type, Shape] = {
    Phi: Shape(remaining_rules=lambda _phi, _body: ((partial(first_broken, _IS_GROUPED),), False)),
    Branch: Shape(),
    Unreachable: Shape(),
}

"""Rules of unwinding: landing pads and funclets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantAggregateZero, ConstantArray, ConstantTokenNone
from bitcodec.ir.instructions import (
    Call,
    CatchPad,
    CatchReturn,
    CatchSwitch,
    CleanupPad,
    CleanupReturn,
    Invoke,
    LandingPad,
    Resume,
)
from bitcodec.verifier.bodies import is_eh_pad
from bitcodec.verifier.funclets import is_unwound_alike, pad_predecessors_problem, unwinds_as_switch
from bitcodec.verifier.instructions.control_flow import IS_LAST
from bitcodec.verifier.kinds import is_pointer
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["PROBLEMS"]


def _begins_block(found: Any, body: Body) -> bool:
    return body.first_behind_phis(found.parent) is found


def _beginning(name: str) -> tuple[Rule, Rule]:
    """Return the rules of what handles an exception: its function has a personality, its block begins with it."""
    return (
        (
            f"{name} needs to be in a function with a personality.",
            lambda _, body: body.function.personality is not None,
        ),
        (f"{name} not the first non-PHI instruction in the block.", _begins_block),
    )


def _is_funclet_destination(block: BasicBlock | None, body: Body) -> bool:
    first = None if block is None else body.first_behind_phis(block)
    return block is None or (is_eh_pad(first) and not isinstance(first, LandingPad))


def _is_outer_pad(found: Any, _: object) -> bool:
    return isinstance(found.parent_pad, (ConstantTokenNone, CatchPad, CleanupPad))


_NEEDS_LANDING_PERSONALITY, _LANDS_FIRST = _beginning("LandingPadInst")

_LANDING_PAD: Rules = (
    (
        "LandingPadInst needs at least one clause or to be a cleanup.",
        lambda pad, _: pad.clauses or pad.is_cleanup,
    ),
    (
        "The landingpad instruction should have a consistent result type inside a function.",
        lambda pad, body: body.agrees_on_landing(pad.type),
    ),
    _NEEDS_LANDING_PERSONALITY,
    _LANDS_FIRST,
    (
        "Catch operand does not have pointer type!",
        lambda pad, _: all(clause.is_filter or is_pointer(clause.value.type) for clause in pad.clauses),
    ),
    (
        "Filter operand is not an array of constants!",
        lambda pad, _: all(
            not clause.is_filter or isinstance(clause.value, (ConstantArray, ConstantAggregateZero))
            for clause in pad.clauses
        ),
    ),
)
_RESUME: Rules = (
    (
        "ResumeInst needs to be in a function with a personality.",
        lambda _, body: body.function.personality is not None,
    ),
    (
        "The resume instruction should have a consistent result type inside a function.",
        lambda resume, body: body.agrees_on_landing(resume.value.type),
    ),
    IS_LAST,
)
_CATCH_PAD_PERSONALITY, _CATCH_PAD_FIRST = _beginning("CatchPadInst")
_CATCH_PAD: Rules = (
    _CATCH_PAD_PERSONALITY,
    (
        "CatchPadInst needs to be directly nested in a CatchSwitchInst.",
        lambda pad, _: isinstance(pad.parent_pad, CatchSwitch),
    ),
    _CATCH_PAD_FIRST,
)
_CLEANUP_PAD: Rules = (
    *_beginning("CleanupPadInst"),
    ("CleanupPadInst has an invalid parent.", _is_outer_pad),
)
_PAD_USERS = (CleanupReturn, CatchSwitch, Invoke, Call, CleanupPad, CatchReturn)
_UNWINDING: Rules = (
    ("Bogus funclet pad use", lambda pad, _: all(isinstance(user, _PAD_USERS) for user in pad.users)),
    ("Unwind edges out of a funclet pad must have the same unwind dest", is_unwound_alike),
    ("Unwind edges out of a catch must have the same unwind dest as the parent catchswitch", unwinds_as_switch),
)
_CATCH_SWITCH: Rules = (
    *_beginning("CatchSwitchInst"),
    ("CatchSwitchInst has an invalid parent.", _is_outer_pad),
    (
        "CatchSwitchInst must unwind to an EH block which is not a landingpad.",
        lambda switch, body: _is_funclet_destination(switch.unwind_destination, body),
    ),
    ("CatchSwitchInst cannot have empty handler list", lambda switch, _: switch.handlers),
    (
        "CatchSwitchInst handlers must be catchpads",
        lambda switch, body: all(isinstance(body.first_behind_phis(block), CatchPad) for block in switch.handlers),
    ),
    IS_LAST,
)
_CATCH_RETURN: Rules = (
    ("CatchReturnInst needs to be provided a CatchPad", lambda found, _: isinstance(found.pad, CatchPad)),
    IS_LAST,
)
_CLEANUP_RETURN: Rules = (
    ("CleanupReturnInst needs to be provided a CleanupPad", lambda found, _: isinstance(found.pad, CleanupPad)),
    (
        "CleanupReturnInst must unwind to an EH block which is not a landingpad.",
        lambda found, body: _is_funclet_destination(found.unwind_destination, body),
    ),
    IS_LAST,
)


def _in_turn(*finders: Callable[[Any, Body], str | None]) -> tuple[Callable[[Any, Body], str | None]]:
    """Return what asks one after another, until something is wrong."""

    def problem(found: Any, body: Body) -> str | None:
        return next(filter(None, (find(found, body) for find in finders)), None)

    return (problem,)


PROBLEMS: dict[type, tuple[Callable[[Any, Body], str | None], ...]] = {
    LandingPad: _in_turn(pad_predecessors_problem, partial(first_broken, _LANDING_PAD)),
    Resume: (partial(first_broken, _RESUME),),
    CatchPad: _in_turn(partial(first_broken, _CATCH_PAD), pad_predecessors_problem, partial(first_broken, _UNWINDING)),
    CatchReturn: (partial(first_broken, _CATCH_RETURN),),
    CleanupPad: _in_turn(
        partial(first_broken, _CLEANUP_PAD), pad_predecessors_problem, partial(first_broken, _UNWINDING)
    ),
    CleanupReturn: (partial(first_broken, _CLEANUP_RETURN),),
    CatchSwitch: _in_turn(partial(first_broken, _CATCH_SWITCH), pad_predecessors_problem),
}

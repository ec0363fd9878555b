"""Rules of unwinding: landing pads and funclets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantAggregateZero, ConstantArray, ConstantTokenNone
from bitcodec.ir.instructions import (
    CatchPad,
    CatchReturn,
    CatchSwitch,
    CleanupPad,
    CleanupReturn,
    LandingPad,
    Resume,
)
from bitcodec.ir.type_properties import is_pointer
from bitcodec.verifier.bodies import is_eh_pad
from bitcodec.verifier.funclets import pad_problems
from bitcodec.verifier.instructions.control_flow import IS_LAST
from bitcodec.verifier.nested_pads import funclet_problem, note_sibling
from bitcodec.verifier.rules import first_broken
from bitcodec.verifier.shapes import problems_in_turn

if TYPE_CHECKING:
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules
    from bitcodec.verifier.shapes import Finder

__all__ = ["PROBLEMS"]


def _begins_block(found: Any, body: Body) -> bool:
    return body.first_behind_phis(found.parent) is found


def _beginning(name: str) -> tuple[Rule, Rule]:
    """Return the rules of pads: the function has a personality, the pad begins its block."""
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


def _wrong_handler(switch: CatchSwitch, body: Body) -> BasicBlock | None:
    """Return the first handler that does not begin with a `catchpad`."""
    return next((block for block in switch.handlers if not isinstance(body.first_behind_phis(block), CatchPad)), None)


def _is_outer_pad(found: Any, _: object) -> bool:
    return isinstance(found.parent_pad, (ConstantTokenNone, CatchPad, CleanupPad))


_NEEDS_LANDING_PERSONALITY, _LANDS_FIRST = _beginning("LandingPadInst")

_CLAUSES: Rules = (
    (
        "LandingPadInst needs at least one clause or to be a cleanup.",
        lambda pad, _: pad.clauses or pad.is_cleanup,
    ),
)
_LANDING_PAD: Rules = (
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
        lambda pad, _: (pad.parent_pad,),
    ),
    _CATCH_PAD_FIRST,
)
_CLEANUP_PAD: Rules = (
    *_beginning("CleanupPadInst"),
    ("CleanupPadInst has an invalid parent.", _is_outer_pad),
)
_CATCH_SWITCH: Rules = (
    *_beginning("CatchSwitchInst"),
    ("CatchSwitchInst has an invalid parent.", _is_outer_pad, lambda switch, _: (switch.parent_pad,)),
    (
        "CatchSwitchInst must unwind to an EH block which is not a landingpad.",
        lambda switch, body: _is_funclet_destination(switch.unwind_destination, body),
    ),
)
_HANDLERS: Rules = (
    ("CatchSwitchInst cannot have empty handler list", lambda switch, _: switch.handlers),
    (
        "CatchSwitchInst handlers must be catchpads",
        lambda switch, body: _wrong_handler(switch, body) is None,
        lambda switch, body: (switch, _wrong_handler(switch, body)),
    ),
)
_CATCH_RETURN: Rules = (
    (
        "CatchReturnInst needs to be provided a CatchPad",
        lambda found, _: isinstance(found.pad, CatchPad),
        lambda found, _: (found, found.pad),
    ),
    IS_LAST,
)
_CLEANUP_RETURN: Rules = (
    (
        "CleanupReturnInst needs to be provided a CleanupPad",
        lambda found, _: isinstance(found.pad, CleanupPad),
        lambda found, _: (found, found.pad),
    ),
    (
        "CleanupReturnInst must unwind to an EH block which is not a landingpad.",
        lambda found, body: _is_funclet_destination(found.unwind_destination, body),
    ),
    IS_LAST,
)


_IS_LAST: Rules = (IS_LAST,)


def _in_turn(*finders: Finder) -> tuple[Finder]:
    """Return a finder that runs others in turn, until one finds a problem after which LLVM stops."""
    return (partial(problems_in_turn, finders),)


PROBLEMS: dict[type, tuple[Finder, ...]] = {
    LandingPad: _in_turn(partial(first_broken, _CLAUSES), pad_problems, partial(first_broken, _LANDING_PAD)),
    Resume: (partial(first_broken, _RESUME),),
    CatchPad: _in_turn(partial(first_broken, _CATCH_PAD), pad_problems, funclet_problem),
    CatchReturn: (partial(first_broken, _CATCH_RETURN),),
    CleanupPad: _in_turn(partial(first_broken, _CLEANUP_PAD), pad_problems, funclet_problem),
    CleanupReturn: (partial(first_broken, _CLEANUP_RETURN),),
    CatchSwitch: _in_turn(
        partial(first_broken, _CATCH_SWITCH),
        note_sibling,
        partial(first_broken, _HANDLERS),
        pad_problems,
        partial(first_broken, _IS_LAST),
    ),
}

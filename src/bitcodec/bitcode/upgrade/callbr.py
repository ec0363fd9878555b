"""The old form of `callbr`, whose blocks were arguments too.  Rules: bitcode record reference, section 7.4."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import InlineAsm

if TYPE_CHECKING:
    from bitcodec.ir.context import Context

__all__ = ["upgraded_callbr"]


def upgraded_callbr(context: Context, fields: dict[str, Any]) -> None:
    """Take block addresses out of the arguments of an old `callbr` and name them in its constraints instead."""
    callee, blocks = fields["callee"], fields["indirect_destinations"]
    if not isinstance(callee, InlineAsm) or not blocks:
        return
    constraints = callee.constraints.split(",")
    if any(constraint.startswith("!") for constraint in constraints):
        return
    arguments = fields["arguments"]
    first = len(arguments) - len(blocks)
    labels = arguments[max(first, 0) :]
    if [getattr(label, "block", None) for label in labels] != blocks or not all(
        isinstance(label, BlockAddress) for label in labels
    ):
        return
    function_type = context.types.function(
        fields["function_type"].return_type,
        fields["function_type"].parameter_types[:first],
        is_vararg=fields["function_type"].is_vararg,
    )
    fields["function_type"] = function_type
    fields["arguments"] = arguments[:first]
    fields["callee"] = context.constants.inline_asm(
        function_type,
        callee.assembly,
        ",".join(_with_labels(constraints, first, len(blocks))),
        has_side_effects=callee.has_side_effects,
        is_align_stack=callee.is_align_stack,
        is_intel_dialect=callee.is_intel_dialect,
        can_unwind=callee.can_unwind,
    )


def _with_labels(constraints: list[str], first: int, count: int) -> list[str]:
    """Mark the inputs from `first` on as labels; outputs and clobbers are no inputs."""
    inputs = [index for index, text in enumerate(constraints) if not re.match(r"[=~]", text)]
    labels = set(inputs[first : first + count])
    return [f"!{text}" if index in labels else text for index, text in enumerate(constraints)]

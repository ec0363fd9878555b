"""The old form of `callbr`, whose blocks were arguments too.  Rules: docs/reference/records.md, 7.4."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import InlineAsm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.context import Context
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import FunctionType
    from bitcodec.ir.values import Value

__all__ = ["upgraded_callbr"]


def upgraded_callbr(
    context: Context,
    function_type: FunctionType,
    callee: Value,
    arguments: Sequence[Value],
    blocks: Sequence[BasicBlock],
) -> tuple[FunctionType, InlineAsm] | None:
    """Return type and text of an old `callbr` whose last arguments are the addresses of its blocks, None for others.

    They take only the other arguments; the constraints name the blocks instead.
    """
    if not isinstance(callee, InlineAsm) or not blocks:
        return None
    constraints = callee.constraints.split(",")
    if any(constraint.startswith("!") for constraint in constraints):
        return None
    first = len(arguments) - len(blocks)
    labels = arguments[max(first, 0) :]
    if [getattr(label, "block", None) for label in labels] != blocks or not all(
        isinstance(label, BlockAddress) for label in labels
    ):
        return None
    parameters = function_type.parameter_types[:first]
    function_type = context.types.function(function_type.return_type, parameters, is_vararg=function_type.is_vararg)
    return function_type, context.constants.inline_asm(
        function_type,
        callee.assembly,
        ",".join(_with_labels(constraints, first, len(blocks))),
        callee.flags,
    )


def _with_labels(constraints: list[str], first: int, count: int) -> list[str]:
    """Mark the inputs from `first` on as labels; outputs and clobbers are not inputs."""
    inputs = [index for index, text in enumerate(constraints) if not re.match(r"[=~]", text)]
    labels = set(inputs[first : first + count])
    return [f"!{text}" if index in labels else text for index, text in enumerate(constraints)]

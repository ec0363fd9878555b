"""Rules of calls of assembly text: requirements of its constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.instructions import CallBranch
from bitcodec.ir.type_properties import is_pointer
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.instructions import CallBase
    from bitcodec.verifier.rules import Rules

__all__ = ["ASSEMBLY_RULES"]

_LABEL, _CLOBBER, _OUTPUT = "!", "~", "="
_EARLY = "&"
_INDIRECT = "*"


class _Passed(NamedTuple):
    """A constraint for an argument."""

    argument: int
    is_indirect: bool


def _constraints(call: CallBase) -> list[str]:
    assembly = call.callee
    return assembly.constraints.split(",") if isinstance(assembly, InlineAsm) and assembly.constraints else []


def _passed(call: CallBase) -> Iterator[_Passed]:
    """Yield the constraints for arguments, in order: inputs, and outputs that go to where an argument points."""
    index = 0
    for constraint in _constraints(call):
        if constraint.startswith((_LABEL, _CLOBBER)):
            continue
        is_indirect = constraint.lstrip(_OUTPUT + _EARLY).startswith(_INDIRECT)
        if is_indirect or not constraint.startswith(_OUTPUT):
            if index < call.argument_count:
                yield _Passed(index, is_indirect)
            index += 1


def _has_elements(call: CallBase, index: int) -> bool:
    return "elementtype" in call.attributes.for_parameter(index)


def _label_count(call: CallBase) -> int:
    return sum(constraint.startswith(_LABEL) for constraint in _constraints(call))


ASSEMBLY_RULES: Rules = (
    (
        "Operand for indirect constraint must have pointer type",
        lambda call, _: all(
            not passed.is_indirect or is_pointer(call.operand_at(passed.argument).type) for passed in _passed(call)
        ),
    ),
    (
        "Operand for indirect constraint must have elementtype attribute",
        lambda call, _: all(not passed.is_indirect or _has_elements(call, passed.argument) for passed in _passed(call)),
    ),
    (
        "Elementtype attribute can only be applied for indirect constraints",
        lambda call, _: all(passed.is_indirect or not _has_elements(call, passed.argument) for passed in _passed(call)),
    ),
    (
        "Number of label constraints does not match number of callbr dests",
        lambda call, _: not isinstance(call, CallBranch) or _label_count(call) == len(call.indirect_destinations),
    ),
    (
        "Label constraints can only be used with callbr",
        lambda call, _: isinstance(call, CallBranch) or not _label_count(call),
    ),
)

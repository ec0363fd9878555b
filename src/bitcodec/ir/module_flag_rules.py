"""What a module flag has to be, in the words of LLVM's verifier.  Rules: module flags reference, section 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode, MDString
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DUPLICATE", "broken_requirement", "broken_rule", "flag_integer"]

DUPLICATE = "module flag identifiers must be unique (or of 'require' type)"
"""Said of all flags of one key but the first."""


def broken_rule(node: MDNode) -> str | None:
    """Return the message of the first rule that a flag's node breaks by itself, None if it breaks none."""
    for message, holds in _FLAG:
        if not holds(node):
            return message
    return None


def broken_requirement(flag: MDNode | None, value: object) -> str | None:
    """Return the message of the rule that is broken, None if none is.

    Args:
        flag: what the module has under the key that something is required of.
        value: which it has to have.
    """
    for message, holds in _REQUIREMENT:
        if not holds(flag, value):
            return message
    return None


def flag_integer(value: object) -> ConstantInt | None:
    """Return the constant integer that a flag's operand is, None if it is something else."""
    constant = value.value if isinstance(value, ConstantAsMetadata) else None
    return constant if isinstance(constant, ConstantInt) else None


def _behavior(node: Any) -> int:
    number = flag_integer(node.operands[0])
    return 0 if number is None else number.unsigned


def _has_value(behaviors: set[Behavior], rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return what asks whether a rule holds for the value of a flag, if it is of one of these behaviours."""
    return lambda node: _behavior(node) not in behaviors or rule(node.operands[2])


def _is_not_negative(value: object) -> bool:
    number = flag_integer(value)
    return number is not None and number.signed >= 0


_FLAG: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("incorrect number of operands in module flag", lambda node: len(node.operands) == 3),
    (
        "invalid behavior operand in module flag (expected constant integer)",
        lambda node: flag_integer(node.operands[0]) is not None,
    ),
    (
        "invalid behavior operand in module flag (unexpected constant)",
        lambda node: Behavior.ERROR <= _behavior(node) <= Behavior.MIN,
    ),
    (
        "invalid ID operand in module flag (expected metadata string)",
        lambda node: isinstance(node.operands[1], MDString),
    ),
    (
        "invalid value for 'min' module flag (expected constant non-negative integer)",
        _has_value({Behavior.MIN}, _is_not_negative),
    ),
    (
        "invalid value for 'max' module flag (expected constant integer)",
        _has_value({Behavior.MAX}, lambda value: flag_integer(value) is not None),
    ),
    (
        "invalid value for 'require' module flag (expected metadata pair)",
        _has_value({Behavior.REQUIRE}, lambda value: isinstance(value, MDNode) and len(value.operands) == 2),
    ),
    (
        "invalid value for 'require' module flag (first value operand should be a string)",
        _has_value({Behavior.REQUIRE}, lambda value: isinstance(value.operands[0], MDString)),
    ),
    (
        "invalid value for 'append'-type module flag (expected a metadata node)",
        _has_value({Behavior.APPEND, Behavior.APPEND_UNIQUE}, lambda value: isinstance(value, MDNode)),
    ),
)

_REQUIREMENT: tuple[tuple[str, Callable[[Any, object], bool]], ...] = (
    ("invalid requirement on flag, flag is not present in module", lambda flag, _: flag is not None),
    (
        "invalid requirement on flag, flag does not have the required value",
        lambda flag, value: flag.operands[2] == value,
    ),
)

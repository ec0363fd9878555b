"""Rules for module flags, with the messages of LLVM's verifier. Rules: docs/reference/flags.md, 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.metadata import MDNode, MDString, constant_integer
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DUPLICATE", "broken_requirement", "broken_rule"]

DUPLICATE = "module flag identifiers must be unique (or of 'require' type)"
"""Said of all flags of one key but the first."""


def broken_rule(node: MDNode) -> str | None:
    """Return the message of the first rule that a flag's node alone breaks, None if it is valid."""
    operands: Any = node.operands
    if len(operands) != 3:
        return "incorrect number of operands in module flag"
    number = constant_integer(operands[0])
    if number is None:
        return "invalid behavior operand in module flag (expected constant integer)"
    if not Behavior.ERROR <= number.unsigned <= Behavior.MIN:
        return "invalid behavior operand in module flag (unexpected constant)"
    if not isinstance(operands[1], MDString):
        return "invalid ID operand in module flag (expected metadata string)"
    for message, holds in _VALUES.get(number.unsigned, ()):
        if not holds(operands[2]):
            return message
    return None


def broken_requirement(flag: MDNode | None, value: object) -> str | None:
    """Return the message of the rule that is broken, None if none is.

    Args:
        flag: the module's flag under the required key.
        value: the required value.
    """
    for message, holds in _REQUIREMENT:
        if not holds(flag, value):
            return message
    return None


def _is_integer(value: object) -> bool:
    return constant_integer(value) is not None


def _is_not_negative(value: object) -> bool:
    number = constant_integer(value)
    return number is not None and number.signed >= 0


def _is_node(value: object) -> bool:
    return isinstance(value, MDNode)


_APPEND = (("invalid value for 'append'-type module flag (expected a metadata node)", _is_node),)
_VALUES: dict[int, tuple[tuple[str, Callable[[Any], bool]], ...]] = {
    Behavior.MIN: (("invalid value for 'min' module flag (expected constant non-negative integer)", _is_not_negative),),
    Behavior.MAX: (("invalid value for 'max' module flag (expected constant integer)", _is_integer),),
    Behavior.REQUIRE: (
        (
            "invalid value for 'require' module flag (expected metadata pair)",
            lambda value: _is_node(value) and len(value.operands) == 2,
        ),
        (
            "invalid value for 'require' module flag (first value operand should be a string)",
            lambda value: isinstance(value.operands[0], MDString),
        ),
    ),
    Behavior.APPEND: _APPEND,
    Behavior.APPEND_UNIQUE: _APPEND,
}
"""By behaviour: requirements on the value."""

_REQUIREMENT: tuple[tuple[str, Callable[[Any, object], bool]], ...] = (
    ("invalid requirement on flag, flag is not present in module", lambda flag, _: flag is not None),
    (
        "invalid requirement on flag, flag does not have the required value",
        lambda flag, value: flag.operands[2] == value,
    ),
)

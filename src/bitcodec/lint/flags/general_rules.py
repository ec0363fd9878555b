"""Rules for flags without a specific rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import Severity
from bitcodec.lint.flags.faults import FlagFault
from bitcodec.lint.flags.rows import FlagCheck
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from bitcodec.lint.flags.faults import KeyView


__all__ = ["ROWS"]

_ERROR, _WARNING, _NOTE = Severity
_ALL: frozenset[str] = frozenset()


def _is_strict(view: KeyView) -> bool:
    """Whether the flag is one that has to be the same everywhere."""
    return view.usual is not None and view.usual.behavior is Behavior.ERROR


ROWS = (
    FlagCheck(
        "flag-missing",
        _ALL,
        {FlagFault.MISSING: _WARNING},
        "A flag that must have one value everywhere is absent in some inputs",
        "The flag has behavior Error, so different values stop the link. An absent flag does not: the linked module "
        "gets the value of the others, and code that was compiled without it is treated as if it had it.",
        "Compile all inputs with the same options.",
        applies=_is_strict,
    ),
    FlagCheck(
        "conflicting-values",
        _ALL,
        {FlagFault.VALUES: _ERROR, FlagFault.APART: _WARNING},
        "Inputs have different values of a flag that must be the same everywhere",
        "The link stops; inputs for ThinLTO and other inputs link, and stay different.",
        "Compile all inputs with the same option.",
    ),
    FlagCheck(
        "conflicting-overrides",
        _ALL,
        {FlagFault.OVERRIDES: _ERROR},
        "Inputs override each other's values",
        "The link stops.",
        "Compile all inputs with the same option.",
    ),
    FlagCheck(
        "conflicting-behaviors",
        _ALL,
        {FlagFault.BEHAVIORS: _ERROR},
        "Inputs have the same flag with behaviors that cannot be merged",
        "The link stops, even if the values agree. The inputs come from different compilers, or versions of one.",
        "Compile all inputs with one version of the compiler. If the values agree, set the flag with one behavior.",
    ),
    FlagCheck(
        "unmet-requirement",
        _ALL,
        {FlagFault.UNMET: _ERROR},
        "An input requires a value that the linked module does not have",
        "The link stops.",
        "Compile the other inputs so that they have the required value.",
        is_for_all=True,
    ),
    FlagCheck(
        "overridden-value",
        _ALL,
        {FlagFault.FORCED: _WARNING},
        "An input replaces the values of others",
        "The flag has behavior Override in one input: its value is used for all, without a message.",
        "Compile all inputs with the same option.",
    ),
    FlagCheck(
        "different-values",
        _ALL,
        {FlagFault.CHOSEN: _WARNING},
        "Inputs have different values, and the linker keeps one",
        "The linker prints a warning and keeps the value of the first input, or the higher or lower one.",
        "Compile all inputs with the same option.",
    ),
)

"""The rules for module flags across a build, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.flags import general_rules, language_rules, module_rules, protection_rules, target_rules

if TYPE_CHECKING:
    from bitcodec.lint.findings import RuleInfo
    from bitcodec.lint.flags.faults import FlagFault
    from bitcodec.lint.flags.rows import FlagCheck

__all__ = ["FLAG_RULES", "rule_of"]

_ROWS: tuple[FlagCheck, ...] = (
    *target_rules.ROWS,
    *protection_rules.ROWS,
    *language_rules.ROWS,
    *general_rules.ROWS,
    *module_rules.ROWS,
)

FLAG_RULES: tuple[RuleInfo, ...] = tuple(row.info for row in _ROWS)
"""Purpose of the rules for module flags, in the order of the page."""


def rule_of(key: str, fault: FlagFault) -> FlagCheck | None:
    """Return the rule for a fault of a key, None if no rule minds it."""
    rows = [row for row in _ROWS if fault in row.faults]
    return next((row for row in rows if key in row.keys), next((row for row in rows if not row.keys), None))

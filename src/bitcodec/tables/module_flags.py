"""Behavior of module flags when two modules are linked.

Rules: LLVM Language Reference, "Module Flags Metadata"; docs/reference/flags.md, 2.
"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["CODE_MODEL", "MODULE_FLAGS", "Behavior", "behavior_of"]

MODULE_FLAGS = "llvm.module.flags"
"""The named metadata that contains module flags."""
CODE_MODEL = "Code Model"
"""Key of the flag that states how far code and data may be apart."""


class Behavior(IntEnum):
    """Effect of linking on a flag that both modules have: the first operand of a flag's triple."""

    ERROR = 1
    """Different values are an error."""
    WARNING = 2
    """Different values are worth a warning; the value of the first module stays."""
    REQUIRE = 3
    """A requirement: another flag must have a value after linking."""
    OVERRIDE = 4
    """This value overrides the other module's."""
    APPEND = 5
    """The elements of both."""
    APPEND_UNIQUE = 6
    """The elements of both, each once."""
    MAX = 7
    """The greater number."""
    MIN = 8
    """The lesser number; a module without the flag counts as zero."""

    @property
    def spelling(self) -> str:
        """Its name in the language reference."""
        return "".join(word.capitalize() for word in self.name.split("_"))


def behavior_of(given: Behavior | int | str) -> Behavior:
    """Return a behavior, given as a member, a number or a name: `max`, `append-unique`, `AppendUnique`.

    Raises:
        ValueError: the behavior is unknown.
    """
    if isinstance(given, str):
        name = given.replace("-", "").replace("_", "").lower()
        found = next((each for each in Behavior if each.spelling.lower() == name), None)
    else:
        found = next((each for each in Behavior if each == given), None)
    if found is None:
        names = ", ".join(each.name.lower().replace("_", "-") for each in Behavior)
        raise ValueError(f"behavior must be one of {names}; got {given!r}")
    return found

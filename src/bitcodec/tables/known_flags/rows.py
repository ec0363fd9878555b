"""Rows of the table of known module flags."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.tables.module_flags import Behavior

__all__ = ["FlagMeaning", "KnownFlag"]


class FlagMeaning(NamedTuple):
    """The meaning of one value.

    Attributes:
        text: the meaning.
        option: the compiler option that sets it; "" if no single option does.
    """

    text: str
    option: str = ""


_NONE: Mapping[int, FlagMeaning] = MappingProxyType({})


class KnownFlag(NamedTuple):
    """A module flag that producers write and LLVM reads.

    Attributes:
        key: its name in the file.
        type: of its value: an integer type, `string`, `tuple`, or another kind in text.
        behavior: its behavior from LLVM 22's producers.
        meaning: its description.
        values: meanings of single values; others are possible if `unit` is given, or the value is not an integer.
        unit: the unit of an integer, with `{}` for the number; "" if `values` lists the values.
        option: of the compiler, that it comes from; "" if it comes from the target or another tool.
        producers: programs that write it.
        on_request: the producers that write it only if an option requests it, so its absence is usual.
        since: first LLVM that has it, "" if that is not known.
        since_on: first LLVM by part of the triple, for targets that have it earlier or later.
        until: last LLVM that writes it, "" if today's LLVM does.
        other_behaviors: behaviors from other producers and older versions.
        successor: key of the flag with the same meaning today, "" if it is this one.
        is_settable: whether code generation reads the flag and nothing else, so that setting it has the effect of the
            option; otherwise, it describes code that is already generated.
    """

    key: str
    type: str
    behavior: Behavior
    meaning: str
    values: Mapping[int, FlagMeaning] | Mapping[str, FlagMeaning] = _NONE
    unit: str = ""
    option: str = ""
    producers: tuple[str, ...] = ("clang",)
    on_request: tuple[str, ...] = ()
    since: str = ""
    since_on: tuple[tuple[str, str], ...] = ()
    until: str = ""
    other_behaviors: tuple[Behavior, ...] = ()
    successor: str = ""
    is_settable: bool = False

    @property
    def bit_width(self) -> int | None:
        """Width of its value in bits, None if that is not an integer."""
        return int(self.type[1:]) if self.type[1:].isdigit() else None

    def is_written_by(self, llvm: int, triple: str) -> bool:
        """Return whether compilers of an LLVM write it for a target, if they have a reason to."""
        first = next((since for part, since in self.since_on if part in triple), self.since)
        return (not first or float(first) <= llvm) and (not self.until or llvm <= float(self.until))

    def meaning_of(self, value: int | str) -> FlagMeaning | None:
        """Return the meaning of a value, None if it is unknown."""
        found = cast("Mapping[int | str, FlagMeaning]", self.values).get(value)
        if found is None and self.unit and isinstance(value, int):
            return FlagMeaning(self.unit.format(value))
        return found

"""Faults of one key across a build: found from the flags of the inputs and of the linked module."""

from __future__ import annotations

from enum import auto
from typing import TYPE_CHECKING

from bitcodec.flags.diagnostics import DiagnosticKind
from bitcodec.flags.surveying import flag_content
from bitcodec.ir.metadata import constant_integer
from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from bitcodec.ir.module_flags import ModuleFlag
    from bitcodec.lint.flags.profiles import BuildProfile

__all__ = ["FlagFault", "KeyView", "Statement", "faults_of", "key_views"]


class FlagFault(PlainEnum):
    """How inputs disagree on a flag.  The first ones stop a link."""

    VALUES = auto()
    """Flags of behavior Error have different values."""
    OVERRIDES = auto()
    """Flags of behavior Override have different values."""
    BEHAVIORS = auto()
    """The flags have behaviors that cannot be merged."""
    UNMET = auto()
    """A requirement does not hold."""
    MISSING = auto()
    """Inputs without the flag become part of a module that has it."""
    LOST = auto()
    """The linked module has a lower number than some inputs, or zero: behavior Min."""
    RAISED = auto()
    """The linked module has a higher number than some inputs: behavior Max."""
    CHOSEN = auto()
    """The values differ, and one is kept, with a warning."""
    FORCED = auto()
    """A flag of behavior Override replaces the values of others, in silence."""
    APART = auto()
    """Flags of inputs for ThinLTO and of other inputs would stop a link, but linkers never merge the two."""

    @property
    def leaves_no_value(self) -> bool:
        """Whether the link stops as no value of the flag serves all inputs."""
        return self in (*_STOPPING, FlagFault.APART)


_STOPPING = (FlagFault.VALUES, FlagFault.OVERRIDES, FlagFault.BEHAVIORS)
_SPLITTING = "EnableSplitLTOUnit"
"""The flag that linkers compare even between ThinLTO and other inputs, if these contain type tests."""
_OF_DIAGNOSTICS = {
    DiagnosticKind.CONFLICTING_VALUES: FlagFault.VALUES,
    DiagnosticKind.CONFLICTING_OVERRIDES: FlagFault.OVERRIDES,
    DiagnosticKind.CONFLICTING_BEHAVIORS: FlagFault.BEHAVIORS,
    DiagnosticKind.NOT_MERGEABLE: FlagFault.BEHAVIORS,
    DiagnosticKind.UNMET_REQUIREMENT: FlagFault.UNMET,
    DiagnosticKind.DIFFERENT_VALUES: FlagFault.CHOSEN,
}
_MOST_KEYS = 4096
"""Keys of a build that are looked at; each is compared with every group of inputs."""
_LISTS = {Behavior.APPEND, Behavior.APPEND_UNIQUE}


class Statement(NamedTuple):
    """A value of a flag, and the inputs that have it.

    Attributes:
        flag: the flag, None where it is absent.
        profiles: the inputs.
    """

    flag: ModuleFlag | None
    profiles: list[BuildProfile]

    @property
    def size(self) -> int:
        """Number of inputs."""
        return sum(len(profile.inputs) for profile in self.profiles)


class KeyView(NamedTuple):
    """A key across a build.

    Attributes:
        key: of the flag.
        statements: flags of the inputs, the most inputs first.
        absent: the inputs that lack the flag.
        required: values that inputs require of it.
        merged: the flag of the linked module, None if it lacks one.
    """

    key: str
    statements: list[Statement]
    absent: list[BuildProfile]
    required: list[Statement]
    merged: ModuleFlag | None

    @property
    def usual(self) -> ModuleFlag | None:
        """The flag that most inputs have, None if no input has it."""
        return self.statements[0].flag if self.statements else None

    @property
    def number(self) -> int | None:
        """The value of the linked module's flag if it is an integer, else None."""
        return _number(self.merged)


def key_views(profiles: Sequence[BuildProfile], merged: Iterable[tuple[str, ModuleFlag]]) -> list[KeyView]:
    """Return each key across a build, in the order in which inputs name them.

    Args:
        profiles: the inputs.
        merged: the flags of the linked module.
    """
    stated: dict[str, dict[Hashable, Statement]] = {}
    required: dict[str, dict[Hashable, Statement]] = {}
    for profile in profiles:
        for flag in profile.flags.values():
            _add(stated, flag.key, flag, profile)
        for flag in profile.requirements:
            wanted = flag.requirement
            if wanted is not None:
                _add(required, wanted.key, flag._replace(value=wanted.value), profile)
    results = dict(merged)
    keys = list(dict.fromkeys((*stated, *required)))
    return [
        KeyView(
            key,
            sorted(stated.get(key, {}).values(), key=lambda statement: -statement.size),
            [profile for profile in profiles if key not in profile.flags and not profile.is_empty],
            list(required.get(key, {}).values()),
            results.get(key),
        )
        for key in keys[:_MOST_KEYS]
    ]


def _add(by_key: dict[str, dict[Hashable, Statement]], key: str, flag: ModuleFlag, profile: BuildProfile) -> None:
    statements = by_key.setdefault(key, {})
    statements.setdefault((flag.behavior, flag_content(flag)), Statement(flag, [])).profiles.append(profile)


def faults_of(view: KeyView, kinds: Iterable[DiagnosticKind]) -> set[FlagFault]:
    """Return how inputs disagree on a key.

    Args:
        view: the key.
        kinds: kinds of diagnostics from merging it.
    """
    found = {_OF_DIAGNOSTICS[kind] for kind in kinds if kind in _OF_DIAGNOSTICS}
    if not found.isdisjoint(_STOPPING) and _is_apart(view):
        found = (found - {*_STOPPING}) | {FlagFault.APART}
    flags = [statement.flag for statement in view.statements if statement.flag is not None]
    merged = view.merged
    if merged is None or merged.behavior in _LISTS:
        return found
    if merged.behavior is Behavior.MIN:
        numbers = [number for number in map(_number, flags) if number is not None]
        if view.number is not None and numbers and max(numbers) > view.number:
            found.add(FlagFault.LOST)
    elif view.absent:
        found.add(FlagFault.MISSING)
    if merged.behavior is Behavior.MAX and len({_number(flag) for flag in flags}) > 1:
        found.add(FlagFault.RAISED)
    if merged.behavior is Behavior.OVERRIDE and any(_content(flag) != _content(merged) for flag in flags):
        found.add(FlagFault.FORCED)
    return found


def _is_apart(view: KeyView) -> bool:
    """Return whether inputs disagree only across the border between ThinLTO and the other inputs."""
    profiles = [statement.profiles for statement in view.statements]
    if view.key == _SPLITTING and any(profile.tests_types for each in profiles for profile in each):
        return False
    kinds = [{profile.is_thin for profile in each} for each in profiles]
    return all(sum(is_thin in each for each in kinds) <= 1 for is_thin in (False, True))


def _number(flag: ModuleFlag | None) -> int | None:
    number = None if flag is None else constant_integer(flag.value)
    return None if number is None else number.unsigned


def _content(flag: ModuleFlag) -> Hashable:
    return flag_content(flag._replace(behavior=Behavior.ERROR))

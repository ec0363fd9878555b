"""Chooses the inputs to change, and their new flags, by the way in which inputs disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.flags.faults import FlagFault, Statement
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.known_flags import KNOWN_FLAGS
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from bitcodec.ir.module_flags import ModuleFlag
    from bitcodec.lint.flags.faults import KeyView
    from bitcodec.lint.flags.profiles import BuildProfile
    from bitcodec.lint.flags.rows import FlagCheck

__all__ = ["Disagreement", "disagreement_of"]


class Disagreement(NamedTuple):
    """The inputs to change, and the flag that they should have.

    Attributes:
        wanted: the flag that all should have.
        odd: the inputs that have another one, or none.
        others: the inputs that have it.
    """

    wanted: ModuleFlag
    odd: list[Statement]
    others: list[Statement]


def disagreement_of(view: KeyView, fault: FlagFault, rule: FlagCheck) -> Disagreement | None:
    """Return the inputs to change, None if there are none.

    Args:
        view: the key.
        fault: how inputs disagree.
        rule: the rule about it.
    """
    wanted = _wanted(view, fault)
    if wanted is None:
        return None
    if fault is FlagFault.MISSING:
        others, odd = list(view.statements), []
    else:
        others = [each for each in view.statements if _agrees(each.flag, wanted, fault)]
        odd = [each for each in view.statements if each not in others]
    if fault in _ABSENT_COUNTS:
        absent = [profile for profile in view.absent if rule.is_for_all or _writes(profile, view)]
        if fault is FlagFault.MISSING:
            absent = [each for each in absent if _is_of_time(each, view.key) and rule.lacks(view.key, each)]
        odd += [Statement(None, absent)] if absent else []
    return Disagreement(wanted, odd, others) if odd else None


_ABSENT_COUNTS = {FlagFault.MISSING, FlagFault.LOST, FlagFault.UNMET}


def _wanted(view: KeyView, fault: FlagFault) -> ModuleFlag | None:
    flags = [statement.flag for statement in view.statements if statement.flag is not None]
    if fault is FlagFault.UNMET:
        return _required(view, flags)
    if fault in (FlagFault.LOST, FlagFault.RAISED):
        return max(flags, key=lambda flag: flag.integer or 0)
    if fault is FlagFault.FORCED:
        return next((flag for flag in flags if flag.behavior is Behavior.OVERRIDE), None)
    return flags[0] if flags else None


def _required(view: KeyView, flags: list[ModuleFlag]) -> ModuleFlag | None:
    if not view.required or view.required[0].flag is None:
        return None
    row = KNOWN_FLAGS.get(view.key)
    behavior = flags[0].behavior if flags else Behavior.ERROR if row is None else row.behavior
    return view.required[0].flag._replace(behavior=behavior, key=view.key)


def _agrees(flag: ModuleFlag | None, wanted: ModuleFlag, fault: FlagFault) -> bool:
    if flag is None or flag.value != wanted.value:
        return False
    return flag.behavior is wanted.behavior or fault not in (FlagFault.BEHAVIORS, FlagFault.FORCED)


def _is_of_time(profile: BuildProfile, key: str) -> bool:
    """Return whether the compiler of inputs has a version that writes a flag; otherwise its absence means nothing."""
    row = KNOWN_FLAGS.get(key)
    return row is None or profile.llvm is None or row.is_written_by(profile.llvm, profile.triple)


def _writes(profile: BuildProfile, view: KeyView) -> bool:
    """Return whether the compiler of inputs would have written a flag; one that is unknown may have."""
    row = KNOWN_FLAGS.get(view.key)
    writers = set() if row is None else {*row.producers}.difference(row.on_request)
    for statement in view.statements:
        for each in statement.profiles:
            writers |= each.compilers
    return not profile.compilers or not profile.compilers.isdisjoint(writers)

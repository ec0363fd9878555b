"""Meaning of flags: by key, by value, and advice where they conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.diagnostics import DiagnosticKind, Side
from bitcodec.flags.spelling import spelled
from bitcodec.flags.upgrading import upgraded_requirement
from bitcodec.ir.context import Context
from bitcodec.ir.importing import Importer
from bitcodec.ir.metadata import MDString, Metadata, constant_integer
from bitcodec.tables.known_flags import KNOWN_FLAGS
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.flags.diagnostics import Diagnostic
    from bitcodec.tables.known_flags import FlagMeaning, KnownFlag

__all__ = ["advice", "describe", "explain", "explanation", "meaning_of"]

_LONGEST = 120
"""Characters of a value in a sentence."""


def explain(key: str) -> KnownFlag | None:
    """Return the row of a known flag, None for an unknown one."""
    return KNOWN_FLAGS.get(key)


def meaning_of(key: str, value: Metadata | int | str | None) -> FlagMeaning | None:
    """Return the meaning of a flag's value, None if unknown.

    Args:
        key: of the flag.
        value: its value as metadata, a number or a text.
    """
    row = KNOWN_FLAGS.get(key)
    plain = _plain(key, value)
    return None if row is None or plain is None else row.meaning_of(plain)


def describe(key: str, value: Metadata | int | str | None) -> str:
    """Return the meaning of a flag's value, and its option: `wchar_t is 2 bytes: -fshort-wchar`; "" if unknown."""
    meaning = meaning_of(key, value)
    if meaning is None:
        return ""
    return f"{meaning.text}: {meaning.option}" if meaning.option else meaning.text


def explanation(diagnostic: Diagnostic) -> str:
    """Return sentences about a conflict: its nature, its consequence, and advice."""
    return " ".join(filter(None, (*_EXPLANATIONS[diagnostic.kind](diagnostic), advice(diagnostic.key))))


def advice(key: str) -> str:
    """Return where a flag comes from, "" if that is not known."""
    row = KNOWN_FLAGS.get(key)
    if row is None:
        return ""
    if row.option:
        return f"It comes from {row.option}."
    return f"It is written by {' and '.join(row.producers)}." if row.producers else ""


def _plain(key: str, value: Metadata | int | str | None) -> int | str | None:
    if isinstance(value, MDString):
        value = value.text
    if isinstance(value, str):
        # The language reference has blanks in names of sections that compilers write without.
        return value.replace(" ", "") if key.endswith(" Section") else value
    if isinstance(value, Metadata):
        number = constant_integer(value)
        return None if number is None else number.value
    return value


def _said(key: str, side: Side) -> str:
    behavior = f" ({side.behavior.spelling})" if side.behavior is not None else ""
    return f"{side.module} has {_value(key, side.value)}{behavior}"


def _value(key: str, value: Metadata | None) -> str:
    meaning = meaning_of(key, value)
    text = spelled(value, most_characters=_LONGEST)
    return text if meaning is None else f"{text}, {meaning.text}"


def _named(key: str) -> str:
    row = KNOWN_FLAGS.get(key)
    return f"{key}: {row.meaning}." if row is not None else f"{key}."


def _both(reason: str) -> Callable[[Diagnostic], tuple[str, ...]]:
    """Return a function that explains a diagnostic by the meanings on both sides."""

    def explained(diagnostic: Diagnostic) -> tuple[str, ...]:
        key = diagnostic.key
        sides = f"{_said(key, diagnostic.destination)}, {_said(key, diagnostic.source)}."
        return _named(key), sides, reason

    return explained


def _unmet(diagnostic: Diagnostic) -> tuple[str, ...]:
    key, source, there = diagnostic.key, diagnostic.source, diagnostic.destination
    found = f"but {_said(key, there)}." if there.behavior is not None else "but no module has that flag."
    why = ""
    if there.behavior is not None and _is_met_if_upgraded(key, source.value, there.value):
        why = "LLVM upgrades the flag when it reads it, but not the requirement on it: upgrade both."
    return _named(key), f"{source.module} requires {_value(key, source.value)}, {found}", why


def _is_met_if_upgraded(key: str, wanted: Metadata | None, found: Metadata | None) -> bool:
    context = Context()
    importer = Importer(context, lambda value: value)
    pair = context.metadata.tuple([context.metadata.string(key), importer.metadata(wanted)])
    return upgraded_requirement(pair, context)[1] == importer.metadata(found)


def _by_itself(diagnostic: Diagnostic) -> tuple[str, ...]:
    return (f"{diagnostic.source.module}: {diagnostic.problem}.",)


_EXPLANATIONS: dict[DiagnosticKind, Callable[[Diagnostic], tuple[str, ...]]] = {
    DiagnosticKind.CONFLICTING_BEHAVIORS: _both(
        "Two behaviors for one flag conflict, even where the values agree: the modules are of different compilers, or "
        "of different versions of one."
    ),
    DiagnosticKind.CONFLICTING_OVERRIDES: _both("Both values want to be taken whatever the other is."),
    DiagnosticKind.CONFLICTING_VALUES: _both("The values have to be the same."),
    DiagnosticKind.DIFFERENT_VALUES: _both("They may differ; the behaviors decide which value stays."),
    DiagnosticKind.CONFLICTING_REQUIREMENTS: _both(
        "Under the rules of 2012 all requirements of one key must be equal."
    ),
    DiagnosticKind.NOT_MERGEABLE: _both(
        f"{Behavior.MAX.spelling} and {Behavior.MIN.spelling} need integers, lists need tuples."
    ),
    DiagnosticKind.UNMET_REQUIREMENT: _unmet,
    DiagnosticKind.MALFORMED: _by_itself,
    DiagnosticKind.BROKEN: _by_itself,
}

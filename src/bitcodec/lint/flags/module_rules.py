"""Rules for the flags of single modules, whatever they are linked with."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from bitcodec.flags.linting import DoubtKind
from bitcodec.ir.module_flag_rules import DUPLICATE
from bitcodec.lint.findings import Severity
from bitcodec.lint.flags.options import setting
from bitcodec.lint.flags.rows import FlagCheck
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.known_flags import KNOWN_FLAGS, NEWEST_LLVM
from bitcodec.upgrade.module_flags import DEBUG_INFO_VERSION, version_of_debug_info

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.flags.linting import FlagDoubt
    from bitcodec.ir.module_flags import ModuleFlag
    from bitcodec.lint.flags.profiles import BuildProfile

__all__ = ["ROWS", "ModuleFault", "module_faults"]

_NO_KEYS: frozenset[str] = frozenset()
_DUPLICATE, _MALFORMED, _UNUSUAL, _IMAGE_INFO, _MISSPELLED, _DROPPED, _STATIC = ROWS = (
    FlagCheck(
        "duplicate-flag",
        _NO_KEYS,
        {},
        "A module has a flag twice",
        "LLVM's verifier refuses the module, or the linked one. Merging uses the last, look-ups find the first.",
        "Remove the flag and set it once.",
        Severity.ERROR,
    ),
    FlagCheck(
        "malformed-flag",
        _NO_KEYS,
        {},
        "A module flag breaks a rule of LLVM's verifier",
        "LLVM refuses the module, or crashes.",
        "Fix the tool that wrote it, or remove the flag; without a string as its key it cannot be removed by name.",
        Severity.ERROR,
    ),
    FlagCheck(
        "unusual-flag",
        _NO_KEYS,
        {},
        "A known flag has a type, value or behavior that its producers do not write",
        "LLVM may ignore the flag, and linking with the output of other compilers may stop.",
        "Write the flag as clang does: `bitcodec flags explain KEY`.",
        Severity.WARNING,
    ),
    FlagCheck(
        "objc-image-info",
        _NO_KEYS,
        {},
        "The flags of Objective-C's image info are incomplete or contradict each other",
        "The Objective-C runtime rejects or misreads the image.",
        "Write all flags as clang does. Garbage collection needs the flags that the code was compiled for.",
        Severity.WARNING,
    ),
    FlagCheck(
        "misspelled-flag",
        _NO_KEYS,
        {},
        "An unknown flag is spelled almost like a known one",
        "LLVM ignores the flag.",
        "Remove the flag and set the known one.",
        Severity.WARNING,
    ),
    FlagCheck(
        "debug-info-dropped",
        _NO_KEYS,
        {},
        "LLVM drops the debug information of a module",
        "The flag Debug Info Version is not 3, so LLVM removes the debug information when it reads the file.",
        "Compile with LLVM 3.6 or later. If the debug information has the current form, set the flag to 3.",
        Severity.WARNING,
    ),
    FlagCheck(
        "static-code",
        frozenset({"PIC Level"}),
        {},
        "A module is marked as position-independent, but its code is not",
        "Declarations are `dso_local`, as -fno-pic makes them: the code accesses functions and variables of other "
        "modules without the global offset table, so a shared library does not link. `flags set` does not change code.",
        "Compile the module again with -fPIC.",
        Severity.WARNING,
    ),
)
_PIC = "PIC Level"
_VERSION = "Debug Info Version"
_CURRENT_VERSION = (("set", f"{_VERSION}=i32 {DEBUG_INFO_VERSION}", "--behavior", "warning"),)
_LONGEST = 80
"""Characters of a key that may be a misspelling."""
_MOST_KEYS = 50
"""Unknown keys of a module that are compared with known ones."""
_ALIKE = 0.85
"""Similarity of two keys, from 0 to 1, above which one counts as a misspelling of the other."""


class ModuleFault(NamedTuple):
    """A fault of one module.

    Attributes:
        rule: the rule.
        key: of the flag.
        message: the error.
        steps: steps that change the module: verbs of `bitcodec flags` with their arguments; empty if unknown.
    """

    rule: FlagCheck
    key: str
    message: str
    steps: tuple[tuple[str, ...], ...]


def module_faults(profile: BuildProfile) -> Iterator[ModuleFault]:
    """Yield the faults of the flags of inputs by themselves."""
    for problem in profile.problems:
        key = problem.key or ""
        is_duplicate = problem.message == DUPLICATE
        wanted = profile.flags.get(key) if is_duplicate else None
        rule = _DUPLICATE if is_duplicate else _MALFORMED
        # Without a key, there is nothing to name it by.
        yield ModuleFault(rule, key, problem.message, (*_removal(key), *_setting(wanted)))
    if profile.is_static:
        yield ModuleFault(
            _STATIC, _PIC, "the flag promises position-independent code, which the module does not contain", ()
        )
    is_newer = profile.llvm is not None and profile.llvm > NEWEST_LLVM
    if not is_newer:  # newer compilers may write other flags and values than the table has
        yield from _unusual_flags(profile)
    version = profile.flags.get(_VERSION)
    if version is not None and version_of_debug_info(version.integer or 0) != DEBUG_INFO_VERSION:
        yield ModuleFault(_DROPPED, _VERSION, "LLVM drops the debug information", _CURRENT_VERSION)


def _unusual_flags(profile: BuildProfile) -> Iterator[ModuleFault]:
    """Yield flags that no compiler writes in this form."""
    for doubt in profile.doubts:
        rule = _IMAGE_INFO if doubt.kind is DoubtKind.IMAGE_INFO else _UNUSUAL
        if doubt.key != _VERSION:
            yield ModuleFault(rule, doubt.key, doubt.text, _steps(doubt, profile))
    unknown = [key for key in profile.flags if key not in KNOWN_FLAGS and len(key) <= _LONGEST]
    for key in unknown[:_MOST_KEYS]:
        known, flag = _meant(key), profile.flags[key]
        if known is not None:
            message = f"this looks like a misspelling of {known!r}"
            wanted = flag._replace(key=known, behavior=KNOWN_FLAGS[known].behavior)
            yield ModuleFault(_MISSPELLED, key, message, (*_removal(key), *_setting(wanted)))


def _steps(doubt: FlagDoubt, profile: BuildProfile) -> tuple[tuple[str, ...], ...]:
    """Return the steps that write a known flag as its producers do."""
    if doubt.wanted:
        return (("set", f"{doubt.key}={doubt.wanted}", "--behavior", "error"),)
    usual = _usual(profile.flags.get(doubt.key)) if doubt.kind is DoubtKind.BEHAVIOR else None
    return () if usual is None else (*_removal(doubt.key), *_setting(usual))


def _removal(key: str) -> tuple[tuple[str, ...], ...]:
    return (("remove", key),) if key else ()


def _setting(wanted: ModuleFlag | None) -> tuple[tuple[str, ...], ...]:
    return () if wanted is None else (setting(wanted),)


def _usual(flag: ModuleFlag | None) -> ModuleFlag | None:
    """Return a flag with the behavior that its producers write, None if it has that."""
    row = None if flag is None else KNOWN_FLAGS.get(flag.key)
    if flag is None or row is None or flag.behavior in (row.behavior, *row.other_behaviors):
        return None
    return flag._replace(behavior=row.behavior)


def _meant(key: str) -> str | None:
    """Return the known key that an unknown one is almost."""
    near = difflib.get_close_matches(_plain(key), _PLAIN, 1, cutoff=_ALIKE)
    return _PLAIN[near[0]] if near else None


def _plain(key: str) -> str:
    return key.lower().replace("-", " ").replace("_", " ")


_PLAIN = {_plain(key): key for key in KNOWN_FLAGS}

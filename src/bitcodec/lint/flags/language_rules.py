"""Rules for flags of languages, debug information, profiles and link-time optimization."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.lint.findings import Severity
from bitcodec.lint.flags.faults import FlagFault
from bitcodec.lint.flags.rows import STOPS, FlagCheck

if TYPE_CHECKING:
    from bitcodec.lint.flags.faults import KeyView
    from bitcodec.lint.flags.profiles import BuildProfile


__all__ = ["ROWS"]

_ERROR, _WARNING, _NOTE = Severity
_SHORT = ("-windows", "-win32", "-uefi", "-ps4", "-ps5", "-scei-")
"""Parts of the triples of systems with a `wchar_t` of 2 bytes."""


def _is_unusual_width(view: KeyView) -> bool:
    """Whether a width is not the target's; newer compilers leave out the usual one."""
    usual = {2 if any(part in profile.triple for part in _SHORT) else 4 for profile in view.absent}
    return any(each.flag is None or each.flag.integer not in usual for each in view.statements)


def _is_split(view: KeyView) -> bool:
    """Whether an input is split; inputs without the flag are not, which full LTO without type tests does not mind."""
    split = [each for each in view.statements if each.flag is not None and each.flag.integer]
    profiles = [profile for each in split for profile in each.profiles]
    return (bool(split) and len(view.statements) > 1) or any(each.is_thin or each.tests_types for each in profiles)


def _is_of_other_kind(key: str, profile: BuildProfile) -> bool:
    """Whether inputs without a flag are for another kind of LTO; those without summaries are for full LTO."""
    return key != "ThinLTO" or profile.is_thin


ROWS = (
    FlagCheck(
        "wchar-size-mixed",
        frozenset({"wchar_size"}),
        {**STOPS, FlagFault.MISSING: _ERROR, FlagFault.APART: _ERROR},
        "wchar_t has different sizes",
        "If values differ, the link stops. clang after 22 leaves out the flag where wchar_t has the usual size: such "
        "an input links with one of an unusual size without a message, and wide strings are misread.",
        "Compile all inputs with the same -f[no-]short-wchar.",
        applies=_is_unusual_width,
    ),
    FlagCheck(
        "enum-size-mixed",
        frozenset({"min_enum_size"}),
        {**STOPS, FlagFault.MISSING: _WARNING},
        "Enumerations have different sizes",
        "If values differ, the link stops. Structures with enumerations have different layouts in the inputs.",
        "Compile all inputs with the same -f[no-]short-enums.",
    ),
    FlagCheck(
        "objc-flags-mixed",
        frozenset(
            {
                "Objective-C Version",
                "Objective-C Image Info Version",
                "Objective-C Image Info Section",
                "Objective-C Garbage Collection",
                "Objective-C GC Only",
                "Objective-C Class Properties",
                "Objective-C Is Simulated",
                "Objective-C Enforce ClassRO Pointer Signing",
            }
        ),
        {**STOPS, FlagFault.FORCED: _WARNING, FlagFault.UNMET: _ERROR},
        "Objective-C's image info differs between inputs",
        "The runtime reads one image info for the whole program. Different flags stop the link; flags of older "
        "compilers turn off class properties for all.",
        "Compile all inputs with one compiler for one target.",
    ),
    FlagCheck(
        "swift-version-mixed",
        frozenset({"Swift ABI Version", "Swift Major Version", "Swift Minor Version"}),
        dict(STOPS),
        "Inputs were compiled for different versions of Swift",
        "The link stops.",
        "Compile all inputs with one version of swiftc and one -swift-version.",
    ),
    FlagCheck(
        "dwarf-version-mixed",
        frozenset({"Dwarf Version", "DWARF64"}),
        {**STOPS, FlagFault.RAISED: _NOTE, FlagFault.CHOSEN: _NOTE},
        "Debug information has different versions of DWARF",
        "With full LTO all debug information gets the highest version, which older debuggers may not read.",
        "Compile all inputs with the same -gdwarf-N.",
    ),
    FlagCheck(
        "debug-info-version-mixed",
        frozenset({"Debug Info Version", "CodeView", "CodeViewGHash"}),
        {**STOPS, FlagFault.CHOSEN: _WARNING},
        "Debug information has different forms",
        "LLVM drops debug information of another version than 3 when it reads the file.",
        "Compile all inputs with LLVM 3.6 or later.",
    ),
    FlagCheck(
        "profile-mixed",
        frozenset({"ProfileSummary", "CSProfileSummary"}),
        dict(STOPS),
        "Inputs were optimized with different profiles",
        "The link stops.",
        "Compile all inputs with one profile. An input without its summary links, and only loses hints.",
        is_removed=True,
    ),
    FlagCheck(
        "split-lto-unit-mixed",
        frozenset({"EnableSplitLTOUnit"}),
        {**STOPS, FlagFault.MISSING: _WARNING, FlagFault.FORCED: _WARNING, FlagFault.APART: _NOTE},
        "Some inputs are split into LTO units, others are not",
        "llvm-link and full LTO stop if the values differ. ThinLTO stops if the program uses type tests (CFI, "
        "whole-program devirtualization), or where a function is imported. Without type tests, inputs for full LTO "
        "link with inputs for ThinLTO.",
        "Compile all inputs with the same kind of LTO and the same -f[no-]split-lto-unit.",
        applies=_is_split,
    ),
    FlagCheck(
        "lto-kind-mixed",
        frozenset({"ThinLTO", "UnifiedLTO"}),
        {**STOPS, FlagFault.MISSING: _NOTE},
        "Inputs were compiled for different kinds of LTO",
        "The linker handles each input by its own kind: no function of one kind is inlined into the other. With "
        "unified LTO in some inputs only, lld stops.",
        "Compile all inputs with the same -flto= and -f[no-]unified-lto.",
        lacks=_is_of_other_kind,
    ),
    FlagCheck(
        "strict-vtable-pointers-mixed",
        frozenset({"StrictVTablePointers"}),
        {**STOPS, FlagFault.MISSING: _WARNING, FlagFault.UNMET: _ERROR},
        "Some inputs assume that virtual tables of objects never change",
        "The linked module is optimized under an assumption that code of other inputs does not prepare for.",
        "Compile all inputs with -fstrict-vtable-pointers, or none.",
    ),
)

"""Options of compilers other than clang that set known flags; clang's are in the table of known flags.

Rules: `rustc -C help` and `rustc -Z help` of 1.97, `zig build-obj --help` of 0.15, `swiftc --help` of 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.explaining import meaning_of
from bitcodec.flags.spelling import spelled
from bitcodec.tables.known_flags import KNOWN_FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module_flags import ModuleFlag

__all__ = ["OTHER_OPTIONS", "options_of", "setting"]

_NO_OPTION = "no option: every object must come from the same compiler and target"
_RUST_TARGET = "--target= (the ABI belongs to the target)"
_RUST_BRANCHES = "-Z branch-protection=bti,pac-ret"
_RUST_CFI = "-Z sanitizer=cfi"

OTHER_OPTIONS: dict[str, dict[str, str]] = {
    "PIC Level": {"rustc": "-C relocation-model=pic", "zig": "-fPIC", "swiftc": "-Xcc -fPIC"},
    "PIE Level": {"rustc": "-C relocation-model=pie", "zig": "-fPIE"},
    "Code Model": {"rustc": "-C code-model=", "zig": "-mcmodel="},
    "Large Data Threshold": {"rustc": "-Z large-data-threshold="},
    "uwtable": {"rustc": "-C force-unwind-tables=yes", "zig": "-funwind-tables"},
    "frame-pointer": {"rustc": "-C force-frame-pointers=yes", "zig": "-fno-omit-frame-pointer"},
    "RtLibUseGOT": {"rustc": "-Z plt=no"},
    "direct-access-external-data": {"rustc": "-Z direct-access-external-data="},
    "branch-target-enforcement": {"rustc": _RUST_BRANCHES},
    "sign-return-address": {"rustc": _RUST_BRANCHES},
    "sign-return-address-all": {"rustc": "-Z branch-protection=pac-ret,leaf"},
    "sign-return-address-with-bkey": {"rustc": "-Z branch-protection=pac-ret,b-key"},
    "branch-protection-pauth-lr": {"rustc": "-Z branch-protection=pac-ret,pc"},
    "guarded-control-stack": {"rustc": "-Z branch-protection=gcs"},
    "cf-protection-return": {"rustc": "-Z cf-protection=full"},
    "cf-protection-branch": {"rustc": "-Z cf-protection=full"},
    "function_return_thunk_extern": {"rustc": "-Z function-return=thunk-extern"},
    "indirect_branch_cs_prefix": {"rustc": "-Z indirect-branch-cs-prefix"},
    "kcfi": {"rustc": "-Z sanitizer=kcfi"},
    "kcfi-arity": {"rustc": "-Z sanitizer-kcfi-arity"},
    "kcfi-offset": {"rustc": "-Z patchable-function-entry="},
    "cfi-normalize-integers": {"rustc": "-Z sanitizer-cfi-normalize-integers"},
    "CFI Canonical Jump Tables": {"rustc": f"{_RUST_CFI} -Z sanitizer-cfi-canonical-jump-tables="},
    "cfguard": {"rustc": "-C control-flow-guard="},
    "ehcontguard": {"rustc": "-Z ehcont-guard"},
    "EnableSplitLTOUnit": {"rustc": "-Z split-lto-unit", "zig": _NO_OPTION},
    "Virtual Function Elim": {"rustc": "-Z virtual-function-elimination"},
    "ProfileSummary": {"rustc": "-C profile-use="},
    "Dwarf Version": {"rustc": "-C dwarf-version=", "zig": "-gdwarf32"},
    "NumRegisterParameters": {"rustc": "-Z regparm="},
    "target-abi": {"rustc": _RUST_TARGET, "zig": "-target"},
    "SmallDataLimit": {"rustc": "-Z small-data-threshold="},
    "Swift ABI Version": {"swiftc": _NO_OPTION},
}
"""By key, then by compiler."""

_CLANG = "clang"


def options_of(key: str, value: Metadata | None, compilers: Iterable[str], oldest: int | None = None) -> dict[str, str]:
    """Return the options that give a flag a value, by compiler.

    Args:
        key: of the flag.
        value: its value.
        compilers: names of the compilers. Default: clang.
        oldest: oldest version of LLVM among the inputs, None if unknown.
    """
    others = OTHER_OPTIONS.get(key, {})
    found = {name: others[name] for name in sorted(compilers) if name in others}
    meaning, row = meaning_of(key, value), KNOWN_FLAGS.get(key)
    clang = (meaning.option if meaning is not None else "") or (row.option if row is not None else "")
    if clang and (_CLANG in compilers or not found):
        is_old = row is not None and bool(row.since) and oldest is not None and oldest < float(row.since)
        found[_CLANG] = f"{clang}, with version {row.since} or later" if row is not None and is_old else clang
    return found


def setting(wanted: ModuleFlag) -> tuple[str, ...]:
    """Return the verb of `bitcodec flags` that sets a flag, and its arguments."""
    behavior = wanted.behavior.name.lower().replace("_", "-")
    return ("set", f"{wanted.key}={spelled(wanted.value)}", "--behavior", behavior)

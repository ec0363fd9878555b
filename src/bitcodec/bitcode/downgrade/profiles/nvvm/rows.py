"""What libNVVM lacks, and what is written instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.downgrade.constructs import Rule
from bitcodec.bitcode.downgrade.profiles.profile import row

if TYPE_CHECKING:
    from bitcodec.bitcode.downgrade.constructs import Construct

__all__ = [
    "ADDRESS_SPACE",
    "ALIGNED_FUNCTION",
    "ATOMIC_OPERATION",
    "ATOMIC_ORDERING",
    "ATOMIC_TYPE",
    "DISTANT_CAST",
    "FENCE",
    "FLOATING_TYPES",
    "HALVES",
    "INSTRUCTIONS",
    "LARGE_ALIGNMENT",
    "LINKAGES",
    "NAME",
    "ORDERED_ACCESS",
    "OTHER_SPACE",
    "REFUSED_DATA",
    "SECTION",
    "SHARED_INITIALIZER",
    "STRUCTORS",
    "THREAD_LOCAL",
    "TRIPLE",
    "UNUSED_DATA",
    "VARIANTS",
    "WIDE_INTEGER",
    "attribute",
    "intrinsic",
    "unknown_intrinsic",
]

_DROP, _LOWER, _, _REFUSE = Rule

# Modules and globals
TRIPLE = row("target other than nvptx64-*-cuda", _REFUSE)
NAME = row("name with other characters than letters, digits, `_` and `$`", _LOWER, "the name with `_$_` for them")
LINKAGES = {name: row(f"linkage `{name}`", _REFUSE) for name in ("extern_weak", "appending")}
"""By spelling."""
THREAD_LOCAL = row("thread-local variable", _REFUSE)
STRUCTORS = row("global constructors and destructors", _REFUSE)
SECTION = row("section", _DROP)
ALIGNED_FUNCTION = row("alignment of a function", _DROP)
OTHER_SPACE = row("variable in an address space other than generic, global, shared, constant and local", _REFUSE)
SHARED_INITIALIZER = row("initializer of a shared variable", _REFUSE)
UNUSED_DATA = {
    "personality": row("personality function of a function without landing pads", _DROP),
    "garbage_collector": row("garbage collector", _REFUSE),
}
REFUSED_DATA = {
    "prefix_data": row("prefix data", _REFUSE),
    "prologue_data": row("prologue data", _REFUSE),
}

# Types
FLOATING_TYPES = {name: row(f"type {name}", _REFUSE) for name in ("fp128", "x86_fp80", "ppc_fp128")}
"""By spelling."""
HALVES = {
    "half": row("type half", _LOWER, "i16 and conversions to float"),
    "bfloat": row("type bfloat", _LOWER, "i16 and conversions to float"),
}
"""By spelling."""
WIDE_INTEGER = row("parameter or result of more than 64 bits other than i128", _REFUSE)

# Instructions
INSTRUCTIONS = {
    name: row(name, _REFUSE)
    for name in (
        "indirectbr",
        "callbr",
        "invoke",
        "landingpad",
        "resume",
        "catchswitch",
        "catchpad",
        "cleanuppad",
        "catchret",
        "cleanupret",
    )
}
"""By opcode."""
FENCE = row("fence", _LOWER, "llvm.nvvm.membar")
ORDERED_ACCESS = row("atomic load or store", _LOWER, "a volatile one and llvm.nvvm.membar")
ATOMIC_ORDERING = row("ordering and scope of cmpxchg", _LOWER, "llvm.nvvm.membar and PTX")
ATOMIC_OPERATION = row("operation of atomicrmw", _LOWER, "PTX")
ATOMIC_TYPE = row("atomic operation on a type other than i32 and i64", _REFUSE)
ADDRESS_SPACE = row("addrspacecast to another address space than generic, global, shared, constant and local", _REFUSE)
DISTANT_CAST = row("addrspacecast between two spaces that are not generic", _LOWER, "two casts")
VARIANTS = row("DW_TAG_variant_part of !DICompositeType", _DROP, "DW_TAG_union_type")
LARGE_ALIGNMENT = row("alignment of alloca of more than 2**23 bytes", _DROP, "2**23 bytes")


def attribute(name: str, rule: Rule = _DROP) -> Construct:
    """Return the row of an attribute."""
    return row(f"attribute `{name}`", rule)


def intrinsic(name: str, instead: str, rule: Rule = _LOWER) -> Construct:
    """Return the row of an intrinsic that has another form."""
    return row(name, rule, instead)


def unknown_intrinsic(name: str) -> Construct:
    """Return the row of an intrinsic that libNVVM takes for a function of another module."""
    return row(name, _REFUSE)

"""Constructs that libNVVM lacks, and their replacements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.profiles.profile import row

if TYPE_CHECKING:
    from bitcodec.downgrade.constructs import Construct

__all__ = [
    "ADDRESS_SPACE",
    "ALIGNED_FUNCTION",
    "ASSEMBLY_OPERAND",
    "ASSEMBLY_REGISTER",
    "ASSEMBLY_TYPE",
    "ATOMIC_LOOP",
    "ATOMIC_NAND",
    "ATOMIC_OPERATION",
    "ATOMIC_ORDERING",
    "ATOMIC_SPACE",
    "ATOMIC_TYPE",
    "ATOMIC_WIDE",
    "BLOCK_ADDRESS",
    "CIRCLE",
    "COMMON_SHARED",
    "DECLARED_SUBPROGRAM",
    "DISTANT_CAST",
    "EMPTY_TYPE",
    "EXCHANGE_LOOP",
    "EXCHANGE_TYPE",
    "FENCE",
    "FLOATING_TYPES",
    "GARBAGE_COLLECTOR",
    "HALVES",
    "INACCESSIBLE",
    "INSTRUCTIONS",
    "LARGE_ALIGNMENT",
    "LAYOUT",
    "LINKAGES",
    "METADATA_CALL",
    "NAME",
    "NO_LAYOUT",
    "NO_TRIPLE",
    "ODD_ARITHMETIC",
    "ODD_RESULT",
    "OPTNONE",
    "ORDERED_ACCESS",
    "OTHER_SPACE",
    "OTHER_VERSION",
    "PERSONALITY",
    "REFUSED_DATA",
    "SCALARIZED_RESULT",
    "SECTION",
    "SHARED_INITIALIZER",
    "SOURCE",
    "SPLIT_OPERAND",
    "SPLIT_RESULT",
    "STRUCTORS",
    "THREAD_LOCAL",
    "TRIPLE",
    "UNION_FILE",
    "UNSUPPORTED",
    "VARIABLE_ARGUMENTS",
    "VARIANTS",
    "VERSION",
    "WIDE_ARITHMETIC",
    "WIDE_INTEGER",
    "attribute",
    "intrinsic",
    "unknown_intrinsic",
]

_DROP, _LOWER, _, _REFUSE = Way

UNSUPPORTED = "unsupported operation"
"""The message of its code generator."""
SPLIT_RESULT = "Do not know how to split the result of this operator!"
SPLIT_OPERAND = "Do not know how to split this operator's operand!"
SCALARIZED_RESULT = "Do not know how to scalarize the result of this operator!"
"""The messages of the step of its code generator that takes vectors apart."""

# Modules and globals
VERSION = row(
    "no version of NVVM IR (!nvvmir.version)",
    _LOWER,
    "version 2.0",
    "IR version 1.0 incompatible with current version 2.0",
)
OTHER_VERSION = row("another version of NVVM IR", _LOWER, "version 2.0", "incompatible IR detected")
LAYOUT = row("data layout of another LLVM", _LOWER, "that of NVVM IR", "Invalid data layout")
NO_TRIPLE = row("module without a target triple", _REFUSE, "", "Module does not contain a triple, should be 'nvptx64-'")
NO_LAYOUT = row("no data layout", _LOWER, "that of NVVM IR", "Empty target data layout, must exist")
TRIPLE = row("target other than nvptx64-*-cuda", _REFUSE, "", "Invalid target triple")
NAME = row(
    "name that PTX does not have",
    _LOWER,
    "the name with `_$_` for other characters than letters, digits, `_` and `$`",
    "Invalid identifier name: {0}",
)
LINKAGES = {
    name: row(f"linkage `{name}`", _REFUSE, "", f"{name} linkage is not supported.")
    for name in ("extern_weak", "appending")
}
"""By spelling."""
THREAD_LOCAL = row("thread-local variable", _REFUSE, "", UNSUPPORTED)
STRUCTORS = row("global constructors and destructors", _REFUSE, "", "{0} is not supported.")
COMMON_SHARED = row("shared variable with linkage `common`", _LOWER, "linkage `weak`")
SECTION = row("section", _DROP, "", "Explicit section marker")
OPTNONE = row("attribute `optnone`", _DROP)
"""libNVVM accepts it, but cannot select instructions for some code that it does not optimize."""
INACCESSIBLE = row("`memory(inaccessiblemem: ...)` of a function with a body", _DROP)
"""libNVVM adds `readnone` to functions that turn out to access no memory, and then refuses to have both."""
ALIGNED_FUNCTION = row("alignment of a function", _DROP, "", "Explicit alignment is not allowed.")
OTHER_SPACE = row(
    "variable in an address space other than generic, global, shared and constant",
    _REFUSE,
    "",
    "Invalid address space for global variable",
)
SHARED_INITIALIZER = row("initializer of a shared variable", _REFUSE, "", "Shared variables can't be initialized")
CIRCLE = row(
    "variable whose initializer leads back to it", _REFUSE, "", "Circular dependency found in global variable set"
)
PERSONALITY = row("personality function", _DROP, "", "Personality function is not allowed.")
GARBAGE_COLLECTOR = row("garbage collector", _REFUSE, "", "GC names are not supported.")
REFUSED_DATA = {
    "prefix_data": row("prefix data", _REFUSE, "", "Prefix data is not allowed."),
    "prologue_data": row("prologue data", _REFUSE, "", "Prologue data is not allowed."),
}
"""By attribute of functions in the model."""

# Types
FLOATING_TYPES = {
    name: row(f"type {name}", _REFUSE, "", f"{name} type is not supported")
    for name in ("fp128", "x86_fp80", "ppc_fp128")
}
"""By spelling."""
HALVES = {
    name: row(f"type {name}", _LOWER, "i16 and conversions to float", f"{name} type is not supported")
    for name in ("half", "bfloat")
}
"""By spelling."""
EMPTY_TYPE = row("parameter or result without size", _REFUSE, "", "Empty parameter types are not supported")
ODD_RESULT = row("result of an integer type other than i1, i8, i16, i32, i64 and i128", _REFUSE, "", UNSUPPORTED)
_ASSEMBLY = "Invalid type in inline assembly, must be i8, i16, i32, i64, float, or double"
ASSEMBLY_TYPE = row("operand of inline assembly that is larger than its register", _REFUSE, "", _ASSEMBLY)
ASSEMBLY_OPERAND = row("vector or odd integer as operand of inline assembly", _LOWER, "an integer", _ASSEMBLY)
ASSEMBLY_REGISTER = row("register of 128 bits in inline assembly", _REFUSE)
"""libNVVM crashes on a result, and its PTX is empty if there are only arguments."""
WIDE_INTEGER = row("parameter or result of more than 64 bits other than i128", _REFUSE)
WIDE_ARITHMETIC = row("division or conversion of an integer of more than 128 bits", _REFUSE)
ODD_ARITHMETIC = row("division or conversion of integers of more than 64 bits", _LOWER, "integers of 128 bits")

# Instructions
INSTRUCTIONS = {
    name: row(name, _REFUSE, "", f"Illegal instruction: {name}")
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
BLOCK_ADDRESS = row("address of a block", _REFUSE, "", "blockaddress is not supported")
FENCE = row("fence", _LOWER, "llvm.nvvm.membar", "Illegal instruction: fence")
ORDERED_ACCESS = row(
    "atomic load or store", _LOWER, "a volatile one and llvm.nvvm.membar", "Atomic loads/stores are not supported"
)
ATOMIC_ORDERING = row("ordering and scope of cmpxchg", _LOWER, "llvm.nvvm.membar and PTX")
ATOMIC_OPERATION = row("operation of atomicrmw", _LOWER, "PTX", "Atomic operations on non-i32/i64/i128 types")
ATOMIC_SPACE = row(
    "atomic operation on an address space other than generic, global and shared",
    _REFUSE,
    "",
    "pointer operand must point to",
)
EXCHANGE_TYPE = row("cmpxchg of i16 or pointers", _LOWER, "PTX", "Atomic operations on non-i32/i64/i128 types")
ATOMIC_WIDE = row("atomicrmw on i128", _REFUSE, "", "Atomic operations on i128 types are only supported")
_LOOP = "a loop of cmpxchg"
ATOMIC_NAND = row("atomicrmw nand", _LOWER, _LOOP, "atomicrmw does not support NAND operation")
ATOMIC_LOOP = row(
    "atomicrmw that PTX has no instruction for", _LOWER, _LOOP, "Atomic operations on non-i32/i64/i128 types"
)
EXCHANGE_LOOP = row("cmpxchg of i8", _LOWER, "a loop of cmpxchg of i32", "Atomic operations on non-i32/i64/i128 types")
ATOMIC_TYPE = row(
    "atomic operation on a type other than pointers, integers and floating-point numbers of 8 to 64 bits",
    _REFUSE,
    "",
    "Atomic operations on non-i32/i64/i128 types",
)
ADDRESS_SPACE = row(
    "addrspacecast from or to another address space than generic, global, shared, constant and local",
    _REFUSE,
    "",
    "address space",
)
DISTANT_CAST = row(
    "addrspacecast between two spaces that are not generic",
    _LOWER,
    "two casts",
    "Cannot cast non-generic pointer to different non-generic pointer",
)
VARIABLE_ARGUMENTS = row("variable arguments", _LOWER, "generic addresses of them")
VARIANTS = row("DW_TAG_variant_part of !DICompositeType", _DROP, "DW_TAG_union_type")
DECLARED_SUBPROGRAM = row("subprogram of a function with a body that is not a definition", _DROP)
SOURCE = row("source text of some files in debug information", _DROP)
UNION_FILE = row(
    "file of a class or union in debug information, which is missing",
    _LOWER,
    "the file of the compile unit",
    "class/union requires a filename",
)
METADATA_CALL = row("metadata as operand of a call of an intrinsic that LLVM 7 does not know", _REFUSE)
LARGE_ALIGNMENT = row(
    "alignment of alloca of more than 2**23 bytes", _DROP, "2**23 bytes", "alloca align must be <= 2^23"
)


def attribute(name: str, way: Way = _DROP) -> Construct:
    """Return the row of an attribute."""
    return row(f"attribute `{name}`", way, "", f"{name} function attribute is not supported.")


def intrinsic(name: str, instead: str, way: Way = _LOWER, message: str | None = None) -> Construct:
    """Return the row of an intrinsic that has another form."""
    return row(name, way, instead, f"Unsupported intrinsic: {name}" if message is None else message)


def unknown_intrinsic(name: str) -> Construct:
    """Return the row of an intrinsic that libNVVM takes for a function of another module."""
    return row(name, _REFUSE)

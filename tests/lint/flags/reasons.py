"""Why inputs that were compiled with different options have no findings, and which options need not agree."""

from __future__ import annotations

import bitcodec
from bitcodec.flags.spelling import spelled

__all__ = ["HARMLESS", "differing_keys", "reason_for"]

HARMLESS = {
    "level": "levels of optimization are mixed on purpose, and nothing depends on them",
    "c": "versions of the language, visibility: properties of a source file",
    "c++": "versions of the language: properties of a source file",
    "sections": "properties of a source file",
    "protector": "each function is protected or not, whatever others are",
    "sanitizer": "a sanitizer of some files is a common way to use it; the driver links its library",
    "profile": "a profile of some files is a common way to use it",
    "openmp": "each function is compiled for OpenMP or not",
    "extra": "properties of single functions",
    "source-id": "names of files differ by design",
    "apple": "no change of the ABI",
}
"""By name of a choice: inputs may differ in it."""

_ABI = "the calling convention is in each function; clang before 24 has no flag"
_CODE = "the difference is in the code and the attributes of functions"
NOT_RECORDED = {
    "debug": "both have the same version of the debug information",
    "codeview": "both have CodeView, and so no conflict",
    "position": "the same flags: -fno-plt is an attribute, or the target is position-independent anyway",
    "lto": "the same kind of LTO, or the target's linker has no summaries",
    "lto-more": "the same kind of LTO, or the target's linker has no summaries",
    "model": "the target's default, or a model that is an attribute of the target",
    "medium": "the target's default",
    "cet": "an option without effect on this target",
    "branches": "the same protection under two names",
    "ptrauth": "an option without effect on flags",
    "hwasan": _CODE,
    "kcfi": "an option that this version ignores",
    "cfi": "the same type identifiers",
    "frame": "the target's default",
    "kernel": _CODE,
    "clash": "an option without effect on this target",
    "thunks": _CODE,
    "unwind": "only functions have the difference: uwtable; the flag is the same",
    "interposition": "the same flags: definitions are dso_local or not",
    "access": "the default of the target",
    "widths": "the default of the target; the signedness of char and sizes of enumerations are no flags but on Arm",
    "arm-abi": _ABI,
    "riscv-abi": "the same ABI for another processor",
    "riscv32-abi": "the same ABI for another processor",
    "loong-abi": _ABI,
    "power-abi": _ABI,
    "mips-abi": _ABI,
    "z-abi": _ABI,
    "double": "long double is not used, or clang is older than 24",
    "guard-cf": "an option that this version ignores",
    "windows-unwind": "the target's default",
    "windows": _CODE,
    "mingw": _CODE,
    "variant": "clang before 15 ignores the option, later ones need an SDK",
    "objc": "ARC is a property of a source file",
    "objc-linux": "GNU runtimes have no flags",
    "vtables": _CODE,
    "gpu": "processors are attributes of functions",
    "nvptx": "processors are attributes of functions",
    "wasm": "features are attributes of functions",
    "avr": _CODE,
    "hexagon": "processors are attributes of functions",
    "threads": _CODE,
    "exceptions": "clang before 24 has no flag for the model of exceptions",
    "guard-64": "one choice",
    "guard-rest": "one choice",
    "guard": "an option without effect on this target",
    "label": "one choice",
    "arm-branches": "the same protection",
}
"""By name of a choice: why clang writes the same flags."""
_TRACKING = "debug information may be missing, or less exact, in some inputs"
_FUNCTIONS = "each function has an attribute of its own; the flag is for functions that LLVM makes"
NO_FAULT = {
    "Debug Info Version": _TRACKING,
    "Dwarf Version": _TRACKING,
    "DWARF64": "debuggers and linkers accept units of both forms in one program",
    "CodeView": _TRACKING,
    "CodeViewGHash": "the linker computes missing hashes",
    "debug-info-assignment-tracking": _TRACKING,
    "uwtable": _FUNCTIONS,
    "frame-pointer": _FUNCTIONS,
    "probe-stack": _FUNCTIONS,
    "RtLibUseGOT": "calls of the runtime library through the global offset table are right everywhere",
    "nosanitize_hwaddress": "a sanitizer of some files is a common way to use it",
    "tag-stack-memory-buildattr": "tagged stack memory of some functions is a common way to use it",
    "direct-access-external-data": "each declaration is dso_local or not; the flag is for those that LLVM makes",
    "riscv-isa": "the linker adds the instruction sets up",
    "EnableSplitLTOUnit": "the other input is for no LTO, or is not split either",
    "ThinLTO": "the other input is for no LTO",
    "RegCallv4": "only functions with __regcall depend on it, and clang writes the version into their names",
    "eh-asynch": "each source file chooses whether its handlers catch faults; merged code catches more",
    "winx64-eh-unwindv2": "the unwind information of each function contains its own version",
    "winx64-eh-unwind": "the unwind information of each function contains its own version",
    "darwin.target_variant.triple": "the linker checks the versions of the objects",
}
"""By key: why different flags are no finding."""


def differing_keys(inputs: list[bytes]) -> set[str]:
    """Return the keys of flags that not all inputs have alike."""
    stated = [
        {
            (flag.behavior, key, spelled(flag.value))
            for module in bitcodec.loads_all(data)
            for key, flag in module.flags.items()
        }
        for data in inputs
    ]
    return {key for _, key, _ in set.union(*stated) - set.intersection(*stated)}


def reason_for(axis: str, inputs: list[bytes]) -> str | None:
    """Return why there is no finding, None if there is no reason."""
    keys = differing_keys(inputs)
    if not keys:
        return NOT_RECORDED.get(axis)
    if not all(bitcodec.loads(data).flags for data in inputs):
        return "an input has no flags: llvm-link 22 does not change the flags of the others, even of behavior Min"
    reasons = [NO_FAULT.get(key) for key in sorted(keys)]
    return None if None in reasons else "; ".join(filter(None, reasons))

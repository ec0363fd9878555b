"""Rules for flags of targets and of code generation."""

from __future__ import annotations

from bitcodec.lint.findings import Severity
from bitcodec.lint.flags.faults import FlagFault
from bitcodec.lint.flags.rows import STOPS, FlagCheck

__all__ = ["ROWS"]

_ERROR, _WARNING, _NOTE = Severity

ROWS = (
    FlagCheck(
        "target-abi-mixed",
        frozenset({"target-abi"}),
        {**STOPS, FlagFault.MISSING: _ERROR, FlagFault.APART: _ERROR},
        "Some inputs were compiled for another calling convention, or do not record theirs",
        "If values differ, the link stops. If the flag is absent, the linker uses the ABI of the others without a "
        "message: code that was compiled for another ABI passes floating-point arguments in the wrong registers.",
        "Compile all inputs for one ABI. If an input was compiled for that ABI and only lacks the flag, set it with "
        "`bitcodec flags set`.",
        is_for_all=True,
    ),
    FlagCheck(
        "code-model-mixed",
        frozenset({"Code Model", "Large Data Threshold"}),
        {**STOPS, FlagFault.MISSING: _WARNING},
        "Some inputs were compiled for another code model",
        "If values differ, the link stops. If the flag is absent, full LTO compiles everything for the model of the "
        "others; in ThinLTO and native links, code of the small model may not reach data that the large model places "
        "far away.",
        "Compile all inputs for one code model. clang and rustc have different defaults on RISC-V.",
        is_for_all=True,
    ),
    FlagCheck(
        "small-data-limit-mixed",
        frozenset({"SmallDataLimit"}),
        {**STOPS, FlagFault.LOST: _NOTE},
        "Some inputs place fewer variables near the global pointer",
        "clang before 17 writes behavior Error, later versions Min: together they stop the link. If numbers differ, "
        "the linked module uses the lowest.",
        "Compile all inputs with one version of clang and one -msmall-data-limit=.",
    ),
    FlagCheck(
        "pic-level-mixed",
        frozenset({"PIC Level"}),
        {**STOPS, FlagFault.LOST: _WARNING, FlagFault.CHOSEN: _WARNING},
        "Some inputs are not position-independent",
        "With LTO the whole program becomes as position-dependent as that input. A shared library or PIE then needs "
        "relocations that the linker refuses, or text relocations.",
        "Compile all inputs with -fPIC or -fPIE, or none. The flag describes the code; to set it does not change "
        "the code.",
    ),
    FlagCheck(
        "pie-level-mixed",
        frozenset({"PIE Level"}),
        {**STOPS, FlagFault.MISSING: _NOTE, FlagFault.RAISED: _NOTE},
        "Some inputs were compiled for executables only",
        "Code for executables accesses functions and variables of other modules without the global offset table. This "
        "is right for an executable, which may contain -fPIC code too. A shared library must not contain it.",
        "For an executable, none is needed. For a shared library, compile all inputs with -fPIC.",
    ),
    FlagCheck(
        "code-object-version-mixed",
        frozenset({"amdhsa_code_object_version", "amdgpu_code_object_version", "amdgpu_printf_kind"}),
        {**STOPS, FlagFault.MISSING: _WARNING},
        "Inputs for AMD GPUs use different versions of the code object",
        "If values differ, the link stops. An input without the flag is compiled for the version of the others: its "
        "kernel arguments may not be where it reads them.",
        "Compile all inputs with one -mcode-object-version=.",
    ),
    FlagCheck(
        "stack-guard-mixed",
        frozenset(
            {
                "stack-protector-guard",
                "stack-protector-guard-reg",
                "stack-protector-guard-offset",
                "stack-protector-guard-symbol",
            }
        ),
        {**STOPS, FlagFault.MISSING: _WARNING},
        "Inputs find the guard of the stack protector in different places",
        "If values differ, the link stops. Without the flag an input uses the place of the others with full LTO, and "
        "the default place otherwise.",
        "Compile all inputs with the same -mstack-protector-guard options.",
    ),
    FlagCheck(
        "unwind-tables-mixed",
        frozenset({"uwtable"}),
        {**STOPS, FlagFault.RAISED: _NOTE},
        "Inputs have different kinds of unwind tables",
        "Only functions that LLVM makes itself are affected: they get the more exact tables.",
        "Usually none is needed. Otherwise compile all inputs with the same -f[asynchronous-]unwind-tables.",
    ),
    FlagCheck(
        "frame-pointers-mixed",
        frozenset({"frame-pointer"}),
        {**STOPS, FlagFault.RAISED: _NOTE, FlagFault.MISSING: _NOTE},
        "Some inputs keep frame pointers, others do not",
        "Only functions that LLVM makes itself are affected. Profilers that follow frame pointers lose the callers of "
        "functions from inputs without them.",
        "Compile all inputs with the same -f[no-]omit-frame-pointer.",
    ),
)

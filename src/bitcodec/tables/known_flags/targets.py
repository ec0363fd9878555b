"""Flags of single targets and systems."""

from __future__ import annotations

from bitcodec.tables.known_flags.rows import FlagMeaning, KnownFlag
from bitcodec.tables.module_flags import Behavior

__all__ = ["ROWS"]

_YES = {1: FlagMeaning("yes")}
_CODE_OBJECT = {
    version * 100: FlagMeaning(f"code object version {version}", f"-mcode-object-version={version}")
    for version in (2, 3, 4, 5, 6)
}

ROWS = (
    # x86
    KnownFlag(
        "NumRegisterParameters",
        "i32",
        Behavior.ERROR,
        "how many arguments are passed in registers, on i386",
        unit="{} registers",
        option="-mregparm=",
        producers=("clang", "rustc"),
        since="3.9",
    ),
    KnownFlag(
        "SkipRaxSetup",
        "i32",
        Behavior.OVERRIDE,
        "whether callers of variadic functions leave AL alone where no vector is passed",
        _YES,
        option="-mskip-rax-setup",
        since="14",
    ),
    KnownFlag(
        "RegCallv4",
        "i32",
        Behavior.ERROR,
        "whether __regcall is that of version 4",
        _YES,
        option="-regcall4",
        since="17",
    ),
    # RISC-V, LoongArch, PowerPC
    KnownFlag(
        "target-abi",
        "string",
        Behavior.ERROR,
        "calling convention, on RISC-V and LoongArch",
        {
            "ilp32": FlagMeaning("32-bit, floating point in integer registers", "-mabi=ilp32"),
            "ilp32f": FlagMeaning("32-bit, float in registers of its own", "-mabi=ilp32f"),
            "ilp32d": FlagMeaning("32-bit, float and double in registers of their own", "-mabi=ilp32d"),
            "ilp32e": FlagMeaning("32-bit, 16 registers", "-mabi=ilp32e"),
            "lp64": FlagMeaning("64-bit, floating point in integer registers", "-mabi=lp64"),
            "lp64f": FlagMeaning("64-bit, float in registers of its own", "-mabi=lp64f"),
            "lp64d": FlagMeaning("64-bit, float and double in registers of their own", "-mabi=lp64d"),
            "lp64e": FlagMeaning("64-bit, 16 registers", "-mabi=lp64e"),
            "lp64s": FlagMeaning("64-bit, no floating-point registers", "-mabi=lp64s"),
        },
        option="-mabi=",
        producers=("clang", "rustc"),
        since="10",
    ),
    KnownFlag(
        "riscv-isa",
        "tuple",
        Behavior.APPEND_UNIQUE,
        "instruction sets that modules were compiled for, on RISC-V",
        option="-march=",
        producers=("clang", "rustc"),
        since="18",
    ),
    KnownFlag(
        "SmallDataLimit",
        "i32",
        Behavior.MIN,
        "size up to which variables lie near the global pointer, on RISC-V",
        unit="up to {} bytes",
        option="-msmall-data-limit=, -G",
        since="11",
        other_behaviors=(Behavior.ERROR,),
    ),
    KnownFlag(
        "float-abi",
        "string",
        Behavior.ERROR,
        "form of long double, on PowerPC",
        {
            "doubledouble": FlagMeaning("a pair of double", "-mabi=ibmlongdouble"),
            "ieeequad": FlagMeaning("IEEE quadruple precision", "-mabi=ieeelongdouble"),
            "ieeedouble": FlagMeaning("double", "-mlong-double-64"),
        },
        option="-mabi=ibmlongdouble, -mabi=ieeelongdouble, -mlong-double-64",
    ),
    # GPUs
    KnownFlag(
        "amdhsa_code_object_version",
        "i32",
        Behavior.ERROR,
        "version of the code object, on AMDGPU",
        _CODE_OBJECT,
        option="-mcode-object-version=",
        since="19",
    ),
    KnownFlag(
        "amdgpu_code_object_version",
        "i32",
        Behavior.ERROR,
        "version of the code object, on AMDGPU",
        _CODE_OBJECT,
        option="-mcode-object-version=",
        since="15",
        successor="amdhsa_code_object_version",
    ),
    KnownFlag(
        "amdgpu_printf_kind",
        "string",
        Behavior.ERROR,
        "how printf works, on AMDGPU",
        {
            "hostcall": FlagMeaning("by calls of the host", "-mprintf-kind=hostcall"),
            "buffered": FlagMeaning("by a buffer", "-mprintf-kind=buffered"),
        },
        option="-mprintf-kind=",
        since="17",
    ),
    KnownFlag(
        "amdgpu_hostcall",
        "i32",
        Behavior.OVERRIDE,
        "whether the host is called, on AMDGPU; LLVM 14",
        _YES,
        since="12",
    ),
    KnownFlag(
        "nvvm-reflect-ftz",
        "i32",
        Behavior.OVERRIDE,
        "what becomes of numbers too small to be normal, on NVIDIA's GPUs",
        {
            0: FlagMeaning("numbers too small to be normal are kept", "-fno-gpu-flush-denormals-to-zero"),
            1: FlagMeaning("numbers too small to be normal become zero", "-fgpu-flush-denormals-to-zero"),
        },
        option="-f[no-]gpu-flush-denormals-to-zero",
        since="5",
    ),
    # Windows and consoles
    KnownFlag(
        "MaxTLSAlign",
        "i32",
        Behavior.ERROR,
        "largest alignment of a variable of a thread",
        unit="{} bits",
        since="17",
    ),
    KnownFlag(
        "ms-kernel", "i32", Behavior.WARNING, "whether it is code of the kernel", _YES, option="/kernel", since="16"
    ),
    KnownFlag(
        "eh-asynch", "i32", Behavior.WARNING, "whether hardware exceptions are caught", _YES, option="/EHa", since="13"
    ),
    KnownFlag(
        "import-call-optimization",
        "i32",
        Behavior.WARNING,
        "whether calls through import tables are listed, for the kernel to rewrite",
        _YES,
        option="/d2ImportCallOptimization",
        since="20",
    ),
    KnownFlag(
        "winx64-eh-unwindv2",
        "i32",
        Behavior.WARNING,
        "whether unwind information of version 2 describes epilogues",
        {1: FlagMeaning("where that can be"), 2: FlagMeaning("in all functions, or compiling fails")},
        option="/d2epilogunwind",
        since="21",
    ),
    # Apple
    KnownFlag(
        "SDK Version", "array of i32", Behavior.WARNING, "version of the SDK", producers=("clang", "swiftc"), since="8"
    ),
    KnownFlag(
        "darwin.target_variant.triple",
        "string",
        Behavior.WARNING,
        "second target of the module",
        option="-darwin-target-variant",
        producers=("clang", "swiftc"),
        since="14",
    ),
    KnownFlag(
        "darwin.target_variant.SDK Version",
        "array of i32",
        Behavior.WARNING,
        "version of the second target's SDK",
        producers=("clang", "swiftc"),
        since="14",
    ),
    # DirectX
    KnownFlag(
        "dx.nativelowprec",
        "i32",
        Behavior.ERROR,
        "whether 16-bit types are native",
        _YES,
        option="-enable-16bit-types",
        since="20",
    ),
    KnownFlag(
        "dx.resmayalias",
        "i32",
        Behavior.ERROR,
        "whether resources may overlap",
        _YES,
        option="-res-may-alias",
        since="20",
    ),
    # z/OS
    KnownFlag("zos_product_major_version", "i32", Behavior.WARNING, "version of the compiler", unit="{}", since="17"),
    KnownFlag("zos_product_minor_version", "i32", Behavior.WARNING, "its second part", unit="{}", since="17"),
    KnownFlag("zos_product_patchlevel", "i32", Behavior.WARNING, "its third part", unit="{}", since="17"),
    KnownFlag("zos_product_id", "string", Behavior.ERROR, "name of the compiler", since="17"),
    KnownFlag("zos_cu_language", "string", Behavior.ERROR, "source language", since="17"),
    KnownFlag(
        "zos_translation_time",
        "i32",
        Behavior.MAX,
        "when it was compiled: no two are the same",
        unit="{} seconds since 1970",
        since="17",
    ),
    KnownFlag(
        "zos_le_char_mode",
        "string",
        Behavior.ERROR,
        "character set of the runtime environment",
        {"ascii": FlagMeaning("ASCII"), "ebcdic": FlagMeaning("EBCDIC")},
        since="17",
    ),
)

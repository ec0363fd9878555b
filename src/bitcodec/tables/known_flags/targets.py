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
        Behavior.OVERRIDE,
        "whether __regcall is that of version 4",
        _YES,
        option="-regcall4",
        since="17",
        other_behaviors=(Behavior.ERROR,),
    ),
    # Arm, RISC-V, LoongArch, PowerPC
    KnownFlag(
        "arm-eabi-fp-denormal",
        "i32",
        Behavior.OVERRIDE,
        "build attribute: numbers too small to be normal",
        {
            0: FlagMeaning("they become positive zero"),
            1: FlagMeaning("as IEEE 754 has them"),
            2: FlagMeaning("zero with their sign"),
        },
        option="-fdenormal-fp-math=",
        since="23",
        other_behaviors=(Behavior.MAX,),
    ),
    KnownFlag(
        "arm-eabi-fp-exceptions",
        "i32",
        Behavior.MIN,
        "build attribute: floating-point exceptions",
        {0: FlagMeaning("none"), 1: FlagMeaning("as IEEE 754 has them")},
        option="-ffp-exception-behavior=",
        since="23",
    ),
    KnownFlag(
        "arm-eabi-fp-number-model",
        "i32",
        Behavior.MIN,
        "build attribute: kinds of floating-point numbers",
        {
            0: FlagMeaning("none"),
            1: FlagMeaning("finite numbers"),
            2: FlagMeaning("infinities too"),
            3: FlagMeaning("all of IEEE 754"),
        },
        option="-ffast-math",
        since="23",
    ),
    KnownFlag(
        "target-abi",
        "string",
        Behavior.ERROR,
        "calling convention, on RISC-V, and since LLVM 24 also on other targets",
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
            "aapcs": FlagMeaning("Arm's procedure call standard", "-mabi=aapcs"),
            "aapcs-linux": FlagMeaning("Arm's procedure call standard for Linux", "-mabi=aapcs-linux"),
            "aapcs16": FlagMeaning("Arm's procedure call standard for Apple's watchOS", "-mabi=aapcs16"),
            "apcs-gnu": FlagMeaning("Arm's older procedure call standard", "-mabi=apcs-gnu"),
            "elfv1": FlagMeaning("PowerPC's ABI with function descriptors", "-mabi=elfv1"),
            "elfv2": FlagMeaning("PowerPC's ABI without function descriptors", "-mabi=elfv2"),
            "o32": FlagMeaning("MIPS, 32-bit", "-mabi=32"),
            "n32": FlagMeaning("MIPS, 64-bit with 32-bit pointers", "-mabi=n32"),
            "n64": FlagMeaning("MIPS, 64-bit", "-mabi=64"),
        },
        option="-mabi=",
        producers=("clang", "rustc"),
        since="24",
        since_on=(("riscv", "10"),),
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
        is_settable=True,
        other_behaviors=(Behavior.ERROR,),
    ),
    KnownFlag(
        "float-abi",
        "string",
        Behavior.ERROR,
        "how floating-point numbers are passed; until LLVM 23 the form of long double on PowerPC",
        {
            "soft": FlagMeaning("in integer registers", "-msoft-float"),
            "hard": FlagMeaning("in registers of their own", "-mhard-float"),
            "doubledouble": FlagMeaning("a pair of double", "-mabi=ibmlongdouble"),
            "ieeequad": FlagMeaning("IEEE quadruple precision", "-mabi=ieeelongdouble"),
            "ieeedouble": FlagMeaning("double", "-mlong-double-64"),
        },
        option="-m(soft|hard)-float, -mabi=(ibm|ieee)longdouble, -mlong-double-64",
        since="16",
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
        until="18",
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
        "whether the host is called, on AMDGPU",
        _YES,
        since="12",
        until="14",
    ),
    *(
        KnownFlag(
            f"amdgpu.{name}",
            "i32",
            Behavior.ERROR,
            f"whether code is for processors with {what} on, on AMDGPU",
            {0: FlagMeaning("off", f"-mcpu=PROCESSOR:{name}-"), 1: FlagMeaning("on", f"-mcpu=PROCESSOR:{name}+")},
            option=f"-mcpu=PROCESSOR:{name}+",
            since="24",
        )
        for name, what in (("xnack", "retries of memory accesses"), ("sramecc", "error correction of memory"))
    ),
    *(
        KnownFlag(
            f"amdgpu.{name}.oob.mode",
            "i32",
            Behavior.MAX,
            f"accesses behind the end of {what}, on AMDGPU",
            {0: FlagMeaning("strict"), 1: FlagMeaning("relaxed"), 2: FlagMeaning("relaxed, mode 2")},
            producers=("Mesa",),
            since="23",
        )
        for name, what in (("buffer", "buffers"), ("tbuffer", "typed buffers"))
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
        is_settable=True,
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
        until="22",
        successor="winx64-eh-unwind",
    ),
    KnownFlag(
        "winx64-eh-unwind",
        "i32",
        Behavior.WARNING,
        "version of the unwind information",
        {
            0: FlagMeaning("version 1", "-fwinx64-eh-unwind=v1"),
            1: FlagMeaning("version 2 where that can be", "-fwinx64-eh-unwind=v2-best-effort"),
            2: FlagMeaning("version 2, or compiling fails", "-fwinx64-eh-unwind=v2-required"),
            3: FlagMeaning("version 3", "-fwinx64-eh-unwind=v3"),
            4: FlagMeaning("that of the target"),
        },
        option="-fwinx64-eh-unwind=",
        since="23",
    ),
    KnownFlag(
        "ms-hotpatch",
        "i32",
        Behavior.MIN,
        "whether functions can be patched while the program runs",
        {0: FlagMeaning("no: some module is without"), 1: FlagMeaning("yes", "-fms-hotpatch")},
        option="-fms-hotpatch",
        since="24",
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
        other_behaviors=(Behavior.OVERRIDE,),
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
    KnownFlag(
        "dx.allresourcesbound",
        "i32",
        Behavior.ERROR,
        "whether all resources are bound",
        _YES,
        option="-all-resources-bound",
        since="21",
    ),
    KnownFlag("dx.valver", "tuple", Behavior.APPEND_UNIQUE, "version of the validator", since="22"),
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

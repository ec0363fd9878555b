"""Flags that say how code is generated, on all targets: addresses, stack, unwinding, linking."""

from __future__ import annotations

from bitcodec.tables.known_flags.rows import FlagMeaning, KnownFlag
from bitcodec.tables.module_flags import Behavior

__all__ = ["ROWS"]

_BOTH = ("clang", "rustc")
_NO_YES = {0: FlagMeaning("no"), 1: FlagMeaning("yes")}
_YES = {1: FlagMeaning("yes")}

ROWS = (
    KnownFlag(
        "PIC Level",
        "i32",
        Behavior.MIN,
        "position-independent code",
        {
            0: FlagMeaning("none: some module has no such code", "-fno-pic"),
            1: FlagMeaning("with a global offset table of limited size", "-fpic"),
            2: FlagMeaning("with a global offset table of any size", "-fPIC"),
        },
        option="-fpic, -fPIC",
        producers=_BOTH,
        since="3.6",
        other_behaviors=(Behavior.ERROR, Behavior.MAX),
    ),
    KnownFlag(
        "PIE Level",
        "i32",
        Behavior.MAX,
        "position-independent code for executables",
        {
            1: FlagMeaning("with a global offset table of limited size", "-fpie"),
            2: FlagMeaning("with a global offset table of any size", "-fPIE"),
        },
        option="-fpie, -fPIE",
        producers=_BOTH,
        since="3.9",
        other_behaviors=(Behavior.ERROR,),
    ),
    KnownFlag(
        "Code Model",
        "i32",
        Behavior.ERROR,
        "how far apart code and data may lie",
        {
            0: FlagMeaning("tiny", "-mcmodel=tiny"),
            1: FlagMeaning("small", "-mcmodel=small"),
            2: FlagMeaning("kernel", "-mcmodel=kernel"),
            3: FlagMeaning("medium", "-mcmodel=medium"),
            4: FlagMeaning("large", "-mcmodel=large"),
        },
        option="-mcmodel=",
        producers=_BOTH,
        since="8",
    ),
    KnownFlag(
        "Large Data Threshold",
        "i64",
        Behavior.ERROR,
        "size from which on variables lie far away, in the medium and large code models",
        unit="larger than {} bytes",
        option="-mlarge-data-threshold=",
        since="18",
    ),
    KnownFlag(
        "uwtable",
        "i32",
        Behavior.MAX,
        "unwind tables of functions that LLVM makes itself",
        {
            0: FlagMeaning("none", "-fno-unwind-tables"),
            1: FlagMeaning("exact at calls", "-funwind-tables"),
            2: FlagMeaning("exact at every instruction", "-fasynchronous-unwind-tables"),
        },
        option="-f[asynchronous-]unwind-tables",
        producers=_BOTH,
        since="13",
    ),
    KnownFlag(
        "frame-pointer",
        "i32",
        Behavior.MAX,
        "frame pointers of functions that LLVM makes itself",
        {
            0: FlagMeaning("none is kept", "-fomit-frame-pointer"),
            1: FlagMeaning("kept in functions that call others", "-fno-omit-frame-pointer -momit-leaf-frame-pointer"),
            2: FlagMeaning("kept in all functions", "-fno-omit-frame-pointer"),
            3: FlagMeaning("none is kept, but its register is left alone", "-mreserve-frame-pointer-reg"),
            4: FlagMeaning("kept in functions that call others, its register free in the rest"),
        },
        option="-f[no-]omit-frame-pointer",
        producers=_BOTH,
        since="13",
    ),
    KnownFlag(
        "RtLibUseGOT",
        "i32",
        Behavior.MAX,
        "whether calls of the runtime library go through the global offset table",
        _YES,
        option="-fno-plt",
        producers=_BOTH,
        since="6",
        other_behaviors=(Behavior.WARNING,),
    ),
    KnownFlag(
        "SemanticInterposition",
        "i32",
        Behavior.ERROR,
        "whether functions may be replaced by others when the program is loaded",
        _NO_YES,
        option="-fsemantic-interposition",
        since="11",
    ),
    KnownFlag(
        "direct-access-external-data",
        "i32",
        Behavior.MAX,
        "whether variables of other modules are accessed directly",
        {
            0: FlagMeaning("through the global offset table", "-fno-direct-access-external-data"),
            1: FlagMeaning("directly", "-fdirect-access-external-data"),
        },
        option="-f[no-]direct-access-external-data",
        producers=_BOTH,
        since="18",
    ),
    # Stack
    KnownFlag(
        "stack-protector-guard",
        "string",
        Behavior.ERROR,
        "where the stack protector has its guard",
        {
            "global": FlagMeaning("in a variable", "-mstack-protector-guard=global"),
            "tls": FlagMeaning("in memory of the thread", "-mstack-protector-guard=tls"),
            "sysreg": FlagMeaning("at an address in a system register", "-mstack-protector-guard=sysreg"),
        },
        option="-mstack-protector-guard=",
        since="13",
    ),
    KnownFlag(
        "stack-protector-guard-reg",
        "string",
        Behavior.ERROR,
        "register from which the stack protector finds its guard",
        option="-mstack-protector-guard-reg=",
        since="13",
    ),
    KnownFlag(
        "stack-protector-guard-offset",
        "i32",
        Behavior.ERROR,
        "where the guard lies from there",
        unit="{} bytes",
        option="-mstack-protector-guard-offset=",
        since="13",
    ),
    KnownFlag(
        "stack-protector-guard-symbol",
        "string",
        Behavior.ERROR,
        "variable that holds the guard",
        option="-mstack-protector-guard-symbol=",
        since="15",
    ),
    KnownFlag(
        "override-stack-alignment",
        "i32",
        Behavior.ERROR,
        "alignment of the stack",
        unit="{} bytes",
        option="-mstack-alignment=",
        since="13",
    ),
    KnownFlag(
        "probe-stack",
        "string",
        Behavior.OVERRIDE,
        "how large stack frames are touched page by page",
        {"inline-asm": FlagMeaning("by instructions of the function itself", "-fstack-clash-protection")},
        option="-fstack-clash-protection",
    ),
    KnownFlag(
        "stack-probe-size",
        "i32",
        Behavior.MIN,
        "distance between two touches of a large stack frame",
        unit="{} bytes",
        option="-mstack-probe-size=",
    ),
    # Linking
    KnownFlag(
        "Linker Options",
        "tuple",
        Behavior.APPEND_UNIQUE,
        "options for the linker; they are named metadata, `llvm.linker.options`, since LLVM 5",
        since="3.3",
    ),
    KnownFlag(
        "Unique Source File Identifier",
        "tuple",
        Behavior.APPEND,
        "names that distinguish the source files from all others",
        option="-funique-source-file-identifier=",
        since="21",
    ),
)

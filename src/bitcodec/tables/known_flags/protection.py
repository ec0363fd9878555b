"""Flags of control-flow protection: branch protection, CET, CFI, guards; and of sanitizers."""

from __future__ import annotations

from bitcodec.tables.known_flags.rows import FlagMeaning, KnownFlag
from bitcodec.tables.module_flags import Behavior

__all__ = ["ROWS"]

_BOTH = ("clang", "rustc")
_YES = {1: FlagMeaning("yes")}
_ON_FUNCTIONS = {
    0: FlagMeaning("no: some module is without"),
    1: FlagMeaning("in all functions"),
    2: FlagMeaning("as the attributes of each function specify"),
}
_INSTRUMENTED = tuple(
    KnownFlag(
        f"nosanitize_{name}",
        "i32",
        Behavior.OVERRIDE,
        f"that the module has been instrumented by {tool} already",
        _YES,
        option=f"-fsanitize={option}",
        producers=("LLVM's instrumentation",),
        since="20",
    )
    for name, tool, option in (
        ("address", "AddressSanitizer", "address"),
        ("dataflow", "DataFlowSanitizer", "dataflow"),
        ("memory", "MemorySanitizer", "memory"),
        ("thread", "ThreadSanitizer", "thread"),
        ("hwaddress", "HWAddressSanitizer", "hwaddress"),
    )
)
_NO_YES = {0: FlagMeaning("no"), 1: FlagMeaning("yes")}


def _signing(
    key: str, meaning: str, option: str, since: str, *, is_max: bool = False, was_min: bool = False
) -> KnownFlag:
    """Return a flag about signed pointers, which clang 23 writes for every AArch64 ELF target."""
    return KnownFlag(
        key,
        "i32",
        Behavior.MAX if is_max else Behavior.ERROR,
        meaning,
        _NO_YES,
        option=option,
        since="23",
        since_on=(("pauthtest", since), ("arm64e", since)),
        other_behaviors=(Behavior.MIN,) if was_min else (),
    )


def _branch_protection(key: str, meaning: str, option: str, since: str) -> KnownFlag:
    return KnownFlag(
        key,
        "i32",
        Behavior.MIN,
        meaning,
        _ON_FUNCTIONS,
        option=f"-mbranch-protection={option}",
        producers=_BOTH,
        since=since,
        other_behaviors=(Behavior.ERROR,),
    )


ROWS = (
    # AArch64 and Arm
    _branch_protection("branch-target-enforcement", "whether indirect branches have marked targets", "bti", "12"),
    _branch_protection("sign-return-address", "whether return addresses are signed", "pac-ret", "12"),
    _branch_protection(
        "sign-return-address-all", "whether functions that call no others sign them too", "pac-ret+leaf", "12"
    ),
    _branch_protection("sign-return-address-with-bkey", "whether they are signed by the B key", "pac-ret+b-key", "12"),
    _branch_protection(
        "branch-protection-pauth-lr", "whether the place of the signing goes into it", "pac-ret+pc", "18"
    ),
    _branch_protection("guarded-control-stack", "whether return addresses are kept a second time", "gcs", "18"),
    _signing(
        "ptrauth-sign-personality",
        "whether pointers to exception personalities are signed",
        "-fptrauth-calls",
        "20",
        was_min=True,
    ),
    _signing(
        "ptrauth-elf-got",
        "whether pointers in the global offset table are signed",
        "-fptrauth-elf-got",
        "20",
        was_min=True,
    ),
    _signing(
        "ptrauth-init-fini",
        "whether pointers to constructors and destructors are signed",
        "-fptrauth-init-fini",
        "23",
    ),
    _signing(
        "ptrauth-init-fini-address-discrimination",
        "whether their addresses go into these signatures",
        "-fptrauth-init-fini-address-discrimination",
        "23",
    ),
    _signing("ptrauth-returns", "whether return addresses are signed", "-fptrauth-returns", "23", is_max=True),
    _signing(
        "ptrauth-auth-traps", "whether a wrong signature stops at once", "-fptrauth-auth-traps", "23", is_max=True
    ),
    _signing(
        "ptrauth-indirect-gotos",
        "whether addresses of labels are signed",
        "-fptrauth-indirect-gotos",
        "23",
        is_max=True,
    ),
    _signing(
        "aarch64-jump-table-hardening",
        "whether jumps through tables are protected",
        "-faarch64-jump-table-hardening",
        "23",
        is_max=True,
    ),
    KnownFlag(
        "aarch64-elf-pauthabi-platform",
        "i32",
        Behavior.ERROR,
        "whose ABI of signed pointers it is",
        {0: FlagMeaning("none"), 1: FlagMeaning("bare metal"), 0x10000002: FlagMeaning("LLVM's for Linux")},
        "platform {}",
        option="-mabi=pauthtest",
        since="23",
        since_on=(("pauthtest", "19"),),
    ),
    KnownFlag(
        "aarch64-elf-pauthabi-version",
        "i32",
        Behavior.ERROR,
        "which pointers are signed under that ABI",
        unit="version {}: for Linux, a bit for each kind of pointer",
        option="-fptrauth-...",
        since="23",
        since_on=(("pauthtest", "19"),),
    ),
    *(
        KnownFlag(
            f"{name}-buildattr",
            "i32",
            Behavior.OVERRIDE,
            f"that a build attribute records about {what}",
            _YES,
            option=option,
            since="14",
            until="23",
        )
        for name, what, option in (
            ("tag-stack-memory", "tagged stack memory", "-fsanitize=memtag-stack"),
            ("sign-return-address", "signed return addresses", "-mbranch-protection=pac-ret"),
        )
    ),
    # x86 and RISC-V
    KnownFlag(
        "cf-protection-return",
        "i32",
        Behavior.MIN,
        "whether returns go through a shadow stack",
        {0: FlagMeaning("no: some module is without"), 1: FlagMeaning("yes", "-fcf-protection=return")},
        option="-fcf-protection=",
        producers=_BOTH,
        since="7",
        other_behaviors=(Behavior.OVERRIDE,),
    ),
    KnownFlag(
        "cf-protection-branch",
        "i32",
        Behavior.MIN,
        "whether indirect branches have marked targets",
        {0: FlagMeaning("no: some module is without"), 1: FlagMeaning("yes", "-fcf-protection=branch")},
        option="-fcf-protection=",
        producers=_BOTH,
        since="7",
        other_behaviors=(Behavior.OVERRIDE,),
    ),
    KnownFlag(
        "cf-branch-label-scheme",
        "string",
        Behavior.ERROR,
        "how targets of indirect branches are labelled, on RISC-V",
        {
            "unlabeled": FlagMeaning("all alike", "-mcf-branch-label-scheme=unlabeled"),
            "func-sig": FlagMeaning("by the signature of the function", "-mcf-branch-label-scheme=func-sig"),
        },
        option="-mcf-branch-label-scheme=",
        since="20",
    ),
    KnownFlag(
        "ibt-seal",
        "i32",
        Behavior.OVERRIDE,
        "whether marks are left out where no address is taken; LLVM 14 and 15",
        _YES,
        option="-mibt-seal",
        since="14",
        until="15",
        other_behaviors=(Behavior.MIN,),
    ),
    KnownFlag(
        "function_return_thunk_extern",
        "i32",
        Behavior.OVERRIDE,
        "whether functions return through a thunk that is defined elsewhere",
        _YES,
        option="-mfunction-return=thunk-extern",
        producers=_BOTH,
        since="15",
    ),
    KnownFlag(
        "indirect_branch_cs_prefix",
        "i32",
        Behavior.OVERRIDE,
        "whether jumps to thunks have a prefix that makes room for patching",
        _YES,
        option="-mindirect-branch-cs-prefix",
        producers=_BOTH,
        since="16",
    ),
    # Control flow integrity
    KnownFlag(
        "kcfi",
        "i32",
        Behavior.OVERRIDE,
        "whether indirect calls in kernels are checked",
        _YES,
        option="-fsanitize=kcfi",
        producers=_BOTH,
        since="16",
    ),
    KnownFlag(
        "kcfi-arity",
        "i32",
        Behavior.OVERRIDE,
        "whether the check counts arguments too",
        _YES,
        option="-fsanitize-kcfi-arity",
        producers=_BOTH,
        since="21",
    ),
    KnownFlag(
        "kcfi-offset",
        "i32",
        Behavior.OVERRIDE,
        "how far before a function its type is found",
        unit="{} bytes for patching between",
        option="-fpatchable-function-entry=",
        producers=_BOTH,
        since="16",
    ),
    KnownFlag(
        "kcfi-hash",
        "string",
        Behavior.OVERRIDE,
        "hash that makes numbers of types",
        {"xxHash64": FlagMeaning("xxHash64"), "FNV-1a": FlagMeaning("FNV-1a", "-fsanitize-kcfi-hash=FNV-1a")},
        option="-fsanitize-kcfi-hash=",
        since="22",
    ),
    KnownFlag(
        "cfi-normalize-integers",
        "i32",
        Behavior.OVERRIDE,
        "whether integer types of one size count as one",
        _YES,
        option="-fsanitize-cfi-icall-experimental-normalize-integers",
        producers=_BOTH,
        since="17",
    ),
    KnownFlag(
        "CFI Canonical Jump Tables",
        "i32",
        Behavior.OVERRIDE,
        "whether a function's address is that of its entry in a jump table",
        {0: FlagMeaning("no", "-fno-sanitize-cfi-canonical-jump-tables"), 1: FlagMeaning("yes")},
        option="-f[no-]sanitize-cfi-canonical-jump-tables",
        producers=_BOTH,
        since="10",
    ),
    KnownFlag(
        "Cross-DSO CFI",
        "i32",
        Behavior.OVERRIDE,
        "whether calls between shared objects are checked",
        _YES,
        option="-fsanitize-cfi-cross-dso",
        since="3.8",
    ),
    # Windows
    KnownFlag(
        "cfguard",
        "i32",
        Behavior.WARNING,
        "control flow guard",
        {
            1: FlagMeaning("tables alone, no checks", "/guard:cf,nochecks, -mguard=cf-nochecks"),
            2: FlagMeaning("tables and checks", "/guard:cf, -mguard=cf"),
        },
        option="-mguard=, /guard:cf",
        producers=_BOTH,
        since="7",
    ),
    KnownFlag(
        "ehcontguard",
        "i32",
        Behavior.WARNING,
        "whether there are tables of where exceptions may continue",
        _YES,
        option="/guard:ehcont",
        producers=_BOTH,
        since="13",
    ),
    KnownFlag(
        "cfguard-mechanism",
        "i32",
        Behavior.WARNING,
        "how control flow guard checks calls",
        {
            1: FlagMeaning("a call of a checking function", "-fwin-cfg-mechanism=check"),
            2: FlagMeaning("a call through a checking function", "-fwin-cfg-mechanism=dispatch"),
        },
        option="-fwin-cfg-mechanism=",
        since="23",
    ),
    # Sanitizers
    *(
        KnownFlag(f"alloc-token-{name}", type_, Behavior.ERROR, meaning, values, unit, option=option, since="22")
        for name, type_, meaning, values, unit, option in (
            ("mode", "string", "how tokens of allocated types are chosen", {}, "", "-falloc-token-mode="),
            ("max", "i64", "number of tokens of allocated types", {}, "up to {}", "-falloc-token-max="),
            (
                "fast-abi",
                "i64",
                "whether tokens are part of function names",
                _YES,
                "",
                "-fsanitize-alloc-token-fast-abi",
            ),
            ("extended", "i64", "whether more functions allocate", _YES, "", "-fsanitize-alloc-token-extended"),
        )
    ),
    *_INSTRUMENTED,
)

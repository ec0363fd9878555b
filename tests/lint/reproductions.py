"""Real inputs that break a rule: from clang, or with the flags that rustc, zig and swiftc write."""

from __future__ import annotations

import functools
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from answers import recall
from answers.tools import program_of
from bitcodec import dumps, parse_assembly

__all__ = ["DATA", "REPRODUCTIONS", "Reproduction", "compiler_of", "made"]

NAME = "unitx"
"""The function of an input; its name has the length of other names, because C++ puts the length into names."""
SOURCE = f"int {NAME}(int x) {{ return x + 1; }}\n"
DATA = Path(__file__).parent / "data"
RISCV, SOFT = "--target=riscv64-linux-gnu", "-march=rv64imac -mabi=lp64"
ARM64, ARM32 = "--target=aarch64-linux-gnu", "--target=armv7-linux-gnueabihf"
X86, X86_32 = "--target=x86_64-linux-gnu", "--target=i386-linux-gnu"
APPLE, WINDOWS = "--target=x86_64-apple-macosx12", "--target=x86_64-windows-msvc"
SAMPLED = f"clang-22 {X86} -gline-tables-only -fdebug-compilation-dir=. -fprofile-sample-use={{}}.prof"
LP64D = '!{i32 1, !"target-abi", !"lp64d"}'


class Reproduction(NamedTuple):
    """Inputs that break a rule.

    Attributes:
        rule: identifier of the rule.
        inputs: for each input the command that compiles it, or its LLVM assembly.
        fixed: the same, for inputs that keep to the rule.
        stops: whether `llvm-link` stops.
        key: the flag.
    """

    rule: str
    key: str
    inputs: tuple[str, ...]
    fixed: tuple[str, ...]
    stops: bool = False


def rust(triple: str, *flags: str) -> str:
    """Return a module as rustc 1.95 writes it, with flags."""
    return assembly(triple, "rustc version 1.95.0 (59807616e 2026-04-14)", *flags)


def zig(triple: str, *flags: str) -> str:
    """Return a module as zig writes it, with flags."""
    return assembly(triple, "zig 0.15.1", *flags)


def assembly(triple: str, ident: str, *flags: str) -> str:
    numbers = [f"!{number}" for number in range(1, len(flags) + 1)]
    lines = [f'target triple = "{triple}"', "define void @unitx() { ret void }", "!llvm.ident = !{!0}"]
    lines += [f"!llvm.module.flags = !{{{', '.join(numbers)}}}", f'!0 = !{{!"{ident}"}}']
    return "\n".join([*lines, *(f"{number} = {flag}" for number, flag in zip(numbers, flags, strict=True)), ""])


def compiler_of(source: str) -> str | None:
    """Return the compiler that an input needs, None for assembly."""
    return shlex.split(source)[0] if source.startswith("clang-") else None


def made(source: str, name: str) -> bytes:
    """Return the bitcode of an input; the function in it has a name of its own, so that inputs link."""
    assert len(name) == len(NAME)
    text = source if compiler_of(source) is None else compiled(source)
    return _bitcode(text.replace(NAME, name))


def compiled(command: str) -> str:
    """Return the text of the module that clang makes."""
    profiles = [path.read_text() for path in sorted(DATA.glob("*.prof")) if path.name in command]
    text: str = recall([*shlex.split(command), SOURCE, *profiles], lambda: _compile(command))
    return text


def _compile(command: str) -> str:
    compiler, *options = shlex.split(command)
    options += ["-ffile-compilation-dir=.", "-S", "-emit-llvm", "-o", "-", "-"]
    words = [program_of(compiler), "-O1", "-x", "c", *options]
    return subprocess.run(words, input=SOURCE, capture_output=True, text=True, check=True, cwd=DATA).stdout


@functools.cache
def _bitcode(text: str) -> bytes:
    return dumps(parse_assembly(text))


PIC, GOT = '!{i32 8, !"PIC Level", i32 2}', '!{i32 2, !"RtLibUseGOT", i32 1}'
"""What rustc always writes."""
LINUX, RISCV_LINUX, APPLE_TRIPLE = "x86_64-unknown-linux-gnu", "riscv64-unknown-linux-gnu", "x86_64-apple-macosx12.0.0"
OBJC = f"{APPLE} -x objective-c"
IMAGE_INFO = (
    '!{i32 1, !"Objective-C Version", i32 2}',
    '!{i32 1, !"Objective-C Image Info Version", i32 0}',
    '!{i32 1, !"Objective-C Image Info Section", !"__DATA,__objc_imageinfo,regular,no_dead_strip"}',
    '!{i32 1, !"Objective-C Garbage Collection", i8 0}',
    '!{i32 1, !"Objective-C Class Properties", i32 64}',
)
SWIFT_7_3 = ('!{i32 1, !"Swift ABI Version", i32 7}', '!{i32 1, !"Swift Minor Version", i8 3}')
WORD = '!{i32 1, !"Objective-C Garbage Collection", i32 84084480}'
"""As old compilers write it: the versions of Swift (major 5, minor 3, ABI 7) are bytes of it."""
SECTION_1 = '!{i32 1, !"Objective-C Image Info Section", !"__OBJC,__image_info,regular"}'
KCFI, NORMAL = "-fsanitize=kcfi", "-fsanitize-cfi-icall-experimental-normalize-integers"
CFI = f"clang-22 {X86} -fsanitize=cfi -flto -fvisibility=hidden"
GPU = "clang-22 --target=amdgcn-amd-amdhsa -nogpulib"
GUARD = f"clang-22 {X86} -fstack-protector-all -mstack-protector-guard="


def swift(*flags: str) -> str:
    """Return a module as swiftc writes it, with flags beside those of Objective-C."""
    return assembly(APPLE_TRIPLE, "Apple Swift version 6.0", *IMAGE_INFO, *flags)


def swift_of_bytes() -> str:
    """Return a module whose image info contains the versions of Swift as bytes."""
    return assembly(APPLE_TRIPLE, "Apple Swift version 5.3", *IMAGE_INFO[:3], WORD, IMAGE_INFO[4])


def profiled(count: int) -> str:
    """Return a module with a context-sensitive profile of so many runs."""
    pairs = (
        ("ProfileFormat", '!"CSInstrProf"'),
        ("TotalCount", f"i64 {count}"),
        ("MaxCount", "i64 4"),
        ("MaxInternalCount", "i64 0"),
        ("MaxFunctionCount", "i64 4"),
        ("NumCounts", "i64 2"),
        ("NumFunctions", "i64 2"),
        ("DetailedSummary", "!{!{i32 10000, i64 4, i32 2}}"),
    )
    summary = ", ".join(f'!{{!"{name}", {value}}}' for name, value in pairs)
    return hand(f'!{{i32 1, !"CSProfileSummary", !{{{summary}}}}}')


def hand(*flags: str) -> str:
    """Return a module of an unknown producer."""
    return assembly(LINUX, "a compiler", *flags)


def of_c(rule: str, key: str, first: str, second: str, *, stops: bool = False) -> Reproduction:
    """Return two inputs of clang; the fix compiles the second as the first."""
    return Reproduction(rule, key, (first, second), (first, first), stops)


REPRODUCTIONS = (
    # Targets
    of_c("target-abi-mixed", "target-abi", f"clang-22 {RISCV}", f"clang-22 {RISCV} {SOFT}", stops=True),
    Reproduction(
        "target-abi-mixed",
        "target-abi",
        (f"clang-22 {RISCV}", rust(RISCV_LINUX, PIC)),
        (f"clang-22 {RISCV}", rust(RISCV_LINUX, PIC, '!{i32 1, !"target-abi", !"lp64d"}')),
    ),
    of_c("code-model-mixed", "Code Model", f"clang-22 {X86} -mcmodel=kernel", f"clang-22 {X86}"),
    of_c(
        "code-model-mixed",
        "Code Model",
        f"clang-22 {X86} -mcmodel=kernel",
        f"clang-22 {X86} -mcmodel=medium -mlarge-data-threshold=1",
        stops=True,
    ),
    Reproduction(
        "code-model-mixed",
        "Code Model",
        (f"clang-22 {RISCV}", rust(RISCV_LINUX, PIC, '!{i32 1, !"Code Model", i32 3}', LP64D)),
        (f"clang-22 {RISCV} -mcmodel=medany", rust(RISCV_LINUX, PIC, '!{i32 1, !"Code Model", i32 3}', LP64D)),
    ),
    of_c("small-data-limit-mixed", "SmallDataLimit", f"clang-22 {RISCV}", f"clang-16 {RISCV}", stops=True),
    of_c(
        "small-data-limit-mixed", "SmallDataLimit", f"clang-22 {RISCV} -msmall-data-limit=8", f"clang-22 {RISCV} -fPIC"
    ),
    of_c("pic-level-mixed", "PIC Level", f"clang-22 {X86} -fPIC", f"clang-22 {X86} -fno-pic"),
    of_c("pic-level-mixed", "PIC Level", f"clang-22 {X86} -fPIC", f"clang-14 {X86} -fno-pic"),
    of_c("pie-level-mixed", "PIE Level", f"clang-22 {X86} -fPIE", f"clang-22 {X86} -fPIC"),
    of_c(
        "code-object-version-mixed",
        "amdhsa_code_object_version",
        f"{GPU} -mcode-object-version=6",
        f"{GPU} -mcode-object-version=5",
        stops=True,
    ),
    of_c("stack-guard-mixed", "stack-protector-guard", f"{GUARD}global", f"{GUARD}tls", stops=True),
    of_c("stack-guard-mixed", "stack-protector-guard-reg", f"{GUARD}tls -mstack-protector-guard-reg=gs", f"{GUARD}tls"),
    *(
        of_c(
            "stack-guard-mixed",
            f"stack-protector-guard-{what}",
            *(f"{GUARD}tls {option}{each}" for each in values),
            stops=True,
        )
        for what, option, values in (
            ("offset", "-mstack-protector-guard-offset=", ("16", "24")),
            ("symbol", "-mstack-protector-guard-symbol=", ("one_guard", "another_guard")),
        )
    ),
    of_c("windows-guard-mixed", "ehcontguard", f"clang-22 {WINDOWS} -Xclang -ehcontguard", f"clang-22 {WINDOWS}"),
    of_c("unwind-tables-mixed", "uwtable", f"clang-22 {X86}", f"clang-14 {X86}"),
    of_c("frame-pointers-mixed", "frame-pointer", f"clang-22 {X86} -fno-omit-frame-pointer", f"clang-22 {X86}"),
    # Protection
    *(
        of_c("protection-lost", key, f"clang-22 {ARM64} -mbranch-protection=standard", f"clang-{version} {ARM64}")
        for key in ("branch-target-enforcement", "sign-return-address", "guarded-control-stack")
        for version in (14, 19, 22)
    ),
    *(
        of_c("protection-lost", key, f"clang-22 {ARM64} -mbranch-protection=pac-ret+leaf+b-key", f"clang-22 {ARM64}")
        for key in ("sign-return-address-all", "sign-return-address-with-bkey")
    ),
    of_c("protection-lost", "cf-protection-branch", f"clang-22 {X86} -fcf-protection=full", f"clang-22 {X86}"),
    of_c("protection-lost", "cf-protection-return", f"clang-16 {X86} -fcf-protection=full", f"clang-16 {X86}"),
    of_c("protection-claimed", "cf-protection-branch", f"clang-14 {X86} -fcf-protection=full", f"clang-22 {X86}"),
    Reproduction(
        "protection-claimed",
        "cf-protection-return",
        (f"clang-22 {X86}", rust(LINUX, PIC, GOT, '!{i32 4, !"cf-protection-return", i32 1}')),
        (f"clang-22 {X86} -fcf-protection=full", rust(LINUX, PIC, GOT, '!{i32 4, !"cf-protection-return", i32 1}')),
    ),
    of_c("windows-guard-mixed", "cfguard", f"clang-22 {WINDOWS} -Xclang -cfguard", f"clang-22 {WINDOWS}"),
    of_c(
        "windows-guard-mixed",
        "cfguard",
        f"clang-22 {WINDOWS} -Xclang -cfguard",
        f"clang-22 {WINDOWS} -Xclang -cfguard-no-checks",
    ),
    of_c("cfi-mixed", "kcfi", f"clang-22 {X86} {KCFI}", f"clang-22 {X86}"),
    of_c("cfi-mixed", "kcfi-offset", f"clang-22 {X86} {KCFI} -fpatchable-function-entry=5,5", f"clang-22 {X86} {KCFI}"),
    of_c("cfi-mixed", "CFI Canonical Jump Tables", CFI, f"{CFI} -fno-sanitize-cfi-canonical-jump-tables", stops=True),
    Reproduction(
        "cfi-mixed",
        "cfi-normalize-integers",
        (f"clang-22 {X86} {KCFI} {NORMAL}", rust(LINUX, PIC, GOT, '!{i32 4, !"kcfi", i32 1}')),
        (
            f"clang-22 {X86} {KCFI} {NORMAL}",
            rust(LINUX, PIC, GOT, '!{i32 4, !"kcfi", i32 1}', '!{i32 4, !"cfi-normalize-integers", i32 1}'),
        ),
    ),
    # Languages, profiles, LTO
    of_c("wchar-size-mixed", "wchar_size", f"clang-22 {X86}", f"clang-22 {X86} -fshort-wchar", stops=True),
    Reproduction(
        "wchar-size-mixed",
        "wchar_size",
        (f"clang-22 {X86} -fshort-wchar", assembly(LINUX, "clang version 23.0.0", PIC)),
        (f"clang-22 {X86}", assembly(LINUX, "clang version 23.0.0", PIC)),
    ),
    of_c("enum-size-mixed", "min_enum_size", f"clang-22 {ARM32}", f"clang-22 {ARM32} -fshort-enums", stops=True),
    Reproduction(
        "objc-flags-mixed",
        "Objective-C Class Properties",
        (f"clang-22 {OBJC}", assembly(APPLE_TRIPLE, "Apple LLVM version 7 (clang-700)", *IMAGE_INFO[:4])),
        (f"clang-22 {OBJC}", swift()),
    ),
    Reproduction(
        "objc-flags-mixed",
        "Objective-C Enforce ClassRO Pointer Signing",
        (f"clang-22 {OBJC}", swift('!{i32 1, !"Objective-C Enforce ClassRO Pointer Signing", i8 16}')),
        (f"clang-22 {OBJC}", swift('!{i32 1, !"Objective-C Enforce ClassRO Pointer Signing", i8 0}')),
        stops=True,
    ),
    Reproduction(
        "swift-version-mixed",
        "Swift ABI Version",
        (swift('!{i32 1, !"Swift ABI Version", i32 7}'), swift('!{i32 1, !"Swift ABI Version", i32 6}')),
        (swift('!{i32 1, !"Swift ABI Version", i32 7}'), f"clang-22 {OBJC}"),
        stops=True,
    ),
    Reproduction(
        "swift-version-mixed",
        "Swift Minor Version",
        (swift('!{i32 1, !"Swift Minor Version", i8 10}'), swift('!{i32 1, !"Swift Minor Version", i8 9}')),
        (swift('!{i32 1, !"Swift Minor Version", i8 10}'), swift('!{i32 1, !"Swift Minor Version", i8 10}')),
        stops=True,
    ),
    Reproduction(
        "swift-version-mixed",
        "Swift Major Version",
        (swift_of_bytes(), swift(*SWIFT_7_3, '!{i32 1, !"Swift Major Version", i8 6}')),
        (swift_of_bytes(), swift(*SWIFT_7_3, '!{i32 1, !"Swift Major Version", i8 5}')),
        stops=True,
    ),
    of_c("dwarf-version-mixed", "Dwarf Version", f"clang-22 {X86} -gdwarf-5", f"clang-22 {X86} -gdwarf-4"),
    Reproduction(
        "debug-info-version-mixed",
        "Debug Info Version",
        (f"clang-22 {X86} -g", hand(PIC, '!{i32 2, !"Debug Info Version", i32 2}')),
        (f"clang-22 {X86} -g", hand(PIC, '!{i32 2, !"Debug Info Version", i32 3}')),
    ),
    of_c("profile-mixed", "ProfileSummary", SAMPLED.format("one"), SAMPLED.format("two"), stops=True),
    of_c("profile-mixed", "CSProfileSummary", profiled(8), profiled(9), stops=True),
    of_c(
        "split-lto-unit-mixed",
        "EnableSplitLTOUnit",
        f"clang-22 {X86} -flto=thin -fsplit-lto-unit",
        f"clang-22 {X86} -flto=thin",
        stops=True,
    ),
    Reproduction(
        "split-lto-unit-mixed",
        "EnableSplitLTOUnit",
        (f"clang-22 {X86} -flto=thin -fsplit-lto-unit", rust(LINUX, PIC, GOT)),
        (f"clang-22 {X86} -flto=thin", rust(LINUX, PIC, GOT)),
    ),
    Reproduction(
        "split-lto-unit-mixed",
        "EnableSplitLTOUnit",
        (f"clang-22 {X86} -flto=thin", zig(LINUX, PIC, '!{i32 4, !"EnableSplitLTOUnit", i32 1}')),
        (f"clang-22 {X86} -flto=thin", zig(LINUX, PIC, '!{i32 1, !"EnableSplitLTOUnit", i32 0}')),
    ),
    of_c("lto-kind-mixed", "ThinLTO", f"clang-22 {X86} -flto=full", f"clang-22 {X86} -flto=thin -fsplit-lto-unit"),
    of_c("lto-kind-mixed", "UnifiedLTO", f"clang-22 {X86} -flto=thin -funified-lto", f"clang-22 {X86} -flto=full"),
    of_c(
        "strict-vtable-pointers-mixed",
        "StrictVTablePointers",
        f"clang-22 {X86} -x c++ -fstrict-vtable-pointers",
        f"clang-22 {X86} -x c++",
    ),
    # All flags
    of_c("flag-missing", "SemanticInterposition", f"clang-22 {X86} -fPIC -fsemantic-interposition", f"clang-22 {X86}"),
    of_c("flag-missing", "override-stack-alignment", f"clang-22 {X86} -mstack-alignment=32", f"clang-22 {X86}"),
    of_c(
        "conflicting-values",
        "NumRegisterParameters",
        f"clang-22 {X86_32} -mregparm=3",
        f"clang-22 {X86_32} -mregparm=2",
        stops=True,
    ),
    Reproduction(
        "conflicting-overrides",
        "nvvm-reflect-ftz",
        (hand('!{i32 4, !"nvvm-reflect-ftz", i32 1}'), hand('!{i32 4, !"nvvm-reflect-ftz", i32 0}')),
        (hand('!{i32 4, !"nvvm-reflect-ftz", i32 1}'), hand('!{i32 4, !"nvvm-reflect-ftz", i32 1}')),
        stops=True,
    ),
    Reproduction(
        "conflicting-behaviors",
        "wide-registers",
        (hand('!{i32 1, !"wide-registers", i32 1}'), hand('!{i32 2, !"wide-registers", i32 1}')),
        (hand('!{i32 1, !"wide-registers", i32 1}'), hand('!{i32 1, !"wide-registers", i32 1}')),
        stops=True,
    ),
    Reproduction(
        "unmet-requirement",
        "wide-registers",
        (hand('!{i32 1, !"wide-registers", i32 1}'), hand('!{i32 3, !"needs", !{!"wide-registers", i32 2}}')),
        (hand('!{i32 1, !"wide-registers", i32 2}'), hand('!{i32 3, !"needs", !{!"wide-registers", i32 2}}')),
        stops=True,
    ),
    Reproduction(
        "overridden-value",
        "wide-registers",
        (hand('!{i32 1, !"wide-registers", i32 1}'), hand('!{i32 4, !"wide-registers", i32 2}')),
        (hand('!{i32 1, !"wide-registers", i32 2}'), hand('!{i32 4, !"wide-registers", i32 2}')),
    ),
    Reproduction(
        "different-values",
        "openmp-target",
        (hand('!{i32 2, !"openmp-target", i32 1}'), hand('!{i32 2, !"openmp-target", i32 2}')),
        (hand('!{i32 2, !"openmp-target", i32 1}'), hand('!{i32 2, !"openmp-target", i32 1}')),
    ),
    # Single modules
    Reproduction(
        "static-code",
        "PIC Level",
        (hand(PIC).replace("define", "@counter = external dso_local global i32\ndefine"),),
        (hand(PIC).replace("define", "@counter = external global i32\ndefine"),),
    ),
    Reproduction(
        "duplicate-flag",
        "wide-registers",
        (hand('!{i32 1, !"wide-registers", i32 1}', '!{i32 1, !"wide-registers", i32 1}'),),
        (hand('!{i32 1, !"wide-registers", i32 1}'),),
        stops=True,
    ),
    Reproduction(
        "malformed-flag",
        "wide-registers",
        (hand('!{i32 7, !"wide-registers", !"many"}'),),
        (hand('!{i32 7, !"wide-registers", i32 2}'),),
        stops=True,
    ),
    Reproduction(
        "unusual-flag",
        "wchar_size",
        (hand('!{i32 2, !"wchar_size", i32 4}'),),
        (hand('!{i32 1, !"wchar_size", i32 4}'),),
    ),
    Reproduction(
        "objc-image-info",
        "Objective-C Version",
        (assembly(APPLE_TRIPLE, "a compiler", *IMAGE_INFO[1:]),),
        (assembly(APPLE_TRIPLE, "a compiler", *IMAGE_INFO),),
    ),
    Reproduction(
        "objc-image-info",
        "Objective-C Image Info Section",
        (assembly(APPLE_TRIPLE, "a compiler", *IMAGE_INFO[:2], SECTION_1, IMAGE_INFO[3]),),
        (assembly(APPLE_TRIPLE, "a compiler", *IMAGE_INFO),),
    ),
    Reproduction(
        "misspelled-flag",
        "wchar-size",
        (hand('!{i32 1, !"wchar-size", i32 4}'),),
        (hand('!{i32 1, !"wchar_size", i32 4}'),),
    ),
    Reproduction(
        "debug-info-dropped",
        "Debug Info Version",
        (hand(PIC, '!{i32 2, !"Debug Info Version", i32 2}'),),
        (f"clang-22 {X86} -g",),
    ),
)

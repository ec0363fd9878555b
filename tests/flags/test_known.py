"""The table of known flags: all that producers write is in it, and it is what they write."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import recall
from bitcodec.flags import KNOWN_FLAGS, Behavior, KnownFlags, describe, explain, known, lint, meaning_of, set_flag
from corpus import FOLDER, needs_corpus

from .text import Int, Node, Str, flag, made

SECTION, COLLECTION = "Objective-C Image Info Section", "Objective-C Garbage Collection"
COMMANDS = (
    "-g -gdwarf64 -fcf-protection=full -fno-plt -fPIC -fopenmp -mstack-alignment=32",
    "-mcmodel=large -fstack-clash-protection -mstack-probe-size=8192 -flto -fwhole-program-vtables -fvisibility=hidden",
    "-fsanitize=cfi-icall -flto -fvisibility=hidden -fsemantic-interposition -fPIC -mskip-rax-setup",
    "-fsanitize=kcfi -mfunction-return=thunk-extern -mindirect-branch-cs-prefix -mregparm=2 -m32",
    "--target=aarch64-linux-gnu -mbranch-protection=bti+pac-ret+leaf+b-key+gcs",
    "--target=x86_64-windows-msvc -g -gcodeview -Xclang -cfguard -Xclang -ehcontguard",
    "--target=riscv64-linux-gnu -march=rv64gc",
    "--target=armv7-linux-gnueabihf -fshort-enums -fshort-wchar",
    "-mstack-protector-guard=tls -mstack-protector-guard-reg=fs -mstack-protector-guard-offset=8",
    "--target=s390x-ibm-zos",
)
SOURCE = "int f(int x) { return x; }"
CANNOT_BE_KNOWN = re.compile(r"mod\d")
"""Keys that LLVM's own tests make up."""


@pytest.mark.parametrize("options", COMMANDS)
def test_the_table_is_what_clang_writes(options: str) -> None:
    def compute() -> list[tuple[str, str, str]]:
        command = ["clang-22", *options.split(), "-S", "-emit-llvm", "-x", "c", "-", "-o", "-"]
        text = subprocess.run(command, input=SOURCE, text=True, check=True, capture_output=True).stdout
        return re.findall(r'^!\d+ = (?:distinct )?!\{i32 (\d), !"([^"]*)", ([^ }]*)', text, re.MULTILINE)

    flags = recall([f"clang-22 {options}", SOURCE], compute)
    assert flags
    for behavior, key, value in flags:
        row = KNOWN_FLAGS[key]
        assert row.behavior == int(behavior), key
        assert value == row.type or not row.type.startswith("i"), key


PLATFORMS = {
    "invalid": "none",
    "baremetal": "bare metal",
    "llvm_linux": "LLVM's for Linux",
    "unknown": "platform 2",
}
"""By name of llvm-readelf, that of the table."""


@pytest.mark.parametrize("value", [0, 1, 2, 0x10000002])
def test_platforms_of_signed_pointers_are_those_of_llvm(value: int, tmp_path: Path) -> None:
    text = f"""
target triple = "aarch64-linux-gnu"
!llvm.module.flags = !{{!0, !1}}
!0 = !{{i32 1, !"aarch64-elf-pauthabi-platform", i32 {value}}}
!1 = !{{i32 1, !"aarch64-elf-pauthabi-version", i32 0}}
"""

    def compute() -> str:
        path = tmp_path / "object.o"
        subprocess.run(["llc-22", "-filetype=obj", "-", "-o", path], input=text, text=True, check=True)
        notes = subprocess.run(["llvm-readelf-22", "-n", path], text=True, check=True, capture_output=True).stdout
        return re.findall(r"platform 0x\w+ \((\w+)\)", notes)[0]

    name = recall(["llc-22 -filetype=obj, llvm-readelf-22 -n", text], compute)
    assert describe("aarch64-elf-pauthabi-platform", value) == PLATFORMS[name]


@needs_corpus
def test_keys_of_llvms_own_tests_are_known() -> None:
    unknown = set()
    for path in sorted(FOLDER.glob("legacy/*.bc")):
        try:
            unknown |= {key for module in bitcodec.open_all(path) for key in module.flags if key not in KNOWN_FLAGS}
        except bitcodec.BitcodecError:
            continue
    assert not {key for key in unknown if not CANNOT_BE_KNOWN.fullmatch(key)}


def test_every_row_says_what_there_is_to_say() -> None:
    for key, row in KNOWN_FLAGS.items():
        assert row.key == key
        assert row.meaning
        assert row.type in ("string", "tuple", "array of i32") or row.bit_width
        assert not row.successor or row.successor in KNOWN_FLAGS
        assert all(isinstance(value, int) == (row.bit_width is not None) for value in row.values), key


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("wchar_size", 2, "wchar_t is 2 bytes: -fshort-wchar"),
        ("wchar_size", 3, "wchar_t is 3 bytes"),
        ("short_wchar", 1, "wchar_t is 2 bytes: -fshort-wchar"),
        ("short_enum", 0, "enumerations are at least as large as int: -fno-short-enums"),
        ("min_enum_size", 1, "enumerations are as small as their values allow: -fshort-enums"),
        ("PIC Level", 2, "with a global offset table of any size: -fPIC"),
        ("target-abi", "lp64d", "64-bit, float and double in registers of their own: -mabi=lp64d"),
        (
            "Objective-C Image Info Section",
            "__DATA, __objc_imageinfo, regular, no_dead_strip",
            "that of the Objective-C ABI 2",
        ),
        ("target-abi", "mine", ""),
        ("PIC Level", "2", ""),
        ("mine", 1, ""),
    ],
)
def test_describe(key: str, value: int | str, text: str) -> None:
    assert describe(key, value) == text
    metadata = made([flag(1, key, Int(value) if isinstance(value, int) else Str(value))]).flags[key].value
    assert describe(key, metadata) == text


def test_explain() -> None:
    row = explain("Objective-C Garbage Collection")
    assert row is not None
    assert (row.type, row.behavior, row.bit_width) == ("i8", Behavior.ERROR, 8)
    assert explain("mine") is None
    assert meaning_of("wchar_size", None) is None


# Attributes


def test_known_flags_are_attributes() -> None:
    module = made([flag(8, "PIC Level", Int(2)), flag(1, "target-abi", Str("lp64"))])
    flags = known(module)
    assert (flags.pic_level, flags.target_abi, flags.wchar_size) == (2, "lp64", None)
    flags.pic_level = 1
    flags.objective_c_garbage_collection = 2
    flags.target_abi = None
    flags.uwtable = None
    assert [str(each.node) for each in module.flags.values()] == [
        '!{i32 8, !"PIC Level", i32 1}',
        '!{i32 1, !"Objective-C Garbage Collection", i8 2}',
    ]
    with pytest.raises(ValueError, match="256 does not fit into an i8"):
        known(made(None)).objective_c_garbage_collection = 256


def test_each_attribute_has_the_type_of_its_row() -> None:
    attributes = {name: each for name, each in vars(KnownFlags).items() if hasattr(each, "_key")}
    assert len(attributes) > 20
    for name, each in attributes.items():
        assert each._is_integer == (KNOWN_FLAGS[each._key].bit_width is not None), name
        assert each.__doc__ == KNOWN_FLAGS[each._key].meaning


def test_unknown_flags_are_set_as_errors() -> None:
    module = made(None)
    set_flag(module, "mine", 1)
    set_flag(module, "also mine", "x", Behavior.OVERRIDE)
    assert [str(each.node) for each in module.flags.values()] == [
        '!{i32 1, !"mine", i32 1}',
        '!{i32 4, !"also mine", !"x"}',
    ]


# What nobody would write

OBJECTIVE_C = (
    flag(1, "Objective-C Version", Int(2)),
    flag(1, "Objective-C Image Info Version", Int(0)),
    flag(1, SECTION, Str("__DATA, __objc_imageinfo, regular, no_dead_strip")),
    flag(1, COLLECTION, Int(2, 8)),
)


@pytest.mark.parametrize(
    ("flags", "doubts"),
    [
        (OBJECTIVE_C, []),
        (OBJECTIVE_C[1:3], ["Objective-C Version: it is required", "Objective-C Garbage Collection: it is required"]),
        (
            (flag(1, "Objective-C Version", Int(1)), *OBJECTIVE_C[1:]),
            ["Objective-C Image Info Section: it is not that of"],
        ),
        (
            (
                *OBJECTIVE_C[:3],
                flag(4, "Objective-C Garbage Collection", Int(0, 8)),
                flag(1, "Objective-C GC Only", Int(6)),
            ),
            ["Objective-C GC Only: it needs Objective-C Garbage Collection to be 2"],
        ),
        ([flag(1, "wchar_size", Str("4"))], ['wchar_size: expected i32, found !"4"']),
        ([flag(1, "min_enum_size", Int(2))], ["min_enum_size: i32 2 is not one of the values 1, 4"]),
        ([flag(5, "wchar_size", Node())], ["wchar_size: expected i32, found !{}"]),
        ([flag(2, "wchar_size", Int(4))], ["wchar_size: it behaves as Warning, where producers write Error"]),
        ([flag(1, "target-abi", Int(1))], ["target-abi: expected string, found i32 1"]),
        ([flag(2, "SDK Version", Str("14"))], ['SDK Version: expected array of i32, found !"14"']),
        ([flag(1, "mine", Int(1))], []),
    ],
)
def test_lint(flags: list[Node], doubts: list[str]) -> None:
    found = [str(doubt) for doubt in lint(made(flags).flags)]
    assert len(found) == len(doubts)
    for text, beginning in zip(found, doubts, strict=True):
        assert text.startswith(beginning)


@needs_corpus
def test_all_that_compilers_write_is_known_and_not_doubted() -> None:
    unknown, doubted = set(), {}
    for path in sorted(FOLDER.glob("modules/*.bc")):
        for module in bitcodec.open_all(path):
            unknown |= {key for key in module.flags if explain(key) is None}
            doubts = lint(module.flags)
            if doubts:
                doubted[path.name] = doubts
    assert not unknown
    assert not doubted

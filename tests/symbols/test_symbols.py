"""Symbols of modules: names and letters are those of `llvm-nm`, for every kind of object file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.globals import GlobalAlias, GlobalVariable
from bitcodec.ir.module import Module
from bitcodec.symbols import Symbol, SymbolFlags, symbols_of
from bitcodec.symbols.mangling import MANGLINGS
from bitcodec.symbols.targets import TripleTarget

DATA = Path(__file__).parents[1] / "data" / "symbols"
OF_64_BITS = """
    x86_64 x86_64h amd64 aarch64 aarch64_be arm64 arm64e arm64ec amdgcn bpf bpfel bpfeb loongarch64 mips64 mips64el
    mips64r6 mipsn32 mipsn32el mipsisa64r6 nvptx64 powerpc64 ppu ppc64le riscv64 riscv64be sparcv9 sparc64 s390x systemz
    spir64 spirv spirv1.5 spirv64 spirv64v1.2 ve wasm64 renderscript64 amdil64 hsail64
"""
OF_32_BITS = """
    i686 i786 aarch64_32 arm64_32 arm armv7 thumbv7 r600 avr hexagon lanai loongarch32 m68k mips mipsel msp430 nvptx ppc
    powerpcle riscv32 sparc sparcel spir spirv32 spirv32v1.2 wasm32 xcore xtensa csky arc dxil le64 tce foo
"""
NAMES = sorted(path.stem for path in DATA.glob("*.bc"))


def lines(symbols: list[Symbol], width: int) -> list[str]:
    """Return what `llvm-nm` would print."""
    shown = sorted((symbol.name.encode("utf-8", "surrogateescape"), symbol) for symbol in symbols)
    return [f"{('-' if symbol.is_defined else ' ') * width} {symbol.letter} {symbol.name}" for _, symbol in shown]


def module_with(assembly: str, triple: str = "x86_64-unknown-linux-gnu", layout: str = "e-m:e") -> Module:
    module = Module("test", DataLayout(layout))
    module.target_triple = triple
    module.module_asm = assembly
    return module


def letters(module: Module) -> dict[str, str]:
    return {symbol.name: symbol.letter for symbol in symbols_of(module)}


@pytest.mark.parametrize("name", NAMES)
def test_symbols_are_those_of_llvm(name: str) -> None:
    module = bitcodec.open(DATA / f"{name}.bc")
    width = 16 if TripleTarget.of(module.target_triple).is_64_bit else 8

    assert lines(symbols_of(module), width) == (DATA / f"{name}.nm").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", sorted(DATA.glob("*.all.nm")), ids=lambda path: path.name)
def test_private_and_llvms_own_symbols_are_named_too(path: Path) -> None:
    module = bitcodec.open(DATA / path.name.replace(".all.nm", ".bc"))
    width = 16 if TripleTarget.of(module.target_triple).is_64_bit else 8

    assert lines(symbols_of(module, format_specific=True), width) == path.read_text(encoding="utf-8").splitlines()


def test_a_symbol_knows_its_global() -> None:
    module = bitcodec.open(DATA / "linkage.bc")
    found = {symbol.name: symbol for symbol in symbols_of(module)}
    assert found["weak_odr"].value is module.global_variables["weak_odr"]
    assert found["weak_odr"].flags == SymbolFlags.GLOBAL | SymbolFlags.WEAK | SymbolFlags.HIDDEN | SymbolFlags.CONST
    assert (found["weak_odr"].is_weak, found["weak_odr"].is_global, found["local"].is_global) == (True, True, False)
    assert found["_GLOBAL_OFFSET_TABLE_"].value is None


def test_modules_of_one_file_number_what_has_no_name_together() -> None:
    first, second = (bitcodec.open(DATA / "linkage.bc") for _ in range(2))
    names = [symbol.name for symbol in symbols_of(first, second) if symbol.name.startswith("__unnamed")]
    assert names == ["__unnamed_1", "__unnamed_2"]


def test_no_modules_have_no_symbols() -> None:
    assert symbols_of() == []


@pytest.mark.parametrize(
    ("letter", "name"), [("", "a"), ("a", "L..a"), ("e", ".La"), ("l", "L#a"), ("m", "$a"), ("w", ".La"), ("x", "L_a")]
)
def test_prefixes_of_private_names(letter: str, name: str) -> None:
    mangling = MANGLINGS[letter]
    assert mangling.private + mangling.prefix + "a" == name


@pytest.mark.parametrize("architecture", OF_64_BITS.split())
def test_addresses_of_64_bits(architecture: str) -> None:
    assert TripleTarget.of(f"{architecture}-x-y").is_64_bit


@pytest.mark.parametrize("architecture", ["", *OF_32_BITS.split()])
def test_other_addresses(architecture: str) -> None:
    assert not TripleTarget.of(architecture).is_64_bit


@pytest.mark.parametrize(
    ("triple", "needs"),
    [
        ("i386-unknown-linux-gnu", True),
        ("i386", True),
        ("i686-pc-windows-msvc", False),
        ("i386-pc-windows-msvc-elf", True),
        ("i386-apple-darwin", False),
        ("i386-apple-macosx-elf", True),
        ("i386-pc-linux-gnu-wasm", False),
        ("i386-pc-linux-xcoff", False),
        ("x86_64-unknown-linux-gnu", False),
    ],
)
def test_who_needs_the_global_offset_table(triple: str, needs: bool) -> None:
    assert TripleTarget.of(triple).needs_global_offset_table == needs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:", {"a": "t"}),
        (".globl a\na:", {"a": "T"}),
        (".weak a", {"a": "w"}),
        (".weak a; .globl a; a:", {"a": "W"}),
        ("a: .globl a; .weak a", {"a": "W"}),
        ("call a", {"a": "U"}),
        (".set a, b", {"a": "t", "b": "U"}),
        ("a = b + 4", {"a": "t", "b": "U"}),
        (".quad a - b, 0x1f, 1f\n1:", {"a": "U", "b": "U", ".Ltmp0": "t"}),
        (".size a, . - a", {"": "t"}),
        ('.ascii "b: ; .globl c"', {}),
        ("# a:\n/* b:\n*/ c: // d:", {"c": "t"}),
        ('"a b": jmp "c d"', {"a b": "t", "c d": "U"}),
        ("movl %eax, a(%rip)", {"a": "U"}),
        (".symver a, a@V1\n.globl a", {"a": "U", "a@V1": "U"}),
        (".symver a, a@@@V1\n a:", {"a": "t", "a@@V1": "t"}),
        (".unknown a, b", {}),
        ('.globl "a', {"a": "U"}),
        (".globl 5, , +", {}),
    ],
)
def test_assembly_text(text: str, expected: dict[str, str]) -> None:
    assert letters(module_with(text)) == expected


@pytest.mark.parametrize(
    ("triple", "text", "expected"),
    [
        ("armv7-linux-gnueabi", "a: @ b:\nadd r0, r0, #4; c:", {"a": "t", "c": "t"}),
        ("aarch64-linux-gnu", "a: ; b: // c:\n# d:", {"a": "t", "b": "t"}),
        ("arm64-apple-macosx", "a: ; b:\nc: %% d:", {"a": "t", "c": "t", "d": "t"}),
        ("riscv64-linux-gnu", "jal ra, a; addi a0, a0, 1", {"a": "U"}),
    ],
)
def test_assembly_text_of_other_targets(triple: str, text: str, expected: dict[str, str]) -> None:
    assert letters(module_with(text, triple)) == expected


@pytest.mark.parametrize(
    "text", ["a:", '"\\"', "{", "/*", '\\"', "/", ".", "a ", "a=", "%", "1", "$", "@", "a,", "call x\n", "1:", ".x"]
)
@pytest.mark.parametrize("start", ["", ".quad ", 'mov "', ".globl "])
def test_hostile_assembly_text_takes_time_in_proportion(start: str, text: str) -> None:
    module = module_with(start + text * 20_000)
    begin = time.process_time()
    symbols_of(module)
    assert time.process_time() - begin < 2


def test_a_long_chain_of_aliases_is_followed_once() -> None:
    module = Module("test", DataLayout())
    integer, pointer = module.context.types.integer(8), module.context.types.pointer(0)
    last = GlobalVariable(pointer, integer)
    last.initializer = module.context.constants.integer(integer, 0)
    module.append(last)
    target = last
    for _ in range(3000):
        alias = GlobalAlias(pointer, integer)
        alias.aliasee = target
        module.append(alias)
        target = alias
    begin = time.process_time()
    assert {symbol.letter for symbol in symbols_of(module)} == {"D"}
    assert time.process_time() - begin < 2

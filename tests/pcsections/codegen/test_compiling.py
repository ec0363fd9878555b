"""LLVM's code generator, through llvmlite: what it makes, and how what it cannot make is told."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, add_module_flag, new_module
from bitcodec.containers.elf_file import ElfFile
from bitcodec.errors import PCSectionsError
from bitcodec.ir import Module
from bitcodec.pcsections import PCSection
from bitcodec.pcsections.codegen.compiling import CodeGenerator, compile_module
from bitcodec.pcsections.metadata.attaching import attach
from bitcodec.pcsections.objects.pieces import pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbols
from pcsections.samples import TRIPLE, sample

needs_llvmlite = pytest.mark.skipif(importlib.util.find_spec("llvmlite") is None, reason="llvmlite is not installed")

TARGETS = {
    "x86_64-linux-gnu": 62,
    "i386-linux-gnu": 3,
    "aarch64-linux-gnu": 183,
    "aarch64_be-linux-gnu": 183,
    "arm-linux-gnueabi": 40,
    "riscv64-linux-gnu": 243,
    "powerpc64-linux-gnu": 21,
    "powerpc64le-linux-gnu": 21,
    "s390x-linux-gnu": 22,
    "loongarch64-linux-gnu": 258,
    "mips64-linux-gnuabi64": 8,
    "sparcv9-linux-gnu": 43,
    "hexagon-unknown-linux-musl": 164,
    "ve-unknown-linux-gnu": 251,
}
"""Triples, and what they are in ELF."""


def tagged(triple: str = TRIPLE) -> Module:
    module = sample(triple)
    number = module.context.constants.integer(module.context.types.integer(32), 7)
    attach(module, "functions,stores", [PCSection.of("hot", [number])])
    return module


def starts(data: bytes) -> list[str]:
    """Return the functions that the PCs of section `hot` are in, sorted."""
    symbols = FunctionSymbols(data)
    found = []
    for piece in pieces(data, {"hot"}):
        assert piece.pcs is not None
        for section, target in zip(piece.pcs.sections, piece.pcs.targets, strict=True):
            function = symbols.find(section, target)
            assert function is not None
            found.append(function.name)
    return sorted(found)


@needs_llvmlite
@pytest.mark.parametrize("triple", TARGETS)
def test_targets(triple: str) -> None:
    module = tagged()

    data = compile_module(module, triple=triple, opt_level=1)

    assert ElfFile(data).header.machine == TARGETS[triple]
    assert set(starts(data)) == {"helper", "load", "main"}
    assert module.target_triple == TRIPLE


@needs_llvmlite
def test_bytes_may_be_given() -> None:
    assert starts(compile_module(bitcodec.dumps(tagged()))) == ["helper", "load", "main", "main", "main"]


@needs_llvmlite
@pytest.mark.parametrize(
    ("flag", "options", "size"),
    [
        (None, {}, 4),
        (4, {}, 8),
        (3, {}, 8),
        (1, {}, 4),
        (4, {"code_model": "small"}, 4),
        (None, {"code_model": "large"}, 8),
        (None, {"code_model": "kernel"}, 4),
        (4, {"triple": "x86_64-linux"}, 8),
        (4, {"triple": "aarch64-linux-gnu"}, 4),
        (None, {"triple": "powerpc64-linux-gnu"}, 8),
        (None, {"triple": "powerpc64-linux-gnu", "code_model": "small"}, 4),
    ],
)
def test_code_models(flag: int | None, options: dict[str, Any], size: int) -> None:
    module = tagged()
    if flag is not None:
        add_module_flag(module, 1, "Code Model", flag)
    for piece in pieces(compile_module(module, **options), {"hot"}):
        assert piece.pcs is not None
        assert set(piece.pcs.sizes) == {size}


def relocation_types(data: bytes) -> set[int]:
    file = ElfFile(data)
    text = next(section.index for section in file.sections if section.name == ".text")
    return {kind for table in file.relocations(text) for kind in table.types}


@needs_llvmlite
def test_relocation_models() -> None:
    module = new_module("m", target_triple=TRIPLE)
    types = module.context.types
    other = add_function(module, "other", types.function(types.void, []), is_dso_local=True)
    function = add_function(module, "f", types.function(types.ptr, []))
    Builder(add_block(function)).ret(other)
    absolute, relative = {10}, {2}

    assert relocation_types(compile_module(module)) == absolute
    assert relocation_types(compile_module(module, relocation_model="pic")) == relative
    add_module_flag(module, 8, "PIC Level", 2)
    assert relocation_types(compile_module(module)) == relative
    assert relocation_types(compile_module(module, relocation_model="static")) == absolute


@needs_llvmlite
def test_passes_may_go_first() -> None:
    module = tagged()
    module.functions["helper"].linkage = bitcodec.ir.Linkage.INTERNAL
    assert "helper" in starts(compile_module(module))
    assert "helper" not in starts(compile_module(module, optimize=True))


@needs_llvmlite
def test_what_selection_loses_does_not_stop_it() -> None:
    module = sample()
    attach(module, "all,functions", [PCSection.of("hot")])
    said: list[str] = []

    data = compile_module(module, said=said.append)

    assert set(starts(data)) == {"helper", "load", "main"}
    assert any("los" in line for line in said)
    assert compile_module(sample()) != data


@needs_llvmlite
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"triple": "x86_64-apple-macosx"}, "has no PC sections"),
        ({"triple": "x86_64-pc-windows-msvc"}, "has no PC sections"),
        ({"triple": "wasm32-unknown-unknown"}, "has no PC sections"),
        ({"triple": "aarch64-linux-gnu", "code_model": "medium"}, "code model 'medium'"),
        ({"triple": "aarch64-linux-gnu", "code_model": "tiny"}, "llvmlite has no code model tiny"),
    ],
)
def test_what_cannot_be_had(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PCSectionsError, match=message):
        compile_module(tagged(), **options)


@needs_llvmlite
def test_targets_without_pc_sections_are_fine_for_others() -> None:
    assert compile_module(sample(), triple="x86_64-apple-macosx")[:4] == b"\xcf\xfa\xed\xfe"


@needs_llvmlite
def test_a_module_without_a_target() -> None:
    with pytest.raises(PCSectionsError, match="name a target, such as x86_64-linux-gnu"):
        compile_module(sample(""))
    assert compile_module(sample(""), triple=TRIPLE)


@needs_llvmlite
def test_crashes_of_llvm_are_one_line() -> None:
    module = sample()
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    builder.call(module.context.constants.inline_asm(function.function_type, "nonsense", ""), [])
    builder.ret()
    with pytest.raises(
        PCSectionsError, match=r"^LLVM cannot compile it: .*invalid instruction mnemonic 'nonsense'$"
    ) as caught:
        compile_module(module)
    assert "\n" not in str(caught.value)


@needs_llvmlite
def test_problems_are_counted() -> None:
    module = tagged()
    attach(module, "fence", [PCSection.of("main"), PCSection.of(".data")])
    with pytest.raises(PCSectionsError, match=r"section main has the name .* \(and 1 more: `bitcodec pcsections show`"):
        compile_module(module)


def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(PCSectionsError, match=r'pip install "bitcodec\[codegen\]"'):
        CodeGenerator.of(sample())

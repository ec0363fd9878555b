"""PC sections and LLVM's own back end: attaching changes no code, and what `check` refuses LLVM cannot do.

`BITCODEC_SAME_CODE=all` compiles all of the corpus, which takes three minutes; else a sample.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import bitcodec
import corpus
from bitcodec.containers.elf_file import ElfFile
from bitcodec.errors import PCSectionsError
from bitcodec.ir import Module
from bitcodec.pcsections import PCSECTIONS, PCSection
from bitcodec.pcsections.codegen.compiling import CodeGenerator, OptLevel
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.pcsections.metadata.attaching import attach
from pcsections.malformed import MALFORMED, Malformed
from pcsections.samples import TRIPLE, instruction, sample

from . import llvmlite_view
from .goldens import is_of_one_module

pytestmark = pytest.mark.skipif(not llvmlite_view.is_there(), reason="llvmlite is not installed")

FALLBACK = "x86_64-unknown-linux-gnu"
SAMPLE = 20
"""One in so many modules."""

CHANGES: dict[str, str] = {}
"""Modules of which LLVM makes other code if nodes are attached, and why: there are none."""

MODULES = [file for file in corpus.streams() if is_of_one_module(file)]
CHOSEN = MODULES if os.environ.get("BITCODEC_SAME_CODE") == "all" else MODULES[::SAMPLE]


class Compiled(NamedTuple):
    """The code of a module without nodes, and with nodes on everything."""

    plain: list[bytes]
    tagged: list[bytes]


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("file", corpus.parameters(CHOSEN))
def test_attaching_changes_nothing_else(file: corpus.File, opt_level: OptLevel) -> None:
    compiled = compile_twice(file.data, opt_level)

    assert (compiled.plain != compiled.tagged) is (file.path in CHANGES)


def compile_twice(data: bytes, opt_level: OptLevel) -> Compiled:
    """Compile a module without nodes and with nodes on everything; skip if LLVM cannot compile it as it is."""
    module = bitcodec.loads(data)
    module.materialize()
    plain = bitcodec.dumps(module)
    number = module.context.constants.integer(module.context.types.integer(32), 7)
    attach(module, "all,functions", [PCSection.of("everything", [number])])
    reasons = []
    for triple in triples(module):
        generator = CodeGenerator.of(module, triple=triple)
        try:
            before = generator.emitted(plain, opt_level, optimize=False)
        except PCSectionsError as error:
            # It is LLVM's doing, not that of how the module was written: as it came it cannot be compiled either.
            with pytest.raises(PCSectionsError):
                generator.emitted(data, opt_level, optimize=False)
            reasons.append(f"{triple}: {error}")
            continue
        after = generator.emitted(bitcodec.dumps(module), opt_level, optimize=False)
        return Compiled(code(before), code(after))
    pytest.skip("; ".join(reasons))


def triples(module: Module) -> Iterator[str]:
    """Yield what to compile a module for: its own target, or ELF on its processor, or on another one."""
    processor = module.target_triple.split("-")[0].replace("arm64", "aarch64")
    for triple in dict.fromkeys([module.target_triple, f"{processor}-unknown-linux-gnu", FALLBACK]):
        try:
            Target.of(triple)
        except PCSectionsError:
            continue
        yield triple


def code(data: bytes) -> list[bytes]:
    file = ElfFile(data)
    return [bytes(file.content(section)) for section in file.sections if section.is_executable]


@pytest.mark.parametrize("row", MALFORMED, ids=lambda row: row.title)
def test_what_is_refused_llvm_cannot_do(row: Malformed) -> None:
    module = sample()
    instruction(module, "load").metadata[PCSECTIONS] = row.node(module)
    generator = CodeGenerator.of(module, triple=TRIPLE)
    if not row.stops:
        assert generator.emitted(bitcodec.dumps(module), 0, optimize=False)
        return
    with pytest.raises(PCSectionsError, match=r"^LLVM (cannot compile it|crashed)"):
        generator.emitted(bitcodec.dumps(module), 0, optimize=False)


@pytest.mark.parametrize("triple", ["x86_64-apple-macosx", "wasm32-unknown-unknown", "x86_64-pc-windows-msvc"])
def test_targets_that_are_refused_llvm_has_no_pc_sections_for(triple: str) -> None:
    module = sample()
    attach(module, "loads", [PCSection.of("s")])
    with pytest.raises(PCSectionsError, match="PC section is not initialized"):
        CodeGenerator.of(module, triple=triple).emitted(bitcodec.dumps(module), 0, optimize=False)

"""Triples, code models and data layouts.  Sizes of PC fields are those of docs/reference/pc-sections.md, 2.2."""

from __future__ import annotations

import pytest

from bitcodec.builder import add_module_flag, new_module
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.tables.elf_machines import RelocationKind
from bitcodec.tables.pcsection_targets import CODE_MODELS, TARGETS

LINUX = "x86_64-unknown-linux-gnu"


@pytest.mark.parametrize(
    ("triple", "machine", "pointer_size", "byte_order", "pc_size"),
    [
        (LINUX, 62, 8, "little", 4),
        ("x86_64-unknown-linux-gnux32", 62, 4, "little", 4),
        ("i686-pc-linux-gnu", 3, 4, "little", 4),
        ("aarch64-unknown-linux-gnu", 183, 8, "little", 4),
        ("arm64-unknown-none-elf", 183, 8, "little", 4),
        ("aarch64_be-unknown-linux-gnu", 183, 8, "big", 4),
        ("aarch64-unknown-linux-gnu_ilp32", 183, 4, "little", 4),
        ("armv7-unknown-linux-gnueabihf", 40, 4, "little", 4),
        ("armebv7-unknown-linux-gnueabi", 40, 4, "big", 4),
        ("thumbv7m-none-eabi", 40, 4, "little", 4),
        ("thumbebv7-unknown-linux-gnueabi", 40, 4, "big", 4),
        ("riscv32-unknown-elf", 243, 4, "little", 4),
        ("riscv64-unknown-linux-gnu", 243, 8, "little", 4),
        ("powerpc-unknown-linux-gnu", 20, 4, "big", 4),
        ("powerpc64-unknown-linux-gnu", 21, 8, "big", 8),
        ("powerpc64le-unknown-linux-gnu", 21, 8, "little", 8),
        ("s390x-ibm-linux", 22, 8, "big", 4),
        ("loongarch32-unknown-elf", 258, 4, "little", 4),
        ("loongarch64-unknown-linux-gnu", 258, 8, "little", 8),
        ("mips-unknown-linux-gnu", 8, 4, "big", 4),
        ("mipsel-unknown-linux-gnu", 8, 4, "little", 4),
        ("mips64-unknown-linux-gnuabi64", 8, 8, "big", 4),
        ("mips64el-unknown-linux-gnuabin32", 8, 4, "little", 4),
        ("sparc-unknown-linux-gnu", 2, 4, "big", 4),
        ("sparcv9-sun-solaris", 43, 8, "big", 8),
        ("m68k-unknown-linux-gnu", 4, 4, "big", 4),
        ("hexagon-unknown-elf", 164, 4, "little", 4),
        ("amdgcn-amd-amdhsa", 224, 8, "little", 4),
        ("ve-unknown-linux-gnu", 251, 8, "little", 4),
    ],
)
def test_triples(triple: str, machine: int, pointer_size: int, byte_order: str, pc_size: int) -> None:
    target = Target.of(triple)

    assert (target.machine.number, target.pointer_size, target.byte_order) == (machine, pointer_size, byte_order)
    assert target.pc_size == pc_size
    assert target.data_layout.pointer_size() == pointer_size
    assert target.data_layout.is_big_endian is (byte_order == "big")


@pytest.mark.parametrize("triple", ["x86_64", "x86_64-linux", "x86_64-linux-gnu", "amd64-linux-gnu", "x86_64-pc-elf"])
def test_short_triples(triple: str) -> None:
    assert Target.of(triple)[1:5] == Target.of(LINUX)[1:5]


def test_environments_are_known_in_short_triples() -> None:
    assert Target.of("x86_64-linux-gnux32").pointer_size == 4
    assert Target.of("mips64-linux-gnuabin32").pointer_size == 4


@pytest.mark.parametrize(
    ("triple", "format_"),
    [
        ("arm64-apple-macosx14.0.0", "Mach-O"),
        ("x86_64-apple-darwin", "Mach-O"),
        ("x86_64-unknown-none-macho", "Mach-O"),
        ("x86_64-pc-windows-msvc", "COFF"),
        ("x86_64-w64-mingw32", "COFF"),
        ("powerpc64-ibm-aix7.2", "XCOFF"),
        ("s390x-ibm-zos", "GOFF"),
        ("wasm32-unknown-unknown", "WebAssembly"),
        ("spirv64-unknown-unknown", "SPIR-V"),
        ("nvptx64-nvidia-cuda", "PTX"),
    ],
)
def test_other_object_formats_are_refused(triple: str, format_: str) -> None:
    with pytest.raises(PCSectionsError, match=f"{triple}: {format_} has no PC sections.*; compile for an ELF target"):
        Target.of(triple)


def test_elf_is_told_apart_from_the_format_of_the_system() -> None:
    assert Target.of("x86_64-pc-windows-elf").machine.number == 62


@pytest.mark.parametrize("triple", ["bpfel-unknown-none", "avr-unknown-unknown", "msp430", "lanai", "xtensa-none-elf"])
def test_addresses_for_distances_are_refused(triple: str) -> None:
    with pytest.raises(PCSectionsError, match="LLVM writes addresses where PC sections have distances"):
        Target.of(triple)


@pytest.mark.parametrize("triple", ["", "-", "x86_65-linux-gnu", "xcore-unknown-unknown", "riscv128", "\0", "x" * 9999])
def test_unknown_architectures_are_refused(triple: str) -> None:
    with pytest.raises(PCSectionsError, match="are not known"):
        Target.of(triple)


@pytest.mark.parametrize(
    ("code_model", "pc_size"), [("small", 4), ("kernel", 4), ("medium", 8), ("large", 8), (None, 4)]
)
def test_size_of_a_pc_depends_on_the_code_model(code_model: str | None, pc_size: int) -> None:
    assert Target.of(LINUX, code_model).pc_size == pc_size


def test_code_model_that_a_processor_has_not() -> None:
    message = "aarch64-linux-gnu has no PC sections under the code model 'medium'; choose one of: tiny, small, large"
    with pytest.raises(PCSectionsError, match=message):
        Target.of("aarch64-linux-gnu", "medium")


def test_module_tells_its_target() -> None:
    module = new_module("m", target_triple=LINUX)
    assert Target.of_module(module).code_model == "small"

    add_module_flag(module, 1, "Code Model", 4)

    assert Target.of_module(module).code_model == "large"
    assert Target.of_module(module, "kernel").code_model == "kernel"


def test_module_without_a_triple() -> None:
    with pytest.raises(PCSectionsError, match="the module has no target triple"):
        Target.of_module(new_module("m"))


def test_code_model_without_a_meaning() -> None:
    module = new_module("m", target_triple=LINUX)
    add_module_flag(module, 1, "Code Model", 5)
    with pytest.raises(PCSectionsError, match="'Code Model' is 5: it has to be 0 to 4"):
        Target.of_module(module)


@pytest.mark.parametrize("layout", ["E", "e-p:32:32"])
def test_layout_of_another_target(layout: str) -> None:
    with pytest.raises(PCSectionsError, match="another byte order or size of pointers"):
        Target.of(LINUX, data_layout=layout)


def test_layout_that_is_none() -> None:
    with pytest.raises(PCSectionsError, match="data layout: 'q': unknown specifier 'q'"):
        Target.of(LINUX, data_layout="q")


@pytest.mark.parametrize("row", TARGETS, ids=lambda row: f"{row.machine.name}-{row.architectures.pattern}")
def test_machines_have_what_their_rows_need(row: object) -> None:
    assert set(row.code_models) <= set(CODE_MODELS)  # type: ignore[attr-defined]
    kinds = {(found.kind, found.size) for found in row.machine.relocations.values()}  # type: ignore[attr-defined]
    assert {(RelocationKind.PC_RELATIVE, 4), (RelocationKind.ADD, 4)} & kinds
    assert (RelocationKind.ABSOLUTE, row.pointer_size) in kinds  # type: ignore[attr-defined]


@pytest.mark.parametrize("triple", ["x86_64\n-pc-windows-msvc", "bpf\n-x", "x86_64-pc-windows-msvc-" + "x" * 5000])
def test_a_refusal_of_any_triple_is_one_short_line(triple: str) -> None:
    with pytest.raises(PCSectionsError) as raised:
        Target.of(triple)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400

"""Sizes and alignments, as LLVM 22 has them; those in tables were printed by its `DataLayout`."""

from __future__ import annotations

import re

import pytest

from answers import ask
from bitcodec.ir.data_layout import Alignments, DataLayout
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import StructType

T = TypeTable()
I1, I8, I32, I64 = (T.integer(width) for width in (1, 8, 32, 64))
SCALABLE = T.vector(3, I32, is_scalable=True)

LAYOUTS = (
    "",
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "E-p:24:32:64-p1:16:16:32:8-i33:64:128-f64:32:64-v96:128-v32:8:8-a:32:128",
)
# A type; for each layout: bits, bytes stored, bytes allocated, ABI and preferred alignment, offsets; x: times vscale.
SIZES = (
    (T.integer(1), "1 1 1 1 1", "1 1 1 1 1", "1 1 1 1 1"),
    (T.integer(8), "8 1 1 1 1", "8 1 1 1 1", "8 1 1 1 1"),
    (T.integer(17), "17 3 4 4 4", "17 3 4 4 4", "17 3 4 4 4"),
    (T.integer(33), "33 5 8 4 8", "33 5 8 8 8", "33 5 8 8 16"),
    (T.integer(64), "64 8 8 4 8", "64 8 8 8 8", "64 8 8 4 8"),
    (T.integer(65), "65 9 12 4 8", "65 9 16 16 16", "65 9 12 4 8"),
    (T.integer(128), "128 16 16 4 8", "128 16 16 16 16", "128 16 16 4 8"),
    (T.integer(300), "300 38 40 4 8", "300 38 48 16 16", "300 38 40 4 8"),
    (T.half, "16 2 2 2 2", "16 2 2 2 2", "16 2 2 2 2"),
    (T.bfloat, "16 2 2 2 2", "16 2 2 2 2", "16 2 2 2 2"),
    (T.float, "32 4 4 4 4", "32 4 4 4 4", "32 4 4 4 4"),
    (T.double, "64 8 8 8 8", "64 8 8 8 8", "64 8 8 4 8"),
    (T.x86_fp80, "80 10 16 16 16", "80 10 16 16 16", "80 10 16 16 16"),
    (T.fp128, "128 16 16 16 16", "128 16 16 16 16", "128 16 16 16 16"),
    (T.ppc_fp128, "128 16 16 16 16", "128 16 16 16 16", "128 16 16 16 16"),
    (T.ptr, "64 8 8 8 8", "64 8 8 8 8", "24 3 4 4 8"),
    (T.pointer(1), "64 8 8 8 8", "64 8 8 8 8", "16 2 2 2 4"),
    (T.x86_amx, "8192 1024 1024 64 64", "8192 1024 1024 64 64", "8192 1024 1024 64 64"),
    (T.vector(3, I1), "3 1 1 1 1", "3 1 1 1 1", "3 1 1 1 1"),
    (T.vector(3, I32), "96 12 16 16 16", "96 12 16 16 16", "96 12 16 16 16"),
    (T.vector(4, T.float), "128 16 16 16 16", "128 16 16 16 16", "128 16 16 16 16"),
    (T.vector(2, T.ptr), "128 16 16 16 16", "128 16 16 16 16", "48 6 8 8 8"),
    (T.vector(17, I8), "136 17 32 32 32", "136 17 32 32 32", "136 17 32 32 32"),
    (SCALABLE, "96x 12x 16x 16 16", "96x 12x 16x 16 16", "96x 12x 16x 16 16"),
    (T.array(3, T.integer(24)), "96 12 12 4 4", "96 12 12 4 4", "96 12 12 4 4"),
    (T.array(0, I64), "0 0 0 4 8", "0 0 0 8 8", "0 0 0 4 8"),
    (T.array(4, T.x86_fp80), "512 64 64 16 16", "512 64 64 16 16", "512 64 64 16 16"),
    (
        T.array(2**64 - 1, I32),
        "18446744073709551584 2305843009213693948 18446744073709551612 4 4",
        "18446744073709551584 2305843009213693948 18446744073709551612 4 4",
        "18446744073709551584 2305843009213693948 18446744073709551612 4 4",
    ),
    (T.array(2**62 + 1, I64), "64 8 8 4 8", "64 8 8 8 8", "64 8 8 4 8"),
    (T.struct([]), "0 0 0 1 8", "0 0 0 1 8", "0 0 0 4 16"),
    (
        T.struct([I8, I64, T.x86_fp80]),
        "256 32 32 16 16 @0 @4 @16",
        "256 32 32 16 16 @0 @8 @16",
        "256 32 32 16 16 @0 @4 @16",
    ),
    (
        T.struct([I8, I64, T.x86_fp80], is_packed=True),
        "200 25 25 1 8 @0 @1 @9",
        "200 25 25 1 8 @0 @1 @9",
        "200 25 25 1 16 @0 @1 @9",
    ),
    (T.struct([I8, T.array(0, I64), I8]), "64 8 8 4 8 @0 @4 @4", "128 16 16 8 8 @0 @8 @8", "64 8 8 4 16 @0 @4 @4"),
    (
        T.struct([I8, T.struct([I8, T.double]), T.vector(3, I32), T.pointer(1)]),
        "512 64 64 16 16 @0 @8 @32 @48",
        "512 64 64 16 16 @0 @8 @32 @48",
        "384 48 48 16 16 @0 @4 @16 @32",
    ),
    (
        T.struct([SCALABLE, SCALABLE]),
        "256x 32x 32x 16 16 @0x @16x",
        "256x 32x 32x 16 16 @0x @16x",
        "256x 32x 32x 16 16 @0x @16x",
    ),
)
TARGET_TYPES = (
    (T.target_extension("spirv.Image", [T.float], [1]), "64 8 8 8 8"),
    (T.target_extension("spirv.Type", (), [1, 24, 32]), "192 24 24 4 4"),
    (T.target_extension("spirv.Type", (), [1, 0, 0]), "32 4 4 4 4"),
    (T.target_extension("spirv.Padding", (), [12]), "96 12 12 1 1"),
    (T.target_extension("dx.Padding", (), [5]), "40 5 5 1 1"),
    (T.target_extension("dx.Layout"), "64 8 8 8 8"),
    (T.target_extension("aarch64.svcount"), "16x 2x 2x 2 2"),
    (T.target_extension("amdgcn.named.barrier", (), [0]), "128 16 16 16 16"),
    (T.target_extension("riscv.vector.tuple", [T.vector(4, I8, is_scalable=True)], [3]), "192x 24x 32x 32 32"),
    (T.target_extension("llvm.test.vectorelement"), "32 4 4 4 4"),
)


def described(layout, type_):
    """Return sizes and alignments of a type as the tables have them."""
    found = layout.layout(type_)
    times = "x" if found.is_scalable else ""
    text = f"{found.size_in_bits}{times} {found.store_size}{times} {found.alloc_size}{times}"
    text += f" {found.abi_alignment} {found.preferred_alignment}"
    if isinstance(type_, StructType):
        text += "".join(f" @{offset}{times}" for offset in layout.struct_layout(type_).offsets)
    return text


@pytest.mark.parametrize("row", SIZES, ids=lambda row: str(row[0]))
def test_sizes_and_alignments(row):
    type_, *expected = row
    assert [described(DataLayout(text), type_) for text in LAYOUTS] == expected


@pytest.mark.parametrize(("type_", "expected"), TARGET_TYPES, ids=str)
def test_types_of_one_target(type_, expected):
    assert described(DataLayout("e"), type_) == expected


@pytest.mark.parametrize(
    "type_",
    [
        T.void,
        T.label,
        T.token,
        T.metadata,
        T.function(T.void),
        StructType(None, name="opaque"),
        T.array(2, StructType(None, name="opaque")),
        T.struct([I32, SCALABLE]),
        T.struct([T.struct([SCALABLE])]),
        T.target_extension("unknown"),
        T.target_extension("spirv.Literal", (), [1]),
        T.target_extension("spirv.Padding"),
    ],
    ids=str,
)
def test_types_without_a_size(type_):
    with pytest.raises(ValueError, match="has no size"):
        DataLayout().size_in_bits(type_)


def test_a_type_that_holds_itself_has_no_size():
    loop = StructType(None, name="loop")
    loop.elements = (I32, T.array(2, loop))
    with pytest.raises(ValueError, match="holds itself"):
        DataLayout().alloc_size(loop)


def test_depth_and_sharing_cost_nothing():
    type_ = I8
    for level in range(100_000):
        type_ = T.struct([type_, type_]) if level % 2 else T.array(3, type_)
    assert DataLayout().abi_alignment(type_) == 1


def test_what_a_string_specifies():
    layout = DataLayout("E-m:x-p:32:32-p1:64:32:64:48-pu2(far):64:64-n8:16:32-S128-A5-P1-G2-Fn32-ni:3:7-a:0:64-s0")
    assert layout.is_big_endian
    assert layout.mangling == "x"
    assert layout.native_integers == (8, 16, 32)
    assert (layout.alloca_address_space, layout.program_address_space, layout.globals_address_space) == (5, 1, 2)
    assert (layout.stack_alignment, layout.function_pointer_alignment) == (16, 4)
    assert layout.is_function_alignment_relative
    assert layout.aggregate == Alignments(1, 8)
    assert layout.non_integral_address_spaces == (3, 7)
    assert layout.address_space_names == {"far": 2}
    assert (layout.pointer(1).bit_width, layout.pointer(1).index_width) == (64, 48)
    assert layout.pointer(1).alignments == Alignments(4, 8)
    assert [layout.pointer(space).is_non_integral for space in range(5)] == [False, True, True, True, False]
    assert layout.pointer_size(99) == layout.pointer_size() == 4
    assert repr(layout) == f"DataLayout({str(layout)!r})"


@pytest.mark.parametrize(
    "text",
    [
        "e-",
        "-e",
        "ee",
        "x",
        "a",
        "a:0:0",
        "a1:8",
        "i32",
        "i8:16",
        "i32:32:16",
        "i0:8",
        "i16777216:8",
        "i32:65536",
        "i32:0",
        "i32:12",
        "v1:8:8:8",
        "p",
        "p:64",
        "p::64",
        "p:32:64:32",
        "p:64:64:64:128",
        "p:64:64:64:0",
        "p16777216:64:64",
        "pe0:64:64",
        "pu:64:64",
        "pz1:64:64",
        "p1(:64:64",
        "p1():64:64",
        "p1(P):64:64",
        "p1e:64:64",
        "p1(a):64:64-p2(a):64:64",
        "n",
        "n8:",
        "S",
        "S0",
        "S12",
        "F",
        "Fx8",
        "Fi",
        "m",
        "m:",
        "m:q",
        "m:ee",
        "ni",
        "ni:0",
        "nx",
        "P",
        "A",
        "G",
        "G99999999999999999999",
        "i+32:32",
        "i\u0663\u0662:32",
    ],
)
def test_strings_that_are_no_data_layout(text):
    with pytest.raises(ValueError, match=r"\Adata layout: .+\Z"):
        DataLayout(text)


@pytest.mark.parametrize("text", LAYOUTS)
def test_alignments_that_llvm_fills_in(text):
    types = [type_ for type_, *_ in SIZES if "18446744" not in str(type_) and type_ is not T.x86_amx]
    body = "\n".join(f"load {type_}, ptr %p\nalloca {type_}" for type_ in types)
    source = f'target datalayout = "{text}"\ndefine void @f(ptr %p) {{\n{body}\nret void\n}}\n'
    done = ask(["opt-22", "-S"], input=source, text=True, check=True)
    found = [int(alignment) for alignment in re.findall(r"align (\d+)", done.stdout)]
    layout = DataLayout(text)
    assert found == [
        alignment for type_ in types for alignment in (layout.abi_alignment(type_), layout.preferred_alignment(type_))
    ]


@pytest.mark.parametrize("layout", ["q" * 5000, "i8:" + "9" * 5000, "p:" + "x" * 5000 + ":64"])
def test_messages_show_the_beginning_of_a_long_text_alone(layout: str) -> None:
    with pytest.raises(ValueError, match="data layout") as refusal:
        DataLayout(layout)
    assert len(str(refusal.value)) < 1000

"""NVVM annotations and intrinsics of bfloat numbers in modules for any target.  Recorded from LLVM 22.1.8."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import bitcodec
from answers import ask
from bitcodec.cli.findings import finding_texts
from bitcodec.ir.metadata import NamedMetadata
from bitcodec.verifier import verify

if TYPE_CHECKING:
    from pathlib import Path

_KERNEL = """
define void @kernel() {
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1, !"maxntidx", i32 8}
"""


def lines(module: bitcodec.Module, *words: str) -> list[str]:
    """Return the lines of the text of a module that contain one of these words."""
    return [line for line in str(module).splitlines() if any(word in line for word in words)]


@pytest.mark.parametrize("triple", ["", "nvptx64-nvidia-cuda", "x86_64-pc-linux-gnu"])
def test_annotations_in_text_for_any_target(triple: str) -> None:
    module = bitcodec.parse_assembly(f'target triple = "{triple}"\n{_KERNEL}', dialect=22)
    assert lines(module, "@kernel", "attributes #", "annotations") == [
        "define ptx_kernel void @kernel() #0 {",
        'attributes #0 = { "nvvm.maxntid"="8" }',
        "!nvvm.annotations = !{}",
    ]


def test_annotations_in_bitcode_without_a_target() -> None:
    module = bitcodec.parse_assembly("define void @kernel() {\n  ret void\n}")
    metadata = module.context.metadata
    number = module.context.constants.integer(module.context.types.integer(32), 1)
    node = metadata.tuple(
        [metadata.value(module.functions["kernel"]), metadata.string("kernel"), metadata.value(number)]
    )
    module.named_metadata["nvvm.annotations"] = NamedMetadata("nvvm.annotations", [node])
    read = bitcodec.loads(bitcodec.dumps(module))
    assert lines(read, "@kernel", "annotations") == [
        "define ptx_kernel void @kernel() {",
        "!nvvm.annotations = !{}",
    ]


@pytest.mark.parametrize(("type_", "old", "new"), [("bfloat", "bf16", "bf16"), ("<2 x bfloat>", "bf16x2", "v2bf16")])
def test_absolute_values_of_bfloat_numbers(type_: str, old: str, new: str) -> None:
    text = f"""
declare {type_} @llvm.nvvm.abs.{old}({type_})

define {type_} @f({type_} %x) {{
  %res = call {type_} @llvm.nvvm.abs.{old}({type_} %x)
  ret {type_} %res
}}
"""
    assert lines(bitcodec.parse_assembly(text, dialect=22), " call ", "ret ") == [
        f"  %1 = call {type_} @llvm.nvvm.fabs.{new}({type_} %x)",
        f"  ret {type_} %1",
    ]


@pytest.mark.parametrize(("number", "alignment"), [("float", 4), ("double", 8)])
def test_atomics_that_return_another_type_than_their_declaration(number: str, alignment: int) -> None:
    name = f"@llvm.nvvm.atomic.load.add.f{8 * alignment}.p0"
    text = f"""
define {number} @f(ptr %p, {number} %x) {{
  %r = call {number} {name}(ptr %p, {number} %x)
  ret {number} %r
}}
declare i32 {name}(ptr, {number})
"""
    module = bitcodec.parse_assembly(text, dialect=22)
    assert lines(module, "%p", "ret", "declare") == [
        f"define {number} @f(ptr %p, {number} %x) {{",
        f"  %1 = atomicrmw fadd ptr %p, {number} %x seq_cst, align {alignment}",
        f"  ret {number} %1",
    ]


USED = """
define RESULT @f(ptr %p) {
  %r = call TYPE @llvm.nvvm.atomic.load.add.f32.p0(ptr %p, float 1.0)
  USER
}
"""
USERS = [
    ("i32", "i32", "ret i32 %r"),
    ("i32", "void", "%u = add i32 %r, 1\n  ret void"),
    ("double", "void", "%u = fadd double 1.0, %r\n  ret void"),
    ("<2 x i32>", "void", "%u = icmp eq <2 x i32> %r, zeroinitializer\n  ret void"),
    ("i64", "void", "switch i64 %r, label %a [\n    i64 1, label %a\n  ]\na:\n  ret void"),
    ("ptr", "void", "store i32 1, ptr %r\n  ret void"),
    ("i64", "void", "store i64 %r, ptr %p\n  ret void"),
    ("ptr", "void", "%u = getelementptr i8, ptr %r, i64 1\n  ret void"),
    ("{i32, i32}", "void", "%u = extractvalue {i32, i32} %r, 0\n  ret void"),
]


@pytest.mark.parametrize(("type_", "result", "user"), USERS)
def test_atomics_of_another_type_than_their_users_have(type_: str, result: str, user: str, tmp_path: Path) -> None:
    text = USED.replace("RESULT", result).replace("TYPE", type_).replace("USER", user)
    file = tmp_path / "used.ll"
    file.write_text(text)
    expected = ask(["llvm-as-22", file, "-o", os.devnull], text=True).stderr
    module = bitcodec.parse_assembly(text)
    found = "".join(finding_texts(module, verify(module)))
    assert expected.partition("\n")[2] == found
    assert bool(expected) is bool(found)
    old = "llvm.nvvm.atomic.load.add.f32.p0"
    module = bitcodec.parse_assembly(f"declare {type_} @old(ptr, float)\n{text.replace(old, 'old')}")
    module.functions["old"].name = old
    bitcode = tmp_path / "used.bc"
    bitcodec.save(module, bitcode)
    printed = ask(["llvm-dis-22", bitcode, "-o", "-"], text=True, check=True).stdout
    assert bitcodec.print_assembly(bitcodec.open(bitcode)) == printed

"""Intrinsics that libNVVM does not know are written as the instruction that LLVM 22's code generator writes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.tables import make_nvvm_ptx
from tests.tables.make_nvvm_ptx import Shape, instances, module_of, rows_of, template

import bitcodec
from amounts import some
from answers import recall
from bitcodec.downgrade.profiles.nvvm.ptx import PTX
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.instructions import Call
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.tables.nvvm_ptx import ptx_texts
from libnvvm import compile_to_ptx

LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)
STEP, LARGE_STEP = 9, 150
OPERAND = re.compile(r"\$\d+|%\w+|\b[pq]\d\b")


def shape_of(name: str) -> Shape:
    base, known = name, intrinsic_rows()
    while base not in known:
        base = base.rpartition(".")[0]
    return dict(instances(base))[name]


def written(key: str) -> bytes:
    """Write a module with a call of the intrinsic in a row."""
    name, _, numbers = key.rstrip(")").partition("(")
    shape = shape_of(name)
    chosen = [(each.values or (8,))[0] for each in shape.immediates]
    constants = [int(each) for each in numbers.split(",")] if numbers else chosen
    text = f'target datalayout = "{LAYOUT}"\n{module_of(name, shape, [constants])}'
    return bitcodec.dumps(bitcodec.parse_assembly(text), profile="nvvm")


def test_each_intrinsic_is_written_as_its_instruction() -> None:
    rows = ptx_texts()
    assert len(rows) > 1000
    for key in [*some(list(rows)[::STEP], 60), "nvvm.wgmma.fence.sync.aligned", "nvvm.fence.proxy.async.shared_cta"]:
        module = bitcodec.loads(written(key))
        assert not module.verify(), key
        calls = [each for each in module.functions["f0"].instructions if isinstance(each, Call)]
        found = [each.callee.assembly for each in calls if isinstance(each.callee, InlineAsm)]
        assert found == [rows[key]], key


def test_rows_are_what_llc_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ["llc-22", make_nvvm_ptx.FEATURE, *make_nvvm_ptx.PROCESSORS]
    compiled = make_nvvm_ptx.compiled
    monkeypatch.setattr(make_nvvm_ptx, "compiled", lambda text: recall([*question, text], lambda: compiled(text)))
    rows = ptx_texts()
    for key in list(rows)[::LARGE_STEP]:
        name = key.partition("(")[0]
        assert dict(rows_of(name, shape_of(name)))[key] == rows[key]


OVERLOADED = {
    "fma.f16": Shape(("half",), ("half",) * 3, ()),
    "fma.bf16": Shape(("bfloat",), ("bfloat",) * 3, ()),
    "fma.v2f16": Shape(("<2 x half>",), ("<2 x half>",) * 3, ()),
    "fma.v2bf16": Shape(("<2 x bfloat>",), ("<2 x bfloat>",) * 3, ()),
    "nvvm.ex2.approx.f16": Shape(("half",), ("half",), ()),
}


def texts_of(names: list[str]) -> dict[str, str]:
    """Return the instruction that `llc` writes for each intrinsic, with `$0`... for registers."""
    found = {}
    for name in names:
        shape = OVERLOADED.get(name) or shape_of(name)
        constants = [make_nvvm_ptx.LARGE[0]] * len(shape.immediates)
        (body,) = make_nvvm_ptx.compiled(module_of(name, shape, [constants]))
        special = re.search(r"mov\.u\d+ \t?%\w+, %(\w*[a-z](?:\.[xyz])?);", body)
        text = re.sub(rf"\b{constants[0]}\b", "$0", template(shape, body) or "") if constants else template(shape, body)
        found[name] = text or f"mov.u{body.partition('mov.u')[2][:2]} $0, %{special[1] if special else ''};"
    return found


def with_one_predicate(text: str) -> str:
    """Return PTX in which all predicates have the same name."""
    return re.sub(r"\bp(, p)+;", "p;", re.sub(r"\b[pq]\d*\b", "p", text), count=1)


def test_rows_of_the_source_are_what_llc_writes() -> None:
    names = sorted(PTX)
    found = recall(["llc-22", make_nvvm_ptx.FEATURE, *make_nvvm_ptx.PROCESSORS, *names], lambda: texts_of(names))
    assert {name: row.text for name, row in PTX.items()} == {
        name: with_one_predicate(text) for name, text in found.items()
    }


def test_libnvvm_writes_the_instruction(tmp_path: Path) -> None:
    rows = ptx_texts()
    for key in list(rows)[::LARGE_STEP]:
        path = tmp_path / "call.bc"
        path.write_bytes(written(key))
        answer = compile_to_ptx(path, "90")
        assert answer.message == "", key
        assert OPERAND.sub("", rows[key]) in OPERAND.sub("", answer.ptx), key


def test_a_declaration_of_another_type_gets_no_ptx() -> None:
    """Verifiers reject it, and no register has the type of its argument."""
    text = """
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.fence.proxy.alias({ i32, i32 })
define void @f({ i32, i32 } %x) {
  call void @llvm.nvvm.fence.proxy.alias({ i32, i32 } %x)
  ret void
}
"""
    with pytest.raises(bitcodec.EncodingError, match="alias in @f cannot be written for libNVVM"):
        bitcodec.dumps(bitcodec.parse_assembly(text), profile="nvvm")


def atoms(text: str) -> list[str]:
    """Return the names of atomic instructions in PTX."""
    return re.findall(r"atom\.[\w.]+", text)


def test_instructions_of_ptx_name_the_address_space() -> None:
    text = """
target triple = "nvptx64-nvidia-cuda"
define void @kernel(ptr %generic, ptr addrspace(1) %global, ptr addrspace(3) %shared, i32 %i, float %x) {
  %a = cmpxchg ptr %generic, i32 %i, i32 1 monotonic monotonic
  %b = cmpxchg ptr addrspace(1) %global, i32 %i, i32 1 monotonic monotonic
  %c = cmpxchg ptr addrspace(3) %shared, i32 %i, i32 1 monotonic monotonic
  %d = atomicrmw fadd ptr %generic, float %x monotonic
  %e = atomicrmw fadd ptr addrspace(1) %global, float %x monotonic
  %f = atomicrmw fadd ptr addrspace(3) %shared, float %x monotonic
  ret void
}
"""

    def compute() -> list[str]:
        command = ["llc-22", "-mcpu=sm_60", "-o", "-"]
        return atoms(subprocess.run(command, input=text, text=True, check=True, capture_output=True).stdout)

    expected = recall(["llc-22 -mcpu=sm_60", text], compute)
    assert len(expected) == 6
    assert atoms(str(bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text), profile="nvvm")))) == expected

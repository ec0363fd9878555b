"""Atomic instructions on AMDGPU: the kind of memory decides."""

from __future__ import annotations

import json

import pytest

import bitcodec
from answers import recall
from bitcodec.ir.module import Module
from bitcodec.transforms import expand_atomics
from bitcodec.transforms.atomic_expand.architectures.amdgpu import AMDGCN
from transforms.atomic_expand.decisions import decision_text, decisions
from transforms.atomic_expand.make_amdgpu_processors import features_of
from transforms.atomic_expand.make_goldens import DECISIONS
from transforms.atomic_expand.targets import RECORDED, Tried

TRIPLE = "amdgcn-amd-amdhsa"


def expanded(text: str, processor: str = "gfx900", triple: str = TRIPLE) -> Module:
    module = bitcodec.parse_assembly(text)
    expand_atomics(module, triple, processor=processor)
    assert bitcodec.verify(module) == []
    return module


@pytest.mark.parametrize(
    ("number", "target"), list(enumerate(target for target in RECORDED if target.is_amdgpu)), ids=str
)
def test_decisions(number: int, target: Tried) -> None:
    """Letters stand for what `opt` of LLVM 22 leaves."""
    module = bitcodec.parse_assembly(decision_text(number, target.head))
    target.expand(module)
    expected = json.loads(DECISIONS.read_text())[str(target)]
    found = decisions(module)
    names = [function.name for function in module.functions if not function.is_declaration]
    pairs = zip(names, found.split(), expected.split(), strict=True)
    assert [pair for pair in pairs if pair[1] != pair[2]] == []


def test_load_that_takes_the_place_has_name_and_metadata() -> None:
    """Recorded from `opt` of LLVM 22."""
    module = expanded(
        """define i32 @f(ptr addrspace(1) %p) {
  %kept = atomicrmw volatile or ptr addrspace(1) %p, i32 0 syncscope("agent") acquire, align 4, !tag !0
  ret i32 %kept
}
!0 = !{}"""
    )
    assert str(module.functions["f"].blocks[0].instructions[0]) == (
        '%kept = load atomic i32, ptr addrspace(1) %p syncscope("agent") acquire, align 4, !tag !0'
    )


def test_result_of_a_check_has_the_name_of_the_original() -> None:
    """Recorded from `opt` of LLVM 22."""
    module = expanded(
        """define i64 @f(ptr %p, i64 %v) {
  %old = atomicrmw add ptr %p, i64 %v seq_cst, align 8
  ret i64 %old
}"""
    )
    blocks = module.functions["f"].blocks
    assert [block.name for block in blocks][1:] == [
        "atomicrmw.private",
        "atomicrmw.global",
        "atomicrmw.phi",
        "atomicrmw.end",
    ]
    assert [str(found) for found in blocks[2].instructions] == [
        "%2 = atomicrmw add ptr %p, i64 %v seq_cst, align 8, !noalias.addrspace !0",
        "br label %atomicrmw.phi",
    ]
    assert str(blocks[3].instructions[0]) == (
        "%old = phi i64 [ %loaded.private, %atomicrmw.private ], [ %2, %atomicrmw.global ]"
    )


def test_private_memory_keeps_nothing_atomic() -> None:
    """Recorded from `opt` of LLVM 22: the alignment is that of the type."""
    module = expanded(
        """define void @f(ptr addrspace(5) %p, i32 %v) {
  %old = atomicrmw add ptr addrspace(5) %p, i32 %v syncscope("agent") seq_cst, align 16
  store atomic i32 %old, ptr addrspace(5) %p syncscope("agent") release, align 4
  ret void
}"""
    )
    assert [str(found) for found in module.functions["f"].blocks[0].instructions] == [
        "%1 = load i32, ptr addrspace(5) %p, align 4",
        "%new = add i32 %1, %v",
        "store i32 %new, ptr addrspace(5) %p, align 4",
        "store i32 %1, ptr addrspace(5) %p, align 4",
        "ret void",
    ]


def test_private_memory_of_gfx1250_is_accessed_by_generic_addresses() -> None:
    """Recorded from `opt` of LLVM 22."""
    text = """define i32 @f(ptr addrspace(5) %p) {
  %r = load atomic i32, ptr addrspace(5) %p seq_cst, align 4
  ret i32 %r
}"""
    assert [str(found) for found in expanded(text, "gfx1250").functions["f"].blocks[0].instructions[:2]] == [
        "%scratch.ascast = addrspacecast ptr addrspace(5) %p to ptr",
        "%r = load atomic i32, ptr %scratch.ascast seq_cst, align 4",
    ]


@pytest.mark.parametrize("bounds", ["i32 5, i32 6", "i32 1, i32 3, i32 4, i32 7", "i32 6, i32 1"])
def test_excluded_private_memory_is_not_checked(bounds: str) -> None:
    """Recorded from `opt` of LLVM 22, which takes bounds that wrap around for what is between them."""
    text = """define void @f(ptr %p, i64 %v) {{
  %r = atomicrmw add ptr %p, i64 %v seq_cst, align 8, !noalias.addrspace !0
  ret void
}}
!0 = !{{{bounds}}}"""
    assert len(expanded(text.format(bounds=bounds)).functions["f"].blocks) == 1
    assert len(expanded(text.format(bounds="i32 1, i32 3")).functions["f"].blocks) > 1


@pytest.mark.parametrize(
    ("attributes", "stays"),
    [
        ("", False),
        ('"denormal-fp-math-f32"="preserve-sign,preserve-sign"', True),
        ('"denormal-fp-math-f32"="preserve-sign"', True),
        ('"denormal-fp-math"="preserve-sign,preserve-sign"', True),
        ('"denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="ieee,ieee"', False),
        ('"denormal-fp-math-f32"="preserve-sign,ieee"', False),
        ('"denormal-fp-math-f32"="dynamic,dynamic"', False),
    ],
)
def test_denormal_mode_of_the_function(attributes: str, *, stays: bool) -> None:
    """Recorded from `opt` of LLVM 22."""
    text = f"""define float @f(ptr addrspace(1) %p, float %v) {attributes} {{
  %r = atomicrmw fadd ptr addrspace(1) %p, float %v seq_cst, align 4, !amdgpu.no.fine.grained.memory !0
  ret float %r
}}
!0 = !{{}}"""
    assert (len(expanded(text, "gfx90a").functions["f"].blocks) == 1) is stays


def test_the_system_decides_on_the_default_processor() -> None:
    assert AMDGCN.processors["generic"] == AMDGCN.processors["generic-hsa"] == frozenset()
    for triple in (TRIPLE, "amdgcn-mesa-mesa3d"):
        expanded("define void @f() {\n  ret void\n}", "", triple)


def test_what_is_too_wide_or_not_aligned_is_refused() -> None:
    """As `opt` does: `error: unsupported atomic load`."""
    text = """define void @f(ptr addrspace(1) %p) {
  %r = load atomic i32, ptr addrspace(1) %p seq_cst, align 1
  ret void
}"""
    with pytest.raises(
        ValueError, match="@f: unsupported atomic load: expected at most 64 bits, aligned to their size"
    ):
        expanded(text)


@pytest.mark.parametrize("processor", ["gfx803", "gfx908", "gfx942", "gfx1201"])
def test_features_are_those_of_opt(processor: str) -> None:
    features = recall(["opt-22", "features of a processor", processor], lambda: sorted(features_of(processor)))
    assert AMDGCN.processors[processor] == frozenset(features)

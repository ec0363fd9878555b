"""Modules that LLVM assembled before: what is wrong with them, without LLVM."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.verifier import VerificationError, check, verify

from .snippets import DATA

FOUND = {
    "dominance": ["function @f, block %end: Instruction does not dominate all uses!: %y = mul i32 %x, 2"],
    "phi": [
        (
            "function @f, block %2: PHINode should have one entry for each predecessor of its parent basic block!: "
            "%p = phi i32 [ 0, %1 ]"
        )
    ],
    "flags": [
        '!llvm.module.flags: wchar_size metadata requires constant integer argument: !{i32 1, !"wchar_size", !"4"}',
        '!llvm.module.flags: invalid behavior operand in module flag (unexpected constant): !{i32 9, !"a", i32 1}',
        '!llvm.module.flags: invalid requirement on flag, flag is not present in module: !"c"',
    ],
    "globals": [
        "variable @llvm.used: invalid linkage for intrinsic global variable",
        "variable @filled: 'common' global must have a zero initializer!",
        "alias @alias: Alias must point to a definition",
    ],
    "tails": [
        (
            "function @f, block %0: cannot guarantee tail call due to mismatched calling conv: "
            "%y = musttail call fastcc i32 @callee(i32 %x)"
        ),
        "function @g: Attributes 'zeroext and signext' are incompatible!",
        (
            "function @g: Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are "
            "incompatible!"
        ),
    ],
    "debug": [
        "function @f, block %0: !dbg attachment points at wrong subprogram for function: ret void, !dbg !0",
        (
            "function @f: fragment is larger than or outside of variable: "
            "#dbg_value(i32 %x, !0, !DIExpression(DW_OP_LLVM_fragment, 16, 32), !1)"
        ),
        (
            "module: DICompileUnit not listed in llvm.dbg.cu: distinct !DICompileUnit(language: DW_LANG_C, file: !0, "
            "isOptimized: false, runtimeVersion: 0, emissionKind: NoDebug)"
        ),
    ],
}


@pytest.mark.parametrize("name", FOUND)
def test_findings(name: str) -> None:
    module = bitcodec.open(DATA / f"{name}.bc")
    findings = verify(module)
    assert [str(finding) for finding in findings] == FOUND[name]
    with pytest.raises(VerificationError) as raised:
        check(module)
    more = len(findings) - 1
    assert raised.value.findings == tuple(findings)
    assert str(raised.value) == FOUND[name][0] + (f" (and {more} more)" if more else "")
    assert isinstance(raised.value, bitcodec.BitcodecError)


def test_what_is_sound() -> None:
    module = bitcodec.open(DATA / "sound.bc")
    assert verify(module) == []
    check(module)


def test_where_and_what() -> None:
    module = bitcodec.open(DATA / "dominance.bc")
    (finding,) = verify(module)
    function = module.functions["f"]
    assert finding.message == "Instruction does not dominate all uses!"
    assert finding.where is function
    assert finding.subject is function.symbols.get("y")

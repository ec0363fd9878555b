"""Operands: what their text says, and that they are written as LLVM writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec import MIRError
from bitcodec.mir import MachineInstr, RegisterFlag
from bitcodec.mir.instruction_parser import instruction
from bitcodec.mir.lexer import Tokens
from bitcodec.mir.memory_operands import CallEntry, CustomSource, MachineMemOperand
from bitcodec.mir.operands import (
    BlockAddressOperand,
    BlockReference,
    CFIInstruction,
    CImmediate,
    ConstantPoolIndex,
    CustomRegisterMask,
    DebugInstrRef,
    ExternalSymbol,
    FPImmediate,
    FrameIndex,
    GlobalAddress,
    Immediate,
    ImmediateMnemonic,
    InlineNode,
    IntrinsicID,
    IRBlock,
    IRValue,
    JumpTableIndex,
    LaneMask,
    LiveOut,
    MCSymbol,
    NodeAddress,
    NodeReference,
    Predicate,
    RegisterMask,
    ShuffleMask,
    SubRegisterIndex,
    TargetIndex,
)
from bitcodec.mir.registers import REGISTER_FLAGS, Register
from bitcodec.mir.source import SourceText


def parsed(text: str) -> MachineInstr:
    return instruction(Tokens(SourceText(text), 0, len(text)))


OPERANDS = [
    ("7", Immediate(7)),
    ("<mcsymbol Stage-3_Cycle-0>", MCSymbol("Stage-3_Cycle-0")),
    (".id0_VALU_DEP_1", ImmediateMnemonic(".id0_VALU_DEP_1")),
    (".5", ImmediateMnemonic(".5")),
    (".5_x", ImmediateMnemonic(".5_x")),
    ("<0x55d0c8a1>", NodeAddress("0x55d0c8a1")),
    ("-9223372036854775808", Immediate(-(1 << 63))),
    ("i32 7", CImmediate("i32", 7)),
    ("i128 -170141183460469231731687303715884105727", CImmediate("i128", -(1 << 127) + 1)),
    ("i1 true", CImmediate("i1", 1)),
    ("float 1.000000e+00", FPImmediate("float", "1.000000e+00")),
    ("double 0x7FF8000000000000", FPImmediate("double", "0x7FF8000000000000")),
    ("half 0xH3C00", FPImmediate("half", "0xH3C00")),
    ("$noreg", Register("$noreg")),
    ("killed $eax", Register("$eax", RegisterFlag.KILLED)),
    ("%5.sub_32", Register("%5", sub_register="sub_32")),
    ("%5:gr32", Register("%5", register_class="gr32")),
    ("%5(s32)", Register("%5", type="s32")),
    ("%5:_(<4 x s32>)", Register("%5", register_class="_", type="<4 x s32>")),
    ("%5(<vscale x 4 x s32>)", Register("%5", type="<vscale x 4 x s32>")),
    ("%5(tied-def 3)", Register("%5", tied_def=3)),
    ("undef %name", Register("%name", RegisterFlag.UNDEF)),
    (
        "implicit-def dead early-clobber $eflags",
        Register(
            "$eflags",
            RegisterFlag.DEFINE | RegisterFlag.IMPLICIT | RegisterFlag.DEAD | RegisterFlag.EARLY_CLOBBER,
        ),
    ),
    ("def %9", Register("%9", RegisterFlag.DEFINE)),
    ("%bb.3", BlockReference(3)),
    ("%bb.3.if.then", BlockReference(3, "if.then")),
    ("%stack.0", FrameIndex(0)),
    ("%stack.0.x.addr", FrameIndex(0, "x.addr")),
    ("%fixed-stack.2", FrameIndex(2, is_fixed=True)),
    ("%const.1", ConstantPoolIndex(1)),
    ("%const.1 + 8", ConstantPoolIndex(1, 8)),
    ("%jump-table.0", JumpTableIndex(0)),
    ("@counter", GlobalAddress("counter")),
    ("@counter - 4", GlobalAddress("counter", -4)),
    ("@0", GlobalAddress(0)),
    ('@"0"', GlobalAddress("0")),
    ('@"a b\\22\\\\\\01"', GlobalAddress('a b"\\\x01')),
    ('@"\\FF"', GlobalAddress("\udcff")),
    ("target-flags(x86-gotpcrel) @counter", GlobalAddress("counter", target_flags=("x86-gotpcrel",))),
    (
        "target-flags(aarch64-pageoff, aarch64-nc) @x",
        GlobalAddress("x", target_flags=("aarch64-pageoff", "aarch64-nc")),
    ),
    ("&memcpy", ExternalSymbol("memcpy")),
    ('&"lock; incl $0"', ExternalSymbol("lock; incl $0")),
    ('&""', ExternalSymbol("")),
    ("<mcsymbol .Ltmp0>", MCSymbol(".Ltmp0")),
    ("<mcsymbol >", MCSymbol("")),
    ("!7", NodeReference(7)),
    ("!DIExpression()", InlineNode("DIExpression")),
    ("!DIExpression(DW_OP_plus_uconst, 8)", InlineNode("DIExpression", ("DW_OP_plus_uconst", "8"))),
    ("!DILocation(line: 3, column: 7, scope: !5)", InlineNode("DILocation", ("line: 3", "column: 7", "scope: !5"))),
    ("%subreg.sub_32bit", SubRegisterIndex("sub_32bit")),
    ("csr_64", RegisterMask("csr_64")),
    ("CustomRegMask($rax,$rbx)", CustomRegisterMask(("$rax", "$rbx"))),
    ("CustomRegMask()", CustomRegisterMask(())),
    ("liveout($rax, $rbx)", LiveOut(("$rax", "$rbx"))),
    ("intrinsic(@llvm.returnaddress)", IntrinsicID("llvm.returnaddress")),
    ("intpred(slt)", Predicate("slt")),
    ("floatpred(oeq)", Predicate("oeq", is_float=True)),
    ("shufflemask(0, undef, 3)", ShuffleMask((0, -1, 3))),
    ("target-index(amdgpu-constdata-start) + 8", TargetIndex("amdgpu-constdata-start", 8)),
    ("lanemask(0x0000000000000003)", LaneMask(3)),
    ("dbg-instr-ref(2, 0)", DebugInstrRef(2, 0)),
    ("blockaddress(@f, %ir-block.target)", BlockAddressOperand(GlobalAddress("f"), IRBlock("target"))),
    ("blockaddress(@f, %ir-block.3) + 1", BlockAddressOperand(GlobalAddress("f"), IRBlock(3), 1)),
    ("14 /* CC::al */", Immediate(14, comment="CC::al")),
]


@pytest.mark.parametrize(("text", "expected"), OPERANDS, ids=[text for text, _ in OPERANDS])
def test_an_operand(text: str, expected: object) -> None:
    (found,) = parsed(f"OPCODE {text}").operands

    assert found == expected
    assert str(found) == text


@pytest.mark.parametrize(("text", "expected"), OPERANDS, ids=[text for text, _ in OPERANDS])
def test_an_operand_among_others(text: str, expected: object) -> None:
    found = parsed(f"$rax = OPCODE 1, {text}, {text}, pcsections !3 :: (load (s8))")

    assert found.operands[2:] == (expected, expected)
    assert str(found) == f"$rax = OPCODE 1, {text}, {text}, pcsections !3 :: (load (s8))"


CFI = [
    ("def_cfa_offset 16", CFIInstruction("def_cfa_offset", (16,))),
    ("offset $rbp, -16", CFIInstruction("offset", ("$rbp", -16))),
    ("register $rbp, $rax", CFIInstruction("register", ("$rbp", "$rax"))),
    ("remember_state ", CFIInstruction("remember_state")),
    ("escape 0x0f, 0x03", CFIInstruction("escape", (0x0F, 0x03))),
    ("def_cfa_register <mcsymbol .L0>$rbp", CFIInstruction("def_cfa_register", ("$rbp",), MCSymbol(".L0"))),
]


@pytest.mark.parametrize(("text", "expected"), CFI, ids=[text for text, _ in CFI])
def test_what_is_said_of_the_frame(text: str, expected: CFIInstruction) -> None:
    found = parsed(f"frame-setup CFI_INSTRUCTION {text}, debug-location !4")

    assert found.operands == (expected,)
    assert found.debug_location == NodeReference(4)
    assert str(found) == f"frame-setup CFI_INSTRUCTION {text}, debug-location !4"


MEMORY = [
    ("(load (s32))", MachineMemOperand(is_load=True, type="s32")),
    ("(store unknown-size)", MachineMemOperand(is_store=True)),
    ("(store 4)", MachineMemOperand(is_store=True, type="4")),
    (
        "(volatile load acquire (s32) from %ir.p + 4, align 8, !tbaa !3, addrspace 1)",
        MachineMemOperand(
            is_load=True,
            type="s32",
            value=IRValue("p"),
            offset=4,
            flags=("volatile",),
            ordering="acquire",
            align=8,
            metadata=(("tbaa", NodeReference(3)),),
            address_space=1,
        ),
    ),
    (
        "(load store seq_cst monotonic (p0) on @g - 8, basealign 16)",
        MachineMemOperand(
            is_load=True,
            is_store=True,
            type="p0",
            value=GlobalAddress("g"),
            offset=-8,
            ordering="seq_cst",
            failure_ordering="monotonic",
            base_align=16,
        ),
    ),
    (
        '(store syncscope("agent") release (<4 x s32>) into `ptr getelementptr (i8, ptr @g, i64 4)`)',
        MachineMemOperand(
            is_store=True,
            type="<4 x s32>",
            value=IRValue(text="ptr getelementptr (i8, ptr @g, i64 4)"),
            sync_scope="agent",
            ordering="release",
        ),
    ),
    ("(load (s64) from got)", MachineMemOperand(is_load=True, type="s64", value=CustomSource("got"))),
    (
        "(load (s64) from call-entry &memcpy)",
        MachineMemOperand(is_load=True, type="s64", value=CallEntry(ExternalSymbol("memcpy"))),
    ),
    ('(load (s64) from custom "GWS")', MachineMemOperand(is_load=True, type="s64", value=CustomSource('custom "GWS"'))),
    (
        '(dereferenceable invariant "aarch64-strided-access" load (s64) from %fixed-stack.0)',
        MachineMemOperand(
            is_load=True,
            type="s64",
            value=FrameIndex(0, is_fixed=True),
            flags=("dereferenceable", "invariant", '"aarch64-strided-access"'),
        ),
    ),
]


@pytest.mark.parametrize(("text", "expected"), MEMORY, ids=[text for text, _ in MEMORY])
def test_a_memory_operand(text: str, expected: MachineMemOperand) -> None:
    found = parsed(f"$eax = MOV32rm $rdi :: {text}, {text}")

    assert found.memory_operands == (expected, expected)
    assert str(found) == f"$eax = MOV32rm $rdi :: {text}, {text}"


def test_what_stands_around_operands() -> None:
    text = (
        "dead %1:gr32, $eflags = frame-setup nsw ADD %0, pre-instr-symbol <mcsymbol .L0>, "
        "post-instr-symbol <mcsymbol .L1>, heap-alloc-marker !1, pcsections !2, mmra !3, cfi-type 4, "
        "debug-instr-number 5, debug-location !6"
    )
    found = parsed(text)

    assert [register.name for register in found.defs] == ["%1", "$eflags"]
    assert found.flags == ("frame-setup", "nsw")
    assert list(found.suffixes.values()) == [
        MCSymbol(".L0"),
        MCSymbol(".L1"),
        *map(NodeReference, (1, 2, 3)),
        4,
        5,
        NodeReference(6),
    ]
    assert str(found) == text


def test_suffixes_are_written_in_the_order_that_llvm_reads() -> None:
    found = parsed("NOOP debug-location !6")
    found.set_suffix("pcsections", NodeReference(2))

    assert str(found) == "NOOP pcsections !2, debug-location !6"
    with pytest.raises(MIRError, match="no suffix"):
        found.set_suffix("tbaa", NodeReference(2))


@given(st.sets(st.sampled_from(list(REGISTER_FLAGS)), max_size=5))
def test_flags_of_registers(words: set[str]) -> None:
    text = "".join(f"{word} " for word in words)
    flags = RegisterFlag.NONE
    for word in words:
        flags |= REGISTER_FLAGS[word]

    (found,) = parsed(f"OPCODE {text}$eax").operands

    assert found == Register("$eax", flags)
    assert parsed(f"OPCODE {found}").operands == (found,)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_names_of_any_kind(name: str) -> None:
    for operand in (GlobalAddress(name), IRValue(name), IRBlock(name), ExternalSymbol(name), MCSymbol(name)):
        assert parsed(f"OPCODE {operand}").operands == (operand,)


BROKEN = [
    ("$eax", "'=' expected, not the end of the line"),
    ("$eax = ", "an opcode expected, not the end of the line"),
    ("MOV $eax $ebx", "',' expected, not '$ebx'"),
    ("MOV killed 3", "a register expected, not '3'"),
    ("MOV %5:", "a register class or bank expected, not the end of the line"),
    ("MOV i32", "an integer expected, not the end of the line"),
    ("MOV float x", "a floating-point number expected, not 'x'"),
    ("MOV pcsections", "a metadata node expected, not the end of the line"),
    ("MOV pcsections <55d0>", "a metadata node expected, not '<'"),
    ("MOV !", "the number of a node expected"),
    ("MOV .", "a word behind '.' expected, not the end of the line"),
    ("MOV . x", "a word behind '.' expected, not 'x'"),
    ("MOV =", "an operand expected, not '='"),
    ("MOV !DILocation(line: 3", "')' expected"),
    ("MOV other(3)", "'other' does not take arguments"),
    ("MOV dbg-instr-ref(1)", "'dbg-instr-ref' takes 2 numbers"),
    ("MOV pcsections !1, $eax", "a part of the instruction that follows the operands expected, not '$eax'"),
    ("MOV :: (s32)", "'load' or 'store' expected, not 's32'"),
    ("MOV :: (load (s32) from 7)", "an address expected, not '7'"),
    ("MOV :: (load (s32), nothing 3)", "an alignment, an address space or metadata expected, not 'nothing'"),
    ("CFI_INSTRUCTION nothing", "a CFI operation expected, not 'nothing'"),
    ("CFI_INSTRUCTION offset $rbp", "',' expected"),
    ("MOV " + "9" * 1000, "an immediate between -9223372036854775808 and 18446744073709551615 expected"),
    ("MOV \x00", "an operand expected, not '\\x00'"),
    ('MOV &"open', "',' expected"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=[text[:30] for text, _ in BROKEN])
def test_what_is_malformed_is_told(text: str, message: str) -> None:
    with pytest.raises(MIRError) as caught:
        parsed(text)

    assert message in caught.value.reason
    assert caught.value.line == 1
    assert 1 <= caught.value.column <= len(text) + 1

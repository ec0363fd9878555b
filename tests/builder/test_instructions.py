"""Each instruction that has no place of its own: what is asked for, and LLVM's text for it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from bitcodec.builder import Builder, metadata_node
from bitcodec.ir import (
    AtomicOrdering,
    AtomicRMWOperation,
    FastMathFlags,
    FCmpPredicate,
    ICmpPredicate,
    Instruction,
    OperandBundle,
    TailCallKind,
)
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

from .bench import Bench, assert_llvm_accepts

Make = Callable[[Bench, Builder, SimpleNamespace], Instruction]

ARITHMETIC: dict[str, Make] = {
    "%0 = add i32 %a, %b": lambda _, b, v: b.add(v.a, v.b),
    "%0 = add nuw nsw i32 %a, -3": lambda _, b, v: b.add(v.a, -3, nuw=True, nsw=True),
    "%r = add <4 x i32> %v, splat (i32 1)": lambda _, b, v: b.add(v.v, 1, name="r"),
    "%0 = sub nsw i32 0, %a": lambda _, b, v: b.sub(0, v.a, nsw=True),
    "%0 = mul nuw i64 %l, -1": lambda _, b, v: b.mul(v.l, 0xFFFF_FFFF_FFFF_FFFF, nuw=True),
    "%0 = udiv exact i32 %a, 8": lambda _, b, v: b.udiv(v.a, 8, exact=True),
    "%0 = sdiv i32 %a, %b": lambda _, b, v: b.sdiv(v.a, v.b),
    "%0 = urem i32 %a, 10": lambda _, b, v: b.urem(v.a, 10),
    "%0 = srem i32 10, %a": lambda _, b, v: b.srem(10, v.a),
    "%0 = shl nuw nsw i32 %a, 2": lambda _, b, v: b.shl(v.a, 2, nuw=True, nsw=True),
    "%0 = lshr exact i32 %a, 2": lambda _, b, v: b.lshr(v.a, 2, exact=True),
    "%0 = ashr i32 %a, 2": lambda _, b, v: b.ashr(v.a, 2),
    "%0 = and i1 %c, true": lambda _, b, v: b.and_(v.c, rhs=True),
    "%0 = or disjoint i32 %a, %b": lambda _, b, v: b.or_(v.a, v.b, disjoint=True),
    "%0 = xor i32 %a, -1": lambda _, b, v: b.xor(v.a, -1),
    "%0 = fadd float %x, 1.500000e+00": lambda _, b, v: b.fadd(v.x, 1.5),
    "%0 = fsub fast float %x, %y": lambda _, b, v: b.fsub(v.x, v.y, fast_math="fast"),
    "%0 = fmul nnan ninf double %d, 2.000000e+00": lambda _, b, v: b.fmul(v.d, 2, fast_math="ninf nnan"),
    "%0 = fdiv arcp float 1.000000e+00, %x": lambda _, b, v: b.fdiv(1, v.x, fast_math=FastMathFlags.ARCP),
    "%0 = frem float %x, %y": lambda _, b, v: b.frem(v.x, v.y),
    "%0 = fneg nsz float %x": lambda _, b, v: b.fneg(v.x, fast_math="nsz"),
    "%0 = icmp eq ptr %p, %q": lambda _, b, v: b.icmp("eq", v.p, v.q),
    "%0 = icmp samesign ult i32 %a, 5": lambda _, b, v: b.icmp(ICmpPredicate.ULT, v.a, 5, samesign=True),
    "%0 = icmp sge <4 x i32> %v, %w": lambda _, b, v: b.icmp("sge", v.v, v.w),
    "%0 = fcmp nnan one float %x, 0.000000e+00": lambda _, b, v: b.fcmp(FCmpPredicate.ONE, v.x, 0.0, fast_math="nnan"),
    "%0 = fcmp true double %d, %d": lambda _, b, v: b.fcmp("true", v.d, v.d),
    "%0 = select i1 %c, i32 %a, i32 0": lambda _, b, v: b.select(v.c, v.a, 0),
    "%0 = select i1 true, ptr %p, ptr %q": lambda _, b, v: b.select(True, v.p, v.q),
    "%0 = select i1 %c, <4 x i32> %v, <4 x i32> %w": lambda _, b, v: b.select(v.c, v.v, v.w),
    "%0 = select <4 x i1> %m, <4 x i32> %v, <4 x i32> splat (i32 7)": lambda _, b, v: b.select(v.m, v.v, 7),
    "%0 = select contract i1 %c, float %x, float %y": lambda _, b, v: b.select(v.c, v.x, v.y, fast_math="contract"),
    "%0 = freeze %pair %s": lambda _, b, v: b.freeze(v.s),
}

CASTS: dict[str, Make] = {
    "%0 = trunc nuw nsw i32 %a to i8": lambda t, b, v: b.trunc(v.a, t.i8, nuw=True, nsw=True),
    "%0 = zext nneg i32 %a to i64": lambda t, b, v: b.zext(v.a, t.i64, nneg=True),
    "%0 = sext <4 x i1> %m to <4 x i32>": lambda t, b, v: b.sext(v.m, t.v4),
    "%0 = fptoui float %x to i32": lambda t, b, v: b.fptoui(v.x, t.i32),
    "%0 = fptosi float %x to i8": lambda t, b, v: b.fptosi(v.x, t.i8),
    "%0 = uitofp nneg i32 %a to float": lambda t, b, v: b.uitofp(v.a, t.types.float, nneg=True),
    "%0 = sitofp i64 %l to double": lambda t, b, v: b.sitofp(v.l, t.types.double),
    "%0 = fptrunc afn double %d to float": lambda t, b, v: b.fptrunc(v.d, t.types.float, fast_math="afn"),
    "%0 = fpext float %x to double": lambda t, b, v: b.fpext(v.x, t.types.double),
    "%0 = ptrtoint ptr %p to i64": lambda t, b, v: b.ptrtoint(v.p, t.i64),
    "%0 = ptrtoaddr ptr %p to i64": lambda t, b, v: b.ptrtoaddr(v.p, t.i64),
    "%0 = inttoptr i64 %l to ptr": lambda t, b, v: b.inttoptr(v.l, t.types.ptr),
    "%0 = bitcast float %x to i32": lambda t, b, v: b.bitcast(v.x, t.i32),
    "%0 = bitcast <4 x i32> %v to i128": lambda t, b, v: b.bitcast(v.v, t.types.integer(128)),
    "%0 = bitcast ptr %p to <1 x ptr>": lambda t, b, v: b.bitcast(v.p, t.types.vector(1, t.types.ptr)),
    "%0 = addrspacecast ptr addrspace(1) %sp to ptr": lambda t, b, v: b.addrspacecast(v.sp, t.types.ptr),
}

VECTORS: dict[str, Make] = {
    "%0 = extractelement <4 x i32> %v, i64 3": lambda _, b, v: b.extractelement(v.v, 3),
    "%0 = extractelement <vscale x 2 x i32> %sv, i32 %a": lambda _, b, v: b.extractelement(v.sv, v.a),
    "%0 = insertelement <4 x i32> %v, i32 9, i64 0": lambda _, b, v: b.insertelement(v.v, 9, 0),
    "%0 = shufflevector <4 x i32> %v, <4 x i32> %w, <2 x i32> <i32 7, i32 poison>": lambda _, b, v: b.shufflevector(
        v.v, v.w, [7, -1]
    ),
    "%0 = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer": lambda _, b, v: b.shufflevector(
        v.v, None, [0, 0, 0, 0]
    ),
    "%0 = shufflevector <vscale x 2 x i32> %sv, <vscale x 2 x i32> %sv, <vscale x 2 x i32> zeroinitializer": (
        lambda _, b, v: b.shufflevector(v.sv, v.sv, [0, 0])
    ),
    "%0 = extractvalue %pair %s, 1": lambda _, b, v: b.extractvalue(v.s, 1),
    "%0 = extractvalue { i32, [2 x i8] } %n, 1, 0": lambda _, b, v: b.extractvalue(v.n, 1, 0),
    "%0 = insertvalue %pair %s, i32 %a, 0": lambda _, b, v: b.insertvalue(v.s, v.a, 0),
    "%0 = insertvalue { i32, [2 x i8] } %n, i8 5, 1, 1": lambda _, b, v: b.insertvalue(v.n, 5, 1, 1),
}

MEMORY: dict[str, Make] = {
    "%0 = alloca i32, align 4": lambda t, b, _: b.alloca(t.i32),
    "%0 = alloca [4 x i8], i32 2, align 1": lambda t, b, _: b.alloca(t.types.array(4, t.i8), 2),
    "%0 = alloca i64, i64 %l, align 32": lambda t, b, v: b.alloca(t.i64, v.l, alignment=32),
    "%0 = alloca inalloca %pair, align 8": lambda t, b, _: b.alloca(t.pair, inalloca=True),
    "%room = alloca swifterror ptr, align 8": lambda t, b, _: b.alloca(t.types.ptr, swifterror=True, name="room"),
    "%0 = load i32, ptr %p, align 4": lambda t, b, v: b.load(t.i32, v.p),
    "%0 = load volatile %pair, ptr @variable, align 2": lambda t, b, _: b.load(
        t.pair, t.variable, volatile=True, alignment=2
    ),
    '%0 = load atomic volatile i64, ptr %p syncscope("singlethread") acquire, align 8': lambda t, b, v: b.load(
        t.i64, v.p, volatile=True, ordering="acquire", sync_scope="singlethread"
    ),
    "store float %x, ptr %p, align 4": lambda _, b, v: b.store(v.x, v.p),
    "store i8 5, ptr %p, align 1": lambda t, b, v: b.store(b.constant(t.i8, 5), v.p),
    "store volatile i32 %a, ptr %p, align 1": lambda _, b, v: b.store(v.a, v.p, volatile=True, alignment=1),
    "store atomic i32 %a, ptr %p release, align 4": lambda _, b, v: b.store(v.a, v.p, ordering=AtomicOrdering.RELEASE),
    "%0 = getelementptr i8, ptr %p, i64 %l": lambda t, b, v: b.getelementptr(t.i8, v.p, [v.l]),
    "%0 = getelementptr inbounds %pair, ptr %p, i64 0, i32 1": lambda t, b, v: b.getelementptr(
        t.pair, v.p, [0, 1], inbounds=True
    ),
    "%0 = getelementptr inbounds nuw [2 x %pair], ptr %p, i32 %a, i64 1, i32 0": lambda t, b, v: b.getelementptr(
        t.types.array(2, t.pair), v.p, [v.a, 1, 0], inbounds=True, nuw=True
    ),
    "%0 = getelementptr nusw i32, ptr %p, <4 x i32> %v": lambda t, b, v: b.getelementptr(t.i32, v.p, [v.v], nusw=True),
    "%0 = getelementptr %pair, <4 x ptr> %pv, i64 1, i32 1": lambda t, b, v: b.getelementptr(t.pair, v.pv, [1, 1]),
    "%0 = getelementptr i32, ptr addrspace(1) %sp, i64 1": lambda t, b, v: b.getelementptr(t.i32, v.sp, [1]),
    "%0 = va_arg ptr %p, i32": lambda t, b, v: b.va_arg(v.p, t.i32),
    "fence seq_cst": lambda _, b, __: b.fence("seq_cst"),
    'fence syncscope("agent") acq_rel': lambda _, b, __: b.fence("acq_rel", sync_scope="agent"),
    "%0 = cmpxchg ptr %p, i32 0, i32 %a acq_rel acquire, align 4": lambda _, b, v: b.cmpxchg(
        v.p, 0, v.a, success_ordering="acq_rel"
    ),
    '%0 = cmpxchg weak volatile ptr %p, i64 %l, i64 -1 syncscope("one") seq_cst monotonic, align 16': (
        lambda _, b, v: b.cmpxchg(
            v.p,
            v.l,
            -1,
            success_ordering="seq_cst",
            failure_ordering="monotonic",
            alignment=16,
            sync_scope="one",
            volatile=True,
            weak=True,
        )
    ),
    "%0 = cmpxchg ptr %p, ptr %q, ptr %f release monotonic, align 8": lambda _, b, v: b.cmpxchg(
        v.p, v.q, v.f, success_ordering="release"
    ),
    "%0 = atomicrmw add ptr %p, i32 %a monotonic, align 4": lambda _, b, v: b.atomicrmw(
        "add", v.p, v.a, ordering="monotonic"
    ),
    "%0 = atomicrmw volatile fmax ptr %p, float %x seq_cst, align 8": lambda _, b, v: b.atomicrmw(
        AtomicRMWOperation.FMAX, v.p, v.x, ordering="seq_cst", alignment=8, volatile=True
    ),
    '%0 = atomicrmw xchg ptr %p, ptr %q syncscope("agent") acquire, align 8': lambda _, b, v: b.atomicrmw(
        "xchg", v.p, v.q, ordering="acquire", sync_scope="agent"
    ),
}

CALLS: dict[str, Make] = {
    "%0 = call i32 @callee(i32 %a, ptr %p)": lambda t, b, v: b.call(t.callee, [v.a, v.p]),
    "%r = tail call i32 @callee(i32 3, ptr null)": lambda t, b, _: b.call(
        t.callee, [3, b.constant(t.types.ptr, None)], tail="tail", name="r"
    ),
    "call fastcc void @fast()": lambda t, b, _: b.call(t.fast),
    "notail call void @fast()": lambda t, b, _: b.call(t.fast, tail=TailCallKind.NOTAIL, calling_convention="ccc"),
    "call void (ptr, ...) @print(ptr %p, i32 %a, double %d, i1 true)": lambda t, b, v: b.call(
        t.print, [v.p, v.a, v.d, True]
    ),
    "%0 = call nnan float @sine(float 5.000000e-01)": lambda t, b, _: b.call(t.sine, [0.5], fast_math="nnan"),
    "call swiftcc void %f(i64 1)": lambda t, b, v: b.call(
        v.f, [1], function_type=t.types.function(t.types.void, [t.i64]), calling_convention="swiftcc"
    ),
    "call void @fast() #0": lambda t, b, _: b.call(t.fast, attributes=["nounwind"], calling_convention=0),
    'call void asm sideeffect "nop", ""()': lambda t, b, _: b.call(
        t.module.context.constants.inline_asm(t.types.function(t.types.void), "nop", "", has_side_effects=True)
    ),
    'call fastcc void @fast() [ "deopt"(i32 %a, ptr %p) ]': lambda t, b, v: b.call(
        t.fast, bundles=[OperandBundle("deopt", (v.a, v.p))]
    ),
    "%0 = call i32 @llvm.umax.i32(i32 %a, i32 %b)": lambda t, b, v: b.intrinsic("llvm.umax.i32", t.i32, [v.a, v.b]),
    "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %l, i1 false)": lambda t, b, v: b.intrinsic(
        "llvm.memset.p0.i64", t.types.void, [v.p, b.constant(t.i8, 0), v.l, False]
    ),
    "%0 = call i32 @llvm.read_register.i32(metadata !0)": lambda t, b, _: b.intrinsic(
        "llvm.read_register.i32", t.i32, [metadata_node(t.module, "sp")]
    ),
}

PLAIN = {**ARITHMETIC, **CASTS, **VECTORS, **MEMORY, **CALLS}


@pytest.mark.parametrize("text", PLAIN)
def test_text(text: str):
    bench = Bench()

    made = PLAIN[text](bench, bench.builder, bench.values)

    assert str(made) == text
    assert bench.entry.instructions == (made,)


def test_every_operation_and_cast_is_a_method():
    opcodes = {word for row in BINARY_OPCODES for word in row if word} | set(CAST_OPCODES)
    methods = {name.removesuffix("_") for name in dir(Builder)}
    assert opcodes <= methods
    assert opcodes <= {text.split(" = ")[1].split()[0] for text in {**ARITHMETIC, **CASTS}}


def test_llvm_accepts_them_all():
    bench = Bench()
    for make in PLAIN.values():
        make(bench, bench.builder, bench.values)
    bench.builder.ret()
    assert_llvm_accepts(bench.module)

"""Wrong uses: each raises an error that says which operand of what is wrong, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bitcodec.builder import Builder, add_block, add_variable, metadata_node, new_module

from .bench import Bench

Wrong = Callable[[Bench, Builder, SimpleNamespace], Any]

TYPE_ERRORS: dict[str, Wrong] = {
    "add takes two operands of one type: i32 and i64": lambda _, b, v: b.add(v.a, v.l),
    "add takes integers as its operands, not float": lambda _, b, v: b.add(v.x, v.y),
    "add takes i32 as its second operand, not 1.5": lambda _, b, v: b.add(v.a, 1.5),
    "sub takes i32 as its first operand, not 'x'": lambda _, b, v: b.sub("x", v.a),
    "add of 1 and 2: one must be a value, which determines the type": lambda _, b, __: b.add(1, 2),
    "xor takes i32 as its second operand, not None": lambda _, b, v: b.xor(v.a, None),
    "add takes two operands of one type: i32 and i32 of another context": lambda _, b, v: b.add(
        v.a, new_module("other").context.constants.integer(new_module("third").context.types.integer(32), 1)
    ),
    "fadd takes floating-point numbers as its operands, not i32": lambda _, b, v: b.fadd(v.a, 1),
    "fneg takes floating-point numbers as its operand, not ptr": lambda _, b, v: b.fneg(v.p),
    "fneg takes a value as its operand, not 1.5, whose type nothing specifies": lambda _, b, __: b.fneg(1.5),
    "icmp takes integers or pointers as its operands, not float": lambda _, b, v: b.icmp("eq", v.x, v.y),
    "icmp takes ptr as its second operand, not 0": lambda _, b, v: b.icmp("eq", v.p, 0),
    "fcmp takes floating-point numbers as its operands, not i32": lambda _, b, v: b.fcmp("oeq", v.a, v.b),
    "select takes i1 as its condition, not i32": lambda _, b, v: b.select(v.a, v.p, v.q),
    "select takes i1 as its condition, not <4 x i1>": lambda _, b, v: b.select(v.m, v.p, v.q),
    "select takes two operands of one type: ptr and i32": lambda _, b, v: b.select(v.c, v.p, v.a),
    "select with fast-math flags takes floating-point numbers as its type, not ptr": lambda _, b, v: b.select(
        v.c, v.p, v.q, fast_math="fast"
    ),
    "freeze takes a value as its operand, not label": lambda t, b, _: b.freeze(t.entry),
    "trunc goes from integers to narrower integers, not from i32 to i64": lambda t, b, v: b.trunc(v.a, t.i64),
    "zext goes from integers to wider integers, not from float to i64": lambda t, b, v: b.zext(v.x, t.i64),
    "sext goes from integers to wider integers, not from <4 x i32> to i64": lambda t, b, v: b.sext(v.v, t.i64),
    "fptoui goes from floating-point numbers to integers, not from i32 to i64": lambda t, b, v: b.fptoui(v.a, t.i64),
    "fpext goes from floating-point numbers to wider floating-point numbers, not from float to half": (
        lambda t, b, v: b.fpext(v.x, t.types.half)
    ),
    "inttoptr goes from integers to pointers, not from ptr to ptr": lambda t, b, v: b.inttoptr(v.p, t.types.ptr),
    "bitcast goes between types of one size, not from i32 to i64": lambda t, b, v: b.bitcast(v.a, t.i64),
    "bitcast goes between types of one size, not from ptr to i64": lambda t, b, v: b.bitcast(v.p, t.i64),
    "bitcast goes between types of one size, not from %pair to i64": lambda t, b, v: b.bitcast(v.s, t.i64),
    "bitcast goes between types of one size, not from ptr to ptr addrspace(1)": lambda t, b, v: b.bitcast(
        v.p, t.types.pointer(1)
    ),
    "addrspacecast goes to another address space, not from ptr to itself": lambda t, b, v: b.addrspacecast(
        v.p, t.types.ptr
    ),
    "extractelement takes a vector as its vector, not i32": lambda _, b, v: b.extractelement(v.a, 0),
    "extractelement takes an integer as its index, not float": lambda _, b, v: b.extractelement(v.v, v.x),
    "insertelement takes i32 as its element, not i64": lambda _, b, v: b.insertelement(v.v, v.l, 0),
    "shufflevector takes two operands of one type: <4 x i32> and <4 x i1>": lambda _, b, v: b.shufflevector(
        v.v, v.m, [0]
    ),
    "extractvalue takes a struct or array as its aggregate, not i32": lambda _, b, v: b.extractvalue(v.a, 0),
    "insertvalue takes ptr as its value, not i32": lambda _, b, v: b.insertvalue(v.s, v.a, 1),
    "alloca takes something that has a size as its type, not void": lambda t, b, _: b.alloca(t.types.void),
    "alloca takes an integer as its count, not float": lambda t, b, v: b.alloca(t.i32, v.x),
    "load takes a pointer as its pointer, not i32": lambda t, b, v: b.load(t.i32, v.a),
    "load takes something that has a size as its type, not void ()": lambda t, b, v: b.load(
        t.types.function(t.types.void), v.p
    ),
    "store takes a value as its value, not 5, whose type nothing specifies": lambda _, b, v: b.store(5, v.p),
    "store takes a pointer as its pointer, not i32": lambda _, b, v: b.store(v.a, v.a),
    "getelementptr takes pointers as its pointer, not i32": lambda t, b, v: b.getelementptr(t.i8, v.a, [1]),
    "getelementptr takes integers as its index 1, not ptr": lambda t, b, v: b.getelementptr(t.v4, v.p, [0, v.q]),
    "getelementptr takes i64 as its index 0, not 1.0": lambda t, b, v: b.getelementptr(t.i8, v.p, [1.0]),
    "getelementptr takes vectors of one length as its operands beside <4 x ptr>, not <vscale x 2 x i32>": (
        lambda t, b, v: b.getelementptr(t.i8, v.pv, [v.sv])
    ),
    "va_arg takes a pointer as its pointer, not i64": lambda t, b, v: b.va_arg(v.l, t.i32),
    "cmpxchg takes an integer or pointer as its value, not float": lambda _, b, v: b.cmpxchg(
        v.p, v.x, v.y, success_ordering="seq_cst"
    ),
    "cmpxchg takes a whole number of bytes, a power of two, as its value, not i1": lambda _, b, v: b.cmpxchg(
        v.p, v.c, v.c, success_ordering="seq_cst"
    ),
    "load atomic takes a whole number of bytes, a power of two, as its value, not i24": lambda t, b, v: b.load(
        t.types.integer(24), v.p, ordering="acquire"
    ),
    "store atomic takes an integer, floating-point number, pointer or vector as its value, not %pair": (
        lambda _, b, v: b.store(v.s, v.p, ordering="release")
    ),
    "atomicrmw xchg takes an integer, floating-point number or pointer as its value, not <4 x i32>": (
        lambda _, b, v: b.atomicrmw("xchg", v.p, v.v, ordering="seq_cst")
    ),
    "atomicrmw add takes an integer as its value, not float": lambda _, b, v: b.atomicrmw(
        "add", v.p, v.x, ordering="seq_cst"
    ),
    "atomicrmw fadd takes floating-point numbers as its value, not i32": lambda _, b, v: b.atomicrmw(
        "fadd", v.p, v.a, ordering="seq_cst"
    ),
    "call of @callee takes 2 arguments, not 1": lambda t, b, v: b.call(t.callee, [v.a]),
    "call of @print takes 1 arguments or more, not 0": lambda t, b, _: b.call(t.print),
    "call of @callee takes i32 as its argument 0, not i64": lambda t, b, v: b.call(t.callee, [v.l, v.p]),
    "call of @callee takes ptr as its argument 1, not 0": lambda t, b, v: b.call(t.callee, [v.a, 0]),
    "call of @print takes a value as its argument 1, not 5, whose type nothing specifies": lambda t, b, v: b.call(
        t.print, [v.p, 5]
    ),
    "call takes a pointer as its callee, not i32": lambda _, b, v: b.call(v.a),
    "call of <Argument 7 ptr %p>: its type is unknown; give `function_type`": lambda _, b, v: b.call(v.p),
    "invoke takes a block as its unwind destination, not i32": lambda t, b, v: b.invoke(t.fast, [], t.entry, v.a),
    "phi takes i32 as its incoming value, not ptr": lambda t, b, v: b.phi(t.i32, [(v.p, t.entry)]),
    "ret in @bench takes nothing as its value, not i32": lambda _, b, v: b.ret(v.a),
    "br takes a block as its target, not i32": lambda _, b, v: b.br(v.a),
    "br takes i1 as its condition, not i32": lambda t, b, v: b.cond_br(v.a, t.entry, t.entry),
    "switch takes an integer as its condition, not ptr": lambda t, b, v: b.switch(v.p, t.entry),
    "switch takes a number as its case, not <Argument 1 i32 %b>": lambda t, b, v: b.switch(
        v.a, t.entry, [(v.b, t.entry)]
    ),
    "indirectbr takes a pointer as its address, not label": lambda t, b, _: b.indirectbr(t.entry, [t.entry]),
    "landingpad takes a constant as its clause, not <Argument 7 ptr %p>": lambda t, b, v: b.landingpad(
        t.types.ptr, [v.p]
    ),
    "cleanuppad takes a token as its parent pad, not i32": lambda _, b, v: b.cleanuppad(v.a),
    "catchpad takes a catchswitch as its parent pad, not None": lambda _, b, __: b.catchpad(None),
    "catchret takes a catchpad as its pad, not None": lambda t, b, _: b.catchret(None, t.entry),
    "1.5 is not a valid i32": lambda t, b, _: b.constant(t.i32, 1.5),
    "[1, 2, 3] is not a valid <4 x i32>": lambda t, b, _: b.constant(t.v4, [1, 2, 3]),
    "b'abc' is not a valid [2 x i8]": lambda t, b, _: b.constant(t.types.array(2, t.i8), b"abc"),
}

VALUE_ERRORS: dict[str, Wrong] = {
    "4294967296 does not fit into i32": lambda _, b, v: b.add(v.a, 1 << 32),
    "-129 does not fit into i8": lambda t, b, _: b.constant(t.i8, -129),
    "unknown ICmpPredicate 'lt': expected eq, ne, ugt, uge, ult, ule, sgt, sge, slt, sle": lambda _, b, v: b.icmp(
        "lt", v.a, v.b
    ),
    "unknown fast-math flag 'quick': expected nnan, ninf, nsz, arcp, contract, afn, reassoc, fast": lambda _, b, v: (
        b.fmul(v.x, v.y, fast_math="nnan quick")
    ),
    "shufflevector of <4 x i32> has no elements [8]": lambda _, b, v: b.shufflevector(v.v, v.w, [8]),
    "shufflevector of <vscale x 2 x i32> has no elements [0, 1]": lambda _, b, v: b.shufflevector(v.sv, None, [0, 1]),
    "extractvalue: %pair has no element 2": lambda _, b, v: b.extractvalue(v.s, 2),
    "insertvalue takes an index at least": lambda _, b, v: b.insertvalue(v.s, v.a),
    "getelementptr: %pair has no element <ConstantInt i32 2>": lambda t, b, v: b.getelementptr(t.pair, v.p, [0, 2]),
    "getelementptr: %pair has no element <Argument 0 i32 %a>": lambda t, b, v: b.getelementptr(t.pair, v.p, [0, v.a]),
    "getelementptr: i32 has no element <ConstantInt i64 0>": lambda t, b, v: b.getelementptr(t.i32, v.p, [0, 0]),
    "an alignment is a power of two up to 2**32, not 3": lambda t, b, v: b.load(t.i32, v.p, alignment=3),
    "an alignment is a power of two up to 2**32, not 0": lambda _, b, v: b.store(v.a, v.p, alignment=0),
    "load cannot be ordered release": lambda t, b, v: b.load(t.i32, v.p, ordering="release"),
    "store cannot be ordered acquire": lambda _, b, v: b.store(v.a, v.p, ordering="acquire"),
    "fence cannot be ordered monotonic": lambda _, b, __: b.fence("monotonic"),
    "atomicrmw cannot be ordered as not atomic": lambda _, b, v: b.atomicrmw("add", v.p, v.a, ordering=""),
    "a failing cmpxchg cannot be ordered acq_rel": lambda _, b, v: b.cmpxchg(
        v.p, 0, v.a, success_ordering="seq_cst", failure_ordering="acq_rel"
    ),
    "call of @fast gives nothing that could be named 'r'": lambda t, b, _: b.call(t.fast, name="r"),
    "unknown calling convention 'slowcc'": lambda t, b, _: b.call(t.fast, calling_convention="slowcc"),
    "unknown intrinsic 'llvm.nothing.at.all'": lambda t, b, _: b.intrinsic("llvm.nothing.at.all", t.types.void),
    "switch has two cases 1": lambda t, b, v: b.switch(v.a, t.entry, [(1, t.entry), (1, t.entry)]),
    "landingpad takes a clause at least, or is a cleanup": lambda t, b, _: b.landingpad(t.types.ptr),
    "catchswitch takes a handler at least": lambda _, b, __: b.catchswitch(None, []),
    "attribute align 8 is not for a function": lambda t, b, _: b.call(t.fast, attributes=[("align", 8)]),
}


@pytest.mark.parametrize("message", TYPE_ERRORS)
def test_types(message: str):
    check(TypeError, message, TYPE_ERRORS[message])


@pytest.mark.parametrize("message", VALUE_ERRORS)
def test_values(message: str):
    check(ValueError, message, VALUE_ERRORS[message])


def check(kind: type[Exception], message: str, wrong: Wrong) -> None:
    bench = Bench()
    with pytest.raises(kind) as caught:
        wrong(bench, bench.builder, bench.values)

    assert str(caught.value) == message
    assert bench.entry.instructions == ()
    assert not any(argument.is_used for argument in bench.function.arguments)
    assert not bench.callee.is_used


def test_nothing_follows_a_terminator():
    bench = Bench()
    leaving = bench.builder.ret()

    with pytest.raises(ValueError, match="<BasicBlock %entry, 1 instructions> ends in ret already: add cannot follow"):
        bench.builder.add(bench.values.a, 1)
    with bench.builder.before(leaving), pytest.raises(ValueError, match="br ends a block: it cannot precede"):
        bench.builder.br(bench.entry)

    assert bench.entry.instructions == (leaving,)
    assert not bench.values.a.is_used
    assert not bench.entry.is_used


def test_a_place_that_is_gone():
    bench = Bench()
    bench.builder.before(bench.builder.fence("seq_cst"))
    bench.entry.instructions[0].erase_from_parent()

    with pytest.raises(ValueError, match="before which the builder inserts, was moved or removed"):
        bench.builder.ret()


def test_places_in_no_module():
    bench = Bench()
    block = add_block(bench.function, "loose")
    block.remove_from_parent()
    made = bench.builder.fence("seq_cst")
    made.remove_from_parent()

    with pytest.raises(ValueError, match="<BasicBlock %loose, 0 instructions> is in no module"):
        bench.builder.at_end(block)
    with pytest.raises(ValueError, match="is in no block"):
        bench.builder.before(made)
    with pytest.raises(ValueError, match="is in no module"):
        Builder(block)
    assert bench.builder.block is bench.entry


def test_what_metadata_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^expected metadata, a value, a str or None, found \['a'\]"):
        metadata_node(new_module("m"), ["a"])  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 3, "i8"])
def test_a_type_that_is_none(wrong: object) -> None:
    module = new_module("empty")
    with pytest.raises(TypeError, match=r"type of @n must be a type of the module's context; got "):
        add_variable(module, "n", wrong, b"text")  # type: ignore[arg-type]
    assert len(module.global_variables) == 0

"""Phis, terminators, unwinding: what belongs together is built as one function, and LLVM verifies it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bitcodec.builder import Builder, add_block, add_function, add_variable
from bitcodec.ir import BasicBlock, Function, Instruction, OperandBundle

from .bench import Bench, assert_llvm_accepts
from .test_instructions import PLAIN


def new_function(bench: Bench, name: str) -> Function:
    function_type = bench.types.function(bench.i32, [bench.i32])
    return add_function(bench.module, name, function_type, argument_names=["n"])


def blocks_of(function: Function, names: str) -> list[BasicBlock]:
    return [add_block(function, name) for name in names.split()]


def loop(bench: Bench) -> Function:
    function = new_function(bench, "loop")
    (n,) = function.arguments
    entry, body, leave = blocks_of(function, "entry body exit")
    builder = Builder(entry)
    builder.cond_br(builder.icmp("eq", n, 0), leave, body)
    builder.at_end(body)
    i = builder.phi(bench.i32, [(0, entry)], name="i")
    following = builder.add(i, 1, nuw=True, name="next")
    i.add_incoming(following, body)
    builder.cond_br(builder.icmp("ult", following, n), body, leave)
    builder.at_end(leave)
    builder.ret(builder.phi(bench.i32, [(0, entry), (following, body)]))
    return function


def ways_to_go(bench: Bench) -> Function:
    function = new_function(bench, "ways_to_go")
    entry, two, five, jump, text, never = blocks_of(function, "entry two five jump text never")
    builder = Builder(entry)
    switch = builder.switch(function.arguments[0], never, [(2, two), (-5, five)])
    switch.add_case(builder.constants.integer(bench.i32, 7), text)
    builder.at_end(two)
    builder.br(jump)
    builder.at_end(five)
    builder.ret(-1)
    builder.at_end(jump)
    builder.indirectbr(builder.constants.block_address(function, five), [five, never])
    builder.at_end(text)
    taking_one = bench.types.function(bench.types.void, [bench.i32])
    asm = builder.constants.inline_asm(taking_one, "jmp ${1:l}", "r,!i,!i", has_side_effects=True)
    builder.callbr(asm, [function.arguments[0]], five, [jump, never])
    builder.at_end(never)
    builder.unreachable()
    return function


def landing_pads(bench: Bench) -> Function:
    types, module = bench.types, bench.module
    personality = add_function(module, "personality", types.function(bench.i32, is_vararg=True))
    type_info = add_variable(module, "type_info", types.ptr, is_constant=True)
    function = add_function(module, "landing_pads", types.function(bench.i32), personality=personality)
    entry, done, pad = blocks_of(function, "entry done pad")
    builder = Builder(entry)
    got = builder.invoke(bench.callee, [1, builder.constant(types.ptr, None)], done, pad, name="got")
    builder.at_end(pad)
    filters = builder.constant(types.array(1, types.ptr), [type_info])
    caught = builder.landingpad(types.struct([types.ptr, bench.i32]), [type_info, filters], cleanup=True, name="caught")
    builder.resume(caught)
    builder.at_end(done)
    builder.ret(got)
    return function


def funclets(bench: Bench) -> Function:
    types, module = bench.types, bench.module
    seh = add_function(module, "__CxxFrameHandler3", types.function(bench.i32, is_vararg=True))
    function = add_function(module, "funclets", types.function(types.void), personality=seh)
    blocks = blocks_of(function, "entry dispatch handler cleanup clean outer done")
    entry, dispatch, handler, cleanup, clean, outer, done = blocks
    builder = Builder(entry)
    builder.invoke(bench.fast, [], done, dispatch)
    builder.at_end(dispatch)
    switch = builder.catchswitch(None, [handler], cleanup, name="switch")
    builder.at_end(handler)
    null = builder.constant(types.ptr, None)
    catch = builder.catchpad(switch, [null, builder.constant(bench.i32, 64), null], name="catch")
    builder.catchret(catch, done)
    builder.at_end(cleanup)
    pad = builder.cleanuppad(name="pad")
    builder.invoke(bench.fast, [], clean, outer, bundles=[OperandBundle("funclet", (pad,))])
    builder.at_end(clean)
    builder.cleanupret(pad, outer)
    builder.at_end(outer)
    builder.cleanupret(builder.cleanuppad(None, [builder.constant(bench.i32, 3)], name="last"))
    builder.at_end(done)
    builder.ret()
    return function


FUNCTIONS: dict[Callable[[Bench], Function], list[str]] = {
    loop: [
        "%0 = icmp eq i32 %n, 0",
        "br i1 %0, label %exit, label %body",
        "%i = phi i32 [ 0, %entry ], [ %next, %body ]",
        "%next = add nuw i32 %i, 1",
        "%1 = icmp ult i32 %next, %n",
        "br i1 %1, label %body, label %exit",
        "%2 = phi i32 [ 0, %entry ], [ %next, %body ]",
        "ret i32 %2",
    ],
    ways_to_go: [
        "switch i32 %n, label %never [ i32 2, label %two i32 -5, label %five i32 7, label %text ]",
        "br label %jump",
        "ret i32 -1",
        "indirectbr ptr blockaddress(@ways_to_go, %five), [label %five, label %never]",
        'callbr void asm sideeffect "jmp ${1:l}", "r,!i,!i"(i32 %n) to label %five [label %jump, label %never]',
        "unreachable",
    ],
    landing_pads: [
        "%got = invoke i32 @callee(i32 1, ptr null) to label %done unwind label %pad",
        "ret i32 %got",
        "%caught = landingpad { ptr, i32 } cleanup catch ptr @type_info filter [1 x ptr] [ptr @type_info]",
        "resume { ptr, i32 } %caught",
    ],
    funclets: [
        "invoke fastcc void @fast() to label %done unwind label %dispatch",
        "%switch = catchswitch within none [label %handler] unwind label %cleanup",
        "%catch = catchpad within %switch [ptr null, i32 64, ptr null]",
        "catchret from %catch to label %done",
        "%pad = cleanuppad within none []",
        'invoke fastcc void @fast() [ "funclet"(token %pad) ] to label %clean unwind label %outer',
        "cleanupret from %pad unwind label %outer",
        "%last = cleanuppad within none [i32 3]",
        "cleanupret from %last unwind to caller",
        "ret void",
    ],
}


@pytest.mark.parametrize("build", FUNCTIONS)
def test_text(build: Callable[[Bench], Function]):
    bench = Bench()

    function = build(bench)
    bench.builder.ret()

    assert [" ".join(str(instruction).split()) for instruction in function.instructions] == FUNCTIONS[build]
    assert_llvm_accepts(bench.module)


def test_every_instruction_has_a_method_that_the_tests_call():
    bench = Bench()
    made = {instruction.opcode for build in FUNCTIONS for instruction in build(bench).instructions}
    for make in PLAIN.values():
        made.add(make(bench, bench.builder, bench.values).opcode)

    opcodes = {kind.opcode for kind in _kinds(Instruction) if isinstance(vars(kind).get("opcode"), str)}
    assert opcodes - made == set()
    assert {opcode for opcode in made if not hasattr(Builder, opcode)} == {"and", "or"}


def _kinds(kind: type[Instruction]) -> Iterator[type[Instruction]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _kinds(child)

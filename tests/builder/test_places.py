"""Where instructions go, their names, and what the data layout says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, add_variable
from bitcodec.ir import BasicBlock, BinaryOperator, CatchSwitch, Unreachable

from .bench import LAYOUT, Bench, assert_llvm_accepts

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def bench() -> Bench:
    return Bench()


def opcodes(block: BasicBlock) -> list[str]:
    return [instruction.opcode for instruction in block]


def test_a_builder_moves_for_good(bench: Bench):
    builder, a = bench.builder, bench.values.a
    total = builder.add(a, 1)
    other = add_block(bench.function, "other")
    builder.br(other)
    builder.before(total)
    builder.sub(a, 1)
    builder.after(total)
    builder.mul(a, 1)
    builder.shl(a, 1)
    builder.at_end(other)
    builder.ret()

    assert opcodes(bench.entry) == ["sub", "add", "mul", "shl", "br"]
    assert (builder.block, builder.following, builder.function) == (other, None, bench.function)


def test_a_with_goes_back(bench: Bench):
    builder, a = bench.builder, bench.values.a
    total = builder.add(a, 1)
    with builder.before(total):
        builder.sub(a, 1)
        with builder.at_start(bench.entry):
            builder.alloca(bench.i32)
    builder.xor(a, 1)
    with pytest.raises(TypeError), builder.before(total):
        builder.fadd(a, 1)
    builder.ret()

    assert opcodes(bench.entry) == ["alloca", "sub", "add", "xor", "ret"]


def test_instructions_that_no_method_made_are_inserted(bench: Bench):
    builder, a = bench.builder, bench.values.a
    total = builder.add(a, 1)
    builder.before(total)
    made = builder.insert(BinaryOperator("mul", a, a), "product")
    assert (made.name, made.parent) == ("product", bench.entry)
    assert opcodes(bench.entry) == ["mul", "add"]
    with pytest.raises(ValueError, match="it cannot precede"):
        builder.insert(Unreachable(bench.module.context.types.void))
    assert opcodes(bench.entry) == ["mul", "add"]


def test_the_start_is_behind_phis_and_pads(bench: Bench):
    builder = bench.builder
    builder.phi(bench.i32)
    phi = builder.phi(bench.i32)
    with builder.at_start(bench.entry):
        builder.freeze(phi)
    builder.ret()
    with builder.at_start(bench.entry):
        builder.fence("seq_cst")

    assert opcodes(bench.entry) == ["phi", "phi", "fence", "freeze", "ret"]


PADS: dict[str, Callable[[Bench, CatchSwitch], object]] = {
    "landingpad": lambda bench, _: bench.builder.landingpad(bench.i32, cleanup=True),
    "cleanuppad": lambda bench, _: bench.builder.cleanuppad(),
    "catchpad": lambda bench, switch: bench.builder.catchpad(switch),
}


@pytest.mark.parametrize("pad", PADS)
def test_the_start_is_behind_a_pad(bench: Bench, pad: str):
    block = add_block(bench.function, "handler")
    switch = bench.builder.catchswitch(None, [block])
    with bench.builder.at_end(block):
        PADS[pad](bench, switch)
    with bench.builder.at_start(block):
        bench.builder.fence("seq_cst")

    assert opcodes(block) == [pad, "fence"]


def test_a_misspelled_attribute_is_an_error(bench: Bench):
    with pytest.raises(AttributeError):
        bench.builder.debug_loc = None


def test_names_are_kept_apart(bench: Bench):
    made = [bench.builder.add(bench.values.a, number, name="a") for number in range(3)]
    assert [instruction.name for instruction in made] == ["a1", "a2", "a3"]


def test_a_module_that_was_read_is_built_in_too():
    module = bitcodec.open(EXAMPLES / "queue.bc")
    types = module.context.types
    log = add_function(module, "log", types.function(types.void, [types.ptr], is_vararg=True))
    name = add_variable(module, "name", types.array(6, types.integer(8)), b"entry\0")
    for function in module.functions:
        if function.is_declaration:
            continue
        entry = function.entry_block
        builder = Builder(entry)
        builder.at_start(entry)
        builder.debug_location = entry.terminator.debug_location
        builder.call(log, [name, builder.load(types.integer(8), name)])

    assert len(log.users) == 5
    assert_llvm_accepts(module)


def test_alignments_and_address_spaces_are_the_data_layouts():
    bench = Bench(LAYOUT)
    builder, values = bench.builder, bench.values
    types = bench.types
    made = [
        builder.alloca(types.integer(128)),
        builder.alloca(types.struct([bench.i8, types.fp128])),
        builder.load(types.vector(3, bench.i32), values.p),
        builder.load(types.pointer(1), values.p),
        builder.getelementptr(bench.i8, values.sp, [1]),
        builder.cmpxchg(values.p, 1, values.l, success_ordering="seq_cst"),
    ]
    builder.ret()

    assert [str(instruction).partition(" = ")[2] for instruction in made] == [
        "alloca i128, align 16, addrspace(5)",
        "alloca { i8, fp128 }, align 16, addrspace(5)",
        "load <3 x i32>, ptr %p, align 16",
        "load ptr addrspace(1), ptr %p, align 4",
        "getelementptr i8, ptr addrspace(1) %sp, i32 1",
        "cmpxchg ptr %p, i64 1, i64 %l seq_cst seq_cst, align 8",
    ]
    assert_llvm_accepts(bench.module)

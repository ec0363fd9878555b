"""Expanded atomic instructions compute what the original ones do: in one thread, and in several at once.

Expansions for other targets run here too where they need no intrinsics: loops of `cmpxchg`, and accesses of words.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.ir.module import Module
from bitcodec.ir.types import FloatingPointType, Type
from bitcodec.ir.values import Value
from bitcodec.transforms import expand_atomics

llvm = pytest.importorskip("llvmlite.binding", reason="llvmlite is not installed")
pytestmark = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the code is for x86-64")

TRIPLE = "x86_64-unknown-linux-gnu"
LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
COUNT = 100_000
THREADS = 4
WIDTHS = (8, 16, 32, 64)
WRAPPING = ("uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")
PLAIN = ("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin")
COMMUTING = ("add", "sub", "and", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub")
"""Operations whose result does not depend on which thread comes first."""


class Expansion(NamedTuple):
    """A way to expand: for which target, and what.

    Attributes:
        triple, features, is_optimized: the target.
        operations: that give nothing but what runs everywhere.
        widths: of the integers.
    """

    triple: str
    features: tuple[str, ...]
    is_optimized: bool
    operations: tuple[str, ...]
    widths: tuple[int, ...] = WIDTHS


EXPANSIONS = {
    "x86-64": Expansion(TRIPLE, (), True, (*PLAIN, *WRAPPING)),
    "loops": Expansion("aarch64-unknown-linux-gnu", (), False, (*PLAIN, *WRAPPING)),
    "words": Expansion("riscv64-unknown-linux-gnu", ("+a",), True, ("and", "or", "xor", *WRAPPING), (8, 16)),
}


def built(operations: tuple[str, ...], widths: tuple[int, ...]) -> Module:
    """Return a module of a function for each operation and type: it goes on and on, and tells what it saw."""
    module = new_module("atomics", data_layout=LAYOUT, target_triple=TRIPLE)
    types = module.context.types
    for operation in operations:
        for width in widths:
            _add_loop(module, operation, types.integer(width))
    for operation in ("fadd", "fsub", "fmax", "fmin", "xchg"):
        for type_ in (types.float, types.double):
            _add_loop(module, operation, type_)
    _add_exchange(module)
    return module


def _add_loop(module: Module, operation: str, type_: Type) -> None:
    """Add `i64 operation_type(ptr address, i64 seed, i64 count)`."""

    def step(builder: Builder, address: Value, number: Value) -> Value:
        value = _operand(builder, number, type_)
        old = builder.atomicrmw(operation, address, value, ordering="seq_cst")
        return _as_number(builder, old)

    _add_function(module, f"{operation}_{type_}", step)


def _add_exchange(module: Module) -> None:
    """Add a function that counts by `cmpxchg` of pointers, as far as nobody comes between."""

    def step(builder: Builder, address: Value, number: Value) -> Value:
        types = builder.types
        old = builder.load(types.pointer(), address, ordering="acquire", alignment=8)
        new = builder.inttoptr(number, types.pointer())
        pair = builder.cmpxchg(address, old, new, success_ordering="acq_rel")
        found = builder.ptrtoint(builder.extractvalue(pair, 0), types.integer(64))
        return builder.add(found, builder.zext(builder.extractvalue(pair, 1), types.integer(64)))

    _add_function(module, "cmpxchg_ptr", step)


def _add_function(module: Module, name: str, step: Any) -> None:
    types = module.context.types
    i64 = types.integer(64)
    function = add_function(module, name, types.function(i64, [types.pointer(), i64, i64]))
    entry, loop, done = (add_block(function) for _ in range(3))
    address, seed, count = function.arguments
    builder = Builder(entry)
    builder.br(loop)
    builder.at_end(loop)
    index = builder.phi(i64, [(0, entry)])
    number = builder.phi(i64, [(seed, entry)])
    seen = builder.phi(i64, [(0, entry)])
    following = builder.add(builder.mul(number, 6364136223846793005), 1442695040888963407)
    found = step(builder, address, builder.lshr(following, 11))
    more = builder.add(builder.mul(seen, 31), found)
    next_index = builder.add(index, 1)
    for phi, value in ((index, next_index), (number, following), (seen, more)):
        phi.add_incoming(value, builder.block)
    builder.cond_br(builder.icmp("ult", next_index, count), loop, done)
    builder.at_end(done)
    builder.ret(more)


def _operand(builder: Builder, number: Value, type_: Type) -> Value:
    if isinstance(type_, FloatingPointType):
        return builder.uitofp(builder.and_(number, 15), type_)  # sums are exact, in whatever order
    return number if number.type is type_ else builder.trunc(number, type_)


def _as_number(builder: Builder, value: Value) -> Value:
    i64 = builder.types.integer(64)
    if isinstance(value.type, FloatingPointType):
        value = builder.bitcast(value, builder.types.integer(value.type.bit_width))
    return value if value.type is i64 else builder.zext(value, i64)


@contextmanager
def compiled(module: Module) -> Iterator[dict[str, Any]]:
    """Yield the functions of a module as what can be called."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module.target_triple = TRIPLE
    parsed = llvm.parse_bitcode(bitcodec.dumps(module))
    parsed.verify()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=1)
    with llvm.create_mcjit_compiler(parsed, machine) as engine:
        engine.finalize_object()
        kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
        names = [function.name for function in module.functions if function.blocks]
        yield {name: kind(engine.get_function_address(name)) for name in names}


def in_one_thread(function: Any) -> tuple[int, bytes]:
    """Return what a function saw, and what it left."""
    memory = (ctypes.c_uint64 * 1)(0)
    return function(ctypes.addressof(memory), 7, COUNT), bytes(memory)


def in_threads(function: Any) -> bytes:
    """Return what is left when several threads work on one place."""
    memory = (ctypes.c_uint64 * 1)(0)
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda seed: function(ctypes.addressof(memory), seed, COUNT // THREADS), range(THREADS)))
    return bytes(memory)


@pytest.mark.parametrize("expansion", EXPANSIONS.values(), ids=EXPANSIONS)
def test_computes_the_same(expansion: Expansion) -> None:
    original = built(expansion.operations, expansion.widths)
    expanded = bitcodec.loads(bitcodec.dumps(original))
    features, is_optimized = expansion.features, expansion.is_optimized
    assert expand_atomics(expanded, expansion.triple, features=features, is_optimized=is_optimized)
    assert str(expanded) != str(original)
    with compiled(original) as before, compiled(expanded) as after:
        assert before.keys() == after.keys()
        different = [name for name in before if in_one_thread(before[name]) != in_one_thread(after[name])]
        commuting = [name for name in before if name.split("_")[0] in COMMUTING]
        torn = [name for name in commuting if in_threads(before[name]) != in_threads(after[name])]
    assert (different, torn) == ([], [])

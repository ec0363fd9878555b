"""Modules with something of everything that PC sections can be asked for."""

from __future__ import annotations

from bitcodec.builder import Builder, add_block, add_function, add_variable, new_module
from bitcodec.ir import Instruction, Module

TRIPLE = "x86_64-unknown-linux-gnu"


def sample(triple: str = TRIPLE) -> Module:
    """Return a module of the functions `main`, `helper` and `load`, with a declaration and code of elsewhere beside."""
    module = new_module("sample", target_triple=triple)
    types = module.context.types
    i32, pointer = types.integer(32), types.ptr
    add_variable(module, "table", types.array(2, i32), [1, 2])
    elsewhere = add_function(module, "elsewhere", types.function(types.void, []))
    left_out = add_function(module, "left_out", types.function(i32, [pointer]), linkage="available_externally")
    main = add_function(module, "main", types.function(i32, [pointer]))
    helper = add_function(module, "helper", types.function(i32, [pointer]))
    load = add_function(module, "load", types.function(types.void, []))
    for function in (left_out, helper):
        builder = Builder(add_block(function, "entry"))
        builder.ret(builder.load(i32, function.arguments[0], name="plain"))
    builder = Builder(add_block(main, "entry"))
    (address,) = main.arguments
    old = builder.load(i32, address, ordering="acquire", name="old")
    own = builder.load(i32, address, ordering="monotonic", sync_scope="singlethread", name="own")
    total = builder.add(old, own, name="total")
    builder.store(total, address)
    builder.store(total, address, ordering="release")
    builder.atomicrmw("add", address, total, ordering="monotonic")
    builder.cmpxchg(address, old, total, success_ordering="seq_cst", failure_ordering="monotonic")
    builder.fence("seq_cst")
    builder.fence("seq_cst", sync_scope="singlethread")
    builder.call(elsewhere, [])
    called = builder.call(helper, [address], name="called")
    builder.ret(called)
    Builder(add_block(load, "entry")).ret()
    return module


def instruction(module: Module, opcode: str, function: str = "main") -> Instruction:
    """Return the first instruction of an opcode in a function."""
    return next(each for each in module.functions[function].instructions if each.opcode == opcode)

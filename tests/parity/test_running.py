"""A program made with a `Builder` alone, saved and run by LLVM."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.builder import (
    Builder,
    DebugInfo,
    add_block,
    add_function,
    add_struct,
    add_variable,
    constant,
    new_module,
)
from bitcodec.ir import Function, Module


class Program:
    """What C would say so: a struct in a global, a loop that calls, a switch, floats, and lines of a source."""

    def __init__(self) -> None:
        self.module = new_module("program", target_triple="x86_64-unknown-linux-gnu")
        self.types = self.module.context.types
        self.i32, self.i64 = self.types.integer(32), self.types.integer(64)
        self.double = self.types.double
        self.debug = DebugInfo(self.module, "program.c", "/src")
        self.point = add_struct(self.module, "point", [self.i32, self.double])
        value = constant(self.module, self.point, [3, 0.5])
        self.origin = add_variable(self.module, "origin", self.point, value)
        self.line = 0
        self.pick = self.function("pick", self.types.function(self.i32, [self.i32]), self.fill_pick)
        self.scale = self.function("scale", self.types.function(self.double, [self.double]), self.fill_scale)
        self.sum = self.function("sum", self.types.function(self.double, [self.i32]), self.fill_sum)
        self.main = self.function("main", self.types.function(self.i32, []), self.fill_main)

    def function(self, name, type_, fill) -> Function:
        function = add_function(self.module, name, type_)
        self.line += 10
        subprogram = self.debug.subprogram(function, self.line, self.debug.subroutine_type())
        builder = Builder(add_block(function, "entry"))
        builder.debug_location = self.debug.location(self.line + 1, 3, subprogram)
        fill(function, builder)
        return function

    def fill_pick(self, function: Function, builder: Builder) -> None:
        """Return 10 for 0, 20 for 1 and 7, -1 otherwise."""
        blocks = [add_block(function, name) for name in ("ten", "twenty", "other", "done")]
        ten, twenty, other, done = blocks
        builder.switch(function.arguments[0], other, [(0, ten), (1, twenty), (7, twenty)])
        for block in blocks[:3]:
            builder.at_end(block)
            builder.br(done)
        builder.at_end(done)
        builder.ret(builder.phi(self.i32, [(10, ten), (20, twenty), (-1, other)]))

    def fill_scale(self, function: Function, builder: Builder) -> None:
        """Return twice the number plus the second field of the global."""
        field = builder.getelementptr(self.point, self.origin, [0, 1], inbounds=True)
        twice = builder.fmul(function.arguments[0], 2.0)
        builder.ret(builder.fadd(twice, builder.load(self.double, field)))

    def fill_sum(self, function: Function, builder: Builder) -> None:
        """Return the sum of scale(pick(i)) for i below a number; count the calls in the first field of the global."""
        entry = function.entry_block
        loop, done = add_block(function, "loop"), add_block(function, "done")
        builder.cond_br(builder.icmp("sgt", function.arguments[0], 0), loop, done)
        builder.at_end(loop)
        i = builder.phi(self.i32, [(0, entry)], name="i")
        total = builder.phi(self.double, [(0.0, entry)], name="total")
        picked = builder.sitofp(builder.call(self.pick, [i]), self.double)
        grown = builder.fadd(total, builder.call(self.scale, [picked]))
        field = builder.getelementptr(self.point, self.origin, [0, 0])
        builder.store(builder.add(builder.load(self.i32, field), 1), field)
        following = builder.add(i, 1, nsw=True)
        i.add_incoming(following, loop)
        total.add_incoming(grown, loop)
        builder.cond_br(builder.icmp("slt", following, function.arguments[0]), loop, done)
        builder.at_end(done)
        builder.ret(builder.phi(self.double, [(0.0, entry), (grown, loop)]))

    def fill_main(self, function: Function, builder: Builder) -> None:
        """Return sum(10) as an integer plus what was counted, modulo 256."""
        total = builder.fptosi(builder.call(self.sum, [10]), self.i32)
        counted = builder.load(self.i32, builder.getelementptr(self.point, self.origin, [0, 0]))
        assert not function.is_declaration
        builder.ret(builder.and_(builder.add(total, counted), 255))


def expected(count: int) -> float:
    picks = {0: 10, 1: 20, 7: 20}
    return sum(2 * picks.get(i, -1) + 0.5 for i in range(count))


@pytest.fixture(scope="module")
def module() -> Module:
    return Program().module


def test_it_runs_in_the_jit_of_llvmlite(module: Module) -> None:
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    parsed = llvm.parse_bitcode(bitcodec.dumps(module))
    parsed.verify()
    engine = llvm.create_mcjit_compiler(parsed, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    total = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int32)(engine.get_function_address("sum"))
    assert [total(count) for count in (0, 1, 3, 10)] == [expected(count) for count in (0, 1, 3, 10)]
    counted = ctypes.c_int32.from_address(engine.get_global_value_address("origin"))
    assert counted.value == 3 + 0 + 1 + 3 + 10


def test_it_runs_in_lli(module: Module, tmp_path: Path) -> None:
    bitcodec.save(module, tmp_path / "program.bc")
    assert ask(["lli-22", tmp_path / "program.bc"]).returncode == (int(expected(10)) + 13) % 256


def test_its_lines_are_those_of_the_source(module: Module) -> None:
    lines = {
        function.name: {i.debug_location.line for i in function.instructions if i.debug_location is not None}
        for function in bitcodec.loads(bitcodec.dumps(module)).functions
    }
    assert lines == {"pick": {11}, "scale": {21}, "sum": {31}, "main": {41}}

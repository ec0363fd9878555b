"""Nodes that LLVM with assertions ends over are taken off, and no others."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function
from bitcodec.ir import Module
from bitcodec.pcsections import PCSection
from bitcodec.pcsections.codegen.lost_nodes import LOST_NODES, without_nodes
from bitcodec.pcsections.metadata.attaching import attach
from pcsections.samples import sample


def tagged() -> Module:
    module = sample()
    types = module.context.types
    address = add_function(module, "llvm.threadlocal.address.p0", types.function(types.ptr, [types.ptr]))
    function = add_function(module, "f", types.function(types.void, [types.integer(8)]))
    builder, leave = Builder(add_block(function)), add_block(function)
    builder.call(address, [module.global_variables["table"]])
    builder.switch(function.arguments[0], leave)
    Builder(leave).ret()
    attach(module, "all,functions", [PCSection.of("s")])
    return module


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (0, ["call llvm.threadlocal.address.p0"]),
        (1, ["call elsewhere", "ret", "ret", "ret", "ret"]),
        (2, ["call elsewhere", "call helper", "call llvm.threadlocal.address.p0"]),
        (3, ["switch"]),
        (4, ["store", "store"]),
    ],
)
def test_whose_nodes_are_taken_off(row: int, expected: list[str]) -> None:
    bitcode, count = without_nodes(bitcodec.dumps(tagged()), LOST_NODES[row].holds)

    module = bitcodec.loads(bitcode)
    without = [
        " ".join([each.opcode, *(operand.name for operand in each.operands[-1:] if each.opcode == "call")])
        for function in module.functions
        for each in function.instructions
        if each.pcsections is None and function.name != "left_out"
    ]
    assert sorted(without) == sorted(expected)
    assert count == len(expected)
    assert all(module.functions[name].pcsections for name in ("main", "helper", "load", "f"))

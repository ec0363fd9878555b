"""Operands stand in LLVM's order, for every kind of instruction."""

from __future__ import annotations

import pytest

from bitcodec import ir
from bitcodec.ir import Instruction, Terminator
from parity import bitcodec_view, llvmlite_view
from parity.views import differences

from .conftest import EVERY, Found

ABSTRACT = {"Instruction", "Terminator", "CallBase"}


def test_the_file_has_every_kind(found: Found) -> None:
    kinds = {
        name
        for name, kind in vars(ir).items()
        if isinstance(kind, type) and issubclass(kind, Instruction) and name not in ABSTRACT
    }
    there = {type(made).__name__ for function in found.module.functions for made in function.instructions}
    assert there == kinds


@pytest.mark.skipif(not llvmlite_view.is_there(), reason="llvmlite is not installed")
def test_operands_are_those_of_llvm() -> None:
    data = EVERY.read_bytes()

    ours, theirs = bitcodec_view.view_of(data), llvmlite_view.view_of(data)

    assert [str(difference) for difference in differences(ours, theirs)] == []


@pytest.mark.parametrize(
    ("function", "opcode", "operands"),
    [
        ("memory", "store", ["loaded", "room"]),
        ("control", "br", ["c", "right", "left"]),
        ("control", "switch", ["merged", "done", "left2", "jump"]),
        ("control", "call", ["n", "variable", "n", "address", "callee"]),
        ("control", "phi", ["n", "call"]),
        ("control", "indirectbr", ["address", "done", "never"]),
        ("funclets", "catchswitch", ["", "cleanup", "handler", "second"]),
        ("funclets", "catchret", ["catch", "done"]),
        ("funclets", "invoke", ["done", "dispatch", "throws"]),
    ],
)
def test_order(found: Found, function: str, opcode: str, operands: list[str]) -> None:
    assert [operand.name for operand in found.of(function, opcode)[0].operands] == operands


def test_what_ends_a_block_is_a_terminator(found: Found) -> None:
    for function in found.module.functions:
        for block in function:
            assert [isinstance(made, Terminator) for made in block] == [made.is_terminator for made in block]
            assert isinstance(block.terminator, Terminator)
            assert block.instructions[-1] is block.terminator
            assert not any(made.is_terminator for made in block.instructions[:-1])


@pytest.mark.parametrize(
    ("function", "opcode", "successors"),
    [
        ("control", "br", ["left", "right"]),
        ("control", "switch", ["done", "left2", "jump"]),
        ("control", "callbr", ["done", "jump", "never"]),
        ("control", "indirectbr", ["done", "never"]),
        ("control", "unreachable", []),
        ("control", "ret", []),
        ("landing", "invoke", ["done", "pad"]),
        ("landing", "resume", []),
        ("funclets", "catchswitch", ["cleanup", "handler", "second"]),
        ("funclets", "catchret", ["done"]),
        ("funclets", "cleanupret", ["outer"]),
    ],
)
def test_successors(found: Found, function: str, opcode: str, successors: list[str]) -> None:
    terminator = found.of(function, opcode)[0]
    assert isinstance(terminator, Terminator)
    assert [block.name for block in terminator.successors] == successors

"""Who calls whom: what `opt -passes=print-callgraph` says, and what is called through pointers and aliases."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.analysis import CallGraph
from bitcodec.builder import Builder, add_alias, add_block, add_function, new_module

DATA = Path(__file__).parents[1] / "data"


def calls_of_llvm(path: Path) -> dict[str, set[str]]:
    done = ask(["opt-22", "-passes=print-callgraph", "-disable-output", path], check=True, text=True)
    node = re.compile(r"^Call graph node for function: '(.*?)'<<.*\n((?:  .*\n)*)", re.MULTILINE)
    return {
        name: not_intrinsics(re.findall(r"calls function '(.*)'$", rest, re.MULTILINE))
        for name, rest in node.findall(done.stderr)
    }


def not_intrinsics(names: Iterable[str]) -> set[str]:
    """Return names without those of intrinsics, most of which LLVM's graph leaves out."""
    return {name for name in names if not name.startswith("llvm.")}


def test_functions_that_an_upgrade_removed_are_nodes_while_they_are_called() -> None:
    """A call of an old atomic intrinsic without a pointer stays if its result is used."""
    module = new_module("old")
    types = module.context.types
    number = types.integer(32)
    old_type = types.function(types.float, [number, types.float, number, number, types.integer(1)])
    old = add_function(module, "llvm.amdgcn.ds.fadd.f32", old_type)
    caller = add_function(module, "caller", old_type)
    builder = Builder(add_block(caller))
    builder.ret(builder.call(old, [*caller.arguments]))
    graph = CallGraph(bitcodec.loads(bitcodec.dumps(module)))
    (callee,) = graph.callees(graph.nodes[0])
    assert callee.parent is None
    assert graph.node_name(callee) == "llvm.amdgcn.ds.fadd.f32"


@pytest.mark.parametrize("path", sorted(DATA.glob("*-O2-*.bc")), ids=lambda path: path.name)
def test_calls_by_name_are_those_of_llvm(path: Path) -> None:
    graph = CallGraph(bitcodec.open(path))
    expected = calls_of_llvm(path)
    names = not_intrinsics(function.name for function in graph)
    assert names == not_intrinsics(expected)
    for function in graph:
        if function.name in names:
            assert not_intrinsics(callee.name for callee in graph.callees(function)) == expected[function.name]


def test_calls_through_aliases_and_pointers() -> None:
    module = new_module("calls")
    types = module.context.types
    nothing = types.function(types.void, [])
    callee = add_function(module, "callee", nothing)
    Builder(add_block(callee)).ret()
    alias = add_alias(module, "alias", callee)
    caller = add_function(module, "caller", types.function(types.void, [types.pointer(0)]))
    builder = Builder(add_block(caller))
    direct = builder.call(callee, [])
    through = builder.call(alias, [], function_type=nothing)
    pointer = builder.call(caller.arguments[0], [], function_type=nothing)
    builder.ret()
    graph = CallGraph(module)
    assert graph.callees(caller) == (callee,)
    assert graph.callers(callee) == (caller,)
    assert graph.calls(caller, callee) == (direct, through)
    assert graph.indirect_calls == {caller: [pointer]}
    assert graph.adjacency() == {"callee": [], "caller": ["callee"]}

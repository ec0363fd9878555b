"""The call graph of a module."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bitcodec.analysis.graph import Graph
from bitcodec.ir.constant_expressions import ConstantCast
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias
from bitcodec.ir.instructions.calls import CallBase

if TYPE_CHECKING:
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["CallGraph", "function_behind"]


class CallGraph(Graph[Function]):
    """The functions of a module, with an edge from each to the functions that it calls by name.  All bodies are read.

    A call through an alias or a cast is a call of the function behind it.  Calls through pointers are in
    `indirect_calls`; they may reach any function whose address is taken.

    Args:
        module: the module.

    Attributes:
        module: the module.
        indirect_calls: the calls in each function whose callee is unknown before the program runs.

    Raises:
        BitcodecError: a body is malformed.

    >>> import bitcodec
    >>> graph = CallGraph(bitcodec.open("examples/hello.bc"))
    >>> graph.adjacency()
    {'main': ['printf'], 'printf': []}
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.indirect_calls: dict[Function, list[CallBase]] = {}
        self._calls: dict[tuple[Function, Function], list[CallBase]] = {}
        callees: dict[Function, list[Function]] = {}
        for function in module.functions:
            callees[function] = self._callees(function)
        # Reading bodies may have declared more, and an upgrade may have removed some that malformed code still calls.
        for function in [*module.functions, *chain.from_iterable(callees.values())]:
            callees.setdefault(function, [])
        super().__init__(module.identifier, callees, _unique_names(callees))

    def callees(self, function: Function) -> tuple[Function, ...]:
        """Return the functions that a function calls by name, each once, in the order of its calls."""
        return self.successors(function)

    def callers(self, function: Function) -> tuple[Function, ...]:
        """Return the functions that call a function by name, each once, in the order of the module."""
        return self.predecessors(function)

    def calls(self, caller: Function, callee: Function) -> tuple[CallBase, ...]:
        """Return the calls of one function in another."""
        return tuple(self._calls.get((caller, callee), ()))

    def _callees(self, function: Function) -> list[Function]:
        found: dict[Function, None] = {}
        for block in function.blocks:
            for instruction in block.instructions:
                if not isinstance(instruction, CallBase):
                    continue
                callee = function_behind(instruction.callee)
                if callee is not None:
                    found[callee] = None
                    self._calls.setdefault((function, callee), []).append(instruction)
                elif not isinstance(instruction.callee, InlineAsm):
                    self.indirect_calls.setdefault(function, []).append(instruction)
        return list(found)


def function_behind(callee: Value) -> Function | None:
    """Return the function behind a callee, None if it is not known."""
    seen: set[Value] = set()
    while callee not in seen:
        seen.add(callee)
        if isinstance(callee, Function):
            return callee
        if isinstance(callee, GlobalAlias) and callee.aliasee is not None:
            callee = callee.aliasee
        elif isinstance(callee, ConstantCast):
            callee = callee.operands[0]
        else:
            return None
    return None


def _unique_names(functions: dict[Function, list[Function]]) -> dict[Function, str]:
    """Return names of functions; those without one get a number in brackets."""
    nameless = 0
    names: dict[Function, str] = {}
    for function in functions:
        if not function.name:
            nameless += 1
        names[function] = function.name or f"<{nameless}>"
    return names

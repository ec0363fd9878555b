"""Analyses of a module: control flow, dominators, loops, call graph.

>>> import bitcodec
>>> from bitcodec.analysis import CallGraph, ControlFlow, Loops
>>> module = bitcodec.open("examples/hello.bc")
>>> main = module.functions["main"]
>>> [callee.name for callee in CallGraph(module).callees(main)]
['printf']
>>> (loop,) = Loops(ControlFlow(main))
>>> loop.depth, len(loop.blocks)
(1, 3)

Nothing here changes a module, and results do not follow changes: compute them again afterwards.
"""

from bitcodec.analysis.call_graph import CallGraph
from bitcodec.analysis.control_flow import ControlFlow
from bitcodec.analysis.dominators import Dominators
from bitcodec.analysis.graph import Graph
from bitcodec.analysis.loops import Loop, Loops

__all__ = ["CallGraph", "ControlFlow", "Dominators", "Graph", "Loop", "Loops"]

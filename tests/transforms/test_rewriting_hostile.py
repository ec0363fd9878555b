"""Nodes of no form at all are merged without an error, and what is left of them is as sound as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitcodec
from amounts import amount
from bitcodec.builder import Builder, add_block, add_function
from bitcodec.ir.debug_info import DIFile, DILexicalBlock, DILocation, DISubprogram
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import MDNode, MDTuple
from bitcodec.ir.module import Module
from bitcodec.tables.metadata_kinds import METADATA_KINDS
from bitcodec.transforms import Rewriter
from bitcodec.transforms.rewriting.locations import merged_location

from .samples import small_module

KINDS = [kind for kind in METADATA_KINDS if kind != "dbg"]
DEPTH = 10_000


def loads(count: int = 2) -> tuple[Module, list[Instruction]]:
    """Return loads of a pointer from the same place, and their module."""
    module = small_module()
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, [types.pointer()]))
    builder = Builder(add_block(function))
    found: list[Instruction] = [builder.load(types.pointer(), function.arguments[0]) for _ in range(count)]
    builder.ret()
    return module, found


@st.composite
def shapes(draw: st.DrawFn) -> list[list[object]]:
    """Return what each of a few nodes holds: others by number, strings, integers, nothing."""
    count = draw(st.integers(1, 6))
    part = st.one_of(
        st.integers(0, count - 1).map(lambda number: ("node", number)),
        st.sampled_from(["branch_weights", "address", "x"]).map(lambda text: ("string", text)),
        st.tuples(st.sampled_from([1, 32, 64, 128]), st.integers(-5, 5)).map(lambda number: ("integer", number)),
        st.just(("float", 1)),
        st.just(("nothing", None)),
    )
    return [draw(st.lists(part, max_size=6)) for _ in range(count)]


def made(module: Module, shape: list[list[object]]) -> list[MDNode]:
    """Return the nodes of a shape; all are distinct, so that they may go in circles."""
    nodes = [MDTuple(is_distinct=True) for _ in shape]
    context = module.context
    makers = {
        "node": nodes.__getitem__,
        "string": context.metadata.string,
        "integer": lambda of: context.metadata.value(context.constants.integer(context.types.integer(of[0]), of[1])),
        "float": lambda value: context.metadata.value(context.constants.real(context.types.float, value)),
        "nothing": lambda _: None,
    }
    for node, parts in zip(nodes, shape, strict=True):
        node.set_operands([makers[kind](value) for kind, value in parts])
    return nodes


def attach(instruction: Instruction, nodes: list[MDNode], start: int) -> None:
    """Attach nodes of all kinds, in turn."""
    instruction.metadata.update({kind: nodes[(start + place) % len(nodes)] for place, kind in enumerate(KINDS)})


@given(shapes(), st.integers(0, 5), st.integers(0, 5), st.booleans())
@settings(max_examples=amount(40, 100), deadline=None)
def test_any_nodes(shape: list[list[object]], ours: int, theirs: int, moves: bool) -> None:
    module, (kept, gone) = loads()
    nodes = made(module, shape)
    attach(kept, nodes, ours)
    attach(gone, nodes, theirs)
    pcsections = kept.metadata["pcsections"]
    Rewriter().merge(kept, gone, moves=moves)
    assert kept.metadata["pcsections"] is pcsections
    assert all(isinstance(node, MDNode) for node in kept.metadata.values())
    assert bitcodec.loads(bitcodec.dumps(module)).functions["f"].is_declaration is False


@given(shapes(), st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_any_nodes_of_what_is_replaced(shape: list[list[object]], start: int) -> None:
    module, (old, _) = loads()
    nodes = made(module, shape)
    attach(old, nodes, start)
    pcsections = old.metadata["pcsections"]
    builder = Builder(old.parent)
    builder.before(old)
    long = module.context.types.integer(64)
    new = builder.load(long, old.pointer)
    back = builder.inttoptr(new, old.type)
    Rewriter().replace(old, new, back)
    assert new.metadata["pcsections"] is back.metadata["pcsections"] is pcsections


@pytest.mark.parametrize("kind", ["tbaa", "alias.scope", "noalias", "llvm.access.group", "mmra", "range"])
def test_deep_nodes(kind: str) -> None:
    module, instructions = loads()
    context = module.context
    zero = context.metadata.value(context.constants.integer(context.types.integer(64), 0))
    for number, each in enumerate(instructions):
        node = context.metadata.tuple([context.metadata.string(str(number))])
        for _ in range(DEPTH):
            node = context.metadata.unique(MDTuple([context.metadata.string("type"), node, zero]))
        each.metadata[kind] = context.metadata.tuple([node, node, zero])
    Rewriter().merge(*instructions, moves=True)
    assert kind in {"noalias", "mmra"} or kind not in instructions[0].metadata


def test_deep_and_circular_places() -> None:
    module, _ = loads()
    file = DIFile(filename="a.c")
    places = []
    for _ in range(2):
        scope: MDNode = DISubprogram(file=file, is_distinct=True)
        at = None
        for line in range(DEPTH):
            scope = DILexicalBlock(scope=scope, file=file, line=line, is_distinct=True)
        for line in range(50):
            at = DILocation(line=line, scope=scope, inlined_at=at, is_distinct=True)
        places.append(at)
    merged = merged_location(*places, module.context)
    assert merged is not None
    assert merged.line == 0
    block = DILexicalBlock(file=file, is_distinct=True)
    block.scope = block
    circle = DILocation(line=1, scope=block, is_distinct=True)
    circle.inlined_at = circle
    other = DILocation(line=2, scope=block, inlined_at=circle)
    assert merged_location(circle, other, module.context) is not None

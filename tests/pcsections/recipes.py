"""Constants and modules with PC sections, described by plain values so that hypothesis can show and shrink them."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st

from bitcodec.builder import Builder, add_block, add_function, add_variable, new_module
from bitcodec.ir.constants import Constant
from bitcodec.ir.module import Module
from bitcodec.ir.pcsections import PCSection, PCSections

Recipe: TypeAlias = "tuple[Any, ...]"
"""How a constant is made: its kind, and what that needs."""

FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}
SYMBOLS = ("far", "near")
"""Variables that every module has: one that it declares, one that it defines."""


class Node(NamedTuple):
    """A node: groups of a section's spelling and tuples of constants."""

    groups: tuple[tuple[str, tuple[tuple[Recipe, ...], ...]], ...]
    is_distinct: bool = False


class Body(NamedTuple):
    """A function: its node, nodes for its instructions, and for each of its loads which of those it carries."""

    node: Node | None
    nodes: tuple[Node, ...]
    loads: tuple[int | None, ...]


def made(module: Module, recipe: Recipe) -> Constant:
    """Make a constant."""
    table, types = module.context.constants, module.context.types
    kind, *rest = recipe
    if kind == "int":
        return table.integer(types.integer(rest[0]), rest[1])
    if kind == "float":
        return table.floating(getattr(types, rest[0]), rest[1])
    if kind in ("zero", "undef", "poison"):
        type_ = made(module, rest[0]).type
        return {"zero": table.null, "undef": table.undef, "poison": table.poison}[kind](type_)
    if kind == "null":
        return table.null(types.pointer(0))
    if kind == "string":
        return table.data(types.array(len(rest[0]), types.integer(8)), rest[0])
    if kind in ("array", "vector"):
        elements = [made(module, part) for part in rest[0]]
        return table.aggregate(getattr(types, kind)(len(elements), elements[0].type), elements)
    if kind == "struct":
        elements = [made(module, part) for part in rest[1]]
        return table.aggregate(types.struct([part.type for part in elements], is_packed=rest[0]), elements)
    return _address(module, kind, *rest)


def _address(module: Module, kind: str, name: str, offset: int) -> Constant:
    table, types = module.context.constants, module.context.types
    symbol = module.global_variables[name]
    bits = module.data_layout.pointer_size() * 8
    moved = table.get_element_ptr(types.integer(8), symbol, [table.integer(types.integer(bits), offset)])
    return table.cast("ptrtoint", moved, types.integer(bits)) if kind == "number" else moved


def module_of(bodies: tuple[Body, ...], triple: str, layout: str) -> Module:
    """Make a module of functions `f0`, `f1`, ... that load volatile numbers, and one more that asks for nothing."""
    module = new_module("pcsections", target_triple=triple, data_layout=layout)
    types = module.context.types
    add_variable(module, "far", types.integer(64))
    add_variable(module, "near", types.integer(64), 0)
    for number, body in enumerate(bodies):
        pointer = types.pointer(0)
        function = add_function(module, f"f{number}", types.function(pointer, [pointer]), attributes=["nounwind"])
        builder = Builder(add_block(function))
        if body.node is not None:
            function.pcsections = sections_of(module, body.node)
        asked = [sections_of(module, node) for node in body.nodes]
        for load in body.loads:
            instruction = builder.load(types.integer(32), function.arguments[0], volatile=True)
            if load is not None:
                instruction.pcsections = asked[load]
        # The last load may end up in a delay slot; what is returned keeps its register, so the others are one word.
        builder.load(types.integer(32), function.arguments[0], volatile=True)
        builder.ret(function.arguments[0])
    return module


def sections_of(module: Module, node: Node) -> PCSections:
    """Return what a node asks for."""
    sections = [
        PCSection.of(spelling, *([made(module, recipe) for recipe in recipes] for recipes in tuples))
        for spelling, tuples in node.groups
    ]
    return PCSections(sections, is_distinct=node.is_distinct)


def _bits(width: int) -> st.SearchStrategy[int]:
    return st.one_of(st.integers(0, (1 << width) - 1), st.sampled_from([0, 1, (1 << width) - 1, 1 << (width - 1)]))


WIDTHS = st.one_of(st.integers(1, 128), st.sampled_from([8, 16, 32, 64]), st.integers(129, 260))
INTEGERS = WIDTHS.flatmap(lambda width: st.tuples(st.just("int"), st.just(width), _bits(width)))
NUMBERS = st.one_of(
    INTEGERS,
    st.sampled_from(sorted(FLOATS)).flatmap(
        lambda kind: st.tuples(st.just("float"), st.just(kind), _bits(FLOATS[kind]))
    ),
)
ADDRESSES = st.tuples(
    st.sampled_from(["address", "number"]), st.sampled_from(SYMBOLS), st.integers(-(1 << 20), 1 << 20)
)
SCALARS = st.one_of(NUMBERS, ADDRESSES, st.just(("null",)))


def _alike(recipe: Recipe) -> st.SearchStrategy[Recipe]:
    """Return constants of the type of one."""
    if recipe[0] == "int":
        return st.tuples(st.just("int"), st.just(recipe[1]), _bits(recipe[1]))
    if recipe[0] == "float":
        return st.tuples(st.just("float"), st.just(recipe[1]), _bits(FLOATS[recipe[1]]))
    return st.just(recipe)


def _sequences(kind: str, elements: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    lists = elements.flatmap(lambda first: st.lists(_alike(first), min_size=1, max_size=9))
    return st.tuples(st.just(kind), lists.map(tuple))


def _larger(parts: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    return st.one_of(
        _sequences("array", parts),
        st.tuples(st.just("struct"), st.booleans(), st.lists(parts, max_size=5).map(tuple)),
        st.tuples(st.sampled_from(["zero", "undef", "poison"]), parts),
    )


CONSTANTS = st.recursive(
    st.one_of(SCALARS, _sequences("vector", NUMBERS), st.tuples(st.just("string"), st.binary(max_size=12))),
    _larger,
    max_leaves=6,
)
TUPLES = st.lists(CONSTANTS, max_size=4).map(tuple)


def nodes(names: st.SearchStrategy[str]) -> st.SearchStrategy[Node]:
    """Return nodes whose sections have such names."""
    spellings = st.builds("{}{}".format, names, st.sampled_from(["", "!C"]))
    groups = st.lists(st.tuples(spellings, st.lists(TUPLES, max_size=3).map(tuple)), min_size=1, max_size=3)
    return st.builds(Node, groups.map(tuple), st.booleans())


@st.composite
def bodies(draw: st.DrawFn) -> Body:
    """Return functions.  Several nodes of instructions have sections of their own: their order is not defined."""
    shared = st.sampled_from(["s", "t", "u"])
    count = draw(st.integers(0, 2))
    names = [shared] if count == 1 else [st.sampled_from([f"a{n}", f"b{n}"]) for n in range(count)]
    # Two equal nodes are one: distinct ones stay apart.
    own = tuple(draw(nodes(name))._replace(is_distinct=count > 1) for name in names)
    tags = st.one_of(st.none(), *([st.integers(0, count - 1)] if count else []))
    loads = draw(st.lists(tags, min_size=3, max_size=7))
    node = draw(st.one_of(st.none(), nodes(shared)))
    return Body(node, own, tuple(loads))

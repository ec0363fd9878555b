"""What an instruction or a function says of PC sections: nodes read, made, and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.errors import PCSectionsError
from bitcodec.ir import Fence, Function, MDTuple, Module
from bitcodec.ir.pcsections import PCSECTIONS, PCSection, PCSections

NAMES = st.text(st.characters(exclude_characters="!\0", exclude_categories=["Cs"]), min_size=1, max_size=12)
TUPLES = st.lists(st.lists(st.integers(-(1 << 63), (1 << 64) - 1), max_size=3), max_size=3)
SECTIONS = st.lists(st.tuples(NAMES, st.sampled_from(["", "C", "CC"]), TUPLES), min_size=1, max_size=4)


def made() -> tuple[Module, Function]:
    module = new_module("made")
    function = add_function(module, "f", module.context.types.function(module.context.types.void, []))
    builder = Builder(add_block(function))
    builder.fence("seq_cst")
    builder.ret()
    return module, function


def reread(module: Module) -> Function:
    return bitcodec.loads(bitcodec.dumps(module)).functions["f"]


def number(module: Module, value: int, bits: int = 64) -> bitcodec.ir.Constant:
    return module.context.constants.integer(module.context.types.integer(bits), value)


@given(SECTIONS, st.booleans())
def test_what_is_written_is_read(sections: list[tuple[str, str, list[list[int]]]], is_distinct: bool) -> None:
    module, function = made()
    asked = PCSections(
        (
            PCSection.of(
                f"{name}!{options}" if options else name, *([number(module, each) for each in row] for row in rows)
            )
            for name, options, rows in sections
        ),
        is_distinct=is_distinct,
    )
    function.entry_block.instructions[0].pcsections = asked
    function.pcsections = asked

    function = reread(module)

    for found in (function.pcsections, function.entry_block.instructions[0].pcsections):
        assert found is not None
        assert found.is_distinct is is_distinct
        assert [(each.name, each.options, len(each.tuples)) for each in found] == [
            (name, options, len(rows)) for name, options, rows in sections
        ]
        assert [str(value) for each in found for value in each.constants] == [
            str(number(module, value)) for _, _, rows in sections for row in rows for value in row
        ]


def test_nothing_is_asked_for() -> None:
    _, function = made()
    assert function.pcsections is None
    assert function.entry_block.instructions[0].pcsections is None


def test_sections() -> None:
    module, _ = made()
    section = PCSection.of("hot!C", [number(module, 7), number(module, 1, bits=8)], [], [number(module, -1)])
    assert (section.name, section.options, section.spelling, section.is_compressed) == ("hot", "C", "hot!C", True)
    assert [len(node) for node in section.tuples] == [2, 0, 1]
    assert section.constants == (number(module, 7), number(module, 1, bits=8), number(module, -1))
    assert (PCSection("a").spelling, PCSection("a").is_compressed) == ("a", False)
    sections = PCSections([section, PCSection("a")])
    assert (len(sections), sections[1], list(sections)) == (2, PCSection("a"), [section, PCSection("a")])
    assert repr(sections) == "<PCSections hot!C, a>"
    assert repr(PCSections([section], is_distinct=True)) == "<distinct PCSections hot!C>"


def test_options_hold_for_their_group_alone() -> None:
    module, _ = made()
    table = module.context.metadata
    shared = table.tuple([table.value(number(module, 17))])
    node = table.tuple([table.string("a"), shared, table.string("b!C"), shared, shared, table.string("c")])
    found = PCSections.of_node(node)
    assert [(each.name, each.options, each.tuples) for each in found] == [
        ("a", "", (shared,)),
        ("b", "C", (shared, shared)),
        ("c", "", ()),
    ]


def test_what_says_the_same_is_equal() -> None:
    module, _ = made()
    one, other = (PCSections([PCSection.of("s", [number(module, 1)])]) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one.node(module.context) is other.node(module.context)
    for different in (
        PCSections([PCSection.of("s", [number(module, 2)])]),
        PCSections([PCSection.of("s!C", [number(module, 1)])]),
        PCSections([PCSection.of("s", [number(module, 1)])], is_distinct=True),
        PCSections([PCSection.of("s", [number(module, 1)], [])]),
        "s",
    ):
        assert one != different


def test_distinct_nodes_stay_apart() -> None:
    module, _ = made()
    one, other = (PCSections([PCSection("s")], is_distinct=True) for _ in range(2))
    assert one.node(module.context) is one.node(module.context)
    assert one.node(module.context) is not other.node(module.context)


def test_what_was_read_keeps_its_node() -> None:
    _, function = made()
    fence = function.entry_block.instructions[0]
    fence.pcsections = PCSections([PCSection("s")], is_distinct=True)
    node = fence.metadata[PCSECTIONS]
    assert fence.pcsections is not None
    function.entry_block.instructions[1].pcsections = fence.pcsections
    assert function.entry_block.instructions[1].metadata[PCSECTIONS] is node


def test_taking_away() -> None:
    module, function = made()
    fence = function.entry_block.instructions[0]
    fence.pcsections = function.pcsections = PCSections([PCSection("s")])
    fence.pcsections = function.pcsections = None
    assert (fence.pcsections, function.pcsections, function.metadata) == (None, None, {})
    fence.pcsections = None
    assert reread(module).pcsections is None


def test_of_several_nodes_of_a_function_the_first_counts() -> None:
    module, function = made()
    table = module.context.metadata
    nodes = [table.tuple([table.string(name)]) for name in "ab"]
    function.metadata.assign((PCSECTIONS, node) for node in nodes)
    function = reread(module)
    assert [(kind, PCSections.of_node(node)[0].name) for kind, node in function.metadata.items()] == [
        (PCSECTIONS, "a"),
        (PCSECTIONS, "b"),
    ]
    assert function.pcsections == PCSections([PCSection("a")])
    function.pcsections = PCSections([PCSection("c")])
    assert len(function.metadata) == 1


def test_what_stands_in_no_module() -> None:
    module, function = made()
    fence = Fence(module.context.types.void, bitcodec.ir.AtomicOrdering.ACQUIRE)
    with pytest.raises(ValueError, match="is in no module"):
        fence.pcsections = PCSections([PCSection("s")])
    module.remove(function)
    with pytest.raises(ValueError, match="@f is in no module"):
        function.pcsections = PCSections([PCSection("s")])


def test_malformed_nodes_are_refused() -> None:
    module, function = made()
    function.metadata.add(PCSECTIONS, MDTuple([]))
    with pytest.raises(PCSectionsError, match="!pcsections: it is empty: it has to begin with the name of a section"):
        _ = function.pcsections
    with pytest.raises(PCSectionsError, match="unknown option 'x'"):
        PCSections([PCSection("s", options="x")]).node(module.context)
    with pytest.raises(PCSectionsError, match="a token has no bytes"):
        PCSection.of("s", [module.context.constants.null(module.context.types.token)])


def test_the_refusal_of_a_long_name_is_short() -> None:
    with pytest.raises(PCSectionsError) as raised:
        PCSection.of("a.b!" * 1000)
    assert len(str(raised.value)) < 400


def test_each_context_has_its_own_node() -> None:
    (first, _), (second, function) = made(), made()
    sections = PCSections([PCSection.of("counters!C", [number(first, 7)])])
    node = sections.node(first.context)
    assert sections.node(first.context) is node
    copy = sections.node(second.context)
    assert copy is not node
    assert PCSections.of_node(copy).sections[0].constants == (number(second, 7),)
    assert PCSections.of_node(node).node(first.context) is node
    assert PCSections.of_node(node).node(second.context) is copy
    function.pcsections = sections
    assert str(reread(second).pcsections) == str(sections)
    assert PCSections.of_node(reread(second).pcsections.node(first.context)).sections[0].constants == (
        number(first, 7),
    )


def test_a_global_of_another_module_is_refused() -> None:
    (first, function), (second, _) = made(), made()
    sections = PCSections([PCSection.of("addresses", [function])])
    assert sections.node(first.context).operands
    with pytest.raises(PCSectionsError, match=r"belongs to another module$"):
        sections.node(second.context)

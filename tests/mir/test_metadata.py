"""Nodes of the IR part: found, read as PC sections, and added."""

from __future__ import annotations

import pytest

from bitcodec import MIRError, PCSectionsError, mir
from bitcodec.ir.context import Context
from bitcodec.ir.pcsections import PCSection, PCSections
from bitcodec.mir import InlineNode, MachineModule, NodeReference

from .texts import COMMENTED


def constants(*values: int) -> list[object]:
    context = Context()
    return [context.constants.integer(context.types.integer(32), value) for value in values]


def added(before: MachineModule) -> list[str]:
    """Return the lines that are new."""
    old = COMMENTED.splitlines()
    return [line for line in before.dumps().splitlines() if line not in old]


def test_definitions_are_found() -> None:
    module = mir.loads(COMMENTED)

    assert dict(module.nodes) == {
        0: '!{!"s0", !1}',
        1: "!{i32 7, i1 true, ptr null}",
        2: 'distinct !{!"s1!C", !1, !"s2"}',
        3: '!{!"s0", double 1.0}',
    }
    assert module.ir is not None
    assert module.ir.text.startswith("define void @f(ptr %p) !pcsections !0 {\n  store i32 1")


def test_what_a_node_asks_for() -> None:
    module = mir.loads(COMMENTED)
    (store,) = (each for each in module.function("f").instructions if each.memory_operands)
    asked = store.pcsections

    assert asked is not None
    assert store.pcsections_node == NodeReference(0)
    assert [(each.spelling, [*map(str, each.constants)]) for each in asked] == [
        ("s0", ["i32 7", "i1 true", "ptr null"])
    ]
    other = module.pcsections(NodeReference(2))
    assert other.is_distinct
    assert [(each.name, each.is_compressed, len(each.constants)) for each in other] == [
        ("s1", True, 3),
        ("s2", False, 0),
    ]


def test_what_a_function_asks_for() -> None:
    module = mir.loads(COMMENTED)
    (function,) = module.functions
    asked = function.pcsections

    assert asked is not None
    assert [each.name for each in asked] == ["s0"]
    for other in ("!dbg !0 {", 'section "!pcsections !0" {'):
        (function,) = mir.loads(COMMENTED.replace("!pcsections !0 {", other)).functions
        assert function.pcsections is None


def test_constants_that_are_not_read() -> None:
    with pytest.raises(PCSectionsError, match=r"an integer or a null pointer, found double 1\.0"):
        mir.loads(COMMENTED).pcsections(3)


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("!{i32 7}", "it begins with a constant outside a tuple"),
        ("!DIFile(filename: !0)", "a tuple expected"),
        ('!{!"s", !0}', "nodes where constants are expected"),
        ('!{!"s", !DIExpression()}', "cannot be read"),
        ('!{!"s", !77}', "defines no node !77"),
        ('!{!"s", i8 300}', "found i8 300"),
    ],
)
def test_malformed_nodes(definition: str, message: str) -> None:
    module = mir.loads(COMMENTED.replace('!{!"s0", double 1.0}', definition))

    with pytest.raises((PCSectionsError, MIRError), match=message):
        module.pcsections(3)


def test_a_node_is_added() -> None:
    module = mir.loads(COMMENTED)
    store = module.function("f").blocks[0].instructions[1]
    store.set_pcsections(PCSections([PCSection.of("new!C", constants(5, -2)), PCSection.of("plain")]))

    assert added(module) == [
        "  !bitcodec.pcsections = !{!5}",
        "  !4 = !{i32 5, i32 -2}",
        '  !5 = !{!"new!C", !4, !"plain"}',
        "    MOV32mi %0, 1, $noreg, 0, $noreg, 1, pcsections !5 :: (store (s32) into %ir.p)",
    ]
    assert mir.loads(module.dumps()).pcsections(5)[1].name == "plain"


def test_equal_nodes_are_one() -> None:
    module = mir.loads(COMMENTED)
    first, second = module.function("f").blocks[0].instructions[:2]
    for instruction in (first, second):
        instruction.set_pcsections(PCSections([PCSection.of("new", constants(1))]))

    assert first.pcsections_node == second.pcsections_node == NodeReference(5)
    assert module.add_pcsections(module.pcsections(0)) == NodeReference(0)
    assert module.add_pcsections(module.pcsections(2)) == NodeReference(2)


def test_distinct_nodes_are_not() -> None:
    module = mir.loads(COMMENTED)
    asked = PCSections([PCSection.of("s0")], is_distinct=True)

    assert module.add_pcsections(asked) == NodeReference(4)
    assert module.add_pcsections(asked) == NodeReference(4)
    assert module.add_pcsections(PCSections([PCSection.of("s0")], is_distinct=True)) == NodeReference(5)
    assert '  !4 = distinct !{!"s0"}' in added(module)


def test_a_node_that_nothing_refers_to_is_referred_to() -> None:
    module = mir.loads(COMMENTED)
    copy, store = module.function("f").blocks[0].instructions[:2]
    copy.set_pcsections(0)
    store.set_pcsections(NodeReference(2))

    assert added(module)[0] == "  !bitcodec.pcsections = !{!2}"
    assert len(added(module)) == 3


def test_numbers_of_functions_are_not_taken() -> None:
    text = COMMENTED.replace("registers:", "machineMetadataNodes:\n  - '!4 = !{!\"x\"}'\nregisters:")

    assert mir.loads(text).add_pcsections(PCSections([PCSection.of("new")])) == NodeReference(5)


def test_nodes_that_are_not_there() -> None:
    module = mir.loads(COMMENTED)
    store = module.function("f").blocks[0].instructions[1]

    with pytest.raises(MIRError, match="defines no node !9"):
        store.set_pcsections(9)
    store.set_suffix("pcsections", InlineNode("DIExpression"))
    with pytest.raises(MIRError, match=r"defines no node !DIExpression\(\)"):
        _ = store.pcsections


def test_a_file_without_ir() -> None:
    module = mir.loads("---\nname: f\nbody: |\n  bb.0:\n    NOOP\n...\n")
    (instruction,) = module.function("f").instructions

    assert (module.ir, module.nodes) == (None, {})
    with pytest.raises(MIRError, match="the file has no LLVM IR"):
        instruction.set_pcsections(PCSections([PCSection.of("new")]))

"""`Module.flags`: read, checked, edited, saved."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import add_function
from bitcodec.flags import Behavior, ModuleFlags, spelled
from bitcodec.ir.debug_info import DIFile
from bitcodec.ir.metadata import MDTuple, NamedMetadata
from bitcodec.ir.module import Module

from .text import Int, Node, Str, flag, inline, made, require

EXAMPLE = Path(__file__).parents[2] / "examples" / "queue.bc"
FLAGS = "llvm.module.flags"


def flags_of(*nodes: Node) -> ModuleFlags:
    return made(nodes).flags


def listed(module: Module) -> list[str]:
    return [spelled(node) for node in module.flags.nodes]


def test_flags_are_a_mapping_in_the_order_of_the_file() -> None:
    flags = flags_of(flag(1, "b", Int(1)), require("b", "a", Int(2)), flag(7, "a", Int(2)))
    assert list(flags) == ["b", "a"]
    assert len(flags) == 2
    assert "a" in flags
    assert "c" not in flags
    assert flags["a"].behavior is Behavior.MAX
    assert [(number, each.key) for number, each in flags.entries.items()] == [(0, "b"), (1, "b"), (2, "a")]
    assert [each.key for each in flags.requirements] == ["b"]
    assert flags.get("c") is None
    with pytest.raises(KeyError):
        _ = flags["c"]


def test_values_as_numbers_and_texts() -> None:
    flags = flags_of(flag(1, "number", Int(-1, 8)), flag(1, "text", Str("x")), flag(1, "null", None))
    assert (flags.integer("number"), flags.string("number")) == (-1, None)
    assert (flags.integer("text"), flags.string("text")) == (None, "x")
    assert (flags.integer("null"), flags.string("none")) == (None, None)


def test_no_flags_at_all() -> None:
    module = made(None)
    assert not module.flags
    assert not module.flags.is_present
    assert not module.flags.check()
    assert FLAGS not in module.named_metadata
    assert made([]).flags.is_present


# Rules

WORDS = "module flag"
MALFORMED: list[tuple[Node, str]] = [
    (Node(), f"incorrect number of operands in {WORDS}"),
    (Node(Int(1), Str("x")), f"incorrect number of operands in {WORDS}"),
    (Node(Str("1"), Str("x"), Int(1)), f"invalid behavior operand in {WORDS} (expected constant integer)"),
    (Node(None, Str("x"), Int(1)), f"invalid behavior operand in {WORDS} (expected constant integer)"),
    (flag(0, "x", Int(1)), f"invalid behavior operand in {WORDS} (unexpected constant)"),
    (flag(9, "x", Int(1)), f"invalid behavior operand in {WORDS} (unexpected constant)"),
    (flag(-1, "x", Int(1)), f"invalid behavior operand in {WORDS} (unexpected constant)"),
    (Node(Int(1), Int(1), Int(1)), f"invalid ID operand in {WORDS} (expected metadata string)"),
    (Node(Int(1), None, Int(1)), f"invalid ID operand in {WORDS} (expected metadata string)"),
    (flag(8, "x", Int(-1)), f"invalid value for 'min' {WORDS} (expected constant non-negative integer)"),
    (flag(8, "x", None), f"invalid value for 'min' {WORDS} (expected constant non-negative integer)"),
    (flag(7, "x", Str("1")), f"invalid value for 'max' {WORDS} (expected constant integer)"),
    (flag(3, "x", Int(1)), f"invalid value for 'require' {WORDS} (expected metadata pair)"),
    (flag(3, "x", None), f"invalid value for 'require' {WORDS} (expected metadata pair)"),
    (flag(3, "x", Node(Str("a"))), f"invalid value for 'require' {WORDS} (expected metadata pair)"),
    (
        flag(3, "x", Node(Int(1), Int(1))),
        f"invalid value for 'require' {WORDS} (first value operand should be a string)",
    ),
    (flag(5, "x", Int(1)), f"invalid value for 'append'-type {WORDS} (expected a metadata node)"),
    (flag(6, "x", None), f"invalid value for 'append'-type {WORDS} (expected a metadata node)"),
]


@pytest.mark.parametrize(
    ("node", "message"), MALFORMED, ids=lambda value: inline(value) if isinstance(value, Node) else ""
)
def test_what_is_no_flag_is_told_with_its_number(node: Node, message: str) -> None:
    flags = flags_of(flag(1, "before", Int(1)), node, flag(1, "after", Int(1)))
    assert [(problem.number, problem.message) for problem in flags.check()] == [(1, message)]
    assert list(flags) == ["before", "after"]


def test_one_key_twice() -> None:
    flags = flags_of(flag(1, "x", Int(1)), require("x", "x", Int(1)), flag(4, "x", Int(2)))
    (problem,) = flags.check()
    assert (problem.number, problem.key) == (2, "x")
    assert str(problem) == "module flag 2 'x': module flag identifiers must be unique (or of 'require' type)"
    assert flags.integer("x") == 1


def test_requirements_are_checked_once_all_is_linked() -> None:
    flags = flags_of(require("r", "x", Int(1)), require("s", "y", Int(1)), flag(1, "x", Int(2)))
    assert [(each.number, each.message) for each in flags.check()] == [
        (0, "invalid requirement on flag, flag does not have the required value"),
        (1, "invalid requirement on flag, flag is not present in module"),
    ]
    assert not flags.check(is_linked=False)


def test_nodes_of_debug_information_are_no_flags() -> None:
    module = made([flag(1, "x", Int(1))])
    module.named_metadata[FLAGS].operands.append(DIFile(filename="a.c", directory="/"))
    (problem,) = module.flags.check()
    assert problem.number == 1


# Verbs


def test_set_keeps_place_behaviour_and_type() -> None:
    module = made([flag(7, "x", Int(1, 8)), flag(1, "y", Int(1))])
    module.flags.set("x", 2)
    module.flags.set("y", "text", Behavior.WARNING)
    assert listed(module) == ['!{i32 7, !"x", i8 2}', '!{i32 2, !"y", !"text"}']
    with pytest.raises(ValueError, match="256 does not fit into an i8"):
        module.flags.set("x", 256)
    with pytest.raises(KeyError):
        module.flags.set("z", 1)
    module.flags.set("z", 1, Behavior.MIN)
    assert listed(module)[2] == '!{i32 8, !"z", i32 1}'
    with pytest.raises(ValueError, match="expected constant non-negative integer"):
        module.flags.set("z", -1)
    with pytest.raises(ValueError, match="expected a metadata node"):
        module.flags.set("z", 1, Behavior.APPEND)
    assert len(module.flags) == 3


def test_add_require_and_remove() -> None:
    module = made(None)
    flags = module.flags
    flags.add(Behavior.ERROR, "x", 1)
    flags.require("needs", "x", 1)
    assert listed(module) == ['!{i32 1, !"x", i32 1}', '!{i32 3, !"needs", !{!"x", i32 1}}']
    assert flags["x"].integer == 1
    assert not flags.check()
    with pytest.raises(ValueError, match="has a flag 'x' already"):
        flags.add(Behavior.ERROR, "x", 1)
    flags.remove("x")
    assert listed(module) == ['!{i32 3, !"needs", !{!"x", i32 1}}']
    with pytest.raises(KeyError):
        flags.remove("x")
    flags.remove_entry(0)
    assert listed(module) == []
    with pytest.raises(IndexError):
        flags.remove_entry(0)


def test_verbs_leave_other_users_of_a_node_alone() -> None:
    module = made([flag(1, "x", Int(1))])
    node = module.flags["x"].node
    module.named_metadata["other"] = NamedMetadata("other", [node])
    module.flags.set("x", 2)
    assert spelled(module.named_metadata["other"].operands[0]) == '!{i32 1, !"x", i32 1}'


def test_the_flags_of_another_module_take_the_place_of_these() -> None:
    source = made([flag(5, "x", Node(Int(1), Node(distinct=True))), flag(1, "y", Str("text"))])
    target = made([flag(1, "z", Int(1))])
    target.flags = source.flags
    assert listed(target) == listed(source)
    assert isinstance(target.flags["x"].value, MDTuple)
    assert target.flags["y"].value is target.context.metadata.string("text")


def test_globals_among_values_become_those_of_the_same_name() -> None:
    source, target = made([]), made([])
    functions = [
        add_function(module, "f", module.context.types.function(module.context.types.void))
        for module in (source, target)
    ]
    table = source.context.metadata
    source.flags.add(Behavior.APPEND, "CG Profile", table.tuple([table.value(functions[0]), None]))
    target.flags = source.flags
    value = target.flags["CG Profile"].value
    assert isinstance(value, MDTuple)
    assert value[0] is target.context.metadata.value(functions[1])
    functions[1].name = "g"
    with pytest.raises(ValueError, match="no counterpart in the module"):
        target.flags = source.flags


def test_an_edit_is_saved() -> None:
    module = bitcodec.open(EXAMPLE)
    before = list(module.flags)
    module.flags.set("PIC Level", 1)
    module.flags.add(Behavior.OVERRIDE, "new", "value")
    saved = bitcodec.loads(bitcodec.dumps(module)).flags
    assert list(saved) == [*before, "new"]
    assert (saved.integer("PIC Level"), saved.string("new")) == (1, "value")


def test_flags_know_their_module() -> None:
    module = made([])
    assert module.flags.module is module
    assert repr(module.flags) == "<ModuleFlags of 'made': 0>"

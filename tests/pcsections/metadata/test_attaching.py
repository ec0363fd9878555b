"""PC sections are asked for where they are wanted, beside what is there, and nowhere else."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function
from bitcodec.errors import PCSectionsError
from bitcodec.ir import Module
from bitcodec.pcsections import PCSECTIONS, PCSection, PCSections
from bitcodec.pcsections.metadata.attaching import Attached, attach
from bitcodec.pcsections.metadata.selecting import Selection, listing_of
from pcsections.malformed import node
from pcsections.samples import instruction, sample

EVERYTHING = [
    ("atomics", ["load old", "store", "atomicrmw", "cmpxchg", "fence"]),
    ("loads", ["load old", "load own", "load plain"]),
    ("stores", ["store", "store"]),
    ("calls", ["call", "call called"]),
    ("fence", ["fence", "fence"]),
    ("add", ["add total"]),
    ("add,fence", ["add total", "fence", "fence"]),
    (["add", "atomicrmw"], ["add total", "atomicrmw"]),
    ("main:loads", ["load old", "load own"]),
    ("@helper:load", ["load plain"]),
    ("helper:all", ["load plain", "ret"]),
    (" stores , @load:ret", ["store", "store", "ret"]),
    ("functions", []),
    ("main", []),
]


def names(selection: Selection) -> list[str]:
    return [f"{each.opcode} {each.name}".strip() for each in selection.instructions]


@pytest.mark.parametrize(("select", "expected"), EVERYTHING, ids=str)
def test_instructions(select: str | list[str], expected: list[str]) -> None:
    assert names(Selection(sample(), select)) == expected


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("functions", ["main", "helper", "load"]),
        ("helper,main", ["main", "helper"]),
        ("@load", ["load"]),
        ("@main", ["main"]),
        ("main:loads,helper", ["helper"]),
        ("loads", []),
    ],
)
def test_functions(select: str, expected: list[str]) -> None:
    assert [function.name for function in Selection(sample(), select).functions] == expected


def test_opcodes_go_before_functions() -> None:
    module = sample()
    assert list(Selection(module, "load").functions) == []
    assert names(Selection(module, "load")) == names(Selection(module, "loads"))


def test_names_with_colons() -> None:
    module = sample()
    types = module.context.types
    method = add_function(module, "-[A b:loads]", types.function(types.void, []))
    Builder(add_block(method)).ret()
    odd = add_function(module, "odd:loads", types.function(types.void, []))
    Builder(add_block(odd)).ret()
    assert list(Selection(module, ["-[A b:loads]", "odd:loads"]).functions) == [method, odd]
    assert names(Selection(module, ["-[A b:loads]:all"])) == ["ret"]


def test_intrinsics_and_assembly_are_no_calls() -> None:
    module = sample()
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    builder.call(add_function(module, "llvm.trap", types.function(types.void, [])), [])
    builder.call(module.context.constants.inline_asm(function.function_type, "nop", ""), [])
    builder.ret()
    assert names(Selection(module, "f:calls")) == []
    assert names(Selection(module, "f:call")) == ["call", "call"]


@pytest.mark.parametrize(
    ("select", "message"),
    [
        ("lods", "did you mean loads"),
        ("", "'' is neither of atomics, loads"),
        ("loads,,stores", "'' is neither of"),
        ("@hepler", "did you mean helper"),
        ("helper:nothing", "'helper:nothing' is neither of"),
        ("loads:helper", "'loads:helper' is neither of"),
        ("elsewhere", "function elsewhere has no code in this module"),
        ("left_out:loads", "function left_out has no code in this module"),
    ],
)
def test_terms_that_mean_nothing(select: str, message: str) -> None:
    with pytest.raises(PCSectionsError, match=message):
        Selection(sample(), select)


def test_what_there_is() -> None:
    assert listing_of(sample()) == "3 functions, 5 atomics, 3 loads, 2 stores, 2 calls, 15 instructions"


def test_attach() -> None:
    module = sample()
    number = module.context.constants.integer(module.context.types.integer(32), 7)

    assert attach(module, "main,fence", [PCSection.of("hot!C", [number]), PCSection.of("cold")]) == Attached(1, 2)

    module = bitcodec.loads(bitcodec.dumps(module))
    asked = module.functions["main"].pcsections
    assert asked is not None
    assert [(each.spelling, [str(value) for value in each.constants]) for each in asked] == [
        ("hot!C", ["i32 7"]),
        ("cold", []),
    ]
    assert asked == instruction(module, "fence").pcsections
    assert [each.opcode for each in instructions_that_ask(module)] == ["fence", "fence"]
    assert [function.name for function in module.functions if function.pcsections] == ["main"]


def instructions_that_ask(module: Module) -> list[bitcodec.ir.Instruction]:
    return [each for function in module.functions for each in function.instructions if each.pcsections]


def test_what_was_asked_for_stays() -> None:
    module = sample()
    attach(module, "helper,helper:load", [PCSection.of("first")])
    attach(module, "helper,loads", [PCSection.of("second")])
    assert module.functions["helper"].pcsections == PCSections([PCSection("first"), PCSection("second")])
    assert instruction(module, "load", "helper").pcsections == PCSections([PCSection("first"), PCSection("second")])
    assert instruction(module, "load").pcsections == PCSections([PCSection("second")])


def test_what_shared_a_distinct_node_still_does() -> None:
    module = sample()
    first, second = (each for each in module.functions["main"].instructions if each.opcode == "fence")
    shared = PCSections([PCSection("run")], is_distinct=True).node(module.context)
    first.metadata[PCSECTIONS] = second.metadata[PCSECTIONS] = shared
    instruction(module, "add").pcsections = PCSections([PCSection("run")], is_distinct=True)

    attach(module, "fence,add", [PCSection.of("more")])

    assert first.metadata[PCSECTIONS] is second.metadata[PCSECTIONS]
    assert first.metadata[PCSECTIONS].is_distinct
    assert first.metadata[PCSECTIONS] is not instruction(module, "add").metadata[PCSECTIONS]


def test_of_several_nodes_of_a_function_the_first_is_changed() -> None:
    module = sample()
    metadata = module.functions["helper"].metadata
    other = node(module, "x")
    metadata.assign([("prof", other), (PCSECTIONS, node(module, "a")), (PCSECTIONS, node(module, "b"))])
    attach(module, "helper", [PCSection.of("c")])
    assert [*metadata.items()] == [
        ("prof", other),
        (PCSECTIONS, node(module, "a", "c")),
        (PCSECTIONS, node(module, "b")),
    ]


def test_nothing_is_changed_if_something_is_wrong() -> None:
    module = sample()
    instruction(module, "ret", "helper").metadata[PCSECTIONS] = node(module)
    before = bitcodec.print_assembly(module)
    with pytest.raises(PCSectionsError, match="it is empty"):
        attach(module, "all,functions", [PCSection.of("s")])
    with pytest.raises(PCSectionsError, match="it is empty"):
        attach(module, "loads", [])
    assert bitcodec.print_assembly(module) == before


def test_bodies_that_are_not_meant_are_not_read() -> None:
    module = bitcodec.loads(bitcodec.dumps(sample()))
    attach(module, "helper,load:all", [PCSection.of("s")])
    assert [each.name for each in module.functions if not each.is_declaration and each.is_materialized] == [
        "helper",
        "load",
    ]

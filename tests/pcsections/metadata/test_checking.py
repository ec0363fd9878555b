"""What is wrong with PC sections is told: every malformed node, attachments without effect, targets without any."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.builder import add_alias
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections import PCSECTIONS, PCSection, PCSections
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.pcsections.metadata.attaching import attach
from bitcodec.pcsections.metadata.checking import PCSectionsProblem, Severity, check
from pcsections.malformed import MALFORMED, Malformed, node
from pcsections.samples import instruction, sample


def only(problems: list[PCSectionsProblem]) -> PCSectionsProblem:
    (found,) = problems
    return found


@pytest.mark.parametrize("row", MALFORMED, ids=lambda row: row.title)
def test_malformed_nodes_of_instructions(row: Malformed) -> None:
    module = sample()
    place = instruction(module, "load")
    place.metadata[PCSECTIONS] = row.node(module)

    problem = only(check(module))

    assert (problem.severity, problem.where, problem.place) == (Severity.ERROR, module.functions["main"], place)
    assert row.message in problem.message
    assert str(problem).startswith("function @main, block %entry: !pcsections: ")


@pytest.mark.parametrize("row", MALFORMED, ids=lambda row: row.title)
def test_malformed_nodes_of_functions(row: Malformed) -> None:
    module = sample()
    function = module.functions["helper"]
    function.metadata.add(PCSECTIONS, row.node(module))

    problem = only(check(module))

    assert (problem.severity, problem.where, problem.place) == (Severity.ERROR, function, function)
    assert str(problem).startswith("function @helper: !pcsections: ")


@pytest.mark.parametrize("row", MALFORMED, ids=lambda row: row.title)
def test_malformed_nodes_that_were_read(row: Malformed) -> None:
    module = sample()
    instruction(module, "load").metadata[PCSECTIONS] = row.node(module)

    assert row.message in only(check(bitcodec.loads(bitcodec.dumps(module)))).message


def test_a_null_arises_when_a_global_goes() -> None:
    module = sample()
    attach(module, "loads", [PCSection.of("s", [module.global_variables["table"]])])
    assert check(module) == []
    module.global_variables["table"].erase_from_parent()
    assert "expected a constant, found null" in only(check(module)).message


def test_a_node_is_told_of_once() -> None:
    module = sample()
    for each in module.functions["main"].instructions:
        each.metadata[PCSECTIONS] = node(module)
    assert only(check(module)).place is module.functions["main"].entry_block.instructions[0]


def test_sound_nodes() -> None:
    module = sample()
    constants, types = module.context.constants, module.context.types
    all_kinds = [
        constants.integer(types.integer(100), 1),
        constants.real(types.double, 0.5),
        constants.null(types.struct([types.ptr, types.array(3, types.half)])),
        constants.poison(types.x86_amx),
        module.functions["main"],
    ]
    attach(module, "all,functions", [PCSection.of("s!C", all_kinds, []), PCSection.of("s"), PCSection.of("t!CC")])
    assert check(module) == []


def test_names_of_declared_symbols_are_free() -> None:
    module = sample()
    attach(module, "loads", [PCSection.of("elsewhere"), PCSection.of("left_out")])
    assert check(module) == []


def test_names_of_aliases_are_not() -> None:
    module = sample()
    add_alias(module, "other", module.functions["main"])
    attach(module, "loads", [PCSection.of("other")])
    assert "section other has the name of a symbol" in only(check(module)).message


def test_names_that_are_no_identifiers() -> None:
    module = sample()
    attach(module, "loads", [PCSection.of("my sec"), PCSection.of(".mine")])
    problems = check(module)
    assert [problem.severity for problem in problems] == [Severity.NOTE, Severity.NOTE]
    assert "'my sec' is not a C identifier" in problems[0].message


def test_several_nodes_of_a_function() -> None:
    module = sample()
    function = module.functions["helper"]
    function.metadata.assign([(PCSECTIONS, node(module, "s")), (PCSECTIONS, node(module))])
    problem = only(check(module))
    assert (problem.severity, problem.message) == (
        Severity.NOTE,
        "it has 2 !pcsections nodes, of which the back end uses the first",
    )


def test_attachments_without_effect() -> None:
    module = sample()
    bad = node(module)
    for value in (module.global_variables["table"], module.functions["elsewhere"], module.functions["left_out"]):
        value.metadata.add(PCSECTIONS, bad)
    instruction(module, "load", "left_out").metadata[PCSECTIONS] = bad
    left_out = "function @left_out: the !pcsections of its instructions have no effect"
    assert [(problem.severity, str(problem)) for problem in check(module)] == [
        (Severity.NOTE, "variable @table: its !pcsections has no effect: a global variable has no code"),
        (Severity.NOTE, "function @elsewhere: its !pcsections has no effect: a declaration has no code"),
        (Severity.NOTE, "function @left_out: its !pcsections has no effect: available_externally code is left out"),
        (
            Severity.NOTE,
            f"{left_out}: available_externally code is left out",
        ),
    ]


@pytest.mark.parametrize("triple", ["arm64-apple-macosx", "x86_64-pc-windows-msvc", "wasm32-unknown-unknown", ""])
def test_targets_without_pc_sections(triple: str) -> None:
    module = sample(triple)
    assert check(module) == []
    attach(module, "loads", [PCSection.of("s")])
    problem = only(check(module))
    assert (problem.severity, problem.where) == (Severity.ERROR, module)
    assert check(module, Target.of("x86_64-linux-gnu")) == []
    assert check(module, "aarch64-linux-gnu") == []


def test_a_target_may_be_another() -> None:
    module = sample()
    attach(module, "loads", [PCSection.of("s")])
    assert "x86_64-apple-macosx" in only(check(module, "x86_64-apple-macosx")).message


def test_what_is_malformed_cannot_be_made() -> None:
    for spelling in ("", "!C", "s!X", "a\0b"):
        with pytest.raises(PCSectionsError):
            PCSection.of(spelling)
    module = sample()
    with pytest.raises(PCSectionsError, match="it is empty"):
        instruction(module, "load").pcsections = PCSections()

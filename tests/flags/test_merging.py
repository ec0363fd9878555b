"""What merging does beyond what LLVM does, and what it tells."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.builder import add_function
from bitcodec.flags import Behavior, DiagnosticKind, Merger, explanation, merge, spelled
from bitcodec.ir.module import Module

from .outcomes import ours
from .text import Flags, Int, Node, Str, flag, made, require

ERROR, WARNING, REQUIRE, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN = range(1, 9)


def modules(*flags: Flags) -> list[Module]:
    return [made(each, f"{letter}.ll") for letter, each in zip("abcd", flags, strict=False)]


def test_a_diagnostic_names_both_sides() -> None:
    (found,) = merge(*modules([flag(ERROR, "x", Int(1))], [], [flag(ERROR, "x", Int(2))])).diagnostics
    assert found.kind is DiagnosticKind.CONFLICTING_VALUES
    assert found.key == "x"
    assert (found.destination.module, found.destination.behavior, found.destination.text) == ("a.ll", 1, "i32 1")
    assert (found.source.module, found.source.behavior, found.source.text) == ("c.ll", 1, "i32 2")
    assert found.is_error
    assert str(found) == (
        "linking module flags 'x': IDs have conflicting values: 'i32 2' from c.ll, and 'i32 1' from llvm-link"
    )


def test_the_side_that_was_there_is_where_the_value_comes_from() -> None:
    groups = modules([flag(MAX, "x", Int(1))], [flag(MAX, "x", Int(2))], [flag(WARNING, "x", Int(3))])
    (found,) = merge(*groups, linked="all.bc").warnings
    assert found.destination.module == "b.ll"
    assert str(found).endswith("('i32 3' from c.ll with 'i32 2' from all.bc)")


def test_all_that_is_wrong_is_told() -> None:
    first = [flag(ERROR, "x", Int(1)), flag(OVERRIDE, "y", Int(1)), flag(ERROR, "z", Int(1)), require("r", "w", Int(1))]
    second = [flag(ERROR, "x", Int(2)), flag(OVERRIDE, "y", Int(2)), flag(MAX, "z", Int(1))]
    merged = merge(*modules(first, second))
    assert [each.kind for each in merged.errors] == [
        DiagnosticKind.CONFLICTING_VALUES,
        DiagnosticKind.CONFLICTING_OVERRIDES,
        DiagnosticKind.CONFLICTING_BEHAVIORS,
        DiagnosticKind.UNMET_REQUIREMENT,
    ]
    assert {key: each.integer for key, each in merged.flags.items()} == {"x": 1, "y": 1, "z": 1}


def test_what_is_required_is_told_once() -> None:
    first = [flag(ERROR, "y", Int(1)), require("r", "x", Int(1))]
    merged = merge(*modules(first, [flag(ERROR, "y", Int(1))], [flag(ERROR, "y", Int(1))]))
    (found,) = merged.errors
    assert (found.key, found.source.module, found.source.text) == ("x", "a.ll", "i32 1")
    assert found.destination.behavior is None


def test_modules_stay_as_they_were() -> None:
    first, second = modules([flag(APPEND, "x", Node(Int(1), distinct=True))], [flag(APPEND, "x", Node(Int(2)))])
    merger = Merger()
    merger.add(first)
    merger.add(second.flags, "other name")
    merged = merger.merged()
    assert [spelled(each) for each in merged.flags.nodes] == ['!{i32 5, !"x", distinct !{i32 1, i32 2}}']
    assert [spelled(each) for each in first.flags.nodes] == ['!{i32 5, !"x", distinct !{i32 1}}']
    assert merger.merged().diagnostics == merged.diagnostics


def test_a_module_can_be_merged_with_itself() -> None:
    (module,) = modules([flag(APPEND, "x", Node(Int(1))), flag(MIN, "y", Int(3)), flag(ERROR, "z", Str("text"))])
    merged = merge(module, module, module)
    assert not merged.diagnostics
    assert spelled(merged.flags["x"].value) == "distinct !{i32 1, i32 1, i32 1}"


def test_the_result_can_be_given_to_a_module() -> None:
    first, second = modules([flag(MAX, "x", Int(1))], [flag(MAX, "x", Int(2)), flag(ERROR, "y", Str("text"))])
    first.flags = merge(first, second).flags
    assert bitcodec.loads(bitcodec.dumps(first)).flags.integer("x") == 2


# Where LLVM crashes, or loses something


def with_function(name: str, letter: str) -> Module:
    (module,) = modules([])
    module.identifier = letter
    function = add_function(module, name, module.context.types.function(module.context.types.void))
    table = module.context.metadata
    pair = table.tuple([table.value(function), None])
    module.flags.add(Behavior.APPEND, "CG Profile", table.tuple([pair]))
    module.flags.add(Behavior.ERROR, "x", table.value(function))
    return module


def test_values_keep_the_functions_that_they_refer_to() -> None:
    merged = merge(with_function("f", "a"), with_function("g", "b"))
    assert spelled(merged.flags["CG Profile"].value) == "distinct !{!{ptr @f, null}, !{ptr @g, null}}"
    assert [each.kind for each in merged.errors] == [DiagnosticKind.CONFLICTING_VALUES]


def test_functions_of_one_name_are_the_same() -> None:
    merged = merge(with_function("f", "a"), with_function("f", "b"))
    assert not merged.diagnostics
    assert spelled(merged.flags["CG Profile"].value) == "distinct !{!{ptr @f, null}, !{ptr @f, null}}"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([flag(WARNING, "x", Str("a"))], [flag(MAX, "x", Int(1))]),
        ([flag(MIN, "x", Int(1))], [flag(WARNING, "x", Str("a"))]),
    ],
)
def test_what_is_no_number_is_not_compared_as_one(first: Flags, second: Flags) -> None:
    merged = merge(*modules(first, second))
    assert [each.kind for each in merged.errors] == [DiagnosticKind.NOT_MERGEABLE]


@pytest.mark.parametrize("malformed", [Node(Int(9), Str("x"), Int(1)), Node(), Node(Int(3), Str("x"), None)])
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_no_flag_is_left_out_and_told(malformed: Node, place: int) -> None:
    flags: list[Flags] = [[flag(ERROR, "y", Int(1))], [flag(ERROR, "y", Int(1))]]
    flags[place] = [malformed, flag(ERROR, "y", Int(1))]
    merged = merge(*modules(*flags))
    (found,) = merged.errors
    assert found.kind is DiagnosticKind.MALFORMED
    assert str(found).startswith(f"{'ab'[place]}.ll: module flag 0: in")
    assert list(merged.flags) == ["y"]


def test_wide_numbers_are_compared_whole() -> None:
    merged = merge(*modules([flag(MAX, "x", Int(1 << 64, 128))], [flag(MAX, "x", Int(5, 128))]))
    assert merged.flags.integer("x") == 1 << 64


def test_null_values_differ_from_others() -> None:
    outcome = ours([[flag(ERROR, "x", None)], [flag(ERROR, "x", Int(1))]])
    assert outcome.messages == [
        "error: linking module flags 'x': IDs have conflicting values: 'i32 1' from b.ll, and 'null' from llvm-link"
    ]


def test_the_first_module_is_checked_in_the_end() -> None:
    merged = merge(*modules([require("r", "x", Int(1))], None))
    (found,) = merged.errors
    assert (found.kind, str(found)) == (
        DiagnosticKind.BROKEN,
        "invalid requirement on flag, flag is not present in module",
    )


# In words


def test_explanations() -> None:
    groups = modules([flag(ERROR, "wchar_size", Int(4))], [flag(ERROR, "wchar_size", Int(2))])
    assert explanation(merge(*groups).errors[0]) == (
        "wchar_size: size of wchar_t. a.ll has i32 4, wchar_t is 4 bytes (Error), b.ll has i32 2, wchar_t is 2 bytes "
        "(Error). The values have to be the same. It comes from -f[no-]short-wchar."
    )


def test_an_upgrade_that_breaks_a_requirement_is_explained() -> None:
    key = "Objective-C Image Info Section"
    flags = [flag(ERROR, key, Str("a, b")), require("r", key, Str("a, b"))]
    text = explanation(merge(*modules(flags, flags)).errors[0])
    assert 'a.ll requires !"a, b", but a.ll has !"a,b" (Error).' in text
    assert "upgrade both" in text
    assert not merge(*modules(flags, flags), upgrades_requirements=True).diagnostics


@pytest.mark.parametrize(
    "flags",
    [
        [[flag(ERROR, "x", Int(1))], [flag(MAX, "x", Int(1))]],
        [[flag(OVERRIDE, "x", Int(1))], [flag(OVERRIDE, "x", Int(2))]],
        [[flag(WARNING, "x", Int(1))], [flag(WARNING, "x", Int(2))]],
        [[flag(WARNING, "x", Str(""))], [flag(MAX, "x", Int(2))]],
        [[require("r", "x", Int(1))], [flag(ERROR, "y", Int(2))]],
        [[Node()], [flag(ERROR, "y", Int(2))]],
        [[require("r", "x", Int(1))]],
    ],
)
def test_every_kind_has_an_explanation(flags: list[Flags]) -> None:
    for each in merge(*modules(*flags)).diagnostics:
        assert explanation(each).endswith(".")

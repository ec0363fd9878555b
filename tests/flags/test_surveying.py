"""What many modules do not agree on: found while one after another is looked at."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import given

from amounts import amount
from bitcodec.flags import Behavior, DiagnosticKind, FlagConflict, ModuleFlags, conflicts, merge
from bitcodec.ir.module import Module

from .cases import modules
from .text import Flags, Int, Node, Str, flag, made, require

ERROR, WARNING, REQUIRE, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN = range(1, 9)


def inputs(*groups: tuple[int, Flags]) -> Iterator[tuple[str, ModuleFlags]]:
    number = 0
    for count, flags in groups:
        for _ in range(count):
            yield f"{number}.o", made(flags).flags
            number += 1


def single(*groups: tuple[int, Flags]) -> FlagConflict:
    (found,) = conflicts(inputs(*groups)).conflicts
    return found


def test_who_says_what_and_what_to_do() -> None:
    groups = ((30, [flag(ERROR, "wchar_size", Int(4))]), (2, [flag(ERROR, "wchar_size", Int(2))]), (5, []))
    report = conflicts(inputs(*groups), most_names=3)
    assert report.inputs == 37
    (found,) = report.conflicts
    assert (found.key, found.kinds, found.absent) == ("wchar_size", (DiagnosticKind.CONFLICTING_VALUES,), 5)
    assert [(each.text, each.size, each.inputs) for each in found.groups] == [
        ("i32 4", 30, ("0.o", "1.o", "2.o")),
        ("i32 2", 2, ("30.o", "31.o")),
    ]
    assert found.minority is found.groups[1]
    assert (found.minority.meaning, found.minority.option) == ("wchar_t is 2 bytes", "-fshort-wchar")
    assert found.advice == "2 inputs against 30: compile with -fno-short-wchar. It comes from -f[no-]short-wchar."


def test_there_may_be_no_minority() -> None:
    found = single((2, [flag(ERROR, "x", Int(1))]), (2, [flag(ERROR, "x", Int(2))]))
    assert found.minority is None
    assert found.advice == ""


def test_unknown_flags_get_advice_too() -> None:
    found = single((2, [flag(ERROR, "x", Int(1))]), (1, [flag(ERROR, "x", Int(2))]))
    assert found.advice == "1 input against 2: make it i32 1 (Error)."


def test_behaviours_in_conflict() -> None:
    found = single((3, [flag(MAX, "x", Int(1))]), (1, [flag(ERROR, "x", Int(1))]))
    assert found.kinds == (DiagnosticKind.CONFLICTING_BEHAVIORS,)
    assert [each.behavior for each in found.groups] == [Behavior.MAX, Behavior.ERROR]


def test_warnings_come_behind_errors() -> None:
    report = conflicts(
        inputs(
            (1, [flag(WARNING, "a", Int(1)), flag(OVERRIDE, "b", Int(1))]),
            (1, [flag(WARNING, "a", Int(2)), flag(OVERRIDE, "b", Int(2))]),
        )
    )
    assert [(each.key, each.is_error) for each in report.conflicts] == [("b", True), ("a", False)]


@pytest.mark.parametrize("behavior", [APPEND, APPEND_UNIQUE, MAX, MIN])
def test_what_is_merged_is_no_conflict(behavior: int) -> None:
    values = [Int(1), Int(2)] if behavior in (MAX, MIN) else [Node(Int(1)), Node(Int(2))]
    assert not conflicts(inputs(*((1, [flag(behavior, "x", value)]) for value in values))).conflicts


def test_an_override_settles_what_comes_behind_it() -> None:
    settled = (1, [flag(OVERRIDE, "x", Int(9))])
    first, second = ((1, [flag(ERROR, "x", Int(value))]) for value in (1, 2))
    assert not conflicts(inputs(settled, first, second)).conflicts
    assert conflicts(inputs(first, second, settled)).conflicts


def test_requirements() -> None:
    needs = (1, [require("r", "x", Int(1))])
    assert not conflicts(inputs(needs, (2, [flag(ERROR, "x", Int(1))]))).conflicts
    found = single(needs, (2, [flag(ERROR, "x", Int(2))]))
    assert found.kinds == (DiagnosticKind.UNMET_REQUIREMENT,)
    assert [(each.text, each.inputs) for each in found.required] == [("i32 1", ("0.o",))]
    assert single(needs).groups == ()
    assert single(needs, (1, [flag(MIN, "x", Int(1))])).kinds == (DiagnosticKind.UNMET_REQUIREMENT,)


def test_malformed_flags_are_told_by_input() -> None:
    report = conflicts(inputs((1, []), (2, [flag(ERROR, "y", Int(1)), Node()])), most_names=1)
    assert [(each.input, each.problem.number) for each in report.malformed] == [("1.o", 1)]


def test_values_are_counted_even_if_there_are_too_many() -> None:
    found = single(*((1, [flag(ERROR, "x", Int(value))]) for value in range(100)))
    assert len(found.groups) + found.more_values == 100
    assert len(found.groups) < 100


def test_modules_are_let_go() -> None:
    alive = []

    def streamed() -> Iterator[tuple[str, ModuleFlags]]:
        for name, flags in inputs((amount(30, 50), [flag(ERROR, "x", Str("text")), flag(WARNING, "y", Node(Int(1)))])):
            if name.endswith("9.o"):
                gc.collect()
                alive.append(sum(isinstance(each, Module) and each.identifier == "let go" for each in gc.get_objects()))
            flags.module.identifier = "let go"
            yield name, flags

    assert not conflicts(streamed()).conflicts
    assert max(alive) <= 1


@given(modules())
def test_keys_in_conflict_are_those_that_do_not_merge(flags: list[Flags]) -> None:
    """Lists apart, of which contents are not kept, and duties of single modules."""
    # Merged with nothing, flags are as they are read from a file: upgraded.
    named = [(f"{number}.o", merge(made(each)).flags) for number, each in enumerate(flags)]
    merged = merge(*(each for _, each in named))
    kinds = {DiagnosticKind.UNMET_REQUIREMENT, DiagnosticKind.BROKEN, DiagnosticKind.MALFORMED}
    expected = {each.key for each in merged.diagnostics if each.kind not in kinds}
    found = {each.key for each in conflicts(named).conflicts if set(each.kinds) - kinds}
    # What a later value makes of an earlier one is told by the survey whoever comes first.
    assert expected <= found

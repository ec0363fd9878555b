"""Every example that the two documents print, and what they say in words.

Documents: "[LLVMdev] [RFC] Module Flags Metadata", January 2012; LLVM Language Reference, "Module Flags Metadata".
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitcodec.flags import PROPOSAL_2012, Behavior, DiagnosticKind, Merge, listing, merge, spelled

from .outcomes import ours, theirs
from .text import Flags, Int, Node, Str, flag, inline, made, parsed, require

ERROR, WARNING, REQUIRE, OVERRIDE = range(1, 5)

PROPOSAL_EXAMPLE = """\
!0 = metadata !{ i32 1, metadata !"foo", i32 1 }
!1 = metadata !{ i32 4, metadata !"bar", i32 37 }
!2 = metadata !{ i32 2, metadata !"qux", i32 42 }
!3 = metadata !{ i32 3, metadata !"qux",
  metadata !{
    metadata !"foo", i32 1
  }
}
!llvm.module.flags = !{ !0, !1, !2, !3 }
"""
LANGREF_EXAMPLE = """\
!0 = !{ i32 1, !"foo", i32 1 }
!1 = !{ i32 4, !"bar", i32 37 }
!2 = !{ i32 2, !"qux", i32 42 }
!3 = !{ i32 3, !"qux",
  !{
    !"foo", i32 1
  }
}
!llvm.module.flags = !{ !0, !1, !2, !3 }
"""
TYPE_WIDTHS = """\
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"short_wchar", i32 1}
!1 = !{i32 1, !"short_enum", i32 0}
"""
_OBJECTIVE_C = """\
!0 = metadata !{ i32 1, metadata !"Objective-C Version", i32 2 }
!1 = metadata !{ i32 1, metadata !"Objective-C Garbage Collection Version", i32 0 }
!2 = metadata !{ i32 1, metadata !"Objective-C Garbage Collection", i32 2 }
!3 = metadata !{ i32 3, metadata !"Objective-C Garbage Collection",
  metadata !{
    metadata !"Objective-C Image Info Section",
    metadata !"__DATA, __objc_imageinfo, regular, no_dead_strip"
  }
}
"""
MODULE_A = (
    _OBJECTIVE_C
    + """\
!4 = metadata !{ i32 1, metadata !"Objective-C Image Info Section",
                 metadata !"__DATA, __objc_imageinfo, regular, no_dead_strip" }
!llvm.module.flags = !{ !0, !1, !2, !3, !4 }
"""
)
MODULE_B = (
    _OBJECTIVE_C
    + """\
!4 = metadata !{ i32 1, metadata !"Objective-C GC Only", i32 4 }
!5 = metadata !{ i32 3, metadata !"Objective-C GC Only",
 metadata !{
   metadata !"Objective-C Garbage Collection", i32 2
 }
}
!6 = metadata !{ i32 1, metadata !"Objective-C Image Info Section",
                 metadata !"__DATA, __objc_imageinfo, regular, no_dead_strip" }
!llvm.module.flags = !{ !0, !1, !2, !3, !4, !5, !6 }
"""
)
LINKED = MODULE_B
"""The proposal prints for the linked module what it prints for module B."""


def merged(*texts: str | Flags, old: bool = False, **options: bool) -> Merge:
    modules = [
        made(parsed(text) if isinstance(text, str) else text, f"{letter}.ll")
        for letter, text in zip("abc", texts, strict=False)
    ]
    return merge(*modules, **({"dialect": PROPOSAL_2012} if old else {}), **options)  # type: ignore[arg-type]


def spelled_nodes(result: Merge) -> list[str]:
    return [spelled(node) for node in result.flags.nodes]


def lines(text: str) -> list[str]:
    return [inline(node) for node in parsed(text) or ()]


def kinds(result: Merge) -> list[DiagnosticKind]:
    return [each.kind for each in result.diagnostics]


# The list of four flags


@pytest.mark.parametrize("text", [PROPOSAL_EXAMPLE, LANGREF_EXAMPLE], ids=["2012", "today"])
def test_the_example_is_read(text: str) -> None:
    flags = made(parsed(text)).flags
    assert {key: (found.behavior, found.integer) for key, found in flags.items()} == {
        "foo": (Behavior.ERROR, 1),
        "bar": (Behavior.OVERRIDE, 37),
        "qux": (Behavior.WARNING, 42),
    }
    (required,) = flags.requirements
    assert required.key == "qux"
    assert required.requirement
    assert (required.requirement.key, spelled(required.requirement.value)) == ("foo", "i32 1")
    assert not flags.check()


def test_the_two_spellings_say_the_same() -> None:
    today, old = made(parsed(LANGREF_EXAMPLE)).flags, made(parsed(PROPOSAL_EXAMPLE)).flags
    assert list(listing(today)) == list(listing(old))
    assert list(listing(old, is_old=True)) == [
        '!0 = metadata !{i32 1, metadata !"foo", i32 1}',
        '!1 = metadata !{i32 4, metadata !"bar", i32 37}',
        '!2 = metadata !{i32 2, metadata !"qux", i32 42}',
        '!3 = metadata !{i32 3, metadata !"qux", metadata !{metadata !"foo", i32 1}}',
        "!llvm.module.flags = !{!0, !1, !2, !3}",
    ]


@pytest.mark.parametrize("old", [False, True], ids=["today", "2012"])
def test_what_the_documents_say_of_the_four_flags(old: bool) -> None:
    example = parsed(LANGREF_EXAMPLE) or []

    def kinds_with(*others: Node) -> list[DiagnosticKind]:
        return kinds(merged(example, list(others), old=old))

    assert kinds_with(flag(ERROR, "foo", Int(1))) == []
    assert DiagnosticKind.CONFLICTING_VALUES in kinds_with(flag(ERROR, "foo", Int(2)))
    assert kinds_with(flag(ERROR, "bar", Int(1))) == []
    assert merged(example, [flag(ERROR, "bar", Int(1))], old=old).flags.integer("bar") == 37
    assert merged([flag(ERROR, "bar", Int(1))], example, old=old).flags.integer("bar") == 37
    assert kinds_with(flag(OVERRIDE, "bar", Int(1))) == [DiagnosticKind.CONFLICTING_OVERRIDES]
    assert kinds_with(flag(WARNING, "qux", Int(1))) == [DiagnosticKind.DIFFERENT_VALUES]
    assert merged(example, [flag(WARNING, "qux", Int(1))], old=old).flags.integer("qux") == 42
    without_foo = merged([node for node in example if node.items[1] != Str("foo")], [], old=old)
    assert kinds(without_foo) == [DiagnosticKind.UNMET_REQUIREMENT]


# Objective-C in the proposal


def test_the_linked_module_is_that_of_b_then_a() -> None:
    result = merged(MODULE_B, MODULE_A, old=True)
    assert not result.diagnostics
    assert spelled_nodes(result) == lines(LINKED)


def test_linked_in_the_order_in_which_they_are_shown() -> None:
    result = merged(MODULE_A, MODULE_B, old=True)
    assert not result.diagnostics
    printed = lines(LINKED)
    assert spelled_nodes(result) == [*printed[:4], printed[6], *printed[4:6]]


NEUTRAL = [re.sub(r"Objective-C", "Neutral", text) for text in (MODULE_B, MODULE_A)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["B then A", "A then B"])
def test_under_other_names_llvm_links_them_too(order: tuple[int, int], tmp_path: Path) -> None:
    modules = [parsed(NEUTRAL[number]) for number in order]
    outcome = ours(modules)
    assert not outcome.messages
    assert len(outcome.flags or ()) == 7
    assert theirs(modules, tmp_path) == outcome


def test_today_upgrades_break_the_requirements_of_the_proposal(tmp_path: Path) -> None:
    modules = [parsed(MODULE_B), parsed(MODULE_A)]
    outcome = ours(modules)
    assert outcome.messages == [
        "error: linking module flags 'Objective-C Image Info Section': does not have the required value"
    ]
    assert theirs(modules, tmp_path) == outcome


def test_what_was_upgraded_is_told() -> None:
    result = merged(MODULE_B, MODULE_A)
    told = [
        (each.module, each.after.key, each.before and spelled(each.before.value), spelled(each.after.value))
        for each in result.upgrades
    ]
    section = "__DATA, __objc_imageinfo, regular, no_dead_strip"
    expected = [
        ("Objective-C Garbage Collection", "i32 2", "i8 2"),
        ("Objective-C Image Info Section", f'!"{section}"', f'!"{section.replace(" ", "")}"'),
    ]
    assert told == [(module, *row) for module in ("a.ll", "b.ll") for row in expected]


def test_with_requirements_upgraded_too_they_link() -> None:
    result = merged(MODULE_B, MODULE_A, upgrades_requirements=True)
    assert not result.diagnostics
    assert [found.requirement.key for found in result.flags.requirements if found.requirement] == [
        "Objective-C Image Info Section",
        "Objective-C Garbage Collection",
    ]
    assert spelled(result.flags.requirements[1].value) == '!{!"Objective-C Garbage Collection", i8 2}'


# What the proposal says in words, and the language reference otherwise


def test_what_is_required_under_one_key_may_not_differ() -> None:
    first, second = [require("r", "x", Int(1)), flag(ERROR, "x", Int(1))], [require("r", "y", Int(1))]
    with_y = [flag(ERROR, "y", Int(1))]
    result = merged([*first, *with_y], second, old=True)
    assert kinds(result) == [DiagnosticKind.CONFLICTING_REQUIREMENTS]
    assert str(result.errors[0]) == (
        "linking module flags 'r': IDs require different values: "
        "'!{!\"y\", i32 1}' in b.ll, and '!{!\"x\", i32 1}' in llvm-link"
    )
    assert not merged([*first, *with_y], second).diagnostics


def test_one_requirement_may_be_there_many_times() -> None:
    flags = [require("r", "x", Int(1)), require("r", "x", Int(1)), flag(ERROR, "x", Int(1))]
    result = merged(flags, flags, old=True)
    assert not result.diagnostics
    assert spelled_nodes(result) == [inline(flags[0]), inline(flags[2])]


def test_the_proposal_does_not_ask_for_one_flag_per_key() -> None:
    assert not merged([flag(ERROR, "x", Int(1)), flag(ERROR, "x", Int(1))], old=True).diagnostics
    assert kinds(merged([flag(ERROR, "x", Int(1)), flag(ERROR, "x", Int(2))], old=True)) == [
        DiagnosticKind.CONFLICTING_VALUES
    ]
    assert kinds(merged([flag(ERROR, "x", Int(1)), flag(ERROR, "x", Int(1))])) == [DiagnosticKind.BROKEN]


def test_the_proposal_knows_four_behaviours() -> None:
    result = merged([flag(7, "x", Int(1)), flag(ERROR, "y", Int(1))], old=True)
    assert [str(each) for each in result.errors] == ["a.ll: module flag 0: behavior 7 is not in the dialect 2012"]
    assert list(result.flags) == ["y"]


@pytest.mark.parametrize(("first", "second"), [(ERROR, WARNING), (WARNING, ERROR)])
def test_behaviours_that_differ(first: int, second: int) -> None:
    def pair(value: int) -> list[Flags]:
        return [[flag(first, "x", Int(1))], [flag(second, "x", Int(value))]]

    assert kinds(merged(*pair(1))) == [DiagnosticKind.CONFLICTING_BEHAVIORS]
    assert kinds(merged(*pair(1), old=True)) == []
    assert kinds(merged(*pair(2), old=True)) == [DiagnosticKind.CONFLICTING_VALUES]


def test_requirements_of_the_proposal_are_for_the_linked_module() -> None:
    modules = [[require("r", "x", Int(1)), flag(ERROR, "y", Int(1))], [flag(ERROR, "y", Int(1))]]
    with_x = [flag(ERROR, "x", Int(1))]
    assert not merged(*modules, with_x, old=True).diagnostics
    assert kinds(merged(*modules, with_x)) == [DiagnosticKind.UNMET_REQUIREMENT]


# What the language reference says of garbage collection: it follows from behaviours

GC, GC_ONLY = "Objective-C Garbage Collection", "Objective-C GC Only"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("old", [False, True], ids=["today", "2012"])
def test_no_garbage_collection_wins(order: tuple[int, int], old: bool) -> None:
    modules = [[flag(OVERRIDE, "GC", Int(0))], [flag(ERROR, "GC", Int(2))]]
    result = merged(*(modules[number] for number in order), old=old)
    assert not result.diagnostics
    assert result.flags.integer("GC") == 0


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_garbage_collection_only_never_merges_with_none(order: tuple[int, int]) -> None:
    only = [flag(ERROR, GC, Int(2, 8)), flag(ERROR, GC_ONLY, Int(6)), require("needs", GC, Int(2, 8))]
    modules = [[flag(OVERRIDE, GC, Int(0, 8))], only]
    result = merged(*(modules[number] for number in order))
    assert kinds(result) == [DiagnosticKind.UNMET_REQUIREMENT]
    assert result.errors[0].key == GC


# C type widths


def test_type_widths_merge_as_any_error_flags() -> None:
    assert not merged(TYPE_WIDTHS, TYPE_WIDTHS).diagnostics
    result = merged(TYPE_WIDTHS, [flag(ERROR, "short_wchar", Int(0))])
    assert [str(each) for each in result.errors] == [
        "linking module flags 'short_wchar': IDs have conflicting values: 'i32 0' from b.ll, and 'i32 1' from llvm-link"
    ]

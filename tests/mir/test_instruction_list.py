"""Instructions of a block: a list that changes at any place at the same cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitcodec import MIRError, mir
from bitcodec.mir import MachineFunction, MachineInstr, MachineRewriter
from bitcodec.mir.instruction_list import InstructionList

from .tools import count_lines

MANY = 300
"""Instructions: more than a run holds."""


def instructions(count: int) -> Iterator[MachineInstr]:
    return (MachineInstr(f"OP{number}") for number in range(count))


def filled(count: int) -> tuple[InstructionList, list[MachineInstr]]:
    found = InstructionList()
    for each in instructions(count):
        found.insert(len(found), each)
    return found, [*found]


@given(st.integers(0, MANY), st.lists(st.tuples(st.sampled_from("iabrx"), st.integers(-MANY, MANY)), max_size=400))
@settings(max_examples=60, deadline=None)
def test_it_is_what_a_list_is(count: int, changes: list[tuple[str, int]]) -> None:
    found, expected = filled(count)
    for kind, index in changes:
        new = MachineInstr(kind)
        if kind == "i" or not expected:
            found.insert(index, new)
            expected.insert(index, new)
            continue
        place = index % len(expected)
        if kind == "a":
            found.insert_after(expected[place], new)
            expected.insert(place + 1, new)
        elif kind == "b":
            found.insert_before(expected[place], new)
            expected.insert(place, new)
        elif kind == "r":
            found.remove(expected.pop(place))
        else:
            assert found[place] is expected[place]
            assert found.index(expected[place]) == place
            assert found.following(expected[place]) is (expected[place + 1] if place + 1 < len(expected) else None)
    assert [*found] == expected
    assert len(found) == len(expected)
    assert [found[index] for index in range(len(expected))] == expected
    assert [found.index(each) for each in expected] == [*range(len(expected))]


def test_slices_and_negative_indices() -> None:
    found, expected = filled(MANY)
    assert found[5:MANY:7] == expected[5:MANY:7]
    assert found[-1] is expected[-1]
    assert found[-MANY] is expected[0]
    for index in (MANY, -MANY - 1):
        with pytest.raises(IndexError):
            _ = found[index]


def test_iteration_goes_through_what_was_there() -> None:
    found, expected = filled(MANY)
    for each in found:
        found.insert_after(each, MachineInstr("NEW"))
    assert [*found][::2] == expected
    for each in found:
        found.remove(each)
    assert not found


def test_what_is_not_in_it() -> None:
    found, expected = filled(3)
    other = MachineInstr("OTHER")
    assert expected[1] in found
    assert other not in found
    assert "OP1" not in found
    for change in (found.remove, found.following):
        with pytest.raises(MIRError, match="OTHER is not in this block"):
            change(other)
    with pytest.raises(ValueError, match="not in the list"):
        found.index(other)
    with pytest.raises(ValueError, match="not in the list"):
        found.index(expected[0], 1)


# Work in proportion to the number of instructions


class Compared(MachineInstr):
    """An instruction that counts how often it is compared with others."""

    count: ClassVar[int] = 0

    def __eq__(self, other: object) -> bool:
        Compared.count += 1
        return self is other

    __hash__ = MachineInstr.__hash__


def body(count: int) -> MachineFunction:
    lines = "".join(f"    %{number}:gr64 = COPY $rdi\n" for number in range(count))
    return mir.loads(f"---\nname: f\nbody: |\n  bb.0:\n{lines}    RET64\n...\n").function("f")


def rewrite(function: MachineFunction) -> None:
    """Use each verb on every instruction, backwards too, with a new register for each."""
    rewriter = MachineRewriter()
    old = [*function.instructions][:-1]
    for each in reversed(old):
        rewriter.duplicate(each)
    for each in old:
        new = Compared("NEW", [function.new_virtual_register("gr64")])
        rewriter.replace(each, new)
        rewriter.merge(new, rewriter.duplicate(new, new), moves=False)
    for each in [*function.instructions]:
        rewriter.erase(each)


def test_work_grows_no_faster_than_the_block() -> None:
    counts = []
    for count in (500, 2000):
        function = body(count)
        Compared.count = 0
        counts.append((count_lines(lambda function=function: rewrite(function)), Compared.count))
    (few_lines, few_compared), (many_lines, many_compared) = counts
    assert many_lines < few_lines * 4 * 1.2
    assert 0 < many_compared < few_compared * 4 * 1.2

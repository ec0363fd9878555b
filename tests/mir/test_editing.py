"""What is changed is written; all else keeps its characters."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec import MIRError, mir
from bitcodec.mir import LiveIn, MachineInstr, NodeReference, Successor
from bitcodec.mir.yaml_nodes import YamlMapping, YamlScalar

from .texts import COMMENTED


def loaded(text: str = COMMENTED) -> tuple[mir.MachineModule, mir.MachineFunction]:
    module = mir.loads(text)
    return module, module.function("f")


def changes(module: mir.MachineModule) -> list[str]:
    """Return the lines that are gone (`-`) and those that are new (`+`)."""
    lines = difflib.unified_diff(COMMENTED.splitlines(), module.dumps().splitlines(), n=0, lineterm="")
    return [line for line in list(lines)[2:] if line[0] in "+-"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_comments_and_blanks_stay(newline: str) -> None:
    text = COMMENTED.replace("\n", newline)
    module, function = loaded(text)

    assert [block.number for block in function.blocks] == [0, 1]
    assert [instruction.opcode for instruction in function.instructions] == [
        *("COPY", "MOV32mi", "BUNDLE", "MOV64ri", "MOV64ri"),
        *("NOOP", "CALL64pcrel32", "RET64"),
    ]
    assert module.dumps() == text


@pytest.mark.parametrize("before", ["\ufeff", "# é 🎉 \u2028\x85\n"])
def test_characters_of_any_width_count_as_one(before: str) -> None:
    text = before + COMMENTED.replace("it''s", "é🎉it''s")
    module, function = loaded(text)
    alignment = function.attributes["alignment"]
    assert isinstance(alignment, YamlScalar)
    alignment.set(64)

    assert module.dumps() == text.replace("alignment: 16", "alignment: 64")


def test_what_a_block_says() -> None:
    _, function = loaded()
    first, second = function.blocks

    assert first.successors == (Successor(1, 50),)
    assert first.liveins == (LiveIn("$rdi"),)
    assert [each.is_inside_bundle for each in first] == [False, False, False, True, True]
    assert (second.successors, second.attributes) == (None, ("landing-pad", "align 16"))
    assert function.block(1) is second
    with pytest.raises(MIRError, match=r"f has no block bb\.2"):
        function.block(2)


def test_one_instruction_changes() -> None:
    module, function = loaded()
    copy, store = function.blocks[0].instructions[:2]
    store.set_pcsections(None)

    assert changes(module) == [
        "-    MOV32mi %0, 1, $noreg, 0, $noreg, 1, pcsections !0 :: (store (s32) into %ir.p)",
        "+    MOV32mi %0, 1, $noreg, 0, $noreg, 1 :: (store (s32) into %ir.p)",
    ]
    store.set_pcsections(0)
    assert changes(module) == []
    copy.debug_location = NodeReference(2)
    assert changes(module) == [
        "-    %0:gr64   =  COPY $rdi    ; odd blanks",
        "+    %0:gr64 = COPY $rdi, debug-location !2    ; odd blanks",
    ]


def test_a_block_changes() -> None:
    module, function = loaded()
    first, second = function.blocks
    second.attributes = ("ehfunclet-entry",)
    first.liveins = (LiveIn("$rdi"), LiveIn("$rsi", 3))

    assert changes(module) == [
        "-  bb.0:          ; the first block",
        "-    successors: %bb.1(50)",
        "-    liveins: $rdi",
        "-",
        "+  bb.0:",
        "+    successors: %bb.1(0x00000032)",
        "+    liveins: $rdi, $rsi:0x0000000000000003",
        "+  ",
        "-  bb.1 (landing-pad, align 16):",
        "+  bb.1 (ehfunclet-entry):",
    ]


def test_instructions_come_and_go() -> None:
    module, function = loaded()
    first, second = function.blocks
    first.remove(first.instructions[1])
    second.append(MachineInstr("NOOP"))
    first.insert(0, MachineInstr("NOOP", flags=["frame-setup"]))

    assert changes(module) == [
        "+    frame-setup NOOP",
        "-",
        "-    MOV32mi %0, 1, $noreg, 0, $noreg, 1, pcsections !0 :: (store (s32) into %ir.p)",
        "+    NOOP",
    ]


def test_bundles_open_and_close() -> None:
    module, function = loaded()
    first, second = function.blocks
    first.remove(first.instructions[4])
    second.instructions[1].is_inside_bundle = True

    assert changes(module) == [
        "-      $rax = MOV64ri 2      ; inside",
        "-    NOOP",
        "+    NOOP {",
        "+    }",
    ]
    again = mir.loads(module.dumps()).function("f")
    assert [each.is_inside_bundle for each in again.instructions] == [
        *(False, False, False, True),
        *(False, True, False),
    ]


def test_without_its_head_a_bundle_goes_on() -> None:
    module, function = loaded()
    block = function.blocks[0]
    block.remove(block.instructions[2])

    again = mir.loads(module.dumps()).function("f").blocks[0]
    assert [(each.opcode, each.is_inside_bundle) for each in again] == [
        ("COPY", False),
        ("MOV32mi", False),
        ("MOV64ri", False),
        ("MOV64ri", True),
    ]


def test_an_instruction_stands_in_one_place() -> None:
    _, function = loaded()
    instruction = function.blocks[0].instructions[0]

    with pytest.raises(MIRError, match=r"COPY is in bb\.0 already"):
        function.blocks[1].append(instruction)
    with pytest.raises(MIRError, match=r"COPY is not in bb\.1"):
        function.blocks[1].remove(instruction)
    assert function.blocks[1].instructions[0].copy().function is None
    with pytest.raises(MIRError, match="NOOP is in no function"):
        MachineInstr("NOOP").set_pcsections(0)


def test_an_instruction_is_read_from_text() -> None:
    module, function = loaded()
    line = "renamable $eax = nsw ADD32rr killed $eax, $ecx, implicit-def dead $eflags, pcsections !0 :: (load (s32))"
    instruction = mir.parse_instruction(f"  {line}  ; a comment\n")
    assert str(instruction) == line
    assert instruction.block is None
    function.blocks[1].append(instruction)

    assert instruction.pcsections == module.pcsections(0)
    assert changes(module) == [f"+    {line}"]


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "an opcode expected", 1),
        ("NOOP {", "the end of the instruction expected, not '{'", 6),
        ("NOOP\nRET64", "one line expected", 5),
        ("NOOP )", "an operand expected", 6),
        ("bb.0:", "an operand expected, not ':'", 5),
    ],
)
def test_what_is_no_instruction(text: str, message: str, column: int) -> None:
    with pytest.raises(MIRError, match=re.escape(message)) as caught:
        mir.parse_instruction(text)
    assert (caught.value.line, caught.value.column) == (1, column)


def test_a_block_is_added() -> None:
    module, function = loaded()
    first, second = function.blocks
    middle = function.add_block(after=first, successors=[second, Successor(0, 7)], liveins=["$rax", LiveIn("$rcx", 3)])
    middle.append(mir.parse_instruction("JMP_1 %bb.1"))
    last = function.add_block("entry")

    assert [block.label for block in function.blocks] == ["bb.0", "bb.2", "bb.1 (landing-pad, align 16)", "bb.3.entry"]
    assert (middle.number, last.number, last.successors, middle.function) == (2, 3, None, function)
    assert changes(module) == [
        "-  - { bb: 1, offset: 1,",
        "+  - { bb: 2, offset: 1,",
        "+  ",
        "+  bb.2:",
        "+    successors: %bb.1, %bb.0(0x00000007)",
        "+    liveins: $rax, $rcx:0x0000000000000003",
        "+  ",
        "+    JMP_1 %bb.1",
        "+  ",
        "+  bb.3.entry:",
    ]
    with pytest.raises(MIRError, match=r"bb\.2 is not in f"):
        loaded()[1].add_block(after=middle)


def test_a_block_needs_a_body() -> None:
    module = mir.loads("name: f\n---\nname: g\nbody: |\n")
    with pytest.raises(MIRError, match="f has no body"):
        module.function("f").add_block()
    module.function("g").add_block().append(MachineInstr("NOOP"))

    assert module.dumps() == "name: f\n---\nname: g\nbody: |\n  bb.0:\n    NOOP\n"


# Values of the document


def test_values() -> None:
    _, function = loaded()
    attributes = function.attributes

    assert list(attributes)[:3] == ["name", "alignment", "tracksRegLiveness"]
    assert attributes["alignment"].value == 16
    assert attributes["registers"].value == [{"id": 0, "class": "gr64"}]
    assert attributes["frameInfo"].value == {"stackSize": 8, "stackProtector": 'it\'s "here"'}
    assert attributes["liveins"].value == [{"reg": "$rdi", "virtual-reg": "%0"}]
    assert attributes.get("stack") is None


def test_values_are_set() -> None:
    module, function = loaded()
    alignment, frame = function.attributes["alignment"], function.attributes["frameInfo"]
    assert isinstance(alignment, YamlScalar)
    assert isinstance(frame, YamlMapping)
    protector = frame["stackProtector"]
    assert isinstance(protector, YamlScalar)
    alignment.set(32)
    protector.set("%stack.0")

    assert alignment.value == 32
    assert changes(module) == [
        "-alignment: 16",
        "+alignment: 32",
        "-frameInfo: { stackSize: 8, stackProtector: 'it''s \"here\"' }",
        "+frameInfo: { stackSize: 8, stackProtector: '%stack.0' }",
    ]


@given(st.one_of(st.booleans(), st.integers(-(1 << 64), 1 << 64), st.text(st.characters(exclude_categories=["Cs"]))))
def test_a_value_is_read_as_it_was_set(value: str | int | bool) -> None:
    module, function = loaded()
    alignment = function.attributes["alignment"]
    assert isinstance(alignment, YamlScalar)
    alignment.set(value)

    again = mir.loads(module.dumps()).function("f").attributes["alignment"].value
    assert (type(again), again) == (type(value), value)


# Places of calls


def test_places_of_calls_follow() -> None:
    module, function = loaded()
    first, second = function.blocks
    first.remove(first.instructions[0])
    second.insert(0, MachineInstr("NOOP"))

    sites = mir.loads(module.dumps()).function("f").attributes["callSites"].value
    assert [(site["bb"], site["offset"]) for site in sites] == [(0, 2), (1, 2)]


def test_what_is_said_of_calls_goes_with_them() -> None:
    module, function = loaded()
    first, second = function.blocks
    second.remove(second.instructions[1])

    sites = mir.loads(module.dumps()).function("f").attributes["callSites"].value
    assert [(site["bb"], site["offset"]) for site in sites] == [(0, 3)]
    first.remove(first.instructions[3])
    assert mir.loads(module.dumps()).function("f").attributes["callSites"].value == []


@pytest.mark.parametrize("kept", [[0], [1], []])
def test_lists_of_calls_may_stand_in_brackets(kept: list[int]) -> None:
    start, end = COMMENTED.index("callSites:"), COMMENTED.index("liveins:")
    sites = "callSites: [{ bb: 0, offset: 3 }, { bb: 1, offset: 1 }]  # two\n"
    module, function = loaded(COMMENTED[:start] + sites + COMMENTED[end:])
    calls = [function.blocks[0].instructions[3], function.blocks[1].instructions[1]]
    for index, call in enumerate(calls):
        if index not in kept:
            assert call.block is not None
            call.block.remove(call)

    found = mir.loads(module.dumps()).function("f").attributes["callSites"].value
    assert found == [[{"bb": 0, "offset": 3}, {"bb": 1, "offset": 1}][index] for index in kept]
    assert "# two" in module.dumps()


# New registers


def test_a_new_register_is_unused() -> None:
    _, function = loaded()

    assert function.new_virtual_register("gr32").defined() == "%1:gr32"
    assert function.new_virtual_register("_", "s32").defined() == "%2:_(s32)"

"""What rewriting does with what instructions carry, and what it tells."""

from __future__ import annotations

import pytest

from bitcodec import MIRError, mir
from bitcodec.ir.propagation import Outcome, Recorder
from bitcodec.mir import MachineFunction, MachineInstr, MachineRewriter, MIBuilder, MIMetadata, NodeReference
from bitcodec.mir.operands import MCSymbol

BODY = """\
--- |
  define void @f() {
    ret void
  }
  !0 = !{!"s0"}
  !1 = !{!"s1"}
...
---
name: f
callSites:
  - { bb: 0, offset: 1, fwdArgRegs: [] }
body: |
  bb.0:
    %0:gr64 = nnan nsz FIRST $rdi, pre-instr-symbol <mcsymbol .L0>, post-instr-symbol <mcsymbol .L1>, \
heap-alloc-marker !3, pcsections !0, mmra !4, cfi-type 7, debug-instr-number 1, debug-location !5 :: (load (s8))
    CALL @f, pcsections !0
    %1:gr64 = nsz SECOND $rdi, pcsections !1, mmra !4, debug-location !6 :: (load (s8)), (store (s8))
    PLAIN
    BUNDLE {
      INSIDE
    }
    RET64
...
"""


@pytest.fixture
def function() -> MachineFunction:
    return mir.loads(BODY).function("f")


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def named(function: MachineFunction, *opcodes: str) -> list[MachineInstr]:
    return [next(each for each in function.instructions if each.opcode == opcode) for opcode in opcodes]


def told(recorder: Recorder) -> list[tuple[str, Outcome, str, int]]:
    return [(event.kind, event.outcome, str(event.node), len(event.results)) for event in recorder.events]


def test_one_replacement_has_everything(function: MachineFunction, recorder: Recorder) -> None:
    (old,) = named(function, "FIRST")
    new = MachineInstr("NEW", old.operands)
    carried = dict(old.suffixes)
    MachineRewriter(recorder).replace(old, new)

    assert dict(new.suffixes) == carried
    assert [each.opcode for each in function.instructions][:2] == ["NEW", "CALL"]
    assert (old.block, recorder.events[0].function) == (None, "f")
    assert told(recorder) == [
        ("pcsections", Outcome.KEPT, "!0", 1),
        ("mmra", Outcome.KEPT, "!4", 1),
        ("dbg", Outcome.KEPT, "!5", 1),
        ("heapallocsite", Outcome.KEPT, "!3", 1),
    ]


def test_several_replacements_share_what_all_can_have(function: MachineFunction, recorder: Recorder) -> None:
    (old,) = named(function, "FIRST")
    new = [MachineInstr("A"), MachineInstr("B", old.operands), MachineInstr("C")]
    MachineRewriter(recorder).replace(old, *new)

    common = {"pcsections": NodeReference(0), "mmra": NodeReference(4), "debug-location": NodeReference(5)}
    assert [dict(each.suffixes) for each in new] == [
        {**common, "pre-instr-symbol": MCSymbol(".L0")},
        {**common, "debug-instr-number": 1},
        {**common, "post-instr-symbol": MCSymbol(".L1")},
    ]
    assert told(recorder)[-1] == ("heapallocsite", Outcome.LOST, "!3", 0)
    assert recorder.counts()["pcsections", "FIRST", Outcome.KEPT] == 1


def test_a_replacement_keeps_its_own(function: MachineFunction, recorder: Recorder) -> None:
    old, other = named(function, "FIRST", "SECOND")
    MachineRewriter(recorder).replace(old, other)

    assert other.pcsections_node == NodeReference(1)
    assert told(recorder)[0] == ("pcsections", Outcome.MERGED, "!0", 1)


def test_a_duplicate_has_no_labels_and_no_number(function: MachineFunction, recorder: Recorder) -> None:
    first, plain = named(function, "FIRST", "PLAIN")
    copy = MachineRewriter(recorder).duplicate(first, before=plain)

    assert list(copy.suffixes) == ["heap-alloc-marker", "pcsections", "mmra", "cfi-type", "debug-location"]
    assert [each.opcode for each in function.instructions][:5] == ["FIRST", "CALL", "SECOND", "FIRST", "PLAIN"]
    assert copy.memory_operands == first.memory_operands
    assert {outcome for _, outcome, _, _ in told(recorder)} == {Outcome.COPIED}


def test_merging(function: MachineFunction, recorder: Recorder) -> None:
    first, second = named(function, "FIRST", "SECOND")
    MachineRewriter(recorder).merge(first, second, moves=False)

    assert (first.flags, [str(each) for each in first.memory_operands]) == (("nsz",), ["(load (s8))", "(store (s8))"])
    assert first.pcsections_node == NodeReference(0)
    assert first.debug_location == NodeReference(5)
    assert told(recorder) == [
        ("pcsections", Outcome.KEPT, "!0", 1),
        ("mmra", Outcome.KEPT, "!4", 1),
        ("dbg", Outcome.KEPT, "!5", 1),
        ("heapallocsite", Outcome.KEPT, "!3", 1),
        ("pcsections", Outcome.MERGED, "!1", 1),
        ("mmra", Outcome.MERGED, "!4", 1),
        ("dbg", Outcome.MERGED, "!6", 1),
    ]


def test_merging_into_what_asks_for_nothing(function: MachineFunction, recorder: Recorder) -> None:
    plain, second = named(function, "PLAIN", "SECOND")
    MachineRewriter(recorder).merge(plain, second, moves=True)

    assert dict(plain.suffixes) == {"pcsections": NodeReference(1)}
    assert told(recorder) == [
        ("pcsections", Outcome.KEPT, "!1", 1),
        ("mmra", Outcome.LOST, "!4", 0),
        ("dbg", Outcome.LOST, "!6", 0),
    ]


def test_erasing(function: MachineFunction, recorder: Recorder) -> None:
    (second,) = named(function, "SECOND")
    MachineRewriter(recorder).erase(second)

    assert second.block is None
    assert {outcome for _, outcome, _, _ in told(recorder)} == {Outcome.LOST}


def test_what_is_said_of_a_call_follows_it(function: MachineFunction) -> None:
    (call,) = named(function, "CALL")
    MachineRewriter().replace(call, MachineInstr("OTHER"))
    MachineRewriter().erase(named(function, "FIRST")[0])

    sites = mir.loads(function.module.dumps()).function("f").attributes["callSites"].value
    assert [(site["bb"], site["offset"]) for site in sites] == [(0, 0)]


def test_what_is_said_of_a_call_is_gone_with_it(function: MachineFunction) -> None:
    (call,) = named(function, "CALL")
    MachineRewriter().replace(call, MachineInstr("A"), MachineInstr("B"))

    assert mir.loads(function.module.dumps()).function("f").attributes["callSites"].value == []


def bundles(function: MachineFunction) -> list[tuple[str, bool]]:
    again = mir.loads(function.module.dumps()).function("f")
    return [(each.opcode, each.is_inside_bundle) for each in again.instructions][4:]


def test_bundles_stay_bundles(function: MachineFunction) -> None:
    head, inside = named(function, "BUNDLE", "INSIDE")
    rewriter = MachineRewriter()
    rewriter.duplicate(inside)
    rewriter.replace(inside, MachineInstr("A"), MachineInstr("B"))
    assert bundles(function) == [("BUNDLE", False), ("A", True), ("B", True), ("INSIDE", False), ("RET64", False)]

    rewriter.replace(head, MachineInstr("C"), MachineInstr("D"))
    assert bundles(function)[:4] == [("C", False), ("D", True), ("A", True), ("B", True)]


def test_what_cannot_be(function: MachineFunction) -> None:
    first, plain = named(function, "FIRST", "PLAIN")
    rewriter = MachineRewriter()

    with pytest.raises(MIRError, match="FIRST has to be replaced by something else"):
        rewriter.replace(first)
    with pytest.raises(MIRError, match="FIRST has to be replaced by something else"):
        rewriter.replace(first, first)
    with pytest.raises(MIRError, match="PLAIN cannot be merged with itself"):
        rewriter.merge(plain, plain, moves=False)
    with pytest.raises(MIRError, match="NEW is in no block"):
        rewriter.erase(MachineInstr("NEW"))
    assert str(mir.loads(function.module.dumps())) == str(mir.loads(BODY))
    assert function.module.dumps() == BODY


# Building


def test_a_builder_carries_metadata_along(function: MachineFunction) -> None:
    first, call = named(function, "FIRST", "CALL")
    builder = MIBuilder.before(first)
    made = builder.build("ADD", "%0", 1, defs=["%7"], flags=["nsw"], memory_operands=first.memory_operands)
    builder.build("PLAIN")

    assert builder.metadata == MIMetadata(NodeReference(5), NodeReference(0), NodeReference(4))
    assert str(made) == "%7 = nsw ADD %0, 1, pcsections !0, mmra !4, debug-location !5 :: (load (s8))"
    assert [each.opcode for each in function.instructions][:4] == ["ADD", "PLAIN", "FIRST", "CALL"]
    assert MIMetadata.of(call) == MIMetadata(pcsections=NodeReference(0))


def test_a_builder_at_the_end(function: MachineFunction) -> None:
    MIBuilder(function.blocks[0]).build("NOOP")

    assert [str(each) for each in function.instructions][-1] == "NOOP"
    with pytest.raises(MIRError, match="NEW is in no block"):
        MIBuilder.before(MachineInstr("NEW"))

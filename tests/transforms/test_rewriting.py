"""The rewriter: the four rules of PC sections, what else is attached, and who is told."""

from __future__ import annotations

import pytest

from bitcodec.builder import Builder, add_block, add_function, metadata_node
from bitcodec.ir.attributes import AttributeList, AttributeSet, EnumAttribute
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DILocalVariable, DILocation
from bitcodec.ir.debug_records import DbgVariableKind, DbgVariableRecord
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import MDNode
from bitcodec.pcsections import PCSection, PCSections
from bitcodec.tables.instruction_flags import IntegerFlags
from bitcodec.tables.metadata_kinds import METADATA_KINDS
from bitcodec.transforms import Event, Outcome, Recorder, Rewriter
from bitcodec.transforms.rewriting.rules import RULES

from .samples import queue, small_module, text_of


class Body:
    """A function `i32 f(ptr, i32, i32)` of one block."""

    def __init__(self) -> None:
        self.module = small_module()
        types = self.module.context.types
        self.i32, self.float, self.pointer = types.integer(32), types.float, types.pointer()
        of = types.function(self.i32, [self.pointer, self.i32, self.i32])
        self.function = add_function(self.module, "f", of)
        self.builder = Builder(add_block(self.function))
        self.p, self.a, self.b = self.function.arguments
        self.recorder = Recorder()
        self.rewriter = Rewriter(self.recorder)

    def tagged(self, made: Instruction, name: str = "s") -> Instruction:
        made.pcsections = PCSections([PCSection.of(name)])
        return made

    def node(self, *parts: object) -> MDNode:
        constants = self.module.context.constants
        return metadata_node(
            self.module, *(constants.integer(self.i32, part) if isinstance(part, int) else part for part in parts)
        )

    def told(self) -> list[tuple[str, str, int]]:
        return [(event.outcome, event.kind, len(event.results)) for event in self.recorder.events]


@pytest.fixture
def body() -> Body:
    return Body()


def sections_of(instruction: Instruction) -> str | None:
    found = instruction.pcsections
    return None if found is None else found[0].name


# Rule 1: replacements


def test_all_that_replace_one_have_its_sections(body: Body) -> None:
    old = body.tagged(body.builder.mul(body.a, 12, name="product"))
    user = body.builder.ret(old)
    with body.builder.before(old):
        new = [
            first := body.builder.shl(body.a, 3),
            second := body.builder.shl(body.a, 2),
            body.builder.add(first, second),
        ]
    body.rewriter.replace(old, *new)
    assert [sections_of(each) for each in new] == ["s"] * 3
    assert user.value is new[-1]
    assert (new[-1].name, old.parent) == ("product", None)
    assert body.recorder.events == [
        Event(Outcome.KEPT, "pcsections", new[0].metadata["pcsections"], old, tuple(new), "f")
    ]
    text_of(body.module)


def test_what_stands_nowhere_is_put_there_in_order(body: Body) -> None:
    old = body.tagged(body.builder.add(body.a, body.b))
    body.builder.ret(old)
    new = [old.clone(), old.clone()]
    body.rewriter.replace(old, *new)
    assert list(body.function.instructions)[:2] == new


def test_the_location_goes_on_unless_there_is_one() -> None:
    module = queue()
    rewriter = Rewriter()
    located = [each for each in module.functions["push"].instructions if each.debug_location is not None]
    old, other = located[0], located[-1]
    first, second = old.clone(), old.clone()
    first.debug_location, second.debug_location = None, other.debug_location
    location = old.debug_location
    rewriter.replace(old, second, first)
    assert first.debug_location is location
    assert second.debug_location is other.debug_location


def test_own_sections_stay(body: Body) -> None:
    old = body.tagged(body.builder.add(body.a, body.b))
    new = body.tagged(body.builder.add(body.b, body.a), "own")
    body.rewriter.replace(old, new)
    assert sections_of(new) == "own"
    assert body.told() == [("merged", "pcsections", 1)]


def test_memory_s_metadata_goes_to_accesses_through_the_same_pointer(body: Body) -> None:
    old = body.builder.load(body.i32, body.p)
    for kind in ("tbaa", "noalias", "range", "nontemporal", "mine", "annotation"):
        old.metadata[kind] = body.node(kind)
    user = body.builder.ret(old)
    with body.builder.before(old):
        exchange = body.builder.atomicrmw("or", body.p, body.a, ordering="monotonic")
        elsewhere = body.builder.load(body.i32, body.builder.getelementptr(body.i32, body.p, [1]))
        last = body.builder.add(exchange, elsewhere)
    body.rewriter.replace(old, exchange, elsewhere, last)
    assert exchange.metadata.keys() == {"tbaa", "noalias", "annotation"}
    assert elsewhere.metadata.keys() == last.metadata.keys() == {"annotation"}
    lost = {event.kind for event in body.recorder.of(Outcome.LOST)}
    assert lost == {"range", "nontemporal", "mine"}
    assert user.value is last


def test_the_result_s_metadata_goes_to_who_takes_over_the_uses(body: Body) -> None:
    old = body.builder.load(body.i32, body.p)
    old.metadata["range"] = body.node(0, 10)
    body.builder.ret(old)
    first, last = old.clone(), old.clone()
    first.metadata.clear(), last.metadata.clear()
    body.rewriter.replace(old, first, last)
    assert (first.metadata.keys(), last.metadata.keys()) == (set(), {"range"})


@pytest.mark.parametrize("swapped", [False, True])
def test_weights_are_those_of_the_same_branch(body: Body, swapped: bool) -> None:
    first, second = add_block(body.function), add_block(body.function)
    condition = body.builder.icmp("eq", body.a, body.b)
    old = body.builder.cond_br(condition, first, second)
    new = old.clone()
    if swapped:
        new.set_successor(0, second), new.set_successor(1, first)
    old.metadata["prof"] = body.node("branch_weights", 1, 2)
    body.rewriter.replace(old, new)
    assert ("prof" in new.metadata) is not swapped


@pytest.mark.parametrize(("arm", "kept"), [("same", True), ("other", False)])
def test_weights_are_those_of_the_same_choice(body: Body, arm: str, kept: bool) -> None:
    first, second = body.builder.icmp("eq", body.a, body.b), body.builder.icmp("ne", body.a, body.b)
    old = body.builder.select(first, body.a, body.b)
    new = body.builder.select(first if arm == "same" else second, body.b, body.a)
    old.metadata["prof"] = body.node("branch_weights", 1, 2)
    body.rewriter.replace(old, new)
    assert ("prof" in new.metadata) is kept


@pytest.mark.parametrize(
    ("bounds", "size", "kept"),
    [((1, 10), 64, {"nonnull"}), ((-1, 10), 64, set()), ((10, 1), 64, set()), ((1, 9), 32, set())],
)
def test_a_pointer_that_was_an_integer_without_zero_is_not_null(
    body: Body, bounds: tuple[int, int], size: int, kept: set[str]
) -> None:
    constants, integer = body.module.context.constants, body.module.context.types.integer(size)
    old = body.builder.load(integer, body.p)
    old.metadata["range"] = body.node(*(constants.integer(integer, bound) for bound in bounds))
    new = body.builder.load(body.pointer, body.p)
    body.rewriter.replace(old, new)
    assert new.metadata.keys() == kept
    assert body.told() == [("kept", "range", 1)] if kept else [("lost", "range", 0)]


def test_an_integer_that_was_a_pointer_which_is_not_null_is_not_zero(body: Body) -> None:
    old = body.builder.load(body.pointer, body.p)
    old.metadata["nonnull"] = body.node()
    new = body.builder.load(body.module.context.types.integer(64), body.p)
    body.rewriter.replace(old, new)
    assert str(new).endswith("!range !0")
    assert "!0 = !{i64 1, i64 0}" in text_of(body.module) if new.is_used else new.metadata.keys() == {"range"}


# Rule 2: duplications


def test_a_copy_has_all(body: Body) -> None:
    original = body.tagged(body.builder.load(body.i32, body.p))
    original.metadata["mine"] = body.node("a")
    body.builder.ret(original)
    copy = body.rewriter.duplicate(original)
    assert copy.metadata == original.metadata
    assert list(body.function.instructions)[:2] == [original, copy]
    assert body.told() == [("copied", "pcsections", 1), ("copied", "mine", 1)]
    assert all(event.source is original and event.results == (copy,) for event in body.recorder.events)


def test_a_copy_may_stand_elsewhere(body: Body) -> None:
    end = body.builder.ret(0)
    other = add_block(body.function)
    body.builder.at_end(other)
    place = body.builder.unreachable()
    copy = body.rewriter.duplicate(end, place)
    assert other.instructions == (copy, place)
    with pytest.raises(ValueError, match="behind"):
        body.rewriter.duplicate(end)


# Rule 3: merging


@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize(
    ("kept", "gone", "left", "told"),
    [
        ("a", "b", "a", ["kept", "merged"]),
        ("a", "a", "a", ["kept", "merged"]),
        ("a", None, "a", ["kept"]),
        (None, "b", "b", ["kept"]),
        (None, None, None, []),
    ],
)
def test_one_of_both_has_its_sections_kept(
    body: Body, kept: str | None, gone: str | None, left: str | None, told: list[str], moves: bool
) -> None:
    first, second = (body.builder.load(body.i32, body.p) for _ in range(2))
    user = body.builder.ret(second)
    for each, name in ((first, kept), (second, gone)):
        if name is not None:
            body.tagged(each, name)
    body.rewriter.merge(first, second, moves=moves)
    assert sections_of(first) == left
    assert user.value is first
    assert [event.outcome for event in body.recorder.events] == told
    assert all(event.results == (first,) for event in body.recorder.events)


def test_what_is_not_true_of_both_is_lost(body: Body) -> None:
    first, second = (body.builder.load(body.i32, body.p) for _ in range(2))
    first.metadata["nontemporal"] = body.node(1)
    second.metadata["tbaa"] = body.node("a")
    body.rewriter.merge(first, second, moves=True)
    assert not first.metadata
    assert body.told() == [("lost", "nontemporal", 0), ("lost", "tbaa", 0)]


def test_a_node_of_nothing_is_a_node(body: Body) -> None:
    first, second = (body.builder.load(body.i32, body.p) for _ in range(2))
    first.metadata["memprof"], second.metadata["memprof"] = body.node(), body.node("a")
    body.rewriter.merge(first, second, moves=False)
    assert first.metadata == {"memprof": body.node()}


def test_two_may_become_a_third(body: Body) -> None:
    first, second = (body.builder.load(body.i32, body.p) for _ in range(2))
    for each, bounds in ((first, (0, 5)), (second, (5, 7))):
        each.metadata["range"] = body.node(*bounds)
    body.rewriter.merge(first, second, moves=True)
    assert first.metadata == {"range": body.node(0, 7)}
    assert body.told() == [("merged", "range", 1)] * 2


def test_it_promises_no_more_than_both(body: Body) -> None:
    first = body.builder.add(body.a, body.b)
    second = body.builder.add(body.a, body.b)
    first.flags, second.flags = IntegerFlags.NUW | IntegerFlags.NSW, IntegerFlags.NSW
    body.rewriter.merge(first, second, moves=False)
    assert first.flags == IntegerFlags.NSW
    loads = body.builder.load(body.i32, body.p, alignment=8), body.builder.load(body.i32, body.p, alignment=4)
    third = loads[0].clone()
    third.insert_after(loads[0])
    body.rewriter.merge(loads[0], third, moves=True)
    body.rewriter.merge(*loads, moves=False)
    assert loads[0].alignment == 8


def test_an_alignment_must_hold_where_it_moves(body: Body) -> None:
    first, second = body.builder.load(body.i32, body.p, alignment=8), body.builder.load(body.i32, body.p, alignment=4)
    body.rewriter.merge(first, second, moves=True)
    assert first.alignment == 4


def test_records_of_both_assignments_tell_of_one(body: Body) -> None:
    stores = [body.builder.store(body.a, body.p) for _ in range(3)]
    end = body.builder.ret(0)
    for store in stores:
        store.metadata["DIAssignID"] = DIAssignID()
        record = DbgVariableRecord(
            DbgVariableKind.ASSIGN,
            DILocation(),
            DILocalVariable(),
            DIExpression(),
            body.module.context.metadata.tuple(),
            assign_id=store.metadata["DIAssignID"],
        )
        end.debug_records.append(record)
    _, second, third = (store.metadata["DIAssignID"] for store in stores)
    body.rewriter.merge(stores[0], stores[1], moves=False)
    assert stores[0].metadata["DIAssignID"] is second
    assert [record.assign_id for record in end.debug_records] == [second, second, third]


def test_only_calls_with_equal_attributes_are_merged(body: Body) -> None:
    first, second = (body.builder.call(body.function, [body.p, body.a, body.b]) for _ in range(2))
    second.attributes = AttributeList(AttributeSet([EnumAttribute("nounwind")]))
    before = str(body.function)
    with pytest.raises(ValueError, match="attributes differ"):
        body.rewriter.merge(first, second, moves=False)
    assert str(body.function) == before


# Rule 4: deletions


def test_what_is_erased_loses_all(body: Body) -> None:
    gone = body.tagged(body.builder.load(body.i32, body.p))
    node = gone.metadata["pcsections"]
    body.rewriter.erase(gone)
    assert body.recorder.events == [Event(Outcome.LOST, "pcsections", node, gone, (), "f")]
    assert not list(body.function.instructions)


def test_what_is_used_is_not_erased(body: Body) -> None:
    used = body.tagged(body.builder.load(body.i32, body.p))
    body.builder.ret(used)
    with pytest.raises(ValueError, match="still used"):
        body.rewriter.erase(used)
    assert not body.recorder.events


# Hoisting


def test_what_is_hoisted_makes_nothing_undefined(body: Body) -> None:
    first = body.builder.load(body.i32, body.p)
    hoisted = body.tagged(body.builder.load(body.i32, body.p))
    hoisted.metadata["noundef"] = body.node()
    hoisted.metadata["range"] = body.node(0, 5)
    body.rewriter.hoist(hoisted, first)
    assert body.function.instructions[0] is hoisted
    assert hoisted.metadata.keys() == {"pcsections", "range"}
    assert body.told() == [("kept", "pcsections", 1), ("lost", "noundef", 0), ("kept", "range", 1)]


# Errors, and who is told


def test_nothing_changes_on_an_error(body: Body) -> None:
    old = body.tagged(body.builder.load(body.i32, body.p))
    user = body.builder.add(old, 1)
    other = body.builder.load(body.pointer, body.p)
    lone = old.clone()
    before = str(body.function)
    rewriter = body.rewriter
    for wrong, error in (
        (lambda: rewriter.replace(old), ValueError),
        (lambda: rewriter.replace(old, old), ValueError),
        (lambda: rewriter.replace(old, user), ValueError),
        (lambda: rewriter.replace(old, other), TypeError),
        (lambda: rewriter.replace(lone, other), ValueError),
        (lambda: rewriter.merge(old, old, moves=False), ValueError),
        (lambda: rewriter.merge(user, old, moves=False), ValueError),
        (lambda: rewriter.merge(other, old, moves=False), TypeError),
        (lambda: rewriter.merge(lone, old, moves=False), ValueError),
        (lambda: rewriter.merge(old, lone, moves=False), ValueError),
        (lambda: rewriter.duplicate(lone), ValueError),
        (lambda: rewriter.hoist(lone, old), ValueError),
        (lambda: rewriter.hoist(old, lone), ValueError),
        (lambda: rewriter.erase(lone), ValueError),
    ):
        with pytest.raises(error):
            wrong()
    assert str(body.function) == before
    assert not body.recorder.events


def test_a_recorder_counts_by_kind_and_opcode(body: Body) -> None:
    first, second = (body.tagged(body.builder.load(body.i32, body.p)) for _ in range(2))
    body.rewriter.duplicate(first)
    body.rewriter.merge(first, second, moves=False)
    body.rewriter.erase(body.tagged(body.builder.add(body.a, 1)))
    assert body.recorder.counts() == {
        ("pcsections", "load", Outcome.COPIED): 1,
        ("pcsections", "load", Outcome.KEPT): 1,
        ("pcsections", "load", Outcome.MERGED): 1,
        ("pcsections", "add", Outcome.LOST): 1,
    }
    assert body.recorder.report() == ("!pcsections on add: 1 lost\n!pcsections on load: 1 kept, 1 copied, 1 merged\n")


def test_a_recorder_may_listen_for_some_kinds(body: Body) -> None:
    recorder = Recorder(["pcsections"])
    original = body.tagged(body.builder.load(body.i32, body.p))
    original.metadata["mine"] = body.node("a")
    Rewriter(recorder).duplicate(original)
    assert [event.kind for event in recorder.events] == ["pcsections"]


def test_nobody_need_listen(body: Body) -> None:
    original = body.tagged(body.builder.load(body.i32, body.p))
    copy = Rewriter().duplicate(original)
    assert sections_of(copy) == "s"


def test_rules_are_of_kinds_that_llvm_knows() -> None:
    assert RULES.keys() <= set(METADATA_KINDS)

"""Verbs of instructions: where they stand, what they use, who uses them."""

from __future__ import annotations

import pytest

from bitcodec.ir import (
    BasicBlock,
    BinaryOperator,
    Branch,
    Call,
    ConstantInt,
    Instruction,
    Invoke,
    Load,
    LocalAsMetadata,
    Module,
    Phi,
    PoisonValue,
    Return,
    Store,
    Switch,
    Terminator,
    Use,
)
from ir.graph import check, picture
from ir.samples import counting, new_block, new_function

from .conftest import Found


@pytest.fixture
def module() -> Module:
    return counting()


def named(module: Module, name: str) -> Instruction:
    return next(found for found in module.functions["count"].instructions if found.name == name)


def block(module: Module, name: str) -> BasicBlock:
    return next(found for found in module.functions["count"] if found.name == name)


def number(module: Module, value: int) -> ConstantInt:
    return module.context.constants.integer(module.context.types.integer(32), value)


def doubled(module: Module, name: str = "") -> BinaryOperator:
    """Return an instruction that stands nowhere."""
    made = BinaryOperator("mul", module.functions["count"].arguments[0], number(module, 2))
    made.name = name
    return made


def opcodes(block: BasicBlock) -> list[str]:
    return [found.opcode for found in block]


# Where they stand


def test_an_instruction_knows_where_it_stands(module: Module) -> None:
    following = named(module, "next")
    assert following.parent is block(module, "loop")
    assert following.function is module.functions["count"]
    assert following.module is module
    assert (doubled(module).parent, doubled(module).function, doubled(module).module) == (None, None, None)


def test_insert_before_and_after(module: Module) -> None:
    first, second = doubled(module), doubled(module)
    first.insert_before(named(module, "next"))
    second.insert_after(named(module, "next"))
    assert opcodes(block(module, "loop")) == ["phi", "mul", "add", "mul", "store", "icmp", "br"]
    assert block(module, "loop").instructions[1:4] == (first, named(module, "next"), second)
    check(module)


@pytest.mark.parametrize(("index", "place"), [(0, 0), (1, 1), (3, 3), (9, 3), (-1, 2), (-9, 0)])
def test_insert_at_an_index(module: Module, index: int, place: int) -> None:
    made = doubled(module)
    block(module, "entry").insert(index, made)
    assert block(module, "entry").instructions.index(made) == place
    check(module)


def test_what_stands_somewhere_is_not_inserted_again(module: Module) -> None:
    before = picture(module)
    for verb in (block(module, "entry").append, named(module, "room").insert_before, named(module, "i").insert_after):
        with pytest.raises(ValueError, match="is in a block already; move it instead"):
            verb(named(module, "next"))  # type: ignore[operator]
    assert picture(module) == before


def test_nothing_is_inserted_beside_what_stands_nowhere(module: Module) -> None:
    with pytest.raises(ValueError, match="is in no block"):
        doubled(module).insert_before(doubled(module))


def test_move(module: Module) -> None:
    more, entry = named(module, "more"), block(module, "entry")
    more.move_before(named(module, "room"))
    assert opcodes(entry)[0] == "icmp"
    more.move_after(named(module, "room"))
    assert opcodes(entry)[:2] == ["alloca", "icmp"]
    more.move_before(more)
    assert more.parent is entry
    with pytest.raises(ValueError, match="is in no block"):
        Return(module.context.types.void).move_before(more)
    check(module)


def test_remove_keeps_uses_and_name(module: Module) -> None:
    last = named(module, "last")
    call = named(module, "again")
    last.remove_from_parent()
    assert last.parent is None
    assert last.name == "last"
    assert "last" not in module.functions["count"].symbols
    assert last.users == (call,)
    last.insert_before(call)
    check(module)


def test_erase(module: Module) -> None:
    count, last = module.functions["count"], named(module, "last")
    with pytest.raises(ValueError, match=r"<%last = load i32> is still used by <%again = call i32>"):
        last.erase_from_parent()
    last.replace_all_uses_with(number(module, 3))
    last.erase_from_parent()
    assert last.parent is None
    assert last.operands == ()
    assert count.arguments[1].users == ()
    check(module)


def test_what_was_made_for_nothing_lets_go(module: Module) -> None:
    n = module.functions["count"].arguments[0]
    users, unwanted = n.users, doubled(module)
    with pytest.raises(ValueError, match="is still there: erase it"):
        named(module, "last").drop_all_references()
    assert n.users == (*users, unwanted)
    unwanted.drop_all_references()
    assert n.users == users


# What takes their place


def test_replace_with_a_constant(module: Module) -> None:
    named(module, "last").replace_with(number(module, 3))
    assert named(module, "again").operands[0] is number(module, 3)
    assert number(module, 3).name == ""
    check(module)


def test_replace_with_an_instruction_that_stands_nowhere(module: Module) -> None:
    old, new = named(module, "last"), doubled(module)
    place = block(module, "exit").instructions.index(old)
    old.replace_with(new)
    assert block(module, "exit").instructions[place] is new
    assert new.name == "last"
    assert old.parent is None
    check(module)


def test_replace_with_one_that_has_a_name(module: Module) -> None:
    new = doubled(module, "twice")
    named(module, "last").replace_with(new)
    assert new.name == "twice"
    assert "last" not in module.functions["count"].symbols


def test_replace_that_cannot_be_touches_nothing(module: Module) -> None:
    last = named(module, "last")
    user = BinaryOperator("mul", last, last)
    before = picture(module)
    with pytest.raises(TypeError, match=r"a value of type i32 cannot be replaced by one of type ptr"):
        last.replace_with(module.functions["count"])
    with pytest.raises(ValueError, match="cannot take its own place"):
        last.replace_with(last)
    with pytest.raises(ValueError, match=r"<mul i32> uses what it is to replace"):
        last.replace_with(user)
    with pytest.raises(ValueError, match="is in no block"):
        user.replace_with(last)
    assert picture(module) == before


def test_replace_all_uses_where_one_user_has_several(module: Module) -> None:
    following = named(module, "next")
    twice = BinaryOperator("mul", following, following)
    twice.insert_after(following)
    following.replace_all_uses_with(number(module, 5))
    assert twice.operands == (number(module, 5), number(module, 5))
    assert following.users == ()
    check(module)


def test_replace_some_uses(module: Module) -> None:
    following = named(module, "next")
    wrapped = BinaryOperator("mul", following, number(module, 2))
    wrapped.insert_after(following)
    following.replace_uses_with_if(wrapped, lambda use: use.user is not wrapped)
    assert following.users == (wrapped,)
    assert wrapped.uses is not None
    assert {type(user) for user in wrapped.users} == {Store, Phi, type(named(module, "more"))}
    check(module)


# What they use


def test_set_operand(module: Module) -> None:
    following, i = named(module, "next"), named(module, "i")
    following.set_operand(0, following.function.arguments[0] if following.function else i)
    assert following.operands[0].name == "n"
    assert i.users == ()
    with pytest.raises(IndexError):
        following.set_operand(2, i)
    check(module)


def test_blocks_stay_where_blocks_belong(module: Module) -> None:
    branch = block(module, "entry").terminator
    assert branch is not None
    before = picture(module)
    with pytest.raises(
        TypeError, match=r"<br void> cannot have <%room = alloca ptr> in the place of <BasicBlock %loop"
    ):
        branch.set_operand(0, named(module, "room"))
    assert picture(module) == before


def test_named_operands_can_be_set(module: Module) -> None:
    last, room = named(module, "last"), named(module, "room")
    match last:
        case Load(pointer) if pointer.name == "p":
            last.pointer = room
    assert last.operands == (room,)
    assert Use(last, 0) in list(room.uses)
    check(module)


def test_uses_tell_which_operand(module: Module) -> None:
    following = named(module, "next")
    assert sorted(
        (use.user.opcode, use.operand_number) for use in following.uses if isinstance(use.user, Instruction)
    ) == [
        ("icmp", 0),
        ("phi", 1),
        ("store", 0),
    ]


def test_call_operands(found: Found) -> None:
    call = found["call"]
    assert isinstance(call, Call)
    n, address = call.bundles[0].inputs
    call.set_operand(0, call.function_type.return_type and n)
    call.callee = found.module.functions["throws"]
    assert call.called_function is None
    assert call.arguments[0] is n
    assert call.bundles[0].inputs == (n, address)


def test_invoke_destinations(found: Found) -> None:
    invoke = found.of("landing", "invoke")[0]
    assert isinstance(invoke, Invoke)
    done, pad = invoke.successors
    invoke.normal_destination, invoke.unwind_destination = pad, done
    assert invoke.successors == (pad, done)
    assert pad.predecessors == done.predecessors == (invoke.parent,)
    check(found.module)


# Control flow


def test_conditional_branch(module: Module) -> None:
    branch = block(module, "loop").terminator
    assert isinstance(branch, Branch)
    loop, leave = branch.successors
    branch.set_successor(0, leave)
    assert branch.successors == (leave, leave)
    assert branch.operands == (named(module, "more"), leave, leave)
    branch.replace_successor(leave, loop)
    assert branch.successors == (loop, loop)
    assert leave.predecessors == ()
    with pytest.raises(IndexError):
        branch.set_successor(2, leave)
    branch.condition = module.context.constants.boolean(value=True)
    assert named(module, "more").users == ()
    check(module)


def test_a_branch_has_both_or_neither(module: Module) -> None:
    void, loop = module.context.types.void, block(module, "loop")
    with pytest.raises(ValueError, match="come together"):
        Branch(void, loop, named(module, "more"))
    with pytest.raises(ValueError, match="come together"):
        Branch(void, loop, None, loop)
    branch = block(module, "entry").terminator
    assert isinstance(branch, Branch)
    assert branch.condition is None
    with pytest.raises(ValueError, match="has no condition"):
        branch.condition = named(module, "more")


def test_return(module: Module) -> None:
    leave = block(module, "exit").terminator
    assert isinstance(leave, Return)
    leave.value = number(module, 0)
    assert leave.operands == (number(module, 0),)
    leave.value = None
    assert leave.operands == ()
    assert leave.successors == ()
    check(module)


def test_phi_edges(module: Module) -> None:
    i, entry, loop = named(module, "i"), block(module, "entry"), block(module, "loop")
    assert isinstance(i, Phi)
    assert i.incoming == ((number(module, 0), entry), (named(module, "next"), loop))
    assert i.value_for(loop) is named(module, "next")
    i.add_incoming(number(module, 4), entry)
    i.remove_incoming(entry)
    assert i.incoming == ((named(module, "next"), loop),)
    i.replace_incoming_block(loop, entry)
    assert i.incoming_blocks == (entry,)
    with pytest.raises(ValueError, match="has no edge from"):
        i.remove_incoming(loop)
    with pytest.raises(TypeError, match="a phi of i32 cannot take a value of type ptr"):
        i.add_incoming(named(module, "room"), loop)
    with pytest.raises(ValueError, match="a phi of 1 values from 0 blocks"):
        Phi(i.type, [number(module, 0)], [])
    check(module)


def test_switch_cases(found: Found) -> None:
    switch = found.of("control", "switch")[0]
    assert isinstance(switch, Switch)
    constants, i32 = found.module.context.constants, switch.condition.type
    done, left, jump = switch.successors
    one, nine = constants.integer(i32, 1), constants.integer(i32, 9)  # type: ignore[arg-type]
    switch.add_case(nine, jump)
    switch.remove_case(one)
    assert [(value.value, target.name) for value, target in switch.cases] == [(-5, "jump"), (9, "jump")]
    assert switch.successors == (done, jump, jump)
    assert left.predecessors == ()
    switch.default = left
    assert switch.successors[0] is left
    with pytest.raises(ValueError, match="there is a case 9 already"):
        switch.add_case(nine, done)
    with pytest.raises(ValueError, match="the switch has no case 1"):
        switch.remove_case(one)
    with pytest.raises(TypeError, match="a switch by a i32 has no case"):
        switch.add_case(constants.boolean(value=True), done)
    check(found.module)


def test_terminators_of_their_own(module: Module) -> None:
    function = new_function(module, "f")
    first, second = new_block(function), new_block(function)
    assert first.terminator is None
    assert first.successors == ()
    first.append(Branch(module.context.types.void, second))
    assert isinstance(first.terminator, Terminator)
    assert (first.successors, second.predecessors) == ((second,), (first,))


# Metadata


def test_metadata_follows_and_ends_as_poison(module: Module) -> None:
    last, metadata = named(module, "last"), module.context.metadata
    wrapper = metadata.value(last)
    assert isinstance(wrapper, LocalAsMetadata)
    other = doubled(module)
    last.replace_with(other)
    assert wrapper.value is other
    other.replace_all_uses_with(number(module, 0))
    assert wrapper.value is number(module, 0)
    again = named(module, "again")
    wrapper = metadata.value(again)
    terminator = block(module, "exit").terminator
    assert isinstance(terminator, Return)
    terminator.value = None
    again.erase_from_parent()
    assert isinstance(wrapper.value, PoisonValue)
    assert wrapper.value.type is again.type


# What they show


@pytest.mark.parametrize(
    ("name", "shown"),
    [("next", "<%next = add i32>"), ("room", "<%room = alloca ptr>"), ("again", "<%again = call i32>")],
)
def test_repr(module: Module, name: str, shown: str) -> None:
    assert repr(named(module, name)) == shown

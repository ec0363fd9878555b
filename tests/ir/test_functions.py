"""Functions, arguments and basic blocks."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.ir import (
    BasicBlock,
    BinaryOperator,
    BlockAddress,
    Branch,
    Call,
    ConstantCast,
    Context,
    DbgLabelRecord,
    Function,
    Linkage,
    Module,
    Phi,
    PoisonValue,
    Return,
)

from .graph import check, picture
from .instructions.conftest import EVERY
from .samples import counting, new_block, new_function, new_variable


@pytest.fixture
def module() -> Module:
    return counting()


@pytest.fixture
def count(module: Module) -> Function:
    return module.functions["count"]


@pytest.fixture
def every() -> Module:
    return bitcodec.loads(EVERY.read_bytes())


# Functions


def test_a_function_is_its_blocks(count: Function) -> None:
    assert [block.name for block in count] == ["entry", "loop", "exit"]
    assert len(count) == 3
    assert count.entry_block is count.blocks[0]
    assert [found.opcode for found in count.instructions][:4] == ["alloca", "store", "br", "phi"]
    assert not count.is_declaration


def test_a_function_outside_of_all_modules_has_its_parameters() -> None:
    types = Context().types
    function = Function(types.pointer(), types.function(types.void, [types.integer(32)]), Linkage.EXTERNAL)
    (argument,) = function.arguments
    assert (argument.type, argument.parent, argument.index) == (types.integer(32), function, 0)
    assert function.blocks == ()


def test_a_declaration_has_no_blocks_and_is_true(module: Module) -> None:
    function = new_function(module, "declared")
    assert function.is_declaration
    assert list(function) == []
    assert function.entry_block is None
    assert bool(function)


def test_types_of_a_function(count: Function) -> None:
    assert str(count.function_type) == "i32 (i32, ptr)"
    assert str(count.return_type) == "i32"
    assert str(count.type) == "ptr"
    assert not count.is_vararg
    assert not count.is_intrinsic


def test_arguments(count: Function) -> None:
    n, p = count.arguments
    assert [(found.index, found.name, str(found.type), found.parent) for found in (n, p)] == [
        (0, "n", "i32", count),
        (1, "p", "ptr", count),
    ]
    assert [user.name for user in p.users] == ["last"]  # type: ignore[attr-defined]
    assert repr(n) == "<Argument 0 i32 %n>"
    n.name = ""
    assert repr(n) == "<Argument 0 i32>"


@pytest.mark.parametrize("what", ["name", "users", "uses", "is_used"])
def test_arguments_are_read_with_the_body(every: Module, what: str) -> None:
    function = every.functions["memory"]
    n = function.arguments[1]
    assert not function.is_materialized
    found = {"name": lambda: n.name == "n", "users": lambda: len(n.users) == 2, "is_used": lambda: n.is_used}
    assert found.get(what, lambda: len(list(n.uses)) == 2)()
    assert function.is_materialized


def test_a_name_given_before_the_body_is_read_stays(every: Module) -> None:
    function = every.functions["memory"]
    function.arguments[1].name = "p"
    assert [found.name for found in function.arguments] == ["p", "p1", "i", "list"]
    check(every)


def test_held_constants(module: Module, count: Function) -> None:
    table = module.global_variables["table"]
    personality = new_function(module, "personality")
    number = module.context.constants.integer(module.context.types.integer(32), 1)
    count.prologue_data = number
    count.personality = personality
    count.prefix_data = table
    assert count.operands == (personality, table, number)
    assert personality.users == (count,)
    count.prefix_data = None
    assert (count.personality, count.prefix_data, count.prologue_data) == (personality, None, number)
    assert count.operands == (personality, number)
    check(module)


def test_delete_body(module: Module, count: Function) -> None:
    personality = new_function(module, "personality")
    count.personality = personality
    count.linkage = Linkage.INTERNAL
    blocks, table = count.blocks, module.global_variables["table"]
    node = module.context.metadata.tuple([])
    count.metadata.add("kind", node)
    before = [user for user in table.users if isinstance(user, Call)]

    count.delete_body()

    assert count.is_declaration
    assert count.linkage is Linkage.EXTERNAL
    assert (count.personality, personality.users) == (None, ())
    assert count.metadata == {}
    assert [block.parent for block in blocks] == [None, None, None]
    assert before[0].parent is None
    assert before[0] not in table.users
    assert list(count.symbols) == ["n", "p"]
    initializer = module.global_variables["addresses"].initializer
    assert initializer is not None
    match initializer.operands[2]:
        case ConstantCast("inttoptr", operand):
            assert operand.value == 1  # type: ignore[attr-defined]
        case other:
            pytest.fail(repr(other))
    check(module)


def test_erase_a_function_that_calls_itself(module: Module, count: Function) -> None:
    with pytest.raises(ValueError, match=r"@count is still used by <GlobalVariable @addresses>"):
        count.erase_from_parent()
    module.global_variables["addresses"].erase_from_parent()
    count.erase_from_parent()
    assert list(module.functions) == []
    assert count.parent is None
    assert module.get("count") is None
    check(module)


def test_erase_a_function_that_holds_itself(module: Module) -> None:
    function = new_function(module, "self")
    function.personality = function
    function.prefix_data = module.context.constants.cast("ptrtoint", function, module.context.types.integer(64))
    function.erase_from_parent()
    assert "self" not in module.functions
    check(module)


def test_a_function_moves_to_another_place_in_its_module(module: Module, count: Function) -> None:
    users = count.users
    other = new_function(module, "other")
    count.remove_from_parent()
    assert count.parent is None
    with pytest.raises(ValueError, match="is in no module"):
        count.remove_from_parent()
    module.append(count)
    assert list(module.functions) == [other, count]
    assert count.users == users
    check(module)


# Basic blocks


def test_blocks_are_inserted_and_removed(module: Module, count: Function) -> None:
    block = BasicBlock(module.context.types.label, "entry")
    assert bool(block)
    assert len(block) == 0
    assert repr(BasicBlock(module.context.types.label)) == "<BasicBlock, 0 instructions>"
    block.append(Return(module.context.types.void))
    block.instructions[0].name = ""
    count.insert_block(0, block)
    assert block.name == "entry1"
    assert count.entry_block is block
    with pytest.raises(ValueError, match="is in a function already"):
        count.append_block(block)
    block.remove_from_parent()
    assert block.parent is None
    assert "entry1" not in count.symbols
    with pytest.raises(ValueError, match="is in no function"):
        block.remove_from_parent()
    check(module)


def test_names_of_instructions_come_with_their_block(module: Module, count: Function) -> None:
    types, constants = module.context.types, module.context.constants
    block = BasicBlock(types.label)
    added = BinaryOperator("add", constants.integer(types.integer(32), 1), constants.integer(types.integer(32), 2))
    added.name = "next"
    block.append(added)
    count.append_block(block)
    assert added.name == "next1"
    block.remove_from_parent()
    assert "next1" not in count.symbols
    assert added.parent is block


def test_erase_a_block(module: Module, count: Function) -> None:
    entry, loop, leave = count.blocks
    with pytest.raises(ValueError, match=r"<BasicBlock %loop, 5 instructions> is still used by <br void>"):
        loop.erase_from_parent()
    with pytest.raises(ValueError, match=r"is still used by <(br void|GlobalVariable @addresses)>"):
        leave.erase_from_parent()
    assert entry.terminator is not None
    entry.terminator.set_successor(0, leave)
    loop.erase_from_parent()
    assert count.blocks == (entry, leave)
    assert list(count.symbols) == ["n", "p", "entry", "exit", "room", "last", "again"]
    assert leave.predecessors == (entry,)
    check(module)


def test_phis_forget_a_block_that_is_erased(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    i32, void = types.integer(32), types.void
    function = new_function(module, "f", i32, (types.integer(1), i32))
    condition, n = function.arguments
    first, second, last = (new_block(function, name) for name in ("first", "second", "last"))
    first.append(Branch(void, second, condition, last))
    double = BinaryOperator("add", n, n)
    second.append(double)
    second.append(Branch(void, last))
    phi = Phi(i32, [n, double], [first, second])
    last.append(phi)
    last.append(Return(void, phi))
    assert first.terminator is not None
    wrapper = module.context.metadata.value(double)

    first.terminator.replace_successor(second, last)
    second.erase_from_parent()

    assert phi.incoming == ((n, first),)
    assert isinstance(wrapper.value, PoisonValue)
    assert wrapper.value is constants.poison(i32)
    check(module)


def test_split(module: Module, count: Function) -> None:
    entry, loop, leave = count.blocks
    more = loop.instructions[3]
    label = module.context.metadata.tuple([])
    more.debug_records.append(DbgLabelRecord(label, label))  # type: ignore[arg-type]
    rest = loop.split(more, "loop")
    assert count.blocks == (entry, loop, rest, leave)
    assert rest.name == "loop1"
    assert [found.opcode for found in rest] == ["icmp", "br"]
    assert [found.opcode for found in loop] == ["phi", "add", "store", "br"]
    assert (loop.successors, rest.successors) == ((rest,), (loop, leave))
    assert [block.name for _, block in loop.phis[0].incoming] == ["entry", "loop1"]
    assert loop.predecessors == (entry, rest)
    assert len(loop.instructions[-1].debug_records) == 1
    assert more.debug_records == []
    check(module)


def test_what_cannot_be_split(module: Module, count: Function) -> None:
    entry, loop, _ = count.blocks
    before = picture(module)
    with pytest.raises(ValueError, match="cannot be split at <%i = phi i32>"):
        loop.split(loop.instructions[0])
    with pytest.raises(ValueError, match="cannot be split at <%room = alloca ptr>"):
        loop.split(entry.instructions[0])
    assert picture(module) == before


def test_block_in_front_of_another(module: Module, count: Function) -> None:
    entry, loop, leave = count.blocks
    made = BasicBlock(entry.type, "loop")
    void = module.context.types.void
    made.append(Branch(void, loop))
    made.insert_before(loop)
    assert count.blocks == (entry, made, loop, leave)
    assert made.name == "loop1"
    with pytest.raises(ValueError, match="is in a function already"):
        made.insert_before(leave)
    with pytest.raises(ValueError, match="is in no function"):
        BasicBlock(entry.type).insert_before(BasicBlock(entry.type))


def test_predecessors_are_each_there_once(count: Function) -> None:
    entry, loop, leave = count.blocks
    assert loop.terminator is not None
    loop.terminator.set_successor(0, leave)
    assert leave.predecessors == (loop,)
    assert loop.successors == (leave, leave)
    assert loop.predecessors == (entry,)


def test_block_addresses_in_bodies_not_read_yet_count() -> None:
    module = bitcodec.loads(EVERY.read_bytes())
    block = module.functions["control"].blocks[0]
    assert not module.functions["memory"].is_materialized
    assert block.users == ()
    assert module.functions["memory"].is_materialized


def test_the_address_of_a_block_that_nothing_uses_does_not_keep_it(module: Module) -> None:
    function = new_function(module, "f")
    block = new_block(function)
    address = module.context.constants.block_address(function, block)
    assert isinstance(address, BlockAddress)
    assert block.users == (address,)
    block.erase_from_parent()
    assert function.is_declaration
    assert not function.is_used
    new_variable(module, "other")
    check(module)

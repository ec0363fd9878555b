"""Values and uses: replacing, through constants too, and what may take whose place."""

from __future__ import annotations

import time

import pytest

from bitcodec.ir import (
    BasicBlock,
    BlockAddress,
    Call,
    ConstantAggregate,
    ConstantExpr,
    ConstantInt,
    Function,
    GlobalVariable,
    Instruction,
    MetadataAsValue,
    Module,
    Store,
    Use,
)

from .graph import check, picture
from .samples import counting, new_block, new_function, new_module, new_variable


@pytest.fixture
def module() -> Module:
    return counting()


def pointer_table(module: Module, name: str, *elements: object) -> GlobalVariable:
    types, constants = module.context.types, module.context.constants
    made = new_variable(module, name, types.array(len(elements), types.ptr))
    made.initializer = constants.aggregate(made.value_type, elements)  # type: ignore[arg-type]
    return made


def test_users_stand_in_the_order_in_which_uses_were_made(module: Module) -> None:
    table = module.global_variables["table"]
    inside, call = table.users
    assert isinstance(inside, ConstantExpr)
    assert isinstance(call, Call)
    assert [type(user).__name__ for user in inside.users] == ["Store", "ConstantArray", "GlobalAlias"]
    assert list(table.uses) == [Use(inside, 0), Use(call, 1)]


def test_replacing_a_global_makes_constants_anew(module: Module) -> None:
    table, other = module.global_variables["table"], new_variable(module, "other", module.context.types.integer(8))
    store = next(user for user in table.users[0].users if isinstance(user, Store))
    inside = store.operands[1]
    table.replace_all_uses_with(other)

    assert not table.is_used
    assert store.operands[1] is not inside
    assert store.operands[1].operands[0] is other  # type: ignore[attr-defined]
    assert module.aliases["alias"].aliasee is store.operands[1]
    assert module.global_variables["addresses"].initializer.operands[0] is store.operands[1]  # type: ignore[union-attr]
    check(module)


@pytest.mark.parametrize("form", ["gi", "ig", "gig", "iig", "gii"])
def test_constants_that_hold_a_value_twice_over(module: Module, form: str) -> None:
    """An aggregate holds the value, and what is made of the value: it is made anew twice, and the last one counts."""
    table, other = module.global_variables["table"], new_variable(module, "other", module.context.types.integer(8))
    parts = {"g": table, "i": table.users[0]}
    holder = pointer_table(module, "holder", *(parts[letter] for letter in form))

    table.replace_all_uses_with(other)

    parts = {"g": other, "i": next(user for user in other.users if isinstance(user, ConstantExpr))}
    assert isinstance(holder.initializer, ConstantAggregate)
    assert holder.initializer.operands == tuple(parts[letter] for letter in form)
    assert parts["i"].operands[0] is other
    check(module)


def test_deep_constants_need_no_deep_stack(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    table, other = module.global_variables["table"], new_variable(module, "other", types.integer(8))
    value = constants.cast("ptrtoint", table, types.integer(64))
    first = value
    for _ in range(3000):
        value = (
            constants.aggregate(types.struct([value.type]), [value])
            if value is first
            else constants.aggregate(
                types.struct([types.integer(8), value.type]), [constants.integer(types.integer(8), 1), value]
            )
        )
    holder = new_variable(module, "holder", value.type)
    holder.initializer = value

    table.replace_all_uses_with(other)

    found = holder.initializer
    depth = 0
    while isinstance(found, ConstantAggregate):
        found, depth = found.operands[-1], depth + 1  # type: ignore[assignment]
    assert depth == 3000
    assert found is constants.cast("ptrtoint", other, types.integer(64))


def test_what_becomes_equal_becomes_one(module: Module) -> None:
    first, second = (new_variable(module, name) for name in ("first", "second"))
    holders = [pointer_table(module, "holder", found, module.functions["count"]) for found in (first, second)]
    assert holders[0].initializer is not holders[1].initializer
    first.replace_all_uses_with(second)
    assert holders[0].initializer is holders[1].initializer
    assert isinstance(holders[0].initializer, ConstantAggregate)
    assert holders[0].initializer.users == (holders[1], holders[0])
    check(module)


def test_block_addresses_follow_blocks_and_functions(module: Module) -> None:
    count = module.functions["count"]
    leave = count.blocks[2]
    (address,) = (user for user in leave.users if isinstance(user, BlockAddress))
    assert (address.function, address.block) == (count, leave)
    other = new_block(count, "other")
    leave.replace_all_uses_with(other)
    (address,) = (user for user in other.users if isinstance(user, BlockAddress))
    assert address.block is other
    assert count.blocks[1].successors == (count.blocks[1], other)
    check(module)


def test_phis_follow_blocks(module: Module) -> None:
    count = module.functions["count"]
    entry, loop, _ = count.blocks
    other = new_block(count, "other")
    entry.replace_all_uses_with(other)
    assert [block.name for _, block in loop.phis[0].incoming] == ["other", "loop"]
    check(module)


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("table", "last", TypeError, "a value of type ptr cannot be replaced by one of type i32"),
        ("table", "room", TypeError, "cannot hold <%room = alloca ptr>: expected a constant"),
        ("table", "inside", ValueError, "is made of what it is to replace"),
        ("table", "table", ValueError, "a value cannot take its own place"),
        ("exit", "last", TypeError, "expected a basic block"),
    ],
)
def test_what_cannot_be_replaced_stays_untouched(
    module: Module, old: str, new: str, error: type[Exception], message: str
) -> None:
    count = module.functions["count"]
    values = {found.name: found for found in (*count.instructions, *count.blocks, *module.globals)}
    values["inside"] = module.global_variables["table"].users[0]
    before = picture(module)
    with pytest.raises(error, match=message):
        values[old].replace_all_uses_with(values[new])
    assert picture(module) == before


def test_users_of_plain_constants_are_not_kept(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    for value in (
        constants.integer(types.integer(32), 1),
        constants.null(types.ptr),
        MetadataAsValue(types.metadata, module.context.metadata.string("text")),
    ):
        with pytest.raises(TypeError, match="are not kept: it belongs to no module"):
            _ = value.users
        with pytest.raises(TypeError, match="are not kept"):
            value.replace_all_uses_with(constants.poison(value.type))
        assert value.is_used


def test_constants_do_not_change(module: Module) -> None:
    table = module.global_variables["table"]
    inside = table.users[0]
    before = picture(module)
    with pytest.raises(TypeError, match="constants never change"):
        inside.set_operand(0, module.functions["count"])
    assert picture(module) == before


def test_constants_have_no_names(module: Module) -> None:
    one = module.context.constants.integer(module.context.types.integer(32), 1)
    inside = module.global_variables["table"].users[0]
    for value in (one, inside):
        value.name = "x"
        assert value.name == ""


def test_replacing_some_uses_leaves_constants_alone(module: Module) -> None:
    table, other = module.global_variables["table"], new_variable(module, "other")
    seen: list[Use] = []
    table.replace_uses_with_if(other, lambda use: not seen.append(use))  # type: ignore[func-returns-value]
    assert [type(use.user) for use in seen] == [Call]
    assert [type(user).__name__ for user in table.users] == ["ConstantGetElementPtr"]
    check(module)


def test_dead_constants_can_be_forgotten(module: Module) -> None:
    types, constants = module.context.types, module.context.constants
    table = module.global_variables["table"]
    deep = constants.cast("ptrtoint", table, types.integer(64))
    deeper = constants.aggregate(types.struct([types.integer(64), types.ptr]), [deep, table])
    users = table.users
    assert deep in users
    assert deeper in users
    table.remove_dead_constant_users()
    assert [type(user).__name__ for user in table.users] == ["ConstantGetElementPtr", "Call"]
    assert constants.cast("ptrtoint", table, types.integer(64)) is not deep
    check(module)


def test_users_in_bodies_that_were_not_read_count() -> None:
    """See `test_globals.py` for files; here users appear in a module made by hand, which has nothing to read."""
    module = new_module()
    function = new_function(module, "f")
    assert function.users == ()
    assert not function.is_used
    assert isinstance(function, Function)


def test_many_uses_are_replaced_and_erased_in_linear_time() -> None:
    module = new_module()
    callee, other, caller = (new_function(module, name) for name in ("callee", "other", "caller"))
    block = new_block(caller)
    calls = [Call(callee.function_type, callee) for _ in range(20_000)]
    for call in calls:
        block.append(call)
    started = time.process_time()
    callee.replace_all_uses_with(other)
    for call in reversed(calls):
        call.erase_from_parent()
    assert time.process_time() - started < 5
    assert not callee.is_used
    assert not other.is_used


def test_use_tells_user_and_operand(module: Module) -> None:
    (last,) = (found for found in module.functions["count"].instructions if found.name == "last")
    match next(iter(last.uses)):
        case Use(Instruction(opcode="call") as user, number):
            assert user.operands[number] is last
        case other:
            pytest.fail(repr(other))


def test_kinds_of_values(module: Module) -> None:
    assert [type(value) for value in (module.functions["count"].blocks[0], module.functions["count"])] == [
        BasicBlock,
        Function,
    ]
    assert isinstance(module.functions["count"].blocks[0].instructions[0].operands[0], ConstantInt)

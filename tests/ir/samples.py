"""Modules made by hand, for tests of the model."""

from __future__ import annotations

from collections.abc import Iterable

from bitcodec.ir import (
    Alloca,
    BasicBlock,
    BinaryOperator,
    Branch,
    Call,
    Function,
    GEPFlags,
    GlobalAlias,
    GlobalVariable,
    ICmp,
    ICmpPredicate,
    Load,
    Module,
    Phi,
    Return,
    Store,
    Type,
)
from bitcodec.ir.data_layout import DataLayout


def new_module() -> Module:
    return Module("sample", DataLayout(""))


def new_function(module: Module, name: str, result: Type | None = None, parameters: Iterable[Type] = ()) -> Function:
    """Return a declaration, which stands in the module."""
    types = module.context.types
    made = Function(types.ptr, types.function(result or types.void, tuple(parameters)))
    made.name = name
    module.append(made)
    return made


def new_variable(module: Module, name: str, type: Type | None = None) -> GlobalVariable:
    """Return a variable of zeros, which stands in the module."""
    types = module.context.types
    made = GlobalVariable(types.ptr, type or types.integer(32))
    made.name = name
    module.append(made)
    made.initializer = module.context.constants.null(made.value_type)
    return made


def new_block(function: Function, name: str = "") -> BasicBlock:
    """Return an empty block at the end of a function."""
    assert function.parent is not None
    made = BasicBlock(function.parent.context.types.label, name)
    function.append_block(made)
    return made


def counting() -> Module:
    """Return a module with a loop that counts, globals that hold others' addresses, and an alias.

    define i32 @count(i32 %n, ptr %p) {
    entry:  %room = alloca i32 ; store i32 0, ptr %room ; br label %loop
    loop:   %i = phi i32 [ 0, %entry ], [ %next, %loop ]
            %next = add i32 %i, 1
            store i32 %next, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 2)
            %more = icmp ult i32 %next, %n ; br i1 %more, label %loop, label %exit
    exit:   %last = load i32, ptr %p ; %again = call i32 @count(i32 %last, ptr @table) ; ret i32 %again
    }
    """
    module = new_module()
    types, constants = module.context.types, module.context.constants
    i32, i64, void = types.integer(32), types.integer(64), types.void
    table = new_variable(module, "table", types.array(4, i32))
    inside = constants.get_element_ptr(
        table.value_type, table, [constants.integer(i64, 0), constants.integer(i64, 2)], GEPFlags.INBOUNDS
    )
    function = new_function(module, "count", i32, (i32, types.ptr))
    n, p = function.arguments
    n.name, p.name = "n", "p"
    entry, loop, leave = (new_block(function, name) for name in ("entry", "loop", "exit"))

    room = Alloca(types.ptr, i32, constants.integer(i32, 1), 4)
    entry.append(room)
    entry.append(Store(void, constants.integer(i32, 0), room, 4))
    entry.append(Branch(void, loop))

    i = Phi(i32, [constants.integer(i32, 0)], [entry])
    following = BinaryOperator("add", i, constants.integer(i32, 1))
    i.add_incoming(following, loop)
    more = ICmp(types.integer(1), ICmpPredicate.ULT, following, n)
    for instruction in (i, following, Store(void, following, inside, 4), more, Branch(void, loop, more, leave)):
        loop.append(instruction)

    last = Load(i32, p, 4)
    again = Call(function.function_type, function, [last, table])
    for instruction in (last, again, Return(void, again)):
        leave.append(instruction)
    for value, name in (
        (room, "room"),
        (i, "i"),
        (following, "next"),
        (more, "more"),
        (last, "last"),
        (again, "again"),
    ):
        value.name = name

    addresses = new_variable(module, "addresses", types.array(3, types.ptr))
    addresses.initializer = constants.aggregate(
        addresses.value_type, [inside, function, constants.block_address(function, leave)]
    )
    alias = GlobalAlias(types.ptr, i32)
    alias.name = "alias"
    module.append(alias)
    alias.aliasee = inside
    return module

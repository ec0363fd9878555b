"""What a user may write who builds a module: `test_typing.py` has mypy check it, and LLVM what it makes."""

from __future__ import annotations

from bitcodec.builder import (
    Builder,
    DebugInfo,
    add_alias,
    add_block,
    add_comdat,
    add_function,
    add_module_flag,
    add_named_metadata,
    add_variable,
    attribute_list,
    constant,
    metadata_node,
    new_module,
)
from bitcodec.ir import BinaryOperator, Call, Function, FunctionType, Linkage, Load, Module, Phi, Switch, Value

module: Module = new_module("made")
types = module.context.types
i32 = types.integer(32)
taking_two: FunctionType = types.function(i32, [i32, types.ptr])

callee: Function = add_function(
    module, "callee", taking_two, linkage=Linkage.EXTERN_WEAK, attributes=attribute_list(["cold"])
)
function = add_function(
    module,
    "function",
    taking_two,
    attributes=["nounwind", ("frame-pointer", "all")],
    parameter_attributes={1: ["nonnull", ("align", 4)]},
    linkage="internal",
    calling_convention="fastcc",
)
add_variable(module, "table", types.array(2, i32), [1, 2], is_constant=True, comdat=add_comdat(module, "table"))
add_variable(module, "mixed", types.array(2, i32), [constant(module, i32, 3), None], thread_local_mode="thread_local")
add_alias(module, "alias", function)

number, pointer = function.arguments
builder = Builder(add_block(function, "entry"))
total: BinaryOperator = builder.add(number, 1, nsw=True, name="total")
loaded: Load = builder.load(i32, pointer)
call: Call = builder.call(callee, [total, pointer], attributes=["nounwind"])
made: list[Value] = [
    builder.icmp("eq", total, loaded),
    builder.select(condition=True, true_value=total, false_value=0),
    builder.fneg(builder.constant(types.float, 1.0), fast_math="fast"),
    builder.getelementptr(i32, pointer, [number], inbounds=True),
]
leave = add_block(function, "leave")
switch: Switch = builder.switch(call, leave)
builder.at_end(leave)
phi: Phi = builder.phi(i32, [(0, switch.parent)] if switch.parent else ())
builder.ret(phi)

debug = DebugInfo(module, "made.c")
debug.subprogram(function, 1)
add_module_flag(module, 7, "Dwarf Version", 5)
add_named_metadata(module, "named", metadata_node(module, "text", callee, None))

"""The sound module, and ways to break it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bitcodec
from bitcodec.ir import (
    AttributeList,
    AttributeSet,
    BasicBlock,
    BinaryOperator,
    Call,
    ConstantInt,
    GlobalVariable,
    Module,
    NamedMetadata,
    Return,
    Unreachable,
)
from bitcodec.ir.attributes import EnumAttribute, RangeAttribute, TypeAttribute
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.instructions import FCmp, ICmp, OperandBundle
from bitcodec.tables.opcodes import AtomicOrdering, FCmpPredicate, ICmpPredicate

from .snippets import DATA


class Parts:
    """What tests change of the sound module: its values by name."""

    def __init__(self) -> None:
        self.module: Module = bitcodec.open(DATA / "sound.bc")
        self.module.materialize()
        self.work = self.module.functions["work"]
        self.types = self.module.context.types
        self.constants = self.module.context.constants
        self.metadata = self.module.context.metadata

    def __getitem__(self, name: str) -> Any:
        return next(found for function in self.module.functions if (found := function.symbols.get(name)) is not None)

    def find(self, opcode: str, number: int = 0) -> Any:
        """Return an instruction of an opcode, which may have no name."""
        found = [one for function in self.module.functions for one in function.instructions if one.opcode == opcode]
        return found[number]

    def integer(self, value: int, width: int = 32) -> ConstantInt:
        return self.constants.integer(self.types.integer(width), value)

    def tuple(self, *operands: Any) -> Any:
        return self.metadata.tuple(
            self.metadata.value(operand) if isinstance(operand, ConstantInt) else operand for operand in operands
        )


def operand(name: str, index: int, other: str) -> Callable[[Parts], None]:
    """Return what gives an instruction another operand."""
    return lambda parts: parts[name].set_operand(index, parts[other])


def of_type(name: str, type_: Callable[[Any], Any]) -> Callable[[Parts], None]:
    """Return what gives an instruction another type."""
    return lambda parts: setattr(parts[name], "type", type_(parts.types))


def attribute(place: str, *attributes: Any) -> Callable[[Parts], None]:
    """Return what gives the function another set of attributes."""

    def change(parts: Parts) -> None:
        found = AttributeSet(attributes)
        sets = {"function": AttributeList(found), "return": AttributeList(for_return=found)}
        parts.work.attributes = sets.get(place) or AttributeList(parameters={int(place): found})

    return change


def setting(path: str, value: Any) -> Callable[[Parts], None]:
    """Return what sets an attribute of a global or an instruction; the path is `name.attribute`."""
    name, key = path.split(".")

    def change(parts: Parts) -> None:
        found = parts.module.get(name)
        setattr(parts[name] if found is None else found, key, value)

    return change


def many(*changes: Callable[[Parts], Any]) -> Callable[[Parts], None]:
    return lambda parts: [change(parts) for change in changes] and None


def flag(parts: Parts, name: str, value: Any) -> None:
    parts.module.named_metadata["llvm.module.flags"].operands.append(
        parts.tuple(parts.integer(6), parts.metadata.string(name), value)
    )


def in_other_module(parts: Parts) -> GlobalVariable:
    other = GlobalVariable(parts.types.ptr, parts.types.integer(32))
    other.name = "elsewhere"
    Module("other", parts.module.data_layout, parts.module.context).append(other)
    return other


def unfinished(parts: Parts) -> None:
    parts.work.append_block(BasicBlock(parts.types.label, "unfinished"))


def second_terminator(parts: Parts) -> None:
    Unreachable(parts.types.void).insert_before(parts["end"].terminator)


def with_bundle(tag: str, *names: str) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        call = parts.find("call")
        bundles = (OperandBundle(tag, tuple(parts[name] for name in names)),)
        made = Call(call.function_type, call.callee, call.arguments, bundles=bundles)
        made.insert_before(call)

    return change


def not_dominated(parts: Parts) -> None:
    parts["sum"].move_before(parts["right"].terminator)
    parts["and"].set_operand(0, parts["sum"])


def hold_entry(parts: Parts) -> None:
    address = parts.constants.block_address(parts.work, parts["entry"])
    parts.find("store").set_operand(0, address)


def exchange_predicates(parts: Parts) -> None:
    one, other = parts["equal"], parts["fequal"]
    one.replace_with(ICmp(one.type, FCmpPredicate.OEQ, one.lhs, one.rhs))  # type: ignore[arg-type]
    other.replace_with(FCmp(other.type, ICmpPredicate.EQ, other.lhs, other.rhs))  # type: ignore[arg-type]


def order_store(parts: Parts, ordering: AtomicOrdering) -> None:
    parts.find("store").ordering = ordering


def widen_address(parts: Parts) -> None:
    parts["address"].type = parts.types.vector(2, parts.types.ptr)
    parts["address"]._set_operands(
        [parts.constants.null(parts.types.vector(4, parts.types.ptr)), *parts["address"].indices]
    )


def repeat_case(parts: Parts) -> None:
    switch = parts.find("switch")
    switch._case_values[1] = switch._case_values[0]


def jump_to_number(parts: Parts) -> None:
    parts.find("indirectbr").set_operand(0, parts.integer(1))


def call_with(parts: Parts, name: str, count: int) -> None:
    call = next(found for found in parts.work.instructions if isinstance(found, Call) and name in found.callee.name)
    Call(call.function_type, call.callee, call.arguments[:count]).insert_before(call)


def limit_immediate(parts: Parts) -> None:
    call = parts.find("call", 1)
    limited = AttributeSet([EnumAttribute("immarg"), RangeAttribute("range", ConstantRange.of(32, 0, 2))])
    callee = call.callee
    callee.attributes = callee.attributes.with_parameter(1, limited)
    call.set_operand(1, parts.integer(5))


def store_assembly(parts: Parts) -> None:
    text = InlineAsm(parts.types.ptr, parts.types.function(parts.types.void, ()), "nop", "")
    parts["loaded"].set_operand(0, text)


def use_elsewhere(parts: Parts, name: str) -> None:
    made = BinaryOperator("add", parts[name], parts[name])
    made.insert_before(parts["normal"].terminator)


def elsewhere(parts: Parts) -> BasicBlock:
    return parts.module.functions["jumps"].blocks[1]


def give_name(instruction: Any) -> None:
    instruction.name = "named"


def return_struct(parts: Parts) -> None:
    parts.work.attributes = AttributeList(
        parameters={4: AttributeSet([TypeAttribute("sret", parts.types.integer(32))])}
    )


def use_nowhere(parts: Parts) -> None:
    Return(parts.types.void, parts.module.global_variables["variable"])


def weigh(parts: Parts, label: str, *weights: int) -> None:
    node = parts.tuple(parts.metadata.string(label), *map(parts.integer, weights))
    parts.module.functions["weighs"].blocks[0].terminator.metadata["prof"] = node


def name_node(parts: Parts, node: Any) -> None:
    parts.module.named_metadata["nodes"] = NamedMetadata("nodes", [node])

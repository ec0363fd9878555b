"""Modules of atomic instructions, each in a function of its own."""

from __future__ import annotations

from collections.abc import Iterable

from bitcodec.builder import (
    Builder,
    add_block,
    add_function,
    add_variable,
    attribute_list,
    constant,
    metadata_node,
    new_module,
)
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.module import Module
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import FloatingPointType, Type
from bitcodec.ir.values import Value

from .cases import Case

SPACE = 3


def module_of(cases: Iterable[Case], data_layout: str, triple: str) -> Module:
    """Return a module of a function `f0`, `f1`... for each case."""
    module = new_module("grid", data_layout=data_layout, target_triple=triple)
    add_variable(module, "global", module.context.types.integer(64), None)
    for number, case in enumerate(cases):
        _Building(module, f"f{number}", case)
    return module


class _Building:
    """Builds the function of a case: it takes an address and two values, and returns what is made of the result."""

    def __init__(self, module: Module, name: str, case: Case) -> None:
        self.case = case
        self.types = types = module.context.types
        self.type = _type(types, case.type)
        parameters = [types.pointer(SPACE if "space" in case.flags else 0), self.type, self.type]
        function = add_function(module, name, types.function(self._returned(), parameters))
        self.builder = Builder(add_block(function, "entry"))
        self.address, argument, self.other = function.arguments
        self.value = self._value(argument)
        _give_attributes(module, function, case)
        made = self._access()
        _mark(module, made, case)
        self.builder.ret(self._use(made))

    def _returned(self) -> Type:
        case, types = self.case, self.types
        if case.opcode == "store" or case.use == "unused":
            return types.void
        if case.use in ("returned", "halves"):
            return types.struct([self.type, types.integer(1)]) if case.opcode == "cmpxchg" else self.type
        return self.type if case.use == "bit" else types.integer(1)

    def _value(self, argument: Value) -> Value:
        builder, value = self.builder, self.case.value
        if not value:
            return argument
        if isinstance(self.type, FloatingPointType):
            return builder.constant(self.type, float(value))
        if value in ("null", "global"):
            pointer = builder.module.global_variables.get("global")
            return pointer if value == "global" and pointer else builder.constants.null(self.type)
        if not value.endswith("bit"):
            return builder.constant(self.type, int(value))
        bit = builder.shl(constant(builder.module, self.type, 1), argument)
        return builder.xor(bit, -1) if value == "no bit" else bit

    def _access(self) -> Instruction:
        builder, case = self.builder, self.case
        options = {
            "alignment": case.alignment or builder.module.data_layout.store_size(self.type),
            "volatile": "volatile" in case.flags,
            "sync_scope": "singlethread" if "singlethread" in case.flags else "",
        }
        match case.opcode:
            case "load":
                return builder.load(self.type, self.address, ordering=case.ordering, **options)
            case "store":
                return builder.store(self.value, self.address, ordering=case.ordering, **options)
            case "atomicrmw":
                return builder.atomicrmw(case.operation, self.address, self.value, ordering=case.ordering, **options)
        orderings = {"success_ordering": case.ordering, "failure_ordering": case.failure}
        weak = "weak" in case.flags
        return builder.cmpxchg(self.address, self.value, self.other, weak=weak, **orderings, **options)

    def _use(self, made: Instruction) -> Value | None:
        """Return what the function returns.

        `halves` takes a result apart and puts it together; `old P` compares the old value with the operand, `negated P`
        with that negated; `again P N` computes the new value once more and compares it with a number, `swapped P N`
        too, with the operands the other way round; `bit` is the bit of the old value, `bit P N` compares that.
        """
        builder = self.builder
        use, *words = self.case.use.split()
        match use:
            case "returned":
                return None if self.case.opcode == "store" else made
            case "halves":
                pair = builder.insertvalue(builder.constants.poison(made.type), builder.extractvalue(made, 0), 0)
                return builder.insertvalue(pair, builder.extractvalue(made, 1), 1)
            case "old":
                return builder.icmp(words[0], made, self.value)
            case "negated":
                return builder.icmp(words[0], made, builder.sub(0, self.value))
            case "again" | "swapped":
                operands = (made, self.value) if use == "again" else (self.value, made)
                again = builder._binary(self.case.operation, *operands, "")
                return builder.icmp(words[0], again, int(words[1]))
            case "bit":
                found = builder.and_(made, self._bit())
                return builder.icmp(words[0], found, int(words[1])) if words else found
        return None

    def _bit(self) -> Value:
        """Return the bit that the operand has or lacks."""
        if isinstance(self.value, ConstantInt):
            return self.builder.constant(self.type, 8)
        bit = self.value
        while bit.opcode != "shl":
            bit = bit.lhs
        return bit


def _give_attributes(module: Module, function: Function, case: Case) -> None:
    function.attributes = attribute_list([word for word in ("minsize", "strictfp") if word in case.flags])
    if "profile" in case.flags:
        count = constant(module, module.context.types.integer(64), 1000)
        function.metadata.add("prof", metadata_node(module, "function_entry_count", count))


def _mark(module: Module, made: Instruction, case: Case) -> None:
    made.metadata["pcsections"] = metadata_node(module, "section")
    if "marked" in case.flags:
        scopes = metadata_node(module, metadata_node(module, "scope", metadata_node(module, "domain")))
        made.metadata["mmra"] = metadata_node(module, "tag", "value")
        made.metadata["noalias"] = made.metadata["alias.scope"] = scopes
        made.metadata["amdgpu.no.remote.memory"] = metadata_node(module)
        made.metadata["amdgpu.ignore.denormal.mode"] = metadata_node(module)


def _type(types: TypeTable, spelling: str) -> Type:
    if spelling.startswith("<"):
        count, _, element = spelling[1:-1].partition(" x ")
        return types.vector(int(count), _type(types, element))
    if spelling == "ptr":
        return types.pointer()
    if spelling.startswith("i"):
        return types.integer(int(spelling[1:]))
    found = getattr(types, spelling)
    assert isinstance(found, FloatingPointType)
    return found

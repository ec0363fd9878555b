"""Random straight-line code: whatever the builder makes, LLVM takes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.ir import FCmpPredicate, Function, ICmpPredicate, IntegerType, Module, Type, Value, VectorType
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

from .bench import assert_llvm_accepts

_FLAGS = {
    "add": ("nuw", "nsw"),
    "sub": ("nuw", "nsw"),
    "mul": ("nuw", "nsw"),
    "shl": ("nuw", "nsw"),
    "udiv": ("exact",),
    "sdiv": ("exact",),
    "lshr": ("exact",),
    "ashr": ("exact",),
    "or": ("disjoint",),
}
_PYTHON = {"and": "and_", "or": "or_"}


def parameter_types(module: Module) -> list[Type]:
    types = module.context.types
    scalars = [types.integer(1), types.integer(8), types.integer(64), types.float, types.double, types.ptr]
    return [*scalars, *(types.vector(4, scalar) for scalar in scalars)]


class Steps:
    """Draws instructions, of all values that there are."""

    def __init__(self, data: st.DataObject, function: Function) -> None:
        self.draw = data.draw
        self.types = parameter_types(function.parent)
        self.values: list[Value] = list(function.arguments)
        self.builder = Builder(add_block(function))

    def value(self, *kinds: str) -> Value:
        fitting = [value for value in self.values if self.kind(value.type) in kinds]
        return self.draw(st.sampled_from(fitting))

    def like(self, value: Value) -> Value | float:
        """A value of the same type, or a number for one."""
        fitting = st.sampled_from([other for other in self.values if other.type is value.type])
        scalar = value.type.scalar_type
        if isinstance(scalar, IntegerType):
            return self.draw(fitting | st.integers(-(1 << (scalar.bit_width - 1)), (1 << scalar.bit_width) - 1))
        if self.kind(value.type) == "float":
            return self.draw(fitting | st.floats(width=16))
        return self.draw(fitting)

    def kind(self, type_: Type) -> str:
        scalar = str(type_.scalar_type)
        return "pointer" if scalar == "ptr" else "integer" if scalar.startswith("i") else "float"

    def binary(self) -> Value:
        row = self.draw(st.sampled_from(BINARY_OPCODES))
        kind = self.draw(st.sampled_from(["integer", "float"] if row.floating else ["integer"]))
        opcode = row.integer if kind == "integer" else row.floating
        lhs = self.value(kind)
        pair = [lhs, self.like(lhs)]
        if self.draw(st.booleans()):
            pair.reverse()
        flags = {flag: self.draw(st.booleans()) for flag in _FLAGS.get(opcode, ())}
        return getattr(self.builder, _PYTHON.get(opcode, opcode))(*pair, **flags)

    def compare(self) -> Value:
        lhs = self.value("integer", "float", "pointer")
        if self.kind(lhs.type) == "float":
            return self.builder.fcmp(self.draw(st.sampled_from(FCmpPredicate)), lhs, self.like(lhs), fast_math="fast")
        return self.builder.icmp(self.draw(st.sampled_from(ICmpPredicate)), lhs, self.like(lhs))

    def cast(self) -> Value | None:
        """Try one: that it is refused is no fault."""
        method = getattr(self.builder, self.draw(st.sampled_from(CAST_OPCODES)))
        try:
            return method(self.draw(st.sampled_from(self.values)), self.draw(st.sampled_from(self.types)))
        except TypeError:
            return None

    def choice(self) -> Value:
        value = self.value("integer", "float", "pointer")
        conditions = [self.values[0], True] + [self.values[6]] * isinstance(value.type, VectorType)
        return self.builder.select(self.draw(st.sampled_from(conditions)), value, self.like(value))

    def memory(self) -> Value:
        type_ = self.draw(st.sampled_from(self.types))
        room = self.builder.alloca(type_)
        self.builder.store(next(value for value in self.values if value.type is type_), room)
        address = self.builder.getelementptr(type_, room, [self.draw(st.integers(-3, 3))])
        return self.builder.load(type_, address, volatile=self.draw(st.booleans()))

    def element(self) -> Value:
        vector = self.draw(st.sampled_from([value for value in self.values if isinstance(value.type, VectorType)]))
        element = self.builder.extractelement(vector, self.draw(st.integers(0, 3)))
        changed = self.builder.insertelement(vector, element, self.draw(st.integers(0, 3)))
        return self.builder.shufflevector(
            changed, vector, self.draw(st.lists(st.integers(-1, 7), min_size=4, max_size=4))
        )


_STEPS = (Steps.binary, Steps.compare, Steps.cast, Steps.choice, Steps.memory, Steps.element)


def fill(data: st.DataObject, function: Function) -> None:
    steps = Steps(data, function)
    for step in data.draw(st.lists(st.sampled_from(_STEPS), max_size=30)):
        made = step(steps)
        if made is not None:
            steps.values.append(made)
    steps.builder.ret()


def random_module() -> Module:
    module = new_module("random", data_layout="e-i64:64")
    function_type = module.context.types.function(module.context.types.void, parameter_types(module))

    @settings(max_examples=60)
    @given(st.data())
    def build(data: st.DataObject) -> None:
        function = add_function(module, f"f{len(module.functions)}", function_type)
        try:
            fill(data, function)
        except BaseException:  # hypothesis ran out of choices
            function.erase_from_parent()
            raise
        (block,) = function.blocks
        assert block.terminator is block.instructions[-1]

    build()
    assert len(module.functions) >= 60
    return module


def test_it_is_valid() -> None:
    assert random_module().verify() == []


@pytest.mark.live
def test_llvm_accepts_it() -> None:
    """Recorded: `test_instructions.py`."""
    assert_llvm_accepts(random_module())

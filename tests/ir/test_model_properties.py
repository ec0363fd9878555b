"""Whatever is done to a module, uses, parents and names stay in step, and what is refused touches nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from amounts import amount
from bitcodec.ir import (
    BasicBlock,
    BinaryOperator,
    Branch,
    Function,
    Instruction,
    Module,
    Phi,
    Return,
    Switch,
    Terminator,
    Value,
)

from .graph import check, picture
from .samples import counting

REFUSALS = (ValueError, TypeError, IndexError)
NAMES = st.sampled_from(["", "i", "next", "loop", "x", "count", "table", "x1", "x.1"])


class Editor:
    """Does to a module what a test draws; everything that verbs need is drawn from what is there."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.module: Module = counting()
        self.function: Function = self.module.functions["count"]
        self.loose: list[Instruction] = []

    def step(self) -> None:
        verb = self.draw(st.sampled_from(VERBS))
        before = picture(self.module)
        try:
            verb(self)
        except REFUSALS:
            self._without_loose_uses()
            assert picture(self.module) == before, f"{verb.__name__} was refused half done"
        check(self._without_loose_uses())

    def _without_loose_uses(self) -> Module:
        """Let go of instructions that stand nowhere: the check does not see them."""
        for instruction in self.loose:
            if instruction.parent is None:
                instruction._drop_operands()
        for instruction in self.loose:
            for user in instruction.users:
                if isinstance(user, Instruction) and user.parent is not None:
                    instruction.replace_all_uses_with(self.module.context.constants.poison(instruction.type))
                    break
        self.loose = [instruction for instruction in self.loose if instruction.parent is not None]
        return self.module

    # What verbs are done to

    def block(self) -> BasicBlock:
        return self._one_of(list(self.function.blocks))

    def instruction(self) -> Instruction:
        return self._one_of(list(self.function.instructions))

    def value(self) -> Value:
        constants = [user for user in self.module.context.constants._others.values() if user._operands]
        return self._one_of([*self._locals(), *self.module.globals, *constants])

    def other_of(self, value: Value) -> Value:
        """Return a value that mostly is of the same type."""
        alike = [found for found in (*self._locals(), *self.module.globals) if found.type is value.type]
        if not isinstance(value, BasicBlock):
            alike.append(self.module.context.constants.poison(value.type))
        return self._one_of([*alike, self.value()])

    def new(self) -> Instruction:
        i32 = self.module.context.types.integer(32)
        numbers = [value for value in self._locals() if value.type is i32]
        numbers.append(self.module.context.constants.integer(i32, self.draw(st.integers(0, 3))))
        made = BinaryOperator("mul", self._one_of(numbers), self._one_of(numbers))
        made.name = self.draw(NAMES)
        self.loose.append(made)
        return made

    def _locals(self) -> list[Value]:
        return [*self.function.arguments, *self.function.blocks, *self.function.instructions]

    def _one_of(self, values: list[Any]) -> Any:
        if not values:
            raise ValueError("there is nothing left")
        return values[self.draw(st.integers(0, len(values) - 1))]

    # Verbs

    def insert_before(self) -> None:
        self.new().insert_before(self.instruction())

    def insert_after(self) -> None:
        self.new().insert_after(self.instruction())

    def insert_at(self) -> None:
        self.block().insert(self.draw(st.integers(-3, 5)), self.new())

    def append(self) -> None:
        self.block().append(self.new())

    def append_what_stands_elsewhere(self) -> None:
        self.block().append(self.instruction())

    def move_before(self) -> None:
        self.instruction().move_before(self.instruction())

    def move_after(self) -> None:
        self.instruction().move_after(self.instruction())

    def remove(self) -> None:
        instruction = self.instruction()
        instruction.remove_from_parent()
        self.loose.append(instruction)

    def erase(self) -> None:
        self.instruction().erase_from_parent()

    def erase_global(self) -> None:
        self._one_of([value for value in self.module.globals if value is not self.function]).erase_from_parent()

    def erase_block(self) -> None:
        self.block().erase_from_parent()

    def replace_all_uses(self) -> None:
        value = self.value()
        value.replace_all_uses_with(self.other_of(value))

    def replace_some_uses(self) -> None:
        value = self.value()
        value.replace_uses_with_if(self.other_of(value), lambda use: bool(use.operand_number % 2))

    def replace(self) -> None:
        instruction = self.instruction()
        instruction.replace_with(self.other_of(instruction))

    def replace_with_new(self) -> None:
        self.instruction().replace_with(self.new())

    def set_operand(self) -> None:
        value = self.value()
        index = self.draw(st.integers(-3, 3))
        operands = getattr(value, "operands", ())
        kind = operands[index] if -len(operands) <= index < len(operands) else value
        value.set_operand(index, self.other_of(kind)) if hasattr(value, "set_operand") else None

    def rename(self) -> None:
        self.value().name = self.draw(NAMES)

    def new_block(self) -> None:
        block = BasicBlock(self.module.context.types.label, self.draw(NAMES))
        if self.draw(st.booleans()):
            block.append(Branch(self.module.context.types.void, self.block()))
        self.function.insert_block(self.draw(st.integers(-3, 3)), block)

    def split(self) -> None:
        instruction = self.instruction()
        assert instruction.parent is not None
        instruction.parent.split(instruction, self.draw(NAMES))

    def set_successor(self) -> None:
        terminator = self.block().terminator
        if isinstance(terminator, Terminator):
            terminator.set_successor(self.draw(st.integers(0, 2)), self.block())

    def replace_successor(self) -> None:
        terminator = self.block().terminator
        if isinstance(terminator, Terminator):
            terminator.replace_successor(self.block(), self.block())

    def terminate(self) -> None:
        block = self.block()
        types, constants = self.module.context.types, self.module.context.constants
        if block.terminator is None:
            number = constants.integer(types.integer(32), 0)
            made = [Switch(types.void, number, self.block(), [(number, self.block())]), Return(types.void)]
            chosen = self._one_of(made)
            for unused in made:
                if unused is not chosen:
                    unused._drop_operands()
            block.append(chosen)

    def edit_switch(self) -> None:
        switch = self._one_of([found for found in self.function.instructions if isinstance(found, Switch)])
        value = self.module.context.constants.integer(switch.condition.type, self.draw(st.integers(0, 2)))
        if self.draw(st.booleans()):
            switch.add_case(value, self.block())
        else:
            switch.remove_case(value)

    def edit_phi(self) -> None:
        phi = self._one_of([found for found in self.function.instructions if isinstance(found, Phi)])
        if self.draw(st.booleans()):
            phi.add_incoming(self.other_of(phi), self.block())
        else:
            phi.remove_incoming(self.block())

    def delete_body(self) -> None:
        if self.draw(st.integers(0, 5)) == 0:
            self.function.delete_body()

    def remove_dead_constants(self) -> None:
        for value in self.module.globals:
            value.remove_dead_constant_users()


VERBS = [verb for name, verb in vars(Editor).items() if not name.startswith("_") and callable(verb)]
VERBS = [verb for verb in VERBS if verb.__name__ not in {"step", "block", "instruction", "value", "other_of", "new"}]


@settings(max_examples=amount(80, 250))
@given(st.data())
def test_verbs_keep_the_graph_true(data: st.DataObject) -> None:
    editor = Editor(data.draw)
    for _ in range(data.draw(st.integers(1, 12))):
        editor.step()

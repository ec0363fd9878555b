"""Creates the instructions that replace a call.

Like LLVM's IRBuilder it folds constants, and gives all instructions the debug location of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.replacing import copy_location, replace_uses
from bitcodec.ir.folding.builder import FoldingBuilder
from bitcodec.ir.instructions import Call
from bitcodec.ir.mangling import intrinsic_name
from bitcodec.ir.types import VoidType
from bitcodec.upgrade.declarations import declared
from bitcodec.upgrade.edits import CallEdits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.instruction_builder import Made
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = ["CallRewriter"]


class CallRewriter(FoldingBuilder):
    """Replaces one call: first make instructions, then `replace` the call with the last one's value.

    Args:
        call: a call that is in a module.
        edits: takes the instructions made for the call, so that whoever has many calls to replace can put all into
            place at once; None to have them put there by `replace`.
        declaration: the intrinsic that was declared in the place of the old one, None if none was.

    Attributes:
        call: the call.
        arguments: its arguments.
        made: the instructions made so far, in order.
        record: a debug record that replaces the call, after them; None without one.
    """

    __slots__ = (
        "_block",
        "_declaration",
        "_edits",
        "arguments",
        "call",
        "made",
        "record",
    )

    def __init__(self, call: CallBase, edits: CallEdits | None = None, declaration: Function | None = None) -> None:
        block, module = call.parent, call.module
        if block is None or module is None:
            raise ValueError(f"{call!r} is in no module")
        super().__init__(module)
        self._block: BasicBlock = block
        self._edits = edits
        self._declaration = declaration
        self.call = call
        self.arguments: list[Value] = list(call.arguments)
        self.made: list[Instruction] = []
        self.record: DebugRecord | None = None

    # Calls

    def intrinsic(
        self, base: str, overloads: Sequence[Type], return_type: Type, arguments: Sequence[Value], name: str = ""
    ) -> Call:
        """Call an intrinsic, which is declared if it is not yet; `base` is its name without `llvm.` and types."""
        function_type = self.types.function(return_type, [argument.type for argument in arguments])
        return self.intrinsic_of(intrinsic_name(base, overloads), function_type, arguments, name)

    def intrinsic_of(
        self, whole_name: str, function_type: FunctionType, arguments: Sequence[Value], name: str = ""
    ) -> Call:
        """Call an intrinsic by its whole name; it is declared if it is not yet."""
        return self.called(declared(self.module, whole_name, function_type), arguments, name)

    def called(self, function: Function, arguments: Sequence[Value], name: str = "") -> Call:
        """Call a function."""
        return self.insert(Call(function.value_type, function, arguments), name)

    def new_call(self, arguments: Sequence[Value]) -> Call:
        """Call the intrinsic that was declared in the place of the old one."""
        assert self._declaration is not None, "rows that call it name it"  # noqa: S101
        return self.called(self._declaration, arguments)

    # The call itself

    def take_name(self, value: Value) -> None:
        """Give a value the name of the call."""
        name, self.call.name = self.call.name, ""
        if name:
            value.name = name

    def replace(self, value: Value | None) -> None:
        """Replace the call by a value; None and `void` leave `poison`.

        As in LLVM, users of the call also get a value of another type, which the verifier then reports.
        """
        call = self.call
        if not isinstance(call.type, VoidType):
            if value is None or isinstance(value.type, VoidType):
                value = self.poison(call.type)
            if value.type is call.type:
                call.replace_all_uses_with(value)
            else:
                replace_uses(call, value)
            call.name = ""  # what is made from here on may have it
        self._commit()

    def _commit(self) -> None:
        edits = CallEdits() if self._edits is None else self._edits
        edits.replace(self.call, self.made, self.record)
        if self._edits is None:
            edits.apply()

    def insert(self, instruction: Made, name: str = "") -> Made:
        """Add an instruction to the replacement of the call; it gets the debug location of the call."""
        instruction.parent = self._block
        copy_location(self.call, instruction)
        if name and not isinstance(instruction.type, VoidType):
            instruction.name = name
        self.made.append(instruction)
        return instruction

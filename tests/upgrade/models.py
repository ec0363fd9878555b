"""Small modules with calls, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.functions import BasicBlock, Function
from bitcodec.ir.instructions import Call, Return
from bitcodec.ir.metadata import Metadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.module import Module
from bitcodec.ir.types import FunctionType
from bitcodec.ir.values import Value
from bitcodec.upgrade.intrinsics.signatures import function_type_of


class Body:
    """A module with a function `f` that takes a pointer and an `i32`, and whose one block can be added to."""

    def __init__(self) -> None:
        self.module = Module("", DataLayout(""))
        self.types = self.module.context.types
        self.constants = self.module.context.constants
        self.function = self.declare("f", "void(p0,i32)")
        self.block = BasicBlock(self.types.label, "entry")
        self.function.append_block(self.block)

    def declare(self, name: str, signature: str | FunctionType) -> Function:
        type_ = function_type_of(signature, {}, self.types) if isinstance(signature, str) else signature
        function = Function(self.types.ptr, type_)
        function.name = name
        self.module.append(function)
        return function

    def call(self, callee: Function, arguments: Sequence[Value] = (), name: str = "") -> Call:
        call = Call(callee.value_type, callee, arguments)
        self.block.append(call)
        call.name = name
        return call

    def call_with_metadata(self, name: str, arguments: Sequence[Metadata | Value], location: DILocation | None) -> Call:
        """Call a function that takes metadata."""
        values = [
            MetadataAsValue(self.types.metadata, argument) if isinstance(argument, Metadata) else argument
            for argument in arguments
        ]
        callee = self.module.functions.get(name)
        if callee is None:
            callee = self.declare(name, self.types.function(self.types.void, [value.type for value in values]))
        call = self.call(callee, values)
        call.debug_location = location
        return call

    def integer(self, bits: int, value: int) -> Value:
        return self.constants.integer(self.types.integer(bits), value)

    def end(self) -> Return:
        ret = Return(self.types.void)
        self.block.append(ret)
        return ret

    @property
    def opcodes(self) -> list[str]:
        return [instruction.opcode for instruction in self.block]

    @property
    def callees(self) -> list[str]:
        return [instruction.callee.name for instruction in self.block if isinstance(instruction, Call)]

"""A module as bitcodec has it, seen as llvmlite sees LLVM's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import bitcodec

from .llvmlite_view import CALLS
from .views import (
    ArgumentView,
    BlockView,
    FunctionView,
    GlobalView,
    InstructionView,
    ModuleView,
    OperandView,
    ValueKind,
    case_view,
)

KINDS = {
    "DSOLocalEquivalent": ValueKind.wrapper_of_a_global.name,
    "NoCFIValue": ValueKind.wrapper_of_a_global.name,
    "GlobalIFunc": ValueKind.global_ifunc.name,
    "ConstantFP": ValueKind.constant_fp.name,
}
"""Kinds of operands by class, where the name of the class in snake case is not the kind."""

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")


def view_of(data: bytes) -> ModuleView:
    """Return the view of a module; `BitcodecError` if bitcodec refuses it."""
    return view_of_module(bitcodec.loads(data, ""))


def view_of_module(module: Any) -> ModuleView:
    module.materialize()
    return _View().module(module)


def kind_of(value: object) -> str:
    """Return the kind of an operand, as LLVM's C interface has it."""
    for base in type(value).__mro__:
        kind = KINDS.get(base.__name__) or _WORD_START.sub("_", base.__name__).lower()
        if kind in ValueKind.__members__:
            return kind
    return type(value).__name__


class _View:
    """Makes a view; types are spelled once each."""

    def __init__(self) -> None:
        self._types: dict[Any, str] = {}
        self._kinds: dict[type, str] = {}
        self._globals: dict[int, str] = {}
        self._locals: dict[int, str] = {}

    def module(self, module: Any) -> ModuleView:
        variables, functions = list(module.global_variables), list(module.functions)
        for kind, values in (("global", variables), ("function", functions)):
            self._globals |= {id(value): f"{kind} {index}" for index, value in enumerate(values)}
        return ModuleView(
            module.source_filename,
            str(module.data_layout),
            module.target_triple,
            tuple(self._global(variable) for variable in variables),
            tuple(self._function(function) for function in functions),
        )

    def _global(self, variable: Any) -> GlobalView:
        is_declaration = variable.initializer is None
        return GlobalView(
            *self._symbol(variable), self._type(variable.value_type), is_declaration, str(variable.attributes)
        )

    def _symbol(self, value: Any) -> tuple[str, str, str, str]:
        storage = value.dll_storage_class.spelling or "default"
        return (value.name, value.linkage.spelling, value.visibility.spelling, storage)

    def _function(self, function: Any) -> FunctionView:
        arguments, blocks = list(function.arguments), list(function.blocks)
        every = [instruction for block in blocks for instruction in block.instructions]
        self._locals = {id(argument): f"argument {index}" for index, argument in enumerate(arguments)}
        self._locals |= {id(block): f"block {index}" for index, block in enumerate(blocks)}
        self._locals |= {id(instruction): f"instruction {index}" for index, instruction in enumerate(every)}
        attributes = function.attributes
        return FunctionView(
            *self._symbol(function),
            self._type(function.function_type),
            bool(function.is_declaration),
            str(attributes.for_function),
            tuple(
                ArgumentView(argument.name, self._type(argument.type), str(attributes.for_parameter(index)))
                for index, argument in enumerate(arguments)
            ),
            tuple(BlockView(block.name, tuple(map(self._instruction, block.instructions))) for block in blocks),
        )

    def _instruction(self, instruction: Any) -> InstructionView:
        opcode = str(instruction.opcode)
        return InstructionView(
            opcode,
            self._type(instruction.type),
            instruction.name,
            str(instruction.attributes.for_function) if opcode in CALLS else "",
            tuple(self._operands(instruction, opcode)),
        )

    def _operands(self, instruction: Any, opcode: str) -> Iterator[OperandView]:
        if opcode == "switch":
            yield from map(self._operand, (instruction.condition, *instruction.successors))
            for value, _ in instruction.cases:
                yield case_view(value.type.bit_width, value.value)
            return
        yield from map(self._operand, instruction.operands)
        if opcode == "phi":
            yield from map(self._operand, instruction.incoming_blocks)

    def _operand(self, operand: Any) -> OperandView:
        kind = self._kinds.get(type(operand))
        if kind is None:
            kind = self._kinds[type(operand)] = kind_of(operand)
        which = self._locals.get(id(operand)) or self._globals.get(id(operand), "")
        type_text = self._type(operand.type)
        if kind == "constant_int":
            which = str(operand.value % (1 << operand.type.bit_width))
        return OperandView(kind, operand.name, type_text, which)

    def _type(self, ty: Any) -> str:
        found = self._types.get(ty)
        if found is None:
            found = self._types[ty] = str(ty)
        return found

"""A module as LLVM 22 has it, seen through llvmlite."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

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

try:
    import llvmlite.binding as llvm
    from llvmlite.binding import ffi
except ImportError:  # pragma: no cover - the tests skip where it is not
    llvm = ffi = None

LINKAGES = {
    "external": "external",
    "available_externally": "available_externally",
    "linkonce_any": "linkonce",
    "linkonce_odr": "linkonce_odr",
    "weak_any": "weak",
    "weak_odr": "weak_odr",
    "appending": "appending",
    "internal": "internal",
    "private": "private",
    "external_weak": "extern_weak",
    "common": "common",
}
CALLS = {"call", "invoke"}
"""Opcodes whose attributes llvmlite tells."""

_CASE = re.compile(r"^ +i(\d+) (-?\d+|true|false), label ", re.MULTILINE)
_UNNAMED_TYPE = re.compile(r'%"type 0x[0-9a-f]+"')


def is_there() -> bool:
    return llvm is not None


def view_of(data: bytes) -> ModuleView:
    """Return the view of a module; `RuntimeError` if LLVM refuses it."""
    # Struct types of one context need different names: a fresh one keeps those of the file.
    module = llvm.parse_bitcode(data, llvm.create_context())
    return _View().module(module)


def _address(pointer: Any) -> int:
    return ctypes.cast(getattr(pointer, "_ptr", pointer), ctypes.c_void_p).value or 0


def _name(value: Any) -> str:
    return bytes(ffi.lib.LLVMPY_GetValueName(value) or b"").decode("utf-8", "surrogateescape")


def type_text(text: str) -> str:
    """Return the spelling of a type as an operand has it: no definition after it, no address in it."""
    return _UNNAMED_TYPE.sub('%""', text.split(" = type ", 1)[0])


def cases_of(switch: str) -> Iterator[OperandView]:
    """Yield the values of a switch's cases, which LLVM 22 does not hold as operands, out of its text."""
    for width, text in _CASE.findall(switch):
        value = {"true": 1, "false": 0}.get(text) if width == "1" else int(text)
        yield case_view(int(width), value or 0)


class _View:
    """Makes a view; types are printed once each."""

    def __init__(self) -> None:
        self._types: dict[int, str] = {}
        self._globals: dict[int, str] = {}
        self._locals: dict[int, str] = {}

    def module(self, module: Any) -> ModuleView:
        variables, functions = list(module.global_variables), list(module.functions)
        for kind, values in (("global", variables), ("function", functions)):
            self._globals |= {_address(value): f"{kind} {index}" for index, value in enumerate(values)}
        return ModuleView(
            module.source_file,
            module.data_layout,
            module.triple,
            tuple(self._global(variable) for variable in variables),
            tuple(self._function(function) for function in functions),
        )

    def _global(self, variable: Any) -> GlobalView:
        return GlobalView(*self._symbol(variable), " ".join(self._attributes(variable)))

    def _symbol(self, value: Any) -> tuple[str, str, str, str, str, bool]:
        return (
            _name(value),
            LINKAGES[value.linkage.name],
            value.visibility.name,
            value.storage_class.name,
            self._type(value.global_value_type),
            bool(value.is_declaration),
        )

    def _function(self, function: Any) -> FunctionView:
        arguments, blocks = list(function.arguments), list(function.blocks)
        instructions = [list(block.instructions) for block in blocks]
        self._locals = {_address(argument): f"argument {index}" for index, argument in enumerate(arguments)}
        self._locals |= {_address(block): f"block {index}" for index, block in enumerate(blocks)}
        every = (instruction for inner in instructions for instruction in inner)
        self._locals |= {_address(instruction): f"instruction {index}" for index, instruction in enumerate(every)}
        return FunctionView(
            *self._symbol(function),
            self._function_attributes(function),
            tuple(
                ArgumentView(_name(argument), self._type(argument.type), " ".join(self._attributes(argument)))
                for argument in arguments
            ),
            tuple(
                BlockView(_name(block), tuple(map(self._instruction, inner)))
                for block, inner in zip(blocks, instructions, strict=True)
            ),
        )

    def _instruction(self, instruction: Any) -> InstructionView:
        opcode = instruction.opcode
        return InstructionView(
            opcode,
            self._type(instruction.type),
            _name(instruction),
            self._function_attributes(instruction) if opcode in CALLS else "",
            tuple(self._operands(instruction, opcode)),
        )

    def _operands(self, instruction: Any, opcode: str) -> Iterator[OperandView]:
        yield from map(self._operand, instruction.operands)
        if opcode == "phi":
            yield from map(self._operand, instruction.incoming_blocks)
        elif opcode == "switch":
            yield from cases_of(str(instruction))

    def _operand(self, operand: Any) -> OperandView:
        address = _address(operand)
        which = self._locals.get(address) or self._globals.get(address, "")
        kind = ValueKind(ffi.lib.LLVMPY_GetValueKind(operand)).name
        if kind == "instruction" and not which:
            kind = ValueKind.wrapper_of_a_global.name
        elif kind == "constant_int" and operand.type.type_kind.name == "integer":
            which = str(operand.get_constant_value())
        return OperandView(kind, _name(operand), self._type(operand.type), which)

    def _function_attributes(self, value: Any) -> str:
        """Return the set of the function itself, the first of a list; llvmlite ends at the first empty set."""
        return next(iter(self._attributes(value)), "")

    def _attributes(self, value: Any) -> list[str]:
        texts = (attribute.decode("utf-8", "surrogateescape") for attribute in value.attributes)
        return [_UNNAMED_TYPE.sub('%""', text) for text in texts]

    def _type(self, type_reference: Any) -> str:
        address = _address(type_reference)
        found = self._types.get(address)
        if found is None:
            found = self._types[address] = type_text(str(type_reference))
        return found

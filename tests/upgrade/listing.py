"""Functions in assembly text, as far as tests of upgrades need it; goldens are brought to the same form.

Metadata is told by its kind alone, attributes of functions not at all.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import bitcodec
from bitcodec.ir.constants import Constant, ConstantAggregateZero, ConstantInt, ConstantPointerNull, PoisonValue
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import (
    Alloca,
    AtomicRMW,
    BinaryOperator,
    Call,
    Cast,
    ExtractValue,
    GetElementPtr,
    ICmp,
    InsertValue,
    Instruction,
    Load,
    Return,
    ShuffleVector,
)
from bitcodec.ir.module import Module
from bitcodec.ir.values import Value

DATA = Path(__file__).parents[1] / "data" / "upgrade"

_METADATA = re.compile(r"(![\w.]+) !\d+")
_GROUP = re.compile(r" #\d+")
_SPELLED = {ConstantAggregateZero: "zeroinitializer", ConstantPointerNull: "null", PoisonValue: "poison"}


def opened(name: str) -> Module:
    module = bitcodec.open(DATA / f"{name}.bc")
    module.materialize()
    return module


def golden(name: str) -> list[str]:
    """Return the lines of functions that llvm-dis 22 prints."""
    text = gzip.decompress((DATA / f"{name}.bc.ll.gz").read_bytes()).decode()
    lines = [line for line in text.splitlines() if line.startswith(("define", "declare", "  "))]
    return [_GROUP.sub("", _METADATA.sub(r"\1", line)).removesuffix(" {") for line in lines]


def listing(module: Module) -> list[str]:
    """Return the same of a module as we have it."""
    return [line for function in module.functions for line in _lines(function)]


def _lines(function: Function) -> Iterator[str]:
    names = {argument: f" %{argument.name}" for argument in function.arguments if not function.is_declaration}
    parameters = [
        " ".join(filter(None, (str(argument.type), str(function.attributes.for_parameter(argument.index)))))
        + names.get(argument, "")
        for argument in function.arguments
    ]
    if function.is_vararg:
        parameters.append("...")
    head = " ".join(filter(None, (str(function.attributes.for_return), str(function.return_type))))
    keyword = "declare" if function.is_declaration else "define"
    yield f"{keyword} {head} @{function.name}({', '.join(parameters)})"
    printer = _Printer(function)
    yield from map(printer.line, function.instructions)


class _Printer:
    def __init__(self, function: Function) -> None:
        unnamed = (each for each in function.instructions if not each.name and str(each.type) != "void")
        self.numbers = {each: number for number, each in enumerate(unnamed, 1)}

    def value(self, value: Value) -> str:
        if isinstance(value, ConstantInt):
            return ("false", "true")[value.value] if value.type.bit_width == 1 else str(value.value)
        if isinstance(value, Function):
            return f"@{value.name}"
        if isinstance(value, Constant):
            return _SPELLED.get(type(value), "none")
        return f"%{value.name or self.numbers[value]}"

    def typed(self, value: Value) -> str:
        return f"{value.type} {self.value(value)}"

    def line(self, instruction: Instruction) -> str:
        words = [instruction.opcode, self.rest(instruction)]
        if isinstance(instruction, Call):
            words[:1] = [instruction.tail_kind.spelling, "call", "afn" if instruction.fast_math else ""]
        text = " ".join(filter(None, words))
        text += "".join(f", !{kind}" for kind in instruction.metadata)
        return (
            f"  {text}"
            if str(instruction.type) == "void" and not instruction.name
            else f"  {self.value(instruction)} = {text}"
        )

    def rest(self, instruction: Instruction) -> str:
        if isinstance(instruction, (Alloca, AtomicRMW, GetElementPtr, Load)):
            return self.access(instruction)
        match instruction:
            case BinaryOperator(_, lhs, rhs):
                return f"{self.typed(lhs)}, {self.value(rhs)}"
            case Call():
                return self.call(instruction)
            case Cast(_, operand, type_):
                return f"{self.typed(operand)} to {type_}"
            case ExtractValue(aggregate, indices):
                return f"{self.typed(aggregate)}, {indices[0]}"
            case ICmp(predicate, lhs, rhs):
                return f"{predicate} {self.typed(lhs)}, {self.value(rhs)}"
            case InsertValue(aggregate, value, indices):
                return f"{self.typed(aggregate)}, {self.typed(value)}, {indices[0]}"
            case Return(None):
                return "void"
            case ShuffleVector(lhs, rhs, mask):
                places = ", ".join(f"i32 {place}" for place in mask)
                return f"{self.typed(lhs)}, {self.typed(rhs)}, <{len(mask)} x i32> <{places}>"
        return ", ".join(map(self.typed, instruction.operands))

    def access(self, instruction: Alloca | AtomicRMW | GetElementPtr | Load) -> str:
        operands = ", ".join(map(self.typed, instruction.operands))
        if isinstance(instruction, GetElementPtr):
            return f"{instruction.source_element_type}, {operands}"
        alignment = f", align {instruction.alignment}"
        if isinstance(instruction, AtomicRMW):
            volatile = "volatile " * instruction.is_volatile
            scope = f'syncscope("{instruction.sync_scope}") ' * bool(instruction.sync_scope)
            return f"{volatile}{instruction.operation} {operands} {scope}{instruction.ordering}{alignment}"
        if isinstance(instruction, Alloca):
            return f"{instruction.allocated_type}{alignment}"
        return f"{instruction.type}, {operands}{alignment}"

    def call(self, call: Call) -> str:
        arguments = [
            " ".join(filter(None, (str(value.type), str(call.attributes.for_parameter(index)), self.value(value))))
            for index, value in enumerate(call.arguments)
        ]
        type_ = call.function_type if call.function_type.is_vararg else call.type
        return f"{type_} {self.value(call.callee)}({', '.join(arguments)})"

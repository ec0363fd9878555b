"""Calls of old x86 intrinsics, what llvm-dis 22 makes of them, and what we do.

A case is spelled `result name(argument,...)`: types as names of intrinsics spell them, a constant behind its type.
Run as a program, this asks LLVM's tools again and writes the goldens anew; arguments are further cases.
"""

from __future__ import annotations

import gzip
import re
import struct
import subprocess
import sys
from pathlib import Path

from bitcodec.ir.constant_expressions import ConstantCast, ConstantExpr
from bitcodec.ir.constants import (
    Constant,
    ConstantAggregateZero,
    ConstantDataVector,
    ConstantFP,
    ConstantInt,
    ConstantVector,
    PoisonValue,
)
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import BasicBlock, Function
from bitcodec.ir.instructions import (
    BinaryOperator,
    Call,
    Cast,
    ExtractElement,
    ExtractValue,
    ICmp,
    InsertElement,
    Instruction,
    Load,
    Return,
    Select,
    ShuffleVector,
    Store,
    UnaryOperator,
)
from bitcodec.ir.module import Module
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import IntegerType, Type, VectorType
from bitcodec.ir.values import Value
from bitcodec.upgrade.calls import upgrade_intrinsics

GOLDENS = Path(__file__).parents[1] / "data" / "upgrade" / "x86.ll.gz"

_FLOATS = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}


def goldens() -> dict[str, str]:
    """Return what llvm-dis 22 prints, by case."""
    text = gzip.decompress(GOLDENS.read_bytes()).decode()
    return {case: listing.strip() for case, _, listing in (part.partition("\n") for part in text.split("; ")[1:])}


def parsed(case: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the result, the name, and the arguments: type and constant."""
    result, name, arguments = re.fullmatch(r"(\S+) ([^(]+)\((.*)\)", case).groups()
    pairs = (argument.partition(" ") for argument in arguments.split(",") if argument)
    return result, name, [(type_, constant) for type_, _, constant in pairs]


def type_of(types: TypeTable, spelling: str) -> Type:
    vector = re.fullmatch(r"v(\d+)(.+)", spelling)
    if vector is not None:
        return types.vector(int(vector[1]), type_of(types, vector[2]))
    if spelling in _FLOATS:
        return getattr(types, _FLOATS[spelling])
    return {"void": types.void, "p0": types.ptr}.get(spelling) or types.integer(int(spelling[1:]))


def upgraded(case: str, *, argument_name: str = "a") -> Module:
    """Return a module with one call, rewritten."""
    module = called(case, argument_name)
    upgrade_intrinsics(module)
    return module


def called(case: str, argument_name: str = "a") -> Module:
    """Return a module with a function `f` that makes the call and returns its result."""
    result, name, arguments = parsed(case)
    module = Module("", DataLayout())
    types, constants = module.context.types, module.context.constants
    argument_types = [type_of(types, type_) for type_, _ in arguments]
    result_type = type_of(types, result)
    old = _function(module, f"llvm.x86.{name}", result_type, argument_types)
    passed = [type_ for type_, (_, constant) in zip(argument_types, arguments, strict=True) if not constant]
    caller = _function(module, "f", result_type, passed)
    free = iter(caller.arguments)
    values: list[Value] = []
    for index, (type_, (_, constant)) in enumerate(zip(argument_types, arguments, strict=True)):
        if constant:
            number = constants.integer(type_.scalar_type, int(constant))
            values.append(constants.splat(type_, number) if isinstance(type_, VectorType) else number)
        else:
            values.append(next(free))
            values[-1].name = f"{argument_name}{index}"
    block = BasicBlock(types.label)
    caller.append_block(block)
    call = Call(old.value_type, old, values)
    block.append(call)
    if result != "void":
        call.name = "r"
    block.append(Return(types.void, None if result == "void" else call))
    return module


def _function(module: Module, name: str, result: Type, parameters: list[Type]) -> Function:
    types = module.context.types
    function = Function(types.ptr, types.function(result, parameters))
    function.name = name
    module.append(function)
    return function


def printed(module: Module) -> str:
    """Return a module of one function as llvm-dis prints it, attributes of functions aside."""
    return "\n".join(
        _declaration(function) if function.is_declaration else _body(function) for function in module.functions
    )


def _declaration(function: Function) -> str:
    attributes = map(function.attributes.for_parameter, range(len(function.arguments)))
    parameters = zip(function.value_type.parameter_types, attributes, strict=True)
    shown = ", ".join(" ".join(filter(None, map(str, parameter))) for parameter in parameters)
    returned = " ".join(filter(None, (str(function.attributes.for_return), str(function.return_type))))
    return f"declare {returned} @{function.name}({shown})"


def _body(function: Function) -> str:
    printer = _Printer(function)
    return "\n".join([printer.head, *("  " + printer.line(each) for each in function.instructions), "}"])


class _Printer:
    def __init__(self, function: Function) -> None:
        unnamed = (each for each in function.instructions if not each.name and str(each.type) != "void")
        self.numbers = {each: number for number, each in enumerate(unnamed, 1)}
        parameters = ", ".join(map(self.typed, function.arguments))
        self.head = f"define {function.return_type} @{function.name}({parameters}) {{"

    def value(self, value: Value) -> str:
        if isinstance(value, ConstantInt) and value.type.bit_width == 1:
            return "true" if value.value else "false"
        if isinstance(value, ConstantInt):
            return str(value.value)
        if isinstance(value, ConstantFP):
            return f"{struct.unpack('<f', value.bits.to_bytes(4, 'little'))[0] if value.bits else 0.0:.6e}"
        if isinstance(value, ConstantCast):
            return f"{value.opcode} ({self.typed(value.operand)} to {value.type})"
        if isinstance(value, ConstantExpr):
            return f"{value.opcode} ({', '.join(map(self.typed, value.operands))})"
        if isinstance(value, Constant):
            return self.vector(value)
        return f"%{value.name or self.numbers[value]}"

    def vector(self, value: Constant) -> str:
        if isinstance(value, ConstantAggregateZero):
            return "zeroinitializer"
        if isinstance(value, PoisonValue):
            return "poison"
        elements = [self.typed(element) for element in _elements(value)]
        if len(set(elements)) == 1:
            return f"splat ({elements[0]})"
        return f"<{', '.join(elements)}>"

    def typed(self, value: Value) -> str:
        return f"{value.type} {self.value(value)}"

    def line(self, instruction: Instruction) -> str:
        text = f"{instruction.opcode} {self.rest(instruction)}"
        if "nontemporal" in instruction.metadata:
            text += ", !nontemporal !0"
        return text if str(instruction.type) == "void" else f"{self.value(instruction)} = {text}"

    def rest(self, instruction: Instruction) -> str:
        match instruction:
            case Call(callee, arguments):
                shown = ", ".join(map(self.argument, arguments, map(instruction.attributes.for_parameter, range(9))))
                return f"{instruction.type} @{callee.name}({shown})"
            case BinaryOperator(_, lhs, rhs):
                return f"{self.typed(lhs)}, {self.value(rhs)}"
            case ICmp(predicate, lhs, rhs):
                return f"{predicate.spelling} {self.typed(lhs)}, {self.value(rhs)}"
            case Cast(_, operand, type_):
                return f"{self.typed(operand)} to {type_}"
            case ShuffleVector(lhs, rhs, mask):
                return f"{self.typed(lhs)}, {self.typed(rhs)}, {_mask(mask)}"
            case Load():
                return f"{instruction.type}, {self.typed(instruction.pointer)}, align {instruction.alignment}"
            case Store(value, pointer):
                return f"{self.typed(value)}, {self.typed(pointer)}, align {instruction.alignment}"
            case ExtractValue(aggregate, indices):
                return f"{self.typed(aggregate)}, {indices[0]}"
            case Select() | ExtractElement() | InsertElement() | UnaryOperator() | Return():
                return ", ".join(map(self.typed, instruction.operands)) or "void"
        raise AssertionError(instruction)

    def argument(self, value: Value, attributes: object) -> str:
        return f"{value.type} {attributes} {self.value(value)}" if str(attributes) else self.typed(value)


def _elements(value: Constant) -> list[Constant]:
    if isinstance(value, ConstantVector):
        return list(value.operands)
    assert isinstance(value, ConstantDataVector)
    type_ = value.type.element_type
    if not isinstance(type_, IntegerType):
        return [ConstantFP(type_, bits) for bits in value.elements]
    width = type_.bit_width
    return [ConstantInt(type_, number - (number >> (width - 1) << width)) for number in value.elements]


def _mask(mask: tuple[int, ...]) -> str:
    if not any(mask):
        return f"<{len(mask)} x i32> zeroinitializer"
    if len(set(mask)) == 1:
        return f"<{len(mask)} x i32> splat (i32 {mask[0]})"
    return f"<{len(mask)} x i32> <{', '.join(f'i32 {place}' for place in mask)}>"


def _asked(case: str) -> str:
    """Return what llvm-dis 22 prints for the call, which no llvm-as has seen under its name."""
    assembly = _assembly(case).encode()
    bitcode = subprocess.run(["llvm-as-22", "-o", "-", "-"], input=assembly, capture_output=True, check=True).stdout
    renamed = bitcode.replace(b"xlvm.x86.", b"llvm.x86.")
    listing = subprocess.run(["llvm-dis-22", "-o", "-", "-"], input=renamed, capture_output=True, check=True).stdout
    lines = [
        line for line in listing.decode().splitlines() if line and not line.startswith((";", "source", "attr", "!"))
    ]
    return "\n".join(re.sub(r" #\d+$", "", line) for line in lines)


def _assembly(case: str) -> str:
    module = called(case)
    old, caller = module.functions
    text = f"{_declaration(old)}\n{_body(caller)}\n"
    return text.replace("@llvm.", "@xlvm.")


def main(further: list[str]) -> None:
    """Write the goldens."""
    listings = (f"; {case}\n{_asked(case)}\n\n" for case in dict.fromkeys([*goldens(), *further]))
    GOLDENS.write_bytes(gzip.compress("".join(listings).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])

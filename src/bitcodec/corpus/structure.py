"""The structural hash of a function: equal for functions that differ only in names and numbers.

The hash is BLAKE2b with 16 bytes, in hexadecimal digits, of this text in UTF-8, whose items are separated by newlines:

1. The shape of the return type and of each parameter type, in order; `...` if the function is variadic.
2. For each block, in order: `block`, then for each of its instructions, in order: the opcode, the shape of its type,
   the predicate of a comparison or the operation of `atomicrmw`, then its operands, in order, and for a `phi` the
   incoming blocks.

An operand is an argument or an instruction (`%` and its position among the arguments and instructions of the function),
a block (`^` and its position), a function (`@f`), a variable (`@v`), an alias or ifunc (`@a`), metadata (`!`), inline
assembly (`asm`), or another constant (`c` and the shape of its type).

The shape of a type is its text if it has no parts.  Arrays and vectors are the number of their elements, then the
shape of an element.  Structs are `struct` and the number of their elements; other types are the names of their classes.

So these do not count: names of values, blocks, types and functions, values of constants, which function is called or
which variable is used, metadata, debug information, attributes, alignment, flags such as `nsw`, and volatility.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue, GlobalVariable
from bitcodec.ir.instructions.arithmetic import FCmp, ICmp
from bitcodec.ir.instructions.control_flow import Phi
from bitcodec.ir.instructions.memory import AtomicRMW
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    Type,
    VectorType,
)

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["Shapes", "structural_hash"]

_DIGEST_SIZE = 16


class Shapes:
    """Shapes of types and constants of a module, each computed once."""

    def __init__(self) -> None:
        self._types: dict[Type, str] = {}
        self._values: dict[Value, str] = {}

    def of_type(self, type_: Type) -> str:
        """Return the shape of a type."""
        shape = self._types.get(type_)
        if shape is None:
            shape = self._types[type_] = _shape(type_)
        return shape

    def of_shared(self, value: Value) -> str:
        """Return the text of an operand that other functions may have too."""
        shape = self._values.get(value)
        if shape is None:
            shape = self._values[value] = self._shared(value)
        return shape

    def _shared(self, value: Value) -> str:
        if isinstance(value, Function):
            return "@f"
        if isinstance(value, GlobalVariable):
            return "@v"
        if isinstance(value, GlobalValue):
            return "@a"
        if isinstance(value, InlineAsm):
            return "asm"
        return f"c {self.of_type(value.type)}"


def structural_hash(function: Function, shapes: Shapes) -> str:
    """Return the structural hash of a function that is defined.

    Args:
        function: the function.
        shapes: of its module.

    Raises:
        BitcodecError: the body is malformed.
    """
    blocks = function.blocks
    numbers: dict[Value, str] = {}
    for argument in function.arguments:
        numbers[argument] = f"%{len(numbers)}"
    for block in blocks:
        for instruction in block.instructions:
            numbers[instruction] = f"%{len(numbers)}"
    for position, block in enumerate(blocks):
        numbers[block] = f"^{position}"
    signature = function.value_type
    pieces = [shapes.of_type(each) for each in (signature.return_type, *signature.parameter_types)]
    if signature.is_vararg:
        pieces.append("...")
    for block in blocks:
        pieces.append("block")
        for instruction in block.instructions:
            _add_instruction(pieces, instruction, numbers, shapes)
    text = "\n".join(pieces)
    return blake2b(text.encode("utf-8", "surrogateescape"), digest_size=_DIGEST_SIZE).hexdigest()


def _add_instruction(pieces: list[str], instruction: Instruction, numbers: dict[Value, str], shapes: Shapes) -> None:
    pieces += (instruction.opcode, shapes.of_type(instruction.type))
    if isinstance(instruction, ICmp | FCmp):
        pieces.append(str(instruction.predicate))
    elif isinstance(instruction, AtomicRMW):
        pieces.append(str(instruction.operation))
    for operand in instruction.operands:
        number = numbers.get(operand)
        if number is None:
            number = "!" if isinstance(operand, MetadataAsValue) else shapes.of_shared(operand)
        pieces.append(number)
    if isinstance(instruction, Phi):
        pieces += [numbers[block] for block in instruction.incoming_blocks]


def _shape(type_: Type) -> str:
    """Return the shape of a type; the elements of a long chain of arrays are followed in a loop."""
    around: list[str] = []
    inner: Any = type_
    while isinstance(inner, ArrayType | VectorType):
        scalable = "vscale " if isinstance(inner, VectorType) and inner.is_scalable else ""
        around.append(f"{scalable}{inner.count} x ")
        inner = inner.element_type
    if isinstance(inner, StructType):
        around.append(f"struct {len(inner.element_types)}")
    elif isinstance(inner, IntegerType | PointerType | FloatingPointType | PrimitiveType):
        around.append(str(inner))
    else:
        around.append(type(inner).__name__)
    return "".join(around)

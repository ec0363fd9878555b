"""Text of constants, and of inline assembly used as a callee.

A constant is taken apart into pieces, text and other constants, until only text is left: nested however deep.
Rules: docs/reference/text.md, 5 and 9.6.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.asm.floats import float_text
from bitcodec.asm.names import escaped, quoted
from bitcodec.errors import BitcodecError
from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir import constants
from bitcodec.ir.constants import ConstantFP, ConstantInt, PoisonValue, UndefValue
from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.types import IntegerType, Type
from bitcodec.tables.instruction_flags import INLINE_ASSEMBLY, flag_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitcodec.asm.text_source import TextSource
    from bitcodec.ir.types import FloatingPointType
    from bitcodec.ir.values import Value

__all__ = ["constant_text", "shuffle_mask"]

Pieces: TypeAlias = "Sequence[str | Value | Type]"

_MOST_PIECES = 1 << 24
"""Nested constants may describe in few bytes a text that no memory can hold."""


def constant_text(constant: Value, texts: TextSource) -> str:
    """Return the text of a constant without its type.

    Raises:
        BitcodecError: it is too long.
    """
    simple = _SIMPLE.get(type(constant))
    if simple is not None:
        return simple(constant)
    done: list[str | Type] = []
    pending: list[str | Value | Type] = [constant]
    size, enough, left = 0, texts.limit.enough, texts.limit.left
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            done.append(piece)
            size += len(piece)
        elif isinstance(piece, Type):
            done.append(piece)
            size += texts.types.length(piece)
        elif type(piece) in _PIECES:
            pending += reversed(_PIECES[type(piece)](piece, texts))
            continue
        else:
            name = texts.names[piece]
            done.append(name)
            size += len(name)
        if enough is not None and size > enough:
            break
        if len(done) + len(pending) > _MOST_PIECES:
            raise BitcodecError(f"a constant cannot be printed: it consists of more than {_MOST_PIECES} parts")
        if left is not None and size > left:
            texts.limit.check(size)
    return "".join([texts.types[piece] if isinstance(piece, Type) else piece for piece in done])


def shuffle_mask(shuffle: Any) -> str:
    """Return the mask of a shuffle, an instruction or a constant expression, with its type."""
    mask = shuffle.mask
    scalable = "vscale x " if shuffle.type.is_scalable else ""
    typed = f"<{scalable}{shuffle.type.count} x i32>"
    if not any(mask):
        return f"{typed} zeroinitializer"
    if all(lane < 0 for lane in mask):
        return f"{typed} poison"
    return f"{typed} <{', '.join('i32 poison' if lane < 0 else f'i32 {lane}' for lane in mask)}>"


# Constants that are one word


def _integer(value: ConstantInt) -> str:
    if value.type.bit_width == 1:
        return "true" if value.value else "false"
    return decimal_text(value.value)


def _floating(value: ConstantFP) -> str:
    return float_text(value.type.spelling, value.bits)


_SIMPLE: dict[type, Callable[[Any], str]] = {
    ConstantInt: _integer,
    ConstantFP: _floating,
    constants.ConstantPointerNull: lambda _: "null",
    constants.ConstantTokenNone: lambda _: "none",
    constants.ConstantTargetNone: lambda _: "zeroinitializer",
    constants.ConstantAggregateZero: lambda _: "zeroinitializer",
    UndefValue: lambda _: "undef",
    PoisonValue: lambda _: "poison",
}
"""By class of constants without operands."""


# Arrays, vectors, structs


def _data_array(array: Any, texts: TextSource) -> Pieces:
    if isinstance(array.elements, bytes):
        content = array.elements[: texts.limit.enough]
        return (f'c"{escaped(content.decode("utf-8", "surrogateescape"))}"',)
    return (f"[{', '.join(_elements(array, texts))}]",)


def _data_vector(vector: Any, texts: TextSource) -> Pieces:
    if len(set(vector.elements)) == 1:
        return (f"splat ({_elements(vector, texts)[0]})",)
    return (f"<{', '.join(_elements(vector, texts))}>",)


def _elements(data: constants.ConstantDataSequential, texts: TextSource) -> list[str]:
    element_type: Type = data.type.element_type
    typed = texts.types[element_type]
    elements = data.elements[: texts.limit.enough]
    known = {bits: f"{typed} {_number(element_type, bits)}" for bits in set(elements)}
    return [known[bits] for bits in elements]


def _number(type: Any, bits: int) -> str:
    if isinstance(type, IntegerType):
        return str(bits - (1 << type.bit_width) if bits >> (type.bit_width - 1) else bits)
    element: FloatingPointType = type
    return float_text(element.spelling, bits)


def _array(array: Any, texts: TextSource) -> Pieces:
    return ("[", *_typed(array.operands, texts), "]")


def _struct(struct: Any, texts: TextSource) -> Pieces:
    left, right = ("<{ ", " }>") if struct.type.is_packed else ("{ ", " }")
    return (left, *_typed(struct.operands, texts), right)


def _vector(vector: Any, texts: TextSource) -> Pieces:
    operands = vector.operands
    first = operands[0]
    if isinstance(first, ConstantInt | ConstantFP) and all(operand is first for operand in operands):
        return ("splat (", *_typed(operands[:1], texts), ")")
    return ("<", *_typed(operands, texts), ">")


_LONG_TYPE = 1 << 10
"""Characters of a type from which on its text is not made before the constant is known to be short enough."""


def _typed(operands: Iterable[Value], texts: TextSource) -> list[str | Value | Type]:
    """Return operands with their types, separated by commas."""
    types = texts.types
    pieces: list[str | Value | Type] = []
    for operand in islice(operands, texts.limit.enough):
        type_ = operand.type
        if type_ in types or types.length(type_) < _LONG_TYPE:
            pieces += (f"{types[type_]} ", operand, ", ")
        else:
            pieces += (type_, " ", operand, ", ")
    return pieces[:-1]


# Expressions


def _cast(cast: Any, texts: TextSource) -> Pieces:
    return (f"{cast.opcode} (", *_typed(cast.operands, texts), f" to {texts.types[cast.type]})")


def _binary(binary: Any, texts: TextSource) -> Pieces:
    return (f"{binary.opcode}{flag_texts(binary.opcode)[binary.flags]} (", *_typed(binary.operands, texts), ")")


def _get_element_ptr(gep: Any, texts: TextSource) -> Pieces:
    in_range = "" if gep.in_range is None else f" inrange({gep.in_range.bounds})"
    head = f"{gep.opcode}{flag_texts(gep.opcode)[gep.flags]}{in_range} ({texts.types[gep.source_element_type]}, "
    return (head, *_typed(gep.operands, texts), ")")


def _shuffle(shuffle: Any, texts: TextSource) -> Pieces:
    splat = _splat(shuffle)
    if splat is not None:
        return ("splat (", *_typed([splat], texts), ")")
    return (f"{shuffle.opcode} (", *_typed(shuffle.operands, texts), f", {shuffle_mask(shuffle)})")


def _splat(shuffle: Any) -> ConstantInt | ConstantFP | None:
    """Return the number that a shuffle puts into all elements of a scalable vector, None if it does not."""
    if any(shuffle.mask) or not isinstance(shuffle.operands[1], UndefValue):
        return None
    match shuffle.operands[0]:
        case expressions.ConstantInsertElement(UndefValue(), ConstantInt() | ConstantFP() as element, ConstantInt(0)):
            return element
    return None


def _expression(expression: Any, texts: TextSource) -> Pieces:
    return (f"{expression.opcode} (", *_typed(expression.operands, texts), ")")


def _block_address(address: Any, texts: TextSource) -> Pieces:
    function, block = address.function, address.block
    return ("blockaddress(", function, f", {texts.block_name(function, block)})")


def _dso_local_equivalent(equivalent: Any, _texts: TextSource) -> Pieces:
    return ("dso_local_equivalent ", equivalent.operands[0])


def _no_cfi(value: Any, _texts: TextSource) -> Pieces:
    return ("no_cfi ", value.operands[0])


_PTR_AUTH_OPERANDS = 2
"""Pointer and key; the parts after them are left out if all are zero."""


def _ptr_auth(signed: Any, texts: TextSource) -> Pieces:
    operands = list(signed.operands)
    while len(operands) > _PTR_AUTH_OPERANDS and operands[-1].is_null:
        operands.pop()
    return ("ptrauth (", *_typed(operands, texts), ")")


def _inline_asm(asm: Any, texts: TextSource) -> Pieces:
    text = quoted(asm.assembly[: texts.limit.enough])
    return (f"asm{flag_texts(INLINE_ASSEMBLY)[asm.flags]} {text}, {quoted(asm.constraints)}",)


_PIECES: dict[type, Callable[[Any, TextSource], Pieces]] = {
    constants.ConstantDataArray: _data_array,
    constants.ConstantDataVector: _data_vector,
    constants.ConstantArray: _array,
    constants.ConstantStruct: _struct,
    constants.ConstantVector: _vector,
    constants.InlineAsm: _inline_asm,
    expressions.ConstantCast: _cast,
    expressions.ConstantBinary: _binary,
    expressions.ConstantGetElementPtr: _get_element_ptr,
    expressions.ConstantExtractElement: _expression,
    expressions.ConstantInsertElement: _expression,
    expressions.ConstantShuffleVector: _shuffle,
    expressions.BlockAddress: _block_address,
    expressions.DSOLocalEquivalent: _dso_local_equivalent,
    expressions.NoCFIValue: _no_cfi,
    expressions.ConstantPtrAuth: _ptr_auth,
}
"""By class of all other constants: the parts of their text."""

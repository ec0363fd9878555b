"""Text of types, constants, metadata operands and names of our module, as llvm-dis 22 writes them.

Nodes of metadata, which text numbers, are told by what they say themselves: see `details`.
Rules: docs/reference/text.md, 1, 3, 5, 9.6 and 12.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bitcodec import ir
from bitcodec.tables.dwarf import OPERATORS, TypeEncoding
from bitcodec.tables.instruction_flags import GEPFlags, IntegerFlags

from .float_text import float_text

_BARE = re.compile(r"[-a-zA-Z._][-a-zA-Z._0-9]*")
_ESCAPED = re.compile(rb"[^ !#-\[\]-~]")
_PLAIN_WORDS = {
    "ConstantPointerNull": "null",
    "ConstantTokenNone": "none",
    "ConstantTargetNone": "zeroinitializer",
    "ConstantAggregateZero": "zeroinitializer",
    "UndefValue": "undef",
    "PoisonValue": "poison",
}
_ASM_WORDS = (
    ("has_side_effects", "sideeffect"),
    ("is_align_stack", "alignstack"),
    ("is_intel_dialect", "inteldialect"),
    ("can_unwind", "unwind"),
)
_NUMBERS = ir.ConstantInt | ir.ConstantFP
_CONVERT = 0x1001
NODE_FIELDS = ("name", "line", "column")
"""What is told of a node of debug information."""


def quoted(text: str) -> str:
    r"""Return text in quotes, with `\XX` for what is not printable."""
    data = text.encode("utf-8", "surrogateescape")
    return f'"{_ESCAPED.sub(_escape, data).decode("ascii")}"'


def _escape(found: re.Match[bytes]) -> bytes:
    return rb"\\" if found[0] == b"\\" else b"\\%02X" % ord(found[0])


def identifier(prefix: str, name: str) -> str:
    return prefix + (name if _BARE.fullmatch(name) else quoted(name))


def words(*parts: str) -> str:
    """Return what is not empty, a space between."""
    return " ".join(filter(None, parts))


def gep_flags(flags: GEPFlags) -> str:
    inbounds = "inbounds" if flags & GEPFlags.INBOUNDS else "nusw" if flags & GEPFlags.NUSW else ""
    return words(inbounds, "nuw" if flags & GEPFlags.NUW else "")


def wrap_flags(flags: int) -> str:
    return words("nuw" if flags & IntegerFlags.NUW else "", "nsw" if flags & IntegerFlags.NSW else "")


class ValueText:
    """Texts of one module's values; those of locals are of the function that was entered last."""

    def __init__(self, module: Any) -> None:
        self.types: dict[Any, str] = {}
        self._constants: dict[Any, str] = {}
        self._nodes: dict[int, tuple[Any, str]] = {}
        self._locals: dict[int, str] = {}
        self._names: dict[int, str] = {}
        unnamed = 0
        # Unnamed globals are numbered in this order.
        for value in (*module.global_variables, *module.aliases, *module.ifuncs, *module.functions):
            self._names[id(value)] = identifier("@", value.name) if value.name else f"@{unnamed}"
            unnamed += not value.name

    def enter(self, function: Any) -> None:
        self._locals = local_names(function)

    def type(self, type: Any) -> str:
        found = self.types.get(type)
        if found is None:
            found = self.types[type] = str(type)
        return found

    def typed(self, value: Any) -> str:
        if isinstance(value, ir.MetadataAsValue):
            return f"metadata {self.metadata(value.metadata)}"
        return f"{self.type(value.type)} {self.value(value)}"

    def listed(self, values: Iterable[Any]) -> str:
        return ", ".join(map(self.typed, values))

    def value(self, value: Any) -> str:
        """Return the text of a value without its type."""
        found = self._locals.get(id(value)) or self._names.get(id(value)) or self._constants.get(value)
        if found is None:
            found = self._constants[value] = self._constant(value)
        return found

    def _constant(self, value: Any) -> str:
        match value:
            case ir.ConstantInt():
                return ("false", "true")[value.value] if value.type.bit_width == 1 else str(value.value)
            case ir.ConstantFP():
                return float_text(value.type.spelling, value.bits)
            case ir.ConstantDataSequential():
                return self._data(value)
            case ir.ConstantAggregate():
                return self._aggregate(value)
            case ir.ConstantExpr():
                return self._expression(value)
            case ir.InlineAsm():
                flags = words(*(word for attribute, word in _ASM_WORDS if getattr(value, attribute)))
                return words("asm", flags, f"{quoted(value.assembly)}, {quoted(value.constraints)}")
        return _PLAIN_WORDS.get(type(value).__name__) or self._of_global(value)

    def _of_global(self, value: Any) -> str:
        """Return the text of a constant that names a global."""
        match value:
            case ir.BlockAddress():
                return self._block_address(value)
            case ir.DSOLocalEquivalent():
                return f"dso_local_equivalent {self.value(value.global_value)}"
            case ir.NoCFIValue():
                return f"no_cfi {self.value(value.global_value)}"
            case ir.ConstantPtrAuth():
                return self._ptr_auth(value)
        raise TypeError(f"{value!r} has no text here")

    def _data(self, data: Any) -> str:
        if isinstance(data, ir.ConstantDataArray) and isinstance(data.elements, bytes):
            return "c" + quoted(data.elements.decode("utf-8", "surrogateescape"))
        element_type = data.type.element_type
        texts = [self._element(element_type, bits) for bits in data.elements]
        if isinstance(data, ir.ConstantDataArray):
            return f"[{', '.join(texts)}]"
        return f"<{', '.join(texts)}>" if len(set(texts)) > 1 else f"splat ({texts[0]})"

    def _element(self, element_type: Any, bits: int) -> str:
        if isinstance(element_type, ir.IntegerType):
            width = element_type.bit_width
            return f"i{width} {bits - (1 << width) if bits >> (width - 1) else bits}"
        return f"{element_type} {float_text(element_type.spelling, bits)}"

    def _aggregate(self, value: Any) -> str:
        listed = self.listed(value.operands)
        if isinstance(value, ir.ConstantArray):
            return f"[{listed}]"
        if isinstance(value, ir.ConstantStruct):
            return f"<{{ {listed} }}>" if value.type.is_packed else f"{{ {listed} }}"
        first = value.operands[0]
        is_splat = isinstance(first, _NUMBERS) and set(value.operands) == {first}
        return f"splat ({self.typed(first)})" if is_splat else f"<{listed}>"

    def _expression(self, value: Any) -> str:
        splat = _splat(value)
        if splat is not None:
            return f"splat ({self.typed(splat)})"
        operands = self.listed(value.operands)
        match value:
            case ir.ConstantCast():
                return f"{value.opcode} ({operands} to {self.type(value.type)})"
            case ir.ConstantBinary():
                return f"{words(value.opcode, wrap_flags(value.flags))} ({operands})"
            case ir.ConstantGetElementPtr():
                in_range = value.in_range
                bounds = "" if in_range is None else f"inrange({in_range.lower}, {in_range.upper})"
                opcode = words(value.opcode, gep_flags(value.flags), bounds)
                return f"{opcode} ({self.type(value.source_element_type)}, {operands})"
            case ir.ConstantShuffleVector():
                return f"{value.opcode} ({operands}, {self.mask(value)})"
        return f"{value.opcode} ({operands})"

    def mask(self, shuffle: Any) -> str:
        """Return the mask of a shuffle, as an instruction or a constant expression."""
        scalable = "vscale x " * shuffle.type.is_scalable
        typed = f"<{scalable}{shuffle.type.count} x i32>"
        if set(shuffle.mask) == {0}:
            return f"{typed} zeroinitializer"
        if set(shuffle.mask) == {-1}:
            return f"{typed} poison"
        return f"{typed} <{', '.join('i32 poison' if lane < 0 else f'i32 {lane}' for lane in shuffle.mask)}>"

    def _block_address(self, value: Any) -> str:
        return f"blockaddress({self.value(value.function)}, {local_names(value.function)[id(value.block)]})"

    def _ptr_auth(self, value: Any) -> str:
        operands = list(value.operands)
        while len(operands) > 2 and operands[-1].is_null:
            operands.pop()
        return f"ptrauth ({self.listed(operands)})"

    # Metadata

    def metadata(self, metadata: Any) -> str:
        """Return the text of metadata where it is in a line."""
        match metadata:
            case None:
                return "null"
            case ir.MDString():
                return f"!{quoted(metadata.text)}"
            case ir.ValueAsMetadata():
                return "null" if metadata.value is None else self.typed(metadata.value)
            case ir.DIArgList():
                return f"!DIArgList({', '.join(map(self.metadata, metadata.arguments))})"
            case ir.DIExpression():
                return f"!DIExpression({', '.join(_operations(metadata))})"
        return self.node(metadata)

    def node(self, node: Any) -> str:
        """Return what is told of a node that text numbers."""
        found = self._nodes.get(id(node))
        if found is None:
            found = self._nodes[id(node)] = (node, self._node(node))
        return found[1]

    def _node(self, node: Any) -> str:
        if isinstance(node, ir.MDTuple):
            body = "!{" + ", ".join(self._element_of_tuple(operand) for operand in node.operands) + "}"
        else:
            body = f"!{type(node).__name__}({', '.join(self._fields(node))})"
        return f"{'distinct ' * node.is_distinct}{body}"

    def _element_of_tuple(self, operand: Any) -> str:
        is_node = isinstance(operand, ir.MDNode) and not isinstance(operand, ir.DIExpression)
        return "!" if is_node else self.metadata(operand)

    def _fields(self, node: Any) -> Iterable[str]:
        for field in NODE_FIELDS:
            value = getattr(node, field, None)
            if value:
                yield f"{field}: {quoted(value) if isinstance(value, str) else value}"
        if isinstance(node, ir.DILocation):
            yield f"scope: {self.node(node.scope)}"
            if node.inlined_at is not None:
                yield f"inlinedAt: {self.node(node.inlined_at)}"


def _splat(value: Any) -> Any:
    """Return the number that an expression puts into all elements of a scalable vector, None if it does not."""
    match value:
        case ir.ConstantShuffleVector(ir.ConstantInsertElement(ir.PoisonValue(), element, ir.ConstantInt(0)), _, mask):
            return element if isinstance(element, _NUMBERS) and not any(mask) else None
    return None


def _operations(expression: Any) -> Iterable[str]:
    for operator, *arguments in expression.operations:
        yield f"DW_OP_{OPERATORS[operator].name}"
        texts = list(map(str, arguments))
        if operator == _CONVERT:
            texts[1] = TypeEncoding.spelling_of(arguments[1])
        yield from texts


def local_names(function: Any) -> dict[int, str]:
    """Return the names of arguments, blocks and instructions by identity; those without are numbered."""
    names: dict[int, str] = {}
    unnamed = 0
    for value in _locals(function):
        names[id(value)] = identifier("%", value.name) if value.name else f"%{unnamed}"
        unnamed += not value.name
    return names


def _locals(function: Any) -> Iterable[Any]:
    yield from function.arguments
    for block in function.blocks:
        yield block
        for instruction in block.instructions:
            if instruction.name or not isinstance(instruction.type, ir.VoidType):
                yield instruction

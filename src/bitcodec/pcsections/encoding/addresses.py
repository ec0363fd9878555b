"""Values of constant expressions once code is laid out: a number, or a distance from a symbol.

Rules: LLVM Language Reference, "Constant Expressions"; docs/reference/pc-sections.md, 1.3 and 2.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.ir.constant_expressions import (
    BlockAddress,
    ConstantBinary,
    ConstantCast,
    ConstantGetElementPtr,
    DSOLocalEquivalent,
    NoCFIValue,
)
from bitcodec.ir.constants import ConstantInt, ConstantPointerNull
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.types import IntegerType, PointerType, SequentialType, StructType
from bitcodec.named_tuple import NamedTuple
from bitcodec.symbols.mangling import Mangler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Address", "Addresses"]


class Address(NamedTuple):
    """A distance from a symbol, in bytes; or a number, if `symbol` is empty."""

    symbol: str = ""
    offset: int = 0


class Addresses:
    """Evaluates constants under a data layout; each constant is evaluated once."""

    __slots__ = ("_found", "_layout", "_mangler", "_numbers")

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout
        self._mangler = Mangler()
        self._found: dict[Constant, Address] = {}
        self._numbers: dict[Function, dict[BasicBlock, int]] = {}

    def find(self, constant: Constant) -> Address:
        """Return the value of an integer or a pointer.

        Raises:
            PCSectionsError: neither a number nor a distance from one symbol.
            ValueError: it depends on a type without a size.
        """
        found = self._found
        pending = [constant]
        while pending:
            current = pending[-1]
            missing = [part for part in _parts(current) if part not in found]
            if missing:
                pending += missing
                continue
            pending.pop()
            if current not in found:
                found[current] = self._wrapped(self._value(current), current.type)
        return found[constant]

    def _value(self, constant: Constant) -> Address:
        rule = self._RULES.get(type(constant))
        if rule is not None:
            return rule(self, constant)
        if isinstance(constant, GlobalValue):
            return Address(self._mangler.name(constant, self._layout), 0)
        raise PCSectionsError(
            f"!pcsections: a {type(constant).__name__} of type {constant.type.brief} is neither a number nor an address"
        )

    def _wrapped(self, value: Address, type_: Type) -> Address:
        """Return a number as unsigned bits of its type, a distance as signed ones of an address."""
        bits = self._layout.size_in_bits(type_)
        offset = value.offset & ((1 << bits) - 1)
        is_negative = value.symbol and offset >> (bits - 1)
        return Address(value.symbol, offset - (1 << bits) if is_negative else offset)

    def _integer(self, constant: ConstantInt) -> Address:
        return Address("", constant.unsigned)

    def _zero(self, _constant: Constant) -> Address:
        return Address("", 0)

    def _no_cfi(self, constant: NoCFIValue) -> Address:
        return Address(self._mangler.name(constant.global_value, self._layout), 0)

    def _equivalent(self, constant: DSOLocalEquivalent) -> Address:
        name = self._mangler.name(constant.global_value, self._layout)
        raise PCSectionsError(
            f"!pcsections: dso_local_equivalent @{quote_name(name)}: LLVM refuses it for most targets; "
            "name the function itself"
        )

    def _block(self, constant: BlockAddress) -> Address:
        """Return a synthetic symbol: in the file a block has a label without meaning."""
        function, block = constant.function, constant.block
        if function not in self._numbers:
            self._numbers[function] = {block: number for number, block in enumerate(function.blocks)}
        name = block.name or self._numbers[function][block]
        return Address(f"blockaddress({self._mangler.name(function, self._layout)}, {name})", 0)

    def _cast(self, constant: ConstantCast) -> Address:
        value = self._found[constant.operand]
        if value.symbol:
            given, wanted = (self._layout.size_in_bits(type_) for type_ in (constant.operand.type, constant.type))
            if wanted > given or (wanted < given and constant.opcode == "addrspacecast"):
                raise PCSectionsError(
                    f"!pcsections: {constant.opcode} of the address of {value.symbol} to {constant.type.brief}: "
                    f"no relocation extends or translates an address; use a type of {given} bits"
                )
        return value

    def _binary(self, constant: ConstantBinary) -> Address:
        left, right = self._found[constant.lhs], self._found[constant.rhs]
        if constant.opcode == "add" and not (left.symbol and right.symbol):
            return Address(left.symbol or right.symbol, left.offset + right.offset)
        if constant.opcode == "sub" and right.symbol in ("", left.symbol):
            return Address("" if right.symbol else left.symbol, left.offset - right.offset)
        if constant.opcode == "xor" and not (left.symbol or right.symbol):
            return Address("", left.offset ^ right.offset)
        names = " and ".join(filter(None, (left.symbol, right.symbol)))
        raise PCSectionsError(f"!pcsections: {constant.opcode} of the address of {names}: no relocation computes that")

    def _element_pointer(self, constant: ConstantGetElementPtr) -> Address:
        symbol, offset = self._found[constant.pointer]
        return Address(symbol, offset + sum(self._strides(constant)))

    def _strides(self, constant: ConstantGetElementPtr) -> Iterator[int]:
        """Yield the number of bytes that each index adds."""
        type_ = constant.source_element_type
        for place, index in enumerate(constant.indices):
            if not isinstance(index, ConstantInt):
                raise PCSectionsError(
                    "!pcsections: getelementptr with an index that is not a number: no relocation can express it"
                )
            if place and isinstance(type_, StructType):
                yield self._layout.struct_layout(type_).offsets[index.value]
                type_ = type_.element_types[index.value]
                continue
            if place:
                type_ = cast("SequentialType", type_).element_type
            yield index.signed * self._layout.alloc_size(type_)

    _RULES: ClassVar[Mapping[type[Value], Callable[..., Address]]] = {
        ConstantInt: _integer,
        ConstantPointerNull: _zero,
        BlockAddress: _block,
        DSOLocalEquivalent: _equivalent,
        NoCFIValue: _no_cfi,
        ConstantCast: _cast,
        ConstantBinary: _binary,
        ConstantGetElementPtr: _element_pointer,
    }


def _parts(constant: Constant) -> tuple[Constant, ...]:
    """Return the constants that have to be known first."""
    match constant:
        case ConstantCast(operand=operand) if isinstance(operand.type, IntegerType | PointerType):
            return (operand,)
        case ConstantBinary():
            return (constant.lhs, constant.rhs)
        case ConstantGetElementPtr():
            return (constant.pointer,)
        case _:
            return ()

"""Constant expressions, and references that a linker or loader resolves.

Rules: LLVM Language Reference, "Constant Expressions" and the preceding sections; docs/reference/records.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constants import Constant, ConstantInt, ConstantWithOperands
from bitcodec.ir.operand_property import OperandProperty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.attributes import ConstantRange
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import GEPFlags, IntegerFlags

__all__ = [
    "BlockAddress",
    "ConstantBinary",
    "ConstantCast",
    "ConstantExpr",
    "ConstantExtractElement",
    "ConstantGetElementPtr",
    "ConstantInsertElement",
    "ConstantPtrAuth",
    "ConstantShuffleVector",
    "DSOLocalEquivalent",
    "NoCFIValue",
]


class ConstantExpr(ConstantWithOperands):
    """An operation on constants that is left to the linker or loader.

    Attributes:
        opcode: as text spells it.
    """

    __slots__ = ("opcode",)

    table: ConstantTable

    def __init__(self, opcode: str, type: Type, operands: Sequence[Value], table: ConstantTable) -> None:
        super().__init__(type, operands, table)
        self.opcode = opcode

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.opcode} {self.type.brief}>"


class ConstantCast(ConstantExpr):
    """A cast: `trunc`, `ptrtoint`, `ptrtoaddr`, `inttoptr`, `bitcast`, `addrspacecast`."""

    __match_args__ = ("opcode", "operand", "type")
    __slots__ = ()

    operand: OperandProperty[Constant] = OperandProperty(0, "The cast operand.")

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same cast of another operand."""
        return table.cast(self.opcode, cast("Constant", operands[0]), self.type)


class ConstantBinary(ConstantExpr):
    """An operation on two integers: `add`, `sub`, `xor`."""

    __match_args__ = ("opcode", "lhs", "rhs")
    __slots__ = ("flags",)

    lhs: OperandProperty[Constant] = OperandProperty(0, "Left-hand side.")
    rhs: OperandProperty[Constant] = OperandProperty(1, "Right-hand side.")

    def __init__(self, opcode: str, lhs: Constant, rhs: Constant, flags: IntegerFlags, table: ConstantTable) -> None:
        super().__init__(opcode, lhs.type, (lhs, rhs), table)
        self.flags = flags

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same operation on other operands."""
        return table.binary(self.opcode, cast("Constant", operands[0]), cast("Constant", operands[1]), self.flags)


class ConstantGetElementPtr(ConstantExpr):
    """Address arithmetic.

    Attributes:
        source_element_type: the type that the indices step through.
        flags: its `inbounds`, `nusw` and `nuw` flags.
        in_range: bytes around the result that may be accessed through it, None if all.
    """

    __match_args__ = ("source_element_type", "pointer", "indices")
    __slots__ = ("flags", "in_range", "source_element_type")

    pointer: OperandProperty[Constant] = OperandProperty(0, "The base pointer.")

    def __init__(
        self,
        type: Type,
        source_element_type: Type,
        operands: Sequence[Value],
        flags: GEPFlags,
        in_range: ConstantRange | None,
        table: ConstantTable,
    ) -> None:
        super().__init__("getelementptr", type, operands, table)
        self.source_element_type = source_element_type
        self.flags = flags
        self.in_range = in_range

    @property
    def indices(self) -> tuple[Constant, ...]:
        """Its indices."""
        return cast("tuple[Constant, ...]", tuple(self._operands[1:]))

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same arithmetic on other operands."""
        pointer, *indices = cast("Sequence[Constant]", operands)
        return table.get_element_ptr(self.source_element_type, pointer, indices, self.flags, self.in_range)


class ConstantExtractElement(ConstantExpr):
    """An element of a vector."""

    __match_args__ = ("vector", "index")
    __slots__ = ()
    _verb = "extract_element"

    vector: OperandProperty[Constant] = OperandProperty(0, "The vector.")
    index: OperandProperty[Constant] = OperandProperty(1, "The index of the element.")


class ConstantInsertElement(ConstantExpr):
    """A vector with one element replaced."""

    __match_args__ = ("vector", "element", "index")
    __slots__ = ()
    _verb = "insert_element"

    vector: OperandProperty[Constant] = OperandProperty(0, "The vector.")
    element: OperandProperty[Constant] = OperandProperty(1, "The new element.")
    index: OperandProperty[Constant] = OperandProperty(2, "The index of the element.")


class ConstantShuffleVector(ConstantExpr):
    """Elements of two vectors, in any order.

    Attributes:
        mask: for each element of the result its index in both vectors together, -1 for poison.
    """

    __match_args__ = ("lhs", "rhs", "mask")
    __slots__ = ("mask",)

    lhs: OperandProperty[Constant] = OperandProperty(0, "The first vector.")
    rhs: OperandProperty[Constant] = OperandProperty(1, "The second vector.")

    def __init__(
        self,
        type: Type,
        lhs: Constant,
        rhs: Constant,
        mask: tuple[int, ...],
        table: ConstantTable,
    ) -> None:
        super().__init__("shufflevector", type, (lhs, rhs), table)
        self.mask = mask

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of other operands."""
        return table.shuffle_vector(cast("Constant", operands[0]), cast("Constant", operands[1]), self.mask)


class BlockAddress(ConstantWithOperands):
    """The address of a basic block, for `indirectbr` and `callbr`; as in LLVM 22 the block is its only operand.

    Attributes:
        function: the function that the block is in.
    """

    __match_args__ = ("function", "block")
    __slots__ = ("function",)

    table: ConstantTable
    block: OperandProperty[BasicBlock] = OperandProperty(0, "The block.")

    def __init__(self, function: Function, block: BasicBlock, table: ConstantTable) -> None:
        super().__init__(function.type, (block,), table)
        self.function = function

    def _check_operand(self, old: Value, new: Value) -> None:
        if type(new) is not type(old):
            raise TypeError(f"{self!r} cannot have {new!r} in the place of {old!r}")

    def _become_one(self) -> None:
        """Let all users have `inttoptr (i32 1 to ptr)` instead, because the block is going away."""
        one = self.table.integer(self.table.types.integer(32), 1)
        self.replace_all_uses_with(self.table.cast("inttoptr", one, self.type))
        self._let_go()

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the address of another block."""
        block = cast("BasicBlock", operands[0])
        return table.block_address(block.parent or self.function, block)


class _FunctionForm(ConstantWithOperands):
    __match_args__ = ("global_value",)
    __slots__ = ()

    global_value: OperandProperty[GlobalValue] = OperandProperty(0, "The function.")

    def _check_operand(self, _old: Value, new: Value) -> None:
        from bitcodec.ir.globals import GlobalValue  # noqa: PLC0415 - globals are constants

        if not isinstance(new, GlobalValue):
            raise TypeError(f"{self!r} cannot hold {new!r}: expected a global")


class DSOLocalEquivalent(_FunctionForm):
    """The equivalent of a function inside this shared object."""

    __slots__ = ()
    _verb = "dso_local_equivalent"


class NoCFIValue(_FunctionForm):
    """A function itself, not the jump table that replaces it under control-flow integrity."""

    __slots__ = ()
    _verb = "no_cfi"


class ConstantPtrAuth(ConstantWithOperands):
    """A signed pointer: operands are pointer, key, discriminator, address discriminator, deactivation symbol."""

    __match_args__ = ("pointer", "key", "discriminator", "address_discriminator", "deactivation_symbol")
    __slots__ = ()
    _verb = "ptr_auth"

    pointer: OperandProperty[Constant] = OperandProperty(0, "The signed pointer.")
    key: OperandProperty[ConstantInt] = OperandProperty(1, "The key.")
    discriminator: OperandProperty[ConstantInt] = OperandProperty(2, "A number mixed in.")
    address_discriminator: OperandProperty[Constant] = OperandProperty(3, "An address mixed in, null if none.")
    deactivation_symbol: OperandProperty[Constant] = OperandProperty(
        4, "A symbol that can turn signing off, null if none."
    )

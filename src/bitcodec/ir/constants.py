"""Constants.  Equal constants of one `Context` are one object; `ConstantTable` makes them.

Rules: LLVM Language Reference, "Constants"; bitcode record reference, section 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from bitcodec.ir.values import User, Value

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from bitcodec.ir.attributes import ConstantRange
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import (
        ArrayType,
        FloatingPointType,
        FunctionType,
        IntegerType,
        PointerType,
        SequentialType,
        StructType,
        Type,
        VectorType,
    )
    from bitcodec.tables.opcodes import GEPFlags, IntegerFlags

__all__ = [
    "BlockAddress",
    "Constant",
    "ConstantAggregate",
    "ConstantAggregateZero",
    "ConstantArray",
    "ConstantBinary",
    "ConstantCast",
    "ConstantData",
    "ConstantDataArray",
    "ConstantDataSequential",
    "ConstantDataVector",
    "ConstantExpr",
    "ConstantExtractElement",
    "ConstantFP",
    "ConstantGetElementPtr",
    "ConstantInsertElement",
    "ConstantInt",
    "ConstantPointerNull",
    "ConstantPtrAuth",
    "ConstantShuffleVector",
    "ConstantStruct",
    "ConstantTargetNone",
    "ConstantTokenNone",
    "ConstantVector",
    "ConstantWithOperands",
    "DSOLocalEquivalent",
    "InlineAsm",
    "NoCFIValue",
    "PoisonValue",
    "UndefValue",
]


class Constant(User):
    """A value that is known before the program runs."""

    __slots__ = ()

    @property
    def is_null(self) -> bool:
        """Whether all its bits are zero."""
        return False


class _NoUses(list[User]):
    """Stands where a value's users are listed, for constants whose users are not kept."""

    def append(self, _user: User) -> None:
        """Forget the user."""

    def remove(self, _user: User) -> None:
        """Forget the user."""


class ConstantData(Constant):
    """A constant without operands.  As in LLVM, nobody keeps a list of its users: they may be in many modules."""

    __slots__ = ()

    _UNTRACKED: ClassVar[list[User]] = _NoUses()
    _NO_OPERANDS: ClassVar[list[Value]] = []

    def __init__(self, type: Type) -> None:
        self.type = type
        self._name = ""
        self._uses = self._UNTRACKED
        self._as_metadata = None
        self._operands = self._NO_OPERANDS

    @property
    def users(self) -> tuple[User, ...]:
        """Not known.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"users of plain constants are not kept: {self!r} belongs to no module")

    @property
    def is_used(self) -> bool:
        """Not known, so possibly."""
        return True


class ConstantInt(ConstantData):
    """An integer.

    Attributes:
        value: as text spells it: signed, but 0 or 1 if it is one bit wide.
    """

    __match_args__ = ("value",)
    __slots__ = ("value",)

    type: IntegerType

    def __init__(self, type: IntegerType, value: int) -> None:
        super().__init__(type)
        self.value = value

    @property
    def unsigned(self) -> int:
        """Its bits, as an unsigned number."""
        return self.value & ((1 << self.type.bit_width) - 1)

    @property
    def signed(self) -> int:
        """Its bits, as a two's complement number."""
        return -self.value if self.type.bit_width == 1 else self.value

    @property
    def is_null(self) -> bool:
        """Whether it is zero."""
        return self.value == 0

    def __repr__(self) -> str:
        return f"<ConstantInt {self.type} {self.value}>"


class ConstantFP(ConstantData):
    """A floating-point number.

    Attributes:
        bits: its bit pattern, as wide as the type.
    """

    __match_args__ = ("bits",)
    __slots__ = ("bits",)

    type: FloatingPointType

    def __init__(self, type: FloatingPointType, bits: int) -> None:
        super().__init__(type)
        self.bits = bits

    @property
    def is_null(self) -> bool:
        """Whether it is zero, and positive."""
        return self.bits == 0

    def __repr__(self) -> str:
        return f"<ConstantFP {self.type} 0x{self.bits:0{self.type.bit_width // 4}X}>"


class _Plain(ConstantData):
    """A constant that its type tells whole."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type}>"


class _Null(_Plain):
    __slots__ = ()

    @property
    def is_null(self) -> bool:
        """Always."""
        return True


class ConstantPointerNull(_Null):
    """`null`."""

    __slots__ = ()
    type: PointerType


class ConstantTokenNone(_Null):
    """`none`: the token that no instruction made."""

    __slots__ = ()


class ConstantTargetNone(_Null):
    """`zeroinitializer` of a target extension type."""

    __slots__ = ()


class ConstantAggregateZero(_Null):
    """`zeroinitializer` of an array, struct or vector."""

    __slots__ = ()


class UndefValue(_Plain):
    """`undef`: any value of the type, another one at each use."""

    __slots__ = ()


class PoisonValue(UndefValue):
    """`poison`: what an operation gives whose promises were broken."""

    __slots__ = ()


class ConstantDataSequential(ConstantData):
    """An array or vector of plain numbers.

    Attributes:
        elements: the numbers, as unsigned bit patterns.
    """

    __match_args__ = ("elements",)
    __slots__ = ("elements",)

    type: SequentialType

    def __init__(self, type: SequentialType, elements: tuple[int, ...] | bytes) -> None:
        super().__init__(type)
        self.elements = elements

    def __len__(self) -> int:
        return len(self.elements)

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.elements[:8]))
        return f"<{type(self).__name__} {self.type} [{shown}{', ...' if len(self.elements) > 8 else ''}]>"


class ConstantDataArray(ConstantDataSequential):
    """An array of plain numbers; of `i8` `elements` is `bytes`."""

    __slots__ = ()
    type: ArrayType


class ConstantDataVector(ConstantDataSequential):
    """A vector of plain numbers."""

    __slots__ = ()
    type: VectorType


class ConstantWithOperands(Constant):
    """A constant made of others."""

    __slots__ = ("_key", "_table")

    _table: ConstantTable
    _key: Hashable

    def __init__(self, type: Type, operands: Sequence[Value], table: ConstantTable) -> None:
        super().__init__(type, list(operands))
        self._table = table

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same constant of other operands."""
        raise NotImplementedError

    def _with_operand_replaced(self, old: Value, new: Value) -> Value:
        operands = [new if operand is old else operand for operand in self._operands]
        self._table.forget(self._key)
        self._drop_operands()
        return self.rebuilt(operands, self._table)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type}, {len(self._operands)} operands>"


class ConstantAggregate(ConstantWithOperands):
    """An array, struct or vector that is not plain numbers alone; its operands are its elements."""

    __match_args__ = ("operands",)
    __slots__ = ()

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return an aggregate of the same type with these elements."""
        return table.aggregate(self.type, cast("Sequence[Constant]", operands))


class ConstantArray(ConstantAggregate):
    """An array."""

    __slots__ = ()
    type: ArrayType


class ConstantStruct(ConstantAggregate):
    """A struct."""

    __slots__ = ()
    type: StructType


class ConstantVector(ConstantAggregate):
    """A vector."""

    __slots__ = ()
    type: VectorType


class ConstantExpr(ConstantWithOperands):
    """An operation on constants that is left to the linker or loader.

    Attributes:
        opcode: as text spells it.
    """

    __slots__ = ("opcode",)

    def __init__(self, opcode: str, type: Type, operands: Sequence[Value], table: ConstantTable) -> None:
        super().__init__(type, operands, table)
        self.opcode = opcode

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.opcode} {self.type}>"


class ConstantCast(ConstantExpr):
    """A cast: `trunc`, `ptrtoint`, `ptrtoaddr`, `inttoptr`, `bitcast`, `addrspacecast`."""

    __match_args__ = ("opcode", "operand", "type")
    __slots__ = ()

    @property
    def operand(self) -> Constant:
        """What is cast."""
        return cast("Constant", self._operands[0])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same cast of another operand."""
        return table.cast(self.opcode, cast("Constant", operands[0]), self.type)


class ConstantBinary(ConstantExpr):
    """An operation on two integers: `add`, `sub`, `xor`."""

    __match_args__ = ("opcode", "lhs", "rhs")
    __slots__ = ("flags",)

    def __init__(self, opcode: str, lhs: Constant, rhs: Constant, flags: IntegerFlags, table: ConstantTable) -> None:
        super().__init__(opcode, lhs.type, (lhs, rhs), table)
        self.flags = flags

    @property
    def lhs(self) -> Constant:
        """Left-hand side."""
        return cast("Constant", self._operands[0])

    @property
    def rhs(self) -> Constant:
        """Right-hand side."""
        return cast("Constant", self._operands[1])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same operation on other operands."""
        return table.binary(self.opcode, cast("Constant", operands[0]), cast("Constant", operands[1]), self.flags)


class ConstantGetElementPtr(ConstantExpr):
    """Address arithmetic.

    Attributes:
        source_element_type: what the pointer is taken to point to.
        flags: what it promises.
        in_range: bytes around the result that may be accessed through it, None if all.
    """

    __match_args__ = ("source_element_type", "pointer", "indices")
    __slots__ = ("flags", "in_range", "source_element_type")

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
    def pointer(self) -> Constant:
        """What it starts from."""
        return cast("Constant", self._operands[0])

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

    @property
    def vector(self) -> Constant:
        """The vector."""
        return cast("Constant", self._operands[0])

    @property
    def index(self) -> Constant:
        """Which element."""
        return cast("Constant", self._operands[1])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of other operands."""
        return table.extract_element(*cast("Sequence[Constant]", operands))


class ConstantInsertElement(ConstantExpr):
    """A vector with one element replaced."""

    __match_args__ = ("vector", "element", "index")
    __slots__ = ()

    @property
    def vector(self) -> Constant:
        """The vector."""
        return cast("Constant", self._operands[0])

    @property
    def element(self) -> Constant:
        """The new element."""
        return cast("Constant", self._operands[1])

    @property
    def index(self) -> Constant:
        """Which element."""
        return cast("Constant", self._operands[2])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of other operands."""
        return table.insert_element(*cast("Sequence[Constant]", operands))


class ConstantShuffleVector(ConstantExpr):
    """Elements of two vectors, in any order.

    Attributes:
        mask: for each element of the result its index in both vectors together, -1 for poison.
    """

    __match_args__ = ("lhs", "rhs", "mask")
    __slots__ = ("mask",)

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

    @property
    def lhs(self) -> Constant:
        """The first vector."""
        return cast("Constant", self._operands[0])

    @property
    def rhs(self) -> Constant:
        """The second vector."""
        return cast("Constant", self._operands[1])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of other operands."""
        return table.shuffle_vector(cast("Constant", operands[0]), cast("Constant", operands[1]), self.mask)


class BlockAddress(ConstantWithOperands):
    """The address of a basic block, for `indirectbr` and `callbr`."""

    __match_args__ = ("function", "block")
    __slots__ = ()

    @property
    def function(self) -> Function:
        """The function that the block is in."""
        return cast("Function", self._operands[0])

    @property
    def block(self) -> BasicBlock:
        """The block."""
        return cast("BasicBlock", self._operands[1])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the address of another block."""
        return table.block_address(cast("Function", operands[0]), cast("BasicBlock", operands[1]))


class DSOLocalEquivalent(ConstantWithOperands):
    """A function that does what another does, in this shared object."""

    __match_args__ = ("global_value",)
    __slots__ = ()

    @property
    def global_value(self) -> GlobalValue:
        """The function."""
        return cast("GlobalValue", self._operands[0])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of another function."""
        return table.dso_local_equivalent(cast("GlobalValue", operands[0]))


class NoCFIValue(ConstantWithOperands):
    """A function itself, not the jump table that stands for it under control-flow integrity."""

    __match_args__ = ("global_value",)
    __slots__ = ()

    @property
    def global_value(self) -> GlobalValue:
        """The function."""
        return cast("GlobalValue", self._operands[0])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of another function."""
        return table.no_cfi(cast("GlobalValue", operands[0]))


class ConstantPtrAuth(ConstantWithOperands):
    """A signed pointer: operands are pointer, key, discriminator, address discriminator, deactivation symbol."""

    __match_args__ = ("pointer", "key", "discriminator", "address_discriminator", "deactivation_symbol")
    __slots__ = ()

    @property
    def pointer(self) -> Constant:
        """What is signed."""
        return cast("Constant", self._operands[0])

    @property
    def key(self) -> ConstantInt:
        """Which key."""
        return cast("ConstantInt", self._operands[1])

    @property
    def discriminator(self) -> ConstantInt:
        """A number mixed in."""
        return cast("ConstantInt", self._operands[2])

    @property
    def address_discriminator(self) -> Constant:
        """An address mixed in, null if none."""
        return cast("Constant", self._operands[3])

    @property
    def deactivation_symbol(self) -> Constant:
        """A symbol that can turn signing off, null if none."""
        return cast("Constant", self._operands[4])

    def rebuilt(self, operands: Sequence[Value], table: ConstantTable) -> Constant:
        """Return the same of other operands."""
        return table.ptr_auth(*cast("Sequence[Constant]", operands))


class InlineAsm(Value):
    """Assembly text where a callee stands.

    Attributes:
        function_type: what a call of it takes and returns.
        assembly: the text.
        constraints: how operands are passed.
    """

    __match_args__ = ("assembly", "constraints")
    __slots__ = (
        "assembly",
        "can_unwind",
        "constraints",
        "function_type",
        "has_side_effects",
        "is_align_stack",
        "is_intel_dialect",
    )

    def __init__(
        self,
        pointer_type: PointerType,
        function_type: FunctionType,
        assembly: str,
        constraints: str,
        *,
        has_side_effects: bool = False,
        is_align_stack: bool = False,
        is_intel_dialect: bool = False,
        can_unwind: bool = False,
    ) -> None:
        super().__init__(pointer_type)
        self.function_type = function_type
        self.assembly = assembly
        self.constraints = constraints
        self.has_side_effects = has_side_effects
        self.is_align_stack = is_align_stack
        self.is_intel_dialect = is_intel_dialect
        self.can_unwind = can_unwind

    def __repr__(self) -> str:
        return f"<InlineAsm {self.assembly!r} {self.constraints!r}>"

"""Constants.  Equal constants of one `Context` are one object; `ConstantTable` makes them.

Rules: LLVM Language Reference, "Constants"; docs/reference/records.md, 6.
"""

from __future__ import annotations

from struct import unpack
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from bitcodec.ir.assignments import FlagAccess
from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.uses import UNTRACKED, NoUses
from bitcodec.ir.values import User, Value
from bitcodec.tables.instruction_flags import NO_ASM_FLAGS, AsmFlags

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

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

__all__ = [
    "Constant",
    "ConstantAggregate",
    "ConstantAggregateZero",
    "ConstantArray",
    "ConstantData",
    "ConstantDataArray",
    "ConstantDataSequential",
    "ConstantDataVector",
    "ConstantFP",
    "ConstantInt",
    "ConstantPointerNull",
    "ConstantStruct",
    "ConstantTargetNone",
    "ConstantTokenNone",
    "ConstantVector",
    "ConstantWithOperands",
    "InlineAsm",
    "PoisonValue",
    "UndefValue",
    "outside_user",
    "remove_dead_constant_users",
    "signed_of",
    "unsigned_of",
    "users_not_kept",
]


class Constant(User):
    """A value that is known before the program runs."""

    __slots__ = ()

    _is_nameless = True

    @property
    def is_null(self) -> bool:
        """Whether all its bits are zero."""
        return False

    def __bytes__(self) -> bytes:
        raise TypeError(f"{self!r} is not an array of i8")

    def remove_dead_constant_users(self) -> None:
        """Remove unused constants that use this one."""
        remove_dead_constant_users([self])

    def _check_operand(self, _old: Value, new: Value) -> None:
        if not isinstance(new, Constant):
            raise TypeError(f"{self!r} cannot hold {new!r}: expected a constant")


def users_not_kept(value: Value) -> TypeError:
    """Return the error for a value whose users, as in LLVM, are not tracked: they may be in many modules."""
    return TypeError(f"users of {value!r} are not kept: it belongs to no module")


class ConstantData(Constant):
    """A constant without operands; its users are not tracked."""

    __slots__ = ()

    _UNTRACKED: ClassVar[NoUses] = UNTRACKED

    def __init__(self, type: Type) -> None:
        self.type = type
        self._name = ""
        self._uses = self._UNTRACKED
        self._as_metadata = None
        self._operands = ()

    @property
    def is_used(self) -> bool:
        """Not known, so possibly."""
        return True

    def _read_users(self) -> None:
        raise users_not_kept(self)


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

    def __int__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"<ConstantInt {self.type.brief} {decimal_text(self.value)}>"


def unsigned_of(value: object, otherwise: int = 0) -> int:
    """Return the bits of a constant integer as an unsigned number, `otherwise` for another value."""
    return value.unsigned if isinstance(value, ConstantInt) else otherwise


def signed_of(value: object) -> int:
    """Return the number of a constant integer, 0 for another value."""
    return value.signed if isinstance(value, ConstantInt) else 0


class ConstantFP(ConstantData):
    """A floating-point number.

    Attributes:
        bits: its bit pattern, as wide as the type.
    """

    __match_args__ = ("value",)
    __slots__ = ("bits",)

    type: FloatingPointType

    def __init__(self, type: FloatingPointType, bits: int) -> None:
        super().__init__(type)
        self.bits = bits

    @property
    def value(self) -> float:
        """The number nearest to it that Python has: itself, unless the type is wider than `double`."""
        from bitcodec.ir.floating_point import FORMATS, format_of  # noqa: PLC0415 - few ask, and fractions take long

        bits = FORMATS["double"].converted(self.bits, format_of(self.type))
        return cast("float", unpack("<d", bits.to_bytes(8, "little"))[0])

    @property
    def is_null(self) -> bool:
        """Whether it is zero, and positive."""
        return self.bits == 0

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"<ConstantFP {self.type.brief} 0x{self.bits:0{self.type.bit_width // 4}X}>"


class _Plain(ConstantData):
    """A constant that its type gives whole."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type.brief}>"


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
    """`zeroinitializer` of an array, struct or vector; `bytes` returns the bytes of an array of `i8`."""

    __slots__ = ()

    def __bytes__(self) -> bytes:
        from bitcodec.ir.types import ArrayType, IntegerType  # noqa: PLC0415 - few need it

        type_ = self.type
        element = type_.element_type if isinstance(type_, ArrayType) else None
        if isinstance(type_, ArrayType) and isinstance(element, IntegerType) and element.bit_width == 8:
            return bytes(type_.count)
        return super().__bytes__()


class UndefValue(_Plain):
    """`undef`: any value of the type, another one at each use."""

    __slots__ = ()


class PoisonValue(UndefValue):
    """`poison`: the result of an operation whose flags were violated."""

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
        return f"<{type(self).__name__} {self.type.brief} [{shown}{', ...' if len(self.elements) > 8 else ''}]>"


class ConstantDataArray(ConstantDataSequential):
    r"""An array of plain numbers; of `i8` `elements` is `bytes`.

    `bytes` returns the bytes of an array of `i8`:

    >>> module = bitcodec.open("examples/hello.bc")
    >>> bytes(module.global_variables[0].initializer)
    b'Hello, %s!\n\x00'
    """

    __slots__ = ()
    type: ArrayType

    def __bytes__(self) -> bytes:
        return self.elements if isinstance(self.elements, bytes) else super().__bytes__()


class ConstantDataVector(ConstantDataSequential):
    """A vector of plain numbers."""

    __slots__ = ()
    type: VectorType


class ConstantMaker(Protocol):
    """The table that has made a constant."""

    def aggregate(self, type: Type, elements: Sequence[Constant]) -> Constant: ...
    def forget(self, key: Hashable) -> None: ...
    def poison(self, type: Type) -> Constant: ...


class ConstantWithOperands(Constant):
    """A constant with operands.  It is immutable: other operands make another constant."""

    __slots__ = ("_key", "table")

    _is_mutable = False
    _verb = ""
    """The method of a table that makes such a constant of its operands."""
    table: ConstantMaker
    _key: Hashable

    def __init__(self, type: Type, operands: Sequence[Value], table: ConstantMaker) -> None:
        super().__init__(type, operands)
        self.table = table

    def _read_users(self) -> None:
        # Of a constant that holds no global, the users are those that have been read, in all modules of the context.
        named = self._named_part()
        if named is not None:
            named._read_users()

    def _order_users(self) -> None:
        named = self._named_part()
        if named is not None:
            named._order_users()

    def _named_part(self) -> Value | None:
        return next((part for part in _parts(self) if not isinstance(part, ConstantWithOperands)), None)

    def rebuilt(self, operands: Sequence[Value], table: Any) -> Constant:
        """Return the same constant of other operands."""
        made: Constant = getattr(table, self._verb)(*operands)
        return made

    def set_operand(self, index: int, value: Value) -> None:
        """Refuse: it is shared by all those that use it.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"{self!r} cannot have {value!r} for operand {index}: constants never change")

    def _is_made_of(self, part: Value) -> bool:
        return any(found is part for found in _parts(self))

    def _with_operand_replaced(self, old: Value, new: Value) -> Value | None:
        if old not in self._operands:
            return None  # it is gone already, for another of its uses
        operands = [new if operand is old else operand for operand in self._operands]
        self._operands = tuple([operand for operand in self._operands if operand is not old])
        self._let_go()
        return self.rebuilt(operands, self.table)

    def _let_go(self) -> None:
        self.table.forget(self._key)
        self._drop_operands()

    def __repr__(self) -> str:
        count = len(self._operands)
        return f"<{type(self).__name__} {self.type.brief}, {count} operand{'s' * (count != 1)}>"


class ConstantAggregate(ConstantWithOperands):
    """An array, struct or vector that is not plain numbers alone; its operands are its elements."""

    __match_args__ = ("operands",)
    __slots__ = ()

    def rebuilt(self, operands: Sequence[Value], table: ConstantMaker) -> Constant:
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


class InlineAsm(Value):
    """Assembly text in the place of a callee.

    Attributes:
        function_type: the parameter types and return type of a call.
        assembly: the text.
        constraints: how operands are passed.
        flags: its properties.
    """

    __match_args__ = ("assembly", "constraints")
    __slots__ = ("assembly", "constraints", "flags", "function_type")

    _is_nameless = True
    has_side_effects = FlagAccess("has_side_effects", AsmFlags.SIDEEFFECT, "Whether it must stay where it is.")
    is_align_stack = FlagAccess("is_align_stack", AsmFlags.ALIGNSTACK, "Whether it needs an aligned stack.")
    is_intel_dialect = FlagAccess("is_intel_dialect", AsmFlags.INTELDIALECT, "Whether it is in Intel's syntax.")
    can_unwind = FlagAccess("can_unwind", AsmFlags.UNWIND, "Whether an exception can leave it.")

    def __init__(
        self,
        pointer_type: PointerType,
        function_type: FunctionType,
        assembly: str,
        constraints: str,
        flags: AsmFlags = NO_ASM_FLAGS,
    ) -> None:
        super().__init__(pointer_type)
        self.function_type = function_type
        self.assembly = assembly
        self.constraints = constraints
        self.flags = flags

    def __repr__(self) -> str:
        return f"<InlineAsm {self.assembly!r} {self.constraints!r}>"


def outside_user(values: Iterable[Value], is_inside: Callable[[User, Value], bool]) -> User | None:
    """Return a user of one of the values, or of a constant that uses them, that is not inside; None if all are."""
    pending = list(values)
    seen = set(pending)
    while pending:
        value = pending.pop()
        value._read_users()
        for user in tuple(value._uses):
            if isinstance(user, ConstantWithOperands):
                if user not in seen:
                    seen.add(user)
                    pending.append(user)
            elif not is_inside(user, value):
                return user
    return None


def remove_dead_constant_users(values: Iterable[Value]) -> None:
    """Remove unused constants that use these values."""
    users: dict[ConstantWithOperands, None] = {}
    pending = list(values)
    while pending:
        for user in pending.pop()._uses:
            if isinstance(user, ConstantWithOperands) and user not in users:
                users[user] = None
                pending.append(user)
    dead = [user for user in users if not user._uses]
    while dead:
        constant = dead.pop()
        parts = dict.fromkeys(constant._operands)
        constant._let_go()
        if constant._as_metadata is not None:
            constant._as_metadata._value_erased(constant.table.poison(constant.type))
        dead += [part for part in parts if part in users and not part._uses]


def _parts(constant: ConstantWithOperands) -> Iterator[Value]:
    """Yield the constants with operands, globals and blocks that a constant uses, each once."""
    pending: list[ConstantWithOperands] = [constant]
    seen: set[Value] = set()
    while pending:
        for operand in pending.pop()._operands:
            if isinstance(operand, ConstantData) or operand in seen:
                continue
            seen.add(operand)
            yield operand
            if isinstance(operand, ConstantWithOperands):
                pending.append(operand)

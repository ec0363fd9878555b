"""Conversions.  Rules: LLVM Language Reference, "Conversion Operations"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import FLOATS, INTEGERS, POINTERS
from bitcodec.builder.words import fast_math_flags, flags_of
from bitcodec.ir.cast_rules import CAST_RULES, is_bitcast
from bitcodec.ir.instructions import Cast
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.tables.instruction_flags import NO_CAST_FLAGS, NO_FAST_MATH, CastFlags

if TYPE_CHECKING:
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = ["CastBuilder"]


_WORDS: dict[type[Type], str] = {
    IntegerType: INTEGERS.words,
    FloatingPointType: FLOATS.words,
    PointerType: POINTERS.words,
}


class CastBuilder(Inserter):
    """Makes conversions of values, and of vectors of them, element by element."""

    __slots__ = ()

    def trunc(self, operand: Value, type: Type, *, nuw: bool = False, nsw: bool = False, name: str = "") -> Cast:
        """Return an integer cut off to a narrower type."""
        return self._cast("trunc", operand, type, name, flags_of(CastFlags, nuw=nuw, nsw=nsw))

    def zext(self, operand: Value, type: Type, *, nneg: bool = False, name: str = "") -> Cast:
        """Return an integer widened with zeros."""
        return self._cast("zext", operand, type, name, flags_of(CastFlags, nneg=nneg))

    def sext(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return an integer widened with its sign."""
        return self._cast("sext", operand, type, name)

    def fptoui(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return a floating-point number as an unsigned integer, rounded towards zero."""
        return self._cast("fptoui", operand, type, name)

    def fptosi(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return a floating-point number as a signed integer, rounded towards zero."""
        return self._cast("fptosi", operand, type, name)

    def uitofp(
        self,
        operand: Value,
        type: Type,
        *,
        nneg: bool = False,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> Cast:
        """Return an unsigned integer as a floating-point number."""
        return self._cast("uitofp", operand, type, name, flags_of(CastFlags, nneg=nneg), fast_math=fast_math)

    def sitofp(
        self, operand: Value, type: Type, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> Cast:
        """Return a signed integer as a floating-point number."""
        return self._cast("sitofp", operand, type, name, fast_math=fast_math)

    def fptrunc(
        self, operand: Value, type: Type, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> Cast:
        """Return a floating-point number rounded to a narrower type."""
        return self._cast("fptrunc", operand, type, name, fast_math=fast_math)

    def fpext(
        self, operand: Value, type: Type, *, fast_math: FastMathFlags | str = NO_FAST_MATH, name: str = ""
    ) -> Cast:
        """Return a floating-point number widened."""
        return self._cast("fpext", operand, type, name, fast_math=fast_math)

    def ptrtoint(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return a pointer as an integer."""
        return self._cast("ptrtoint", operand, type, name)

    def ptrtoaddr(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return the address that a pointer holds, as an integer; its provenance does not escape."""
        return self._cast("ptrtoaddr", operand, type, name)

    def inttoptr(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return an integer as a pointer."""
        return self._cast("inttoptr", operand, type, name)

    def bitcast(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return the same bits as a value of another type."""
        return self._cast("bitcast", operand, type, name)

    def addrspacecast(self, operand: Value, type: Type, *, name: str = "") -> Cast:
        """Return a pointer as one into another address space."""
        return self._cast("addrspacecast", operand, type, name)

    def _cast(
        self,
        opcode: str,
        operand: Value,
        type: Type,
        name: str,
        flags: CastFlags = NO_CAST_FLAGS,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
    ) -> Cast:
        value = self._value(operand, opcode, "operand")
        _check(opcode, value.type, type)
        return self.insert(Cast(opcode, value, type, flags=flags, fast_math=fast_math_flags(fast_math)), name)


def _check(opcode: str, source: Type, target: Type) -> None:
    rule = CAST_RULES.get(opcode)
    if rule is None:
        if not is_bitcast(source, target):
            raise TypeError(f"{opcode} goes between types of one size, not from {source.brief} to {target.brief}")
    elif not rule.allows(source, target):
        wanted = f"{rule.change} {_WORDS[rule.target]}".lstrip()
        raise TypeError(
            f"{opcode} goes from {_WORDS[rule.source]} to {wanted}, not from {source.brief} to {target.brief}"
        )
    elif opcode == "addrspacecast" and source is target:
        raise TypeError(f"addrspacecast goes to another address space, not from {source.brief} to itself")

"""`atomicrmw` that changes one bit, where that bit is everything that is requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import BinaryOperator, ICmp
from bitcodec.ir.type_properties import scalar_width
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import AtomicRMWOperation, ICmpPredicate
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.instructions import AtomicRMW
    from bitcodec.ir.values import User, Value

__all__ = ["expand_bit_test"]

_Op = AtomicRMWOperation

_NAMES: Mapping[AtomicRMWOperation, str] = {
    _Op.OR: "llvm.x86.atomic.bts",
    _Op.XOR: "llvm.x86.atomic.btc",
    _Op.AND: "llvm.x86.atomic.btr",
}
_BYTE = 8
_EQUALITY = frozenset({ICmpPredicate.EQ, ICmpPredicate.NE})


class _Bit(NamedTuple):
    """A number that has one bit, or lacks one.

    Attributes:
        position: the value that specifies which, None for a number that is known.
        mask: the bit, of a number that is known.
        is_missing: whether it has all others.
    """

    position: Value | None
    mask: int
    is_missing: bool


def expand_bit_test(rmw: AtomicRMW) -> bool:
    """Replace an instruction, and the `and` behind it, by an intrinsic that gives the bit, if that is possible."""
    users = rmw.users
    bit = _single_bit(rmw.value)
    if bit is None or len(users) != 1 or scalar_width(rmw.type) == _BYTE:
        return False
    user = users[0]
    if not isinstance(user, BinaryOperator) or user.opcode != "and" or user.parent is not rmw.parent:
        return False
    tested = _single_bit(user.rhs if user.lhs is rmw else user.lhs)
    if tested is None or tested.is_missing or bit.is_missing is not (rmw.operation is _Op.AND):
        return False
    if (tested.position, tested.mask) != (bit.position, bit.mask):
        return False
    builder = ReplacementBuilder(rmw, is_plain=True)
    result = _known(builder, rmw, bit.mask) if bit.position is None else _shifted(builder, rmw, user, bit.position)
    replace_and_erase(user, result)
    rmw.erase_from_parent()
    return True


def _single_bit(value: Value) -> _Bit | None:
    """Return the single bit that a number has or lacks: a constant one, or one shifted by another number."""
    if isinstance(value, ConstantInt):
        every = (1 << value.type.bit_width) - 1
        for bits, is_missing in ((value.unsigned, False), (value.unsigned ^ every, True)):
            if bits and not bits & (bits - 1):
                return _Bit(None, bits, is_missing)
        return None
    inverted = _inverted(value)
    match value if inverted is None else inverted:
        case BinaryOperator("shl", ConstantInt(1), position):
            return _Bit(position, 0, inverted is not None)
    return None


def _inverted(value: Value) -> Value | None:
    """Return the number whose bits all are inverted."""
    match value:
        case BinaryOperator("xor", other, ConstantInt(-1)) | BinaryOperator("xor", ConstantInt(-1), other):
            return other
        case BinaryOperator("sub", ConstantInt(-1), other):
            return other
    return None


def _known(builder: ReplacementBuilder, rmw: AtomicRMW, mask: int) -> Value:
    position = builder.constants.integer(builder.integer(_BYTE), mask.bit_length() - 1)
    address = builder.plain_address(rmw.pointer)
    return builder.intrinsic(builder.reuse.overloaded(_NAMES[rmw.operation], rmw.type), rmw.type, [address, position])


def _shifted(builder: ReplacementBuilder, rmw: AtomicRMW, user: BinaryOperator, position: Value) -> Value:
    """Return the bit at a position that is computed; down at bit 0 if it is only compared with zero."""
    width = builder.module.data_layout.size_in_bits(rmw.type)
    address = builder.plain_address(rmw.pointer)
    inside = builder.binary("and", position, width - 1)
    called = builder.reuse.overloaded(f"{_NAMES[rmw.operation]}.rm", rmw.type)
    bit = builder.intrinsic(called, builder.integer(_BYTE), [address, inside])
    result = builder.cast("zext", bit, rmw.type)
    return result if all(map(_is_zero_test, user.users)) else builder.binary("shl", result, inside)


def _is_zero_test(user: User) -> bool:
    if not isinstance(user, ICmp) or user.predicate not in _EQUALITY:
        return False
    return any(isinstance(operand, ConstantInt) and operand.value == 0 for operand in user.operands)

"""Accesses of parts of a word, on targets that access whole words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import IntegerType, PointerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import IntegerFlags
from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.access import Access
from bitcodec.transforms.atomic_expand.linked import linked_loop
from bitcodec.transforms.atomic_expand.loops import cmpxchg_loop, exchanged
from bitcodec.transforms.atomic_expand.operations import new_value
from bitcodec.transforms.atomic_expand.replacing import (
    BareBuilder,
    ReplacementBuilder,
    keep_metadata,
    replace_and_erase,
)

if TYPE_CHECKING:
    from bitcodec.ir.instructions import AtomicRMW
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["LOGIC", "WordPart", "expand_part", "part_of_word", "shifted_value", "widened"]

_Op = AtomicRMWOperation

LOGIC = frozenset({_Op.AND, _Op.OR, _Op.XOR})
"""Operations that leave the rest of a word alone, given the right operand."""
_IN_PLACE = frozenset({_Op.XCHG, _Op.ADD, _Op.SUB, _Op.NAND})
"""Operations that are done on the whole word, with an operand that is shifted."""
_BITS = 8


class WordPart(NamedTuple):
    """Place of a value in a word.

    Attributes:
        type: of the value.
        bits: the integer type of its width.
        word: the type of the word; the value's if it needs no wider one.
        pointer: address of the word.
        alignment: of that address, in bytes.
        shift: distance of the value from the word's least significant bits.
        mask: the bits of the value.
        rest: all other bits.
    """

    type: Type
    bits: Type
    word: Type
    pointer: Value
    alignment: int
    shift: Value
    mask: Value
    rest: Value

    def extracted(self, builder: ReplacementBuilder, word: Value) -> Value:
        """Return the value in a word."""
        if self.word is self.type:
            return word
        shifted = builder.binary("lshr", word, self.shift, "shifted")
        return builder.cast("bitcast", builder.cast("trunc", shifted, self.bits, "extracted"), self.type)

    def inserted(self, builder: ReplacementBuilder, word: Value, value: Value) -> Value:
        """Return a word with another value in it."""
        if self.word is self.type:
            return value
        bits = builder.cast("bitcast", value, self.bits)
        shifted = builder.binary(
            "shl", builder.cast("zext", bits, self.word, "extended"), self.shift, "shifted", IntegerFlags.NUW
        )
        return builder.binary("or", builder.binary("and", word, self.rest, "unmasked"), shifted, "inserted")


def part_of_word(builder: ReplacementBuilder, type: Type, pointer: Value, alignment: int, least: int) -> WordPart:
    """Compute where in a word of at least so many bits a value of a type is."""
    layout, constants = builder.module.data_layout, builder.constants
    size, word_size = layout.store_size(type), least // _BITS
    if word_size <= size:
        whole, none = constants.null(type), constants.poison(type)
        return WordPart(type, type, type, pointer, alignment, whole, none, none)
    bits = type if isinstance(type, IntegerType) else builder.integer(layout.size_in_bits(type))
    word = builder.integer(least)
    index = builder.integer(layout.pointer(_space(pointer)).index_width)
    low_bits: Value = constants.null(index)
    aligned = pointer
    if alignment < word_size:
        mask = constants.integer(index, -word_size)
        called = builder.reuse.overloaded("llvm.ptrmask", pointer.type, index)
        aligned = builder.intrinsic(called, pointer.type, [pointer, mask], name="AlignedAddr")
        low_bits = builder.binary("and", builder.cast("ptrtoint", pointer, index), word_size - 1, "PtrLSB")
    if layout.is_big_endian:
        low_bits = builder.binary("xor", low_bits, word_size - size)
    shift = builder.cast("trunc", builder.binary("shl", low_bits, 3), word, "ShiftAmt")
    ones = constants.integer(word, (1 << size * _BITS) - 1)
    value_mask = builder.binary("shl", ones, shift, "Mask")
    rest = builder.invert(value_mask, "Inv_Mask")
    return WordPart(type, bits, word, aligned, word_size, shift, value_mask, rest)


def shifted_value(builder: ReplacementBuilder, part: WordPart, value: Value, *, is_signed: bool = False) -> Value:
    """Return a value where it is in the word."""
    bits = builder.cast("bitcast", value, part.bits)
    extended = builder.cast("sext" if is_signed else "zext", bits, part.word)
    return builder.binary("shl", extended, part.shift, "ValOperand_Shifted")


def _new_word(
    builder: ReplacementBuilder,
    operation: AtomicRMWOperation,
    part: WordPart,
    word: Value,
    value: Value,
    shifted: Value | None,
) -> Value:
    """Return the word after an operation on the value in it.

    Args:
        builder: makes the steps.
        operation: the operation; not in `LOGIC`.
        part: where the value is.
        word: the word before.
        value: the operand.
        shifted: the operand where it is in the word, if the operation is done there.
    """
    if shifted is None:
        return part.inserted(builder, word, new_value(builder, operation, part.extracted(builder, word), value))
    if operation is _Op.XCHG:
        return builder.binary("or", builder.binary("and", word, part.rest), shifted)
    changed = builder.binary("and", new_value(builder, operation, word, shifted), part.mask)
    return builder.binary("or", builder.binary("and", word, part.rest), changed)


def widened(rmw: AtomicRMW, least: int, *, by_target: bool = False) -> AtomicRMW:
    """Return the `atomicrmw` of a word that takes the place of one of `LOGIC`; it is not volatile, as in LLVM.

    Args:
        rmw: the instruction.
        least: the width of a word.
        by_target: whether the target itself widens it: without metadata, and whatever the alignment is.
    """
    builder = BareBuilder(rmw) if by_target else ReplacementBuilder(rmw)
    part = part_of_word(builder, rmw.type, rmw.pointer, 1 if by_target else rmw.alignment, least)
    value = shifted_value(builder, part, rmw.value)
    if rmw.operation is _Op.AND:
        value = builder.binary("or", value, part.rest, "AndOperand")
    made = builder.atomicrmw(
        rmw.operation,
        part.pointer,
        value,
        alignment=part.alignment,
        ordering=rmw.ordering,
        sync_scope=rmw.sync_scope,
    )
    if not by_target:
        keep_metadata(made, rmw)
    replace_and_erase(rmw, part.extracted(builder, made))
    return made


def expand_part(rmw: AtomicRMW, least: int, linked: AtomicTarget | None = None) -> None:
    """Replace an `atomicrmw` that is not one of `LOGIC` by a loop over words.

    Args:
        rmw: the instruction.
        least: the width of a word.
        linked: the target for a loop of load-linked and store-conditional, None for one of `cmpxchg`.
    """
    builder = ReplacementBuilder(rmw)
    part = part_of_word(builder, rmw.type, rmw.pointer, rmw.alignment, least)
    shifted = shifted_value(builder, part, rmw.value) if rmw.operation in _IN_PLACE else None

    def changed(word: Value) -> Value:
        return _new_word(builder, rmw.operation, part, word, rmw.value, shifted)

    if linked is not None:
        loaded = linked_loop(builder, linked, part.word, part.pointer, rmw.ordering, changed)
    else:
        access = Access.of(rmw)._replace(pointer=part.pointer, alignment=part.alignment)
        loaded = cmpxchg_loop(builder, part.word, access, changed, exchanged).loaded
    replace_and_erase(rmw, part.extracted(builder, loaded))


def _space(pointer: Value) -> int:
    """Return the address space that a pointer points into."""
    assert isinstance(pointer.type, PointerType)  # noqa: S101 - everything that is accessed has an address
    return pointer.type.address_space

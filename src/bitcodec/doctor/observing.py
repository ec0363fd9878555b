"""Finding the constructs of a file that readers differ in: from records to keys of the table of rules.

Only records in the file are examined: an opened module is already upgraded.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.attributes import AttributeTag
from bitcodec.bitcode.schema.blocks import (
    BlockId,
    ConstantsCode,
    FunctionCode,
    GlobalValueSummaryCode,
    IdentificationCode,
    MetadataCode,
    ModuleCode,
    ParamattrGroupCode,
    TypeCode,
)
from bitcodec.bitcode.schema.globals import GLOBAL_RECORDS, NAME_SIZE
from bitcodec.bitcode.schema.instructions import (
    ALIGNMENT_HIGH_SHIFT,
    ALLOCA_ALIGNMENT_LOW_MASK,
    ALLOCA_EXPLICIT_TYPE,
    ATOMIC_ELEMENTWISE,
    CALL_EXPLICIT_TYPE_BIT,
    CALL_FAST_MATH_BIT,
    METADATA_INPUT,
)
from bitcodec.bitcode.schema.node_versions import NODE_VERSIONS
from bitcodec.doctor.flags import FLAG_OBSERVERS
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.places import after_value, place_of
from bitcodec.tables.attributes import HIGHEST_NUMBERS, KINDS_BY_NUMBER, AttributeValue
from bitcodec.tables.globals import FIELDS
from bitcodec.tables.instruction_flags import FAST_MATH_FLAGS, fast_math_by_number
from bitcodec.tables.opcodes import CASTS, ICmpPredicate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.bitcode.schema.codes import NamedCode

    Observe = Callable[[Sequence[int]], Iterable[Key]]

__all__ = ["OBSERVERS", "UNKNOWN_CODES"]

_SMALLEST_HUGE_ALIGNMENT = 31
"""Encoded: an alignment of 2**30 bytes."""
_NEWER_CASTS = frozenset(number for number, row in enumerate(CASTS) if row.since)


_key = lru_cache(maxsize=1024)(Key)
"""Returns a key; to make one again takes longer than to find it."""


def _always(kind: ConstructKind, code: int) -> Observe:
    """Return a function that yields the key of every record with a code."""
    keys = (Key(kind, code),)
    return lambda _: keys


_WORD_MASK, _WITH_STRING_TABLE = 0xFFFF_FFFF, 2


def _epoch(operands: Sequence[int]) -> Iterator[Key]:
    # Readers take 32 bits of it.
    if operands and operands[0] & _WORD_MASK:
        yield Key(ConstructKind.EPOCH, operands[0] & _WORD_MASK)


def _module_version(operands: Sequence[int]) -> Iterator[Key]:
    # Readers take 32 bits of it.
    if operands and operands[0] & _WORD_MASK >= _WITH_STRING_TABLE:
        yield Key(ConstructKind.MODULE_VERSION, operands[0] & _WORD_MASK)


def _data_layout(operands: Sequence[int]) -> Iterator[Key]:
    text = bytes(operand & 0xFF for operand in operands).decode("latin-1")
    for part in text.split("-"):
        if part and part[0] in _LAYOUT_LETTERS:
            yield Key(ConstructKind.LAYOUT, _LAYOUT_LETTERS.index(part[0]))
        elif part in _MANGLINGS:
            yield Key(ConstructKind.MANGLING, _MANGLINGS.index(part))


_LAYOUT_LETTERS = "FGPA"
_MANGLINGS = ("m:a", "m:l")


def _of_global_variable(operands: Sequence[int]) -> Iterator[Key]:
    if len(operands) > _ALIGNMENT and operands[_ALIGNMENT] >= _SMALLEST_HUGE_ALIGNMENT:
        yield Key(ConstructKind.ALIGNMENT, 0)


# All files with newer fields or larger alignments have a string table.
_ALIGNMENT = NAME_SIZE + 4


def _ignored_fields() -> Iterator[tuple[int, Observe]]:
    """Yield codes of records with fields that older versions ignore, and functions that yield keys of these."""
    for code, record in GLOBAL_RECORDS.items():
        fields = [(number, field, getattr(field, record)) for number, field in enumerate(FIELDS) if field.ignored]
        masks = [
            (NAME_SIZE + place, 1 << field.bit[1] if field.bit else -1, Key(ConstructKind.GLOBAL_FIELD, number))
            for number, field, place in fields
            if place is not None
        ]
        if masks:
            other = _of_global_variable if code == ModuleCode.GLOBALVAR else (lambda _: ())
            yield code, partial(_masked, masks, other)


def _masked(masks: Iterable[tuple[int, int, Key]], other: Observe, operands: Sequence[int]) -> Iterator[Key]:
    yield from other(operands)
    for place, mask, key in masks:
        if len(operands) > place and operands[place] & mask:
            yield key


def _vector(operands: Sequence[int]) -> Iterator[Key]:
    if len(operands) > _SCALABLE and operands[_SCALABLE]:
        yield Key(ConstructKind.SCALABLE_VECTOR, 0)


_SCALABLE = 2


def _constant_cast(operands: Sequence[int]) -> Iterator[Key]:
    if operands and operands[0] in _NEWER_CASTS:
        yield Key(ConstructKind.CONSTANT_CAST, operands[0])


def _summary_version(operands: Sequence[int]) -> Iterator[Key]:
    if operands:
        yield Key(ConstructKind.SUMMARY, operands[0])


def _cast(operands: Sequence[int]) -> Iterator[Key]:
    if len(operands) > _FLAGS_OF_CAST(operands):
        yield _key(ConstructKind.CAST_FLAGS, 0)
    place = _OPCODE_OF_CAST(operands)
    if len(operands) > place and operands[place] in _NEWER_CASTS:
        yield _key(ConstructKind.CAST, operands[place])


_OPCODE_OF_CAST, _FLAGS_OF_CAST = (place_of(FunctionCode.INST_CAST, name) for name in ("opcode", "flags"))


def _compare(operands: Sequence[int]) -> Iterable[Key]:
    place = _FLAGS_OF_COMPARISON(operands)
    # Flags of fcmp are older than those of icmp, whose predicates are the larger numbers.
    has_flags = len(operands) == place + 1 and operands[place - 1] >= _FIRST_ICMP_PREDICATE
    return (_key(ConstructKind.SAME_SIGN, 0),) if has_flags else ()


_FLAGS_OF_COMPARISON = place_of(FunctionCode.INST_CMP2, "flags")
_FIRST_ICMP_PREDICATE = min(predicate.value for predicate in ICmpPredicate)


def _phi(operands: Sequence[int]) -> Iterator[Key]:
    if operands and len(operands) % 2 == 0:
        yield _key(ConstructKind.PHI_FLAGS, 0)
        yield _key(ConstructKind.PHI_TYPE, operands[0])


def _call(operands: Sequence[int]) -> Iterator[Key]:
    if len(operands) > _FAST_MATH and operands[_CALL_FLAGS] & _HAS_FAST_MATH:
        flags = fast_math_by_number("call")[operands[_FAST_MATH]]
        since = min([row.since for row in FAST_MATH_FLAGS if flags & row.member], default=_NEWEST_FAST_MATH)
        if since:
            yield _key(ConstructKind.CALL_FLAGS, since)
        if len(operands) > _CALLED_TYPE and operands[_CALL_FLAGS] & _HAS_CALLED_TYPE:
            yield _key(ConstructKind.CALLED_TYPE, operands[_CALLED_TYPE])


_HAS_FAST_MATH, _HAS_CALLED_TYPE = 1 << CALL_FAST_MATH_BIT, 1 << CALL_EXPLICIT_TYPE_BIT
_NEWEST_FAST_MATH = max(row.since for row in FAST_MATH_FLAGS)
_CALL_FLAGS, _FAST_MATH, _CALLED_TYPE = (
    place_of(FunctionCode.INST_CALL, name)(()) for name in ("flags", "fast_math", "function_type")
)


def _bundle(operands: Sequence[int]) -> Iterator[Key]:
    place = 1
    while place < len(operands):
        if operands[place] & _WORD_MASK == METADATA_INPUT:
            yield _key(ConstructKind.METADATA_INPUT, 0)
            return
        place = after_value(operands, place)


def _operation(number: int) -> Key:
    if number & ATOMIC_ELEMENTWISE and number < 2 * ATOMIC_ELEMENTWISE:
        return _key(ConstructKind.ELEMENTWISE, 0)
    return _key(ConstructKind.ATOMIC_OPERATION, number)


_NEW_OPERATION = place_of(FunctionCode.INST_ATOMICRMW, "operation")
_OLD_OPERATION = place_of(FunctionCode.INST_ATOMICRMW_OLD, "operation")
_ALIGNMENT_OF_OPERATION = place_of(FunctionCode.INST_ATOMICRMW_OLD, "alignment")
_ALIGNMENT_OF_EXCHANGE = place_of(FunctionCode.INST_CMPXCHG, "alignment")


def _new_atomic_operation(operands: Sequence[int]) -> Iterator[Key]:
    yield _key(ConstructKind.INSTRUCTION, FunctionCode.INST_ATOMICRMW)
    place = _NEW_OPERATION(operands)
    if len(operands) > place:
        yield _operation(operands[place])


def _old_atomic_operation(operands: Sequence[int]) -> Iterator[Key]:
    place = _OLD_OPERATION(operands)
    if len(operands) > place:
        yield _operation(operands[place])
    if len(operands) > _ALIGNMENT_OF_OPERATION(operands):
        yield _key(ConstructKind.ATOMIC_ALIGNMENT, 0)


def _compare_exchange(operands: Sequence[int]) -> Iterator[Key]:
    if len(operands) > _ALIGNMENT_OF_EXCHANGE(operands):
        yield _key(ConstructKind.COMPARE_EXCHANGE_ALIGNMENT, 0)


def _alloca(operands: Sequence[int]) -> Iterator[Key]:
    if len(operands) > _ALLOCA_FLAGS:
        flags = operands[_ALLOCA_FLAGS]
        if not flags & ALLOCA_EXPLICIT_TYPE:
            yield _key(ConstructKind.OLD_ALLOCA, 0)
        high = flags >> ALIGNMENT_HIGH_SHIFT & _HIGH_MASK
        if flags & ALLOCA_ALIGNMENT_LOW_MASK | high << 5 >= _SMALLEST_HUGE_ALIGNMENT:
            yield _key(ConstructKind.ALLOCA_ALIGNMENT, 0)


_ALLOCA_FLAGS, _HIGH_MASK = place_of(FunctionCode.INST_ALLOCA, "flags")(()), 7


def _alignment(code: FunctionCode) -> Observe:
    place_of_alignment = place_of(code, "alignment")

    def observe(operands: Sequence[int]) -> Iterable[Key]:
        place = place_of_alignment(operands)
        is_huge = len(operands) > place + 1 and operands[place] >= _SMALLEST_HUGE_ALIGNMENT
        return (_key(ConstructKind.ALIGNMENT, 0),) if is_huge else ()

    return observe


def _subprogram(operands: Sequence[int]) -> Iterator[Key]:
    if operands and operands[0] & _HAS_FLAGS:
        yield _key(ConstructKind.SUBPROGRAM, int(len(operands) > _WITHOUT_UNIT))
    yield _key(ConstructKind.NODE, MetadataCode.SUBPROGRAM, len(operands))


_HAS_FLAGS, _WITHOUT_UNIT = 4, 18


def _node(code: int) -> Observe:
    return lambda operands: (_key(ConstructKind.NODE, code, len(operands)),)


# Attributes


def _attribute_group(operands: Sequence[int]) -> Iterator[Key]:
    place = 2
    while place < len(operands):
        tag = operands[place]
        step = _STEPS.get(tag)
        if step is None:
            kind = operands[place + 1] if place + 1 < len(operands) else 0
            if not 0 < kind <= _NEWEST_OF_LLVM_14:
                yield Key(ConstructKind.UNKNOWN_IN_OTHER_FORM, kind)
            yield Key(ConstructKind.ATTRIBUTE_TAG, tag)
            return
        if tag not in _STRING_TAGS:
            # Behind the end of a record, readers find zeros.
            kind, value = (*operands[place + 1 : place + 3], 0, 0)[:2]
            yield from _attribute(tag, kind, value)
        place = step(operands, place)


_NEWEST_OF_LLVM_14 = HIGHEST_NUMBERS[14]


def _attribute(tag: int, kind: int, value: int) -> Iterator[Key]:
    if tag in _NEW_TAGS:
        yield Key(ConstructKind.ATTRIBUTE_TAG, tag, kind)
    if tag in {AttributeTag.TYPE_UNKNOWN, AttributeTag.TYPE}:
        yield Key(ConstructKind.TYPE_ATTRIBUTE, kind)
    yield Key(ConstructKind.ATTRIBUTE, kind)
    known = KINDS_BY_NUMBER.get(kind)
    # `uwtable` was an enum attribute before LLVM 15.
    if known is not None and kind != _UWTABLE and not {known.value, known.also} & _VALUES[tag]:
        yield Key(_WRONG[tag], tag)
    if tag == AttributeTag.INTEGER and kind == _DEAD_ON_RETURN:
        yield Key(ConstructKind.PARTLY_DEAD, 0)
    if tag == AttributeTag.INTEGER and kind == _UWTABLE:
        yield Key(ConstructKind.UNWIND_TABLE, 0)
    if tag == AttributeTag.INTEGER and kind == _MEMORY and value >> 4 & 3 != value >> 6 & 3 and value >> 56:
        yield Key(ConstructKind.MEMORY, 0)


_UWTABLE, _MEMORY, _DEAD_ON_RETURN = 33, 86, 103
_WRONG: dict[int, ConstructKind] = {
    AttributeTag.ENUM: ConstructKind.NOT_ENUM,
    AttributeTag.INTEGER: ConstructKind.NOT_INTEGER,
    AttributeTag.TYPE_UNKNOWN: ConstructKind.NOT_TYPE,
    AttributeTag.TYPE: ConstructKind.NOT_TYPE,
    AttributeTag.RANGE: ConstructKind.NOT_RANGE,
    AttributeTag.RANGES: ConstructKind.NOT_RANGE,
}
"""By form, the kind of keys for attributes of another form."""
# Types that attributes have now were left out by versions before 13.
_VALUES: dict[int, set[AttributeValue]] = {
    AttributeTag.ENUM: {AttributeValue.FLAG, AttributeValue.TYPE},
    AttributeTag.INTEGER: {AttributeValue.INTEGER},
    AttributeTag.TYPE_UNKNOWN: {AttributeValue.TYPE},
    AttributeTag.TYPE: {AttributeValue.TYPE},
    AttributeTag.RANGE: {AttributeValue.RANGE},
    AttributeTag.RANGES: {AttributeValue.RANGES},
}
_STRING_TAGS = (AttributeTag.STRING, AttributeTag.STRING_WITH_VALUE)
_NEW_TAGS = (AttributeTag.TYPE_UNKNOWN, AttributeTag.TYPE, AttributeTag.RANGE, AttributeTag.RANGES)


def _after_string(operands: Sequence[int], place: int) -> int:
    place += 1
    while place < len(operands) and operands[place]:
        place += 1
    return place + 1


def _after_two_strings(operands: Sequence[int], place: int) -> int:
    return _after_string(operands, _after_string(operands, place) - 1)


def _after_range(operands: Sequence[int], place: int) -> int:
    return _after_bounds(operands, place + 3, operands[place + 2]) if place + 3 < len(operands) else len(operands)


def _after_ranges(operands: Sequence[int], place: int) -> int:
    if place + 4 >= len(operands):
        return len(operands)
    count, width = operands[place + 2], operands[place + 3]
    place += 4
    while count and place < len(operands):
        place, count = _after_bounds(operands, place, width), count - 1
    return place


def _after_bounds(operands: Sequence[int], place: int, width: int) -> int:
    if width <= _WORD or place >= len(operands):
        return place + 2
    words = operands[place]
    return place + 1 + (words & 0xFFFF_FFFF) + (words >> 32)


_WORD = 64
_STEPS: dict[int, Callable[[Sequence[int], int], int]] = {
    AttributeTag.ENUM: lambda _, place: place + 2,
    AttributeTag.INTEGER: lambda _, place: place + 3,
    AttributeTag.STRING: _after_string,
    AttributeTag.STRING_WITH_VALUE: _after_two_strings,
    AttributeTag.TYPE_UNKNOWN: lambda _, place: place + 2,
    AttributeTag.TYPE: lambda _, place: place + 3,
    AttributeTag.RANGE: _after_range,
    AttributeTag.RANGES: _after_ranges,
}

# All of them


def _newer(codes: Iterable[NamedCode]) -> list[NamedCode]:
    """Return the codes that not all versions know."""
    return [code for code in codes if code.since]


def _both(first: Observe, second: Observe) -> Observe:
    return lambda operands: (*first(operands), *second(operands))


def _with_flags(observers: dict[int, Observe]) -> dict[int, Observe]:
    """Return functions that yield the keys of flags, too."""
    for code, observe in FLAG_OBSERVERS.items():
        observers[code] = _both(observers[code], observe) if code in observers else observe
    return observers


OBSERVERS: dict[int, dict[int, Observe]] = {
    BlockId.IDENTIFICATION_BLOCK: {IdentificationCode.EPOCH: _epoch},
    BlockId.MODULE_BLOCK: {
        ModuleCode.VERSION: _module_version,
        ModuleCode.DATALAYOUT: _data_layout,
        ModuleCode.GLOBALVAR: _of_global_variable,
        **dict(_ignored_fields()),
    },
    BlockId.TYPE_BLOCK: {
        TypeCode.VECTOR: _vector,
        **{code: _always(ConstructKind.TYPE, code) for code in _newer(TypeCode)},
    },
    BlockId.PARAMATTR_GROUP_BLOCK: {ParamattrGroupCode.ENTRY: _attribute_group},
    BlockId.CONSTANTS_BLOCK: {
        ConstantsCode.CE_CAST: _constant_cast,
        **{code: _always(ConstructKind.CONSTANT, code) for code in _newer(ConstantsCode)},
    },
    BlockId.FUNCTION_BLOCK: _with_flags(
        {
            **{code: _always(ConstructKind.INSTRUCTION, code) for code in _newer(FunctionCode)},
            FunctionCode.INST_CAST: _cast,
            FunctionCode.INST_CMP: _compare,
            FunctionCode.INST_CMP2: _compare,
            FunctionCode.INST_PHI: _phi,
            FunctionCode.INST_CALL: _call,
            FunctionCode.OPERAND_BUNDLE: _bundle,
            FunctionCode.INST_ATOMICRMW: _new_atomic_operation,
            FunctionCode.INST_ATOMICRMW_OLD: _old_atomic_operation,
            FunctionCode.INST_CMPXCHG: _compare_exchange,
            FunctionCode.INST_ALLOCA: _alloca,
            **{code: _alignment(code) for code in (FunctionCode.INST_LOAD, FunctionCode.INST_STORE)},
        }
    ),
    BlockId.METADATA_BLOCK: {
        **{code: _node(code) for code in NODE_VERSIONS},
        MetadataCode.SUBPROGRAM: _subprogram,
    },
    BlockId.GLOBALVAL_SUMMARY_BLOCK: {GlobalValueSummaryCode.VERSION: _summary_version},
    BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK: {GlobalValueSummaryCode.VERSION: _summary_version},
}
"""By block id and record code, the function that yields the keys of a record."""

UNKNOWN_CODES: dict[int, ConstructKind] = {
    BlockId.TYPE_BLOCK: ConstructKind.TYPE,
    BlockId.CONSTANTS_BLOCK: ConstructKind.CONSTANT,
    BlockId.FUNCTION_BLOCK: ConstructKind.INSTRUCTION,
}
"""By block id, the kind of keys for records whose code no version up to the newest knows."""

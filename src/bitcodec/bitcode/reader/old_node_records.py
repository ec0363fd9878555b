"""Debug-info records of every LLVM, brought into the form that the debug-info table describes.

LLVM 22 writes this form, except for numbers of several words, which are one operand here.  Where a record has a number
but LLVM 22 the id of a constant, the operand becomes a `Number`.  Rules: docs/reference/records.md, 8.5;
docs/reference/upgrades.md, 10.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.integers import wide
from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.reasons import Reason
from bitcodec.tables.debug_info_flags import DISPFlag
from bitcodec.tables.dwarf import TypeEncoding

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Number", "modern_record", "upgrade_of"]

_DISTINCT = 1
_WORD = 64
_MAX_WORD = 0xFFFF_FFFF
_NO_SUSPEND_POINT = (1 << _WORD) - 1
_MAX_TAG = 0xFFFF


class Number(int):
    """A plain number for which LLVM 22 has a constant."""

    __slots__ = ()


def upgrade_of(code: int) -> Callable[[list[int]], list[int]] | None:
    """Return the upgrade or check of the operands of a record code; None if LLVM 22's form is the only one."""
    return _UPGRADES.get(code)


def modern_record(code: int, operands: list[int]) -> list[int]:
    """Return the operands of a record in LLVM 22's order; `operands` may be changed.

    Raises:
        Malformed: no LLVM wrote such a record, or it is too short.
    """
    upgrade = _UPGRADES.get(code)
    return operands if upgrade is None else upgrade(operands)


def _subrange(operands: list[int]) -> list[int]:
    require_operands(operands, 1)
    version = operands[0] >> 1
    if version > 2:
        raise Malformed(Reason.SUBRANGE_VERSION(version=version))
    # The node is never distinct, whatever the record says.
    if version == 2:
        return [0, *operands[1:]]
    require_operands(operands, 3)
    count = operands[1] if version == 1 else Number(_signed64(operands[1]))
    return [0, count, Number(_complemented(operands[2])), 0, 0]


def _generic_subrange(operands: list[int]) -> list[int]:
    return [0, *operands[1:]]


def _generic_node(operands: list[int]) -> list[int]:
    require_operands(operands, 3)
    tag, version = operands[1:3]
    if tag > _MAX_TAG:
        raise Malformed(Reason.LARGE_TAG(number=tag))
    if version:
        raise Malformed(Reason.NODE_VERSION(version=version))
    return operands


def _enumerator(operands: list[int]) -> list[int]:
    require_operands(operands, 3)
    flags = operands[0]
    if not flags & 4:
        value = _complemented(operands[1])
        return [flags, _WORD, operands[2], value % (1 << _WORD) if flags & 2 else value]
    bit_width = operands[1]
    return [flags, bit_width, operands[2], _wide(operands[3:], bit_width, is_unsigned=bool(flags & 2))]


def _fixed_point_type(operands: list[int]) -> list[int]:
    require_operands(operands, 11)
    fields = operands[:9]
    is_unsigned = operands[5] != TypeEncoding.signed_fixed
    index = 9
    widths = []
    for _ in range(2):
        require_operands(operands, index + 1)
        words, width = operands[index] >> 32, operands[index] & _MAX_WORD
        if words > len(operands):
            raise Malformed(Reason.NUMBER_WORDS(count=words))
        fields.append(_wide(operands[index + 1 : index + 1 + words], width, is_unsigned=is_unsigned))
        widths.append(width)
        index += 1 + words
    place = operands[index : index + 3]
    fields += [*place, *[0] * (3 - len(place)), *widths]
    return _with_sizes(fields, 3) if not fields[0] & 2 else fields


def _basic_type(operands: list[int]) -> list[int]:
    return operands if operands[0] & 2 else _with_sizes(operands, 3)


def _string_type(operands: list[int]) -> list[int]:
    if len(operands) == 8:
        operands.insert(5, 0)
    return operands if operands[0] & 2 else _with_sizes(operands, 6)


def _derived_type(operands: list[int]) -> list[int]:
    if len(operands) == 14:
        # Annotations in some releases, pointer authentication in others: nobody knows.
        del operands[13]
    return operands if operands[0] & 2 else _with_sizes(operands, 7, 9)


def _subrange_type(operands: list[int]) -> list[int]:
    require_operands(operands, 6)
    return operands if operands[0] & 2 else _with_sizes(operands, 5)


def _composite_type(operands: list[int]) -> list[int]:
    _check_alignment(operands[8])
    return operands if operands[0] & 4 else _with_sizes(operands, 7, 9)


def _file(operands: list[int]) -> list[int]:
    if len(operands) > 4 and not (operands[3] and operands[4]):
        operands[3] = operands[4] = 0
    return operands


def _compile_unit(operands: list[int]) -> list[int]:
    operands[0] |= _DISTINCT
    language = operands[1]
    if language >> 63:
        operands[1] = 0
        operands += [0] * (_UNIT_LENGTH - len(operands))
        return [*operands[:_UNIT_LENGTH], (language & _MAX_LANGUAGE) + 1]
    return operands[:_UNIT_LENGTH]


_UNIT_LENGTH = 24
_MAX_LANGUAGE = 0xFFFF


_HAS_UNIT, _HAS_FLAGS = 2, 4
_OLD_MAIN_SUBPROGRAM = 1 << 21


def _subprogram(operands: list[int]) -> list[int]:
    header = operands[0]
    if not header & _HAS_FLAGS:
        operands = _with_subprogram_flags(operands)
    elif not header & _HAS_UNIT:
        raise Malformed(Reason.NO_UNIT())
    if operands[11] & _OLD_MAIN_SUBPROGRAM:
        operands[11] ^= _OLD_MAIN_SUBPROGRAM
        operands[9] |= DISPFlag.MainSubprogram
    if operands[9] & DISPFlag.Definition:
        operands[0] |= _DISTINCT
    return operands


def _with_subprogram_flags(operands: list[int]) -> list[int]:
    """Return the record of a subprogram in the form that has one operand for its flags."""
    header, scope, name, linkage_name, file, line, type_, is_local, is_definition = operands[:9]
    scope_line, containing_type, virtuality, virtual_index, flags, is_optimized = operands[9:15]
    has_unit = bool(header & _HAS_UNIT)
    require_operands(operands, 19 if has_unit else 15)
    # Operand 15, where there is one, is the unit, or (up to 3.8) the function.
    rest = operands[15:] if len(operands) > 18 else [0, *operands[15:]]
    unit, template_params, declaration, retained_nodes, this_adjustment, thrown_types = (*rest, 0, 0)[:6]
    sp_flags = (
        (virtuality & 3)
        | (DISPFlag.LocalToUnit if is_local else 0)
        | (DISPFlag.Definition if is_definition else 0)
        | (DISPFlag.Optimized if is_optimized else 0)
    )
    new = [header, scope, name, linkage_name, file, line, type_, scope_line, containing_type, sp_flags, virtual_index]
    new += [flags, unit if has_unit else 0, template_params, declaration, retained_nodes, this_adjustment, thrown_types]
    return new


def _namespace(operands: list[int]) -> list[int]:
    # Before LLVM 5: [header, scope, file, name, line].
    return [*operands[:2], operands[3]] if len(operands) == 5 else operands


def _template_value(operands: list[int]) -> list[int]:
    # Before LLVM 11 there was no "defaulted".
    return [*operands[:4], 0, operands[4]] if len(operands) == 5 else operands


def _module(operands: list[int]) -> list[int]:
    # Before LLVM 11: [header, scope, name, macros, include path, ...] without the file.
    if len(operands) < 8:
        operands = [operands[0], 0, *operands[1:6], *[0] * (6 - len(operands))]
    return operands + [0] * (9 - len(operands))


def _global_variable(operands: list[int]) -> list[int]:
    version = operands[0] >> 1
    if version > 2:
        raise Malformed(Reason.VARIABLE_VERSION(version=version))
    if version == 2:
        return operands
    align = operands[11] if len(operands) > 11 else 0
    if version == 0:
        _check_alignment(align)
    return [operands[0] & _DISTINCT | 4, *operands[1:9], operands[10], 0, align]


def _local_variable(operands: list[int]) -> list[int]:
    header = operands[0]
    if header & 2:
        if len(operands) > 8:
            _check_alignment(operands[8])
        return operands
    # Before LLVM 4 there was no alignment; a tag came first, an "inlinedAt" last.
    return [header, *operands[2:9]] if len(operands) > 8 else operands


def _imported_entity(operands: list[int]) -> list[int]:
    # Before LLVM 5 the line had no file, and so no meaning.
    return [*operands[:4], 0, operands[5]] if len(operands) == 6 else operands


def _label(operands: list[int]) -> list[int]:
    if len(operands) > 6 and _MAX_WORD < operands[6] != _NO_SUSPEND_POINT:
        raise Malformed(Reason.LARGE_SUSPEND_POINT(number=operands[6]))
    return operands


_UPGRADES: dict[int, Callable[[list[int]], list[int]]] = {
    MetadataCode.SUBRANGE: _subrange,
    MetadataCode.GENERIC_DEBUG: _generic_node,
    MetadataCode.GENERIC_SUBRANGE: _generic_subrange,
    MetadataCode.ENUMERATOR: _enumerator,
    MetadataCode.BASIC_TYPE: _basic_type,
    MetadataCode.FIXED_POINT_TYPE: _fixed_point_type,
    MetadataCode.STRING_TYPE: _string_type,
    MetadataCode.DERIVED_TYPE: _derived_type,
    MetadataCode.SUBRANGE_TYPE: _subrange_type,
    MetadataCode.COMPOSITE_TYPE: _composite_type,
    MetadataCode.FILE: _file,
    MetadataCode.COMPILE_UNIT: _compile_unit,
    MetadataCode.SUBPROGRAM: _subprogram,
    MetadataCode.NAMESPACE: _namespace,
    MetadataCode.TEMPLATE_VALUE: _template_value,
    MetadataCode.MODULE: _module,
    MetadataCode.GLOBAL_VAR: _global_variable,
    MetadataCode.LOCAL_VAR: _local_variable,
    MetadataCode.LABEL: _label,
    MetadataCode.IMPORTED_ENTITY: _imported_entity,
}


def _check_alignment(operand: int) -> None:
    """Refuse an alignment that LLVM refuses; it truncates others."""
    if operand > _MAX_WORD:
        raise Malformed(Reason.LARGE_NODE_ALIGNMENT(number=operand))


def _with_sizes(operands: list[int], *positions: int) -> list[int]:
    for position in positions:
        operands[position] = Number(operands[position])
    return operands


def _complemented(operand: int) -> int:
    """Return the signed integer of an operand that has its sign in the lowest bit, and is complemented if negative."""
    return ~(operand >> 1) if operand & 1 else operand >> 1


def _signed64(number: int) -> int:
    return number - (1 << _WORD) if number >> (_WORD - 1) else number


def _wide(words: list[int], bit_width: int, *, is_unsigned: bool) -> int:
    """Return the integer of so many bits in these words; highest words that are zero are left out."""
    if not 0 < bit_width <= _MAX_WORD:
        raise Malformed(Reason.NUMBER_WIDTH(width=bit_width))
    if bit_width > len(words) * _WORD:
        return wide(words)
    value = wide(words) & ((1 << bit_width) - 1)
    return value if is_unsigned or not value >> (bit_width - 1) else value - (1 << bit_width)

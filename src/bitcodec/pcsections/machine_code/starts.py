# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0911, PLR0912, PLR0915
"""The loops that go through machine code, from one instruction to the next."""

from __future__ import annotations

from bitcodec.bitstream.columns import zeros
from bitcodec.host import native
from bitcodec.pcsections.machine_code.encodings import OPERANDS, Coding, Map, Operands

COMPILED = bool(native.COMPILED)

_HALFWORDS = Coding.HALFWORDS
_WORDS = Coding.WORDS
_RISCV = Coding.RISCV
_SYSTEMZ = Coding.SYSTEMZ
_POWERPC = Coding.POWERPC
_X86 = Coding.X86
_X86_64 = Coding.X86_64

_ONE_BYTE = Map.ONE_BYTE
_TWO_BYTES = Map.TWO_BYTES
_VECTOR = Map.VECTOR_TWO_BYTES
_PROMOTED = Map.PROMOTED
_ONE_BYTE_32 = Map.ONE_BYTE_32

_MODRM = Operands.MODRM
_BYTE = Operands.BYTE
_WORD = Operands.WORD
_FULL = Operands.FULL
_WIDE = Operands.WIDE
_ADDRESS = Operands.ADDRESS
_TEST = Operands.TEST
_INVALID = Operands.INVALID

_LONGEST_X86 = 15


def misplaced(
    code,
    start,
    end,
    places,
    coding,
    is_big,
):
    """Find the places that are not starts of instructions.

    Args:
        code: machine code.
        start, end: bytes of a function in it, whose first instruction begins at `start`.
        places: bytes in that range, ascending.
        coding: a `Coding`.
        is_big: whether the code is big-endian.

    Returns:
        A byte for each place: 1 where no instruction begins.  Behind an invalid instruction, nothing is known.
    """
    found = zeros("B", len(places))
    table = OPERANDS
    count = len(places)
    row = 0
    at = start
    end = min(end, len(code))
    while at < end and row < count:
        while row < count and places[row] == at:
            row += 1
        length = _length(code, at, end, coding, is_big, table)
        if length <= 0:
            break
        at += length
        while row < count and places[row] < at:
            found[row] = 1
            row += 1
    return memoryview(found).toreadonly()


def starts(
    code,
    start,
    end,
    coding,
    is_big,
):
    """Return where instructions begin, as a list of bytes, up to the first byte that is none."""
    table = OPERANDS
    found = []
    at = start
    end = min(end, len(code))
    while at < end:
        length = _length(code, at, end, coding, is_big, table)
        if length <= 0:
            break
        found.append(at)
        at += length
    return found


def _length(
    code,
    at,
    end,
    coding,
    is_big,
    table,
):
    """Return the bytes of the instruction at a place, 0 for an invalid one."""
    first = code[at]
    if coding in (_X86_64, _X86):
        return _x86_length(code, at, end, coding == _X86_64, table)
    if coding == _HALFWORDS:
        return 2
    if coding == _WORDS:
        return 4
    if coding == _RISCV:
        if first & 0x03 != 0x03:
            return 2
        if first & 0x1F != 0x1F:
            return 4
        return 6 if first & 0x3F == 0x1F else 8 if first & 0x7F == 0x3F else 0
    if coding == _SYSTEMZ:
        return 2 if first < 0x40 else 4 if first < 0xC0 else 6
    if coding == _POWERPC:
        if not is_big:
            if at + 4 > end:
                return 0
            first = code[at + 3]
        return 8 if first >> 2 == 1 else 4
    return 0


def _x86_length(
    code,
    start,
    end,
    is_64,
    table,
):
    """Return the bytes of an x86 instruction, 0 for an invalid one."""
    at = start
    byte = 0
    has_short_operands = False
    has_other_addresses = False
    is_wide = False
    map_ = _ONE_BYTE if is_64 else _ONE_BYTE_32
    end = min(end, start + _LONGEST_X86)
    while at < end:
        byte = code[at]
        if byte == 0x66:
            has_short_operands = True
        elif byte == 0x67:
            has_other_addresses = True
        elif byte not in (0xF0, 0xF2, 0xF3, 0x64, 0x65, 0x26, 0x2E, 0x36, 0x3E):
            break
        at += 1
    if at >= end:
        return 0
    if is_64 and byte & 0xF0 == 0x40:
        is_wide = byte & 8 != 0
        at += 1
        if at >= end:
            return 0
        byte = code[at]
    if is_64 and byte == 0xD5 and at + 2 < end:
        is_wide = code[at + 1] & 8 != 0
        map_ = _TWO_BYTES if code[at + 1] & 0x80 else _ONE_BYTE
        operands = table[256 * map_ + code[at + 2]]
        opcode = code[at + 2]
        at += 3
    elif byte in (0xC5, 0xC4, 0x62) and at + 1 < end and (is_64 or code[at + 1] >= 0xC0):
        return _vector_length(code, start, at, end, byte, is_64, has_other_addresses, table)
    elif byte == 0x8F and at + 3 < end and code[at + 1] & 0x1F >= 8:
        # XOP, where `pop` would have another register field.
        byte = code[at + 1] & 0x1F
        operands = _MODRM | _BYTE if byte == 8 else _MODRM if byte == 9 else _MODRM | _FULL
        opcode = code[at + 3]
        at += 4
    elif byte == 0x0F:
        if at + 1 >= end:
            return 0
        opcode = code[at + 1]
        at += 2
        if opcode in (0x38, 0x3A):
            if at >= end:
                return 0
            operands = _MODRM if opcode == 0x38 else _MODRM | _BYTE
            opcode = code[at]
            at += 1
        else:
            operands = table[256 * _TWO_BYTES + opcode]
    else:
        opcode = byte
        operands = table[256 * map_ + opcode]
        at += 1
    if operands & _INVALID:
        return 0
    return _with_operands(
        code, start, at, end, operands, opcode, is_64, is_wide, has_short_operands, has_other_addresses
    )


def _vector_length(
    code,
    start,
    at,
    end,
    byte,
    is_64,
    has_other_addresses,
    table,
):
    """Return the bytes of an instruction with a VEX or EVEX prefix at a place, 0 for an invalid one."""
    map_ = 1
    is_wide = False
    has_short_operands = False
    if byte == 0xC4:
        map_ = code[at + 1] & 0x1F
        at += 3
    elif byte == 0x62:
        map_ = code[at + 1] & 0x07
        has_short_operands = at + 2 < end and code[at + 2] & 3 == 1
        at += 4
    else:
        at += 2
    if at >= end:
        return 0
    opcode = code[at]
    at += 1
    if map_ == 1:
        operands = table[256 * _VECTOR + opcode]
        if byte == 0x62 and opcode == 0x77:
            operands = _MODRM
    elif map_ == 3:
        operands = _MODRM | _BYTE
    elif map_ == 4:
        operands = table[256 * _PROMOTED + opcode]
    elif map_ == 7:
        operands = _MODRM | _FULL
    elif map_ in (2, 5, 6):
        operands = _MODRM
    else:
        return 0
    return _with_operands(
        code, start, at, end, operands, opcode, is_64, is_wide, has_short_operands and map_ == 4, has_other_addresses
    )


def _with_operands(
    code,
    start,
    at,
    end,
    operands,
    opcode,
    is_64,
    is_wide,
    has_short_operands,
    has_other_addresses,
):
    """Return the bytes of an instruction whose opcode ends at a place, 0 if it is incomplete."""
    modrm = 0
    full = 2 if has_short_operands and not is_wide else 4
    if operands & _MODRM:
        if at >= end:
            return 0
        modrm = code[at]
        mode = modrm >> 6
        at += 1
        if mode != 3:
            if has_other_addresses and not is_64:
                at += 2 if mode == 2 or (mode == 0 and modrm & 7 == 6) else mode
            else:
                if modrm & 7 == 4:
                    if at >= end:
                        return 0
                    if mode == 0 and code[at] & 7 == 5:
                        at += 4
                    at += 1
                elif mode == 0 and modrm & 7 == 5:
                    at += 4
                at += 1 if mode == 1 else 4 if mode == 2 else 0
    if operands & _BYTE:
        at += 1
    if operands & _WORD:
        at += 2
    if operands & _FULL:
        at += full
    if operands & _WIDE:
        at += 8 if is_wide else full
    if operands & _ADDRESS:
        if is_64:
            at += 4 if has_other_addresses else 8
        else:
            at += 2 if has_other_addresses else 4
    if operands & _TEST and modrm & 0x30 == 0:
        at += full if opcode & 1 else 1
    return at - start if at <= end else 0

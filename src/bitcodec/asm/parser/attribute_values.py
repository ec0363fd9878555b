# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Values of attributes.  Rules: docs/reference/text.md, 11.2 and 17.9; messages match llvm-as 22.

The words inside values come from the tables from which values are printed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import (
    accept,
    accept_word,
    expect,
    is_integer,
    is_unsigned,
    parse_optional_row,
    parse_string,
    parse_uint32,
    parse_uint64,
)
from bitcodec.asm.parser.tokens import (
    COLON,
    COMMA,
    EQUAL,
    INTEGER,
    LEFT_PARENTHESIS,
    RIGHT_PARENTHESIS,
    WORD,
)
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.attribute_values import Captures, MemoryEffects, NoFPClass, UnwindTable
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.types import IntegerType
from bitcodec.tables.attributes import (
    ALLOCATION_WORDS,
    CAPTURED_ADDRESS,
    CAPTURED_PROVENANCE,
    FP_CLASS_WORDS,
    MEMORY_LOCATIONS,
    MemoryAccess,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["INTEGERS", "parse_optional_alignment", "parse_range", "parse_ranges", "parse_size"]

_MAX_ALIGNMENT = 1 << 32
_ALIGNMENTS = {str(1 << power).encode(): 1 << power for power in range(9)}
"""By their text, the usual ones."""


def parse_size(lexer: Lexer, name: str, in_group: bool) -> int:
    """Return the number of bytes of an attribute: `align 8`, `dereferenceable(8)` or, in a group, `align=8`."""
    if in_group:
        lexer.advance()
        expect(lexer, EQUAL, "expected '=' here")
        start = lexer.start
        number = parse_uint64(lexer)
        if name in ("align", "alignstack"):
            _check_alignment(lexer, number, start, name)
        return number
    if name == "align":
        return parse_optional_alignment(lexer, allow_parentheses=True) or 0
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    start = lexer.start
    number = parse_uint64(lexer)
    if lexer.kind != RIGHT_PARENTHESIS:
        lexer.refuse("expected ')'")
    lexer.advance()
    if name == "alignstack":
        if number & (number - 1) or not number:
            lexer.refuse("stack alignment is not a power of two", start)
    elif not number:
        lexer.refuse(f"{'dereferenceable' if name == 'dereferenceable' else name} bytes must be non-zero", start)
    return number


def parse_optional_alignment(lexer: Lexer, allow_parentheses: bool = False) -> int | None:
    """Return the number of `align N`, None if it is not there.

    Raises:
        AssemblyError: it is not an alignment.
    """
    if not accept_word(lexer, b"align"):
        return None
    opening = lexer.start
    has_parenthesis = allow_parentheses and accept(lexer, LEFT_PARENTHESIS)
    start = lexer.start
    known = _ALIGNMENTS.get(lexer.text()) if lexer.kind == INTEGER and not has_parenthesis else None
    if known is not None:
        lexer.advance()
        return known
    number = parse_uint64(lexer)
    if has_parenthesis and not accept(lexer, RIGHT_PARENTHESIS):
        lexer.refuse("expected ')'", opening)
    _check_alignment(lexer, number, start, "align")
    return number


def _check_alignment(lexer: Lexer, number: int, start: int, name: str) -> None:
    if number & (number - 1) or not number:
        what = "stack alignment" if name == "alignstack" else "alignment"
        lexer.refuse(f"{what} is not a power of two", start)
    if number > _MAX_ALIGNMENT:
        lexer.refuse("huge alignments are not supported yet", start)


def _parse_allocsize(lexer: Lexer) -> int:
    lexer.advance()
    start = lexer.start
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    size = parse_uint32(lexer)
    count = 0xFFFF_FFFF
    if accept(lexer, COMMA):
        start = lexer.start
        count = parse_uint32(lexer)
        if count == size:
            lexer.refuse("'allocsize' indices can't refer to the same parameter", start)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return size << 32 | count


def _parse_vscale_range(lexer: Lexer) -> int:
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    least = parse_uint32(lexer)
    most = parse_uint32(lexer) if accept(lexer, COMMA) else least
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return least << 32 | most


_UNWIND_TABLES = {b"sync": UnwindTable.SYNC, b"async": UnwindTable.ASYNC}


def _parse_uwtable(lexer: Lexer) -> int:
    lexer.advance()
    if not accept(lexer, LEFT_PARENTHESIS):
        return UnwindTable.ASYNC
    kind = parse_optional_row(lexer, _UNWIND_TABLES)
    if kind is None:
        lexer.refuse("expected unwind table kind")
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return kind


def _parse_allockind(lexer: Lexer) -> int:
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    start = lexer.start
    bits = 0
    for word in parse_string(lexer, "expected allockind value").split(","):
        if word not in ALLOCATION_WORDS:
            lexer.refuse(f"unknown allockind {word}", start)
        bits |= 1 << ALLOCATION_WORDS.index(word)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return bits


_ACCESSES = {str(access.name).lower().encode(): access for access in MemoryAccess.__members__.values()}
_LOCATIONS = {name.encode(): place for place, name in enumerate(MEMORY_LOCATIONS) if name != "other"}
_ACCESS_LIST = "access kind (none, read, write, readwrite)"


def _parse_memory(lexer: Lexer) -> int:
    lexer.fields = True
    try:
        return _parse_accesses(lexer)
    finally:
        lexer.fields = False


def _parse_accesses(lexer: Lexer) -> int:
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    effects, has_location = 0, False
    while True:
        place = parse_optional_row(lexer, _LOCATIONS)
        if place is not None and not accept(lexer, COLON):
            lexer.refuse("expected ':' after location")
        access = _ACCESSES.get(lexer.text()) if lexer.kind == WORD else None
        if access is None:
            locations = "memory location (argmem, inaccessiblemem, errnomem) or "
            lexer.refuse(f"expected {'' if place is not None else locations}{_ACCESS_LIST}")
        if place is not None:
            has_location = True
            effects = effects & ~(3 << 2 * place) | access << 2 * place
        elif has_location:
            lexer.advance()
            lexer.refuse("default access kind must be specified first")
        else:
            effects = MemoryEffects.everywhere(access).raw
        if _ends_list(lexer):
            return effects
        if lexer.kind != COMMA:
            lexer.refuse("unterminated memory attribute")
        lexer.advance()


def _ends_list(lexer: Lexer) -> bool:
    """Go past a word, and past the parenthesis that follows it if there is one; return whether there was."""
    lexer.advance()
    if lexer.kind != RIGHT_PARENTHESIS:
        return False
    lexer.fields = False  # the token behind the attribute is an ordinary one again
    lexer.advance()
    return True


_CAPTURE_WORDS = {
    word.encode(): bits << shift
    for shift, words in ((2, CAPTURED_PROVENANCE), (0, CAPTURED_ADDRESS))
    for bits, word in reversed(list(enumerate(words)))
    if word
} | {b"address": CAPTURED_ADDRESS.index("address") | 1, b"none": 0}


def _parse_captures(lexer: Lexer) -> int:
    lexer.fields = True
    try:
        return _parse_components(lexer)
    finally:
        lexer.fields = False


def _parse_components(lexer: Lexer) -> int:
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    other: int | None = None
    current: int | None = None
    seen_return = False
    while True:
        if accept_word(lexer, b"ret"):
            if not accept(lexer, COLON):
                lexer.refuse("expected ':'")
            if seen_return:
                lexer.refuse("duplicate 'ret' location")
            seen_return, other, current = True, current, None
        current = _with_component(lexer, current)
        if _ends_list(lexer):
            if not seen_return:
                other = current
            return Captures((other or 0) << 4 | current).raw
        if lexer.kind != COMMA:
            lexer.refuse("expected ',' or ')'")
        lexer.advance()


def _with_component(lexer: Lexer, components: int | None) -> int:
    """Return components and the next one; None: no component so far."""
    bits = _CAPTURE_WORDS.get(lexer.text()) if lexer.kind == WORD else None
    if components is not None and 0 in (bits, components):
        if bits == 0:
            lexer.advance()
        lexer.refuse("cannot use 'none' with other component")
    if bits is None:
        lexer.refuse("expected one of 'none', 'address', 'address_is_null', 'provenance' or 'read_provenance'")
    return (components or 0) | bits


_FP_CLASSES = {word.encode(): bits for word, bits in FP_CLASS_WORDS.items()}


def _parse_nofpclass(lexer: Lexer) -> int:
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    mask = 0
    while True:
        bits = parse_optional_row(lexer, _FP_CLASSES)
        if bits is not None:
            mask |= bits
        elif not mask and is_unsigned(lexer):
            mask = parse_uint64(lexer)
            if not mask or mask & ~NoFPClass.ALL:
                lexer.refuse("invalid mask value for 'nofpclass'")
            expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
            return mask
        else:
            lexer.refuse("expected nofpclass test mask")
        if accept(lexer, RIGHT_PARENTHESIS):
            return mask


def _parse_bound(lexer: Lexer, width: int) -> int:
    if not is_integer(lexer):
        lexer.refuse("expected integer")
    number = lexer.number()
    if number.bit_length() > width:
        lexer.refuse("integer is too large for the bit width of specified type")
    lexer.advance()
    return number


def parse_range(state: ModuleState) -> ConstantRange:
    """Return the range of `range(iN LOWER, UPPER)`, whose word is the current token.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    start = lexer.start
    type_ = parse_type(state)
    if not isinstance(type_, IntegerType):
        lexer.refuse("the range must have integer type!", start)
    lower = _parse_bound(lexer, type_.bit_width)
    expect(lexer, COMMA, "expected ','")
    upper = _parse_bound(lexer, type_.bit_width)
    if lower == upper and lower:
        lexer.refuse("the range represent the empty set but limits aren't 0!")
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    return ConstantRange.of(type_.bit_width, lower, upper)


_SIGN = 1 << 63
"""Numbers that differ in this bit have the order of signed ones."""


def parse_ranges(lexer: Lexer) -> tuple[ConstantRange, ...]:
    """Return the ranges of `initializes((LOWER, UPPER), ...)`, whose word is the current token.

    Raises:
        AssemblyError: they are malformed.
    """
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '('")
    ranges: list[ConstantRange] = []
    while True:
        expect(lexer, LEFT_PARENTHESIS, "expected '('")
        lower = _parse_bound(lexer, 64)
        expect(lexer, COMMA, "expected ','")
        upper = _parse_bound(lexer, 64)
        if lower == upper:
            lexer.refuse("the range should not represent the full or empty set!")
        expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
        ranges.append(ConstantRange.of(64, lower, upper))
        if not accept(lexer, COMMA):
            break
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    bounds = [bound ^ _SIGN for range_ in ranges for bound in (range_.lower, range_.upper)]
    if any(lower >= upper for lower, upper in pairwise(bounds)):
        lexer.refuse("Invalid (unordered or overlapping) range list")
    return tuple(ranges)


INTEGERS: dict[str, Callable[[Lexer], int]] = {
    "allocsize": _parse_allocsize,
    "vscale_range": _parse_vscale_range,
    "uwtable": _parse_uwtable,
    "allockind": _parse_allockind,
    "memory": _parse_memory,
    "captures": _parse_captures,
    "nofpclass": _parse_nofpclass,
}
"""By attribute with an integer other than a number of bytes: its parser, which also reads the name."""

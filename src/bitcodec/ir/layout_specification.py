"""Fields of a data layout string: byte order, pointers, alignments, address spaces.

Rules: LLVM Language Reference, "Data Layout", as release 22 reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import quote
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.sentences import Sentence

__all__ = ["Alignments", "LayoutError", "LayoutSpecification", "PointerSpecification"]


class LayoutError(ValueError):
    """A data layout string that LLVM would not accept.

    Attributes:
        specification: the part of the string that LLVM would not accept.
        reason: LLVM's message.
    """

    def __init__(self, specification: str, reason: Sentence) -> None:
        super().__init__(f"data layout: {quote(specification)}: {reason}")
        self.specification = specification
        self.reason = reason


class _PartError(ValueError):
    """A part of the string is refused; the argument is the reason."""


class Alignments(NamedTuple):
    """Alignments of a type, in bytes."""

    abi: int
    preferred: int


class PointerSpecification(NamedTuple):
    """Pointers into an address space.

    Attributes:
        bit_width: size of a pointer.
        index_width: bits of the offsets that are added to it.
        alignments: in bytes.
        is_unstable: its bits can change while it points at the same thing.
        has_external_state: it has more to it than its bits.
        name: the name of the address space, if the layout gives one.
    """

    bit_width: int
    index_width: int
    alignments: Alignments
    is_unstable: bool = False
    has_external_state: bool = False
    name: str = ""

    @property
    def is_non_integral(self) -> bool:
        """Whether integers cannot represent its pointers."""
        return self.is_unstable or self.has_external_state or self.index_width < self.bit_width


class LayoutSpecification:
    """A data layout string, read.

    Attributes:
        text: the string.
        is_big_endian: byte order.
        mangling: the letter after `m:`, "" if none.
        alloca_address_space: the address space of `alloca`.
        program_address_space: the address space of functions.
        globals_address_space: the default address space of variables.
        stack_alignment: natural alignment of the stack in bytes, None if not given.
        function_pointer_alignment: of function pointers, in bytes, None if not given.
        is_function_alignment_relative: whether it is multiplied by the function's own alignment.
        native_integers: widths the processor computes with.
        non_integral_address_spaces: the address spaces in `ni:`, in its order.
        address_space_names: address spaces that have a name, by it.
        aggregate: alignments of structs, in bytes, at least.
        integers, floats, vectors: alignments by bit width.
        pointers: by address space; 0 is always there.

    Raises:
        LayoutError: LLVM would not accept the string.
    """

    __slots__ = (
        "address_space_names",
        "aggregate",
        "alloca_address_space",
        "floats",
        "function_pointer_alignment",
        "globals_address_space",
        "integers",
        "is_big_endian",
        "is_function_alignment_relative",
        "mangling",
        "native_integers",
        "non_integral_address_spaces",
        "pointers",
        "program_address_space",
        "stack_alignment",
        "text",
        "vectors",
    )

    def __init__(self, text: str = "") -> None:
        known = _known.get(text)
        if known is None:
            self._parse(text)
            if len(_known) < _MOST_KNOWN and len(text) <= _LONGEST_KNOWN:
                _known[text] = tuple(_copied(getattr(self, name)) for name in LayoutSpecification.__slots__)
            return
        for name, value in zip(LayoutSpecification.__slots__, known, strict=True):
            setattr(self, name, _copied(value))

    def _parse(self, text: str) -> None:
        self.text = text
        self.is_big_endian = False
        self.mangling = ""
        self.alloca_address_space = self.program_address_space = self.globals_address_space = 0
        self.stack_alignment: int | None = None
        self.function_pointer_alignment: int | None = None
        self.is_function_alignment_relative = False
        self.native_integers: tuple[int, ...] = ()
        self.non_integral_address_spaces: tuple[int, ...] = ()
        self.aggregate = Alignments(1, 8)
        self.integers = dict(_INTEGERS)
        self.floats = dict(_FLOATS)
        self.vectors = dict(_VECTORS)
        self.pointers = {0: PointerSpecification(64, 64, Alignments(8, 8))}
        self.address_space_names: dict[str, int] = {}
        self._read()

    def pointer(self, address_space: int) -> PointerSpecification:
        """Return how pointers into an address space are; those not specified are like those into 0."""
        return self.pointers.get(address_space) or self.pointers[0]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def _read(self) -> None:
        for specification in self.text.split("-") if self.text else ():
            read = _READERS.get(specification[:2]) or _READERS.get(specification[:1])
            try:
                if read is None:
                    _refuse_unknown(specification)
                else:
                    read(self, specification)
            except _PartError as error:
                raise LayoutError(specification, error.args[0]) from None
        # The list names spaces whose sizes may be specified after it.
        for space in self.non_integral_address_spaces:
            self.pointers[space] = self.pointer(space)._replace(is_unstable=True, has_external_state=False)


_known: dict[str, tuple[object, ...]] = {}
"""Parsed specifications by text: most modules of a build have one of a few."""

_MOST_KNOWN = 64
_LONGEST_KNOWN = 512
"""Characters."""


def _copied(value: object) -> object:
    """Return a copy of a mutable value, or the value itself."""
    return value.copy() if isinstance(value, dict) else value


def _refuse_unknown(specification: str) -> None:
    if not specification:
        raise _PartError(Reason.LAYOUT_EMPTY())
    raise _PartError(Reason.LAYOUT_SPECIFIER(letter=specification[0]))


def _byte_order(layout: LayoutSpecification, specification: str) -> None:
    if len(specification) > 1:
        raise _PartError(Reason.LAYOUT_BYTE_ORDER())
    layout.is_big_endian = specification == "E"


def _primitive(layout: LayoutSpecification, specification: str) -> None:
    kind = specification[0]
    size, *alignments = _components(specification, 2, 3, f"{kind}<size>:<abi>[:<pref>]")
    width = _size(size)
    abi = _alignment(alignments[0])
    if kind == "i" and width == 8 and abi != 1:
        raise _PartError(Reason.LAYOUT_BYTE_ALIGNMENT())
    specifications = {"i": layout.integers, "f": layout.floats, "v": layout.vectors}[kind]
    specifications[width] = _alignments(alignments)


def _aggregate(layout: LayoutSpecification, specification: str) -> None:
    size, *alignments = _components(specification, 2, 3, "a:<abi>[:<pref>]")
    if size and _number(size, 32) != 0:
        raise _PartError(Reason.LAYOUT_AGGREGATE_SIZE())
    layout.aggregate = _alignments(alignments, least=0)


def _pointer(layout: LayoutSpecification, specification: str) -> None:
    head, size, *alignments = _components(specification, 3, 5, "p[<n>]:<size>:<abi>[:<pref>[:<idx>]]")
    flags, space, name = _flags_and_space(layout, head)
    width = _size(size, "pointer size")
    found = _alignments(alignments[:2])
    index_width = _size(alignments[2], "index size") if len(alignments) == 3 else width
    if index_width > width:
        raise _PartError(Reason.LAYOUT_INDEX_SIZE())
    layout.pointers[space] = PointerSpecification(width, index_width, found, "u" in flags, "e" in flags, name)


def _flags_and_space(layout: LayoutSpecification, text: str) -> tuple[str, int, str]:
    rest = text.lstrip("eu")
    flags = text[: len(text) - len(rest)]
    number, parenthesis, name = rest.partition("(")
    if number and not (number[0].isascii() and number[0].isdigit()):
        raise _PartError(Reason.LAYOUT_POINTER_FLAG(letter=number[0]))
    if parenthesis and (len(name) < 2 or not name.endswith(")")):
        raise _PartError(Reason.LAYOUT_SPACE_NAME())
    name = name.removesuffix(")")
    space = _address_space(number or "0")
    if flags and not space:
        raise _PartError(Reason.LAYOUT_FLAGS_OF_DEFAULT_SPACE())
    if name:
        if name in _PREDEFINED_NAMES:
            raise _PartError(Reason.LAYOUT_PREDEFINED_NAME())
        if name in layout.address_space_names:
            raise _PartError(Reason.LAYOUT_NAME_TWICE(name=name))
        layout.address_space_names[name] = space
    return flags, space, name


def _non_integral(layout: LayoutSpecification, specification: str) -> None:
    head, *spaces = specification.split(":")
    if head != "ni" or not spaces:
        raise _PartError(Reason.LAYOUT_FORM(form="ni:<address space>[:<address space>]..."))
    for space in map(_address_space, spaces):
        if not space:
            raise _PartError(Reason.LAYOUT_NON_INTEGRAL_DEFAULT_SPACE())
        layout.non_integral_address_spaces += (space,)


def _native_integers(layout: LayoutSpecification, specification: str) -> None:
    layout.native_integers += tuple(_size(size) for size in specification[1:].split(":"))


def _stack_alignment(layout: LayoutSpecification, specification: str) -> None:
    layout.stack_alignment = _alignment(_rest(specification, "S<size>"), "stack natural")


def _function_pointers(layout: LayoutSpecification, specification: str) -> None:
    kind = _rest(specification, "F<type><abi>")[0]
    if kind not in {"i", "n"}:
        raise _PartError(Reason.LAYOUT_FUNCTION_POINTERS(letter=kind))
    layout.function_pointer_alignment = _alignment(specification[2:])
    layout.is_function_alignment_relative = kind == "n"


def _program_space(layout: LayoutSpecification, specification: str) -> None:
    layout.program_address_space = _address_space(_rest(specification, "P<address space>"))


def _alloca_space(layout: LayoutSpecification, specification: str) -> None:
    layout.alloca_address_space = _address_space(_rest(specification, "A<address space>"))


def _globals_space(layout: LayoutSpecification, specification: str) -> None:
    layout.globals_address_space = _address_space(_rest(specification, "G<address space>"))


def _mangling(layout: LayoutSpecification, specification: str) -> None:
    head, _, mangling = specification.partition(":")
    if head != "m" or not mangling:
        raise _PartError(Reason.LAYOUT_FORM(form="m:<mangling>"))
    if mangling not in _MANGLINGS:
        raise _PartError(Reason.LAYOUT_MANGLING())
    layout.mangling = mangling


def _obsolete(_layout: LayoutSpecification, _specification: str) -> None:
    """Alignment of stack objects: it means nothing any more."""


_READERS: Mapping[str, Callable[[LayoutSpecification, str], None]] = {
    "e": _byte_order,
    "E": _byte_order,
    "i": _primitive,
    "f": _primitive,
    "v": _primitive,
    "a": _aggregate,
    "p": _pointer,
    "ni": _non_integral,
    "n": _native_integers,
    "S": _stack_alignment,
    "F": _function_pointers,
    "P": _program_space,
    "A": _alloca_space,
    "G": _globals_space,
    "m": _mangling,
    "s": _obsolete,
}

_INTEGERS = {
    1: Alignments(1, 1),
    8: Alignments(1, 1),
    16: Alignments(2, 2),
    32: Alignments(4, 4),
    64: Alignments(4, 8),
}
_FLOATS = {16: Alignments(2, 2), 32: Alignments(4, 4), 64: Alignments(8, 8), 128: Alignments(16, 16)}
_VECTORS = {64: Alignments(8, 8), 128: Alignments(16, 16)}

_MANGLINGS = ("e", "l", "o", "m", "w", "x", "a")
_PREDEFINED_NAMES = frozenset("APG")


def _components(specification: str, least: int, most: int, form: str) -> list[str]:
    components = specification[1:].split(":")
    if not least <= len(components) <= most:
        raise _PartError(Reason.LAYOUT_FORM(form=form))
    return components


def _rest(specification: str, form: str) -> str:
    """Return the rest of a specification after its letter; it must not be empty."""
    if len(specification) == 1:
        raise _PartError(Reason.LAYOUT_FORM(form=form))
    return specification[1:]


def _number(text: str, bits: int) -> int | None:
    """Return a number, None if it is none or does not have room in so many bits."""
    digits = text.lstrip("0") or text[-1:]
    # `int` takes more than ASCII digits, and takes long for very many.
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 10 or int(digits) >> bits:
        return None
    return int(digits)


def _address_space(text: str) -> int:
    if not text:
        raise _PartError(Reason.LAYOUT_EMPTY_SPACE())
    space = _number(text, 24)
    if space is None:
        raise _PartError(Reason.LAYOUT_SPACE())
    return space


def _size(text: str, what: str = "size") -> int:
    if not text:
        raise _PartError(Reason.LAYOUT_EMPTY_SIZE(what=what))
    size = _number(text, 24)
    if not size:
        raise _PartError(Reason.LAYOUT_SIZE(what=what))
    return size


def _alignment(text: str, what: str = "ABI", least: int = 1) -> int:
    """Return an alignment, given in bits, in bytes; 0 bits, where they are valid, are one byte."""
    if not text:
        raise _PartError(Reason.LAYOUT_EMPTY_ALIGNMENT(what=what))
    bits = _number(text, 16)
    if bits is None:
        raise _PartError(Reason.LAYOUT_WIDE_ALIGNMENT(what=what))
    if bits < least:
        raise _PartError(Reason.LAYOUT_ZERO_ALIGNMENT(what=what))
    count, rest = divmod(bits, 8)
    if rest or count & (count - 1):
        raise _PartError(Reason.LAYOUT_ALIGNMENT(what=what))
    return count or 1


def _alignments(texts: list[str], least: int = 1) -> Alignments:
    abi = _alignment(texts[0], least=least)
    preferred = _alignment(texts[1], "preferred") if len(texts) > 1 else abi
    if preferred < abi:
        raise _PartError(Reason.LAYOUT_PREFERRED_ALIGNMENT())
    return Alignments(abi, preferred)

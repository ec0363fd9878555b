"""Attributes: one row each, in the order of text and bitcode, and the words of attributes with a value.

Rules: LLVM Language Reference, "Parameter Attributes" and "Function Attributes";
docs/reference/records.md, 5.4 to 5.6.
"""

from __future__ import annotations

from enum import Flag, IntFlag, auto

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

__all__ = [
    "ALLOCATION_WORDS",
    "ATTRIBUTE_KINDS",
    "CAPTURED_ADDRESS",
    "CAPTURED_PROVENANCE",
    "FP_CLASS_WORDS",
    "HIGHEST_NUMBERS",
    "KINDS_BY_NUMBER",
    "MEMORY_LOCATIONS",
    "AttributeKind",
    "AttributePosition",
    "AttributeTypes",
    "AttributeValue",
    "MemoryAccess",
    "first_version",
]


class AttributeValue(PlainEnum):
    """Kind of an attribute's value."""

    FLAG = "an enum attribute"
    TYPE = "a type attribute"
    INTEGER = "an integer attribute"
    RANGE = "a range attribute"
    RANGES = "a range list attribute"


class AttributePosition(Flag):
    """Positions in which an attribute is valid."""

    FUNCTION = auto()
    RETURN = auto()
    PARAMETER = auto()


class AttributeTypes(PlainEnum):
    """The types whose values may carry an attribute."""

    ANY = auto()
    NOT_VOID = auto()
    INTEGER = auto()
    INTEGERS = auto()
    """An integer or a vector of them, of the attribute's width."""
    POINTER = auto()
    POINTERS = auto()
    """A pointer or a vector of them."""
    FLOATS = auto()
    """Floating point: one, a vector, arrays of those, or a literal struct of one such type."""


FLAG, TYPE, INTEGER, RANGE, RANGES = AttributeValue
FUNCTION, RETURN, PARAMETER = AttributePosition
VALUE = PARAMETER | RETURN
ANYWHERE = FUNCTION | VALUE


class AttributeKind(NamedTuple):
    """A row.

    Attributes:
        number: in bitcode.
        name: as text spells it.
        value: the kind of its value.
        positions: its valid positions.
        types: valid types of a parameter or return value; LLVM's reader drops it from others.
        also: further values in newer versions.
    """

    number: int
    name: str
    value: AttributeValue
    positions: AttributePosition
    types: AttributeTypes = AttributeTypes.ANY
    also: AttributeValue | None = None


_ROWS = (
    AttributeKind(80, "allocalign", FLAG, PARAMETER, AttributeTypes.INTEGER),
    AttributeKind(81, "allocptr", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(2, "alwaysinline", FLAG, FUNCTION),
    AttributeKind(35, "builtin", FLAG, FUNCTION),
    AttributeKind(36, "cold", FLAG, FUNCTION),
    AttributeKind(43, "convergent", FLAG, FUNCTION),
    AttributeKind(90, "coro_only_destroy_when_complete", FLAG, FUNCTION),
    AttributeKind(98, "coro_elide_safe", FLAG, FUNCTION),
    AttributeKind(103, "dead_on_return", FLAG, PARAMETER, AttributeTypes.POINTER, also=INTEGER),
    AttributeKind(91, "dead_on_unwind", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(78, "disable_sanitizer_instrumentation", FLAG, FUNCTION),
    AttributeKind(108, "flatten", FLAG, FUNCTION),
    AttributeKind(84, "fn_ret_thunk_extern", FLAG, FUNCTION),
    AttributeKind(72, "hot", FLAG, FUNCTION),
    AttributeKind(95, "hybrid_patchable", FLAG, FUNCTION),
    AttributeKind(60, "immarg", FLAG, PARAMETER),
    AttributeKind(5, "inreg", FLAG, VALUE),
    AttributeKind(4, "inlinehint", FLAG, FUNCTION),
    AttributeKind(40, "jumptable", FLAG, FUNCTION),
    AttributeKind(6, "minsize", FLAG, FUNCTION),
    AttributeKind(70, "mustprogress", FLAG, FUNCTION),
    AttributeKind(7, "naked", FLAG, FUNCTION),
    AttributeKind(8, "nest", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(9, "noalias", FLAG, VALUE, AttributeTypes.POINTER),
    AttributeKind(10, "nobuiltin", FLAG, FUNCTION),
    AttributeKind(71, "nocallback", FLAG, FUNCTION),
    AttributeKind(56, "nocf_check", FLAG, FUNCTION),
    AttributeKind(105, "nocreateundeforpoison", FLAG, FUNCTION),
    AttributeKind(100, "nodivergencesource", FLAG, FUNCTION),
    AttributeKind(12, "noduplicate", FLAG, FUNCTION),
    AttributeKind(99, "noext", FLAG, VALUE),
    AttributeKind(62, "nofree", FLAG, FUNCTION | PARAMETER),
    AttributeKind(110, "nofreeobj", FLAG, VALUE, AttributeTypes.POINTER),
    AttributeKind(109, "noipa", FLAG, FUNCTION),
    AttributeKind(13, "noimplicitfloat", FLAG, FUNCTION),
    AttributeKind(14, "noinline", FLAG, FUNCTION),
    AttributeKind(66, "nomerge", FLAG, FUNCTION),
    AttributeKind(73, "noprofile", FLAG, FUNCTION),
    AttributeKind(48, "norecurse", FLAG, FUNCTION),
    AttributeKind(16, "noredzone", FLAG, FUNCTION),
    AttributeKind(17, "noreturn", FLAG, FUNCTION),
    AttributeKind(79, "nosanitize_bounds", FLAG, FUNCTION),
    AttributeKind(76, "nosanitize_coverage", FLAG, FUNCTION),
    AttributeKind(63, "nosync", FLAG, FUNCTION),
    AttributeKind(68, "noundef", FLAG, VALUE, AttributeTypes.NOT_VOID),
    AttributeKind(18, "nounwind", FLAG, FUNCTION),
    AttributeKind(15, "nonlazybind", FLAG, FUNCTION),
    AttributeKind(39, "nonnull", FLAG, VALUE, AttributeTypes.POINTER),
    AttributeKind(67, "null_pointer_is_valid", FLAG, FUNCTION),
    AttributeKind(57, "optforfuzzing", FLAG, FUNCTION),
    AttributeKind(88, "optdebug", FLAG, FUNCTION),
    AttributeKind(19, "optsize", FLAG, FUNCTION),
    AttributeKind(37, "optnone", FLAG, FUNCTION),
    AttributeKind(83, "presplitcoroutine", FLAG, FUNCTION),
    AttributeKind(20, "readnone", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(21, "readonly", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(22, "returned", FLAG, PARAMETER),
    AttributeKind(23, "returns_twice", FLAG, FUNCTION),
    AttributeKind(24, "signext", FLAG, VALUE, AttributeTypes.INTEGER),
    AttributeKind(44, "safestack", FLAG, FUNCTION),
    AttributeKind(30, "sanitize_address", FLAG, FUNCTION),
    AttributeKind(104, "sanitize_alloc_token", FLAG, FUNCTION),
    AttributeKind(55, "sanitize_hwaddress", FLAG, FUNCTION),
    AttributeKind(64, "sanitize_memtag", FLAG, FUNCTION),
    AttributeKind(32, "sanitize_memory", FLAG, FUNCTION),
    AttributeKind(93, "sanitize_numerical_stability", FLAG, FUNCTION),
    AttributeKind(96, "sanitize_realtime", FLAG, FUNCTION),
    AttributeKind(97, "sanitize_realtime_blocking", FLAG, FUNCTION),
    AttributeKind(31, "sanitize_thread", FLAG, FUNCTION),
    AttributeKind(101, "sanitize_type", FLAG, FUNCTION),
    AttributeKind(58, "shadowcallstack", FLAG, FUNCTION),
    AttributeKind(85, "skipprofile", FLAG, FUNCTION),
    AttributeKind(53, "speculatable", FLAG, FUNCTION),
    AttributeKind(59, "speculative_load_hardening", FLAG, FUNCTION),
    AttributeKind(26, "ssp", FLAG, FUNCTION),
    AttributeKind(27, "sspreq", FLAG, FUNCTION),
    AttributeKind(28, "sspstrong", FLAG, FUNCTION),
    AttributeKind(54, "strictfp", FLAG, FUNCTION),
    AttributeKind(75, "swiftasync", FLAG, PARAMETER),
    AttributeKind(47, "swifterror", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(46, "swiftself", FLAG, PARAMETER),
    AttributeKind(61, "willreturn", FLAG, FUNCTION),
    AttributeKind(89, "writable", FLAG, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(52, "writeonly", FLAG, PARAMETER),
    AttributeKind(34, "zeroext", FLAG, VALUE, AttributeTypes.INTEGER),
    AttributeKind(69, "byref", TYPE, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(3, "byval", TYPE, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(77, "elementtype", TYPE, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(38, "inalloca", TYPE, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(65, "preallocated", TYPE, FUNCTION | PARAMETER, AttributeTypes.POINTER),
    AttributeKind(29, "sret", TYPE, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(1, "align", INTEGER, VALUE, AttributeTypes.POINTERS),
    AttributeKind(82, "allockind", INTEGER, FUNCTION),
    AttributeKind(51, "allocsize", INTEGER, FUNCTION),
    AttributeKind(102, "captures", INTEGER, PARAMETER, AttributeTypes.POINTER),
    AttributeKind(41, "dereferenceable", INTEGER, VALUE, AttributeTypes.POINTER),
    AttributeKind(42, "dereferenceable_or_null", INTEGER, VALUE, AttributeTypes.POINTER),
    AttributeKind(86, "memory", INTEGER, FUNCTION),
    AttributeKind(87, "nofpclass", INTEGER, VALUE, AttributeTypes.FLOATS),
    AttributeKind(25, "alignstack", INTEGER, ANYWHERE),
    AttributeKind(33, "uwtable", INTEGER, FUNCTION),
    AttributeKind(74, "vscale_range", INTEGER, FUNCTION),
    AttributeKind(92, "range", RANGE, VALUE, AttributeTypes.INTEGERS),
    AttributeKind(94, "initializes", RANGES, PARAMETER, AttributeTypes.POINTER),
)

ATTRIBUTE_KINDS = {row.name: row for row in _ROWS}
KINDS_BY_NUMBER = {row.number: row for row in _ROWS}


HIGHEST_NUMBERS = {
    4: 52,
    5: 53,
    6: 55,
    7: 58,
    8: 59,
    9: 64,
    10: 64,
    11: 68,
    12: 72,
    13: 77,
    14: 78,
    15: 84,
    16: 86,
    17: 87,
    18: 91,
    19: 94,
    20: 102,
    21: 103,
    22: 105,
    23: 109,
    24: 110,
}
"""By version, the highest number of a kind that this version of LLVM has; it has all below, too."""

_READ_SINCE = {95: 24}
"""By number of a kind that versions write before they read it, the first version that reads it."""


def first_version(number: int) -> int:
    """Return the first version of LLVM that reads the kind of a number: 4 for every older kind."""
    return _READ_SINCE.get(number) or next(version for version, highest in HIGHEST_NUMBERS.items() if number <= highest)


class MemoryAccess(IntFlag):
    """Memory access of a function; its spelling in `memory(...)` is the name in lower case."""

    NONE = 0
    READ = 1
    WRITE = 2
    READWRITE = 3


MEMORY_LOCATIONS = ("argmem", "inaccessiblemem", "errnomem", "other", "target_mem0", "target_mem1")
"""Two bits each in the value of `memory`, from the lowest."""

CAPTURED_ADDRESS = ("", "address_is_null", "address", "address")
"""Words for the two low bits of a set of captured components."""
CAPTURED_PROVENANCE = ("", "read_provenance", "", "provenance")
"""Words for the two high bits."""

ALLOCATION_WORDS = ("alloc", "realloc", "free", "uninitialized", "zeroed", "aligned")
"""One bit each in the value of `allockind`, from the lowest."""

FP_CLASS_WORDS = {
    "all": 0x3FF,
    "nan": 0x003,
    "snan": 0x001,
    "qnan": 0x002,
    "inf": 0x204,
    "ninf": 0x004,
    "pinf": 0x200,
    "zero": 0x060,
    "nzero": 0x020,
    "pzero": 0x040,
    "sub": 0x090,
    "nsub": 0x010,
    "psub": 0x080,
    "norm": 0x108,
    "nnorm": 0x008,
    "pnorm": 0x100,
}
"""Bits of `nofpclass`; in this order, words with bits not yet printed are printed."""

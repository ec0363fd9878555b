"""Atomic instructions of all kinds: what there is to expand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from bitcodec.tables.opcodes import AtomicRMWOperation

LOAD_ORDERINGS = ("unordered", "monotonic", "acquire", "seq_cst")
STORE_ORDERINGS = ("unordered", "monotonic", "release", "seq_cst")
ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
FAILURES = ("monotonic", "acquire", "seq_cst")

INTEGERS = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "i128": 16, "i256": 32}
FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "fp128": 16}
FLOAT_VECTORS = {"<2 x half>": 4, "<2 x float>": 8, "<4 x float>": 16}
VECTORS = {"<2 x i32>": 8, "<2 x i64>": 16, "<2 x float>": 8, "<2 x half>": 4}
SIZES = {**INTEGERS, **FLOATS, **FLOAT_VECTORS, **VECTORS, "ptr": 8, "<2 x ptr>": 16}
"""Bytes; pointers of 32-bit targets have half of it."""

# opt is that of LLVM 22.
_KNOWN_TO_OPT = [found for found in AtomicRMWOperation if found.since <= 22]
FLOAT_OPERATIONS = tuple(found.spelling for found in _KNOWN_TO_OPT if found.is_floating_point)
INTEGER_OPERATIONS = tuple(
    found.spelling for found in _KNOWN_TO_OPT if not found.is_floating_point and found.spelling != "xchg"
)
LOGIC = ("and", "or", "xor")
PREDICATES = ("eq", "ne", "slt", "sgt", "sle", "ult")


class Case(NamedTuple):
    """An atomic instruction.

    Attributes:
        opcode: the instruction.
        type: what lies at the address, as text spells it.
        ordering: with other accesses.
        operation: of `atomicrmw`.
        failure: the ordering of a failing `cmpxchg`.
        alignment: in bytes, 0 for the size.
        value: the operand: a number, `null`, `global`, `bit` or `no bit` for one that a shift computes, "" for an
            argument.
        use: who uses the result: see `building`.
        flags: `volatile`, `weak`, `singlethread`, `marked` (with metadata of all kinds), `minsize`, `strictfp`,
            `profile`, `space` (an address space other than 0).
    """

    opcode: str
    type: str
    ordering: str
    operation: str = ""
    failure: str = ""
    alignment: int = 0
    value: str = ""
    use: str = "returned"
    flags: tuple[str, ...] = ()

    @property
    def is_aligned(self) -> bool:
        """Whether the address is a multiple of the size."""
        return not self.alignment or self.alignment >= SIZES[self.type]

    def __str__(self) -> str:
        words = [self.opcode, self.operation, self.type, self.ordering, self.failure, self.value]
        words += [f"align {self.alignment}" if self.alignment else "", self.use, *self.flags]
        return " ".join(filter(None, words))


def whole_grid() -> Iterator[Case]:
    """Yield all cases, each once."""
    kinds = (_loads_and_stores, _operations, _exchanges, _flagged, _small, _constants, _used, _used_elsewhere)
    yield from dict.fromkeys(case for cases in kinds for case in cases())


def _aligned(types: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield types with alignments: of the size, too little, more."""
    for type_ in types:
        size = SIZES[type_]
        yield type_, 0
        if size > 1:
            yield type_, 1
        if size != 4:
            yield type_, 4


def _loads_and_stores() -> Iterator[Case]:
    for type_, alignment in (*_aligned((*INTEGERS, *FLOATS, *VECTORS, "ptr")), ("<2 x ptr>", 1)):
        for ordering in LOAD_ORDERINGS:
            yield Case("load", type_, ordering, alignment=alignment)
        for ordering in STORE_ORDERINGS:
            yield Case("store", type_, ordering, alignment=alignment)


def _operations() -> Iterator[Case]:
    kinds = (
        ((*INTEGERS, *FLOATS, "ptr"), ("xchg",)),
        (INTEGERS, INTEGER_OPERATIONS),
        ((*FLOATS, *FLOAT_VECTORS), FLOAT_OPERATIONS),
    )
    for types, operations in kinds:
        for (type_, alignment), operation, ordering in product(_aligned(types), operations, ORDERINGS):
            yield Case("atomicrmw", type_, ordering, operation, alignment=alignment)


def _exchanges() -> Iterator[Case]:
    uses = ("returned", "halves")
    kinds = product(_aligned((*INTEGERS, "ptr")), ORDERINGS, FAILURES, uses, ((), ("weak",)))
    for (type_, alignment), ordering, failure, use, flags in kinds:
        yield Case("cmpxchg", type_, ordering, "", failure, alignment, use=use, flags=flags)


def _flagged() -> Iterator[Case]:
    """Yield cases that are more than a type and an ordering."""
    operations = {"float": FLOAT_OPERATIONS, "ptr": ()}
    words = ("volatile", "singlethread", "marked", "space", "profile")
    for type_, flags in product(("i8", "i32", "i128", "float", "ptr"), ((word,) for word in words)):
        yield Case("load", type_, "acquire", flags=flags)
        yield Case("store", type_, "release", flags=flags)
        if type_ != "float":
            yield Case("cmpxchg", type_, "seq_cst", "", "acquire", flags=flags)
        for operation in ("xchg", *operations.get(type_, INTEGER_OPERATIONS)):
            yield Case("atomicrmw", type_, "acq_rel", operation, flags=flags)
    for operation, type_ in product(FLOAT_OPERATIONS, (*FLOATS, *FLOAT_VECTORS)):
        yield Case("atomicrmw", type_, "seq_cst", operation, flags=("strictfp",))


def _small() -> Iterator[Case]:
    """Yield cases of functions that are to be small."""
    flags = (("minsize",), ("minsize", "weak"))
    for type_, ordering, failure, words in product(("i8", "i16", "i32", "i64"), ORDERINGS, FAILURES, flags):
        yield Case("cmpxchg", type_, ordering, "", failure, flags=words)


def _constants() -> Iterator[Case]:
    """Yield cases whose operand is a number, so that some of the steps come to nothing."""
    for type_, size in list(INTEGERS.items())[:-1]:
        sign = 1 << (8 * size - 1)
        for value in map(str, (0, 1, 5, -1, -sign, sign - 1)):
            for operation, alignment in product(("xchg", *INTEGER_OPERATIONS), (0, 16)):
                yield Case("atomicrmw", type_, "monotonic", operation, alignment=alignment, value=value)
            yield Case("store", type_, "seq_cst", value=value)
            yield Case("cmpxchg", type_, "seq_cst", "", "seq_cst", value=value)
        for operation, word in product(("or", "and", "xor", "add", "umax"), ("volatile", "singlethread", "marked")):
            value = "-1" if operation == "and" else "0"
            yield Case("atomicrmw", type_, "seq_cst", operation, value=value, flags=(word,))
            yield Case("atomicrmw", type_, "seq_cst", operation, value=value, use="unused")
    for operation, value, alignment in product(FLOAT_OPERATIONS, ("0.0", "-0.0", "1.5"), (0, 1)):
        yield Case("atomicrmw", "float", "monotonic", operation, value=value, alignment=alignment)
    for (type_, value), alignment in product((("float", "1.5"), ("ptr", "null"), ("ptr", "global")), (0, 1)):
        yield Case("store", type_, "seq_cst", value=value, alignment=alignment)
        yield Case("atomicrmw", type_, "seq_cst", "xchg", value=value, alignment=alignment)
        if type_ == "ptr":
            yield Case("cmpxchg", type_, "seq_cst", "", "acquire", value=value, alignment=alignment)


def _used() -> Iterator[Case]:
    """Yield cases whose result is wanted for one bit or one condition alone."""
    for operation in (*INTEGER_OPERATIONS, "xchg"):
        yield Case("atomicrmw", "i32", "seq_cst", operation, use="unused")
    for operation, predicate, value in product(("add", "sub", *LOGIC), PREDICATES, ("", "7")):
        for use in ("old", "negated", "again", "swapped"):
            for limit in ("0", "-1") if use in ("again", "swapped") else ("",):
                asked = f"{use} {predicate} {limit}".strip()
                yield Case("atomicrmw", "i32", "seq_cst", operation, value=value, use=asked)
    for type_, operation, use in product(("i8", "i16", "i32", "i64"), LOGIC, ("bit", "bit eq 0", "bit ne 1")):
        for value in ("bit", "no bit", "8", "-9", "6"):
            yield Case("atomicrmw", type_, "seq_cst", operation, value=value, use=use)


def _used_elsewhere() -> Iterator[Case]:
    """Yield such cases in another address space."""
    yield from (case._replace(flags=("space",)) for case in _used())

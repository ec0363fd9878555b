"""Opcodes, predicates and orderings of instructions and constant expressions; flags are in `instruction_flags`.

Rules: docs/reference/records.md, 6.4 and 7.3.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.coded import CodedEnum

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BINARY_OPCODES",
    "CASTS",
    "CAST_OPCODES",
    "FAILURE_ORDERINGS",
    "REFUSED_ORDERINGS",
    "AtomicOrdering",
    "AtomicRMWOperation",
    "BinaryOpcode",
    "CastOpcode",
    "FCmpPredicate",
    "ICmpPredicate",
    "TailCallKind",
    "WidthChange",
]


class BinaryOpcode(NamedTuple):
    """A binary operation: its spelling for integers and for floating point, "" if it has none."""

    integer: str
    floating: str


BINARY_OPCODES = (
    BinaryOpcode("add", "fadd"),
    BinaryOpcode("sub", "fsub"),
    BinaryOpcode("mul", "fmul"),
    BinaryOpcode("udiv", ""),
    BinaryOpcode("sdiv", "fdiv"),
    BinaryOpcode("urem", ""),
    BinaryOpcode("srem", "frem"),
    BinaryOpcode("shl", ""),
    BinaryOpcode("lshr", ""),
    BinaryOpcode("ashr", ""),
    BinaryOpcode("and", ""),
    BinaryOpcode("or", ""),
    BinaryOpcode("xor", ""),
)
"""Binary operations, by number."""


class WidthChange(StrEnum):
    """How a cast changes the width."""

    ANY = ""
    WIDER = "wider"
    NARROWER = "narrower"


class CastOpcode(NamedTuple):
    """A cast.

    Attributes:
        opcode: in text.
        c_number: in LLVM's C interface.
        source, target: the types before and after it; "" for the rules of `bitcast`.
        change: how the width changes.
        since: the first version of LLVM that has it, 0 for all versions.
        instead: the opcode that is written for older versions.
    """

    opcode: str
    c_number: int
    source: str = ""
    target: str = ""
    change: WidthChange = WidthChange.ANY
    since: int = 0
    instead: str = ""


_INTEGER, _FLOAT, _POINTER = "integer", "floating-point", "pointer"

CASTS = (
    CastOpcode("trunc", 30, _INTEGER, _INTEGER, WidthChange.NARROWER),
    CastOpcode("zext", 31, _INTEGER, _INTEGER, WidthChange.WIDER),
    CastOpcode("sext", 32, _INTEGER, _INTEGER, WidthChange.WIDER),
    CastOpcode("fptoui", 33, _FLOAT, _INTEGER),
    CastOpcode("fptosi", 34, _FLOAT, _INTEGER),
    CastOpcode("uitofp", 35, _INTEGER, _FLOAT),
    CastOpcode("sitofp", 36, _INTEGER, _FLOAT),
    CastOpcode("fptrunc", 37, _FLOAT, _FLOAT, WidthChange.NARROWER),
    CastOpcode("fpext", 38, _FLOAT, _FLOAT, WidthChange.WIDER),
    CastOpcode("ptrtoint", 39, _POINTER, _INTEGER),
    CastOpcode("inttoptr", 40, _INTEGER, _POINTER),
    CastOpcode("bitcast", 41),
    CastOpcode("addrspacecast", 60, _POINTER, _POINTER),
    CastOpcode("ptrtoaddr", 69, _POINTER, _INTEGER, since=22, instead="ptrtoint"),
)
"""Casts, by number."""

CAST_OPCODES = tuple(row.opcode for row in CASTS)
"""By number."""


class FCmpPredicate(CodedEnum):
    """Floating-point comparisons."""

    FALSE = 0, "false"
    OEQ = 1, "oeq"
    OGT = 2, "ogt"
    OGE = 3, "oge"
    OLT = 4, "olt"
    OLE = 5, "ole"
    ONE = 6, "one"
    ORD = 7, "ord"
    UNO = 8, "uno"
    UEQ = 9, "ueq"
    UGT = 10, "ugt"
    UGE = 11, "uge"
    ULT = 12, "ult"
    ULE = 13, "ule"
    UNE = 14, "une"
    TRUE = 15, "true"


class ICmpPredicate(CodedEnum):
    """Integer comparisons."""

    EQ = 32, "eq"
    NE = 33, "ne"
    UGT = 34, "ugt"
    UGE = 35, "uge"
    ULT = 36, "ult"
    ULE = 37, "ule"
    SGT = 38, "sgt"
    SGE = 39, "sge"
    SLT = 40, "slt"
    SLE = 41, "sle"


class AtomicOrdering(CodedEnum):
    """How an atomic access is ordered with others."""

    NOT_ATOMIC = 0, ""
    UNORDERED = 1, "unordered"
    MONOTONIC = 2, "monotonic"
    ACQUIRE = 3, "acquire"
    RELEASE = 4, "release"
    ACQUIRE_RELEASE = 5, "acq_rel"
    SEQUENTIALLY_CONSISTENT = 6, "seq_cst"


_WEAK = frozenset({AtomicOrdering.NOT_ATOMIC, AtomicOrdering.UNORDERED})

REFUSED_ORDERINGS: Mapping[str, frozenset[AtomicOrdering]] = {
    "load": frozenset({AtomicOrdering.RELEASE, AtomicOrdering.ACQUIRE_RELEASE}),
    "store": frozenset({AtomicOrdering.ACQUIRE, AtomicOrdering.ACQUIRE_RELEASE}),
    "fence": _WEAK | {AtomicOrdering.MONOTONIC},
    "atomicrmw": _WEAK,
    "cmpxchg": _WEAK,
    "a failing cmpxchg": _WEAK | {AtomicOrdering.RELEASE, AtomicOrdering.ACQUIRE_RELEASE},
}
"""Orderings that are invalid for memory accesses; loads and stores that are not atomic have no ordering."""

FAILURE_ORDERINGS: Mapping[AtomicOrdering, AtomicOrdering] = {
    AtomicOrdering.ACQUIRE_RELEASE: AtomicOrdering.ACQUIRE,
    AtomicOrdering.RELEASE: AtomicOrdering.MONOTONIC,
}
"""The strongest ordering of a failing `cmpxchg`, by the ordering of success, where they differ."""


class AtomicRMWOperation(CodedEnum):
    """Operation of `atomicrmw` on the value in memory."""

    XCHG = 0, "xchg"
    ADD = 1, "add"
    SUB = 2, "sub"
    AND = 3, "and"
    NAND = 4, "nand"
    OR = 5, "or"
    XOR = 6, "xor"
    MAX = 7, "max"
    MIN = 8, "min"
    UMAX = 9, "umax"
    UMIN = 10, "umin"
    FADD = 11, "fadd", 9
    FSUB = 12, "fsub", 9
    FMAX = 13, "fmax", 15
    FMIN = 14, "fmin", 15
    UINC_WRAP = 15, "uinc_wrap", 16
    UDEC_WRAP = 16, "udec_wrap", 16
    USUB_COND = 17, "usub_cond", 20
    USUB_SAT = 18, "usub_sat", 20
    FMAXIMUM = 19, "fmaximum", 21
    FMINIMUM = 20, "fminimum", 21
    FMAXIMUMNUM = 21, "fmaximumnum", 23
    FMINIMUMNUM = 22, "fminimumnum", 23

    @property
    def is_floating_point(self) -> bool:
        """Whether it works on floating-point values."""
        return self.spelling.startswith("f")


class TailCallKind(CodedEnum):
    """Whether a call may, must or must not be made in place of a return."""

    NONE = 0, ""
    TAIL = 1, "tail"
    MUSTTAIL = 2, "musttail"
    NOTAIL = 3, "notail"

"""Treatment of attached metadata when instructions change: a row for each kind.

Rules: PC Sections Metadata, "Note for Code Generation", for `!pcsections`; for all others the behavior of LLVM 22:
`Instruction::clone` when it copies an instruction, `combineMetadataForCSE` when it merges two, `copyMetadataForLoad`
when it loads as another type, `Instruction::dropUBImplyingAttrsAndMetadata` when it lets one happen where it need not
have happened.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from bitcodec.ir.pcsections import PCSECTIONS
from bitcodec.named_tuple import NamedTuple
from bitcodec.transforms.rewriting import merging
from bitcodec.transforms.rewriting.ranges import shared_ranges, united_ranges
from bitcodec.transforms.rewriting.tbaa import most_generic_tag

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.metadata import MDNode
    from bitcodec.transforms.rewriting.merging import Pair

__all__ = ["RULES", "About", "MergeWhen", "MetadataRule", "Retyped", "rule_of"]


class About(Enum):
    """Subject of a kind: where that continues to exist in a replacement, so does the node."""

    INSTRUCTION = auto()
    """The instruction, whatever it is: all its replacements have it."""
    MEMORY = auto()
    """The memory it accesses: other accesses through the same pointer have it."""
    OPERATION = auto()
    """Its operation: the same operation on the same pointer, callee, condition or blocks has it."""
    RESULT = auto()
    """Its result: the same operation that takes over its uses has it."""
    UNKNOWN = auto()
    """Unknown: nothing else has it."""


class MergeWhen(Enum):
    """If two nodes are merged; else the instruction that is kept keeps its node."""

    ALWAYS = auto()
    IF_IT_MOVES = auto()
    """It will run on paths on which it did not: its nodes must hold there too."""
    UNLESS_WELL_DEFINED = auto()
    """If it moves, or else unless it has `!noundef`: a wrong node makes poison, which reaches other users."""


class Retyped(Enum):
    """Treatment of a kind when memory is loaded as another type."""

    KEPT = auto()
    LOST = auto()
    KEPT_IF_POINTER = auto()
    NONNULL = auto()
    """Kept if it is a pointer; an integer of the same size is in a range without zero instead."""
    RANGE = auto()
    """A pointer of the same size is not null instead if zero is in no range."""


class MetadataRule(NamedTuple):
    """A row of the table.

    Attributes:
        about: its subject: a replacement has the node if the subject continues to exist there.
        merge: merges two nodes.
        when: when they are merged.
        from_either: whether they are merged even if only the erased instruction has one.
        retyped: its treatment on a load of another type.
        is_harmless: whether it stays on an instruction that may happen where it did not: it makes nothing undefined.
    """

    about: About
    merge: Callable[[Pair], MDNode | None] = merging.neither
    when: MergeWhen = MergeWhen.ALWAYS
    from_either: bool = False
    retyped: Retyped = Retyped.LOST
    is_harmless: bool = False


_MOVES = MergeWhen.IF_IT_MOVES
_POISON = MergeWhen.UNLESS_WELL_DEFINED
_KEPT = Retyped.KEPT

RULES = {
    PCSECTIONS: MetadataRule(About.INSTRUCTION, merging.either, from_either=True, retyped=_KEPT, is_harmless=True),
    "annotation": MetadataRule(About.INSTRUCTION, retyped=_KEPT, is_harmless=True),
    # The memory that is accessed.
    "tbaa": MetadataRule(About.MEMORY, most_generic_tag, _MOVES, retyped=_KEPT),
    "tbaa.struct": MetadataRule(About.MEMORY, retyped=_KEPT),
    "alias.scope": MetadataRule(About.MEMORY, merging.alias_scopes, _MOVES, retyped=_KEPT),
    "noalias": MetadataRule(About.MEMORY, merging.intersection, _MOVES, retyped=_KEPT),
    "noalias.addrspace": MetadataRule(About.MEMORY, shared_ranges, _MOVES, retyped=_KEPT),
    "llvm.access.group": MetadataRule(About.MEMORY, merging.access_groups, _MOVES, retyped=_KEPT),
    "mmra": MetadataRule(About.MEMORY, merging.relaxations, from_either=True),
    # What is done.
    "llvm.mem.parallel_loop_access": MetadataRule(About.OPERATION, merging.intersection, _MOVES, retyped=_KEPT),
    "invariant.load": MetadataRule(About.OPERATION, merging.both, _MOVES, retyped=_KEPT),
    "invariant.group": MetadataRule(About.OPERATION, merging.both, _MOVES),
    "nontemporal": MetadataRule(About.OPERATION, merging.both, retyped=_KEPT),
    "nosanitize": MetadataRule(About.OPERATION, merging.both),
    "captures": MetadataRule(About.OPERATION, merging.captured_by_either),
    "DIAssignID": MetadataRule(About.OPERATION, merging.assignment),
    "prof": MetadataRule(About.OPERATION, merging.summed_profile, from_either=True, retyped=_KEPT, is_harmless=True),
    "memprof": MetadataRule(About.OPERATION, merging.either, from_either=True),
    "callsite": MetadataRule(About.OPERATION, merging.either, from_either=True),
    "callee_type": MetadataRule(About.OPERATION, merging.any_callee_type),
    "alloc_token": MetadataRule(About.OPERATION, merging.equal),
    "callees": MetadataRule(About.OPERATION),
    "llvm.preserve.access.index": MetadataRule(About.OPERATION, merging.kept),
    "llvm.loop": MetadataRule(About.OPERATION),
    "irr_loop": MetadataRule(About.OPERATION),
    "make.implicit": MetadataRule(About.OPERATION),
    "unpredictable": MetadataRule(About.OPERATION),
    # What comes of it.
    "noundef": MetadataRule(About.RESULT, merging.both, _MOVES, retyped=_KEPT),
    "range": MetadataRule(About.RESULT, united_ranges, _POISON, retyped=Retyped.RANGE, is_harmless=True),
    "nonnull": MetadataRule(About.RESULT, merging.both, _POISON, retyped=Retyped.NONNULL, is_harmless=True),
    "align": MetadataRule(
        About.RESULT, merging.least_integer, _POISON, retyped=Retyped.KEPT_IF_POINTER, is_harmless=True
    ),
    "dereferenceable": MetadataRule(About.RESULT, merging.least_integer, _MOVES, retyped=Retyped.KEPT_IF_POINTER),
    "dereferenceable_or_null": MetadataRule(
        About.RESULT, merging.least_integer, _MOVES, retyped=Retyped.KEPT_IF_POINTER
    ),
    "fpmath": MetadataRule(About.RESULT, merging.most_accurate, retyped=_KEPT),
}

_UNKNOWN = MetadataRule(About.UNKNOWN)


def rule_of(kind: str) -> MetadataRule:
    """Return the rule of a kind: of one that the table has not, that only a copy has it."""
    return RULES.get(kind, _UNKNOWN)

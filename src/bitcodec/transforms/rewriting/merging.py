"""Rules to merge two nodes of a kind when two instructions are merged.

Each function takes a `Pair` and returns a node that holds for both instructions, None if there is none; a node without
the form of its kind is treated as absent.  Rules: LLVM Language Reference, "Metadata"; `MDNode::getMostGeneric...`,
`MDNode::getMerged...` and `MMRAMetadata::combine` of LLVM 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantFP
from bitcodec.ir.debug_info import DIAssignID
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Call, CallBase, Fence, Load, Store, VAArg
from bitcodec.ir.metadata import MDNode, MDString, MDTuple, constant_integer, wrapped_constant
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.attributes import CAPTURED_ADDRESS, CAPTURED_PROVENANCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.context import Context
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata, Operand

__all__ = [
    "Pair",
    "access_groups",
    "alias_scopes",
    "any_callee_type",
    "assignment",
    "both",
    "captured_by_either",
    "either",
    "equal",
    "intersection",
    "kept",
    "least_integer",
    "most_accurate",
    "neither",
    "relaxations",
    "summed_profile",
]


class Pair(NamedTuple):
    """Two nodes of a kind, and their instructions.

    Attributes:
        kept, gone: the node of the instruction that is kept, and of the one that is erased; None if absent.
        keeper, goner: these instructions.
        context: the context of the nodes.
    """

    kept: MDNode | None
    gone: MDNode | None
    keeper: Instruction
    goner: Instruction
    context: Context


def neither(_: Pair) -> None:
    """Return None: the facts about one instruction do not hold for the other."""


def kept(pair: Pair) -> MDNode | None:
    """Return the node of the instruction that is kept."""
    return pair.kept


def either(pair: Pair) -> MDNode | None:
    """Return the node of the instruction that is kept, or else the other node."""
    return pair.gone if pair.kept is None else pair.kept


def both(pair: Pair) -> MDNode | None:
    """Return the node of the instruction that is erased, if both have one."""
    return pair.gone if pair.kept is not None else None


def equal(pair: Pair) -> MDNode | None:
    """Return the node if both have the same."""
    return pair.kept if pair.kept is pair.gone else None


def intersection(pair: Pair) -> MDNode | None:
    """Return the elements that both lists have; that may be none."""
    if pair.kept is None or pair.gone is None:
        return None
    others = set(pair.kept.operands)
    return _listed(pair.context, [one for one in dict.fromkeys(pair.gone.operands) if one in others])


def access_groups(pair: Pair) -> MDNode | None:
    """Return the groups that both accesses belong to; an instruction that accesses no memory is in any group."""
    if not _may_access_memory(pair.keeper):
        return pair.gone if _may_access_memory(pair.goner) else None
    if not _may_access_memory(pair.goner):
        return pair.kept
    if pair.kept is None or pair.gone is None:
        return None
    others = set(_groups(pair.gone))
    common = [group for group in _groups(pair.kept) if group in others]
    if pair.kept is pair.gone or len(common) == 1:
        return pair.kept if pair.kept is pair.gone else common[0]
    return pair.context.metadata.tuple(common) if common else None


def alias_scopes(pair: Pair) -> MDNode | None:
    """Return the scopes of both lists, of those domains that both have scopes of."""
    if pair.kept is None or pair.gone is None:
        return None
    domains = {_domain(scope) for scope in _nodes(pair.kept)} & {_domain(scope) for scope in _nodes(pair.gone)}
    common = [scope for node in (pair.kept, pair.gone) for scope in _nodes(node) if _domain(scope) in domains - {None}]
    return _listed(pair.context, list(dict.fromkeys(common))) if common else None


def most_accurate(pair: Pair) -> MDNode | None:
    """Return the lesser of two errors that a result may have."""
    ours, theirs = _accuracy(pair.kept), _accuracy(pair.gone)
    if ours is None or theirs is None:
        return None
    return pair.gone if theirs < ours else pair.kept


def least_integer(pair: Pair) -> MDNode | None:
    """Return the lesser of two alignments, or of two sizes."""
    ours, theirs = _number(pair.kept), _number(pair.gone)
    if ours is None or theirs is None:
        return None
    return pair.gone if theirs < ours else pair.kept


def captured_by_either(pair: Pair) -> MDNode | None:
    """Return the components of a pointer that either store captures; a store without a node captures all."""
    bits = _captured(pair.kept) | _captured(pair.gone)
    if bits == _ALL_CAPTURED:
        return None
    words = filter(None, (CAPTURED_ADDRESS[bits & 3], CAPTURED_PROVENANCE[bits >> 2]))
    return pair.context.metadata.tuple(map(pair.context.metadata.string, words))


def any_callee_type(pair: Pair) -> MDNode | None:
    """Return the types that the callees of either call have."""
    if pair.kept is None or pair.gone is None:
        return None
    return pair.context.metadata.tuple(dict.fromkeys((*_nodes(pair.kept), *_nodes(pair.gone))))


def relaxations(pair: Pair) -> MDNode | None:
    """Return the memory model relaxation annotations of both, of those prefixes that both have."""
    if pair.kept is None and pair.gone is None:
        return None
    tags = [tag for node in (pair.gone, pair.kept) for tag in dict.fromkeys(_tags(node))]
    common = {_prefix(tag) for tag in _tags(pair.gone)} & {_prefix(tag) for tag in _tags(pair.kept)}
    return pair.context.metadata.tuple(tag for tag in tags if _prefix(tag) in common)


def summed_profile(pair: Pair) -> MDNode | None:
    """Return the sum of the counts of two direct calls; the only node if one has none; None without a count."""
    if pair.kept is None or pair.gone is None:
        return either(pair)
    ours, theirs = _call_count(pair.kept, pair.keeper), _call_count(pair.gone, pair.goner)
    if ours is None or theirs is None:
        return None
    metadata, types = pair.context.metadata, pair.context.types
    weight = pair.context.constants.integer(types.integer(64), min(ours + theirs, _MOST))
    return metadata.tuple((metadata.string(_WEIGHTS), metadata.value(weight)))


def assignment(pair: Pair) -> MDNode | None:
    """Return the node that marks both assignments; records that describe one of them then describe both."""
    if not isinstance(pair.kept, DIAssignID) or not isinstance(pair.gone, DIAssignID):
        return pair.kept
    function = pair.keeper.function
    for instruction in () if function is None else function.instructions:
        if instruction.metadata.get("DIAssignID") is pair.kept:
            instruction.metadata["DIAssignID"] = pair.gone
        for record in instruction.debug_records:
            if isinstance(record, DbgVariableRecord) and record.assign_id is pair.kept:
                record.assign_id = pair.gone
    return pair.gone


_WEIGHTS = "branch_weights"
_EXPECTED = "expected"
_MOST = (1 << 64) - 1
"""Weights are added up to this."""
_ALL_CAPTURED = 0b1111
_CAPTURED = {word: bits for bits, word in enumerate(CAPTURED_ADDRESS)} | {
    word: bits << 2 for bits, word in enumerate(CAPTURED_PROVENANCE) if word
}
_ACCESSES = (Load, Store, AtomicRMW, AtomicCmpXchg, Fence, VAArg)


def _listed(context: Context, elements: Sequence[Any]) -> MDNode:
    """Return a list of elements; a list that begins with itself is its elements."""
    first = elements[0] if elements else None
    if isinstance(first, MDNode) and first.operands == tuple(elements):
        return first
    return context.metadata.tuple(elements)


def _nodes(node: MDNode) -> Iterator[MDNode]:
    return (operand for operand in node.operands if isinstance(operand, MDNode))


def _groups(node: MDNode) -> tuple[MDNode, ...]:
    """Return the access groups of a list; a group alone is a list of itself."""
    return tuple(_nodes(node)) if node.operands else (node,)


def _domain(scope: MDNode) -> Operand:
    operands = scope.operands
    return operands[1] if len(operands) > 1 and isinstance(operands[1], MDNode) else None


def _accuracy(node: MDNode | None) -> float | None:
    wrapped = node.operands[0] if node is not None and node.operands else None
    value = wrapped_constant(wrapped)
    return value.value if isinstance(value, ConstantFP) else None


def _number(node: MDNode | None) -> int | None:
    number = constant_integer(node.operands[0]) if node is not None and node.operands else None
    return None if number is None else number.unsigned


def _captured(node: MDNode | None) -> int:
    if node is None:
        return _ALL_CAPTURED
    bits = 0
    for word in node.operands:
        bits |= _CAPTURED.get(word.text, _ALL_CAPTURED) if isinstance(word, MDString) else _ALL_CAPTURED
    return bits


def _tags(node: Metadata | None) -> tuple[MDNode, ...]:
    """Return the pairs of strings that a node is, or lists."""
    if not isinstance(node, MDTuple):
        return ()
    if len(node) == 2 and all(isinstance(part, MDString) for part in node):
        return (node,)
    return tuple(_nodes(node))


def _prefix(tag: MDNode) -> Operand:
    return tag.operands[0] if tag.operands else None


def _call_count(node: MDNode, call: Instruction) -> int | None:
    """Return the weight of a direct call."""
    operands = node.operands
    if not isinstance(call, Call) or call.called_function is None or len(operands) < 2:
        return None
    if operands[0] != MDString(_WEIGHTS):
        return None
    number = constant_integer(operands[2 if operands[1] == MDString(_EXPECTED) and len(operands) > 2 else 1])
    return None if number is None else number.unsigned


def _may_access_memory(instruction: Instruction) -> bool:
    if not isinstance(instruction, CallBase):
        return isinstance(instruction, _ACCESSES)
    callee = instruction.called_function
    sets = [instruction.attributes.for_function]
    if callee is not None:
        sets.append(callee.attributes.for_function)
    return not any(effects is not None and not effects.raw for effects in (one.memory for one in sets))

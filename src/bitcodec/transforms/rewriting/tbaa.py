"""The tag of an access that may be either of two: merged `!tbaa`.

Rules: LLVM Language Reference, "'tbaa' Metadata"; `MDNode::getMostGenericTBAA` of LLVM 22.  Types are of two forms: in
the older one a name is first, then fields with offsets, of which a type without fields has one: its parent; in the
newer one the parent is first, then size and name, then fields with offsets and sizes.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDNode, constant_integer
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import Operand
    from bitcodec.transforms.rewriting.merging import Pair

__all__ = ["most_generic_tag"]

_WORD = 1 << 64


def most_generic_tag(pair: Pair) -> MDNode | None:
    """Return the tag that holds for both accesses, None if there is none."""
    if pair.kept is None or pair.gone is None or pair.kept is pair.gone:
        return pair.kept if pair.gone is not None else None
    first, second = _Tag.of(pair.gone), _Tag.of(pair.kept)
    if first is None or second is None:
        return None
    common = _least_common_type(first.access, second.access)
    if common is None:
        return None
    for base, part in ((first, second), (second, first)):
        if base.access is base.base is common:
            break
        relation = _relation(base, part)
        if relation is _Relation.WITHIN:
            return part.node
        if relation is not _Relation.NONE:
            break
    return _tag_of(common, pair.context)


class _Tag(NamedTuple):
    """The tag of an access.

    Attributes:
        base, access: the type that it begins from, and the type that it is of.
        offset: where the latter is in the former, in bytes.
    """

    node: MDNode
    base: MDNode
    access: MDNode
    offset: int

    @classmethod
    def of(cls, node: MDNode) -> _Tag | None:
        """Return a node as a tag, None if it is not one."""
        match node.operands:
            case (MDNode() as base, MDNode() as access, offset, *_):
                number = constant_integer(offset)
                return None if number is None else cls(node, base, access, number.unsigned)
        return None

    @property
    def is_new(self) -> bool:
        """Whether it is in the newer form."""
        return len(self.node.operands) >= 4 and _is_new(self.access)


class _Relation(Enum):
    """Relation of the object of one access to the object of another."""

    NONE = auto()
    WITHIN = auto()
    """The one has the other's type there, and one access is to all of it or both are to the same field."""
    ELSEWHERE = auto()
    """The other is a part of it, or of the same type; nothing is known of where."""


def _relation(base: _Tag, part: _Tag) -> _Relation:
    """Return the relation of the object of one access to the object of another."""
    type_: MDNode | None = base.base
    offset = base.offset
    passed: set[MDNode] = set()
    while type_ is not None and type_ not in passed:
        if type_ is part.base:
            is_whole = type_ is base.access or part.base is part.access
            return _Relation.WITHIN if is_whole or offset == part.offset else _Relation.ELSEWHERE
        if base.is_new and type_ is base.access:
            break
        passed.add(type_)
        type_, offset = _field_at(type_, offset)
    is_field = base.is_new and type_ is not None and _has_field(type_, part.base)
    return _Relation.ELSEWHERE if is_field else _Relation.NONE


def _is_new(type_: MDNode) -> bool:
    return len(type_.operands) >= 3 and isinstance(type_.operands[0], MDNode)


def _parent(type_: MDNode) -> MDNode | None:
    operands = type_.operands
    found = operands[0] if _is_new(type_) else operands[1] if len(operands) > 1 else None
    return found if isinstance(found, MDNode) else None


def _fields(type_: MDNode) -> Iterator[tuple[Operand, int]]:
    """Yield type and offset of each field, in order; of one in the older form without fields, its parent."""
    operands = type_.operands
    first, step = (3, 3) if _is_new(type_) else (1, 2)
    for index in range(first, len(operands), step):
        number = constant_integer(operands[index + 1]) if index + 1 < len(operands) else None
        yield operands[index], 0 if number is None else number.unsigned


def _field_at(type_: MDNode, offset: int) -> tuple[MDNode | None, int]:
    """Return the field at an offset, None without one, and the offset in it; the last that begins before it."""
    found: tuple[Operand, int] | None = None
    for field, start in _fields(type_):
        if found is not None and start > offset:
            break
        found = field, start
    if found is None or not isinstance(found[0], MDNode):
        return None, offset
    return found[0], (offset - found[1]) % _WORD


def _has_field(type_: MDNode, wanted: MDNode) -> bool:
    """Return whether a type has a field of another, however deep."""
    seen: set[MDNode] = set()
    pending = [type_]
    while pending:
        for field, _ in _fields(pending.pop()):
            if field is wanted:
                return True
            if isinstance(field, MDNode) and field not in seen:
                seen.add(field)
                pending.append(field)
    return False


def _ancestors(type_: MDNode) -> dict[MDNode, None]:
    """Return a type and those above it, the root last."""
    found: dict[MDNode, None] = {}
    above: MDNode | None = type_
    while above is not None and above not in found:
        found[above] = None
        above = _parent(above)
    return found


def _least_common_type(first: MDNode, second: MDNode) -> MDNode | None:
    theirs = _ancestors(second)
    return next((type_ for type_ in _ancestors(first) if type_ in theirs), None)


def _tag_of(type_: MDNode, context: Context) -> MDNode | None:
    """Return the tag of an access to a type as a whole, None for the root, which aliases everything."""
    if len(type_.operands) < 2:
        return None
    metadata, long = context.metadata, context.types.integer(64)
    numbers = (0, -1) if _is_new(type_) else (0,)
    constants = (metadata.value(context.constants.integer(long, number)) for number in numbers)
    return metadata.tuple((type_, type_, *constants))

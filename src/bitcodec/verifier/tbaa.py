"""Rules of `!tbaa`: tags that say through which type memory is accessed.

Rules: LLVM Language Reference, "'tbaa' Metadata".  Types have two forms: the parent comes first in the newer one.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.errors import BitcodecError
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Call, Load, Store, VAArg
from bitcodec.ir.metadata import MDNode, MDString
from bitcodec.named_tuple import NamedTuple
from bitcodec.verifier.kinds import constant_integer
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Operand
    from bitcodec.verifier.rules import Rules

__all__ = ["TypeNodes", "access_problem", "tag_problem"]

_ACCESSES = (Load, Store, Call, VAArg, AtomicRMW, AtomicCmpXchg)
_NO_ACCESS = "This instruction shall not have a TBAA access tag!"
_CYCLE = "Cycle detected in struct path"
_MAX_STEPS = 1 << 18
_MAX_STEPS_PER_TAG = 64
"""Types on the ways of all tags: so many, and so many for each tag."""

_Step: TypeAlias = "tuple[MDNode, int, int, bool, Operand]"
"""A type on a way, the offset in it, the width of offsets, whether types are new, and the type still to be found."""


def access_problem(instruction: Instruction, tag: MDNode, types: TypeNodes) -> str | None:
    """Return what is wrong with the tag of an instruction."""
    if tag.operands and not isinstance(instruction, _ACCESSES):
        return _NO_ACCESS
    return tag_problem(tag, types)


def tag_problem(tag: MDNode, types: TypeNodes) -> str | None:
    """Return what is wrong with a tag; one that many instructions share is checked once."""
    known = types.tag_problems
    if tag not in known:
        known[tag] = first_broken(_TAG, tag, types.scalars) or _path_problem(tag, types)
    return known[tag]


def _is_new(type_: Operand) -> bool:
    """Return whether a type is in the newer form."""
    return isinstance(type_, MDNode) and len(type_.operands) >= 3 and isinstance(type_.operands[0], MDNode)


def _is_new_tag(tag: MDNode) -> bool:
    return _is_new(tag.operands[1])


def _immutability(tag: MDNode) -> tuple[Operand, ...]:
    """Return the operand that says whether the memory never changes, if there is one."""
    index = 4 if _is_new_tag(tag) else 3
    return tag.operands[index:] if len(tag.operands) == index + 1 else ()


def _is_flag(operand: Operand) -> bool:
    number = constant_integer(operand)
    return number is not None and number.unsigned in {0, 1}


def _is_scalar(type_: Operand, known: dict[MDNode, bool]) -> bool:
    """Return whether a type is one without fields: a name, and a parent that is one too, up to the root."""
    path: list[MDNode] = []
    found = True
    while found and isinstance(type_, MDNode) and not (path and _is_root(type_)):
        if type_ in known:
            found = known[type_]
            break
        known[type_] = False  # what a circle comes back to
        path.append(type_)
        found = _has_scalar_shape(type_)
        type_ = type_.operands[1] if found else None
    found = found and isinstance(type_, MDNode)
    known.update(dict.fromkeys(path, found))
    return found


def _has_scalar_shape(type_: MDNode) -> bool:
    operands = type_.operands
    if len(operands) not in {2, 3} or not isinstance(operands[0], MDString):
        return False
    offset = constant_integer(operands[2]) if len(operands) == 3 else None
    return len(operands) == 2 or (offset is not None and offset.is_null)


def _is_root(type_: MDNode) -> bool:
    return len(type_.operands) < 2


_TAG: Rules = (
    ("TBAA metadata cannot have 0 operands", lambda tag, _: tag.operands),
    (
        "Old-style TBAA is no longer allowed, use struct-path TBAA instead",
        lambda tag, _: isinstance(tag.operands[0], MDNode) and len(tag.operands) >= 3,
    ),
    (
        "Access tag metadata must have either 4 or 5 operands",
        lambda tag, _: not _is_new_tag(tag) or len(tag.operands) in {4, 5},
    ),
    (
        "Struct tag metadata must have either 3 or 4 operands",
        lambda tag, _: _is_new_tag(tag) or len(tag.operands) < 5,
    ),
    (
        "Access size field must be a constant",
        lambda tag, _: not _is_new_tag(tag) or constant_integer(tag.operands[3]) is not None,
    ),
    (
        "Immutability tag on struct tag metadata must be a constant",
        lambda tag, _: all(constant_integer(flag) is not None for flag in _immutability(tag)),
    ),
    (
        "Immutability part of the struct tag metadata must be either 0 or 1",
        lambda tag, _: all(map(_is_flag, _immutability(tag))),
    ),
    (
        "Malformed struct tag metadata: base and access-type should be non-null and point to Metadata nodes",
        lambda tag, _: isinstance(tag.operands[1], MDNode),
    ),
    (
        "Access type node must be a valid scalar type",
        lambda tag, scalars: _is_new_tag(tag) or _is_scalar(tag.operands[1], scalars),
    ),
    ("Offset must be constant integer", lambda tag, _: constant_integer(tag.operands[2]) is not None),
)


class _Field(NamedTuple):
    """A field of a struct type.

    Attributes:
        type: its type.
        offset: where it is, None if it is nowhere.
        size: how long it is, in the newer form; None if it is not known.
    """

    type: Operand
    offset: Operand
    size: Operand


def _fields(type_: MDNode, *, is_new: bool) -> Iterator[_Field]:
    first, step = (3, 3) if is_new else (1, 2)
    operands = type_.operands
    for index in range(first, len(operands) - step + 1, step):
        yield _Field(operands[index], operands[index + 1], operands[index + 2] if is_new else None)


_STRUCT: Rules = (
    ("Struct tag nodes must have an odd number of operands!", lambda type_: len(type_.operands) % 2),
    ("Struct tag nodes have a string as their first operand", lambda type_: isinstance(type_.operands[0], MDString)),
)
_NEW_STRUCT: Rules = (
    (
        "Access tag nodes must have the number of operands that is a multiple of 3!",
        lambda type_: not len(type_.operands) % 3,
    ),
    ("Type size nodes must be constants!", lambda type_: constant_integer(type_.operands[1]) is not None),
)
_FIELD: Rules = (
    ("Incorrect field entry in struct type node!", lambda field, *_: isinstance(field.type, MDNode)),
    ("Offset entries must be constants!", lambda field, *_: constant_integer(field.offset) is not None),
    (
        "Bitwidth between the offsets and struct type entries must match",
        lambda field, before, _: before is None or _offset(field).type is _offset(before).type,
    ),
    (
        "Offsets must be increasing!",
        lambda field, before, _: before is None or _offset(field).unsigned >= _offset(before).unsigned,
    ),
    (
        "Member size entries must be constants!",
        lambda field, _, is_new: not is_new or constant_integer(field.size) is not None,
    ),
)
"""For a field, the one before it, and whether its struct is in the newer form."""


def _offset(field: _Field) -> Any:
    return constant_integer(field.offset)


def _struct_problem(type_: MDNode, *, is_new: bool) -> str | None:
    """Return what is wrong with a type that an access goes through."""
    problem = first_broken(_NEW_STRUCT if is_new else _STRUCT, type_)
    before = None
    for field in _fields(type_, is_new=is_new) if problem is None else ():
        problem = first_broken(_FIELD, field, before, is_new)
        if problem is not None:
            break
        before = field
    return problem


def _offset_width(type_: MDNode, *, is_new: bool) -> int | None:
    """Return how wide the offsets of a type are; 0 if it has no fields, None if any width will do."""
    if len(type_.operands) == 2:
        return 0
    offset = next((constant_integer(field.offset) for field in _fields(type_, is_new=is_new)), None)
    if offset is None:
        return None if is_new else 0
    return offset.type.bit_width


class TypeNodes:
    """What is known of the types of a module, each of which is looked at once.

    Attributes:
        scalars: whether types are scalar.
        tag_problems: what is wrong with tags, many of which several accesses share.
    """

    def __init__(self) -> None:
        self.scalars: dict[MDNode, bool] = {}
        self.tag_problems: dict[MDNode, str | None] = {}
        self._problems: dict[tuple[MDNode, bool], str | None] = {}
        self._fields: dict[tuple[MDNode, bool], tuple[list[int], list[Operand]]] = {}
        self._known: dict[_Step, str | None] = {}
        self._steps = _MAX_STEPS

    def problem(self, type_: MDNode, *, is_new: bool) -> str | None:
        """Return what is wrong with a struct type."""
        key = type_, is_new
        if key not in self._problems:
            self._problems[key] = _struct_problem(type_, is_new=is_new)
        return self._problems[key]

    def inner(self, type_: MDNode, offset: int, *, is_new: bool) -> tuple[MDNode, int] | None:
        """Return the type of the field at an offset of a sound type, and the offset in it; None if there is none."""
        if len(type_.operands) == 2:
            parent = type_.operands[1]
            return (parent, offset) if isinstance(parent, MDNode) else None
        key = type_, is_new
        if key not in self._fields:
            fields = list(_fields(type_, is_new=is_new))
            self._fields[key] = [_offset(field).unsigned for field in fields], [field.type for field in fields]
        starts, types = self._fields[key]
        index = bisect_right(starts, offset) - 1
        if index < 0:
            return None
        found = types[index]
        return (found, offset - starts[index]) if isinstance(found, MDNode) else None

    def count_tag(self) -> None:
        """Allow for the steps of one more tag."""
        self._steps += _MAX_STEPS_PER_TAG

    def get(self, step: _Step) -> tuple[bool, str | None]:
        """Return whether it is known what is wrong on the way from a step on, and what.

        Raises:
            BitcodecError: there are too many steps.
        """
        self._steps -= 1
        if self._steps < 0:
            raise BitcodecError("type tags refer to types that are nested too deep to be checked")
        return step in self._known, self._known.get(step)

    def keep(self, steps: Iterable[_Step], problem: str | None) -> None:
        """Keep what is wrong on the way from steps on."""
        self._known.update(dict.fromkeys(steps, problem))


def _path_problem(tag: MDNode, types: TypeNodes) -> str | None:
    """Return what is wrong with the way from the type that an access goes through to the type accessed."""
    types.count_tag()
    steps: list[_Step] = []
    problem = _walk(tag, types, steps)
    if problem != _CYCLE:  # which shows at another type if the walk starts elsewhere
        types.keep(steps, problem)
    return problem


def _walk(tag: MDNode, types: TypeNodes, steps: list[_Step]) -> str | None:
    """Follow the way of a tag, and note its steps."""
    base, accessed = tag.operands[0], tag.operands[1]
    number = constant_integer(tag.operands[2])
    assert number is not None, "the rules in front of this one have asked"  # noqa: S101
    is_new, offset, width = _is_new(accessed), number.unsigned, number.type.bit_width
    seen: set[MDNode] = set()
    is_accessed = False
    while isinstance(base, MDNode) and not _is_root(base):
        if base in seen:
            return _CYCLE
        seen.add(base)
        step = base, offset, width, is_new, None if is_accessed else accessed
        is_known, problem = types.get(step)
        if is_known:
            return problem
        steps.append(step)
        is_scalar = _is_scalar(base, types.scalars)
        problem = types.problem(base, is_new=is_new) if len(base.operands) > 2 else None
        if problem is None and len(base.operands) == 2 and not is_scalar:
            problem = "Access type node must be a valid scalar type"
        problem = problem or _offset_problem(
            base, offset, width, is_scalar=is_scalar or base is accessed, is_new=is_new
        )
        if problem is not None:
            return problem
        is_accessed = is_accessed or base is accessed
        if is_new and is_accessed:
            break
        found = types.inner(base, offset, is_new=is_new)
        if found is None:
            return "Could not find TBAA parent in struct type node"
        base, offset = found
    return None if is_accessed else "Did not see access type in access path!"


def _offset_problem(base: MDNode, offset: int, width: int, *, is_scalar: bool, is_new: bool) -> str | None:
    """Return what is wrong with an offset into one type on the way."""
    if is_scalar and offset:
        return "Offset not zero at the point of scalar access"
    expected = _offset_width(base, is_new=is_new)
    if expected is not None and expected != width and not (expected == 0 and offset == 0):
        return "Access bit-width not the same as description bit-width"
    return None

"""Rules of `!tbaa`: tags that describe the type through which memory is accessed.

Rules: LLVM Language Reference, "'tbaa' Metadata".  Types have two forms: the parent comes first in the newer one.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.errors import BitcodecError
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Call, Load, Store, VAArg
from bitcodec.ir.metadata import MDNode, MDString, constant_integer
from bitcodec.named_tuple import NamedTuple
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Operand
    from bitcodec.verifier.rules import Rules

__all__ = ["TypeNodes", "access_problems"]

_ACCESSES = (Load, Store, Call, VAArg, AtomicRMW, AtomicCmpXchg)
_NO_ACCESS = "This instruction shall not have a TBAA access tag!"
_CYCLE = "Cycle detected in struct path"
_MAX_STEPS = 1 << 18
_MAX_STEPS_PER_TAG = 64
"""Types on the ways of all tags: so many, and so many for each tag."""

_Step: TypeAlias = "tuple[MDNode, int, int, bool, Operand]"
"""A type on a way, the offset in it, the width of offsets, whether types are new, and the type still to be found."""


class _Place(Enum):
    """Stands for a value in problems that several instructions and tags share."""

    INSTRUCTION = auto()
    TAG = auto()


class _BrokenType(Problem):
    """Stands for the problems of a type, which LLVM prints once for all tags that go through it.

    Attributes:
        type: the type.
        is_new: whether it is in the newer form.
    """

    __slots__ = ("is_new", "type")

    type: MDNode
    is_new: bool

    @classmethod
    def of(cls, type_: MDNode, *, is_new: bool) -> _BrokenType:
        """Return the marker of a type with problems."""
        broken = cls("")
        broken.type, broken.is_new = type_, is_new
        return broken


def access_problems(
    instruction: Instruction | None, tag: MDNode, types: TypeNodes, *, repeats: bool = False
) -> Iterator[str]:
    """Yield the errors in a tag.

    Args:
        instruction: the instruction that has it; None for a tag that no instruction has.
        tag: the tag.
        types: facts about types; a tag that many instructions share is checked once.
        repeats: whether the problems of a type are yielded again for a second tag that leads through it.
    """
    if instruction is not None and tag.operands and not isinstance(instruction, _ACCESSES):
        yield Problem(_NO_ACCESS, instruction)
        return
    known = types.tag_problems
    if tag not in known:
        problem = first_broken(_TAG, tag, types.scalars)
        known[tag] = _path_problems(tag, types) if problem is None else (problem,)
    places = {_Place.INSTRUCTION: instruction, _Place.TAG: tag}
    for problem in known[tag]:
        found: tuple[str, ...] = (problem,)
        if isinstance(problem, _BrokenType):
            is_known = types.is_reported(problem.type)
            found = () if is_known and not repeats else types.problems(problem.type, is_new=problem.is_new)
        for each in found:
            values = each.values if isinstance(each, Problem) else (instruction, tag)
            yield Problem(each, *(places[value] if isinstance(value, _Place) else value for value in values))


def _is_new(type_: Operand) -> bool:
    """Return whether a type is in the newer form."""
    return isinstance(type_, MDNode) and len(type_.operands) >= 3 and isinstance(type_.operands[0], MDNode)


def _is_new_tag(tag: MDNode) -> bool:
    return _is_new(tag.operands[1])


def _immutability(tag: MDNode) -> tuple[Operand, ...]:
    """Return the operand that marks memory as constant, if there is one."""
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
        lambda *_: (_Place.INSTRUCTION,),
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
        # The type is not a node here.
        lambda tag, _: (_Place.INSTRUCTION, _Place.TAG, tag.operands[0]),
    ),
    (
        "Access type node must be a valid scalar type",
        lambda tag, scalars: _is_new_tag(tag) or _is_scalar(tag.operands[1], scalars),
        lambda tag, _: (_Place.INSTRUCTION, _Place.TAG, tag.operands[1]),
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


def _type_alone(type_: MDNode) -> tuple[object, ...]:
    return (type_,)


_STRUCT: Rules = (
    ("Struct tag nodes must have an odd number of operands!", lambda type_: len(type_.operands) % 2, _type_alone),
    (
        "Struct tag nodes have a string as their first operand",
        lambda type_: isinstance(type_.operands[0], MDString),
        _type_alone,
    ),
)
_NEW_STRUCT: Rules = (
    (
        "Access tag nodes must have the number of operands that is a multiple of 3!",
        lambda type_: not len(type_.operands) % 3,
        _type_alone,
    ),
    (
        "Type size nodes must be constants!",
        lambda type_: constant_integer(type_.operands[1]) is not None,
        lambda type_: (_Place.INSTRUCTION, type_),
    ),
)
_FIELD: Rules = (
    ("Incorrect field entry in struct type node!", lambda field, _: isinstance(field.type, MDNode)),
    ("Offset entries must be constants!", lambda field, _: constant_integer(field.offset) is not None),
    (
        "Bitwidth between the offsets and struct type entries must match",
        lambda field, width: width is None or _offset(field).type.bit_width == width,
    ),
)
"""For a field, and the width of the first offset; after a broken rule, the field counts for nothing."""


def _offset(field: _Field) -> Any:
    return constant_integer(field.offset)


def _struct_problems(type_: MDNode, *, is_new: bool) -> Iterator[str]:
    """Yield the errors in a type on the path of an access."""
    problem = first_broken(_NEW_STRUCT if is_new else _STRUCT, type_)
    if problem is not None:
        yield problem
        return
    width: int | None = None
    before: int | None = None
    for field in _fields(type_, is_new=is_new):
        number = constant_integer(field.offset) if isinstance(field.type, MDNode) else None
        width = number.type.bit_width if width is None and number is not None else width
        problem = first_broken(_FIELD, field, width)
        if problem is not None:
            yield Problem(problem, _Place.INSTRUCTION, type_)
            continue
        offset = _offset(field).unsigned
        if before is not None and offset < before:
            yield Problem("Offsets must be increasing!", _Place.INSTRUCTION, type_)
        before = offset
        if is_new and constant_integer(field.size) is None:
            yield Problem("Member size entries must be constants!", _Place.INSTRUCTION, type_)


def _offset_width(type_: MDNode, *, is_new: bool) -> int | None:
    """Return how wide the offsets of a type are; 0 if it has no fields, None if any width will do."""
    if len(type_.operands) == 2:
        return 0
    offset = next((constant_integer(field.offset) for field in _fields(type_, is_new=is_new)), None)
    if offset is None:
        return None if is_new else 0
    return offset.type.bit_width


class TypeNodes:
    """Facts about the types of a module, each of which is checked once.

    Attributes:
        scalars: whether types are scalar.
        tag_problems: errors in tags, many of which several accesses share; LLVM prints instruction and tag
            below a problem without values.
    """

    def __init__(self) -> None:
        self.scalars: dict[MDNode, bool] = {}
        self.tag_problems: dict[MDNode, tuple[str, ...]] = {}
        self._problems: dict[tuple[MDNode, bool], tuple[str, ...]] = {}
        self._reported: set[MDNode] = set()
        self._fields: dict[tuple[MDNode, bool], tuple[list[int], list[Operand]]] = {}
        self._known: dict[_Step, tuple[str, ...]] = {}
        self._steps = _MAX_STEPS

    def problems(self, type_: MDNode, *, is_new: bool) -> tuple[str, ...]:
        """Return the errors in a type on the path of an access; empty for a type without fields."""
        key = type_, is_new
        if key not in self._problems:
            has_fields = len(type_.operands) > 2
            self._problems[key] = tuple(_struct_problems(type_, is_new=is_new)) if has_fields else ()
        return self._problems[key]

    def is_reported(self, type_: MDNode) -> bool:
        """Return whether this has been called for a type before."""
        is_known = type_ in self._reported
        self._reported.add(type_)
        return is_known

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

    def get(self, step: _Step) -> tuple[str, ...] | None:
        """Return the errors on the path from a step on, None if unknown.

        Raises:
            BitcodecError: there are too many steps.
        """
        self._steps -= 1
        if self._steps < 0:
            raise BitcodecError("type tags refer to types that are nested too deep to be checked")
        return self._known.get(step)

    def keep(self, steps: Iterable[_Step], problems: tuple[str, ...]) -> None:
        """Store the errors on the path from steps on."""
        self._known.update(dict.fromkeys(steps, problems))


def _path_problems(tag: MDNode, types: TypeNodes) -> tuple[str, ...]:
    """Return the errors on the path from the base type of an access to the type accessed."""
    types.count_tag()
    steps: list[_Step] = []
    problems = _walk(tag, types, steps)
    if problems != (_CYCLE,):  # which shows at another type if the walk starts elsewhere
        types.keep(steps, problems)
    return problems


def _walk(tag: MDNode, types: TypeNodes, steps: list[_Step]) -> tuple[str, ...]:
    """Follow the way of a tag, and note its steps."""
    base, accessed = tag.operands[0], tag.operands[1]
    number = constant_integer(tag.operands[2])
    assert number is not None, "the rules in front of this one have asked"  # noqa: S101
    is_new, offset, width = _is_new(accessed), number.unsigned, number.type.bit_width
    seen: set[MDNode] = set()
    is_accessed = False
    problems: tuple[str, ...] = ()
    while isinstance(base, MDNode) and not _is_root(base):
        if base in seen:
            return (_CYCLE,)
        seen.add(base)
        step = base, offset, width, is_new, None if is_accessed else accessed
        known = types.get(step)
        if known is not None:
            return known
        steps.append(step)
        is_accessed = is_accessed or base is accessed
        problem = _base_problem(base, offset, width, types, is_new=is_new, is_accessed=base is accessed)
        if problem is not None:
            return (problem,)
        if is_new and is_accessed:
            break
        found = types.inner(base, offset, is_new=is_new)
        if found is None:
            message = "Could not find TBAA parent in struct type node"
            problems = (Problem(message, _Place.INSTRUCTION, base, _signed(offset, width)),)
            break
        base, offset = found
    return problems if is_accessed else (*problems, "Did not see access type in access path!")


def _base_problem(
    base: MDNode, offset: int, width: int, types: TypeNodes, *, is_new: bool, is_accessed: bool
) -> Problem | None:
    """Return the error in one type on the path, or in the offset into it."""
    is_scalar = _is_scalar(base, types.scalars)
    if types.problems(base, is_new=is_new) or (len(base.operands) == 2 and not is_scalar):
        return _BrokenType.of(base, is_new=is_new)
    if (is_scalar or is_accessed) and offset:
        message = "Offset not zero at the point of scalar access"
        return Problem(message, _Place.INSTRUCTION, _Place.TAG, _signed(offset, width))
    expected = _offset_width(base, is_new=is_new)
    if expected is not None and expected != width and not (expected == 0 and offset == 0):
        message = "Access bit-width not the same as description bit-width"
        return Problem(message, _Place.INSTRUCTION, _Place.TAG, expected, width)
    return None


def _signed(number: int, width: int) -> int:
    """Return an unsigned number as LLVM prints it."""
    return number - (number >> width - 1 << width)

"""Rules of module flags.  Rules: docs/reference/flags.md, 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt, unsigned_of
from bitcodec.ir.functions import Function
from bitcodec.ir.metadata import (
    MDNode,
    MDString,
    ValueAsMetadata,
    constant_integer,
    wrapped_constant,
)
from bitcodec.ir.module_flag_rules import DUPLICATE, broken_requirement, broken_rule
from bitcodec.ir.types import IntegerType
from bitcodec.tables.module_flags import Behavior
from bitcodec.verifier.kinds import stripped
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.metadata import NamedMetadata, Operand
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_module_flags"]

_POINTER_AUTHENTICATION = ("aarch64-elf-pauthabi-platform", "aarch64-elf-pauthabi-version")


def check_module_flags(flags: NamedMetadata, verifier: Verifier) -> None:
    """Check each flag, that flags are unique, and that requirements hold."""
    verifier.where = flags
    known: dict[str, Any] = {}
    required: list[tuple[Operand, ...]] = []
    for flag in flags.operands:
        problem = broken_rule(flag)
        if problem is not None:
            verifier.report(Problem(problem, _wrong_part(flag, problem)), flag)
            continue
        if _behavior(flag) == Behavior.REQUIRE:
            required.append(_value(flag).operands)
        elif _name(flag) in known:
            verifier.report(Problem(DUPLICATE, flag.operands[1]), flag)
            continue
        else:
            known[_name(flag)] = flag
        for problem in _problems_of(flag, verifier):
            verifier.report(problem, flag)
    _check_pointer_authentication(flags, verifier)
    for name, value in required:
        problem = broken_requirement(known.get(_text(name)), value)
        if problem is not None:
            verifier.report(problem, name)


def _check_pointer_authentication(flags: NamedMetadata, verifier: Verifier) -> None:
    given = {
        _name(flag)
        for flag in flags.operands
        if len(flag.operands) == 3 and isinstance(flag.operands[1], MDString) and constant_integer(_value(flag))
    }
    if len(given.intersection(_POINTER_AUTHENTICATION)) == 1:
        platform, version = _POINTER_AUTHENTICATION
        message = f"either both or no '{platform}' and '{version}' module flags must be present"
        verifier.report(Problem(message), flags)


def _text(operand: Any) -> str:
    text: str = operand.text
    return text


def _name(flag: Any) -> str:
    return _text(flag.operands[1])


def _value(flag: Any) -> Any:
    return flag.operands[2]


def _behavior(flag: Any) -> int:
    return unsigned_of(wrapped_constant(flag.operands[0]))


def _is_integer(flag: Any, _: object) -> bool:
    return constant_integer(_value(flag)) is not None


def _edges(flag: Any) -> tuple[Any, ...]:
    value = _value(flag)
    return tuple(value.operands) if isinstance(value, MDNode) else ()


def _is_function_or_none(operand: Operand) -> bool:
    if operand is None:
        return True
    value = operand.value if isinstance(operand, ValueAsMetadata) else None
    return isinstance(operand, ValueAsMetadata) and (value is None or isinstance(stripped(value), Function))


def _is_count(operand: Operand) -> bool:
    value = wrapped_constant(operand)
    return isinstance(value, ConstantInt) or (value is not None and isinstance(value.type, IntegerType))


_PARTS = ("behavior operand", "ID operand", "value")
"""Parts of a flag in messages, in the order of its operands."""
_FIRST_OF_VALUE = "first value operand"


def _wrong_part(flag: Any, problem: str) -> object:
    """Return the part of a flag that a message is about; LLVM prints it."""
    operands = flag.operands
    if len(operands) != len(_PARTS):
        return flag
    if _FIRST_OF_VALUE in problem:
        return operands[2].operands[0]
    return next((operand for part, operand in zip(_PARTS, operands, strict=True) if f"invalid {part}" in problem), flag)


def _problems_of(flag: Any, verifier: Verifier) -> Iterator[str]:
    """Yield the errors in the value of a flag that LLVM knows."""
    problem = first_broken(_KNOWN.get(_name(flag), ()), flag, verifier)
    if problem is not None:
        yield Problem(problem)
    for edge in _edges(flag) if _name(flag) == "CG Profile" else ():
        yield from _edge_problems(edge)


def _edge_problems(edge: Any) -> Iterator[str]:
    if not (isinstance(edge, MDNode) and len(edge.operands) == 3):
        yield Problem("expected a MDNode triple", edge)
        return
    for end in edge.operands[:2]:
        if not _is_function_or_none(end):
            yield Problem("expected a Function or null", end)
    if not _is_count(edge.operands[2]):
        yield Problem("expected an integer constant", edge.operands[2])


_KNOWN: dict[str, Rules] = {
    "wchar_size": (("wchar_size metadata requires constant integer argument", _is_integer),),
    "SemanticInterposition": (("SemanticInterposition metadata requires constant integer argument", _is_integer),),
    "Linker Options": (
        (
            "'Linker Options' named metadata no longer supported",
            lambda _, verifier: "llvm.linker.options" in verifier.module.named_metadata,
        ),
    ),
}
"""By name: rules of the values of flags, whatever their behaviour."""

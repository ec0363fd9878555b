"""The form of rules: tables whose rows are LLVM's message and the predicate that must hold.

As in LLVM's verifier, only the first row of a table that does not hold is reported: the rows after it may rely on it.
Rows that are `Called` are a separate table within another; rows that are `Searched` find their message themselves.

LLVM prints values below a message: the arguments of its `Check`.  Most rules print the object that they are about,
which the caller of `report` names.  A row that prints other values has a third item, a function of the same subjects
that returns them; a function that returns a message of such a rule returns a `Problem`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

__all__ = [
    "MAXIMUM_ALIGNMENT",
    "Called",
    "LateProblem",
    "NumberedProblem",
    "PassingProblem",
    "Problem",
    "Rule",
    "Rules",
    "Searched",
    "Worded",
    "all_broken",
    "first_broken",
    "form_of",
    "is_aligned",
    "with_tests",
    "with_values",
    "without_values",
    "worded",
]

Rule: TypeAlias = "tuple[str, Callable[..., Any]] | tuple[str, Callable[..., Any], Callable[..., tuple[object, ...]]]"
"""A message, in which `{0}`, `{0.opcode}`... are replaced by the arguments of the test; the test; the values to print.

Default of the values: the caller of `report` provides them.
"""
Rules: TypeAlias = "tuple[Rule, ...]"

MAXIMUM_ALIGNMENT = 1 << 32
"""In bytes: the largest that LLVM has room for."""


class Worded(str):
    """A message that depends on the module.

    Attributes:
        form: the message with `{...}` in the place of the parts that depend on it.
    """

    __slots__ = ("form",)

    form: str


class Problem(Worded):
    """A message with the values that LLVM prints below it.

    Args:
        message: the message.
        values: the values, of the classes that `asm.finding_text` prints.
    """

    __slots__ = ("values",)

    values: tuple[object, ...]

    def __new__(cls, message: str, *values: object) -> Self:
        """Make a problem; without values LLVM prints nothing below the message."""
        problem = super().__new__(cls, message)
        problem.values, problem.form = values, form_of(message)
        return problem


class NumberedProblem(Problem):
    """A problem whose values LLVM prints with numbers that differ from the numbers in other findings."""

    __slots__ = ()


class PassingProblem(Problem):
    """A problem after which LLVM checks the rest of the instruction; after others, it skips to the next one."""

    __slots__ = ()


class LateProblem(PassingProblem):
    """A problem that LLVM finds after it has checked the rest of the instruction."""

    __slots__ = ()


def worded(form: str, *parts: object) -> Worded:
    """Return a message made from its form."""
    message = Worded(form.format(*parts))
    message.form = form
    return message


def form_of(message: str) -> str:
    """Return the form of a message; most messages are their form."""
    return message.form if isinstance(message, Worded) else message


def first_broken(rules: Rules, *subjects: object) -> str | None:
    """Return the message of the first rule that does not hold, None if all do."""
    for rule in rules:
        if not rule[1](*subjects):
            return _message_of(rule, subjects)
    return None


def _message_of(rule: Rule, subjects: tuple[object, ...]) -> str:
    """Return the message of a broken rule."""
    message, _, *values = rule
    text = worded(message, *subjects) if "{" in message else message
    return Problem(text, *values[0](*subjects)) if values else text


class Called(NamedTuple):
    """Rules that LLVM checks in a separate function: whatever it finds, the rules behind them are checked."""

    rules: Rules


class Searched(NamedTuple):
    """Rules for the parts of an object: a function that returns the message of the first one that is broken."""

    find: Callable[..., str | None]


def all_broken(rules: Iterable[Rule | Called | Searched], *subjects: object) -> list[str]:
    """Return the message of the first broken rule, after the messages of the called parts that precede it."""
    found: list[str] = []
    for rule in rules:
        problem: str | None = None
        if isinstance(rule, Called):
            problem = first_broken(rule.rules, *subjects)
        elif isinstance(rule, Searched):
            problem = rule.find(*subjects)
        elif not rule[1](*subjects):
            problem = _message_of(rule, subjects)
        if problem is not None:
            found.append(problem)
            if not isinstance(rule, Called):
                break
    return found


def with_tests(rules: Rules, adapted: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Rules:
    """Return rules with each test, and not the values, changed by a function."""
    return tuple((message, adapted(holds), *values) for message, holds, *values in rules)  # type: ignore[misc]


def with_values(kind: type[Problem], problem: str, *values: object) -> Problem:
    """Return a problem of a kind, with these values unless it has its own."""
    return kind(problem, *(problem.values if isinstance(problem, Problem) else values))


def without_values(*_subjects: object) -> tuple[object, ...]:
    """Return nothing: the values of a rule of which LLVM prints the message only."""
    return ()


def is_aligned(value: Any, _context: object = None) -> bool:
    """Return whether the alignment of an instruction or a global, if it has one, is one that LLVM has room for."""
    alignment: int | None = value.alignment
    return alignment is None or alignment <= MAXIMUM_ALIGNMENT

"""Rules of `!prof` on instructions: weights of branches, profiles of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.instructions import Branch, Call, CallBase, CallBranch, IndirectBranch, Invoke, Select, Switch
from bitcodec.ir.metadata import MDString, constant_integer
from bitcodec.verifier.rules import Problem, first_broken, with_tests, without_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.verifier.rules import Rules

__all__ = ["UNKNOWN_RULES", "label_of", "profile_problems_of"]

_LAST_KIND = 2
"""The last kind of values that are counted: targets of virtual tables."""
_KINDS_OF_CALLS = {0, 1}
"""Targets of indirect calls, and sizes of memory operations."""


def _weight_count(found: Instruction) -> int:
    """Return the number of weights of an instruction, 0 if it has none; another rule checks an `invoke`."""
    match found:
        case Branch() | Switch() | IndirectBranch() | CallBranch():
            return len(found.successors)
        case Call():
            return 1
        case Select():
            return 2
    return 0


def label_of(node: Any) -> str:
    """Return the string that a profile begins with."""
    label: str = node.operands[0].text
    return label


def _weights(node: Any) -> tuple[Any, ...]:
    """Return the weights: the operands after the name and after the word for weights from a programmer."""
    first = 2 if len(node.operands) > 1 and isinstance(node.operands[1], MDString) else 1
    return tuple(node.operands[first:])


def _is_weighed(found: Any) -> bool:
    return isinstance(found, Invoke) or _weight_count(found) > 0


def _has_invoke_weights(found: Any, node: Any) -> bool:
    return not isinstance(found, Invoke) or len(_weights(node)) in {1, 2}


def _has_weights(found: Any, node: Any) -> bool:
    return isinstance(found, Invoke) or len(_weights(node)) == _weight_count(found)


def _kind(node: Any) -> int:
    number = constant_integer(node.operands[1])
    return _LAST_KIND + 1 if number is None else number.unsigned


def _of_node(holds: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a predicate on an instruction and its profile from a predicate on the profile alone."""
    return lambda _, node: holds(node)


UNKNOWN_RULES: Rules = (
    ("'unknown' !prof should have a single additional operand", lambda node: len(node.operands) == 2),
    (
        "'unknown' !prof should have an additional operand of type string",
        lambda node: isinstance(node.operands[1], MDString),
        without_values,
    ),
    ("the 'unknown' !prof operand should not be an empty string", lambda node: node.operands[1].text, without_values),
)
"""For unknown profiles: they name the pass that marked them so."""
_NAMED: Rules = (
    ("!prof annotations should have at least 1 operand", lambda _, node: node.operands),
    ("first operand should not be null", lambda _, node: node.operands[0] is not None),
    ("expected string with name of the !prof annotation", lambda _, node: isinstance(node.operands[0], MDString)),
)
_MIN_VALUE_PROFILE = 5
"""Operands of a profile of values: name, kind, total, and at least one value with its count."""
_LONG: Rules = (("!prof annotations should have no less than 2 operands", lambda _, node: len(node.operands) >= 2),)
_RULES: dict[str, Rules] = {
    "unknown": (
        (
            "'unknown' !prof should only appear on instructions on which 'branch_weights' would",
            lambda found, _: isinstance(found, Invoke) or _weight_count(found) > 0,
        ),
        *with_tests(UNKNOWN_RULES, _of_node),
    ),
    "branch_weights": (
        *_LONG,
        ("Wrong number of InvokeInst branch_weights operands", _has_invoke_weights),
        ("Wrong number of operands", _has_weights),
        ("second operand should not be null", lambda _, node: None not in _weights(node)),
        (
            "!prof brunch_weights operand is not a const int",
            lambda _, node: all(constant_integer(weight) is not None for weight in _weights(node)),
            without_values,
        ),
    ),
    "VP": (
        *_LONG,
        ("invalid value profiling metadata", lambda _, node: len(node.operands) >= _MIN_VALUE_PROFILE),
        ("VP !prof missing kind argument", lambda _, node: constant_integer(node.operands[1]) is not None),
        ("Invalid VP !prof kind", lambda _, node: _kind(node) <= _LAST_KIND),
        ("VP !prof should have an even number of arguments after 'VP'", lambda _, node: len(node.operands) % 2),
        (
            "VP !prof indirect call or memop size expected to be applied to CallBase instructions only",
            lambda found, node: isinstance(found, CallBase) or _kind(node) not in _KINDS_OF_CALLS,
        ),
    ),
}
"""By the name that a profile begins with."""
_OTHERS: Rules = (*_LONG, ("expected either branch_weights or VP profile name", lambda _found, _node: False))


def profile_problems_of(found: Instruction, node: MDNode) -> Iterator[str]:
    """Yield the errors in the profile of an instruction."""
    problem = first_broken(_NAMED, found, node)
    if problem is None and label_of(node) == "branch_weights" and not _is_weighed(found) and len(node.operands) > 1:
        # The only rule after whose message LLVM goes on.
        yield Problem("!prof branch_weights are not allowed for this instruction", node)
    problem = problem or first_broken(_RULES.get(label_of(node), _OTHERS), found, node)
    if problem is not None:
        yield problem if isinstance(problem, Problem) else Problem(problem, node)

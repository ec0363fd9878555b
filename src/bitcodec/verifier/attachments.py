"""Rules of metadata attached to instructions: a table for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantFP
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.instructions import (
    Alloca,
    AtomicCmpXchg,
    AtomicRMW,
    Call,
    CallBase,
    Cast,
    Fence,
    Invoke,
    Load,
    Store,
)
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode, MDString, MDTuple
from bitcodec.verifier.callees import calls_intrinsic
from bitcodec.verifier.kinds import constant_integer, is_floats, is_integer, is_pointer
from bitcodec.verifier.memory_profiles import CALL_SITE_RULES, PROFILE_RULES
from bitcodec.verifier.profiles import profile_problem
from bitcodec.verifier.ranges import range_problem
from bitcodec.verifier.rules import MAXIMUM_ALIGNMENT, first_broken
from bitcodec.verifier.tbaa import access_problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules

__all__ = ["check_location", "is_sound_attachment"]

_WITH_LOCATIONS = {"dbg", "llvm.loop"}
"""Kinds whose nodes may refer to debug locations."""
_BY_INSTRUCTION = {"DIAssignID", "captures", "dereferenceable", "dereferenceable_or_null", "nofree", "prof"}
"""Kinds whose rules depend on more of an instruction than its class and type."""


def is_sound_attachment(kind: str, node: MDNode, instruction: Instruction, body: Body) -> bool:
    """Check metadata attached to an instruction, and report what is wrong with it.

    Returns:
        Whether it is sound on every instruction of the same class and type.
    """
    problem = first_broken(_RULES[kind], instruction, node) if kind in _RULES else None
    if problem is None and kind in _NODE_RULES:
        problem = _node_problem(kind, node, body)
    if problem is None and kind in _PROBLEMS:
        problem = _PROBLEMS[kind](instruction, node, body)
    if problem is not None:
        body.report(problem, instruction)
    body.verifier.metadata.visit(node, with_locations=kind in _WITH_LOCATIONS)
    return problem is None and kind not in _BY_INSTRUCTION


def check_location(instruction: Instruction, body: Body) -> None:
    """Check the debug location of an instruction."""
    location = instruction.debug_location
    if location is None:
        return
    if not isinstance(location, DILocation):
        body.report("invalid !dbg metadata attachment", instruction)
    body.verifier.metadata.visit(location, with_locations=True)


def _node_problem(kind: str, node: MDNode, body: Body) -> str | None:
    """Return what is wrong with a node by itself; one that many instructions share is checked once."""
    known = body.verifier.node_problems
    if (kind, node) not in known:
        known[kind, node] = first_broken(_NODE_RULES[kind], node)
    return known[kind, node]


def _is_on(*classes: type) -> Callable[[Any, Any], bool]:
    return lambda found, _: isinstance(found, classes)


def _has(count: int) -> Callable[[Any, Any], bool]:
    return lambda _, node: len(node.operands) == count


def _is_of_pointer(found: Any, _: object) -> bool:
    return is_pointer(found.type)


def _is_wide(_found: object, node: Any) -> bool:
    number = constant_integer(node.operands[0])
    return number is not None and is_integer(number.type, 64)


def _alignment(node: Any) -> int:
    number = constant_integer(node.operands[0])
    return 0 if number is None else number.unsigned


def _accuracy(node: Any) -> Any:
    """Return the floating-point number that a node holds, None if it holds none."""
    wrapped = node.operands[0]
    value = wrapped.value if isinstance(wrapped, ConstantAsMetadata) else None
    return value if isinstance(value, ConstantFP) else None


_DEREFERENCEABLE: Rules = (
    ("dereferenceable, dereferenceable_or_null apply only to pointer types", _is_of_pointer),
    (
        (
            "dereferenceable, dereferenceable_or_null apply only to load and inttoptr instructions, use attributes for "
            "calls or invokes"
        ),
        lambda found, _: isinstance(found, Load) or (isinstance(found, Cast) and found.opcode == "inttoptr"),
    ),
    ("dereferenceable, dereferenceable_or_null take one operand!", _has(1)),
    ("dereferenceable, dereferenceable_or_null metadata value must be an i64!", _is_wide),
)


def _is_access_scope(node: MDNode) -> bool:
    return node.is_distinct and not node.operands


def _listed_scopes(node: MDNode) -> tuple[Any, ...]:
    """Return what an access group lists, nothing if it is one itself."""
    return () if _is_access_scope(node) else node.operands


def _is_named(node: Any) -> bool:
    """Return whether a scope or a domain is known by itself, or by a string."""
    return node.operands[0] is node or isinstance(node.operands[0], MDString)


def _each_scope(rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda node: all(rule(scope) for scope in node.operands)


def _each_domain(rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda node: all(rule(scope.operands[1]) for scope in node.operands)


_ALIAS_SCOPES: Rules = (
    ("scope list must consist of MDNodes", _each_scope(lambda scope: isinstance(scope, MDNode))),
    ("scope must have two or three operands", _each_scope(lambda scope: len(scope.operands) in {2, 3})),
    ("first scope operand must be self-referential or string", _each_scope(_is_named)),
    (
        "third scope operand must be string (if used)",
        _each_scope(lambda scope: len(scope.operands) < 3 or isinstance(scope.operands[2], MDString)),
    ),
    ("second scope operand must be MDNode", _each_domain(lambda domain: isinstance(domain, MDNode))),
    ("domain must have one or two operands", _each_domain(lambda domain: len(domain.operands) in {1, 2})),
    ("first domain operand must be self-referential or string", _each_domain(_is_named)),
    (
        "second domain operand must be string (if used)",
        _each_domain(lambda domain: len(domain.operands) < 2 or isinstance(domain.operands[1], MDString)),
    ),
)


def _is_tag(metadata: Any) -> bool:
    """Return whether it is a pair of strings."""
    return (
        isinstance(metadata, MDTuple)
        and len(metadata.operands) == 2
        and all(isinstance(operand, MDString) for operand in metadata.operands)
    )


def _may_be_relaxed(found: Any, _: object) -> bool:
    return isinstance(found, (Load, Store, AtomicRMW, AtomicCmpXchg, Fence, CallBase))


def _is_annotation(metadata: Any) -> bool:
    if isinstance(metadata, MDTuple):
        return all(isinstance(operand, MDString) for operand in metadata.operands)
    return isinstance(metadata, MDString)


_CAPTURED = {"address", "address_is_null", "provenance", "read_provenance"}
_RULES: dict[str, Rules] = {
    "dbg": (("invalid !dbg metadata attachment", lambda _, node: isinstance(node, DILocation)),),
    "fpmath": (
        ("fpmath requires a floating point result!", lambda found, _: is_floats(found.type)),
        ("fpmath takes one operand!", _has(1)),
        ("invalid fpmath accuracy!", lambda _, node: _accuracy(node) is not None),
        ("fpmath accuracy must have float type", lambda _, node: _accuracy(node).type.spelling == "float"),
        (
            "fpmath accuracy not a positive number!",
            lambda _, node: 0 < _accuracy(node).value < float("inf"),
        ),
    ),
    "range": (("Ranges are only for loads, calls and invokes!", _is_on(Load, Call, Invoke)),),
    "noalias.addrspace": (
        (
            "noalias.addrspace are only for memory operations!",
            _is_on(Load, Store, AtomicRMW, AtomicCmpXchg, Call),
        ),
    ),
    "invariant.group": (("invariant.group metadata is only for loads and stores", _is_on(Load, Store)),),
    "nonnull": (
        ("nonnull applies only to pointer types", _is_of_pointer),
        ("nonnull applies only to load instructions, use attributes for calls or invokes", _is_on(Load)),
        ("nonnull metadata must be empty", _has(0)),
    ),
    "dereferenceable": _DEREFERENCEABLE,
    "dereferenceable_or_null": _DEREFERENCEABLE,
    "nofree": (
        ("nofree applies only to pointer types", _is_of_pointer),
        (
            "nofree applies only to inttoptr instruction",
            lambda found, _: isinstance(found, Cast) and found.opcode == "inttoptr",
        ),
        ("nofree metadata must be empty", _has(0)),
    ),
    "align": (
        ("align applies only to pointer types", _is_of_pointer),
        ("align applies only to load instructions, use attributes for calls or invokes", _is_on(Load)),
        ("align takes one operand!", _has(1)),
        ("align metadata value must be an i64!", _is_wide),
        ("align metadata value must be a power of 2!", lambda _, node: _alignment(node).bit_count() == 1),
        (
            "alignment is larger that implementation defined limit",
            lambda _, node: _alignment(node) <= MAXIMUM_ALIGNMENT,
        ),
    ),
    "memprof": (("!memprof metadata should only exist on calls", _is_on(CallBase)),),
    "callsite": (("!callsite metadata should only exist on calls", _is_on(CallBase)),),
    "callee_type": (("!callee_type metadata should only exist on calls", _is_on(CallBase)),),
    "captures": (
        ("!captures metadata can only be applied to store instructions", _is_on(Store)),
        (
            "!captures metadata can only be applied to store with value operand of pointer type",
            lambda store, _: is_pointer(store.value.type),
        ),
    ),
    "alloc_token": (
        ("!alloc_token should only exist on calls", _is_on(CallBase)),
        ("!alloc_token must have 2 operands", _has(2)),
    ),
    "DIAssignID": (
        (
            "!DIAssignID attached to unexpected instruction kind",
            lambda found, _: (
                isinstance(found, (Alloca, Store)) or (isinstance(found, CallBase) and calls_intrinsic(found))
            ),
        ),
    ),
    "mmra": (("!mmra metadata attached to unexpected instruction kind", _may_be_relaxed),),
}
"""What has to hold for an instruction and a node; nothing here goes through the operands of the node."""

_NODE_RULES: dict[str, Rules] = {
    "noalias": _ALIAS_SCOPES,
    "alias.scope": _ALIAS_SCOPES,
    "llvm.access.group": (
        (
            "Access scope list must consist of MDNodes",
            lambda node: all(isinstance(scope, MDNode) for scope in _listed_scopes(node)),
        ),
        (
            "Access scope list contains invalid access scope",
            lambda node: all(map(_is_access_scope, _listed_scopes(node))),
        ),
    ),
    "memprof": PROFILE_RULES,
    "callsite": CALL_SITE_RULES,
    "callee_type": (
        (
            "The callee_type metadata must be a list of type metadata nodes",
            lambda node: all(isinstance(type_, MDNode) for type_ in node.operands),
        ),
        (
            "Well-formed generalized type metadata must contain exactly two operands",
            lambda node: all(len(type_.operands) == 2 for type_ in node.operands),
        ),
        (
            "The first operand of type metadata for functions must be zero",
            lambda node: all(_is_zero(type_.operands[0]) for type_ in node.operands),
        ),
        (
            "Only generalized type metadata can be part of the callee_type metadata list",
            lambda node: all(_is_generalized(type_.operands[1]) for type_ in node.operands),
        ),
    ),
    "captures": (
        ("!captures metadata cannot be empty", lambda node: node.operands),
        (
            "!captures metadata must be a list of strings",
            lambda node: all(isinstance(word, MDString) for word in node.operands),
        ),
        ("invalid entry in !captures metadata", lambda node: all(word.text in _CAPTURED for word in node.operands)),
    ),
    "mmra": (
        ("!mmra expected to be a metadata tuple", lambda node: isinstance(node, MDTuple)),
        (
            "!mmra metadata tuple operand is not an MMRA tag",
            lambda node: _is_tag(node) or all(map(_is_tag, node.operands)),
        ),
    ),
    "annotation": (
        ("annotation must be a tuple", lambda node: isinstance(node, MDTuple)),
        ("annotation must have at least one operand", lambda node: node.operands),
        ("operands must be a string or a tuple of strings", lambda node: all(map(_is_annotation, node.operands))),
    ),
}
"""What has to hold for a node by itself, once the rules above hold: checked once for each node."""


def _is_zero(operand: Any) -> bool:
    number = constant_integer(operand)
    return number is not None and number.is_null


def _is_generalized(operand: Any) -> bool:
    return isinstance(operand, MDString) and operand.text.endswith(".generalized")


def _range_problem(node: MDNode, type_: Type | None, body: Body) -> str | None:
    """Return what is wrong with ranges of a type; a list that many instructions share is checked once."""
    known = body.verifier.range_problems
    if (node, type_) not in known:
        known[node, type_] = range_problem(node, type_)
    return known[node, type_]


_PROBLEMS: dict[str, Callable[[Any, MDNode, Body], str | None]] = {
    "range": lambda found, node, body: _range_problem(node, found.type, body),
    "noalias.addrspace": lambda _found, node, body: _range_problem(node, None, body),
    "prof": lambda found, node, _: profile_problem(found, node),
    "tbaa": lambda instruction, tag, body: access_problem(instruction, tag, body.verifier.tbaa_types),
}

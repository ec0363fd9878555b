"""Rules of metadata attached to instructions: a table for each kind."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantFP, unsigned_of
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
from bitcodec.ir.metadata import MDString, constant_integer, content_of, wrapped_constant
from bitcodec.ir.type_properties import is_floats, is_integer, is_pointer
from bitcodec.tables.metadata_kinds import METADATA_KINDS
from bitcodec.verifier.alias_scopes import alias_scope_problems
from bitcodec.verifier.assignments import linked_record_problems
from bitcodec.verifier.attached_nodes import (
    access_group_problems,
    annotation_problems,
    callee_type_problems,
    capture_problems,
    relaxation_problems,
)
from bitcodec.verifier.callees import calls_intrinsic, memory_effects
from bitcodec.verifier.memory_profiles import call_stack_problems, profile_problems
from bitcodec.verifier.profiles import profile_problems_of
from bitcodec.verifier.ranges import range_problem
from bitcodec.verifier.rules import MAXIMUM_ALIGNMENT, Problem, first_broken
from bitcodec.verifier.tbaa import access_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.types import Type
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.metadata import MetadataWalk
    from bitcodec.verifier.rules import Rules

__all__ = [
    "ATOM_GROUP",
    "SCOPE",
    "AttachmentVerdict",
    "attachment_order",
    "check_atom",
    "check_attachment",
    "check_location",
    "kind_order",
    "visit_attachments",
]

_ATOM_WITHOUT_KEY_INSTRUCTIONS = "DbgLoc uses atomGroup but DISubprogram doesn't have Key Instructions enabled"

_WITH_LOCATIONS = {"dbg", "llvm.loop"}
"""Kinds whose nodes may refer to debug locations."""
_STOPPING = {"align", "fpmath", "invariant.group", "noalias.addrspace", "nonnull", "range"}
"""Kinds after whose rules LLVM checks no more of an instruction, if one of them does not hold."""
_DEBUG_INFO = {"DIAssignID", "dbg"}
_BY_INSTRUCTION = {"DIAssignID", "captures", "dereferenceable", "dereferenceable_or_null", "mmra", "nofree", "prof"}
"""Kinds whose rules depend on more of an instruction than its class and type."""


class AttachmentVerdict(Enum):
    """The outcome of checking attached metadata.

    Attributes:
        SOUND: it is sound on every instruction of the same class and type.
        PASSED: the rest of the instruction is to be checked.
        STOP: it is not.
    """

    SOUND = auto()
    PASSED = auto()
    STOP = auto()


def attachment_order(attachment: tuple[str, MDNode]) -> int:
    """Return the place of a kind of metadata in the order in which LLVM checks them; kinds without rules are last."""
    return _ORDER.get(attachment[0], len(_ORDER))


def check_attachment(kind: str, node: MDNode, instruction: Instruction, body: Body) -> AttachmentVerdict:
    """Check metadata attached to an instruction, and report its errors."""
    problem = first_broken(_RULES[kind], instruction, node) if kind in _RULES else None
    if problem is not None:
        body.report(problem, instruction, is_debug_info=kind in _DEBUG_INFO)
        return AttachmentVerdict.STOP if kind in _STOPPING else AttachmentVerdict.PASSED
    problems = list(_node_problems(kind, node, body)) if kind in _NODE_PROBLEMS else []
    if kind in _PROBLEMS:
        problems += _PROBLEMS[kind](instruction, node, body)
    for found in problems:
        if kind in _WITH_INSTRUCTION and isinstance(found, Problem):
            body.report(Problem(found, instruction, *found.values), instruction)
        else:
            body.report(found, instruction, is_debug_info=kind in _DEBUG_INFO)
    return AttachmentVerdict.PASSED if problems or kind in _BY_INSTRUCTION else AttachmentVerdict.SOUND


def visit_attachments(attached: Iterable[tuple[str, MDNode]], walk: MetadataWalk) -> None:
    """Check nodes attached to an instruction, and nodes that they refer to, without regard to their use."""
    for kind, node in sorted(attached, key=kind_order):
        walk.visit(node, with_locations=kind in _WITH_LOCATIONS)


_PLACES = {name: place for place, name in enumerate(DILocation.__match_args__)}
SCOPE, ATOM_GROUP = _PLACES["scope"], _PLACES["atom_group"]
"""Places in the content of a debug location."""


def kind_order(attachment: tuple[str, MDNode]) -> int:
    """Return the place of a kind of metadata in the order in which LLVM visits attached nodes."""
    return _KIND_NUMBERS.get(attachment[0], len(_KIND_NUMBERS))


def check_location(instruction: Instruction, body: Body) -> None:
    """Check the debug location of an instruction."""
    location = instruction.debug_location
    if location is None:
        return
    if not isinstance(location, DILocation):
        body.report("invalid !dbg metadata attachment", instruction, location, is_debug_info=True)
        return
    body.verifier.metadata.visit(location, with_locations=True)
    check_atom(location, body)


def check_atom(location: DILocation, body: Body) -> bool:
    """Check that the subprogram of a location in an atom has key instructions; return whether it is valid."""
    content = content_of(location)
    if not content[ATOM_GROUP]:
        return True
    scope, sound_scopes = content[SCOPE], body.verifier.scopes_of_atoms
    if scope in sound_scopes:
        return True
    subprogram = body.verifier.scopes.subprogram_of(scope)
    if subprogram is None or subprogram.key_instructions:
        sound_scopes.add(scope)
        return True
    body.report(_ATOM_WITHOUT_KEY_INSTRUCTIONS, location, subprogram, is_debug_info=True)
    return False


def _node_problems(kind: str, node: MDNode, body: Body) -> tuple[str, ...]:
    """Return the errors in a node by itself; a node that many instructions share is checked once."""
    known = body.verifier.node_problems
    if (kind, node) not in known:
        known[kind, node] = tuple(_NODE_PROBLEMS[kind](node))
    return known[kind, node]


def _is_on(*classes: type) -> Callable[[Any, Any], bool]:
    return lambda found, _: isinstance(found, classes)


def _has(count: int) -> Callable[[Any, Any], bool]:
    return lambda _, node: len(node.operands) == count


def _both(found: object, node: object) -> tuple[object, ...]:
    """Return the instruction and the node: LLVM prints both."""
    return found, node


def _is_of_pointer(found: Any, _: object) -> bool:
    return is_pointer(found.type)


def _is_wide(_found: object, node: Any) -> bool:
    number = constant_integer(node.operands[0])
    return number is not None and is_integer(number.type, 64)


def _alignment(node: Any) -> int:
    return unsigned_of(wrapped_constant(node.operands[0]))


def _accuracy(node: Any) -> Any:
    """Return the floating-point number that a node holds, None if it holds none."""
    wrapped = node.operands[0]
    value = wrapped_constant(wrapped)
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


def _may_be_relaxed(found: Any, _: object) -> bool:
    if isinstance(found, CallBase):
        return memory_effects(found).raw != 0
    return isinstance(found, (Load, Store, AtomicRMW, AtomicCmpXchg, Fence))


_RULES: dict[str, Rules] = {
    "dbg": (("invalid !dbg metadata attachment", lambda _, node: isinstance(node, DILocation), _both),),
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
        ("!alloc_token must have 2 operands", _has(2), lambda _, node: (node,)),
        ("expected string", lambda _, node: isinstance(node.operands[0], MDString), lambda _, node: (node,)),
        (
            "expected integer constant",
            lambda _, node: constant_integer(node.operands[1]) is not None,
            lambda _, node: (node,),
        ),
    ),
    "DIAssignID": (
        (
            "!DIAssignID attached to unexpected instruction kind",
            lambda found, _: (
                isinstance(found, (Alloca, Store)) or (isinstance(found, CallBase) and calls_intrinsic(found))
            ),
            _both,
        ),
    ),
    "mmra": (("!mmra metadata attached to unexpected instruction kind", _may_be_relaxed, _both),),
}
"""Rules that combine an instruction and a node; they do not visit the operands of the node."""

_NODE_PROBLEMS: dict[str, Callable[[Any], Iterable[str]]] = {
    "noalias": alias_scope_problems,
    "alias.scope": alias_scope_problems,
    "llvm.access.group": access_group_problems,
    "memprof": profile_problems,
    "callsite": call_stack_problems,
    "callee_type": callee_type_problems,
    "captures": capture_problems,
    "mmra": relaxation_problems,
    "annotation": annotation_problems,
}
"""Functions that return the errors in a node by itself once the rules above hold; called once for each node."""
_WITH_INSTRUCTION = {"captures", "mmra"}
"""Kinds of nodes whose problems LLVM prints with the instruction in front of the values."""


def _range_problems(node: MDNode, type_: Type | None, body: Body) -> Iterable[str]:
    """Return the errors in ranges of a type; a list that many instructions share is checked once."""
    known = body.verifier.range_problems
    if (node, type_) not in known:
        known[node, type_] = range_problem(node, type_)
    return filter(None, (known[node, type_],))


_PROBLEMS: dict[str, Callable[[Any, MDNode, Body], Iterable[str]]] = {
    "range": lambda found, node, body: _range_problems(node, found.type, body),
    "noalias.addrspace": lambda _found, node, body: _range_problems(node, None, body),
    "prof": lambda found, node, _: profile_problems_of(found, node),
    "DIAssignID": lambda found, node, body: linked_record_problems(node, found, body.verifier.assignments),
    "tbaa": lambda instruction, tag, body: access_problems(instruction, tag, body.verifier.tbaa_types),
}
_CHECKED_FIRST = (
    *("fpmath", "range", "noalias.addrspace", "invariant.group", "nonnull", "dereferenceable"),
    *("dereferenceable_or_null", "nofree", "tbaa", "noalias", "alias.scope", "llvm.access.group", "align", "prof"),
    *("memprof", "callsite", "callee_type", "DIAssignID", "mmra", "annotation", "captures", "alloc_token"),
)
_ORDER = {kind: place for place, kind in enumerate(_CHECKED_FIRST)}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(METADATA_KINDS)}

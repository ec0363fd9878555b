"""Rules of functions: their types, attributes, attachments and properties."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constant_expressions import BlockAddress, ConstantCast
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.debug_info import DISubprogram
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.instructions import CallBase, Cast, Terminator
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, constant_integer
from bitcodec.ir.type_properties import is_integer, is_operand, is_pointer
from bitcodec.ir.types import IntegerType, MetadataType, VoidType, X86AMXType
from bitcodec.tables.linkage import Linkage
from bitcodec.verifier.attachments import kind_order
from bitcodec.verifier.attributes import attribute_problems
from bitcodec.verifier.blocks import check_body
from bitcodec.verifier.callees import calls_intrinsic, has_on_parameter
from bitcodec.verifier.calling_conventions import CONVENTION_RULES
from bitcodec.verifier.debug_locations import check_locations
from bitcodec.verifier.globals import check_global
from bitcodec.verifier.kinds import stripped
from bitcodec.verifier.profiles import UNKNOWN_RULES, label_of
from bitcodec.verifier.rules import first_broken, is_aligned, with_tests, without_values, worded
from bitcodec.verifier.swift_errors import swift_error_problems
from bitcodec.verifier.target_types import is_token_like

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value
    from bitcodec.verifier.rules import Rule, Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_function"]


def check_function(function: Function, verifier: Verifier) -> None:
    """Check a function, its arguments and its body."""
    verifier.where = function
    unfinished = next((block for block in function.blocks if block.terminator is None), None)
    if unfinished is not None:
        verifier.report(worded("Basic Block in function '{}' does not have terminator!", function.name), unfinished)
        return
    check_global(function, verifier)
    if _has_sound_signature(function, verifier):
        _check_inside(function, verifier)
    if not function.is_declaration:
        check_body(function, verifier)


def _has_sound_signature(function: Function, verifier: Verifier) -> bool:
    """Check type, attributes and convention of a function; values that many functions share are checked once.

    Return whether the rest of the function can be checked.
    """
    attributes = function.attributes
    key = (
        function.value_type,
        tuple([argument.type for argument in function.arguments]),
        attributes,
        function.calling_convention,
        function.unnamed_address,
        function.linkage,
        function.alignment,
        function.is_intrinsic,
    )
    if key in verifier.sound_signatures:
        return True
    before = len(verifier.findings)
    is_sound = _check_signature(function, verifier)
    # Other attributes depend on the uses of arguments.
    if len(verifier.findings) == before and not ("naked" in attributes.for_function or _has_swift_error(function)):
        verifier.sound_signatures.add(key)
    return is_sound


def _check_signature(function: Function, verifier: Verifier) -> bool:
    problem = first_broken(_SHAPE, function, verifier)
    if problem is not None:
        verifier.report(problem, function)
        return False
    for problem in attribute_problems(
        function.value_type, function.attributes, verifier, is_intrinsic=function.is_intrinsic
    ):
        verifier.report(problem, function)
    for rules in (_ATTRIBUTES, CONVENTION_RULES):
        problem = first_broken(rules, function, verifier)
        if problem is not None:
            verifier.report(problem, function)
            return False
    for argument in function.arguments:
        problem = first_broken(_PARAMETER, argument, function)
        if problem is not None:
            verifier.report(problem, argument)
            return False
        if "swifterror" in function.attributes.for_parameter(argument.index):
            for problem in swift_error_problems(argument):
                verifier.report(problem, argument)
    problem = first_broken(_RESULTS, function, verifier)
    if problem is not None:
        verifier.report(problem, function)
    return problem is None


def _has_swift_error(function: Function) -> bool:
    return has_on_parameter(function, "swifterror")


def _check_inside(function: Function, verifier: Verifier) -> None:
    """Check attachments and uses of a function that has a sound type."""
    attached = _attachments_in_order(function)
    for kind, node in attached:
        broken = first_broken(_ATTACHMENTS.get(kind, ()), node)
        if broken is not None:
            verifier.report(broken, node)
            if not (kind == "prof" and _is_unknown(node)):
                break
    broken = first_broken(_DECLARATION if function.is_declaration else _DEFINITION, function, verifier)
    if broken is not None:
        verifier.report(broken, function)
        return
    check = _check_declared if function.is_declaration else _check_defined
    seen: Counter[str] = Counter()
    for kind, node in attached:
        seen[kind] += 1
        if not check(kind, node, seen[kind], function, verifier):
            return
    broken = first_broken(_AFTERWARDS, function, verifier)
    if broken is not None:
        verifier.report(broken, function)
        return
    check_locations(function, verifier)


def _check_declared(kind: str, node: MDNode, _count: int, function: Function, verifier: Verifier) -> bool:
    """Check a node attached to a declaration; return whether the rest of the function is to be checked."""
    if kind == "dbg" and node.is_distinct:
        message = "function declaration may only have a unique !dbg attachment"
        verifier.report(message, function, is_debug_info=True)
        return False
    if kind == "prof":
        verifier.report("function declaration may not have a !prof attachment", function)
        return False
    verifier.metadata.visit(node, with_locations=True)
    return True


def _check_defined(kind: str, node: MDNode, count: int, function: Function, verifier: Verifier) -> bool:
    """Check a node attached to a definition, the given one of its kind; return as above."""
    if kind in _SINGLE and count > 1:
        message = f"function must have a single !{kind} attachment"
        verifier.report(message, function, node, is_debug_info=kind == "dbg")
        return False
    if kind == "dbg":
        problem = first_broken(_SUBPROGRAM, node, function, verifier)
        if problem is not None:
            verifier.report(problem, function, node, is_debug_info=True)
            return False
    verifier.metadata.visit(node, with_locations=kind == "dbg")
    return True


def _is_returnable(function: Function, _: object) -> bool:
    returned = function.return_type
    return isinstance(returned, VoidType) or is_operand(returned)


_SHAPE: Rules = (
    ("Functions may not have common linkage", lambda function, _: function.linkage is not Linkage.COMMON),
    (
        "# formal arguments must match # of arguments for function type!",
        lambda function, _: len(function.arguments) == len(function.value_type.parameter_types),
        lambda function, _: (function, function.value_type),
    ),
    ("Functions cannot return aggregate values!", _is_returnable),
    (
        "Invalid struct return type!",
        lambda function, _: isinstance(function.return_type, VoidType) or not has_on_parameter(function, "sret"),
    ),
    ("huge alignment values are unsupported", is_aligned),
    (
        "Attribute after last parameter!",
        lambda function, _: all(
            index < len(function.value_type.parameter_types) for index in function.attributes.parameters
        ),
    ),
)
_ATTRIBUTES: Rules = (
    (
        "Attribute 'builtin' can only be applied to a callsite.",
        lambda function, _: "builtin" not in function.attributes.for_function,
    ),
    (
        "Attribute 'elementtype' can only be applied to a callsite.",
        lambda function, _: not has_on_parameter(function, "elementtype"),
    ),
    (
        "Attribute 'aarch64_zt0_undef' can only be applied to a callsite.",
        lambda function, _: "aarch64_zt0_undef" not in function.attributes.for_function,
        without_values,
    ),
    (
        "Attribute 'jumptable' requires 'unnamed_addr'",
        lambda function, _: (
            "jumptable" not in function.attributes.for_function or function.unnamed_address.spelling == "unnamed_addr"
        ),
    ),
    (
        "cannot use argument of naked function",
        lambda function, _: (
            "naked" not in function.attributes.for_function
            or not any(argument.is_used for argument in function.arguments)
        ),
        lambda function, _: (next(argument for argument in function.arguments if argument.is_used),),
    ),
)


def _is_of(kind: type[Type]) -> Callable[[Type], bool]:
    return lambda type_: isinstance(type_, kind)


def _returns(function: Function, is_kind: Callable[[Type], bool]) -> bool:
    return not function.is_intrinsic and is_kind(function.return_type)


def _is_no(is_kind: Callable[[Type], bool]) -> Callable[[Argument, Function], bool]:
    """Return a test that the type of an argument is not of a kind; arguments of intrinsics pass."""
    return lambda argument, function: function.is_intrinsic or not is_kind(argument.type)


def _with_function(argument: Argument, function: Function) -> tuple[object, ...]:
    return argument, function


_PARAMETER: Rules = (
    (
        "Argument value does not match function argument type!",
        lambda argument, function: argument.type is function.value_type.parameter_types[argument.index],
        lambda argument, function: (argument, function.value_type.parameter_types[argument.index]),
    ),
    ("Function arguments must have first-class types!", lambda argument, _: is_operand(argument.type)),
    ("Function takes metadata but isn't an intrinsic", _is_no(_is_of(MetadataType)), _with_function),
    ("Function takes token but isn't an intrinsic", _is_no(is_token_like), _with_function),
    ("Function takes x86_amx but isn't an intrinsic", _is_no(_is_of(X86AMXType)), _with_function),
)
"""For each argument and its function."""
_RESULTS: Rules = (
    ("Function returns a token but isn't an intrinsic", lambda function, _: not _returns(function, is_token_like)),
    (
        "Function returns a x86_amx but isn't an intrinsic",
        lambda function, _: not _returns(function, _is_of(X86AMXType)),
    ),
)


def _is_unknown(node: MDNode) -> bool:
    """Return whether a profile is marked as unknown: LLVM checks the other attachments, too."""
    return getattr(node.operands[0] if node.operands else None, "text", None) == _UNKNOWN


def _if_unknown(holds: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a predicate that applies `holds` to unknown profiles, and holds for other nodes."""
    return lambda node: label_of(node) != _UNKNOWN or holds(node)


_UNKNOWN = "unknown"
_ENTRY_COUNTS = {_UNKNOWN, "function_entry_count", "synthetic_function_entry_count"}

_ATTACHMENTS: dict[str, Rules] = {
    "prof": (
        ("!prof annotations should have no less than 2 operands", lambda node: len(node.operands) >= 2),
        ("first operand should not be null", lambda node: node.operands[0] is not None),
        (
            "expected string with name of the !prof annotation",
            lambda node: isinstance(node.operands[0], MDString),
        ),
        *with_tests(UNKNOWN_RULES, _if_unknown),
        (
            "first operand should be 'function_entry_count' or 'synthetic_function_entry_count'",
            lambda node: label_of(node) in _ENTRY_COUNTS,
        ),
        (
            "second operand should not be null",
            lambda node: node.operands[1] is not None,
        ),
        (
            "expected integer argument to function_entry_count",
            lambda node: label_of(node) == _UNKNOWN or isinstance(node.operands[1], ConstantAsMetadata),
        ),
    ),
    "kcfi_type": (
        ("!kcfi_type must have exactly one operand", lambda node: len(node.operands) == 1),
        ("!kcfi_type operand must not be null", lambda node: node.operands[0] is not None),
        (
            "expected a constant operand for !kcfi_type",
            lambda node: isinstance(node.operands[0], ConstantAsMetadata),
        ),
        (
            "expected a constant integer operand for !kcfi_type",
            lambda node: constant_integer(node.operands[0]) is not None,
        ),
        (
            "expected a 32-bit integer constant operand for !kcfi_type",
            lambda node: is_integer(node.operands[0].value.type, 32),
        ),
    ),
}


def _attachments_in_order(value: Function) -> list[tuple[str, MDNode]]:
    """Return the metadata attached to a function, in the order in which LLVM visits it."""
    attached: list[tuple[str, MDNode]] = list(value.metadata.items())
    return sorted(attached, key=kind_order) if len(attached) > 1 else attached


def _if_named(name: str, holds: Callable[[FunctionType], bool]) -> Callable[[Function, object], bool]:
    """Return a rule of the type of an intrinsic."""
    return lambda function, _: not function.name.startswith(name) or holds(function.value_type)


_COLLECTED: Rules = tuple(
    (message, _if_named(name, holds))
    for name, rows in {
        "llvm.experimental.gc.get.pointer.base.": (
            ("wrong number of parameters", lambda type_: len(type_.parameter_types) == 1),
            ("gc.get.pointer.base must return a pointer", lambda type_: is_pointer(type_.return_type)),
            (
                "gc.get.pointer.base operand and result must be of the same type",
                lambda type_: type_.parameter_types[0] is type_.return_type,
            ),
        ),
        "llvm.experimental.gc.get.pointer.offset.": (
            ("wrong number of parameters", lambda type_: len(type_.parameter_types) == 1),
            ("gc.get.pointer.offset operand must be a pointer", lambda type_: is_pointer(type_.parameter_types[0])),
            (
                "gc.get.pointer.offset must return integer",
                lambda type_: isinstance(type_.return_type, IntegerType),
            ),
        ),
    }.items()
    for message, holds in rows
)


def _offender(function: Function) -> Value | None:
    """Return the first user of an intrinsic other than a call with its declared type; None if there is none."""
    if not function.is_intrinsic or not any(_is_offending(user, function) for user in present_uses(function)):
        return None
    # The use made last is the first one in LLVM's list.
    return next(user for user in reversed(function.users) if _is_offending(user, function))


def _is_offending(user: Value, function: Function) -> bool:
    if isinstance(user, CallBase) and _is_mere_callee(function, user):
        return False
    return not isinstance(user, BlockAddress) and not _is_assumed(user)


def _is_assumed(user: Value) -> bool:
    """Return whether a user is a call that only states facts, or a cast for such calls."""
    if isinstance(user, ConstantCast | Cast):
        return user.opcode in {"bitcast", "addrspacecast"} and all(map(_is_assumption, present_uses(user)))
    return _is_assumption(user)


def _is_assumption(user: Value) -> bool:
    return isinstance(user, CallBase) and calls_intrinsic(user, _ASSUMPTIONS)


_ASSUMPTIONS = (
    *("llvm.assume", "llvm.sideeffect", "llvm.pseudoprobe", "llvm.dbg.", "llvm.invariant.start", "llvm.invariant.end"),
    *("llvm.lifetime.start", "llvm.lifetime.end", "llvm.experimental.noalias.scope.decl", "llvm.objectsize"),
    *("llvm.ptr.annotation", "llvm.var.annotation"),
)
"""Beginnings of the names of intrinsics whose calls only state facts."""


def _is_mere_callee(function: Function, call: CallBase) -> bool:
    if call.callee is function and call.function_type is function.value_type and function not in call.operands[:-1]:
        return True
    return any(bundle.tag == "clang.arc.attachedcall" and function in bundle.inputs for bundle in call.bundles)


def _is_entered_by_calls_alone(function: Function, _: object) -> bool:
    entry = function.blocks[0]
    return not any(isinstance(user, Terminator) and user.parent is not None for user in present_uses(entry))


def _is_address(block: BasicBlock) -> bool:
    return any(isinstance(user, BlockAddress) and present_uses(user) for user in present_uses(block))


def _has_own_personality(function: Function, verifier: Verifier) -> bool:
    personality = function.personality
    found = None if personality is None else stripped(personality)
    return not isinstance(found, Function) or found.parent is verifier.module


def _is_attached_once(node: DISubprogram, function: Function, verifier: Verifier) -> bool:
    return verifier.attached.setdefault(node, function) is function


def _foreign_personality(function: Function, verifier: Verifier) -> tuple[object, ...]:
    found = stripped(function.personality) if function.personality is not None else None
    return function, verifier.module, found, getattr(found, "parent", None)


def _entry(function: Function, _: object) -> tuple[object, ...]:
    return (function.blocks[0],)


_OWN_PERSONALITY: Rule = (
    "Referencing personality function in another module!",
    _has_own_personality,
    _foreign_personality,
)
_DECLARATION: Rules = (_OWN_PERSONALITY,)
_DEFINITION: Rules = (
    _OWN_PERSONALITY,
    ("llvm intrinsics cannot be defined!", lambda function, _: not function.is_intrinsic),
    ("Entry block to function must not have predecessors!", _is_entered_by_calls_alone, _entry),
    (
        "blockaddress may not be used with the entry block!",
        lambda function, _: not _is_address(function.blocks[0]),
        _entry,
    ),
)
_SINGLE = {"dbg", "prof", "kcfi_type"}
"""Kinds of attachments of which a definition has one at most."""
_SUBPROGRAM: Rules = (
    (
        "function !dbg attachment must be a subprogram",
        lambda node, _function, _verifier: isinstance(node, DISubprogram),
        lambda node, function, _: (function, node),
    ),
    (
        "function definition may only have a distinct !dbg attachment",
        lambda node, _function, _verifier: node.is_distinct,
        lambda _, function, __: (function,),
    ),
    (
        "DISubprogram attached to more than one function",
        _is_attached_once,
        lambda node, function, _: (node, function),
    ),
)
"""For the debug information of a definition."""
_AFTERWARDS: Rules = (
    (
        "Function declaration shouldn't have a personality routine",
        lambda function, _: not function.is_declaration or function.personality is None,
    ),
    (
        "Invalid user of intrinsic instruction!",
        lambda function, _: _offender(function) is None,
        lambda function, _: (_offender(function),),
    ),
    *_COLLECTED,
)

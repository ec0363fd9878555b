"""Rules of functions: their types and attributes, what is attached to them, what they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.debug_info import DISubprogram
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.instructions import CallBase, Terminator
from bitcodec.ir.metadata import ConstantAsMetadata, MDString
from bitcodec.ir.types import IntegerType, MetadataType, VoidType, X86AMXType
from bitcodec.tables.linkage import Linkage
from bitcodec.verifier.attributes import attribute_problems
from bitcodec.verifier.blocks import check_body
from bitcodec.verifier.calling_conventions import CONVENTION_RULES
from bitcodec.verifier.debug_locations import check_locations
from bitcodec.verifier.globals import check_global
from bitcodec.verifier.kinds import constant_integer, is_integer, is_operand, is_pointer, stripped
from bitcodec.verifier.profiles import UNKNOWN_RULES
from bitcodec.verifier.rules import first_broken, is_aligned
from bitcodec.verifier.swift_errors import swift_error_problem
from bitcodec.verifier.target_types import is_token_like

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_function"]


def check_function(function: Function, verifier: Verifier) -> None:
    """Check a function, its arguments and its body."""
    verifier.where = function
    unfinished = next((block for block in function.blocks if block.terminator is None), None)
    if unfinished is not None:
        verifier.report(f"Basic Block in function '{function.name}' does not have terminator!", unfinished)
        return
    check_global(function, verifier)
    if _has_sound_signature(function, verifier):
        _check_inside(function, verifier)
    if not function.is_declaration:
        check_body(function, verifier)


def _has_sound_signature(function: Function, verifier: Verifier) -> bool:
    """Check type, attributes and convention of a function; those that many functions share are checked once.

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
    for rules in (_ATTRIBUTES, CONVENTION_RULES, _PARAMETERS, _RESULTS):
        problem = first_broken(rules, function, verifier)
        if problem is not None:
            verifier.report(problem, function)
            return False
    if _has_swift_error(function):
        for argument in function.arguments:
            _check_argument(argument, verifier)
    return True


def _has_swift_error(function: Function) -> bool:
    return _has_attribute(function, "swifterror")


def _check_inside(function: Function, verifier: Verifier) -> None:
    """Check attachments and uses of a function that has a sound type."""
    for kind, node in function.metadata.items():
        broken = first_broken(_ATTACHMENTS.get(kind, ()), node)
        if broken is not None:
            verifier.report(broken, node)
    broken = first_broken(_DECLARATION if function.is_declaration else _DEFINITION, function, verifier)
    if broken is None and function.metadata and not function.is_declaration:
        broken = first_broken(_ATTACHED_TO_DEFINITION, function, verifier)
    if broken is not None:
        verifier.report(broken, function)
        return
    for kind, node in function.metadata.items():
        verifier.metadata.visit(node, with_locations=kind == "dbg" or function.is_declaration)
    check_locations(function, verifier)


def _is_returnable(function: Function, _: object) -> bool:
    returned = function.return_type
    return isinstance(returned, VoidType) or is_operand(returned)


def _has_attribute(function: Function, name: str) -> bool:
    return any(name in found for found in function.attributes.parameters.values())


_SHAPE: Rules = (
    ("Functions may not have common linkage", lambda function, _: function.linkage is not Linkage.COMMON),
    (
        "# formal arguments must match # of arguments for function type!",
        lambda function, _: len(function.arguments) == len(function.value_type.parameter_types),
    ),
    ("Functions cannot return aggregate values!", _is_returnable),
    (
        "Invalid struct return type!",
        lambda function, _: isinstance(function.return_type, VoidType) or not _has_attribute(function, "sret"),
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
        lambda function, _: not _has_attribute(function, "elementtype"),
    ),
    (
        "Attribute 'aarch64_zt0_undef' can only be applied to a callsite.",
        lambda function, _: "aarch64_zt0_undef" not in function.attributes.for_function,
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
    ),
)


def _is_of(kind: type[Type]) -> Callable[[Type], bool]:
    return lambda type_: isinstance(type_, kind)


def _takes(function: Function, is_kind: Callable[[Type], bool]) -> bool:
    """Return whether a function that is no intrinsic takes a value of a kind of type."""
    return not function.is_intrinsic and any(map(is_kind, function.value_type.parameter_types))


def _returns(function: Function, is_kind: Callable[[Type], bool]) -> bool:
    return not function.is_intrinsic and is_kind(function.return_type)


_PARAMETERS: Rules = (
    (
        "Argument value does not match function argument type!",
        lambda function, _: all(
            argument.type is type_
            for argument, type_ in zip(function.arguments, function.value_type.parameter_types, strict=True)
        ),
    ),
    (
        "Function arguments must have first-class types!",
        lambda function, _: all(is_operand(argument.type) for argument in function.arguments),
    ),
    ("Function takes metadata but isn't an intrinsic", lambda function, _: not _takes(function, _is_of(MetadataType))),
    ("Function takes token but isn't an intrinsic", lambda function, _: not _takes(function, is_token_like)),
    ("Function takes x86_amx but isn't an intrinsic", lambda function, _: not _takes(function, _is_of(X86AMXType))),
)
_RESULTS: Rules = (
    ("Function returns a token but isn't an intrinsic", lambda function, _: not _returns(function, is_token_like)),
    (
        "Function returns a x86_amx but isn't an intrinsic",
        lambda function, _: not _returns(function, _is_of(X86AMXType)),
    ),
)


def _check_argument(argument: Argument, verifier: Verifier) -> None:
    if "swifterror" in argument.parent.attributes.for_parameter(argument.index):
        problem = swift_error_problem(argument)
        if problem is not None:
            verifier.report(problem, argument)


def _text(node: Any) -> str:
    """Return the string that a profile begins with."""
    text: str = node.operands[0].text
    return text


def _if_unknown(holds: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what asks something of profiles that say that nothing is known."""
    return lambda node: _text(node) != _UNKNOWN or holds(node)


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
        *((message, _if_unknown(holds)) for message, holds in UNKNOWN_RULES),
        (
            "first operand should be 'function_entry_count' or 'synthetic_function_entry_count'",
            lambda node: _text(node) in _ENTRY_COUNTS,
        ),
        (
            "second operand should not be null",
            lambda node: node.operands[1] is not None,
        ),
        (
            "expected integer argument to function_entry_count",
            lambda node: _text(node) == _UNKNOWN or isinstance(node.operands[1], ConstantAsMetadata),
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


def _attached(function: Function, kind: str) -> list[MDNode]:
    return function.metadata.get_all(kind)


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
_DECLARATION: Rules = (
    (
        "function declaration may only have a unique !dbg attachment",
        lambda function, _: not any(node.is_distinct for node in _attached(function, "dbg")),
    ),
    (
        "function declaration may not have a !prof attachment",
        lambda function, _: not _attached(function, "prof"),
    ),
    (
        "Function declaration shouldn't have a personality routine",
        lambda function, _: function.personality is None,
    ),
    ("Invalid user of intrinsic instruction!", lambda function, _: _is_called_alone(function)),
    *_COLLECTED,
)


def _is_called_alone(function: Function) -> bool:
    """Return whether a function, if it is an intrinsic, is called by all its users, and nothing else is done to it."""
    return not function.is_intrinsic or all(
        isinstance(user, CallBase) and _is_mere_callee(function, user) for user in dict.fromkeys(function.users)
    )


def _is_mere_callee(function: Function, call: CallBase) -> bool:
    if any(bundle.tag == "clang.arc.attachedcall" and function in bundle.inputs for bundle in call.bundles):
        return True
    return call.callee is function and function not in call.operands[:-1]


def _is_entered_by_calls_alone(function: Function, _: object) -> bool:
    entry = function.blocks[0]
    return not any(isinstance(user, Terminator) and user.parent is not None for user in entry.users)


def _is_address(block: BasicBlock) -> bool:
    return any(isinstance(user, BlockAddress) and user.is_used for user in block.users)


def _has_own_personality(function: Function, verifier: Verifier) -> bool:
    personality = function.personality
    found = None if personality is None else stripped(personality)
    return not isinstance(found, Function) or found.parent is verifier.module


def _is_attached_once(function: Function, verifier: Verifier) -> bool:
    return all(
        verifier.attached.setdefault(node, function) is function
        for node in _attached(function, "dbg")
        if isinstance(node, DISubprogram)
    )


def _has_at_most_one(kind: str) -> Any:
    return lambda function, _: len(_attached(function, kind)) <= 1


_DEFINITION: Rules = (
    ("Referencing personality function in another module!", _has_own_personality),
    ("llvm intrinsics cannot be defined!", lambda function, _: not function.is_intrinsic),
    ("Entry block to function must not have predecessors!", _is_entered_by_calls_alone),
    (
        "blockaddress may not be used with the entry block!",
        lambda function, _: not _is_address(function.blocks[0]),
    ),
)
_ATTACHED_TO_DEFINITION: Rules = (
    ("function must have a single !dbg attachment", _has_at_most_one("dbg")),
    (
        "function !dbg attachment must be a subprogram",
        lambda function, _: all(isinstance(node, DISubprogram) for node in _attached(function, "dbg")),
    ),
    (
        "function definition may only have a distinct !dbg attachment",
        lambda function, _: all(node.is_distinct for node in _attached(function, "dbg")),
    ),
    ("DISubprogram attached to more than one function", _is_attached_once),
    ("function must have a single !prof attachment", _has_at_most_one("prof")),
    ("function must have a single !kcfi_type attachment", _has_at_most_one("kcfi_type")),
)

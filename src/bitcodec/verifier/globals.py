"""Rules of variables, and of everything that all globals share: linkage, visibility, comdats, users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import Constant, ConstantArray
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.debug_info import DIGlobalVariableExpression
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import ValueAsMetadata
from bitcodec.ir.type_properties import is_integer, is_pointer
from bitcodec.ir.types import ArrayType, PointerType, StructType
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility
from bitcodec.verifier.constants import check_constant
from bitcodec.verifier.kinds import stripped
from bitcodec.verifier.ranges import range_problem
from bitcodec.verifier.rules import Problem, first_broken, is_aligned, without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.values import Value
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_global", "check_variable", "is_linked_declaration"]

_DECLARED = (Linkage.EXTERNAL, Linkage.EXTERN_WEAK)
_STRUCTORS = ("llvm.global_ctors", "llvm.global_dtors")
_USED = ("llvm.used", "llvm.compiler.used")


def is_linked_declaration(value: GlobalValue) -> bool:
    """Return whether a linker treats a global as a declaration: it is one, or an available_externally definition."""
    return value.is_declaration or value.linkage is Linkage.AVAILABLE_EXTERNALLY


def check_variable(variable: GlobalVariable, verifier: Verifier) -> None:
    """Check a variable and its initializer."""
    verifier.where = variable
    if _has_problem(_VARIABLE, variable, verifier):
        return
    for node in variable.metadata.get_all("dbg"):
        if not isinstance(node, DIGlobalVariableExpression):
            message = "!dbg attachment of global variable must be a DIGlobalVariableExpression"
            verifier.report(Problem(message), variable, is_debug_info=True)
            return
        # What it refers to is checked if other metadata refers to it.
        verifier.metadata.check(node)
    if _has_problem(_TYPE, variable, verifier):
        return
    if variable.initializer is not None:
        check_constant(variable.initializer, variable, verifier)
    check_global(variable, verifier)


def _has_problem(rules: Rules, variable: GlobalVariable, verifier: Verifier) -> bool:
    """Report the first rule that does not hold for a variable; return whether there is one."""
    problem = first_broken(rules, variable, verifier)
    if problem is not None:
        verifier.report(problem, variable)
    return problem is not None


def check_global(value: GlobalValue, verifier: Verifier) -> None:
    """Check the rules common to all globals."""
    properties = (
        type(value),
        isinstance(value.value_type, ArrayType),
        value.is_declaration,
        value.linkage,
        value.visibility,
        value.dll_storage_class,
        value.is_dso_local,
        _comdat(value) is None,
    )
    if properties not in verifier.sound_globals:
        problem = first_broken(_GLOBAL, value, verifier)
        if problem is not None:
            verifier.report(problem, value)
            return
        verifier.sound_globals.add(properties)
    if isinstance(value, GlobalObject):
        for kind, node in value.metadata.items():
            problem = first_broken(_ATTACHMENTS.get(kind, ()), node, value, verifier)
            if problem is not None:
                verifier.report(problem, value)
                return
            if kind == "absolute_symbol":
                _check_absolute(value, node, verifier)
    _check_users(value, verifier)


def _check_absolute(value: GlobalObject, node: MDNode, verifier: Verifier) -> None:
    address = verifier.module.context.types.integer(verifier.layout.pointer(value.address_space).bit_width)
    problem = range_problem(node, address, may_be_full=True)
    if problem is not None:
        verifier.report(problem, value)


def _check_users(value: GlobalValue, verifier: Verifier) -> None:
    """Check that instructions and functions that use a global are in the same module.

    The whole module has been read; uses are not put in order, as those in a file cannot be wrong.
    """
    pending: list[Value] = [value]
    seen = verifier.users
    while pending:
        for user in present_uses(pending.pop()):
            if user in seen:
                continue
            seen.add(user)
            if isinstance(user, Instruction):
                if user.function is None:
                    message = "Global is referenced by parentless instruction!"
                    verifier.report(message, value, verifier.module, user)
                elif user.module is not verifier.module:
                    message = "Global is referenced in a different module!"
                    verifier.report(message, value, verifier.module, user, user.function, user.module)
            elif isinstance(user, Function):
                if user.parent is not verifier.module:
                    message = "Global is used by function in a different module"
                    verifier.report(message, value, verifier.module, user, user.parent)
            elif isinstance(user, Constant) and not isinstance(user, GlobalValue):
                pending.append(user)


def _is_imported_rightly(value: GlobalValue, _: object) -> bool:
    if value.dll_storage_class is not DLLStorageClass.IMPORT:
        return True
    is_declared = value.is_declaration and value.linkage in _DECLARED
    return is_declared or value.linkage is Linkage.AVAILABLE_EXTERNALLY


def _is_local_if_implied(value: GlobalValue, _: object) -> bool:
    is_hidden = value.visibility is not Visibility.DEFAULT and value.linkage is not Linkage.EXTERN_WEAK
    return value.is_dso_local or not (value.linkage.is_local or is_hidden)


def _comdat(value: GlobalValue) -> object:
    return value.comdat if isinstance(value, GlobalObject) else None


_GLOBAL: Rules = (
    (
        "Global is external, but doesn't have external or weak linkage!",
        lambda value, _: not value.is_declaration or value.linkage in _DECLARED,
    ),
    (
        "Only global variables can have appending linkage!",
        lambda value, _: value.linkage is not Linkage.APPENDING or isinstance(value, GlobalVariable),
    ),
    (
        "Only global arrays can have appending linkage!",
        lambda value, _: value.linkage is not Linkage.APPENDING or isinstance(value.value_type, ArrayType),
    ),
    (
        "Declaration may not be in a Comdat!",
        lambda value, _: not is_linked_declaration(value) or _comdat(value) is None,
    ),
    (
        "dllexport GlobalValue must have default or protected visibility",
        lambda value, _: (
            value.dll_storage_class is not DLLStorageClass.EXPORT or value.visibility is not Visibility.HIDDEN
        ),
    ),
    (
        "dllimport GlobalValue must have default visibility",
        lambda value, _: (
            value.dll_storage_class is not DLLStorageClass.IMPORT or value.visibility is Visibility.DEFAULT
        ),
    ),
    (
        "GlobalValue with DLLImport Storage is dso_local!",
        lambda value, _: value.dll_storage_class is not DLLStorageClass.IMPORT or not value.is_dso_local,
    ),
    ("Global is marked as dllimport, but not external", _is_imported_rightly),
    ("GlobalValue with local linkage or non-default visibility must be dso_local!", _is_local_if_implied),
)


def _wrapped(node: Any) -> Any:
    """Return the value that the first element of a tuple wraps, None if it wraps none."""
    operand = node.operands[0]
    return operand.value if isinstance(operand, ValueAsMetadata) else None


def _both(node: object, value: object, _: object) -> tuple[object, ...]:
    return value, node


def _with_base(node: Any, value: GlobalObject, verifier: Verifier) -> tuple[object, ...]:
    return value, verifier.bases.of(_wrapped(node))


_ATTACHMENTS: dict[str, Rules] = {
    "associated": (
        ("associated metadata must have one operand", lambda node, *_: len(node.operands) == 1, _both),
        ("associated metadata must have a global value", lambda node, *_: node.operands[0] is not None, _both),
        ("associated metadata must be ValueAsMetadata", lambda node, *_: _wrapped(node) is not None, _both),
        ("associated value must be pointer typed", lambda node, *_: is_pointer(_wrapped(node).type), _both),
        (
            "associated metadata must point to a GlobalObject",
            lambda node, _, verifier: isinstance(verifier.bases.of(_wrapped(node)), Constant),
            _with_base,
        ),
        (
            "global values should not associate to themselves",
            lambda node, value, verifier: verifier.bases.of(_wrapped(node)) is not value,
            _both,
        ),
    ),
    "implicit.ref": (
        (
            "ref metadata must not be placed on a declaration",
            lambda _, value, __: not value.is_declaration,
        ),
        ("ref metadata must have one operand", lambda node, *_: len(node.operands) == 1, _both),
        ("ref metadata must be ValueAsMetadata", lambda node, *_: _wrapped(node) is not None, _both),
        ("ref value must be pointer typed", lambda node, *_: is_pointer(_wrapped(node).type), _both),
        (
            "ref metadata must point to a GlobalObject",
            lambda node, _, verifier: isinstance(verifier.bases.of(_wrapped(node)), Constant),
            _with_base,
        ),
        (
            "values should not reference themselves",
            lambda node, value, verifier: verifier.bases.of(_wrapped(node)) is not value,
            _both,
        ),
    ),
}


def _is_plain_common(rule: Any) -> Any:
    """Return a predicate that applies a rule to initialized variables with common linkage, and holds for others."""
    return lambda variable, _: variable.linkage is not Linkage.COMMON or variable.initializer is None or rule(variable)


def _of(names: tuple[str, ...], rule: Any) -> Any:
    """Return a predicate that applies a rule to variables with one of these names, and holds for others."""
    return lambda variable, verifier: variable.name not in names or rule(variable, verifier)


def _is_structor_array(variable: GlobalVariable, verifier: Verifier) -> bool:
    element = _element(variable)
    if element is None:
        return True
    pointer = verifier.module.context.types.pointer(verifier.layout.program_address_space)
    return (
        isinstance(element, StructType)
        and len(element.element_types) in {2, 3}
        and is_integer(element.element_types[0], 32)
        and element.element_types[1] is pointer
    )


def _element(variable: GlobalVariable) -> Any:
    """Return the element type of an array, None if the variable is not an array, which another rule reports."""
    return variable.value_type.element_type if isinstance(variable.value_type, ArrayType) else None


def _has_data(variable: GlobalVariable, _: object) -> bool:
    element = _element(variable)
    return element is None or len(element.element_types) == 3


def _has_data_pointer(variable: GlobalVariable, _: object) -> bool:
    element = _element(variable)
    return element is None or is_pointer(element.element_types[2])


def _members(variable: GlobalVariable) -> list[Value]:
    initializer = variable.initializer
    is_array = isinstance(variable.value_type, ArrayType) and isinstance(initializer, ConstantArray)
    return [stripped(member) for member in initializer.operands] if is_array and initializer is not None else []


def _wrong_member(variable: GlobalVariable, is_right: Callable[[Value], bool]) -> Value | None:
    return next((member for member in _members(variable) if not is_right(member)), None)


def _is_listable(member: Value) -> bool:
    return isinstance(member, (GlobalVariable, Function, GlobalAlias))


def _is_named(member: Value) -> bool:
    return bool(member.name)


_WRONG_TYPE = "wrong type for intrinsic global variable"
_IS_APPENDED = _of(
    (*_STRUCTORS, *_USED),
    lambda variable, _: variable.initializer is None or variable.linkage is Linkage.APPENDING,
)

_VARIABLE: Rules = (
    ("huge alignment values are unsupported", is_aligned),
    (
        "Global variable initializer type does not match global variable type!",
        lambda variable, _: variable.initializer is None or variable.initializer.type is variable.value_type,
    ),
    (
        "Global variable initializer must be sized",
        lambda variable, verifier: variable.initializer is None or not verifier.is_unsized[variable.value_type],
    ),
    (
        "'common' global must have a zero initializer!",
        _is_plain_common(lambda variable: variable.initializer.is_null),
    ),
    (
        "'common' global may not be marked constant!",
        _is_plain_common(lambda variable: not variable.is_constant),
    ),
    (
        "'common' global may not be in a Comdat!",
        _is_plain_common(lambda variable: variable.comdat is None),
    ),
    ("invalid linkage for intrinsic global variable", _IS_APPENDED),
    (
        "invalid uses of intrinsic global variable",
        _of((*_STRUCTORS, *_USED), lambda variable, _: not variable.is_used),
    ),
    (_WRONG_TYPE, _of(_STRUCTORS, _is_structor_array)),
    (
        "the third field of the element type is mandatory, specify ptr null to migrate from the obsoleted 2-field form",
        _of(_STRUCTORS, _has_data),
        without_values,
    ),
    (_WRONG_TYPE, _of(_STRUCTORS, _has_data_pointer)),
    (
        _WRONG_TYPE,
        _of(_USED, lambda variable, _: isinstance(_element(variable), (PointerType, type(None)))),
    ),
    (
        "wrong initializer for intrinsic global variable",
        _of(
            _USED,
            lambda variable, _: (
                _element(variable) is None or isinstance(variable.initializer, (ConstantArray, type(None)))
            ),
        ),
        lambda variable, _: (variable.initializer,),
    ),
    (
        "invalid {0.name} member",
        _of(_USED, lambda variable, _: _wrong_member(variable, _is_listable) is None),
        lambda variable, _: (_wrong_member(variable, _is_listable),),
    ),
    (
        "members of {0.name} must be named",
        _of(_USED, lambda variable, _: _wrong_member(variable, _is_named) is None),
        lambda variable, _: (_wrong_member(variable, _is_named),),
    ),
)
_TYPE: Rules = (
    (
        "Globals cannot contain scalable types",
        lambda variable, verifier: not verifier.is_scalable[variable.value_type],
    ),
    (
        "Global @{0.name} has illegal target extension type",
        lambda variable, verifier: not verifier.is_not_for_globals[variable.value_type],
        lambda variable, _: (variable.value_type,),
    ),
)

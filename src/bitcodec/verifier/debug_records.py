# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Rules of debug records: their operands, and that variable and location belong to one subprogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import UndefValue
from bitcodec.ir.debug_expressions import is_valid
from bitcodec.ir.debug_info import (
    DIAssignID,
    DIExpression,
    DILabel,
    DILocalVariable,
    DILocation,
)
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord
from bitcodec.ir.functions import Argument
from bitcodec.ir.instructions import Phi
from bitcodec.ir.metadata import DIArgList, MDNode, ValueAsMetadata, content_of
from bitcodec.ir.types import IntegerType, PointerType
from bitcodec.tables.debug_info_flags import DIFlag
from bitcodec.tables.dwarf import OPERATORS
from bitcodec.verifier.assignments import linked_instruction_problem
from bitcodec.verifier.fragments import fits_variable, is_part_of_variable
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import Metadata
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.metadata import MetadataWalk
    from bitcodec.verifier.rules import Rules

__all__ = ["check_records"]

_INLINED_AT = DILocation.__match_args__.index("inlined_at")
_SCOPE = DILocation.__match_args__.index("scope")
_ENTRY_VALUE = next(code for code, operator in OPERATORS.items() if operator.name == "LLVM_entry_value")


_NO_EXPRESSION = "invalid #dbg record expression"


def check_records(instruction: Instruction, body: Body) -> None:
    """Check the debug records in front of an instruction."""
    walk = body.verifier.metadata
    records = instruction.debug_records
    if records and isinstance(instruction, Phi):
        body.report("PHI Node must not have any attached DbgRecords", instruction, is_debug_info=True)
        return
    for record in records:
        location = record.location
        if location not in walk.seen and isinstance(location, MDNode):
            walk.visit(location, with_locations=True)
        if isinstance(record, DbgVariableRecord):
            _check_variable_record(record, instruction, body, walk)
        elif isinstance(record, DbgLabelRecord):
            problem = first_broken(_LABEL, record, instruction, body)
            if problem is not None:
                body.report(problem, record, is_debug_info=True)


def _check_variable_record(record: DbgVariableRecord, instruction: Instruction, body: Body, walk: MetadataWalk) -> None:
    value, function = record.value, body.function
    key, sound_records = _key_of(record, value, function), body.verifier.sound_records
    if key is not None and key in sound_records:
        walk.visit_values(value, function)
    elif not _has_problems(record, instruction, body) and key is not None:
        sound_records.add(key)


def _key_of(record: DbgVariableRecord, metadata: Metadata, function: Function) -> tuple[object, ...] | None:
    """Return the facts that the rules of a record depend on, None if they depend on more."""
    location, expression = record.location, record.expression
    if (
        record.kind is DbgVariableKind.ASSIGN
        or not isinstance(location, DILocation)
        or not isinstance(expression, DIExpression)
        or _ENTRY_VALUE in content_of(expression)
    ):
        return None
    if isinstance(metadata, ValueAsMetadata):
        value = metadata.value
        type_ = None if value is None else value.type
    elif isinstance(metadata, DIArgList):
        type_ = None
    else:
        return None
    content = content_of(location)
    own_function = function if content[_INLINED_AT] is None else None
    return record.kind, type(metadata), type_, record.variable, expression, content[_SCOPE], own_function


def _has_problems(record: DbgVariableRecord, instruction: Instruction, body: Body) -> bool:
    """Check a record; return whether it has problems."""
    problem = _variable_problem(record, body)
    if problem == _NO_EXPRESSION:
        walk = body.verifier.metadata
        walk.visit_values(record.value, body.function)
        walk.visit(record.variable, with_locations=False)
    if problem is None:
        _visit(record, body)
        if record.kind is DbgVariableKind.ASSIGN:
            problem = _first_broken_metadata(_ASSIGNMENT, record)
            problem = problem or linked_instruction_problem(record, instruction, body.verifier.assignments)
        problem = problem or _scope_problem(record, body)
    if problem is None and isinstance(record.expression, DIExpression) and not record.expression.elements:
        return False  # the others are rules of what expressions say
    problems = [problem]
    for rules in _AFTERWARDS:
        problems.append(first_broken(rules, record))  # noqa: PERF401 - C has no generators
    for found in problems:
        if found is not None:
            body.report(_placed(found, record, instruction, body), record, is_debug_info=True)
    return any(problems)


def _placed(problem: str, record: DbgVariableRecord, instruction: Instruction, body: Body) -> str:
    """Return a problem with block and function behind its values, where LLVM prints them."""
    place = instruction.parent, body.function
    if isinstance(problem, _MetadataProblem):
        return Problem(problem, record, *problem.values, *place)
    if isinstance(problem, _ScopeProblem):
        return Problem(problem, record, *place, *problem.values, *place)
    return problem


class _MetadataProblem(Problem):
    """A problem of metadata that a record refers to: LLVM prints the record, the metadata, block and function."""

    __slots__ = ()


class _ScopeProblem(Problem):
    """A problem of scopes: LLVM prints the record, block and function, the scopes, block and function."""

    __slots__ = ()


def _variable_problem(record: DbgVariableRecord, body: Body) -> str | None:
    """Return the error in the operands of a record by themselves."""
    metadata = record.value
    value = metadata.value if isinstance(metadata, ValueAsMetadata) else None
    if value is None:
        return _first_broken_metadata(_VARIABLE, record)
    shape = (record.kind, type(metadata), value.type, type(record.variable), type(record.expression))
    if shape in body.verifier.sound_records:
        return None
    problem = _first_broken_metadata(_VARIABLE, record)
    if problem is None:
        body.verifier.sound_records.add(shape)
    return problem


def _first_broken_metadata(rules: tuple[tuple[str, Any, str], ...], record: DbgVariableRecord) -> str | None:
    """Return the problem of the first rule that does not hold, with the metadata of the field that it is about."""
    for message, holds, field in rules:
        if not holds(record):
            return _MetadataProblem(message, getattr(record, field))
    return None


def _scope_problem(record: DbgVariableRecord, body: Body) -> str | None:
    """Return the error in the scopes of a record with a valid variable."""
    location = record.location
    if not isinstance(location, DILocation):
        return _MetadataProblem("invalid #dbg record DILocation", location)
    variable: Any = record.variable
    if not _is_of_one_subprogram(variable, location, body):
        message = "mismatched subprogram between #dbg record variable and DILocation"
        subprogram_of = body.verifier.scopes.subprogram_of
        values = variable, subprogram_of(variable.scope), location, subprogram_of(location.scope)
        return _ScopeProblem(message, *values)
    other = _other_variable(record, body)
    return None if other is None else Problem("conflicting debug info for argument", record, other, variable)


def _visit(record: DbgVariableRecord, body: Body) -> None:
    """Visit the metadata that a record refers to."""
    walk = body.verifier.metadata
    walk.visit_values(record.value, body.function)
    nodes: tuple[Metadata | None, ...] = (record.variable, record.expression)
    if record.kind is DbgVariableKind.ASSIGN:
        walk.visit_values(record.address, body.function)
        nodes += (record.assign_id, record.address_expression)
    for node in nodes:
        if isinstance(node, MDNode):
            walk.visit(node, with_locations=False)


def _is_nowhere(metadata: Any) -> bool:
    """Return whether it is an empty node, which marks a value without a location."""
    return isinstance(metadata, MDNode) and not metadata.operands


def _is_at_pointer(record: Any) -> bool:
    value = record.value.value if isinstance(record.value, ValueAsMetadata) else None
    if record.kind is not DbgVariableKind.DECLARE or value is None:
        return True
    return isinstance(value.type, (PointerType, IntegerType))


def _is_of_one_subprogram(variable: Any, location: Any, body: Body) -> bool:
    scopes = body.verifier.scopes
    owners = (scopes.subprogram_of(variable.scope), scopes.subprogram_of(location.scope))
    return None in owners or owners[0] is owners[1]


def _other_variable(record: DbgVariableRecord, body: Body) -> object:
    """Return another variable that stood for the same parameter of the function itself; None if none did."""
    if content_of(record.location)[_INLINED_AT] is not None or body.subprogram is None:
        return None
    number, variable = record.variable.arg, record.variable
    if not number:
        return None
    before = body.variables.get(number, variable)
    body.variables[number] = variable
    return None if before is variable else before


def _is_no_entry_value(record: Any) -> bool:
    expression = record.expression
    if not isinstance(expression, DIExpression) or _ENTRY_VALUE not in expression.elements:
        return True
    if not is_valid(expression.elements):
        return True
    value = record.value.value if isinstance(record.value, ValueAsMetadata) else None
    if isinstance(value, UndefValue):
        return True
    if isinstance(value, Argument) and "swiftasync" in value.parent.attributes.for_parameter(value.index):
        return True
    return _ENTRY_VALUE not in (operation[0] for operation in expression.operations)


def _with_variable(record: Any) -> tuple[object, ...]:
    return record, record.variable


def _is_artificial(record: Any) -> bool:
    """Return whether a record's variable is one that parts of may lie outside of."""
    variable = record.variable
    return not isinstance(variable, DILocalVariable) or bool(variable.flags & DIFlag.Artificial)


_VARIABLE = (
    (
        "invalid #dbg record address/value",
        lambda record: isinstance(record.value, (ValueAsMetadata, DIArgList)) or _is_nowhere(record.value),
        "value",
    ),
    ("location of #dbg_declare must be a pointer or int", _is_at_pointer, "value"),
    ("invalid #dbg record variable", lambda record: isinstance(record.variable, DILocalVariable), "variable"),
    (_NO_EXPRESSION, lambda record: isinstance(record.expression, DIExpression), "expression"),
)
_ASSIGNMENT = (
    ("invalid #dbg_assign DIAssignID", lambda record: isinstance(record.assign_id, DIAssignID), "assign_id"),
    (
        "invalid #dbg_assign address",
        lambda record: isinstance(record.address, ValueAsMetadata) or _is_nowhere(record.address),
        "address",
    ),
    (
        "invalid #dbg_assign address expression",
        lambda record: isinstance(record.address_expression, DIExpression),
        "address_expression",
    ),
)
"""A message, its test, and the field that both are about."""
_AFTERWARDS: tuple[Rules, ...] = (
    (
        (
            "fragment is larger than or outside of variable",
            lambda record: _is_artificial(record) or fits_variable(record.variable, record.expression),
            _with_variable,
        ),
        (
            "fragment covers entire variable",
            lambda record: _is_artificial(record) or is_part_of_variable(record.variable, record.expression),
            _with_variable,
        ),
    ),
    (("Entry values are only allowed in MIR unless they target a swiftasync Argument", _is_no_entry_value),),
)
"""Rules that are checked whatever the result of the others."""
_LABEL: Rules = (
    (
        "invalid #dbg_label intrinsic variable",
        lambda record, _instruction, _body: isinstance(record.label, DILabel),
        lambda record, _instruction, _body: (record, record.label),
    ),
    (
        "#dbg_label record requires a !dbg attachment",
        lambda record, _instruction, _body: record.location is not None,
        lambda record, instruction, body: (record, instruction.parent, body.function),
    ),
    (
        "mismatched subprogram between #dbg_label label and !dbg attachment",
        lambda record, _, body: (
            not isinstance(record.location, DILocation) or _is_of_one_subprogram(record.label, record.location, body)
        ),
        lambda record, instruction, body: (
            record,
            instruction.parent,
            body.function,
            record.label,
            body.verifier.scopes.subprogram_of(record.label.scope),
            record.location,
            body.verifier.scopes.subprogram_of(record.location.scope),
        ),
    ),
)

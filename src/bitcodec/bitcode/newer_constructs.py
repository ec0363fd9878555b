"""Constructs of versions of LLVM newer than 22 in modules that were read from a file or text, or built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.writer.instructions import FORMS, OPCODES
from bitcodec.ir import debug_info
from bitcodec.ir.alias_scopes import DECLARING, KINDS, flags_of_domains, has_flags, is_domain, scopes_of
from bitcodec.ir.attributes import IntegerAttribute
from bitcodec.ir.construction.present import (
    has_unread_symbols,
    instructions_with_attachments,
    present_attributes,
    present_instructions_of,
    present_uses,
    source_of,
)
from bitcodec.ir.instructions import AtomicRMW, Call, CallBase, CallBranch, Invoke
from bitcodec.ir.metadata import content_of
from bitcodec.ir.metadata_walk import nodes_of
from bitcodec.tables.attributes import HIGHEST_NUMBERS
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.globals import FIELDS
from bitcodec.tables.instruction_flags import has_newer_flags
from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = ["has_newer_constructs"]

_HIGHEST = HIGHEST_NUMBERS[MODEL]
"""The highest number of an attribute that LLVM 22 knows."""
_PARTLY = ("dead_on_return", IntegerAttribute)
"""An attribute with a value that LLVM 22 knows without one."""
_FLAGGED = frozenset(opcode for opcodes in OPCODES.values() for opcode in opcodes if has_newer_flags(opcode, MODEL))
"""Opcodes of instructions that can have newer flags."""
_FIELDS_OF_RECORDS = {
    (kind, field.name): field.default
    for kind, forms in FORMS.items()
    for form in forms
    for field in INSTRUCTION_LAYOUTS[form.code]
    if field.since > MODEL and field.name not in form.sources
}
"""By class of instructions and name, the value of newer fields in instructions that lack them."""
_KINDS: frozenset[type[Instruction]] = frozenset(
    {Call, Invoke, CallBranch, AtomicRMW, *(kind for kind, _ in _FIELDS_OF_RECORDS)}
    | {kind for kind, opcodes in OPCODES.items() if not _FLAGGED.isdisjoint(opcodes)}
)
_OPERATIONS = frozenset(operation for operation in AtomicRMWOperation if operation.since > MODEL)
_FIELDS: dict[type[MDNode], tuple[int, ...] | None] = {
    getattr(debug_info, row.name): None
    if row.since > MODEL
    else tuple(place for place, field in enumerate(row.fields) if field.since > MODEL)
    for row in NODES
    if row.since > MODEL or any(field.since > MODEL for field in row.fields)
}
"""By class of nodes, the places of newer fields; None for a newer class."""

_GLOBAL_FIELDS = [field for field in FIELDS if field.since > MODEL]


def has_newer_constructs(module: Module) -> bool:
    """Return whether a module has something that LLVM 22 lacks, as far as it has been read."""
    return (
        _has_newer_node(module)
        or _has_newer_domain(module)
        or (not has_unread_symbols(module) and (_has_newer_global(module) or _has_newer_code(module)))
    )


def _has_newer_global(module: Module) -> bool:
    return any(
        getattr(value, field.attribute, field.initial) != field.initial
        for field in _GLOBAL_FIELDS
        for value in module.globals
    )


def _has_newer_code(module: Module) -> bool:
    # By identity, because hashes of lists take time: most calls share a few.
    seen: dict[int, AttributeList] = {}
    for function in module.functions:
        attributes = present_attributes(function)
        if attributes is not None:
            seen[id(attributes)] = attributes
        for instruction in present_instructions_of(function, _KINDS):
            if isinstance(instruction, CallBase):
                seen[id(instruction.attributes)] = instruction.attributes
            if _is_newer_instruction(instruction):
                return True
    return any(map(_is_newer, seen.values()))


def _is_newer_instruction(instruction: Any) -> bool:
    if isinstance(instruction, AtomicRMW) and instruction.operation in _OPERATIONS:
        return True
    if instruction.opcode in _FLAGGED and has_newer_flags(
        instruction.opcode, MODEL, getattr(instruction, "flags", 0), getattr(instruction, "fast_math", 0)
    ):
        return True
    return any(
        type(instruction) is kind and getattr(instruction, name) != default
        for (kind, name), default in _FIELDS_OF_RECORDS.items()
    )


def _is_newer(attributes: AttributeList) -> bool:
    sets = (attributes.for_function, attributes.for_return, *attributes.parameters.values())
    return any(attribute.kind is not None and attribute.kind.number > _HIGHEST for each in sets for attribute in each)


def _has_newer_node(module: Module) -> bool:
    """Check the nodes of all modules of the context first: walking through one module costs more."""
    table = module.context.metadata
    known = [node for kind in _FIELDS for node in table.nodes(kind).values()]
    units = module.named_metadata.get(_UNITS) if source_of(module) is None else None
    if _any_is_newer(units.operands if units is not None else ()):
        return True
    return _any_is_newer(known) and _any_is_newer(nodes_of(module))


def _has_newer_domain(module: Module) -> bool:
    context = module.context
    if not has_flags(context):
        return False
    flags = flags_of_domains(context)
    # Options of loops have the same form, so only scopes decide.  Bodies that are not materialized are not searched.
    return any(
        len(scope.operands) > 1 and is_domain(scope.operands[1], flags)
        for instruction in _instructions_with_scopes(module)
        for scope in scopes_of(instruction)
    )


def _instructions_with_scopes(module: Module) -> Iterator[Instruction]:
    for function in module.functions:
        yield from instructions_with_attachments(function, KINDS)
    declaration = module.functions.get(DECLARING)
    for user in present_uses(declaration) if declaration is not None else ():
        if isinstance(user, Call):
            yield user


_UNITS = "llvm.dbg.cu"


def _any_is_newer(nodes: Iterable[MDNode | None]) -> bool:
    for node in nodes:
        if node is not None and type(node) in _FIELDS:
            places = _FIELDS[type(node)]
            content = content_of(node)
            if places is None or any(content[place] for place in places):
                return True
    return False

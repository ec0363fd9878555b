"""Removes debug information of entities that no longer exist.  Rules: the pass `strip-dead-debug-info` of LLVM 22."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.debug_info import (
    DICompileUnit,
    DICompositeType,
    DIDerivedType,
    DIExpression,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DIImportedEntity,
    DILexicalBlock,
    DILexicalBlockFile,
    DILocalVariable,
    DILocation,
    DIModule,
    DINamespace,
    DISubprogram,
    DISubroutineType,
    DITemplateTypeParameter,
    DITemplateValueParameter,
)
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.metadata import MDTuple, NamedMetadata
from bitcodec.tables.debug_info_flags import EmissionKind
from bitcodec.tables.dwarf import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode, Metadata
    from bitcodec.ir.module import Module

__all__ = ["strip_dead_debug_info"]

_FOLLOWED: dict[type[MDNode], tuple[str, ...]] = {
    DILocation: ("scope", "inlined_at"),
    DISubprogram: ("scope", "unit", "type", "template_params"),
    DICompileUnit: ("globals", "enums", "retained_types", "imports"),
    DIGlobalVariableExpression: ("variable",),
    DIGlobalVariable: ("scope", "type"),
    DILocalVariable: ("scope", "type"),
    DIImportedEntity: ("entity",),
    DICompositeType: ("scope", "base_type", "elements"),
    DIDerivedType: ("scope", "base_type"),
    DISubroutineType: ("types",),
    DITemplateTypeParameter: ("type",),
    DITemplateValueParameter: ("type",),
    DILexicalBlock: ("scope",),
    DILexicalBlockFile: ("scope",),
    DINamespace: ("scope",),
    DIModule: ("scope",),
}
"""Fields through which the compile unit of a node is found."""

_UNITS = "llvm.dbg.cu"
_CONSTANTS = {"constu", "consts"}
_CONSTANT_ENDS: tuple[list[str], ...] = ([], ["stack_value"], ["stack_value", "LLVM_fragment"])


def strip_dead_debug_info(module: Module) -> None:
    """Take out debug information of variables that are gone, and compile units that nothing in the module is of.

    The module has been read to the end.  LLVM has no order for the units that are left; here they keep theirs.
    """
    live_nodes = _reached_from(_roots(module))
    listed = module.named_metadata.get(_UNITS)
    operands = [node for node in listed.operands if not _is_empty(node)] if listed else []
    units = [node for node in {**_reached_from(operands), **live_nodes} if isinstance(node, DICompileUnit)]
    variables = {node for variable in module.global_variables for node in variable.metadata.get_all("dbg")}
    seen: set[Metadata] = set()
    live = [unit for unit in units if _keep_variables(unit, variables, seen, module) or unit in live_nodes]
    if len(live) < len(units):
        module.named_metadata.setdefault(_UNITS, NamedMetadata(_UNITS)).operands = live


def _is_empty(node: MDNode) -> bool:
    """Return whether a unit exists only because something refers to it; LLVM does not check the listed ones."""
    return isinstance(node, DICompileUnit) and node.emission_kind == EmissionKind.NoDebug


def _roots(module: Module) -> Iterator[Metadata | None]:
    """Yield the debug information of functions and their instructions."""
    for function in module.functions:
        yield function.subprogram
        for instruction in function.instructions:
            yield instruction.debug_location
            yield from _beside(instruction)


def _beside(instruction: Instruction) -> Iterator[Metadata]:
    for record in instruction.debug_records:
        yield record.location
        if isinstance(record, DbgVariableRecord):
            yield record.variable


def _reached_from(roots: Iterable[Metadata | None]) -> dict[Metadata, None]:
    """Return the metadata reachable from roots by the fields above, in the order in which it was found."""
    found = {root: None for root in roots if root is not None}
    pending = list(found)
    while pending:
        node = pending.pop()
        followed = node.operands if isinstance(node, MDTuple) else _fields(node)
        for each in followed:
            if each is not None and each not in found:
                found[each] = None
                pending.append(each)
    return found


def _fields(node: Metadata) -> Iterable[Metadata | None]:
    return (getattr(node, name) for name in _FOLLOWED.get(cast("type[MDNode]", type(node)), ()))


def _keep_variables(unit: DICompileUnit, variables: Collection[Metadata], seen: set[Metadata], module: Module) -> bool:
    """Keep only a unit's variables that still exist, or are constants; return whether there are any."""
    listed = unit.globals.operands if isinstance(unit.globals, MDTuple) else ()
    new = [node for node in listed if node is not None and node not in seen]
    seen.update(new)
    kept = [node for node in new if node in variables or _is_constant(node)]
    if len(kept) < len(new):
        unit.globals = module.context.metadata.tuple(kept)
    return bool(kept)


def _is_constant(node: Metadata) -> bool:
    expression = node.expression if isinstance(node, DIGlobalVariableExpression) else None
    if not isinstance(expression, DIExpression):
        return False
    operators = [OPERATORS[code].name for code, *_ in expression.operations if code in OPERATORS]
    return operators[:1] != [] and operators[0] in _CONSTANTS and operators[1:] in _CONSTANT_ENDS

"""Debug information of older LLVMs, upgraded in the nodes of a text before they are made.

The reader of bitcode does the same with records (`bitcode.upgrade`).  Rules: upgrade reference, section 10.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.metadata_state import NodeReference
from bitcodec.asm.parser.node_programs import node_program
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import (
    DICompileUnit,
    DICompositeType,
    DIExpression,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DIImportedEntity,
    DILexicalBlock,
    DILexicalBlockFile,
    DISubprogram,
    DISubroutineType,
)
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_flags import DIFlag
from bitcodec.tables.debug_info_rows import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.values import Value

__all__ = ["upgrade_debug_information"]

_CONSTU, _STACK_VALUE = 0x10, 0x9F
_LOCAL_SCOPES = (DISubprogram, DILexicalBlock, DILexicalBlockFile)
_TYPE_PLACES = {row.name: [place for place, field in enumerate(row.fields) if field.kind is Kind.TYPE] for row in NODES}
"""By class: the places of fields that refer to types."""


def upgrade_debug_information(state: ModuleState) -> None:
    """Change the nodes of an old text as the reader of bitcode changes records of that time."""
    upgrade = _Upgrade(state)
    if state.dialect.is_before(3, 9):
        upgrade.resolve_type_references()
    if state.dialect.is_before(4):
        upgrade.upgrade_variables()
    units = upgrade.of_kind(DICompileUnit)
    upgrade.upgrade_subprograms(units)
    upgrade.upgrade_imports(units)


class _Upgrade:
    def __init__(self, state: ModuleState) -> None:
        self._metadata = state.metadata
        self._old_fields = state.old_fields
        self._nodes = [reference for _, reference in sorted(state.metadata.numbered.items())]
        self._subprograms: dict[NodeReference, NodeReference | None] = {}

    def of_kind(self, kind: type) -> list[NodeReference]:
        """Return the nodes of a class that have a number in the text."""
        return [node for node in self._nodes if node.kind is kind]

    # Types by their identifiers, up to LLVM 3.8

    def resolve_type_references(self) -> None:
        """Let nodes refer to types where they have their identifiers: to the first definition, or else declaration."""
        declarations: dict[str, NodeReference] = {}
        definitions: dict[str, NodeReference] = {}
        for node in self.of_kind(DICompositeType):
            identifier = _field(node, "identifier")
            if identifier:
                found = declarations if _field(node, "flags") & DIFlag.FwdDecl else definitions
                found.setdefault(identifier, node)
        types = {**declarations, **definitions}
        if not types:
            return
        lists = {id(_field(node, "types")): _field(node, "types") for node in self.of_kind(DISubroutineType)}
        for node in self._nodes:
            for place in _TYPE_PLACES.get(node.kind.__name__, ()) if node.kind else ():
                referred = node.content[place]
                if isinstance(referred, MDString) and referred.text in types:
                    _replace(node, place, types[referred.text])
        for listed in lists.values():
            if isinstance(listed, NodeReference) and listed.kind is MDTuple:
                listed.content = tuple([_resolved(part, types) for part in listed.content])

    # Variables that say where they are, up to LLVM 3.9

    def upgrade_variables(self) -> None:
        """Put expressions around variables, in lists of units and as attachments of globals."""
        attached = self._metadata.globals
        attached[:] = [(of, kind, self._wrapped(node) if kind == "dbg" else node) for of, kind, node in attached]
        for node in self.of_kind(DIGlobalVariable):
            value = self._old_value(node, "variable")
            if isinstance(value, GlobalVariable):
                attached.append((value, "dbg", self._wrapped(node)))
            elif isinstance(value, ConstantInt):
                bare = NodeReference(node.position)
                bare.define(DIGlobalVariable, node.content, is_distinct=node.is_distinct)
                self._define_expression(node, bare, (_CONSTU, value.unsigned, _STACK_VALUE))
        seen: set[NodeReference] = set()
        for unit in self.of_kind(DICompileUnit):
            listed = _field(unit, "globals")
            if isinstance(listed, NodeReference) and listed not in seen:
                seen.add(listed)
                listed.content = tuple([self._wrapped(part) for part in listed.content])

    def _wrapped(self, variable: Any) -> Any:
        """Return an expression for a variable; anything else is itself."""
        if not isinstance(variable, NodeReference) or variable.kind is not DIGlobalVariable:
            return variable
        made = NodeReference(variable.position)
        self._define_expression(made, variable, ())
        return made

    def _define_expression(self, node: NodeReference, variable: NodeReference, elements: tuple[int, ...]) -> None:
        expression = self._metadata.table.node(DIExpression, elements)
        node.define(DIGlobalVariableExpression, (variable, expression), is_distinct=True)

    def _old_value(self, node: NodeReference, name: str) -> Value | None:
        """Return the value of a field that is gone."""
        found = self._old_fields.get(id(node.content), ((), {}))[1].get(name)
        return found.value if isinstance(found, ConstantAsMetadata) else None

    # Lists of subprograms, up to LLVM 3.8, and their functions, up to LLVM 3.7

    def upgrade_subprograms(self, units: Iterable[NodeReference]) -> None:
        """Attach subprograms to the functions that they name, and give them the units that list them."""
        for subprogram in self.of_kind(DISubprogram):
            function = self._old_value(subprogram, "function")
            if isinstance(function, Function) and not function.is_declaration:
                self._metadata.globals.append((function, "dbg", subprogram))
        for unit in units:
            listed = self._old_fields.get(id(unit.content), ((), {}))[1].get("subprograms")
            for subprogram in _elements(listed):
                if isinstance(subprogram, NodeReference) and subprogram.kind is DISubprogram:
                    _replace_field(subprogram, "unit", unit)

    # What is imported into functions

    def upgrade_imports(self, units: Iterable[NodeReference]) -> None:
        """Move what is imported into a local scope from the compile unit to the subprogram."""
        for unit in units:
            entities = _elements(_field(unit, "imports"))
            local = [entity for entity in entities if _is_local(entity)]
            if not local:
                continue
            moved = set(local)
            _replace_field(unit, "imports", _list([entity for entity in entities if entity not in moved], unit))
            by_subprogram: dict[NodeReference, list[Any]] = {}
            for entity in local:
                subprogram = self._subprogram_of(entity)
                if subprogram is not None:
                    by_subprogram.setdefault(subprogram, []).append(entity)
            for subprogram, retained in by_subprogram.items():
                before = list(_elements(_field(subprogram, "retainedNodes")))
                _replace_field(subprogram, "retainedNodes", _list(before + retained, subprogram))

    def _subprogram_of(self, entity: NodeReference) -> NodeReference | None:
        scope: Any = _field(entity, "scope")
        seen: list[NodeReference] = []
        while isinstance(scope, NodeReference) and scope not in self._subprograms:
            # What a circle of scopes leads to is nothing.
            self._subprograms[scope] = scope if scope.kind is DISubprogram else None
            seen.append(scope)
            if scope.kind in (DILexicalBlock, DILexicalBlockFile):
                scope = _field(scope, "scope")
        found = self._subprograms.get(scope) if isinstance(scope, NodeReference) else None
        self._subprograms.update(dict.fromkeys(seen, found))
        return found


def _place(node: NodeReference, name: str) -> int:
    program = node_program(node.kind.__name__.encode()) if node.kind is not None else None
    assert program is not None  # noqa: S101 - only nodes of known classes come here
    return program.fields[name.encode()].place


def _field(node: NodeReference, name: str) -> Any:
    return node.content[_place(node, name)]


def _replace_field(node: NodeReference, name: str, value: Any) -> None:
    _replace(node, _place(node, name), value)


def _replace(node: NodeReference, place: int, value: Any) -> None:
    node.content = (*node.content[:place], value, *node.content[place + 1 :])


def _resolved(part: Any, types: dict[str, NodeReference]) -> Any:
    return types.get(part.text, part) if isinstance(part, MDString) else part


def _elements(listed: Any) -> tuple[Any, ...]:
    return listed.content if isinstance(listed, NodeReference) and listed.kind is MDTuple else ()


def _list(elements: list[Any], like: NodeReference) -> NodeReference:
    made = NodeReference(like.position)
    made.define(MDTuple, tuple(elements))
    return made


def _is_local(entity: Any) -> bool:
    if not isinstance(entity, NodeReference) or entity.kind is not DIImportedEntity:
        return False
    scope = _field(entity, "scope")
    return isinstance(scope, NodeReference) and scope.kind in _LOCAL_SCOPES

"""Debug information of older LLVMs, upgraded in the nodes of a text before they are made.

The reader of bitcode does the same with records (`bitcode.reader.old_debug_info`); both move imports by the same steps.
Rules: docs/reference/upgrades.md, 10.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.metadata_state import ParsedNode
from bitcodec.asm.parser.node_programs import node_program
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import (
    DICompileUnit,
    DICompositeType,
    DIExpression,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DISubprogram,
    DISubroutineType,
)
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_flags import DIFlag
from bitcodec.tables.debug_info_rows import FieldKind
from bitcodec.upgrade.local_imports import move_local_imports

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.values import Value

__all__ = ["upgrade_debug_information"]

_CONSTU, _STACK_VALUE = 0x10, 0x9F
_LABELS = {"imports": "imports", "retained_nodes": "retainedNodes"}
_TYPE_PLACES = {
    row.name: [place for place, field in enumerate(row.fields) if field.kind is FieldKind.TYPE] for row in NODES
}
"""By class: the places of fields that refer to types."""


def upgrade_debug_information(state: ModuleState) -> None:
    """Change the nodes of an old text as the reader of bitcode changes records of that time."""
    upgrade = _TextUpgrade(state)
    if state.dialect.is_before(3, 9):
        upgrade.resolve_type_references()
    if state.dialect.is_before(4):
        upgrade.upgrade_variables()
    units = upgrade.of_kind(DICompileUnit)
    upgrade.upgrade_subprograms(units)
    move_local_imports(units, _TextNodes())


class _TextUpgrade:
    def __init__(self, state: ModuleState) -> None:
        self._metadata = state.metadata
        self._old_fields = state.old_fields
        self._nodes = [reference for _, reference in sorted(state.metadata.numbered.items())]

    def of_kind(self, kind: type) -> list[ParsedNode]:
        """Return the nodes of a class that have a number in the text."""
        return [node for node in self._nodes if node.kind is kind]

    # Types by their identifiers, up to LLVM 3.8

    def resolve_type_references(self) -> None:
        """Let nodes refer to types where they have their identifiers: to the first definition, or else declaration."""
        declarations: dict[str, ParsedNode] = {}
        definitions: dict[str, ParsedNode] = {}
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
                    self._replace(node, place, types[referred.text])
        for listed in lists.values():
            if isinstance(listed, ParsedNode) and listed.kind is MDTuple:
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
                bare = ParsedNode(node.position)
                bare.define(DIGlobalVariable, node.content, is_distinct=node.is_distinct)
                self._define_expression(node, bare, (_CONSTU, value.unsigned, _STACK_VALUE))
        seen: set[ParsedNode] = set()
        for unit in self.of_kind(DICompileUnit):
            listed = _field(unit, "globals")
            if isinstance(listed, ParsedNode) and listed not in seen:
                seen.add(listed)
                listed.content = tuple([self._wrapped(part) for part in listed.content])

    def _wrapped(self, variable: Any) -> Any:
        """Return an expression for a variable; anything else is itself."""
        if not isinstance(variable, ParsedNode) or variable.kind is not DIGlobalVariable:
            return variable
        made = ParsedNode(variable.position)
        self._define_expression(made, variable, ())
        return made

    def _define_expression(self, node: ParsedNode, variable: ParsedNode, elements: tuple[int, ...]) -> None:
        expression = self._metadata.table.node(DIExpression, elements)
        node.define(DIGlobalVariableExpression, (variable, expression), is_distinct=True)

    # Fields that only old nodes have

    def _replace(self, node: ParsedNode, place: int, value: Any) -> None:
        """Replace a field of a node, which keeps the values of fields that only old nodes have."""
        kept = self._old_fields_of(node)
        _replace(node, place, value)
        if kept:
            self._old_fields[id(node.content)] = (node.content, kept)

    def _old_value(self, node: ParsedNode, name: str) -> Value | None:
        """Return the value of a field that only old nodes have."""
        found = self._old_fields_of(node).get(name)
        return found.value if isinstance(found, ConstantAsMetadata) else None

    def _old_fields_of(self, node: ParsedNode) -> dict[str, Any]:
        return self._old_fields.get(id(node.content), ((), {}))[1]

    # Lists of subprograms, up to LLVM 3.8, and their functions, up to LLVM 3.7

    def upgrade_subprograms(self, units: Iterable[ParsedNode]) -> None:
        """Attach subprograms to the functions that they name, and give them the units that list them."""
        for subprogram in self.of_kind(DISubprogram):
            function = self._old_value(subprogram, "function")
            if isinstance(function, Function) and not function.is_declaration:
                self._metadata.globals.append((function, "dbg", subprogram))
        for unit in units:
            listed = self._old_fields_of(unit).get("subprograms")
            for subprogram in _elements(listed):
                if isinstance(subprogram, ParsedNode) and subprogram.kind is DISubprogram:
                    _replace_field(subprogram, "unit", unit)


def _place(node: ParsedNode, name: str) -> int:
    program = node_program(node.kind.__name__.encode()) if node.kind is not None else None
    assert program is not None  # noqa: S101 - only nodes of known classes come here
    return program.fields[name.encode()].place


def _field(node: ParsedNode, name: str) -> Any:
    return node.content[_place(node, name)]


def _replace_field(node: ParsedNode, name: str, value: Any) -> None:
    _replace(node, _place(node, name), value)


def _replace(node: ParsedNode, place: int, value: Any) -> None:
    node.content = (*node.content[:place], value, *node.content[place + 1 :])


def _resolved(part: Any, types: dict[str, ParsedNode]) -> Any:
    return types.get(part.text, part) if isinstance(part, MDString) else part


def _elements(listed: Any) -> tuple[Any, ...]:
    return listed.content if isinstance(listed, ParsedNode) and listed.kind is MDTuple else ()


class _TextNodes:
    """Nodes of a text, as `move_local_imports` sees them."""

    def class_of(self, node: Any) -> type[MDNode] | None:
        return node.kind if isinstance(node, ParsedNode) else None

    def scope_of(self, node: ParsedNode) -> ParsedNode | None:
        scope = _field(node, "scope")
        return scope if isinstance(scope, ParsedNode) else None

    def list_of(self, node: ParsedNode, field: str) -> ParsedNode | None:
        listed = _field(node, _LABELS[field])
        return listed if isinstance(listed, ParsedNode) and listed.kind is MDTuple else None

    def elements_of(self, listed: ParsedNode) -> tuple[Any, ...]:
        return _elements(listed)

    def set_list(self, node: ParsedNode, field: str, elements: Sequence[Any]) -> None:
        made = ParsedNode(node.position)
        made.define(MDTuple, tuple(elements))
        _replace_field(node, _LABELS[field], made)

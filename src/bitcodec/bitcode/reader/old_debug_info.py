"""Debug information of older LLVM, upgraded in the records before nodes are made of them.

Rules: docs/reference/upgrades.md, 10.7; docs/reference/records.md, 8.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import DEBUG_INFO_CODES, layout_of, position_of
from bitcodec.bitcode.text import characters
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import DIImportedEntity, DILexicalBlock, DILexicalBlockFile, DISubprogram
from bitcodec.ir.globals import GlobalVariable
from bitcodec.tables.debug_info_flags import DIFlag
from bitcodec.upgrade.local_imports import move_local_imports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitcodec.bitcode.reader.metadata_index import MetadataIndex
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.values import Value

__all__ = ["DebugInfoUpgrade"]

_CLASSES: dict[MetadataCode, type[MDNode]] = {
    MetadataCode.IMPORTED_ENTITY: DIImportedEntity,
    MetadataCode.LEXICAL_BLOCK: DILexicalBlock,
    MetadataCode.LEXICAL_BLOCK_FILE: DILexicalBlockFile,
    MetadataCode.SUBPROGRAM: DISubprogram,
}
"""Classes of nodes that are imported, or that something is imported into."""
_CLASSES_BY_CODE: dict[int | None, type[MDNode]] = dict(_CLASSES.items())
_LISTS = {MetadataCode.NODE, MetadataCode.DISTINCT_NODE}
_DISTINCT = 1
_CONSTU, _STACK_VALUE = 0x10, 0x9F
_EXPRESSION_VERSION = 3 << 1

_UNIT_GLOBALS = position_of(MetadataCode.COMPILE_UNIT, "globals")
_SUBPROGRAM_UNIT = position_of(MetadataCode.SUBPROGRAM, "unit")
_RETAINED_NODES = "retained_nodes"
_POSITIONS = {
    "imports": position_of(MetadataCode.COMPILE_UNIT, "imports"),
    _RETAINED_NODES: position_of(MetadataCode.SUBPROGRAM, "retainedNodes"),
}
_SCOPES: dict[int | None, int] = {code: position_of(code, "scope") for code in _CLASSES}
# Of forms that LLVM 22 does not write.
_OLD_UNIT_SUBPROGRAMS, _OLD_LOCATION, _OLD_FUNCTION = 11, 9, 15
_HAS_UNIT, _HAS_FLAGS = 2, 4
_IS_NOT_REFERRED_TO = 2
_TYPE_FLAGS, _TYPE_IDENTIFIER, _TYPES = 10, 15, 2
_VERSION = (1 << 64) - 2
"""All bits of a first operand except the one for distinct nodes."""


class DebugInfoUpgrade:
    """Upgrades the records of a module's metadata.

    Args:
        value_of: returns the global or constant of a type id and a value id.

    Attributes:
        function_subprograms: value id of a function, metadata id of its subprogram, if the subprogram contains it.
    """

    def __init__(self, index: MetadataIndex, value_of: Callable[[int, int], Value | None]) -> None:
        self._index = index
        self.value_of = value_of
        self._by_code = index.by_code(
            {MetadataCode.COMPILE_UNIT, MetadataCode.GLOBAL_VAR, MetadataCode.SUBPROGRAM, MetadataCode.COMPOSITE_TYPE}
        )
        self._located: list[tuple[int, int]] = []
        self._has_old_variables = False
        self._seen_lists: set[int] = set()
        self.function_subprograms: list[tuple[int, int]] = []
        self._run()

    def attachments(self, found: dict[int, list[tuple[str, int]]]) -> dict[int, list[tuple[str, int]]]:
        """Return kind and metadata id of the attachments of globals, by value id: variables now as expressions."""
        if not self._has_old_variables:
            return found
        upgraded = {
            value_id: [(kind, self._wrapped(node) if kind == "dbg" else node) for kind, node in pairs]
            for value_id, pairs in found.items()
        }
        for value_id, variable in self._located:
            upgraded.setdefault(value_id, []).append(("dbg", self._wrapped(variable)))
        return upgraded

    def _run(self) -> None:
        # Records in their old form have to be found first: one that is rewritten has the form of LLVM 22.
        self.function_subprograms = list(self._find_function_subprograms())
        locations = list(self._find_locations())
        types = self._by_code.get(MetadataCode.COMPOSITE_TYPE, [])
        # A file is of one LLVM, which marks all types or none.
        if self._index.without_bits(types[:1], _IS_NOT_REFERRED_TO):
            _TypeResolver(self._index, types).run()
        for variable, location in locations:
            self._upgrade_variable(variable, location)
        for unit in self._by_code.get(MetadataCode.COMPILE_UNIT, []):
            self._upgrade_subprograms(unit)
            self._upgrade_globals(unit)
        move_local_imports(self._by_code.get(MetadataCode.COMPILE_UNIT, []), _RecordNodes(self._index))

    def _find_function_subprograms(self) -> Iterator[tuple[int, int]]:
        subprograms = self._by_code.get(MetadataCode.SUBPROGRAM, [])
        for subprogram in self._index.without_bits(subprograms, _HAS_UNIT | _HAS_FLAGS):
            operands = self._index.record(subprogram)[1]
            if len(operands) > 18:
                code, value = self._index.find(operands[_OLD_FUNCTION] - 1)
                if code == MetadataCode.VALUE and len(value) == 2:
                    yield value[1], subprogram

    def _find_locations(self) -> Iterator[tuple[int, int]]:
        """Yield each variable that has a location itself, and the metadata id of that location or -1."""
        variables = self._by_code.get(MetadataCode.GLOBAL_VAR, [])
        for variable in self._index.without_bits(variables, _VERSION):
            operands = self._index.record(variable)[1]
            if operands:
                yield variable, operands[_OLD_LOCATION] - 1 if len(operands) > _OLD_LOCATION else -1

    def _upgrade_variable(self, variable: int, location: int) -> None:
        """Give a variable that has its location itself the form in which an expression has it."""
        self._has_old_variables = True
        code, record = self._index.find(location)
        if code == MetadataCode.VALUE and len(record) == 2:
            value = self._value(*record)
            if isinstance(value, GlobalVariable):
                self._located.append((record[1], variable))
            if not isinstance(value, ConstantInt):
                return
            elements = [_EXPRESSION_VERSION, _CONSTU, value.unsigned, _STACK_VALUE]
            location = self._index.add(MetadataCode.EXPRESSION, elements, like=variable)
        elif location < 0:
            return
        bare = self._index.add(MetadataCode.GLOBAL_VAR, self._index.modern(variable), like=variable)
        self._index.rewrite(variable, MetadataCode.GLOBAL_VAR_EXPR, [_DISTINCT, bare + 1, location + 1])

    def _upgrade_subprograms(self, unit: int) -> None:
        """Give subprograms their compile unit, where it had the list of them."""
        listed = self._list(unit, _OLD_UNIT_SUBPROGRAMS)
        for subprogram in _elements(self._index, listed):
            if self._index.find(subprogram)[0] == MetadataCode.SUBPROGRAM:
                _rewrite_operand(self._index, subprogram, _SUBPROGRAM_UNIT, unit)

    def _upgrade_globals(self, unit: int) -> None:
        """Wrap the variables that a compile unit lists."""
        listed = self._list(unit, _UNIT_GLOBALS)
        if self._has_old_variables and listed >= 0:
            wrapped = [self._wrapped(variable) + 1 for variable in _elements(self._index, listed)]
            self._index.rewrite(listed, self._index.record(listed)[0], wrapped)

    def _wrapped(self, variable: int) -> int:
        """Return the id of an expression for a variable; other ids are unchanged."""
        if self._index.find(variable)[0] != MetadataCode.GLOBAL_VAR:
            return variable
        return self._index.add(MetadataCode.GLOBAL_VAR_EXPR, [_DISTINCT, variable + 1, 0], like=variable)

    def _list(self, unit: int, position: int) -> int:
        """Return the id of a list of a compile unit, -1 if it is absent or was seen already."""
        operands = self._index.record(unit)[1]
        listed = operands[position] - 1 if len(operands) > position else -1
        if listed in self._seen_lists or self._index.find(listed)[0] not in _LISTS:
            return -1
        self._seen_lists.add(listed)
        return listed

    def _value(self, type_id: int, value_id: int) -> Value | None:
        try:
            return self.value_of(type_id, value_id)
        except Malformed:
            return None


class _RecordNodes:
    """Records of metadata, by their ids, as `move_local_imports` sees them."""

    def __init__(self, index: MetadataIndex) -> None:
        self._index = index

    def class_of(self, node: int) -> type[MDNode] | None:
        return _CLASSES_BY_CODE.get(self._index.find(node)[0])

    def scope_of(self, node: int) -> int | None:
        code, operands = self._index.find(node)
        position = _SCOPES.get(code)
        return None if position is None or len(operands) <= position else operands[position] - 1

    def list_of(self, node: int, field: str) -> int | None:
        operands = self._index.modern(node) if field == _RETAINED_NODES else self._index.record(node)[1]
        position = _POSITIONS[field]
        listed = operands[position] - 1 if len(operands) > position else -1
        return listed if self._index.find(listed)[0] in _LISTS else None

    def elements_of(self, listed: int) -> list[int]:
        return _elements(self._index, listed)

    def set_list(self, node: int, field: str, elements: Sequence[int]) -> None:
        listed = self._index.add(MetadataCode.NODE, [element + 1 for element in elements], like=node)
        _rewrite_operand(self._index, node, _POSITIONS[field], listed)


def _elements(index: MetadataIndex, listed: int) -> list[int]:
    code, elements = index.find(listed)
    return [raw - 1 for raw in elements] if code in _LISTS else []


def _rewrite_operand(index: MetadataIndex, metadata_id: int, position: int, referred: int) -> None:
    operands = index.modern(metadata_id)
    operands[position] = referred + 1
    index.rewrite(metadata_id, index.record(metadata_id)[0], operands)


class _TypeResolver:
    """Lets records refer to types where they have their identifiers, as up to LLVM 3.8: "Type-ref upgrade" in 8.5."""

    def __init__(self, index: MetadataIndex, composite_types: list[int]) -> None:
        self._index = index
        self._types = self._by_identifier(composite_types)
        self._lists: dict[int, int] = {}

    def run(self) -> None:
        """Rewrite all records that need it."""
        for code, metadata_ids in self._index.by_code(DEBUG_INFO_CODES).items():
            positions = layout_of(code).types
            for metadata_id in metadata_ids:
                if positions:
                    self._resolve(metadata_id, code, positions)
                elif code == MetadataCode.SUBROUTINE_TYPE:
                    self._resolve_list(metadata_id)

    def _by_identifier(self, composite_types: list[int]) -> dict[str, int]:
        """Return types by identifier: the first definition of each, or else the first declaration."""
        declarations: dict[str, int] = {}
        definitions: dict[str, int] = {}
        for metadata_id in composite_types:
            operands = self._index.modern(metadata_id)
            identifier = self._text(operands[_TYPE_IDENTIFIER])
            if identifier is not None:
                found = declarations if operands[_TYPE_FLAGS] & DIFlag.FwdDecl else definitions
                found.setdefault(identifier, metadata_id)
        return {**declarations, **definitions}

    def _resolve(self, metadata_id: int, code: int, positions: tuple[int, ...]) -> None:
        operands = self._index.modern(metadata_id)
        resolved = [self._resolved(operands[position]) for position in positions]
        if resolved != [operands[position] for position in positions]:
            for position, raw in zip(positions, resolved, strict=True):
                operands[position] = raw
            self._index.rewrite(metadata_id, code, operands)

    def _resolve_list(self, metadata_id: int) -> None:
        operands = self._index.modern(metadata_id)
        listed = operands[_TYPES] - 1
        if listed not in self._lists:
            code, elements = self._index.find(listed)
            resolved = [self._resolved(raw) for raw in elements]
            self._lists[listed] = listed if resolved == elements else self._index.add(code, resolved, like=metadata_id)
        operands[_TYPES] = self._lists[listed] + 1
        self._index.rewrite(metadata_id, MetadataCode.SUBROUTINE_TYPE, operands)

    def _resolved(self, raw: int) -> int:
        identifier = self._text(raw)
        return raw if identifier is None or identifier not in self._types else self._types[identifier] + 1

    def _text(self, raw: int) -> str | None:
        """Return the text of a string that an operand refers to, None if it refers to something else."""
        code, operands = self._index.find(raw - 1)
        if code == MetadataCode.STRING_OLD:
            return characters(operands)
        return self._index.text(raw - 1) if not code and 0 < raw <= len(self._index) else None

"""Debug information of older LLVM, upgraded in the records before nodes are made of them.

Rules: upgrade reference, section 10.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.upgrade.type_references import resolve_type_references
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.globals import GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.upgrade.metadata_records import MetadataRecords
    from bitcodec.ir.values import Value

__all__ = ["DebugInfoUpgrade"]

_LOCAL_SCOPES = {MetadataCode.SUBPROGRAM, MetadataCode.LEXICAL_BLOCK, MetadataCode.LEXICAL_BLOCK_FILE}
_LISTS = {MetadataCode.NODE, MetadataCode.DISTINCT_NODE}
_DISTINCT = 1
_CONSTU, _STACK_VALUE = 0x10, 0x9F
_EXPRESSION_VERSION = 3 << 1

# Where a record has what is needed here.
_UNIT_SUBPROGRAMS, _UNIT_GLOBALS, _UNIT_IMPORTS = 11, 12, 13
_SUBPROGRAM_UNIT, _SUBPROGRAM_RETAINED_NODES = 12, 15
_SCOPE, _ENTITY_SCOPE = 1, 2
_OLD_LOCATION, _OLD_FUNCTION = 9, 15
_HAS_UNIT, _HAS_FLAGS = 2, 4
_VERSION = (1 << 64) - 2
"""All bits of a first operand but that of distinct nodes."""


class DebugInfoUpgrade:
    """Upgrades the records of a module's metadata.

    Args:
        value_of: returns the global or constant of a type id and a value id.

    Attributes:
        function_subprograms: value id of a function, and metadata id of its subprogram, where the subprogram says so.
    """

    def __init__(self, index: MetadataRecords, value_of: Callable[[int, int], Value | None]) -> None:
        self._index = index
        self.value_of = value_of
        self._by_code = index.by_code(
            {MetadataCode.COMPILE_UNIT, MetadataCode.GLOBAL_VAR, MetadataCode.SUBPROGRAM, MetadataCode.COMPOSITE_TYPE}
        )
        self._located: list[tuple[int, int]] = []
        self._has_old_variables = False
        self._seen_lists: set[int] = set()
        self._subprograms: dict[int, int | None] = {}
        self.function_subprograms: list[tuple[int, int]] = []
        self._run()

    def attachments(self, found: dict[int, list[tuple[str, int]]]) -> dict[int, list[tuple[str, int]]]:
        """Return kind and metadata id of what is attached to globals, by value id: variables now as expressions."""
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
        self.function_subprograms = list(self._find_function_subprograms())
        resolve_type_references(self._index, self._by_code.get(MetadataCode.COMPOSITE_TYPE, []))
        variables = self._by_code.get(MetadataCode.GLOBAL_VAR, [])
        for variable in self._index.without_bits(variables, _VERSION):
            self._upgrade_variable(variable)
        for unit in self._by_code.get(MetadataCode.COMPILE_UNIT, []):
            self._upgrade_subprograms(unit)
            self._upgrade_globals(unit)
            self._upgrade_imports(unit)

    def _find_function_subprograms(self) -> Iterator[tuple[int, int]]:
        subprograms = self._by_code.get(MetadataCode.SUBPROGRAM, [])
        for subprogram in self._index.without_bits(subprograms, _HAS_UNIT | _HAS_FLAGS):
            operands = self._index.record(subprogram)[1]
            if len(operands) > 18:
                code, value = self._index.find(operands[_OLD_FUNCTION] - 1)
                if code == MetadataCode.VALUE and len(value) == 2:
                    yield value[1], subprogram

    def _upgrade_variable(self, variable: int) -> None:
        """Give a variable that says itself where it is the form in which an expression says so."""
        operands = self._index.record(variable)[1]
        if not operands:
            return
        self._has_old_variables = True
        location = operands[_OLD_LOCATION] - 1 if len(operands) > _OLD_LOCATION else -1
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
        listed = self._list(unit, _UNIT_SUBPROGRAMS)
        for subprogram in self._elements(listed):
            if self._index.find(subprogram)[0] == MetadataCode.SUBPROGRAM:
                self._rewrite_operand(subprogram, _SUBPROGRAM_UNIT, unit)

    def _upgrade_globals(self, unit: int) -> None:
        """Wrap the variables that a compile unit lists."""
        listed = self._list(unit, _UNIT_GLOBALS)
        if self._has_old_variables and listed >= 0:
            wrapped = [self._wrapped(variable) + 1 for variable in self._elements(listed)]
            self._index.rewrite(listed, self._index.record(listed)[0], wrapped)

    def _wrapped(self, variable: int) -> int:
        """Return the id of an expression for a variable; other ids are what they are."""
        if self._index.find(variable)[0] != MetadataCode.GLOBAL_VAR:
            return variable
        return self._index.add(MetadataCode.GLOBAL_VAR_EXPR, [_DISTINCT, variable + 1, 0], like=variable)

    def _upgrade_imports(self, unit: int) -> None:
        """Move what is imported into a local scope from the compile unit to the subprogram."""
        entities = self._elements(self._list(unit, _UNIT_IMPORTS))
        local = [entity for entity in entities if self._is_local(entity)]
        if not local:
            return
        moved = set(local)
        kept = [entity for entity in entities if entity not in moved]
        self._rewrite_operand(unit, _UNIT_IMPORTS, self._new_list(kept, unit))
        by_subprogram: dict[int, list[int]] = {}
        for entity in local:
            subprogram = self._subprogram_of(entity)
            if subprogram is not None:
                by_subprogram.setdefault(subprogram, []).append(entity)
        for subprogram, retained in by_subprogram.items():
            before = self._elements(self._index.modern(subprogram)[_SUBPROGRAM_RETAINED_NODES] - 1)
            listed = self._new_list(before + retained, subprogram)
            self._rewrite_operand(subprogram, _SUBPROGRAM_RETAINED_NODES, listed)

    def _is_local(self, entity: int) -> bool:
        code, operands = self._index.find(entity)
        if code != MetadataCode.IMPORTED_ENTITY or len(operands) <= _ENTITY_SCOPE:
            return False
        return self._index.find(operands[_ENTITY_SCOPE] - 1)[0] in _LOCAL_SCOPES

    def _subprogram_of(self, entity: int) -> int | None:
        """Return the subprogram around an imported entity."""
        scope = self._index.record(entity)[1][_ENTITY_SCOPE] - 1
        seen: list[int] = []
        while scope not in self._subprograms:
            # What a circle of scopes leads to is nothing.
            self._subprograms[scope] = None
            seen.append(scope)
            code, operands = self._index.find(scope)
            if code == MetadataCode.SUBPROGRAM:
                self._subprograms[scope] = scope
            elif code in _LOCAL_SCOPES and len(operands) > _SCOPE:
                scope = operands[_SCOPE] - 1
        found = self._subprograms[scope]
        self._subprograms.update(dict.fromkeys(seen, found))
        return found

    def _list(self, unit: int, position: int) -> int:
        """Return the id of a list that a compile unit has, -1 if it has none or if this list was seen already."""
        operands = self._index.record(unit)[1]
        listed = operands[position] - 1 if len(operands) > position else -1
        if listed in self._seen_lists or self._index.find(listed)[0] not in _LISTS:
            return -1
        self._seen_lists.add(listed)
        return listed

    def _elements(self, listed: int) -> list[int]:
        code, elements = self._index.find(listed)
        return [raw - 1 for raw in elements] if code in _LISTS else []

    def _new_list(self, elements: list[int], like: int) -> int:
        return self._index.add(MetadataCode.NODE, [element + 1 for element in elements], like=like)

    def _rewrite_operand(self, metadata_id: int, position: int, referred: int) -> None:
        operands = self._index.modern(metadata_id)
        operands[position] = referred + 1
        self._index.rewrite(metadata_id, self._index.record(metadata_id)[0], operands)

    def _value(self, type_id: int, value_id: int) -> Value | None:
        try:
            return self.value_of(type_id, value_id)
        except Malformed:
            return None

"""State of parsing a summary: entries by number, and references to entries that come later."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from bitcodec.ir.summary import ModuleSummaryIndex, ValueInfo

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.ir.module import Module
    from bitcodec.ir.summary import SummarizedModule

__all__ = ["SummaryState", "TypeReference"]


class TypeReference(int):
    """The number of a type entry, in the place of its GUID until the whole text has been read."""


class SummaryState:
    """The summary of a text.

    Args:
        lexer: the tokens.
        module: the module of the text.

    Attributes:
        index: the summary.
        modules, values: entries by number.
        types: GUIDs of type entries by number.
        positions: by number of an entry that is used and has not come yet: where it is used first.
        aliasee_positions, type_positions: the same, of uses by aliases, and of types.
    """

    def __init__(self, lexer: Lexer, module: Module) -> None:
        self.lexer = lexer
        self.module = module
        self.index = ModuleSummaryIndex()
        self.modules: dict[int, SummarizedModule] = {}
        self.values: dict[int, ValueInfo] = {}
        self.types: dict[int, int] = {}
        self.positions: dict[int, int] = {}
        self.aliasee_positions: dict[int, int] = {}
        self.type_positions: dict[int, int] = {}
        self._forward: dict[int, ValueInfo] = {}
        self._replaced: dict[int, ValueInfo] = {}
        self._has_type_uses = False

    def value(self, number: int, position: int, *, is_aliasee: bool = False) -> ValueInfo:
        """Return the global of an entry, which may come later."""
        found = self.values.get(number)
        if found is None:
            positions = self.aliasee_positions if is_aliasee else self.positions
            positions.setdefault(number, position)
            found = self._forward.get(number)
            if found is None:
                found = self._forward[number] = ValueInfo(0)
        return found

    def define(self, number: int, guid: int, name: str) -> ValueInfo:
        """Assign a number to the global of a GUID; return the global."""
        forward = self._forward.pop(number, None)
        value = self.index.values.get(guid)
        if value is None:
            value = self.index.values[guid] = forward or ValueInfo(guid)
            value.guid = guid
        elif forward is not None:
            self._replaced[id(forward)] = value
        if name:
            value.name = name
        self.values[number] = value
        self.positions.pop(number, None)
        self.aliasee_positions.pop(number, None)
        return value

    def type_guid(self, number: int, position: int) -> int:
        """Return the GUID of a type entry, which has to come later."""
        self.type_positions.setdefault(number, position)
        self._has_type_uses = True
        return TypeReference(number)

    def define_type(self, number: int, guid: int) -> None:
        """Assign a number to a type."""
        if self.type_positions.pop(number, None) is not None:
            self.types.setdefault(number, guid)

    def complete(self) -> None:
        """Check that every used entry is defined, and replace its placeholders.

        Raises:
            AssemblyError: an entry is not defined.
        """
        for positions in (self.positions, self.aliasee_positions):
            if positions:
                number = min(positions)
                self.lexer.refuse(f"use of undefined summary '^{number}'", positions[number])
        if self.type_positions:
            number = min(self.type_positions)
            self.lexer.refuse(f"use of undefined type id summary '^{number}'", self.type_positions[number])
        if self._replaced or self._has_type_uses:
            for value in self.index.values.values():
                value.summaries[:] = [self._resolved(summary) for summary in value.summaries]
            for tables in self.index.compatible_vtables.values():
                tables[:] = [self._resolved(table) for table in tables]

    def _resolved(self, part: Any) -> Any:
        """Return a part of a summary with everything that it refers to; summaries are a few levels deep."""
        if isinstance(part, ValueInfo):
            return self._replaced.get(id(part), part)
        if isinstance(part, TypeReference):
            return self.types[part]
        if isinstance(part, tuple):
            parts = [self._resolved(inner) for inner in part]
            return tuple(parts) if type(part) is tuple else type(part)(*parts)
        if is_dataclass(part):
            for field in fields(part):
                setattr(part, field.name, self._resolved(getattr(part, field.name)))
        return part

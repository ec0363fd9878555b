"""Types referred to by their identifier, as up to LLVM 3.8: records get the type itself.

Rules: docs/reference/records.md, 8.5 ("Type-ref upgrade").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import DEBUG_INFO_CODES, layout_of
from bitcodec.bitcode.text import characters
from bitcodec.tables.debug_info_flags import DIFlag

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.metadata_index import MetadataIndex

__all__ = ["resolve_type_references"]

_IS_NOT_REFERRED_TO = 2
_FLAGS, _IDENTIFIER = 10, 15
_TYPES = 2


def resolve_type_references(index: MetadataIndex, composite_types: list[int]) -> None:
    """Let records refer to types where they have their identifiers.

    Args:
        composite_types: metadata ids of the types that have identifiers.
    """
    # A file is of one LLVM, which marks all types or none.
    if index.without_bits(composite_types[:1], _IS_NOT_REFERRED_TO):
        _TypeResolver(index, composite_types).run()


class _TypeResolver:
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
            identifier = self._text(operands[_IDENTIFIER])
            if identifier is not None:
                found = declarations if operands[_FLAGS] & DIFlag.FwdDecl else definitions
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

"""Composite types of debug information that all modules of a context share, known by their identifiers.

Rules: docs/reference/linking.md, 9: the first definition of an identifier applies to all modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import position_of
from bitcodec.ir.shared_types import SharedType
from bitcodec.tables.debug_info_flags import DIFlag

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.metadata_index import MetadataIndex
    from bitcodec.bitcode.reader.metadata_nodes import NodeMaker
    from bitcodec.ir.shared_types import SharedTypes

__all__ = ["adopt_shared_types"]

_CODE = int(MetadataCode.COMPOSITE_TYPE)
_TAG, _FLAGS, _IDENTIFIER = (position_of(MetadataCode.COMPOSITE_TYPE, name) for name in ("tag", "flags", "identifier"))
"""Positions of operands."""


def adopt_shared_types(maker: NodeMaker, index: MetadataIndex, types: SharedTypes) -> None:
    """Let a maker have the nodes of a context for the types that modules share, and add its own.

    Args:
        maker: has made nothing yet.
        index: its records.
        types: the types of the context.
    """
    for metadata_id in index.by_code({_CODE}).get(_CODE, ()):
        _, operands = index.record(metadata_id)
        if len(operands) <= _IDENTIFIER or not operands[_IDENTIFIER]:
            continue
        identifier = maker.string(operands[_IDENTIFIER] - 1)
        tag, is_declaration = operands[_TAG], bool(operands[_FLAGS] & DIFlag.FwdDecl)
        found = types.known.get(identifier)
        if found is None:
            types.add(identifier, SharedType(maker.defer(metadata_id), tag, is_declaration))
        elif found.tag == tag:
            maker[metadata_id] = found.node
            if found.is_declaration and not is_declaration:
                types.add(identifier, found._replace(is_declaration=False))
                maker.defer(metadata_id, found.node)

"""Composite types of debug information that modules of a context share, in the order of the text.

Rules: docs/reference/linking.md, 9; `bitcode.reader.shared_types` does the same for bitcode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.debug_info import DICompositeType
from bitcodec.ir.shared_types import SharedType
from bitcodec.tables.debug_info_flags import DIFlag

if TYPE_CHECKING:
    from bitcodec.asm.parser.metadata_state import MetadataState, ParsedNode
    from bitcodec.ir.shared_types import SharedTypes

__all__ = ["adopt_shared_types"]

_TAG, _FLAGS, _IDENTIFIER = map(DICompositeType.__match_args__.index, ("tag", "flags", "identifier"))


def adopt_shared_types(metadata: MetadataState, types: SharedTypes) -> None:
    """Let references to types with identifiers have the nodes of the context, and add new ones.

    Args:
        metadata: the nodes of the text, of which none has been made.
        types: the types of the context.
    """
    begun: list[ParsedNode] = []
    for reference in metadata.composites:
        tag, flags, identifier = (reference.content[place] for place in (_TAG, _FLAGS, _IDENTIFIER))
        if not identifier:
            continue
        is_declaration = bool(flags & DIFlag.FwdDecl)
        found = types.known.get(identifier)
        if found is not None and found.tag != tag:
            continue
        if found is None:
            reference.is_distinct = True
            metadata.begin(reference)
            types.add(identifier, SharedType(reference.node, tag, is_declaration))
            begun.append(reference)
        else:
            metadata.adopt(reference, found.node)
            if found.is_declaration and not is_declaration:
                types.add(identifier, found._replace(is_declaration=False))
                begun.append(reference)
    metadata.fill(begun)
    # Members are shared even if nothing refers to them.
    for reference in metadata.numbered.values():
        metadata.resolved(reference)

"""Debug information for libNVVM: DWARF 2 has no variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.downgrade.profiles.nvvm import rows
from bitcodec.ir.debug_info import DICompositeType, DIDerivedType
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from bitcodec.bitcode.downgrade.losses import Losses
    from bitcodec.ir.module import Module

__all__ = ["lower_debug_info"]


def lower_debug_info(module: Module, losses: Losses) -> None:
    """Let variants be members of a union: libNVVM ends on their discriminators."""
    for type_ in module.debug_info.types:
        if isinstance(type_, DICompositeType) and type_.tag == Tag.variant_part:
            losses.add(rows.VARIANTS, "", str(type_))
            for member in type_.elements or ():
                if isinstance(member, DIDerivedType):
                    member.extra_data = None
            type_.tag, type_.discriminator = Tag.union_type, None

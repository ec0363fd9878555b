"""Debug information for libNVVM: DWARF 2 has no variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir.debug_info import DICompositeType, DIDerivedType, DISubprogram
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.module import Module

__all__ = ["lower_debug_info"]


_WITH_FILE = frozenset({Tag.class_type, Tag.union_type})


def lower_debug_info(module: Module, losses: Losses) -> None:
    """Let variants be members of a union, and detach subprograms without a unit: libNVVM ends on these."""
    _detach_declared_subprograms(module, losses)
    units, files = module.debug_info.compile_units, module.debug_info.files
    if len({file.source is None for file in files}) > 1:
        for file in files:
            if file.source is not None:
                losses.add(rows.SOURCE, "", str(file.filename))
                file.source = None
    for type_ in module.debug_info.types:
        if isinstance(type_, DICompositeType) and type_.tag in _WITH_FILE and type_.file is None and units:
            losses.add(rows.UNION_FILE, "", str(type_))
            type_.file = units[0].file
        if isinstance(type_, DICompositeType) and type_.tag == Tag.variant_part:
            losses.add(rows.VARIANTS, "", str(type_))
            for member in type_.elements or ():
                if isinstance(member, DIDerivedType):
                    member.extra_data = None
            type_.tag, type_.discriminator = Tag.union_type, None
            type_.file = type_.file or (units[0].file if units else None)


def _detach_declared_subprograms(module: Module, losses: Losses) -> None:
    for function in module.functions:
        subprogram = None if function.is_declaration else function.subprogram
        # Broken modules may have any node there.
        if isinstance(subprogram, DISubprogram) and subprogram.unit is None:
            losses.add(rows.DECLARED_SUBPROGRAM, function.name, str(subprogram))
            del function.metadata["dbg"]

"""Metadata records: the numbers of operands that each version of LLVM accepts, and the records that it does not know.

Rules: older readers reference, section 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import MetadataCode

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["NODE_LENGTHS", "UNKNOWN_NODES"]


def _between(least: int, most: int) -> range:
    return range(least, most + 1)


NODE_LENGTHS: dict[int, tuple[tuple[int, int, Collection[int]], ...]] = {
    MetadataCode.LOCATION: ((4, 7, (5,)), (8, 20, (5, 6)), (21, 22, (5, 6, 8))),
    MetadataCode.SUBRANGE: ((4, 10, (3,)),),
    MetadataCode.ENUMERATOR: ((4, 10, (3,)),),
    MetadataCode.BASIC_TYPE: ((4, 7, (6,)), (8, 19, (6, 7)), (20, 21, (6, 7, 8)), (22, 22, _between(6, 12))),
    MetadataCode.FILE: ((4, 6, (3, 5)), (7, 22, (3, 5, 6))),
    MetadataCode.DERIVED_TYPE: ((4, 13, (12, 13)), (14, 18, (12, 13, 14)), (19, 22, _between(12, 15))),
    MetadataCode.COMPOSITE_TYPE: (
        (4, 6, (16,)),
        (7, 10, (16, 17)),
        (11, 11, (16, 17, 18)),
        (12, 13, _between(16, 21)),
        (14, 19, _between(16, 22)),
        (20, 20, _between(16, 24)),
        (21, 22, _between(16, 26)),
    ),
    MetadataCode.SUBROUTINE_TYPE: ((4, 22, (3, 4)),),
    MetadataCode.COMPILE_UNIT: (
        (4, 4, _between(14, 17)),
        (5, 5, _between(14, 18)),
        (6, 10, _between(14, 19)),
        (11, 21, _between(14, 22)),
        (22, 22, _between(14, 23)),
    ),
    MetadataCode.SUBPROGRAM: ((4, 20, _between(18, 21)), (21, 22, _between(18, 22))),
    MetadataCode.LEXICAL_BLOCK: ((4, 22, (5,)),),
    MetadataCode.LEXICAL_BLOCK_FILE: ((4, 22, (4,)),),
    MetadataCode.NAMESPACE: ((4, 22, (3, 5)),),
    MetadataCode.TEMPLATE_TYPE: ((4, 10, (3,)), (11, 22, (3, 4))),
    MetadataCode.TEMPLATE_VALUE: ((4, 10, (5,)), (11, 22, (5, 6))),
    MetadataCode.GLOBAL_VAR: ((4, 7, (11, 12)), (8, 22, (11, 12, 13))),
    MetadataCode.LOCAL_VAR: ((4, 22, (8, 9, 10)),),
    MetadataCode.OBJC_PROPERTY: ((4, 22, (8,)),),
    MetadataCode.IMPORTED_ENTITY: ((4, 13, (6, 7)), (14, 22, (6, 7, 8))),
    MetadataCode.MODULE: ((4, 10, (6,)), (11, 11, (5, 6, 7, 8)), (12, 22, _between(5, 9))),
    MetadataCode.MACRO: ((4, 22, (5,)),),
    MetadataCode.MACRO_FILE: ((4, 22, (5,)),),
    MetadataCode.GLOBAL_VAR_EXPR: ((4, 22, (3,)),),
    MetadataCode.LABEL: ((7, 20, (5,)), (21, 22, (5, 6, 7))),
    MetadataCode.STRING_TYPE: ((12, 13, (8,)), (14, 22, (8, 9))),
}
"""By record code: the first and the last of some versions, and the numbers of operands that they accept."""

UNKNOWN_NODES: tuple[tuple[MetadataCode, int, str], ...] = (
    (MetadataCode.LABEL, 6, "!DILabel"),
    (MetadataCode.STRING_TYPE, 11, "!DIStringType"),
    (MetadataCode.COMMON_BLOCK, 8, "!DICommonBlock"),
    (MetadataCode.GENERIC_SUBRANGE, 11, "!DIGenericSubrange"),
    (MetadataCode.ARG_LIST, 12, "!DIArgList"),
    (MetadataCode.ASSIGN_ID, 15, "!DIAssignID"),
    (MetadataCode.SUBRANGE_TYPE, 20, "!DISubrangeType"),
    (MetadataCode.FIXED_POINT_TYPE, 20, "!DIFixedPointType"),
)
"""Record codes with the last version that does not know them, and the class of node."""

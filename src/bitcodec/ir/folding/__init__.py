"""Constant folding, as far as no data layout is needed.

Each function returns a constant, or None if the operation does not fold.  Results equal LLVM 22's when it
builds a constant; vectors of more than a few thousand elements do not fold, because bitcode can spell far longer
ones in a few bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.ir.folding.addresses import fold_gep
    from bitcodec.ir.folding.binary import fold_binary, fold_unary
    from bitcodec.ir.folding.casts import fold_cast
    from bitcodec.ir.folding.compare import fold_compare, fold_select
    from bitcodec.ir.folding.vectors import (
        fold_extract_element,
        fold_extract_value,
        fold_insert_element,
        fold_insert_value,
        fold_shuffle_vector,
    )

__all__ = [
    "fold_binary",
    "fold_cast",
    "fold_compare",
    "fold_extract_element",
    "fold_extract_value",
    "fold_gep",
    "fold_insert_element",
    "fold_insert_value",
    "fold_select",
    "fold_shuffle_vector",
    "fold_unary",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "addresses": ["fold_gep"],
        "binary": ["fold_binary", "fold_unary"],
        "casts": ["fold_cast"],
        "compare": ["fold_compare", "fold_select"],
        "vectors": [
            "fold_extract_element",
            "fold_extract_value",
            "fold_insert_element",
            "fold_insert_value",
            "fold_shuffle_vector",
        ],
    },
)

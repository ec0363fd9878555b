"""Words of older LLVMs, and their replacements in LLVM 22."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.attributes import MEMORY_LOCATIONS
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type

__all__ = [
    "OLD_ATTRIBUTES",
    "OLD_CALLING_CONVENTIONS",
    "OLD_LINKAGES",
    "OLD_MEMORY",
    "OLD_TYPES",
]


_LINKAGES = (
    ("linker_private", Linkage.PRIVATE, (3, 4)),
    ("linker_private_weak", Linkage.PRIVATE, (3, 4)),
    ("linker_private_weak_def_auto", Linkage.LINKONCE_ODR, (3, 1)),
    ("linkonce_odr_auto_hide", Linkage.LINKONCE_ODR, (3, 3)),
)
OLD_LINKAGES = {word.encode(): linkage for word, linkage, _ in _LINKAGES}
"""Linkages of those versions.

Bitcode has a number for `linkonce_odr_auto_hide` that LLVM 22 reads as external; text keeps the meaning.
"""

OLD_ATTRIBUTES = {
    b"address_safety": b"sanitize_address",  # until LLVM 3.2
}
"""Attributes of functions that had other names."""

OLD_TYPES: dict[bytes, Callable[[TypeTable], Type]] = {
    b"x86_mmx": lambda types: types.vector(1, types.integer(64)),  # until LLVM 19
}
"""Types that are one word."""

OLD_CALLING_CONVENTIONS = {
    b"webkit_jscc": 12,  # until LLVM 17
    b"x86_64_win64cc": 79,  # until LLVM 4
}
"""Calling conventions that have other names today, or only numbers."""

OLD_MEMORY = (1 << 2 * MEMORY_LOCATIONS.index("target_mem0")) - 1
"""The effects that `memory(...)` can have: up to LLVM 21 no function accesses the memory of a target."""

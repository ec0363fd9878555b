"""Floating-point atomics that AMDGPU could make unsafe by an attribute.

Rules: docs/reference/upgrades.md, 10.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicRMW
from bitcodec.upgrade.attributes import without_unsafe_fp_atomics

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MetadataTable

__all__ = ["upgrade_unsafe_atomics"]

_KINDS = (
    "amdgpu.no.fine.grained.host.memory",
    "amdgpu.no.remote.memory.access",
    "amdgpu.ignore.denormal.mode",
)


def upgrade_unsafe_atomics(function: Function, metadata: MetadataTable) -> None:
    """Mark each atomic operation with the property that the attribute gave to all of them."""
    function.attributes, is_unsafe = without_unsafe_fp_atomics(function.attributes)
    if not is_unsafe:
        return
    for instruction in function.instructions:
        if isinstance(instruction, AtomicRMW) and instruction.operation.is_floating_point:
            nothing = metadata.tuple()
            instruction.metadata.update(dict.fromkeys(_KINDS, nothing))

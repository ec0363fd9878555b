"""Readers that take an older LLVM's bitcode with further rules: each has a profile.

A profile names the version of LLVM that its reader is based on, and lowers a private copy of a module to the IR that
the reader and its code generator accept; the result is written for that version.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.nvvm import NVVM
from bitcodec.downgrade.profiles.spirv import SPIRV_14, SPIRV_15, SPIRV_16

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.downgrade.profiles.profile import Profile

__all__ = ["PROFILES"]

PROFILES: Mapping[str, Profile] = MappingProxyType({each.name: each for each in (NVVM, SPIRV_14, SPIRV_15, SPIRV_16)})
"""By name."""

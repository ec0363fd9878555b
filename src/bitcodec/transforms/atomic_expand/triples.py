"""The vendor, system and environment of a target triple.  Rules: LLVM 22, `Triple` and `computeDataLayout`.

Components count wherever they stand, because LLVM's tools put the missing ones in.
"""

from __future__ import annotations

import re

__all__ = ["has_known_layout", "passes_wide_integers_as_vectors"]

_X86_64 = re.compile(r"(x86_64|amd64)(-|\Z)")
_WINDOWS = re.compile(r"-(windows|win32|mingw|cygwin)")
_SYSTEM = re.compile(r"(linux|none|elf|unknown|(free|open|net)bsd[\d.]*|fuchsia|)\Z")
_ENVIRONMENT = re.compile(r"(|gnu|musl|android\d*|elf|(gnu|musl)?eabi(hf)?|androideabi\d*|unknown)\Z")
_POWERPC = re.compile(r"(powerpc64|ppc64)(?P<little>le)?\Z")


def passes_wide_integers_as_vectors(triple: str) -> bool:
    """Return whether calls pass integers of 16 bytes as two halves of a vector: x86-64 on Windows."""
    return _X86_64.match(triple) is not None and _WINDOWS.search(triple) is not None


def has_known_layout(triple: str) -> bool:
    """Return whether a triple is one of those whose data layout is that of its architecture: those of ELF files."""
    architecture, *rest = triple.split("-", 3)
    places = [tuple(rest[1:])] if len(rest) > 1 else []
    if len(rest) < _MAX_COMPONENTS:  # the vendor may be left out
        places.append(tuple(rest))
    return "apple" not in rest and any(_is_known(architecture, *place) for place in places)


def _is_known(architecture: str, system: str = "", environment: str = "") -> bool:
    if _SYSTEM.match(system) is None or _ENVIRONMENT.match(environment) is None:
        return False
    powerpc = _POWERPC.match(architecture)
    # Elsewhere PowerPC has other alignments, or another way of describing functions.
    return powerpc is None or (system == "linux" and (bool(powerpc["little"]) or not environment.startswith("musl")))


_MAX_COMPONENTS = 3
"""Vendor, system, environment."""

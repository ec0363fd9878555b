"""Major versions of LLVM that parts of bitcodec go by."""

from __future__ import annotations

__all__ = ["MODEL", "NEWEST", "OLDEST"]

OLDEST = 4
"""The oldest version that bitcode is written for, and whose reader is known."""
MODEL = 22
"""The version whose IR the model is, and that bitcode is written for by default."""
NEWEST = 24
"""The newest version whose records are known."""

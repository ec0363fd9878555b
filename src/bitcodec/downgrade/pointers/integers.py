"""Numbers of nodes.

This is the interpreted form; `integers.pyx`, the compiled form, is a list of C integers.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Integers"]


class Integers(list[int]):
    """Numbers of nodes."""

    def __getattr__(self, name: str) -> Any:
        return self if name == "numbers" else len(self)

    def add(self, number: int) -> int:
        """Add a number; return its place."""
        self.append(number)
        return len(self) - 1

    def shorten(self, size: int) -> None:
        """Forget all but so many numbers."""
        del self[size:]

"""Every public function that takes bytes or modules, each as a function of the bytes of a file.

`ENTRY_POINTS` is what harnesses walk.  An entry point returns, or raises a `BitcodecError` (`refuses` names the other
errors that its documentation lists).  It raises AssertionError if a module was written, and cannot be read again.
"""

from __future__ import annotations

from importlib import import_module

from .registry import ENTRY_POINTS, EntryPoint

__all__ = ["ENTRY_POINTS", "EntryPoint"]

# Each adds its own.  Cases are chosen by place, so new entry points belong at the end of the last.
for _part in ("streams", "modules", "features", "changes"):
    import_module(f".{_part}", __name__)

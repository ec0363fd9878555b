"""Imports the compiled modules of a wheel, which are all in one file, `_native`."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

__all__ = ["import_compiled_modules"]


class _CompiledModules:
    """Finds and loads the modules that `_native` contains."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self._names = frozenset(native.names())

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a compiled module, and None for every other one."""
        del path, target
        return ModuleSpec(name, self, origin=self._native.__file__) if name in self._names else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make a module."""
        module: ModuleType = self._native.create(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run a module."""
        self._native.execute(module)


def import_compiled_modules(package: str) -> None:
    """Import modules of a package from its `_native`, if it has one."""
    try:
        native = __import__(f"{package}._native", fromlist=["names"])
    except ModuleNotFoundError:
        return
    # Behind finders of the program's own, as files of compiled modules are.
    place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
    sys.meta_path.insert(place, _CompiledModules(native))

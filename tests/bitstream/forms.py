"""Both forms of the package: with its compiled modules, and all of it interpreted from the same `.py` files.

The interpreted one is a second set of module objects in this process.  It is loaded without Cython, as in an install
that has none.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any

from bitcodec import bitstream

PACKAGE = "bitcodec"
COMPILED_MODULES = ("cursor", "reader", "listing", "tally", "rows", "bitwriter")

_ELSEWHERE = {
    "errors": "bitcodec.errors",
    "remarks": "bitcodec.bitcode.remarks",
    "names_of_llvm": "bitcodec.bitcode.schema.names",
}


class Form:
    """One form of `bitcodec.bitstream`: its names and its modules are attributes.

    What a function imports when called is of this form only while it is `active`.
    """

    def __init__(self, name: str, modules: dict[str, ModuleType | None]) -> None:
        self.name = name
        self._modules = modules

    @contextmanager
    def active(self) -> Iterator[None]:
        """Let imports find the modules of this form."""
        # First, because it looks for the modules where they are now.
        finder = [] if self.name == installed().name else [_SourceOnly]
        others = _taken_out()
        _put_in(self._modules)
        sys.meta_path[:0] = finder
        try:
            yield
        finally:
            del sys.meta_path[: len(finder)]
            self._modules |= _taken_out()
            _put_in(others)

    def __getattr__(self, name: str) -> Any:
        module = self._modules.get(_ELSEWHERE.get(name, f"bitcodec.bitstream.{name}"))
        if module is not None:
            return module
        with self.active():
            return getattr(self._modules["bitcodec.bitstream"], name)

    def __repr__(self) -> str:
        return f"<Form {self.name}>"


@cache
def installed() -> Form:
    """Return the package as it was installed: compiled, where a compiler was."""
    _import_all()
    modules = _taken_out()
    _put_in(modules)
    return Form("compiled" if bitstream.COMPILED else "interpreted", modules)


@cache
def interpreted() -> Form:
    """Return the package with every module loaded from its source."""
    if not bitstream.COMPILED:
        return installed()
    form = Form("interpreted", {"cython": None})
    with form.active():
        _import_all()
    return form


class _SourceOnly:
    """Finds the modules of the package as if no compiled ones lay beside them."""

    @staticmethod
    def find_spec(name: str, path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if not name.startswith("bitcodec.bitstream."):
            return None
        return FileFinder(path[0], (SourceFileLoader, [".py"])).find_spec(name)


def _import_all() -> None:
    package = importlib.import_module("bitcodec.bitstream")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"bitcodec.bitstream.{module.name}")
    for name in _ELSEWHERE.values():
        importlib.import_module(name)


def _put_in(modules: dict[str, ModuleType | None]) -> None:
    """Put modules into the table of modules; None there bars an import."""
    sys.modules.update(modules)  # type: ignore[arg-type]


def _taken_out() -> dict[str, ModuleType | None]:
    """Take the package's modules, and Cython's, out of the table of modules."""
    names = [name for name in sys.modules if name.split(".")[0] in (PACKAGE, "cython")]
    return {name: sys.modules.pop(name) for name in names}

"""Both forms of the package: with its compiled modules, and all of it interpreted from the same `.py` files.

The interpreted one is a second set of module objects in this process.  It is loaded without Cython, as in an install
that has none, so it also proves the stand-in for it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any

from bitcodec import bitstream

PACKAGE = "bitcodec"
COMPILED_MODULES = ("cursor", "reader", "listing", "tally", "bitwriter")


class Form:
    """One form: `form.cursor` is its module `bitcodec.bitstream.cursor`."""

    def __init__(self, name: str, modules: Mapping[str, ModuleType]) -> None:
        self.name = name
        self.bitstream: Any = modules["bitcodec.bitstream"]
        self.errors: Any = modules["bitcodec.errors"]
        self.remarks: Any = modules["bitcodec.bitcode.remarks"]
        self.names: Any = modules["bitcodec.bitcode.schema.names"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bitstream, name)

    def __repr__(self) -> str:
        return f"<Form {self.name}>"


_ENTRANCES = (
    "bitcodec.bitstream",
    "bitcodec.bitstream.dump",
    "bitcodec.bitstream.analyzer",
    "bitcodec.bitstream.statistics",
    "bitcodec.bitcode.remarks",
    "bitcodec.bitcode.schema.names",
)


def _import_all() -> dict[str, ModuleType]:
    for name in _ENTRANCES:
        importlib.import_module(name)
    return {name: module for name, module in sys.modules.items() if name.split(".")[0] == PACKAGE}


@cache
def installed() -> Form:
    """Return the package as it was installed: compiled, where a compiler was."""
    return Form("compiled" if bitstream.COMPILED else "interpreted", _import_all())


@cache
def interpreted() -> Form:
    """Return the package with every module loaded from its source."""
    with _fresh_modules():
        return Form("interpreted", _import_all())


class _SourceOnly:
    """Finds the modules of the package as if no compiled ones lay beside them."""

    @staticmethod
    def find_spec(name: str, path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if not name.startswith("bitcodec.bitstream."):
            return None
        return FileFinder(path[0], (SourceFileLoader, [".py"])).find_spec(name)


@contextmanager
def _fresh_modules() -> Iterator[None]:
    """Let imports make new modules of the package, without Cython; afterwards all is as it was."""
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] in (PACKAGE, "cython")}
    for name in before:
        del sys.modules[name]
    sys.modules["cython"] = None  # type: ignore[assignment]
    sys.meta_path.insert(0, _SourceOnly)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.meta_path.remove(_SourceOnly)  # type: ignore[arg-type]
        for name in [name for name in sys.modules if name.split(".")[0] in (PACKAGE, "cython")]:
            del sys.modules[name]
        sys.modules.update(before)

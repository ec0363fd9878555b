"""Names of packages that are imported when they are first used (PEP 562): a command imports only what it runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["names_on_demand"]

_IMPORTED_BY_PACKAGES = {"TYPE_CHECKING", "annotations", "names_on_demand"}
"""Names that packages need themselves."""


def names_on_demand(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package, for the names that it does not import itself.

    Type checkers need the same names imported under `TYPE_CHECKING`; a name in `__all__` is part of `import *`.

    Args:
        package: its name.
        homes: the names that each module of the package defines; a module is named without the package.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        """Import a name when it is first used.

        Raises:
            AttributeError: the package has no such name.
        """
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - few programs need it otherwise

        found: object = getattr(import_module(f"{package}.{home}"), name)
        setattr(sys.modules[package], name, found)
        return found

    def list_names() -> list[str]:
        """Return all names of the package, imported or not, as `dir` and `help` show them."""
        return sorted({*vars(sys.modules[package]), *home_of} - _IMPORTED_BY_PACKAGES)

    return load, list_names

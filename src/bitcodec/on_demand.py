"""Names of packages that are imported when they are first used (PEP 562): a command imports only what it runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["names_on_demand"]


def names_on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package, for the names that it does not import itself.

    Type checkers need the same names imported under `TYPE_CHECKING`; a name in `__all__` is part of `import *`.

    Args:
        package: its name.
        homes: the module that defines each name; `module:original` if the name is another there.
    """

    def load(name: str) -> object:
        """Import a name when it is first used.

        Raises:
            AttributeError: the package has no such name.
        """
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - few programs need it otherwise

        module, _, original = home.partition(":")
        found: object = getattr(import_module(module), original or name)
        setattr(sys.modules[package], name, found)
        return found

    return load

"""Features: functions and classes that modules further up define, by name.  They are imported when they are first used.

The core of the model knows a feature by its name alone: folding of constants, module flags, saving.  So a module of the
core imports other modules of the core and what is below it, and a feature can be added without a change there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["feature", "register"]

_homes: dict[str, str] = {}
_found: dict[str, Any] = {}


def register(package: str, homes: Mapping[str, Sequence[str]]) -> None:
    """Let `feature` find functions and classes.

    Args:
        package: name of the package that contains the modules.
        homes: names by the module that defines them; a module is named without the package.
    """
    for home, names in homes.items():
        _homes.update(dict.fromkeys(names, f"{package}.{home}"))


def feature(name: str) -> Any:
    """Return the function or class of a name; its module is imported when the first one is needed."""
    found = _found.get(name)
    if found is None:
        found = _found[name] = getattr(import_module(_homes[name]), name)
    return found

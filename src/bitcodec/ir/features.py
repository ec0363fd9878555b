"""Features of the model: what modules above its core add to it.  They are imported when they are first used.

The core knows a feature by its name alone: folding of constants, module flags, PC sections.  So a module of the core
imports other modules of the core and what is below it, and a feature can be added without a change there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["feature", "register"]

_homes: dict[str, str] = {}
_found: dict[str, Any] = {}


def register(homes: Mapping[str, Sequence[str]]) -> None:
    """Let `feature` find functions and classes.

    Args:
        homes: names by the module that defines them.
    """
    for home, names in homes.items():
        _homes.update(dict.fromkeys(names, home))


def feature(name: str) -> Any:
    """Return the function or class of a name; its module is imported when the first one is needed."""
    found = _found.get(name)
    if found is None:
        found = _found[name] = getattr(import_module(_homes[name]), name)
    return found

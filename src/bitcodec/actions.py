"""Actions on modules that packages above the model perform; they are loaded on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["action", "find_actions_in"]


def find_actions_in(package: str) -> None:
    """Set the package whose functions `action` returns."""
    _packages[:] = [package]


def action(name: str) -> Callable[..., Any]:
    """Return the function of a name: "dumps", "loads", "save" or "verify"."""
    found: Callable[..., Any] = getattr(import_module(_packages[0]), name)
    return found


_packages: list[str] = []

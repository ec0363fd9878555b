"""Functions that the user names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["function_named", "no_function"]

_MOST_SUGGESTIONS = 3


def function_named(module: Module, name: str) -> Function | None:
    """Return the function of a name, which may have an `@` in front; None if there is none."""
    functions = module.functions
    return functions.get(name) or functions.get(name.removeprefix("@"))


def no_function(name: str, modules: Iterable[Module]) -> str:
    """Return what to say when no module has a function of a name, and which names are like it."""
    import difflib  # noqa: PLC0415 - only for errors

    names = {function.name for module in modules for function in module.functions}
    similar = difflib.get_close_matches(name, names, _MOST_SUGGESTIONS) or [each for each in names if name in each]
    suggestion = f"; did you mean {' or '.join(sorted(similar)[:_MOST_SUGGESTIONS])}?" if similar else ""
    return f"there is no function {name}{suggestion}"

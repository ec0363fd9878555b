"""Functions that the user names: by name, demangled name or pattern."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.names import Names
from bitcodec.cli.problems import reported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.global_lists import Globals
    from bitcodec.ir.module import Module

__all__ = ["functions_named", "functions_with_names", "no_function"]

_MAX_SUGGESTIONS = 3
_GLOB_CHARACTERS = frozenset("*?[")
_HASH = r"::h[0-9a-f]{16}$"
"""Hash that legacy mangling of Rust appends to a name."""
_OPENING, _CLOSING = "(<[{", ")>]}"


def functions_named(module: Module, name: str) -> list[Function]:
    """Return the functions that the user means by a name, none if the name is unknown.

    A function has its name, with or without an `@` in front; else its demangled name, of which the parameters may be
    left out; else a name that a glob pattern describes.
    """
    functions = _functions(module)
    found = functions.get(name) or functions.get(name.removeprefix("@"))
    if found is not None:
        return [found]
    demangled = functions_with_names(module, lambda each: name in _short_forms(each), only_demangled=True)
    if demangled or not _GLOB_CHARACTERS & set(name):
        return demangled
    from fnmatch import fnmatchcase  # noqa: PLC0415 - only for patterns

    return functions_with_names(module, lambda each: fnmatchcase(each, name))


def functions_with_names(
    module: Module, matches: Callable[[str], object], *, only_demangled: bool = False
) -> list[Function]:
    """Return the functions whose name, or demangled name where names can be demangled, has a property.

    Args:
        module: the module.
        matches: called with names.
        only_demangled: whether only demangled names count.
    """
    from bitcodec.symbols.demangling import demangle, has_demangler  # noqa: PLC0415 - only if no function has the name

    can_demangle = has_demangler()

    def names(function: Function) -> Iterator[str]:
        if not only_demangled:
            yield function.name
        demangled = demangle(function.name) if can_demangle else None
        if demangled is not None:
            yield demangled

    return [function for function in _functions(module) if any(map(matches, names(function)))]


def _functions(module: Module) -> Globals[Function]:
    """Return the functions of a module, where some commands read its declarations first.

    Raises:
        Failure: a record that declarations are upgraded by is malformed.
    """
    with reported(module.identifier, Names(LLVM_IR_NAMES)):
        return module.functions


def no_function(name: str, modules: Iterable[Module]) -> str:
    """Return the message for a name that no function of some modules has; it suggests names that are like it."""
    import difflib  # noqa: PLC0415 - only for errors

    from bitcodec.symbols.demangling import MissingDemanglerError, has_demangler  # noqa: PLC0415

    names = {function.name for module in modules for function in module.functions}
    similar = difflib.get_close_matches(name, names, _MAX_SUGGESTIONS) or [each for each in names if name in each]
    suggestion = f"; did you mean {' or '.join(sorted(similar)[:_MAX_SUGGESTIONS])}?" if similar else ""
    if ("::" in name or "(" in name) and not has_demangler():
        suggestion += f"; {MissingDemanglerError()}"
    return f"no function {name}{suggestion}"


def _short_forms(name: str) -> set[str]:
    """Return a demangled name, and the forms that leave parameters, the return type or a hash out."""
    forms = {name, re.sub(_HASH, "", name)}
    head = _without_last(name, "(")
    if head != name:
        # Templates have their return type in front: `int ns::max<int>(int, int)`.
        forms |= {head, _last_word(head), _last_word(_without_last(head, "<"))}
    return forms


def _without_last(name: str, opening: str) -> str:
    """Return a demangled name up to its last brackets of a kind that nothing is around: parameters, or arguments."""
    depth, end = 0, len(name)
    for index in range(len(name) - 1, -1, -1):
        if name[index] in _CLOSING:
            depth += 1
        elif name[index] in _OPENING:
            depth -= 1
            if depth == 0 and name[index] == opening:
                end = index
                break
    return name[:end]


def _last_word(name: str) -> str:
    """Return the part of a name behind the last space that no bracket is around."""
    depth = 0
    for index in range(len(name) - 1, -1, -1):
        if name[index] in _CLOSING:
            depth += 1
        elif name[index] in _OPENING:
            depth -= 1
        elif name[index] == " " and depth == 0:
            return name[index + 1 :]
    return name

"""`bitcodec extract-function`: some functions as a separate module, or a module without them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.functions import functions_named, functions_with_names, no_function
from bitcodec.cli.outputs import output_option
from bitcodec.cli.problems import Failure, UsageError
from bitcodec.cli.rewriting import Opened, only_module, save

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.functions import Function
    from bitcodec.ir.global_lists import Globals

__all__ = ["extract_function"]


@command(name="extract-function", short_help="Extract functions into a module, like llvm-extract.")
@argument("file")
@argument("names", metavar="[NAME]...", nargs=-1)
@output_option
@option(
    "--glob",
    "globs",
    multiple=True,
    metavar="PATTERN",
    help="Functions whose name matches a pattern such as parse_*; repeatable.",
)
@option(
    "--regex",
    "regexes",
    multiple=True,
    metavar="REGEX",
    help="Functions whose name contains a match of a Python regular expression; repeatable.",
)
@option("--variable", "variables", multiple=True, metavar="NAME", help="A global variable as well; repeatable.")
@option(
    "--variable-regex",
    "variable_regexes",
    multiple=True,
    metavar="REGEX",
    help="Global variables whose name contains a match; repeatable.",
)
@option("--alias", "aliases", multiple=True, metavar="NAME", help="An alias as well; repeatable.")
@option(
    "--alias-regex",
    "alias_regexes",
    multiple=True,
    metavar="REGEX",
    help="Aliases whose name contains a match; repeatable.",
)
@option("--keep-const-init", is_flag=True, help="Keep the initializers of all constants.")
@option("-r", "--recursive", is_flag=True, help="Include the functions that they call, directly or indirectly.")
@option("--delete", is_flag=True, help="Extract everything except these functions, which become declarations.")
def extract_function(
    file: str,
    names: tuple[str, ...],
    output: str,
    globs: tuple[str, ...],
    regexes: tuple[str, ...],
    variables: tuple[str, ...],
    variable_regexes: tuple[str, ...],
    aliases: tuple[str, ...],
    alias_regexes: tuple[str, ...],
    *,
    keep_const_init: bool,
    recursive: bool,
    delete: bool,
) -> None:
    """Write a module that contains only some functions of FILE, as llvm-extract of LLVM 22 does.

    Other functions and variables that they use become declarations; internal ones become external and hidden.  Other
    aliases and ifuncs become declarations, and module-level assembly is removed.  A wrapped file stays wrapped.

    Patterns match the functions that FILE defines.  Names and patterns may be demangled names of C++ and
    Rust, for which the extra `demangle` is needed; a name without parameters matches all overloads.

    \b
    Examples:
      bitcodec extract-function module.bc main -o main.bc
      bitcodec extract-function -r module.bc parse emit -o part.bc
      bitcodec extract-function module.bc --glob 'parse_*' --regex '^emit[0-9]' -o part.bc
      bitcodec extract-function module.bc --delete --glob 'test_*' -o rest.bc
      bitcodec extract-function module.bc --variable table --alias table_v1 -o table.bc
      bitcodec extract-function module.bc main -o - | llvm-dis
    """
    if not (names or globs or regexes or variables or variable_regexes or aliases or alias_regexes):
        raise UsageError("no function is named: give a NAME, --glob or --regex")
    if keep_const_init and delete:
        raise UsageError("--delete keeps the initializers anyway: leave out --keep-const-init")
    patterns = [*map(_glob, globs), *map(_regex, regexes)]
    opened = only_module(file)
    chosen = {function.name for name in names for function in _definitions_named(opened, name)}
    chosen |= {function.name for pattern in patterns for function in _definitions_like(opened, pattern)}
    from bitcodec.transforms import delete_functions, extract_functions  # noqa: PLC0415 - errors need not wait for it

    module = opened.module
    in_order = [function.name for function in module.functions if function.name in chosen]
    others = {
        "variables": _globals_named(opened, module.global_variables, "variable", variables, variable_regexes),
        "aliases": _globals_named(opened, module.aliases, "alias", aliases, alias_regexes),
    }
    if delete:
        delete_functions(module, in_order, recursive=recursive, **others)
    else:
        extract_functions(module, in_order, recursive=recursive, keeps_constants=keep_const_init, **others)
    save(opened, output)


def _globals_named(
    opened: Opened, table: Globals[Any], what: str, names: tuple[str, ...], regexes: tuple[str, ...]
) -> list[str]:
    """Return the names of globals of a kind.

    Raises:
        Failure: a name is unknown, or a pattern matches nothing.
    """
    for name in names:
        if table.get(name) is None:
            raise Failure(f"{opened.file}: {what} {name} not found")
    found = dict.fromkeys(names)
    for text in regexes:
        pattern = _regex(text)
        matching = [one.name for one in table if pattern.search(one.name)]
        if not matching:
            raise Failure(f"{opened.file}: no {what} matches the pattern {text}")
        found |= dict.fromkeys(matching)
    return [*found]


def _glob(pattern: str) -> re.Pattern[str]:
    from fnmatch import translate  # noqa: PLC0415 - only for patterns

    return re.compile(translate(pattern))


def _regex(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(f"--regex {text}: {error}") from error


def _definitions_named(opened: Opened, name: str) -> list[Function]:
    """Return the functions of a name that are defined.

    Raises:
        Failure: none was found.
    """
    found = functions_named(opened.module, name)
    if not found:
        raise Failure(f"{opened.file}: {no_function(name, [opened.module])}")
    defined = _defined(found)
    if not defined:
        raise Failure(f"{opened.file}: the function {found[0].name} is only declared there")
    return defined


def _definitions_like(opened: Opened, pattern: re.Pattern[str]) -> list[Function]:
    """Return the functions that are defined and that a pattern describes.

    Raises:
        Failure: none was found.
    """
    defined = _defined(functions_with_names(opened.module, pattern.search))
    if not defined:
        raise Failure(f"{opened.file}: no function that is defined there matches the pattern")
    return defined


def _defined(functions: Iterable[Function]) -> list[Function]:
    return [function for function in functions if not function.is_declaration]

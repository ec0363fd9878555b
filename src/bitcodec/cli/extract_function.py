"""`bitcodec extract-function`: a few functions as a module of their own."""

from __future__ import annotations

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.functions import function_named, no_function
from bitcodec.cli.outputs import output_option
from bitcodec.cli.problems import Failure
from bitcodec.cli.rewriting import Opened, only_module, save

__all__ = ["extract_function"]


@command(name="extract-function", short_help="A few functions as a module of their own.")
@argument("file")
@argument("names", metavar="NAME...", nargs=-1, required=True)
@output_option
@option("-r", "--recursive", is_flag=True, help="Keep the functions, too, that they call, and those call.")
def extract_function(file: str, names: tuple[str, ...], output: str, *, recursive: bool) -> None:
    """Write a module with nothing but some functions of the one in FILE, as llvm-extract of LLVM 22 does.

    What they use of the rest is declared: internal functions and variables become external and hidden.  Aliases and
    ifuncs become declarations, assembly text beside the IR goes.  What came in a wrapper is written in one.

    \b
    Examples:
      bitcodec extract-function module.bc main -o main.bc
      bitcodec extract-function -r module.bc parse emit -o part.bc
      bitcodec extract-function module.bc main -o - | llvm-dis
    """
    opened = only_module(file)
    chosen = [_definition(opened, name) for name in names]
    from bitcodec.transforms import extract_functions  # noqa: PLC0415 - errors need not wait for it

    extract_functions(opened.module, chosen, recursive=recursive)
    save(opened, output)


def _definition(opened: Opened, name: str) -> str:
    """Return the name of a function that is defined; it may have been given with an `@` in front.

    Raises:
        Failure: there is none.
    """
    function = function_named(opened.module, name)
    if function is None:
        raise Failure(f"{opened.file}: {no_function(name, [opened.module])}")
    if function.is_declaration:
        raise Failure(f"{opened.file}: the function {function.name} is only declared there")
    return function.name

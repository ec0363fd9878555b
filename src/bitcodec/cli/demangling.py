"""The option `--demangle` of commands that show names."""

from __future__ import annotations

from bitcodec.cli.declaring import option
from bitcodec.cli.problems import Failure
from bitcodec.errors import BitcodecError

__all__ = ["demangle_option", "demangled", "require_demangler"]

demangle_option = option("-C", "--demangle", is_flag=True, help="Show the demangled names of C++ and Rust.")


def require_demangler(*, is_wanted: bool) -> None:
    """Check that names can be demangled, before anything is read.

    Raises:
        Failure: the library for it is not installed.
    """
    if is_wanted:
        from bitcodec.symbols import demangling  # noqa: PLC0415 - only on request, here and below

        try:
            demangling.require_demangler()
        except BitcodecError as error:
            raise Failure(str(error)) from error


def demangled(name: str) -> str:
    """Return the demangled form of a name, or the name if it is not mangled."""
    from bitcodec.symbols.demangling import demangle  # noqa: PLC0415

    found = demangle(name)
    return name if found is None else found

"""Demangled names: Itanium C++, Rust (v0 and legacy) and Microsoft C++.

The demanglers are LLVM's, in the library pycxxfilt, which the extra `demangle` installs.

>>> from bitcodec.symbols.demangling import demangle
>>> demangle("_ZN5queue4pushEi"), demangle("main")
('queue::push(int)', None)
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MissingDemanglerError", "demangle", "has_demangler", "is_mangled", "require_demangler"]

_ITANIUM = ("_Z", "___Z")
_RUST = "_R"
_MICROSOFT = "?"
_VERBATIM = "\x01"
"""Prefix of a name in LLVM IR that the object file has unchanged, without a prefix of the target."""


class MissingDemanglerError(BitcodecError):
    """The library that demangles names is not installed."""

    def __init__(self) -> None:
        super().__init__("demangled names need the library pycxxfilt: pip install 'bitcodec[demangle]'")


def has_demangler() -> bool:
    """Return whether the library that demangles names is installed."""
    return _demanglers() is not None


def require_demangler() -> None:
    """Check that the library for demangling names is installed.

    Raises:
        MissingDemanglerError: it is not installed.
    """
    if not has_demangler():
        raise MissingDemanglerError


def is_mangled(name: str) -> bool:
    """Return whether a name begins as mangled names do."""
    plain = name.removeprefix(_VERBATIM).removeprefix(".")
    return plain.startswith((*_ITANIUM, _RUST, _MICROSOFT, f"_{_ITANIUM[0]}", f"_{_RUST}"))


def demangle(name: str) -> str | None:
    """Return the demangled form of a name in LLVM IR or an object file, None if it is not mangled.

    As in `llvm-nm -C`, the name may have a dot in front (XCOFF, ELFv1 of PowerPC) or an underscore (Mach-O).

    Raises:
        MissingDemanglerError: the library that demangles names is not installed.
    """
    if not is_mangled(name):
        return None
    name = name.removeprefix(_VERBATIM)
    found = _demangle_dotted(name)
    if found is None and name.startswith("_"):
        found = _demangle_dotted(name[1:])
    return found


def _demangle_dotted(name: str) -> str | None:
    dot = "." if name.startswith(".") else ""
    found = _demangle_plain(name.removeprefix(dot))
    return None if found is None else dot + found


def _demangle_plain(name: str) -> str | None:
    demanglers = _demanglers()
    if demanglers is None:
        raise MissingDemanglerError
    for prefixes, function in demanglers:
        if name.startswith(prefixes):
            try:
                return function(name)
            except ValueError:  # not mangled after all, or not UTF-8
                return None
    return None


@cache
def _demanglers() -> tuple[tuple[tuple[str, ...], Callable[[str], str | None]], ...] | None:
    """Return the prefixes of each mangling scheme, and its demangler."""
    try:
        import pycxxfilt  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    return (
        (_ITANIUM, pycxxfilt.itanium_demangle),
        ((_RUST,), pycxxfilt.rust_demangle),
        ((_MICROSOFT,), pycxxfilt.msvc_demangle),
    )

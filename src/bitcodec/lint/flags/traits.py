"""Properties of a module, apart from its flags, that decide how linkers merge these or whether they are true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.present import every_name, unread_symbols
from bitcodec.ir.summary import FunctionSummary
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import Visibility

if TYPE_CHECKING:
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.sources import SymbolRow
    from bitcodec.ir.summary import ModuleSummaryIndex

__all__ = ["Traits", "is_for_thin_lto", "tests_types", "traits_of", "unit_of"]

_FULL = "ThinLTO"
"""The flag that is 0 for full LTO."""
_TYPE_TESTS = frozenset({"llvm.type.test", "llvm.type.checked.load", "llvm.type.checked.load.relative"})
_NOT_ELF = ("windows", "apple", "darwin", "macos", "-ios", "wasm", "-aix", "-zos", "uefi", "cygwin", "amdgcn", "amdgpu",
            "nvptx", "spir", "dxil", "xcoff", "coff", "macho")  # fmt: skip
"""Parts of triples of targets without symbols that another shared object may replace."""


class Traits(NamedTuple):
    """Properties of a module.

    Attributes:
        is_thin: whether linkers compile it by itself, for ThinLTO.
        tests_types: whether it contains type tests.
        is_part: whether it is the second module of a file for ThinLTO that -fsplit-lto-unit splits: virtual tables,
            for full LTO.
        is_static: whether it is marked as position-independent, but accesses undefined symbols directly.
    """

    is_thin: bool
    tests_types: bool
    is_part: bool
    is_static: bool


def traits_of(module: Module, first: tuple[str, str] | None) -> Traits:
    """Return the properties of a module.

    Args:
        module: the module.
        first: `unit_of` the module before it, if that is for ThinLTO and split.

    Raises:
        BitcodecError: metadata or summaries of the module are malformed.
    """
    is_thin = is_for_thin_lto(module)
    return Traits(is_thin, tests_types(module), not is_thin and unit_of(module) == first, _is_static(module))


def unit_of(module: Module) -> tuple[str, str]:
    """Return the common identity of both modules that -fsplit-lto-unit makes of a file: its name and source file."""
    return module.identifier, module.source_filename


def is_for_thin_lto(module: Module) -> bool:
    """Return whether linkers compile a module by itself."""
    return module.summary is not None and module.flags.integer(_FULL) != 0


def tests_types(module: Module) -> bool:
    """Return whether a module contains type tests that need consistent splitting of LTO units."""
    summary = module.summary
    if summary is not None and is_for_thin_lto(module):
        return _has_type_tests(summary)
    return not _TYPE_TESTS.isdisjoint(every_name(module))


def _has_type_tests(summary: ModuleSummaryIndex) -> bool:
    """Return whether functions contain type tests, or virtual calls that depend on types."""
    functions = (each for value in summary.values.values() for each in value.summaries)
    ids = (each.type_ids for each in functions if isinstance(each, FunctionSummary) and each.type_ids is not None)
    return any(map(any, ids))


def _is_static(module: Module) -> bool:
    """Return whether the flags promise code for a shared library that the declarations contradict.

    clang makes declarations `dso_local` under -fno-pic: their addresses are then constants of the program.  Under
    -fPIC, no declaration of default visibility is.  -fPIE is between the two.
    """
    flags = module.flags
    if not flags.integer("PIC Level") or "PIE Level" in flags or any(part in module.target_triple for part in _NOT_ELF):
        return False
    symbols = unread_symbols(module)
    return any(map(_is_accessed_directly, module.globals if symbols is None else symbols.rows))


def _is_accessed_directly(declared: GlobalValue | SymbolRow) -> bool:
    return (
        declared.is_dso_local
        and declared.is_declaration
        and declared.visibility is Visibility.DEFAULT
        and not declared.name.startswith("llvm.")
    )

"""Predicted treatment of module flags by LLD and `llvm-lto2` under `-flto=thin`, and with mixed kinds of LTO.

Regular modules are linked into one, as `llvm-link` does.  Each ThinLTO module is compiled by itself: its flags are
merged with those of each module that it imports from, so that a conflict stops the link only where a function crosses.
Observed with LLD 22 and `llvm-lto2` 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.merging import merge
from bitcodec.lint.flags.importing import import_sources
from bitcodec.lint.flags.predicting import Message, Prediction, messages_of
from bitcodec.lint.flags.traits import is_for_thin_lto, tests_types
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.summaries import IndexFlags

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.ir.module_flags import ModuleFlags
    from bitcodec.ir.summary import ModuleSummaryIndex

__all__ = ["LTOInput", "lld", "lto_input"]

_NAME = "ld.lld, ThinLTO"
_COMBINED = "ld-temp.o"
"""LLD's name for the module that regular modules are linked into."""
_UNIFIED = "unified LTO compilation must use compatible bitcode modules (use -funified-lto)"
_SPLIT = "inconsistent LTO Unit splitting (recompile with -fsplit-lto-unit)"
_IMPORT = "Function Import: link error: "


class LTOInput(NamedTuple):
    """A module as the linker reads it.

    Attributes:
        flags: its module flags, of a module that has nothing else.
        summary: its summaries, None without any.
        is_thin: whether it is compiled by itself.
        is_split, is_unified: whether it was compiled with -fsplit-lto-unit, with -funified-lto.
        tests_types: whether it contains type tests that need consistent splitting.
        profile: equal for modules with the same flags.
    """

    flags: ModuleFlags
    summary: ModuleSummaryIndex | None
    is_thin: bool
    is_split: bool
    is_unified: bool
    tests_types: bool
    profile: Hashable

    @property
    def name(self) -> str:
        """Its name."""
        return self.flags.module.identifier


def lto_input(module: Module, name: str, profile: Hashable) -> LTOInput:
    """Return the linker's view of a module; the module may be closed afterwards.

    Raises:
        BitcodecError: metadata or summaries of the module are malformed.
    """
    summary, flags = module.summary, module.flags
    is_thin = is_for_thin_lto(module)
    if summary is None:  # the linker reads flags of the summary; a module without has them only if it is part of a file
        is_split, is_unified = flags.integer("EnableSplitLTOUnit") == 1, flags.integer("UnifiedLTO") == 1
    else:
        is_split = IndexFlags.ENABLE_SPLIT_LTO_UNIT in summary.flags
        is_unified = IndexFlags.UNIFIED_LTO in summary.flags
    tests = tests_types(module)
    return LTOInput(merge(flags, linked=name).flags, summary, is_thin, is_split, is_unified, tests, profile)


def lld(inputs: Sequence[LTOInput]) -> Prediction:
    """Return LLD's messages if it keeps every symbol; messages about ThinLTO modules may be in another order."""
    messages: list[Message] = []
    for phase in (_of_kinds(inputs), _of_regular(inputs), _of_splitting(inputs), _of_thin(inputs)):
        messages += phase
        if any(message.is_error for message in messages):
            break
    return Prediction(_NAME, tuple(messages))


def _of_kinds(inputs: Sequence[LTOInput]) -> Iterator[Message]:
    """Yield a message if a module without unified LTO follows one with it."""
    is_unified = False
    for each in inputs:
        if is_unified and not each.is_unified:
            yield Message(_UNIFIED, is_error=True)
            return
        is_unified |= each.is_unified


def _of_splitting(inputs: Sequence[LTOInput]) -> Iterator[Message]:
    if len({each.is_split for each in inputs}) > 1 and any(each.tests_types for each in inputs):
        yield Message(_SPLIT, is_error=True)


def _of_thin(inputs: Sequence[LTOInput]) -> Iterator[Message]:
    """Yield messages about all ThinLTO modules: one that fails does not stop the others."""
    thin = [each for each in inputs if each.is_thin]
    sources = import_sources([each.summary for each in thin if each.summary is not None])
    for importer, numbers in zip(thin, sources, strict=True):
        yield from _of_imports(importer, [thin[number] for number in numbers])


def _of_regular(inputs: Sequence[LTOInput]) -> Iterator[Message]:
    """Yield messages about modules that are linked into one: first those without summaries."""
    regular = [each for each in inputs if not each.is_thin]
    regular.sort(key=lambda each: each.summary is not None)
    yield from messages_of(merge(*(each.flags for each in regular), linked=_COMBINED))


def _of_imports(importer: LTOInput, sources: list[LTOInput]) -> Iterator[Message]:
    """Yield messages about a module and the modules that it imports from, which LLVM visits by name."""
    if all(each.profile == importer.profile for each in sources):
        return
    sources.sort(key=lambda each: each.name)
    for message in messages_of(merge(importer.flags, *(each.flags for each in sources), linked=importer.name)):
        yield message._replace(text=f"{_IMPORT}{message.text}") if message.is_error else message

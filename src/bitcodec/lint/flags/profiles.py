"""Inputs of a link grouped by equal module flags, so that rules check each group once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.flags.linting import lint
from bitcodec.flags.merging import merge
from bitcodec.flags.surveying import detached_flag, flag_content
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.metadata import MDString, NamedMetadata, constant_integer
from bitcodec.ir.module import Module
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bitcodec.flags.linting import FlagDoubt
    from bitcodec.ir.context import Context
    from bitcodec.ir.module_flags import FlagProblem, ModuleFlag, ModuleFlags
    from bitcodec.lint.flags.traits import Traits

__all__ = ["BuildProfile", "compilers_of", "idents_of", "profile_key"]

_IDENT = "llvm.ident"
_LLVM = re.compile(r"\bLLVM ?(\d+)|\bclang version (\d+)")
_COMPILERS = re.compile(r"\b(clang|rustc|flang|swiftc|zig)\b|\b(Swift)\b")
_SUFFIXES = {".rs": "rustc", ".swift": "swiftc", ".zig": "zig", ".f90": "flang"}
_LONGEST = 80
"""Characters of the name of a compiler."""


class BuildProfile:
    """Inputs with the same flags, made by the same compiler for the same target.

    Attributes:
        compilers: the names of the compilers, as the table of known flags has them; empty if unknown.
        producer: the compiler as it calls itself, "" if unknown.
        llvm: version of LLVM that it contains, None if unknown.
        triple: the target.
        is_thin: whether linkers compile the modules by themselves, for ThinLTO.
        tests_types: whether they contain type tests of whole-program optimization or CFI.
        is_part: whether they are parts of files for ThinLTO; their flag for full LTO is then ignored.
        is_static: whether they are marked as position-independent, but access undefined symbols directly.
        is_empty: whether the modules have neither flags nor code, as combined summaries have.
        flags: by key; they keep nothing of their module alive.
        requirements: flags that require something of others.
        problems: violations of the rules of LLVM's verifier.
        doubts: violations of the conventions of known flags.
        inputs: names, in order.
        alike: flags that merge like the flags of each module, in the context of the linter; None if some of them
            depend on the module.
    """

    __slots__ = (
        "alike",
        "compilers",
        "doubts",
        "flags",
        "inputs",
        "is_empty",
        "is_part",
        "is_static",
        "is_thin",
        "llvm",
        "problems",
        "producer",
        "requirements",
        "tests_types",
        "triple",
    )

    def __init__(
        self, module: Module, flags: ModuleFlags, idents: tuple[str, ...], traits: Traits, context: Context
    ) -> None:
        self.is_thin, self.tests_types, self.is_part, self.is_static = traits
        self.llvm = _llvm_of(module, idents)
        self.compilers = compilers_of(module, idents)
        self.producer = (idents[0] if idents else module.producer)[:_LONGEST]
        self.triple = module.target_triple
        self.is_empty = not (flags.is_present or idents or any(module.globals))
        today = merge(flags).flags  # modules that were built in memory may have flags of older LLVM
        self.flags: dict[str, ModuleFlag] = {key: detached_flag(flag, context) for key, flag in today.items()}
        if self.is_part:
            self.flags.pop("ThinLTO", None)
        self.requirements = tuple(detached_flag(flag, context) for flag in today.requirements)
        self.problems: list[FlagProblem] = flags.check(is_linked=False)
        self.doubts: list[FlagDoubt] = lint(flags)
        self.inputs: list[str] = []
        self.alike = _alike(flags, context)


def _llvm_of(module: Module, idents: tuple[str, ...]) -> int | None:
    """Return the version of LLVM in a compiler; modules that were text have only the compiler's name."""
    found = next(filter(None, map(_LLVM.search, (module.producer, *idents))), None)
    return None if found is None else int(found[1] or found[2])


def _alike(flags: ModuleFlags, context: Context) -> ModuleFlags | None:
    """Return the same flags in another context, None if values of one key of `profile_key` may differ."""
    entries = flags.entries.values()
    if not flags.is_present or len(entries) < len(flags.nodes):
        return None
    if not all(isinstance(each.value, MDString) or constant_integer(each.value) for each in entries):
        return None
    module = Module(flags.module.identifier, DataLayout(""), context)
    nodes = [detached_flag(each, context).node for each in entries]
    module.named_metadata[MODULE_FLAGS] = NamedMetadata(MODULE_FLAGS, nodes)
    return module.flags


def profile_key(module: Module, flags: ModuleFlags, idents: tuple[str, ...], traits: Traits) -> Hashable:
    """Return a key that modules of one profile share."""
    said = tuple((flag.behavior, flag.key, _content(flag)) for flag in flags.entries.values())
    return idents, module.producer, module.target_triple, traits, flags.is_present, len(flags.nodes), said


def _content(flag: ModuleFlag) -> Hashable:
    wanted = flag.requirement
    if wanted is None:
        return flag_content(flag)
    return wanted.key, flag_content(flag._replace(behavior=Behavior.ERROR, value=wanted.value))


def compilers_of(module: Module, idents: tuple[str, ...]) -> frozenset[str]:
    """Return the compilers that made a module, by their names in the table of known flags.

    Args:
        module: the module.
        idents: the compilers' own names, `llvm.ident`.
    """
    found = {match[1] or "swiftc" for text in (*idents, module.producer) for match in _COMPILERS.finditer(text)}
    if not found:
        found = {name for suffix, name in _SUFFIXES.items() if module.source_filename.endswith(suffix)}
    return frozenset(found)


def idents_of(module: Module) -> tuple[str, ...]:
    """Return the compilers' own names in a module.

    Raises:
        BitcodecError: metadata of the module is malformed.
    """
    named = module.named_metadata.get(_IDENT)
    if named is None:
        return ()
    texts = (operand for node in named.operands for operand in node.operands)
    return tuple(dict.fromkeys(text.text for text in texts if isinstance(text, MDString)))

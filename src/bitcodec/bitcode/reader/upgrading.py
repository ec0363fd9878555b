"""Auto-upgrade to LLVM 22 while reading: declarations when a module is opened, calls after each body.

Rules: docs/reference/upgrades.md, 10.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec import upgrade
from bitcodec.errors import BitcodecError
from bitcodec.ir.construction.deferring import ignore_debug_info
from bitcodec.ir.construction.replacing import erase_wrapper
from bitcodec.tables.attributes import ATTRIBUTE_KINDS
from bitcodec.upgrade.intrinsics import replacement_of
from bitcodec.upgrade.module_flags import (
    DEBUG_INFO_VERSION,
    debug_info_version,
    has_branch_protection,
    upgrade_linker_options,
    upgrade_module_flags,
    upgrade_retain_release_marker,
)
from bitcodec.upgrade.structors import upgrade_structors

if TYPE_CHECKING:
    from collections.abc import Collection

    from bitcodec.bitcode.reader.attributes import AttributeReader
    from bitcodec.bitcode.reader.metadata import ModuleMetadata
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module import Module
    from bitcodec.upgrade.intrinsics import Replacement

__all__ = ["WITH_ANNOTATIONS", "ModuleUpgrade"]

WITH_ANNOTATIONS = ("", "nvptx", "nvptx64")
"""Architectures of modules whose annotations are upgraded: to find these, named metadata is read with the module."""
_UNSAFE_ATOMICS = "amdgpu-unsafe-fp-atomics"
_DEBUG_INTRINSICS = frozenset({"llvm.dbg.value", "llvm.dbg.declare", "llvm.dbg.assign", "llvm.dbg.label"})
_RUNTIME_CALLS = ("objc_", "clang.arc.use")
_MAX_NAMES = 1 << 20
_MAX_NAMES_PER_BYTE = 8
"""Characters of the names that old intrinsics get: at most so many, and so many for each byte of bitcode.

Such a name spells types, which a file states once for any number of declarations.
"""


class ModuleUpgrade:
    """Auto-upgrades one module, part by part as it is read.

    Args:
        module: the module.
        metadata, attribute_lists: the metadata and attribute lists of the module.
        is_in_parts: whether to leave out the upgrades that LLVM does only when it reads a whole module.

    Attributes:
        has_debug_calls: whether a body read so far calls an intrinsic that debug records replace.
    """

    def __init__(
        self, module: Module, metadata: ModuleMetadata, attribute_lists: AttributeReader, *, is_in_parts: bool
    ) -> None:
        self._module = module
        self._metadata = metadata
        self._attribute_lists = attribute_lists
        self._replacements: dict[Function, Replacement] = {}
        self._runtime: dict[Function, Replacement] = {}
        self._protection: set[str] | None = None
        self._is_in_parts = is_in_parts
        self._named_before: dict[str, NamedMetadata] = {}
        self._has_dropped_attached = False
        self.has_debug_calls = False

    @property
    def has_functions_to_protect(self) -> bool:
        """Whether flags have been marked as applied to functions, which get the attributes when they are read."""
        return bool(self._protection)

    def upgrade_declarations(self) -> None:
        """Replace old intrinsics by new declarations; the old ones are kept for later calls."""
        module = self._module
        intrinsics = [function for function in module.functions if function.is_intrinsic]
        if intrinsics:
            self._replace(intrinsics)
        upgrade_structors(module)
        if not self._is_in_parts and any(function.name.startswith(_RUNTIME_CALLS) for function in module.functions):
            self._replace_runtime_calls()
        architecture = module.target_triple.partition("-")[0]
        if architecture in WITH_ANNOTATIONS:
            if not self._is_in_parts:
                upgrade.upgrade_nvvm_annotations(module)
        elif has_branch_protection(module.target_triple):
            _ = module.named_metadata
            if self._protection is not None:
                upgrade.protect_functions(module, self._protection)

    def _replace(self, intrinsics: list[Function]) -> None:
        left = _MAX_NAMES + _MAX_NAMES_PER_BYTE * (self._module.bitcode_size or 0)
        names = {function.name for function in intrinsics}
        for function in intrinsics:
            replacement = replacement_of(function, names)
            if replacement is not None:
                if replacement.declaration is not None:
                    left -= len(replacement.declaration.name)
                if left < 0:
                    raise BitcodecError("new names of intrinsics are out of proportion: they spell long types")
                self._replacements[function] = replacement
                self._module.remove(function)

    def _replace_runtime_calls(self) -> None:
        self._runtime = upgrade.arc_replacements(self._module, has_old_marker=self.has_old_marker)
        self._replacements.update(self._runtime)

    def upgrade_body(
        self, function: Function, *, has_old_expressions: bool = False, drops_debug_info: bool = False
    ) -> None:
        """Rewrite calls in a body that has just been read, and drop debug information that LLVM 22 has no use for.

        Args:
            function: the function.
            has_old_expressions: whether metadata of the body's own has some.
            drops_debug_info: whether the module is to lose its debug information, and the body may have some.
        """
        if self._replacements:
            called = upgrade.upgrade_calls(function, self._replacements)
            self.has_debug_calls |= any(callee.name in _DEBUG_INTRINSICS for callee in called)
        if self._has_strict_calls:
            upgrade.upgrade_strict_calls(function)
        if self._has_unsafe_atomics and _UNSAFE_ATOMICS in function.attributes.for_function:
            upgrade.upgrade_unsafe_atomics(function, self._module.context.metadata)
        if has_old_expressions or self._metadata.has_old_expressions:
            upgrade.upgrade_declares(function, self._module.context.metadata)
        if drops_debug_info:
            self._has_dropped_attached = True
            if upgrade.strip_function(function):
                self._ignore_debug_info()

    @property
    def replaced(self) -> Collection[Function]:
        """The declarations that are replaced in bodies."""
        return self._replacements.keys()

    def may_change(self, function: Function) -> bool:
        """Return whether a body may change when it is read, except for replaced calls, and debug information."""
        return bool(
            self._has_strict_calls
            or (self._has_unsafe_atomics and _UNSAFE_ATOMICS in function.attributes.for_function)
            or self._metadata.has_old_expressions
        )

    def upgrade_rest(self) -> list[Function]:
        """Release old declarations, when everything that may use them has been read.

        Returns:
            The old declarations that are used, which stay.
        """
        kept: list[Function] = []
        for old, replacement in self._replacements.items():
            _ = old.attributes  # to refuse malformed ones, as LLVM does
            if replacement.declaration is not None:
                upgrade.redirect_uses(old, replacement)
            if old in self._runtime and not old.is_used:
                old.erase_from_parent()
            elif old.parent is None and old.is_used:
                self._module.append(old)
                kept.append(old)
            elif old.parent is None:
                erase_wrapper(old)
        if self.drops_debug_info:
            self._has_dropped_attached = True
            if upgrade.strip_globals(self._module):
                self._ignore_debug_info()
        return kept

    @cached_property
    def _has_strict_calls(self) -> bool:
        return self._attribute_lists.may_have(ATTRIBUTE_KINDS["strictfp"].number)

    @cached_property
    def _has_unsafe_atomics(self) -> bool:
        return self._attribute_lists.may_have_key(_UNSAFE_ATOMICS)

    @cached_property
    def has_old_marker(self) -> bool:
        """Whether calls of Objective-C's runtime represent intrinsics."""
        return upgrade_retain_release_marker(self._named, self._module.context)

    @cached_property
    def drops_debug_info(self) -> bool:
        """Whether the module's debug information is of a version that LLVM 22 does not read."""
        return self._debug_info_version != DEBUG_INFO_VERSION

    @cached_property
    def _debug_info_version(self) -> int:
        return debug_info_version(self._named)

    def keep_debug_info(self) -> bool:
        """Let the module have its debug information although LLVM 22 does not read its version.

        Returns:
            Whether the module has all of it: nothing was dropped but lists, which are there again.
        """
        if not self.drops_debug_info:
            return True
        if self._has_dropped_attached:
            return False
        named = self._named
        now = {**self._named_before, **named}
        named.clear()
        named.update(now)
        self.drops_debug_info = False
        ignore_debug_info(self._module, None)
        return True

    def _ignore_debug_info(self) -> None:
        ignore_debug_info(self._module, self._debug_info_version)

    @property
    def _named(self) -> dict[str, NamedMetadata]:
        return self._metadata.named

    def upgraded_metadata(self) -> dict[str, NamedMetadata]:
        """Return the named metadata as LLVM 22 has it."""
        named = self._named
        if not self._is_in_parts:
            _ = self.has_old_marker
        if self.drops_debug_info:
            self._named_before = dict(named)
            if upgrade.strip_named_metadata(named):
                self._ignore_debug_info()
        upgrade_linker_options(named)
        upgrade_module_flags(named, self._module.context)
        if has_branch_protection(self._module.target_triple):
            # Reading flags may have read functions, which needed the flags too.
            found = upgrade.mark_branch_protection(self._module, named)
            self._protection = self._protection if found is None else found
        return named

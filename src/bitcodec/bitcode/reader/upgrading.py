"""When what is read is brought up to LLVM 22: declarations when a module is opened, calls after each body.

Rules: auto-upgrade reference, section 10.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.bitcode.upgrade.arc import arc_replacements
from bitcodec.bitcode.upgrade.branch_protection import upgrade_branch_protection
from bitcodec.bitcode.upgrade.calls import redirect_uses, upgrade_calls
from bitcodec.bitcode.upgrade.debug_info_stripping import strip_function, strip_globals, strip_named_metadata
from bitcodec.bitcode.upgrade.intrinsics import replacement_of
from bitcodec.bitcode.upgrade.module_flags import (
    DEBUG_INFO_VERSION,
    debug_info_version,
    upgrade_linker_options,
    upgrade_module_flags,
    upgrade_retain_release_marker,
)
from bitcodec.bitcode.upgrade.nvvm import upgrade_nvvm_annotations
from bitcodec.bitcode.upgrade.strict_floating_point import upgrade_strict_calls
from bitcodec.bitcode.upgrade.structors import upgrade_structors

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.metadata import ModuleMetadata
    from bitcodec.bitcode.upgrade.intrinsics import Replacement
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module import Module

__all__ = ["ModuleUpgrade"]

_WITH_ANNOTATIONS = "nvptx"
_WITH_BRANCH_PROTECTION = ("aarch64", "arm", "thumb")
_RUNTIME_CALLS = ("objc_", "clang.arc.use")


class ModuleUpgrade:
    """Brings one module up to date, part by part as it is read."""

    def __init__(self, module: Module, metadata: ModuleMetadata) -> None:
        self._module = module
        self._metadata = metadata
        self._replacements: dict[Function, Replacement] = {}
        self._runtime: dict[Function, Replacement] = {}

    def upgrade_declarations(self) -> None:
        """Put new declarations in the place of old intrinsics; the old ones are kept for the calls to come."""
        module = self._module
        for function in module.functions:
            replacement = replacement_of(function) if function.is_intrinsic else None
            if replacement is not None:
                self._replacements[function] = replacement
                module.remove(function)
        upgrade_structors(module)
        if any(function.name.startswith(_RUNTIME_CALLS) for function in module.functions):
            self._upgrade_runtime_calls()
        architecture = module.target_triple.partition("-")[0]
        if architecture.startswith(_WITH_ANNOTATIONS):
            upgrade_nvvm_annotations(module)
        elif architecture.startswith(_WITH_BRANCH_PROTECTION):
            upgrade_branch_protection(module)

    def _upgrade_runtime_calls(self) -> None:
        self._runtime = arc_replacements(self._module, has_old_marker=self.has_old_marker)
        self._replacements.update(self._runtime)

    def upgrade_body(self, function: Function) -> None:
        """Rewrite calls in a body that has just been read, and drop debug information that LLVM 22 has no use for."""
        if self._replacements:
            upgrade_calls(function, self._replacements)
        upgrade_strict_calls(function)
        if self.drops_debug_info:
            strip_function(function)

    def upgrade_rest(self) -> None:
        """Let go of old declarations, when all that may use them has been read."""
        for old, replacement in self._replacements.items():
            redirect_uses(old, replacement)
        for function in self._runtime:
            if not function.is_used:
                function.erase_from_parent()
        if self.drops_debug_info:
            strip_globals(self._module)

    @cached_property
    def has_old_marker(self) -> bool:
        """Whether calls of Objective-C's runtime stand for intrinsics."""
        return upgrade_retain_release_marker(self._named, self._module.context)

    @cached_property
    def drops_debug_info(self) -> bool:
        """Whether the module's debug information is of a version that LLVM 22 does not read."""
        return debug_info_version(self._named) != DEBUG_INFO_VERSION

    @property
    def _named(self) -> dict[str, NamedMetadata]:
        return self._metadata.named

    def upgraded_metadata(self) -> dict[str, NamedMetadata]:
        """Return the named metadata as LLVM 22 has it."""
        named = self._named
        _ = self.has_old_marker
        if self.drops_debug_info:
            strip_named_metadata(named)
        upgrade_linker_options(named)
        upgrade_module_flags(named, self._module.context)
        return named

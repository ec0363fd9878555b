"""Module flags of older LLVM, and properties that became module flags.

Rules: docs/reference/flags.md, 6; docs/reference/upgrades.md, 10.1 and 10.3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDNode, MDString, MDTuple, NamedMetadata, constant_integer
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import MODULE_FLAGS, Behavior
from bitcodec.upgrade.data_layout import family_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import Metadata

__all__ = [
    "DEBUG_INFO_VERSION",
    "debug_info_version",
    "has_branch_protection",
    "upgrade_linker_options",
    "upgrade_module_flags",
    "upgrade_retain_release_marker",
    "version_of_debug_info",
]

DEBUG_INFO_VERSION = 3
"""The only version of debug information that is not dropped."""

_32_BITS = 0xFFFF_FFFF
_LINKER_OPTIONS = "llvm.linker.options"
_RETAIN_RELEASE_MARKER = "clang.arc.retainAutoreleasedReturnValueMarker"

_BEHAVIORS: dict[str, dict[int, int]] = {
    "PIC Level": {Behavior.ERROR: Behavior.MIN, Behavior.MAX: Behavior.MIN},
    "PIE Level": {Behavior.ERROR: Behavior.MAX},
    "branch-target-enforcement": {Behavior.ERROR: Behavior.MIN},
}
"""New behaviours of a flag by its old ones."""
_RETURN_ADDRESS = "sign-return-address"
_RENAMED = {"amdgpu_code_object_version": "amdhsa_code_object_version"}


_ARM = ("arm", "thumb", "aarch64", "xscale")
_ARM_32 = r"(?:arm|thumb)(?:eb)?(?:.|v[0-9].*)?|xscale(?:eb)?"


class _Flag(NamedTuple):
    """A module flag; the behaviour is None if it is not an integer."""

    behavior: int | None
    id: str
    value: Metadata | None


def debug_info_version(named: dict[str, NamedMetadata]) -> int:
    """Return the version of a module's debug information, 0 if it states none."""
    for flag in _flags(named):
        if flag.id == "Debug Info Version":
            value = constant_integer(flag.value)
            return 0 if value is None else version_of_debug_info(value.unsigned)
    return 0


def has_branch_protection(triple: str) -> bool:
    """Return whether functions for a target state the branch protection that module flags stated for all of them."""
    architecture = triple.partition("-")[0]
    if not architecture.startswith(_ARM):
        return False
    return family_of(architecture) == "aarch64" or re.fullmatch(_ARM_32, architecture) is not None


def version_of_debug_info(value: int) -> int:
    """Return the version that a value of the flag `Debug Info Version` means: LLVM takes its lower 32 bits."""
    return value & _32_BITS


def upgrade_module_flags(named: dict[str, NamedMetadata], context: Context) -> None:
    """Upgrade the module flags among a module's named metadata."""
    if MODULE_FLAGS in named:
        _Upgrade(named[MODULE_FLAGS].operands, context).run()


def upgrade_linker_options(named: dict[str, NamedMetadata]) -> None:
    """Add named metadata for linker options that a module flag once contained; the flag stays."""
    if _LINKER_OPTIONS in named:
        return
    for flag in _flags(named):
        if flag.id == "Linker Options" and isinstance(flag.value, MDTuple):
            options = [option for option in flag.value if isinstance(option, MDNode)]
            named[_LINKER_OPTIONS] = NamedMetadata(_LINKER_OPTIONS, options)
            return


def upgrade_retain_release_marker(named: dict[str, NamedMetadata], context: Context) -> bool:
    """Replace old named metadata by a module flag; return whether it was present.

    Calls to Objective-C's runtime become intrinsics then.
    """
    marker = named.get(_RETAIN_RELEASE_MARKER)
    first = marker.operands[0].operands[:1] if marker and marker.operands else ()
    if not first or not isinstance(first[0], MDString):
        return False
    parts = first[0].text.split("#")
    text = ";".join(parts) if len(parts) == 2 else first[0].text
    flags = named.setdefault(MODULE_FLAGS, NamedMetadata(MODULE_FLAGS))
    flags.operands.append(_made(context, Behavior.ERROR, _RETAIN_RELEASE_MARKER, context.metadata.string(text)))
    del named[_RETAIN_RELEASE_MARKER]
    return True


class _Upgrade:
    """Upgrades the flags of a module in place."""

    def __init__(self, flags: list[MDNode], context: Context) -> None:
        self._flags = flags
        self._context = context
        self._added: list[MDNode] = []

    def run(self) -> None:
        """Upgrade each flag, then add those that older LLVM did not have."""
        ids = set()
        for index, node in enumerate(self._flags):
            flag = _flag(node)
            if flag is not None and isinstance(node, MDTuple):
                ids.add(flag.id)
                self._flags[index] = self._upgraded(node, flag)
        if "Objective-C Image Info Version" in ids and "Objective-C Class Properties" not in ids:
            self._add(Behavior.OVERRIDE, "Objective-C Class Properties", 32, 0, first=True)
        self._flags += self._added

    def _upgraded(self, node: MDTuple, flag: _Flag) -> MDTuple:
        new_behavior = _new_behavior(flag)
        if new_behavior is not None:
            return _made(self._context, new_behavior, flag.id, flag.value)
        upgrade = _UPGRADES.get(flag.id)
        return node if upgrade is None else upgrade(self, node, flag)

    def renamed(self, node: MDTuple, flag: _Flag) -> MDTuple:
        """Return the flag under its new name."""
        metadata = self._context.metadata
        return metadata.tuple([node[0], metadata.string(_RENAMED[flag.id]), flag.value])

    def without_spaces(self, node: MDTuple, flag: _Flag) -> MDTuple:
        """Return the flag without the spaces in its text."""
        if not isinstance(flag.value, MDString) or " " not in flag.value.text:
            return node
        text = self._context.metadata.string(flag.value.text.replace(" ", ""))
        return _made(self._context, Behavior.ERROR if flag.behavior is None else flag.behavior, flag.id, text)

    def garbage_collection(self, node: MDTuple, flag: _Flag) -> MDTuple:
        """Return the flag without the parts of its number that are separate flags now."""
        value = constant_integer(flag.value)
        if value is None or value.type.bit_width == 8:
            return node
        number = value.unsigned & _32_BITS
        if number > 0xFF:
            self._add(Behavior.ERROR, "Swift ABI Version", 32, number >> 8 & 0xFF)
            self._add(Behavior.ERROR, "Swift Major Version", 8, number >> 24)
            self._add(Behavior.ERROR, "Swift Minor Version", 8, number >> 16 & 0xFF)
        return _made(self._context, Behavior.ERROR, flag.id, _integer(self._context, 8, number & 0xFF))

    def _add(self, behavior: int, flag_id: str, bit_width: int, value: int, *, first: bool = False) -> None:
        made = _made(self._context, behavior, flag_id, _integer(self._context, bit_width, value))
        self._added.insert(0 if first else len(self._added), made)


_UPGRADES: dict[str, Callable[[_Upgrade, MDTuple, _Flag], MDTuple]] = {
    "Objective-C Image Info Section": _Upgrade.without_spaces,
    "Objective-C Garbage Collection": _Upgrade.garbage_collection,
    **dict.fromkeys(_RENAMED, _Upgrade.renamed),
}


def _flags(named: dict[str, NamedMetadata]) -> Iterator[_Flag]:
    for node in named[MODULE_FLAGS].operands if MODULE_FLAGS in named else ():
        flag = _flag(node)
        if flag is not None:
            yield flag


def _flag(node: MDNode) -> _Flag | None:
    """Return the content of a node among the flags, None if it is not a flag."""
    if not isinstance(node, MDTuple) or len(node) != 3 or not isinstance(node[1], MDString):
        return None
    behavior = constant_integer(node[0])
    return _Flag(None if behavior is None else behavior.unsigned, node[1].text, node[2])


def _new_behavior(flag: _Flag) -> int | None:
    if flag.behavior is None:
        return None
    known = "branch-target-enforcement" if flag.id.startswith(_RETURN_ADDRESS) else flag.id
    return _BEHAVIORS.get(known, {}).get(flag.behavior)


def _made(context: Context, behavior: int, flag_id: str, value: Metadata | None) -> MDTuple:
    metadata = context.metadata
    return metadata.tuple([_integer(context, 32, behavior), metadata.string(flag_id), value])


def _integer(context: Context, bit_width: int, value: int) -> Metadata:
    return context.metadata.value(context.constants.integer(context.types.integer(bit_width), value))

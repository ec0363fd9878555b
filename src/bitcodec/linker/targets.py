"""Data layouts, target triples and assembly text of linked modules.  Rules: linking reference, section 10."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.ir.layout_specification import LayoutSpecification
from bitcodec.linker.problems import LinkProblem, ProblemKind

if TYPE_CHECKING:
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.module import Module

__all__ = ["adopt_target", "assembly_for"]

_NOT_COMPARED = {"text", "non_integral_address_spaces", "address_space_names"}
"""What follows from other parts of a layout."""
_COMPARED = [name for name in LayoutSpecification.__slots__ if name not in _NOT_COMPARED]
_VERSION = re.compile(r"[0-9.]+\Z")
_COMPONENTS = 4
_ARM = re.compile(r"(arm|thumb)(eb)?(.*)")
_NVPTX = "nvptx"
_APPLE = "apple"
_SYSTEMS = (
    "aix|amdhsa|amdpal|bridgeos|darwin|dragonfly|driverkit|emscripten|firmware|freebsd|fuchsia|haiku|hermit|hurd|ios"
    "|kfreebsd|linux|liteos|lv2|macos|macosx|managarm|netbsd|openbsd|rtems|serenity|shadermodel|solaris|tvos|uefi"
    "|visionos|vulkan|wasi|watchos|windows|xros"
)
"""Systems that may have a version behind their names."""
_SYSTEM_VERSION = re.compile(rf"(?:{_SYSTEMS}|)(\d+(?:\.\d+){{0,3}})")
_VERSION_PARTS = 3
_PREFIXES = {"arm": ".text\n.balign 4\n.arm\n", "thumb": ".text\n.balign 2\n.thumb\n"}


def adopt_target(destination: Module, source: Module, origin: str) -> list[LinkProblem]:
    """Give the destination layout and triple of a source if it has none; return warnings if they differ.

    Args:
        destination, source: the modules.
        origin: the name of the module that the target of the destination came from.
    """
    if not destination.data_layout.text:
        destination.data_layout = source.data_layout
    if not destination.target_triple:
        destination.target_triple = source.target_triple
    found = []
    layouts = source.data_layout, destination.data_layout
    if not _are_equal(*layouts):
        texts = [layout.text for layout in layouts]
        found.append(LinkProblem(ProblemKind.LAYOUTS, "", source.identifier, origin, *texts))
    triples = source.target_triple, destination.target_triple
    if triples[0] and not _are_compatible(*triples):
        found.append(LinkProblem(ProblemKind.TRIPLES, "", source.identifier, origin, *triples))
    destination.target_triple = _merged(*triples)
    return found


def _merged(triple: str, other: str) -> str:
    """Return the triple of the source if it is Apple's and of a newer system, else that of the destination."""
    _, vendor, system, _ = _components(triple)
    is_newer = vendor == _APPLE and _system_version(_components(other)[2]) < _system_version(system)
    return triple if is_newer else other


def _system_version(system: str) -> tuple[int, ...]:
    match = _SYSTEM_VERSION.fullmatch(system)
    numbers = [int(number) for number in match[1].split(".")] if match else []
    return (*numbers, 0, 0, 0)[:_VERSION_PARTS]


def assembly_for(source: Module) -> str:
    """Return the assembly text of a source as it is appended: in the mode that it was written for."""
    text = source.module_asm
    match = _ARM.match(source.target_triple)
    return _PREFIXES[match[1]] + text if text and match else text


def _are_equal(layout: DataLayout, other: DataLayout) -> bool:
    """Return whether two layouts specify the same, however they are spelled."""
    return layout.text == other.text or all(getattr(layout, name) == getattr(other, name) for name in _COMPARED)


def _are_compatible(triple: str, other: str) -> bool:
    if triple == other:
        return True
    (arch, vendor, system, environment), there = _parts(triple), _parts(other)
    if arch.startswith(_NVPTX) and there[0].startswith(_NVPTX):
        return True
    arm, arm_there = _ARM.match(arch), _ARM.match(there[0])
    is_same_arch = arch == there[0] or bool(arm and arm_there and arm[3] == arm_there[3] and arm[2] == arm_there[2])
    if vendor == _APPLE:
        return is_same_arch and (vendor, system) == there[1:3]
    is_same_vendor = vendor == there[1] or (system, environment) == ("windows", "gnu")
    return is_same_arch and is_same_vendor and (system, environment) == there[2:]


def _components(triple: str) -> tuple[str, ...]:
    return (*triple.split("-", _COMPONENTS - 1), "", "", "", "")[:_COMPONENTS]


def _parts(triple: str) -> tuple[str, str, str, str]:
    """Return architecture, vendor, system and environment, without versions of the latter two."""
    architecture, vendor, system, environment = _components(triple)
    return architecture, vendor, _VERSION.sub("", system), _VERSION.sub("", environment)

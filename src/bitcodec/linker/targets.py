"""Data layouts, target triples and assembly text of linked modules.  Rules: docs/reference/linking.md, 10."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.ir.layout_specification import LayoutSpecification
from bitcodec.linker.problems import LinkProblem, ProblemKind
from bitcodec.linker.triples import are_compatible, is_of_any_nvptx, is_of_nvptx
from bitcodec.tables.triple_components import components_of

if TYPE_CHECKING:
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.module import Module

__all__ = ["adopt_target", "assembly_for"]

_NOT_COMPARED = {"text", "non_integral_address_spaces"}
"""Fields that follow from other parts of a layout."""
_COMPARED = [name for name in LayoutSpecification.__slots__ if name not in _NOT_COMPARED]
_ARM = re.compile(r"(arm|thumb)(eb)?(.*)")
_CUDA_LAYOUTS = ("", "e-i64:64-v16:16-v32:32-n16:32:64")
"""Layouts of CUDA's libraries, which fit every NVPTX."""
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
    """Give the destination layout and triple of a source if it lacks them; return warnings if they differ.

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
    is_library = _is_cuda_library(source, destination)
    if not _are_equal(*layouts) and not (is_library and layouts[0].text in _CUDA_LAYOUTS):
        texts = [layout.text for layout in layouts]
        found.append(LinkProblem(ProblemKind.LAYOUTS, "", source.identifier, origin, *texts))
    triples = source.target_triple, destination.target_triple
    if triples[0] and not is_library and not are_compatible(*triples):
        found.append(LinkProblem(ProblemKind.TRIPLES, "", source.identifier, origin, *triples))
    destination.target_triple = _merged(*triples)
    return found


def _is_cuda_library(source: Module, destination: Module) -> bool:
    both = (source.target_triple, destination.target_triple)
    return all(map(is_of_nvptx, both)) and is_of_any_nvptx(source.target_triple)


def _merged(triple: str, other: str) -> str:
    """Return the triple of the source if it is Apple's and of a newer system, else the destination's."""
    _, vendor, system, _ = components_of(triple)
    is_newer = vendor == _APPLE and _system_version(components_of(other)[2]) < _system_version(system)
    return triple if is_newer else other


def _system_version(system: str) -> tuple[int, ...]:
    match = _SYSTEM_VERSION.fullmatch(system)
    numbers = [int(number) for number in match[1].split(".")] if match else []
    return (*numbers, 0, 0, 0)[:_VERSION_PARTS]


def assembly_for(source: Module) -> str:
    """Return the assembly text of a source in the form in which it is appended: in its original dialect."""
    text = source.module_asm
    match = _ARM.match(source.target_triple)
    return _PREFIXES[match[1]] + text if text and match else text


def _are_equal(layout: DataLayout, other: DataLayout) -> bool:
    """Return whether two layouts specify the same, however they are spelled."""
    return layout.text == other.text or all(getattr(layout, name) == getattr(other, name) for name in _COMPARED)

"""Target triples in their normal form.  Rules: LLVM 22, `Triple::normalize`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["is_architecture", "normalized"]


def _beginnings(names: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(names.split())}).*", re.DOTALL)


_ARCHITECTURE = re.compile(
    r"i[3-9]86|amd64|x86_64h?|(powerpc|ppc)(64)?(le)?|powerpcspe|ppc32(le)?|ppu|xscale(eb)?"
    r"|aarch64\S*|arm64(_32|e|ec)?|(arm|thumb)(eb)?(v\d\S*)?|arc|avr|m68k|msp430"
    r"|mips(64)?(eb|el)?|mipsallegrex(el)?|mipsisa(32|64)r6(el)?|mips(64)?r6(el)?|mipsn32(r6)?(el)?"
    r"|r600|amdgcn|riscv(32|64)(be)?|hexagon|s390x|systemz|sparc(el|v9|64)?|tce(le)?|xcore|nvptx(64)?|(amdil|hsail|spir)(64)?"
    r"|spirv(1\.[56])?|spirv(32|64)(v1\.[0-6])?|kalimba.*|lanai|renderscript(32|64)|shave|ve|wasm(32|64)|csky"
    r"|loongarch(32|64)|dxil(v1\.\d)?|xtensa|bpf(_be|eb|_le|el)?"
)
_VENDOR = re.compile("apple|pc|scei|sie|fsl|ibm|img|mti|nvidia|csr|amd|mesa|suse|oe|intel|meta")
_SYSTEM = _beginnings(
    "darwin dragonfly freebsd fuchsia ios kfreebsd linux lv2 macos managarm netbsd openbsd solaris uefi win32 windows"
    " zos haiku rtems aix cuda nvcl amdhsa ps4 ps5 elfiamcu tvos watchos bridgeos driverkit xros visionos mesa3d amdpal"
    " hermit hurd wasi emscripten shadermodel liteos serenity vulkan cheriotrtos"
)
_REPLACED_SYSTEM = _beginnings("cygwin msys mingw")
"""Systems that become an environment of Windows."""
_ENVIRONMENT = _beginnings(
    "eabi gnu code16 android musl msvc itanium cygnus coreclr simulator macabi pixel vertex geometry hull domain"
    " compute library raygeneration intersection anyhit closesthit miss callable mesh amplification rootsignature"
    " opencl ohos pauthtest llvm mlibc mtia"
)
_FORMAT = re.compile(".*(xcoff|coff|elf|goff|macho|wasm|spirv)", re.DOTALL)
_MOVED: Mapping[int, tuple[re.Pattern[str], ...]] = {2: (_REPLACED_SYSTEM,), 3: (_FORMAT,)}
"""Patterns that match a component only when it moves to its place, by place."""
_PLACES = 4
"""Architecture, vendor, system and environment."""


def is_architecture(name: str) -> bool:
    """Return whether LLVM 22 knows an architecture of this name."""
    return _ARCHITECTURE.fullmatch(name) is not None


def normalized(triple: str) -> str:
    """Return a triple with each component that is known in its place, and `unknown` where one is missing."""
    components = triple.split("-")
    found = [_fits(place, component) for place, component in enumerate(components[:_PLACES])]
    found += [False] * (_PLACES - len(found))
    object_format = _format(components[_PLACES]) if len(components) > _PLACES else ""
    for place in range(_PLACES):
        if found[place]:
            continue
        for index in _unplaced(components, found):
            is_here = _fits(place, components[index], may_move=True)
            if place == _PLACES - 1 and not _fits(place, components[index]):
                object_format = _format(components[index])
            if is_here:
                _move(components, found, index, place)
                found[place] = True
                break
    if found[0] and not found[1] and not found[2] and found[3] and components[1:3] == ["none", ""]:
        components[1:3] = ["", "none"]
    return "-".join(_specialized([component or "unknown" for component in components], object_format))


def _fits(place: int, component: str, *, may_move: bool = False) -> bool:
    """Return whether a component belongs in a place; one that must move there may be another system or a format."""
    patterns = [_ARCHITECTURE, _VENDOR, _SYSTEM, _ENVIRONMENT][place : place + 1]
    if may_move:
        patterns += _MOVED.get(place, ())
    return any(pattern.fullmatch(component) for pattern in patterns)


def _unplaced(components: list[str], found: list[bool]) -> list[int]:
    """Return the indices of the components that are not in their place."""
    return [index for index in range(len(components)) if index >= _PLACES or not found[index]]


def _move(components: list[str], found: list[bool], index: int, place: int) -> None:
    """Move a component to a place; others give way, to the right, around those that are in their place."""
    if place < index:
        moved, components[index] = components[index], ""
        at = place
        while moved:
            at = _next_free(at, found)
            moved, components[at] = components[at], moved
            at += 1
    while index < place:
        _insert_empty(components, found, index)
        index = _next_free(index + 1, found)


def _insert_empty(components: list[str], found: list[bool], index: int) -> None:
    moved = ""
    while index < len(components):
        moved, components[index] = components[index], moved
        if not moved:
            return
        index = _next_free(index + 1, found)
    if moved:
        components.append(moved)


def _next_free(index: int, found: list[bool]) -> int:
    while index < _PLACES and found[index]:
        index += 1
    return index


_NEW_ENVIRONMENTS: Mapping[str, str] = {"mingw": "gnu", "cygwin": "cygnus", "msys": "cygnus"}


def _specialized(components: list[str], object_format: str) -> list[str]:
    """Return components after the rules for single systems: Android, SUSE, Windows."""
    system, environment = (components[place] if len(components) > place else "" for place in (2, 3))
    has_environment = _ENVIRONMENT.fullmatch(environment) is not None
    if environment.startswith("androideabi"):
        components[3] = f"android{environment.removeprefix('androideabi')}"
    if components[1:2] == ["suse"] and re.fullmatch("gnueabi(?!hf|t64).*", environment):
        components[3] = "gnueabihf"
    other_format = object_format if object_format != "coff" else ""
    replaced = next((new for old, new in _NEW_ENVIRONMENTS.items() if system.startswith(old)), None)
    if replaced is not None:
        components[2:] = ["windows", replaced]
    elif system.startswith(("win32", "windows")):
        components[2:] = ["windows", components[3] if has_environment else other_format or "msvc"]
    else:
        return components
    return [*components, other_format] if other_format and (has_environment or replaced is not None) else components


def _format(component: str) -> str:
    """Return the format of object files that a component ends in, "" if it lacks one."""
    written = _FORMAT.fullmatch(component)
    return written[1] if written is not None else ""

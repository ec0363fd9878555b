"""What the readers and verifiers of each version of LLVM make of calls of LLVM 22's intrinsics.

A module contains one call of each; a verifier reports all that it refuses.  Whether a reader knows an intrinsic, the
names in its program say; whether it takes one for another, its attributes do.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

import bitcodec
from bitcodec.builder import new_module
from bitcodec.downgrade.intrinsics import IntrinsicLowering
from bitcodec.downgrade.types import lacked_types
from bitcodec.ir.context import Context
from bitcodec.ir.types import Type
from bitcodec.tables.intrinsics import PREFIX, intrinsic_rows
from bitcodec.tables.versions import MODEL
from downgrade import oracles

from .intrinsic_instances import Instance, instances_of, module_of

__all__ = [
    "FEWER_TYPES",
    "IMMEDIATE",
    "KNOWN",
    "OTHER",
    "OTHER_FORM",
    "UNKNOWN",
    "accepted_instances",
    "known_names",
    "verdicts",
]

KNOWN, OTHER_FORM, IMMEDIATE, UNKNOWN, OTHER, FEWER_TYPES = "kfiuo-"
"""Verdicts: the version has the intrinsic in this form, in another one, or if integers are constants; it does not have
it and keeps the call, or takes it for a call of another one; it lacks a type of the instance."""
# Linkers let a name share the bytes of a longer text that ends with it.
_NAME = re.compile(rb"llvm\.[a-zA-Z][\w.]*(?=\0)")
_CALL = re.compile(r"call .*?@(\"?llvm\.[^\"( ]*\"?)\(")
_MARKER = re.compile(r"call void @marker\(i32 (\d+)\)")
_CALLED = re.compile(r"@(\"?llvm\.[^\"(),\s]*\"?)")
_DECLARED = re.compile(r"^declare .*?@(\"?llvm\.[^\"( ]*\"?)\(.*\)( .*#\d+.*)?$", re.MULTILINE)


@cache
def known_names(version: int) -> frozenset[str]:
    """Return the names, without `llvm.`, that the program of a version contains."""
    return frozenset(each[5:].decode() for each in _NAME.findall(oracles.library(version).read_bytes()))


def verdicts(
    instances: Sequence[Instance], version: int, context: Context, *, are_immediate: bool = False
) -> dict[Instance, str]:
    """Return what a version makes of calls of intrinsics.

    Args:
        instances: with types of the context.
        version: of LLVM.
        context: of the types.
        are_immediate: whether all arguments that are integers are constants.
    """
    make = partial(module_of, are_immediate=are_immediate)
    written = [each for each in instances if not _lacks_type(each, version)]
    found = dict.fromkeys(instances, FEWER_TYPES)
    with tempfile.TemporaryDirectory() as folder:
        for each, is_refused, is_declared, is_replaced in _answers(
            written, version, context, Path(folder) / "calls.bc", make
        ):
            is_found = is_refused or is_declared or not intrinsic_rows()[each.base].attributes[0]
            if is_replaced and version > MODEL:
                found[each] = KNOWN  # a newer version upgrades it
            elif _known_base(each.name, version).startswith(each.base):
                found[each] = OTHER_FORM if is_refused else KNOWN if is_found else UNKNOWN
            else:
                found[each] = OTHER if is_refused or is_declared else UNKNOWN
    return found


def accepted_instances(context: Context, bases: Iterable[str] | None = None) -> dict[str, list[Instance]]:
    """Return the instances of each intrinsic that LLVM 22 accepts; none for some that only special code may call.

    Args:
        context: of the types.
        bases: names of intrinsics. Default: all of them.
    """
    chosen = intrinsic_rows() if bases is None else bases
    instances = [each for base in chosen for each in instances_of(base, context.types)]
    found = verdicts([each for each in instances if not each.base.startswith(_RECORDS)], MODEL, context)
    accepted: dict[str, list[Instance]] = {}
    for each, letter in found.items():
        if letter == KNOWN:
            accepted.setdefault(each.base, []).append(each)
    return accepted


_RECORDS = "dbg."
"""How the names of intrinsics begin that readers make records of."""


def _known_base(name: str, version: int) -> str:
    """Return the intrinsic that a version may find by a name, "" if it knows none."""
    found = name.removeprefix(PREFIX)
    while found and found not in known_names(version):
        found = found.rpartition(".")[0]
    return found


def _lacks_type(instance: Instance, version: int) -> bool:
    parts = {part for type_ in instance.type.element_types for part in _parts(type_)}
    return any(row.is_it(part) for row in lacked_types(version) for part in parts)


def _parts(type_: Type) -> Iterator[Type]:
    yield type_
    for part in type_.element_types:
        yield from _parts(part)


def _answers(
    instances: Sequence[Instance],
    version: int,
    context: Context,
    path: Path,
    make: Callable[[Sequence[Instance], bitcodec.Module], bitcodec.Module],
) -> Iterator[tuple[Instance, bool, bool, bool]]:
    """Yield instances with whether the version refuses them, gives them attributes, and replaces them."""
    if not instances:
        return
    module = make(instances, new_module("calls", context=context))
    path.write_bytes(_as_it_is(module, version))
    text, message = oracles.read(version, path), oracles.verify(version, path, "")
    refused = set(_CALLED.findall(message))
    parts = _MARKER.split(text)[1:]
    named = {each for each in instances if refused.intersection(_spellings(each.name))}
    is_unclear = bool(message) and not named  # some messages have no name, or one that the reader has changed
    if is_unclear or message.startswith(oracles.CRASHED) or len(parts) != 2 * len(instances):
        # The reader refuses one of them, or crashes: it is searched for.
        if len(instances) == 1:
            yield instances[0], True, True, False
            return
        middle = len(instances) // 2
        for half in (instances[:middle], instances[middle:]):
            yield from _answers(half, version, context, path, make)
        return
    if refused:
        # Some messages do not name the intrinsic: the others are verified without those that are named.
        yield from ((each, True, True, False) for each in instances if each in named)
        rest = [each for each in instances if each not in named]
        yield from _answers(rest, version, context, path, make)
        return
    declared = {name for name, attributes in _DECLARED.findall(text) if attributes}
    for instance, part in zip(instances, parts[1::2], strict=True):
        names = _CALL.findall(part.partition("\n}")[0])
        # Where the reader has replaced the call, it took it for one of an older form.
        is_declared = not names or bool(declared.intersection(names))
        is_replaced = set(names).isdisjoint(_spellings(instance.name))
        yield instance, bool(refused.intersection(names)), is_declared, is_replaced


def _spellings(name: str) -> tuple[str, str]:
    """Return how messages name an intrinsic."""
    return name, f'"{name}"'


def _as_it_is(module: bitcodec.Module, version: int) -> bytes:
    """Return bitcode for a version with the intrinsics of the module."""
    if version >= MODEL:
        return bitcodec.dumps(module)
    survey = IntrinsicLowering.survey
    IntrinsicLowering.survey = lambda _self: None  # type: ignore[method-assign]
    try:
        return bitcodec.dumps(module, llvm_version=version)
    finally:
        IntrinsicLowering.survey = survey  # type: ignore[method-assign]

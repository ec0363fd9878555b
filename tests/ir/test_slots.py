"""No object of the model has a dictionary of its own: modules have millions of them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from enum import Enum

import bitcodec.ir
from bitcodec.ir import global_fields
from bitcodec.ir.debug_info_base import DINode
from bitcodec.ir.debug_records import DebugRecord
from bitcodec.ir.instructions import CallBranch, Invoke
from bitcodec.ir.metadata import Metadata
from bitcodec.ir.values import Value
from bitcodec.plain_enum import PlainEnum

BUILDERS = "bitcodec.ir.construction."
"""Files that make parts of the model, and declare no class of it."""


def classes() -> Iterator[type]:
    """Yield the classes that the modules of the package define."""
    for found in pkgutil.walk_packages(bitcodec.ir.__path__, "bitcodec.ir."):
        if found.name.startswith(BUILDERS):
            continue
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            if inspect.isclass(kind) and kind.__module__ == found.name:
                yield kind


def has_instances(kind: type) -> bool:
    """Return whether it is more than a protocol; members of enumerations and exceptions are few."""
    return not getattr(kind, "_is_protocol", False) and not issubclass(kind, Enum | PlainEnum | BaseException)


CLASSES = sorted({kind for kind in classes() if has_instances(kind)}, key=lambda kind: kind.__qualname__)


def test_there_are_many() -> None:
    assert len(CLASSES) > 150


def test_instances_have_no_dictionary() -> None:
    assert [kind for kind in CLASSES if kind.__dictoffset__] == []


def test_what_patterns_name_is_there() -> None:
    named = [(kind, name) for kind in CLASSES for name in getattr(kind, "__match_args__", ())]
    assert [f"{kind.__qualname__}.{name}" for kind, name in named if not has(kind, name)] == []


def has(kind: type, name: str) -> bool:
    return hasattr(kind, name) or name in getattr(kind, "__annotations__", {})


def core_classes() -> list[type]:
    """Return the classes of values, metadata and debug records that stand in files."""
    roots = (Value, Metadata, DebugRecord)
    return [kind for kind in CLASSES if issubclass(kind, roots) and not issubclass(kind, DINode)]


def test_classes_of_the_core_have_one_base_that_extension_types_can_have() -> None:
    # Bases of `global_fields` are for type checkers alone; a class in C leaves them out.
    bases = {
        kind: [base for base in kind.__bases__ if base.__module__ != global_fields.__name__] for kind in core_classes()
    }
    several = {kind for kind in bases if len(bases[kind]) > 1}
    # These add nothing to an extension type but what Python classes may: they have no slots that both bases lack.
    assert several == {Invoke, CallBranch}
    assert all(
        issubclass(base, Value | Metadata | DebugRecord) or base is object for kind in bases for base in bases[kind]
    )


def test_classes_of_the_core_do_nothing_that_extension_types_cannot() -> None:
    assert [kind for kind in core_classes() if "__init_subclass__" in vars(kind)] == []
    without_slot = [
        f"{kind.__qualname__}.{name}"
        for kind in core_classes()
        for name in vars(kind).get("__annotations__", {})
        if not hasattr(kind, name)
    ]
    assert without_slot == []


def test_classes_are_documented() -> None:
    public = [kind for kind in CLASSES if not kind.__name__.startswith("_")]
    members = [(kind, name, member) for kind in public for name, member in vars(kind).items() if name[0] != "_"]
    methods = [one for one in members if inspect.isfunction(one[2]) or isinstance(one[2], property)]
    assert [kind for kind in public if not kind.__doc__] == []
    assert [f"{kind.__qualname__}.{name}" for kind, name, method in methods if not inspect.getdoc(method)] == []

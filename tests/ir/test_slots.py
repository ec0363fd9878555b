"""No object of the model has a dictionary of its own: modules have millions of them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from enum import Enum

import pytest

import bitcodec.ir


def classes() -> Iterator[type]:
    """Yield the classes that the modules of the package define."""
    for found in pkgutil.walk_packages(bitcodec.ir.__path__, "bitcodec.ir."):
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            if inspect.isclass(kind) and kind.__module__ == found.name:
                yield kind


def has_instances(kind: type) -> bool:
    """Return whether it is more than a protocol; members of enumerations are few."""
    return not getattr(kind, "_is_protocol", False) and not issubclass(kind, Enum)


CLASSES = sorted({kind for kind in classes() if has_instances(kind)}, key=lambda kind: kind.__qualname__)


def test_there_are_many() -> None:
    assert len(CLASSES) > 150


@pytest.mark.parametrize("kind", CLASSES)
def test_instances_have_no_dictionary(kind: type) -> None:
    assert kind.__dictoffset__ == 0


@pytest.mark.parametrize("kind", CLASSES)
def test_what_patterns_name_is_there(kind: type) -> None:
    names = getattr(kind, "__match_args__", ())
    assert all(hasattr(kind, name) or name in getattr(kind, "__annotations__", {}) for name in names)


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if not kind.__name__.startswith("_")])
def test_classes_are_documented(kind: type) -> None:
    assert kind.__doc__
    members = {name: member for name, member in vars(kind).items() if not name.startswith("_")}
    for name, member in members.items():
        if inspect.isfunction(member) or isinstance(member, property):
            assert inspect.getdoc(member), f"{kind.__qualname__}.{name}"

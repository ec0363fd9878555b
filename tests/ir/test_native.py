"""The classes of the core as extension types: they are what the interpreted classes are."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MemberDescriptorType
from typing import Any

import pytest

from amounts import amount
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.instructions import BinaryOperator, Instruction, Invoke, LandingPad
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.values import Value

from .test_slots import CLASSES

SOURCES = Path(__file__).parents[2] / "src"
NO_MODEL = {"copies", "member_access", "present", "stamping", "symbols", "type_finder"}
"""Files that work on the model, or keep names, and declare no class of it."""
CORE = sorted(file for file in (SOURCES / "bitcodec/ir").rglob("*.pxd") if file.stem not in NO_MODEL)
IS_COMPILED = not importlib.import_module("bitcodec.ir.values").__file__.endswith(".py")  # type: ignore[union-attr]


def declared() -> Iterator[tuple[type, list[str]]]:
    """Yield each class that a `.pxd` file declares, with the attributes that it declares for it."""
    for file in CORE:
        name = ".".join(file.relative_to(SOURCES).with_suffix("").parts)
        for text in file.read_text(encoding="utf-8").split("cdef class ")[1:]:
            kind = getattr(importlib.import_module(name), re.split(r"\W", text)[0])
            yield kind, re.findall(r"cdef public object (\w+)", text)


DECLARED = dict(declared())


def test_declared_attributes_are_the_slots() -> None:
    assert len(DECLARED) > 40
    assert {kind.__name__: names for kind, names in DECLARED.items()} == {
        kind.__name__: [*vars(kind)["__slots__"]] for kind in DECLARED
    }


def test_slots_are_member_descriptors() -> None:
    """The interpreter is fast for these alone; interpreted classes check assignments by properties."""
    kinds = MemberDescriptorType if IS_COMPILED else (MemberDescriptorType, property)
    others = [
        f"{kind.__name__}.{name}"
        for kind in CLASSES
        for name in vars(kind).get("__slots__", ())
        if issubclass(kind, tuple(DECLARED)) and not isinstance(vars(kind)[name], kinds)
    ]
    assert others == []


def test_all_modules_are_compiled_or_none() -> None:
    files = [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.pyx")]
    headed = [path for path in files if path.read_text(encoding="utf-8").startswith("# cython:")]
    names = [".".join(path.relative_to(SOURCES).with_suffix("").parts) for path in headed]
    assert len(names) > 80
    files = {name: importlib.import_module(name).__file__ or "" for name in names}
    assert {file.endswith(".py") for file in files.values()} == {not IS_COMPILED}
    declaring = {".".join(file.relative_to(SOURCES).with_suffix("").parts) for file in CORE}
    assert declaring <= {*names}


@pytest.mark.skipif(not IS_COMPILED, reason="slots of interpreted classes can be deleted")
@pytest.mark.parametrize("kind", [Value, Instruction, LandingPad, Invoke, MDTuple, DILocation])
def test_no_attribute_can_be_deleted(kind: type) -> None:
    made = kind.__new__(kind)
    name = "is_distinct" if issubclass(kind, MDTuple | DILocation) else "type"
    with pytest.raises(AttributeError, match=f"cannot delete attribute '{name}'"):
        delattr(made, name)
    setattr(made, name, True)
    assert getattr(made, name) is True


def chain_of(kind: type) -> Callable[[Any], Any]:
    """Return a function that makes an instruction with one operand, which nothing else knows."""

    def link(operand: object) -> object:
        made = kind.__new__(kind)
        made._operands = (operand,)
        return made

    return link


LINKS = {
    "extension type": chain_of(BinaryOperator),
    "Python class above an extension type": chain_of(Invoke),
    "tuple": lambda last: MDTuple((last,), is_distinct=True),
    "debug information": lambda last: DILocation(inlined_at=last, is_distinct=True),
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_long_chains_go_without_recursion(link: Callable[[Any], Any]) -> None:
    """References end at each object in turn: so many frames would not fit the stack."""
    last = None
    for _ in range(amount(100_000, 1_000_000)):
        last = link(last)
    del last


def test_users_may_derive_classes() -> None:
    class Marked(BinaryOperator):
        __slots__ = ("mark",)
        mark: str

        @property
        def opcode(self) -> str:  # type: ignore[override]
            return "marked"

    marked = Marked.__new__(Marked)
    marked.mark = "here"
    assert (marked.opcode, marked.mark, isinstance(marked, Instruction)) == ("marked", "here", True)
    assert not hasattr(marked, "__dict__")

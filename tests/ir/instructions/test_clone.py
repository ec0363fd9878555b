"""A clone does what its original does, whatever that is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir import Instruction, Module
from bitcodec.ir import instructions as classes
from corpus import FOLDER, needs_corpus

from .conftest import EVERY, Found

OF_USES = re.compile(r" *; preds = .*|^ *uselistorder.*\n", re.MULTILINE)
"""What depends on the order of uses, which is another once there are other users."""


def put_clones(module: Module) -> set[type[Instruction]]:
    """Put a clone in the place of every instruction; return of which classes they are."""
    found = set()
    for function in module.functions:
        for original in list(function.instructions):
            clone = original.clone()
            clone.insert_before(original)
            if original.is_used or original._as_metadata is not None:
                original.replace_all_uses_with(clone)
            name = original.name
            original.erase_from_parent()
            clone.name = name
            found.add(type(clone))
    return found


def test_every_class() -> None:
    module = bitcodec.open(EVERY)
    before = str(module)
    made = put_clones(module)
    assert str(module) == before
    assert str(bitcodec.loads(bitcodec.dumps(module), module.identifier)) == before
    abstract = {classes.Instruction, classes.Terminator, classes.CallBase}
    every = {getattr(classes, name) for name in classes.__all__}
    assert made == {each for each in every if issubclass(each, Instruction)} - abstract


@needs_corpus
@pytest.mark.parametrize("path", sorted((FOLDER / "modules").glob("*-22.bc"))[::9], ids=lambda path: path.name)
def test_the_corpus(path: Path) -> None:
    module = bitcodec.open(path)
    module.materialize()
    before = OF_USES.sub("", str(module))
    assert put_clones(module)
    assert OF_USES.sub("", str(module)) == before


def test_it_stands_nowhere_and_has_no_name(found: Found) -> None:
    original = found["sum"]
    clone = original.clone()
    assert (clone.parent, clone.name, clone.users) == (None, "", ())
    assert clone.operands == original.operands
    assert original.lhs.users.count(clone) == 1


def test_what_it_holds_is_its_own(found: Found) -> None:
    original = found["sum"]
    node = found.module.context.metadata.tuple()
    original.metadata["a"] = node
    clone = original.clone()
    clone.metadata["b"] = node
    clone.set_operand(0, original.rhs)
    assert (dict(original.metadata), dict(clone.metadata)) == ({"a": node}, {"a": node, "b": node})
    assert original.lhs is not clone.lhs


def test_it_leaves_debug_records_where_they_are() -> None:
    module = bitcodec.open(Path(__file__).parents[3] / "examples" / "queue.bc")
    recorded = [each for function in module.functions for each in function.instructions if each.debug_records]
    assert recorded
    for original in recorded:
        count = len(original.debug_records)
        assert original.clone().debug_records == []
        assert len(original.debug_records) == count

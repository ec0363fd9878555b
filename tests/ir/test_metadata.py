"""Metadata: strings, values, tuples, and that equal ones are one object."""

from __future__ import annotations

import pytest

from bitcodec.ir.context import Context
from bitcodec.ir.debug_info import DIExpression, DILocation
from bitcodec.ir.lazy import DeferredPart, MaterializationLock
from bitcodec.ir.metadata import (
    ConstantAsMetadata,
    LocalAsMetadata,
    MDString,
    MDTuple,
    MetadataTable,
    NamedMetadata,
    ValueAsMetadata,
)
from bitcodec.ir.values import Value


@pytest.fixture
def context() -> Context:
    return Context()


def integer(context: Context, value: int) -> ValueAsMetadata:
    return context.metadata.value(context.constants.integer(context.types.integer(32), value))


def test_strings_of_one_text_are_equal():
    table = MetadataTable()
    assert table.string("a") is table.string("a")
    assert MDString("a") == MDString("a") != MDString("b")
    assert MDString("a") != "a"


def test_a_value_has_one_metadata(context: Context):
    assert integer(context, 1) is integer(context, 1)
    assert isinstance(integer(context, 1), ConstantAsMetadata)
    assert isinstance(context.metadata.value(Value(context.types.ptr)), LocalAsMetadata)


def test_tuples_of_equal_elements_are_one(context: Context):
    table = context.metadata
    elements = [integer(context, 1), table.string("a"), None]
    assert table.tuple(elements) is table.tuple(elements)
    assert table.tuple(elements) is not table.tuple(elements[:2])
    assert tuple(table.tuple(elements)) == tuple(elements)
    assert table.unique(MDTuple(elements, is_distinct=True)) is not table.tuple(elements)


def test_a_changed_node_is_not_taken_for_what_it_was(context: Context):
    table = context.metadata
    node = table.tuple([integer(context, 1)])
    node.set_operand(0, integer(context, 2))
    again = table.tuple([integer(context, 1)])
    assert again is not node
    assert table.tuple([integer(context, 1)]) is again


def test_a_node_is_found_or_made_by_its_content(context: Context):
    table = context.metadata
    location = table.node(DILocation, (1, 2, None, None, False, 0, 0))
    assert (location.line, location.column, location.is_distinct) == (1, 2, False)
    assert location.key() == (1, 2, None, None, False, 0, 0)
    assert table.node(DILocation, location.key()) is location
    assert table.unique(DILocation(line=1, column=2)) is location
    assert table.node(MDTuple, (None,)) is table.tuple([None])
    location.line = 3
    again = table.node(DILocation, (1, 2, None, None, False, 0, 0))
    assert again is not location
    assert again.line == 1


def test_nodes_of_different_classes_differ(context: Context):
    table = context.metadata
    assert table.unique(DIExpression()) is not table.tuple()  # type: ignore[comparison-overlap]
    assert table.unique(DIExpression()) is table.node(DIExpression, ())


def test_metadata_follows_a_replaced_value(context: Context):
    first, second, third = (Value(context.types.ptr) for _ in range(3))
    of_first, of_second = context.metadata.value(first), context.metadata.value(second)
    of_first._value_replaced(second)
    assert of_first.value is second
    of_second._value_replaced(third)
    assert of_first.value is of_second.value is third
    assert context.metadata.value(third) is of_second
    of_second._value_erased(None)
    assert of_first.value is of_second.value is None


def test_named_metadata_fetches_its_nodes_once():
    fetched = []

    def fetch() -> list[MDTuple]:
        fetched.append(1)
        return [MDTuple()]

    named = NamedMetadata("n", DeferredPart(MaterializationLock(), fetch))
    assert not fetched
    assert len(named.operands) == len(named.operands) == len(fetched) == 1
    named.operands = []
    assert named.operands == []
    assert NamedMetadata("n", [MDTuple()]).operands

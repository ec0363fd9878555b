"""Attributes by name."""

from __future__ import annotations

import pytest

from bitcodec.builder import attribute, attribute_list, attribute_set
from bitcodec.ir import ConstantRange, IntegerAttribute
from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.context import Context
from bitcodec.tables.attributes import MemoryAccess

TYPES = Context().types


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("nounwind", "nounwind"),
        (("align", 16), "align 16"),
        (("sret", TYPES.integer(8)), "sret(i8)"),
        (("memory", MemoryEffects.of(argmem=MemoryAccess.READ)), "memory(argmem: read)"),
        (("captures", 0), "captures(none)"),
        (("range", ConstantRange(8, 0, 10)), "range(i8 0, 10)"),
        (("initializes", (ConstantRange(64, 0, 8),)), "initializes((0, 8))"),
        (("target-cpu", "x86-64"), '"target-cpu"="x86-64"'),
        (("no-builtins", ""), '"no-builtins"'),
        (IntegerAttribute("align", 4), "align 4"),
    ],
)
def test_text(given: object, text: str):
    assert str(attribute(given)) == text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("target-cpu", "unknown attribute 'target-cpu'; a string attribute is a pair: ('target-cpu', '')"),
        ("align", "'align' is not an enum attribute"),
        (("nounwind", 1), "'nounwind' is not an integer attribute"),
        (("align", TYPES.integer(8)), "'align' is not a type attribute"),
        (("align", "8"), "attribute align cannot have '8'"),
        (("frame-pointer", 1), "'frame-pointer' is not an integer attribute"),
        (("sret", None), "attribute sret cannot have None"),
    ],
)
def test_errors(given: object, message: str):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared whole
        attribute(given)
    assert str(caught.value) == message


def test_sets_and_lists():
    assert str(attribute_set(["readonly", ("align", 8), "noalias"])) == "noalias readonly align 8"
    listed = attribute_list(["cold"], ["noundef"], {1: ["nonnull"], 0: []})
    assert repr(listed) == "<AttributeList function: cold; return: noundef; parameter 1: nonnull>"

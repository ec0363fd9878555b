"""Names, numbers and positions of attributes are those of llvm-as 22."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

import bitcodec
from answers import recall
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.tables.attributes import ATTRIBUTE_KINDS, AttributeKind, AttributePosition, AttributeValue, first_version

NEWEST = 22
VALUES = {
    "align": " 4",
    "allockind": '("alloc,zeroed")',
    "allocsize": "(1)",
    "captures": "(address)",
    "memory": "(read)",
    "nofpclass": "(nan)",
    "uwtable": "(sync)",
    "vscale_range": "(1,2)",
}
TYPES = {"nofpclass": "float", "range": "i32", "signext": "i32", "zeroext": "i32", "noext": "i32", "allocalign": "i64"}
FORMS = {
    AttributePosition.FUNCTION: "declare ptr @f(i64, i64) {}\n",
    AttributePosition.RETURN: "declare {} {} @f(i64, i64)\n",
    AttributePosition.PARAMETER: "declare void @f({} {})\n",
}
OTHERS = ("builtin", "readnone", "readonly", "writeonly", "align")
"""Names that mean something else behind the parameters of a function, or are for calls only."""
ROWS = [row for row in ATTRIBUTE_KINDS.values() if first_version(row.number) <= NEWEST]


def texts_of(row: AttributeKind) -> list[str]:
    """Return a declaration with the attribute in each position."""
    values = {
        AttributeValue.FLAG: "",
        AttributeValue.TYPE: "(i32)",
        AttributeValue.INTEGER: "(8)",
        AttributeValue.RANGE: "(i32 0, 5)",
        AttributeValue.RANGES: "((0, 4))",
    }
    word = row.name + VALUES.get(row.name, values[row.value])
    kind = TYPES.get(row.name, "ptr")
    found = []
    for position, form in FORMS.items():
        parts = [word] if position is AttributePosition.FUNCTION else [kind, word]
        found.append(form.format(*(parts if position is AttributePosition.PARAMETER else parts[::-1])))
    return found


def groups(data: bytes) -> list[Any]:
    """Return the records of the attributes of a module."""
    blocks = bitstream.loads(data).edit().block(BlockId.MODULE_BLOCK).blocks
    return [
        [*record.operands] for block in blocks if block.id == BlockId.PARAMATTR_GROUP_BLOCK for record in block.records
    ]


def assembled(text: str) -> list[Any] | None:
    """Return the records that llvm-as 22 makes, None if it refuses the attribute."""
    run = subprocess.run(
        ["llvm-as-22", "-disable-verify", "-", "-o", "-"], input=text.encode(), capture_output=True, check=False
    )
    return None if run.returncode else groups(run.stdout)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_numbers_and_positions(row: AttributeKind) -> None:
    texts = texts_of(row)
    found = recall(["attributes of llvm-as-22", *texts], lambda: [assembled(text) for text in texts])
    for position, text, records in zip(FORMS, texts, found, strict=True):
        if position is AttributePosition.FUNCTION and row.name in OTHERS:
            continue
        assert (records is not None) == (position in row.positions), text
        if records is not None:
            module = bitcodec.parse_assembly(text)
            assert groups(bitcodec.dumps(module)) == records
            assert row.name in str(bitcodec.loads(bitcodec.dumps(module)))

"""Places of the fields of debug-info nodes in records and among operands are those of LLVM 22."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

import bitcodec
from answers import recall
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_rows import FieldKind as K
from bitcodec.tables.debug_info_rows import Node, NodeField

NEWEST = 22
OTHERS = {
    "DICompileUnit": ({"sourceLanguageName", "sourceLanguageVersion"}, {"language"}),
    "DIFixedPointType": ({"numerator", "denominator"}, {"factor"}),
    "DIDerivedType": (
        {"align"},
        {
            *("ptrAuthKey", "ptrAuthIsAddressDiscriminated", "ptrAuthExtraDiscriminator", "ptrAuthIsaPointer"),
            "ptrAuthAuthenticatesNullValues",
        },
    ),
}
"""Fields of which a node has the ones or the others."""
NUMBERS = {"ptrAuthKey": "5", "enumKind": "DW_APPLE_ENUM_KIND_Open", "sourceLanguageName": "DW_LNAME_Rust"}
REQUIRED = ("language",)
"""Fields instead of which a node must have another."""
DISTINCT = ("DICompileUnit", "DISubprogram")


def value_of(field: NodeField, number: int) -> str:
    """Return text for a field that no other field of the node has."""
    if field.name in NUMBERS:
        return NUMBERS[field.name]
    match field.kind:
        case K.BOOLEAN:
            return str(not field.default).lower()
        case K.STRING | K.STRING_OR_NONE:
            return f'"text {number}"'
        case K.NAMED | K.FLAGS:
            assert field.names is not None
            return next(name for value, name in field.names.spellings.items() if value and value != field.default)
        case K.NODE | K.NODE_ID | K.TYPE:
            return f"!{number}"
        case K.NODES:
            return f"{{!{number}}}"
    return str(number)


def nodes() -> Iterator[tuple[Node, list[NodeField]]]:
    """Yield each kind of node with the fields that it has at the same time, and with those that it must have."""
    for row in NODES:
        fields = [field for field in row.fields if field.since <= NEWEST and not field.width_of]
        if row.since <= NEWEST:
            for without in OTHERS.get(row.name, (set(),)):
                yield row, [field for field in fields if field.name not in without]
            yield row, [field for field in fields if field.is_required or field.name in REQUIRED]


def text() -> str:
    """Return a module with all kinds of nodes."""
    lines, made, number = [], [], 1
    for row, fields in nodes():
        values = {field.name: value_of(field, number + place) for place, field in enumerate(fields)}
        values |= {"kind": "Rational"} if "numerator" in values else {}
        values |= {"tag": "DW_TAG_LLVM_ptrauth_type"} if "ptrAuthKey" in values else {}
        numbers = [value.strip("{!}") for value in values.values() if "!" in value]
        lines += [f'!{each} = distinct !{{!"node {each}"}}' for each in numbers]
        number += len(fields) + 1
        made.append(f"!{number - 1}")
        described = ", ".join(f"{name}: {value}" for name, value in values.items())
        lines.append(f"{made[-1]} = {'distinct ' * (row.name in DISTINCT)}!{row.name}({described})")
    return "\n".join([f"!all = !{{{', '.join(made)}}}", *lines, ""])


def records(data: bytes) -> list[Any]:
    """Return the records of the metadata of a module, strings and offsets aside."""
    block = bitstream.loads(data).edit().block(BlockId.MODULE_BLOCK).block(BlockId.METADATA_BLOCK)
    return [[each.code, *each.operands] for each in block.records if each.code not in (35, 38, 39)]


def answers(written: str) -> list[Any]:
    """Return the records that LLVM 22 writes, and the text that it prints of them."""
    data = subprocess.run(
        ["llvm-as-22", "-disable-verify", "-", "-o", "-"], input=written.encode(), capture_output=True, check=True
    ).stdout
    printed = subprocess.run(["llvm-dis-22", "-", "-o", "-"], input=data, capture_output=True, check=True).stdout
    return [records(data), printed.decode().partition("!all")[2]]


def test_places_of_fields() -> None:
    written = text()
    data = bitcodec.dumps(bitcodec.parse_assembly(written))

    made, printed = recall(["llvm-as-22, llvm-dis-22", written], lambda: answers(written))
    assert records(data) == made
    assert str(bitcodec.loads(data)).partition("!all")[2] == printed


def message_of(written: str) -> str:
    """Return what llvm-as 22 reports, without the place."""
    run = subprocess.run(["llvm-as-22", "-", "-o", "-"], input=written.encode(), capture_output=True, check=False)
    return run.stderr.decode().partition("error: ")[2].partition("\n")[0]


NUMBERED = [
    (row.name, field.name)
    for row in NODES
    for field in row.fields
    if row.since <= NEWEST >= field.since
    and field.kind in (K.NUMBER, K.COLUMN, K.NAMED, K.NUMBER_OR_NONE)
    and not field.width_of
]


@pytest.mark.parametrize(("node", "field"), NUMBERED)
def test_largest_numbers(node: str, field: str) -> None:
    written = f"!0 = distinct !{node}({field}: 18446744073709551616)\n"
    message = recall(["message of llvm-as-22", written], lambda: message_of(written))
    with pytest.raises(bitcodec.AssemblyError) as caught:
        bitcodec.parse_assembly(written)
    assert str(caught.value).partition(": ")[2] == message

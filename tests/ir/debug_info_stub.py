"""Writes the stub of `bitcodec.ir.debug_info` from the table: `python tests/ir/debug_info_stub.py`."""

from __future__ import annotations

from pathlib import Path

from bitcodec.ir import debug_info
from bitcodec.tables.debug_info import ABSTRACT_NODES, NODES
from bitcodec.tables.debug_info_rows import Field, Kind, Node

STUB = Path(debug_info.__file__).with_suffix(".pyi")
_HEAD = """\
# Made from bitcodec.tables.debug_info by tests/ir/debug_info_stub.py: a new field is a new row there.
from bitcodec.ir.debug_info_base import DIAssignID as DIAssignID
from bitcodec.ir.debug_info_base import DIExpression as DIExpression
from bitcodec.ir.debug_info_base import DINode as DINode
from bitcodec.ir.metadata import Metadata
"""
_TYPES = {
    Kind.BOOLEAN: "bool",
    Kind.NUMBER_OR_NONE: "int | None",
    Kind.STRING: "str",
    Kind.STRING_OR_NONE: "str | None",
    Kind.NODE: "Metadata | None",
    Kind.NODE_ID: "Metadata | None",
    Kind.TYPE: "Metadata | None",
    Kind.INTEGER: "int | Metadata | None",
    Kind.SIGNED_INTEGER: "int | Metadata | None",
    Kind.NODES: "tuple[Metadata | None, ...]",
}


def stub() -> str:
    """Return the text of the stub."""
    abstract = [f"class {row.name}({row.base}): ..." for row in ABSTRACT_NODES]
    return "\n".join([_HEAD, *abstract, *map(_class, NODES)])


def _class(row: Node) -> str:
    fields = [f"    {field.attribute}: {_type(field)} = ..." for field in row.fields]
    return "\n".join([f"\nclass {row.name}({row.base}):", *fields, "    is_distinct: bool = ..."])


def _type(field: Field) -> str:
    return _TYPES.get(field.kind, "int")


if __name__ == "__main__":
    STUB.write_text(stub() + "\n", encoding="utf-8")

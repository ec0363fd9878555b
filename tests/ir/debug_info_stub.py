"""Writes the stub of `bitcodec.ir.debug_info` from the table: `python tests/ir/debug_info_stub.py`."""

from __future__ import annotations

from pathlib import Path

from bitcodec.ir import debug_info
from bitcodec.tables.debug_info import ABSTRACT_NODES, NODES
from bitcodec.tables.debug_info_rows import AbstractNode, FieldKind, Node, NodeField

STUB = Path(debug_info.__file__).with_suffix(".pyi")
_HEAD = """\
# Made from bitcodec.tables.debug_info by tests/ir/debug_info_stub.py: a new field is a new row there.
# Classes of nodes are those that LLVM's verifier requires; in a module that it rejects, a field may refer to others.
from bitcodec.ir.debug_info_base import DIAssignID as DIAssignID
from bitcodec.ir.debug_info_base import DIExpression as DIExpression
from bitcodec.ir.debug_info_base import DINode as DINode
from bitcodec.ir.metadata import MDTuple, Metadata
"""
_TYPES = {
    FieldKind.BOOLEAN: "bool",
    FieldKind.NUMBER_OR_NONE: "int | None",
    FieldKind.STRING: "str",
    FieldKind.STRING_OR_NONE: "str | None",
    FieldKind.INTEGER: "int | Metadata | None",
    FieldKind.SIGNED_INTEGER: "int | Metadata | None",
    FieldKind.NODES: "tuple[Metadata | None, ...]",
}
MAX_LINE_LENGTH = 120
_REFERENCES = {FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE}
_LISTS = [
    "annotations",
    "elements",
    "enums",
    "globals",
    "imports",
    "macros",
    "nodes",
    "retained_nodes",
    "retained_types",
    "template_params",
    "thrown_types",
    "types",
]
_CLASSES = {
    **dict.fromkeys(_LISTS, "MDTuple"),
    **dict.fromkeys(["base_type", "containing_type", "specification", "type", "vtable_holder"], "DIType"),
    **dict.fromkeys(["expression", "string_length_expression", "string_location_expression"], "DIExpression"),
    "discriminator": "DIDerivedType",
    "entity": "DINode",
    "file": "DIFile",
    "inlined_at": "DILocation",
    "scope": "DIScope",
    "string_length": "DIVariable",
    "unit": "DICompileUnit",
}
"""The class that a field of this name refers to, where `_EXCEPTIONS` has no other."""
_EXCEPTIONS = {
    ("DICommonBlock", "declaration"): "DIGlobalVariable | None",
    ("DICompileUnit", "file"): "DIFile",
    ("DIGlobalVariable", "declaration"): "DIDerivedType | None",
    ("DIGlobalVariableExpression", "variable"): "DIGlobalVariable",
    ("DILabel", "scope"): "DILocalScope",
    ("DILexicalBlock", "scope"): "DILocalScope",
    ("DILexicalBlockFile", "scope"): "DILocalScope",
    ("DILocalVariable", "scope"): "DILocalScope",
    ("DILocation", "scope"): "DILocalScope",
    ("DISubprogram", "declaration"): "DISubprogram | None",
    ("DISubprogram", "type"): "DISubroutineType | None",
}

_PROPERTIES = {"DIFile": ["    @property", "    def path(self) -> str: ..."]}
"""Lines of classes that have more than the table says."""


def stub() -> str:
    """Return the text of the stub."""
    abstract = [_class(row, _common_fields(row.name)) for row in ABSTRACT_NODES]
    concrete = [_class(row, {**_fields(row), "is_distinct": "bool"}) for row in NODES]
    return "\n".join([_HEAD.rstrip(), *abstract, *concrete])


def _patterns(row: Node) -> list[str]:
    """Return the lines that list what the positional patterns of a class match."""
    names = [f'"{field.attribute}"' for field in row.fields]
    line = f"    __match_args__ = ({', '.join(names)})"
    if len(line) <= MAX_LINE_LENGTH:
        return [line]
    return ["    __match_args__ = (", *(f"        {name}," for name in names), "    )"]


def _class(row: AbstractNode | Node, fields: dict[str, str]) -> str:
    patterns = _patterns(row) if isinstance(row, Node) else []
    lines = [
        *patterns,
        *(f"    {field}: {type_} = ..." for field, type_ in fields.items()),
        *_PROPERTIES.get(row.name, []),
    ]
    return "\n".join([f"\nclass {row.name}({row.base}):", f'    """{row.meaning}"""', *([""] if lines else []), *lines])


def _common_fields(name: str) -> dict[str, str]:
    """Return the fields that all classes derived from an abstract one have, with the same type."""
    derived = [row.name for row in ABSTRACT_NODES if row.base == name]
    tables = [_fields(row) for row in NODES if row.base == name] + [_common_fields(each) for each in derived]
    return dict(item for item in tables[0].items() if all(item in table.items() for table in tables))


def _fields(row: Node) -> dict[str, str]:
    return {field.attribute: _type(row.name, field) for field in row.fields}


def _type(node: str, field: NodeField) -> str:
    if field.kind not in _REFERENCES:
        return _TYPES.get(field.kind, "int")
    return _EXCEPTIONS.get((node, field.attribute), f"{_CLASSES.get(field.attribute, 'Metadata')} | None")


if __name__ == "__main__":
    STUB.write_text(stub() + "\n", encoding="utf-8")

"""Writes the stub of `bitcodec.ir.global_fields` from the table: `python tests/ir/global_fields_stub.py`."""

from __future__ import annotations

from pathlib import Path

from bitcodec.ir import global_fields
from bitcodec.tables.global_rows import GlobalField, GlobalFieldKind
from bitcodec.tables.globals import FIELDS, fields_of

STUB = Path(global_fields.__file__).with_suffix(".pyi")
_HEAD = """\
# Made from bitcodec.tables.globals by tests/ir/global_fields_stub.py: a new field is a new row there.
from collections.abc import Callable

from bitcodec.ir.assignments import Checked, ValueCheck
from bitcodec.ir.globals import Comdat
from bitcodec.tables.linkage import {members}

__all__ = ["FunctionFields", "ObjectFields", "ValueFields", "VariableFields", "check_fields", "field_names"]

def field_names(owner: str) -> tuple[str, ...]: ...
def check_fields(owner: type, **checks: ValueCheck) -> list[tuple[Callable[[object, object], None], object]]: ...
"""
_CLASSES = {
    "ValueFields": "GlobalValue",
    "ObjectFields": "GlobalObject",
    "VariableFields": "GlobalVariable",
    "FunctionFields": "Function",
}
_TYPES = {
    GlobalFieldKind.BOOLEAN: "bool",
    GlobalFieldKind.ALIGNMENT: "int | None",
    GlobalFieldKind.TEXT: "str",
    GlobalFieldKind.SECTION: "str",
    GlobalFieldKind.COLLECTOR: "str",
    GlobalFieldKind.COMDAT: "Comdat | None",
}
"""Types of fields, but for members of enumerations; fields of other kinds are properties of the classes."""


def stub() -> str:
    """Return the text of the stub."""
    members = sorted({field.members.__name__ for field in FIELDS if field.members is not None and field.owner})
    classes = [_class(name, owner) for name, owner in _CLASSES.items()]
    return "\n".join([_HEAD.format(members=", ".join(members)).rstrip(), *classes]) + "\n"


def _class(name: str, owner: str) -> str:
    fields = [field for field in fields_of(owner) if field.members is not None or field.kind in _TYPES]
    doc = getattr(global_fields, name).__doc__
    return "\n".join(
        [f'\nclass {name}:\n    """{doc}"""\n', *(f"    {each.attribute}: {_type(each)}" for each in fields)]
    )


def _type(field: GlobalField) -> str:
    if field.members is None:
        return _TYPES[field.kind]
    name, none = field.members.__name__, " | None" if field.default is None else ""
    return f"Checked[{name}{none}, {name} | str{none}]"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")

"""The stub of the attributes of globals, and rows of the table."""

from __future__ import annotations

import pytest

from bitcodec.ir.context import Context
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.tables.globals import FIELDS, fields_in

from .global_fields_stub import STUB, stub


def test_the_stub_has_the_attributes_of_the_table() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run `python tests/ir/global_fields_stub.py`"


def test_new_globals_have_the_defaults_of_the_table() -> None:
    types = Context().types
    pointer = types.pointer(0)
    made = {
        "variable": GlobalVariable(pointer, types.integer(8)),
        "function": Function(pointer, types.function(types.integer(8), [])),
    }
    for record, value in made.items():
        for field in fields_in(record):
            if field.owner and field.members is not None:
                assert getattr(value, field.attribute) is field.default


@pytest.mark.parametrize("record", ["variable", "function", "alias", "old_alias", "ifunc"])
def test_a_record_has_each_field_once(record: str) -> None:
    fields = fields_in(record)
    assert len({field.name for field in fields}) == len(fields)
    bits = [(getattr(field, record), field.bit) for field in fields]
    assert len(set(bits)) == len(bits)


def test_what_older_versions_lose_has_a_version() -> None:
    assert all(field.since for field in FIELDS if field.construct)

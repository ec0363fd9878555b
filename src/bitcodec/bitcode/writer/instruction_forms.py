# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, F821
"""The programs that write instructions, as C integers and offsets, which the compiled loop follows.

Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

from bitcodec.bitcode.writer.programs import SourceKind, When, packed_number
from bitcodec.host import native

_FROM_ATTRIBUTE = SourceKind.ATTRIBUTE
_FROM_CODE_OF = SourceKind.CODE_OF
_FROM_TABLE = SourceKind.TABLED
_FROM_ALL_FLAGS = SourceKind.ALL_FLAGS
_FROM_PACKED = SourceKind.PACKED
_MORE_OPERANDS = When.MORE_OPERANDS
_MAX_FIELDS = 16
_MAX_PART = 0xFFFF_FFFF


class RecordTypes:
    """The types that values have in records: their own, unless pointers are written with types."""

    def type_of(self, value):
        """Return the type that a value has."""
        return value.type

    def explicit_type(self, _instruction):
        """Return the type that the record of an alloca, an address or a call has.

        Raises:
            NotImplementedError: only records with typed pointers have another than the instruction.
        """
        raise NotImplementedError


class InstructionForm:
    """A form of the record of a class of instructions, and the condition under which it is taken.

    Args:
        kind: the class.
        program: the form and its steps, as in `programs`.
    """

    def __init__(self, kind, program) -> None:
        form, self.steps = program
        self.code, _, self.abbreviation, self.with_flags, self.condition, self.argument = form
        self.limit = self.argument if self.condition == _MORE_OPERANDS else 0
        if native.COMPILED:
            self._set_fields(kind)

    def _set_fields(self, kind):
        """Set the fields that the compiled loop reads."""
        self.details, self.names = [], []
        self.count = self.attribute_count = 0
        self.offset = member_offset(kind, self.argument[0]) if isinstance(self.argument, tuple) else 0
        for source, place, what, number, when in self.steps:
            if self.count == _MAX_FIELDS:
                raise AssertionError(f"{kind.__name__} has a form of more than {_MAX_FIELDS} fields")
            self.fields[self.count].source = source
            self.fields[self.count].kind = number
            self.fields[self.count].when = when
            self.fields[self.count].place = place
            self.fields[self.count].attribute = self.attribute_count
            self.details.append(self._add_attributes(kind, source, what))
            self.count += 1
        return 0

    def _add_attributes(self, kind, source, what):
        """Add the attributes that a field is written from; return its other details."""
        if source in (_FROM_ATTRIBUTE, _FROM_CODE_OF):
            self._add_attribute(kind, what)
        elif source == _FROM_TABLE:
            name, what = what
            self._add_attribute(kind, name)
        elif source == _FROM_ALL_FLAGS:
            for name in what:
                self._add_attribute(kind, name)
        elif source == _FROM_PACKED:
            for name, factor, _, is_flag in what[1]:
                if not 0 < factor <= _MAX_PART:
                    raise AssertionError(f"{kind.__name__} has a record with {name} multiplied by {factor}")
                self._add_attribute(kind, name, factor, is_flag)
        return what

    def _add_attribute(self, kind, name, factor=1, is_flag=0):
        if self.attribute_count == _MAX_FIELDS:
            raise AssertionError(f"{kind.__name__} has a form of more than {_MAX_FIELDS} attributes")
        self.attributes[self.attribute_count].offset = member_offset(kind, name)
        self.attributes[self.attribute_count].factor = factor
        self.attributes[self.attribute_count].is_flag = is_flag
        self.attribute_count += 1
        self.names.append(name)
        return 0

    def is_other_value(self, instruction):
        """Return whether the attribute that the condition names has another value than the condition."""
        name, value = self.argument
        found = read_attribute(instruction, self.offset, name) if native.COMPILED else getattr(instruction, name)
        return found is not value

    def attribute_of(self, instruction, place):
        """Return an attribute of an instruction: one of those that fields are written from, by place."""
        return read_attribute(instruction, self.attributes[place].offset, self.names[place])

    def put_packed(self, number, instruction, rows):
        """Add an operand that several attributes have a part of: the field of this number, with the source `PACKED`."""
        place = self.fields[number].attribute
        base, parts = self.details[number]
        packed = base
        for _, _, table, _ in parts:
            value = self.attribute_of(instruction, place)
            if table is not None:
                part = PyLong_AsUnsignedLongLong(table[value])
            elif self.attributes[place].is_flag:
                part = is_set(value)
            else:
                part = PyLong_AsUnsignedLongLong(value)
            if part > _MAX_PART:
                # C would leave out the highest bits.
                return rows.put_object(packed_number(instruction, base, parts))
            packed |= part * self.attributes[place].factor
            place += 1
        return rows.put(packed)


def is_set(value):
    """Return whether a value is true; flags are integers whose class decides that in Python."""
    return value != 0 if isinstance(value, int) else bool(value)

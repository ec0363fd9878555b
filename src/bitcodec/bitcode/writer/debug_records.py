# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202
"""The records of debug locations and of debug records in a body.

Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import CALL_EXPLICIT_TYPE_BIT
from bitcodec.bitcode.writer import bodies, nodes
from bitcodec.bitcode.writer.abbreviations import LOCATION_LENGTH, FunctionAbbreviation
from bitcodec.bitcode.writer.metadata_ids import NO_METADATA
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.errors import EncodingError, quote_name
from bitcodec.host import native
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind
from bitcodec.ir.metadata import ValueAsMetadata

_MASK = 0xFFFF_FFFF
_UNABBREVIATED = UNABBREVIATED
_NO_METADATA = NO_METADATA
_LOCATION = FunctionCode.DEBUG_LOC
_LOCATION_ID = FunctionAbbreviation.DEBUG_LOC
_LABEL = FunctionCode.DEBUG_RECORD_LABEL
_VALUE_SIMPLE = FunctionCode.DEBUG_RECORD_VALUE_SIMPLE
_VALUE_SIMPLE_ID = FunctionAbbreviation.DEBUG_RECORD_VALUE_SIMPLE
_CALL = FunctionCode.INST_CALL
_PLAIN_CALL = 1 << CALL_EXPLICIT_TYPE_BIT
_PLACES = {name: place for place, name in enumerate(DILocation.defaults)}
_LINE = _PLACES["line"]
_COLUMN = _PLACES["column"]
_SCOPE_PLACE = _PLACES["scope"]
_INLINED_AT = _PLACES["inlined_at"]
_IS_IMPLICIT = _PLACES["is_implicit_code"]
_ATOM_GROUP = _PLACES["atom_group"]
_ATOM_RANK = _PLACES["atom_rank"]
_OLDEST_LENGTH = 4
"""How many operands debug locations had at first."""
_DBG_VALUE, _DBG_ASSIGN = DbgVariableKind.VALUE, DbgVariableKind.ASSIGN


class DebugRecordWriter:
    """Makes the records of debug locations and of debug records, body by body.

    Args:
        numbers: the numbers of the module and, while a body is written, of its function.
    """

    def __init__(self, numbers) -> None:
        self._values = numbers.values
        self._types = numbers.types
        self._ids = numbers.metadata_ids
        self._texts = numbers.metadata_ids.texts
        self._objects = numbers.metadata_ids.objects
        dialect = numbers.dialect
        self._debug_codes = dialect.debug_codes
        self._debug_calls = dialect.debug_calls
        self._node_programs = dialect.node_programs
        self._offset = dialect.offset
        self._has_implicit = dialect.location_length > _OLDEST_LENGTH
        self._has_atoms = dialect.location_length == LOCATION_LENGTH

    def _begin(self, body, rows, number):
        """Begin a body; its first instruction that has a value has this number, and `rows` receives the records."""
        self._body = body
        self._rows = rows
        self._number = number
        self._scope = self._inlined_at = None
        self._scope_id = self._inlined_at_id = 0
        return 0

    def _write_location(self, location):
        rows = self._rows
        content = nodes.location_content(location)
        scope = content[_SCOPE_PLACE]
        inlined_at = content[_INLINED_AT]
        # Most are in the scope of the one before.
        if scope is not self._scope or scope is None:
            self._scope_id = nodes.id_of(scope, self._ids, self._texts, self._objects) + 1
            self._scope = scope
        if inlined_at is not self._inlined_at:
            self._inlined_at_id = 0
            if inlined_at is not None:
                self._inlined_at_id = nodes.id_of(inlined_at, self._ids, self._texts, self._objects) + 1
            self._inlined_at = inlined_at
        rows.put_object(content[_LINE])
        rows.put_object(content[_COLUMN])
        rows.put(self._scope_id)
        rows.put(self._inlined_at_id)
        if self._has_implicit:
            rows.put_object(content[_IS_IMPLICIT])
        if self._has_atoms:
            rows.put_object(content[_ATOM_GROUP])
            rows.put_object(content[_ATOM_RANK])
        rows.end(_LOCATION, _LOCATION_ID)
        return 0

    def _write_record(self, record):
        rows = self._rows
        if isinstance(record, DbgLabelRecord):
            rows.put(self._metadata_id(record.location))
            rows.put(self._metadata_id(record.label))
            rows.end(_LABEL, _UNABBREVIATED)
            return 0
        variable = record
        rows.put(self._metadata_id(variable.location))
        rows.put(self._metadata_id(variable.variable))
        rows.put(self._metadata_id(variable.expression))
        kind = variable.kind
        metadata = bodies.location_of(variable, self._node_programs)
        if kind is _DBG_VALUE and isinstance(metadata, ValueAsMetadata):
            wrapper = metadata
            if wrapper.value is not None:
                distance = self._number - self._values.number_of(wrapper.value)
                if distance > 0:
                    rows.put(distance)
                    rows.end(_VALUE_SIMPLE, _VALUE_SIMPLE_ID)
                    return 0
        rows.put(self._metadata_id(metadata))
        if kind is _DBG_ASSIGN:
            rows.put(self._metadata_id(variable.assign_id))
            rows.put(self._metadata_id(variable.address_expression))
            rows.put(self._metadata_id(bodies.address_of(variable, self._node_programs)))
        rows.end(self._debug_codes[kind], _UNABBREVIATED)
        return 0

    def _write_debug_call(self, record):
        """Write a record as the call of a debug intrinsic, as in LLVM before 19, and its location.

        Return whether there is an intrinsic.
        """
        rows = self._rows
        function, arguments = bodies.call_of(record, self._debug_calls, self._node_programs)
        if function is None:
            return 0
        rows.put(0)
        rows.put(_PLAIN_CALL)
        rows.put_object(entry_of(self._types, function.value_type))
        rows.put((self._number - self._values.number_of(function)) & _MASK)
        rows.put((self._number - self._metadata_id(arguments[0])) & _MASK)
        if self._offset is not None and len(function.value_type.parameter_types) > len(arguments):
            rows.put((self._number - self._values.number_of(self._offset)) & _MASK)
        for metadata in arguments[1:]:
            rows.put((self._number - self._metadata_id(metadata)) & _MASK)
        rows.end(_CALL, _UNABBREVIATED)
        self._write_location(record.location)
        return 1

    def _metadata_id(self, metadata):
        number = nodes.id_of(metadata, self._ids, self._texts, self._objects)
        if number == _NO_METADATA:
            problem = "a debug record lacks a part" if metadata is None else "metadata of an erased value is still used"
            raise EncodingError(f"in @{quote_name(self._body.function.name)}, {problem}")
        return number


def entry_of(entries, key):
    """Return an entry of a dictionary that makes missing entries; indexing would call a method for each."""
    found = native.as_dict(entries).get(key)
    return entries[key] if found is None else found

# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912
"""The loop over metadata nodes that makes their records, by the programs of `debug_info`.

Rules: docs/reference/records.md, 8; docs/reference/writer.md, 11.4 and 11.7.
"""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.writer.debug_info import NODE_PROGRAMS, NodeOperation, wide_operands
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.host import native
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DILocation
from bitcodec.ir.metadata import MDNode, MDString, MDTuple, ValueAsMetadata, content_of

_WORD = 0xFFFF_FFFF_FFFF_FFFF
_VERSIONED_LANGUAGE = 1 << 63

_VALUE_CODE = MetadataCode.VALUE
_NODE = MetadataCode.NODE
_DISTINCT_NODE = MetadataCode.DISTINCT_NODE
_EXPRESSION = MetadataCode.EXPRESSION
_ASSIGN_ID = MetadataCode.ASSIGN_ID

_NUMBER = NodeOperation.NUMBER
_REFERENCE = NodeOperation.REFERENCE
_STRING = NodeOperation.STRING
_ZERO = NodeOperation.ZERO
_HEADER = NodeOperation.HEADER
_BITS = NodeOperation.BITS
_BOOLEAN = NodeOperation.BOOLEAN
_SIGNED = NodeOperation.SIGNED
_WIDE = NodeOperation.WIDE
_OPTIONAL_NUMBER = NodeOperation.OPTIONAL_NUMBER
_ID = NodeOperation.ID
_REFERENCES = NodeOperation.REFERENCES
_LANGUAGE = NodeOperation.LANGUAGE
_LAST_STRING = NodeOperation.LAST_STRING
_COMPUTED = NodeOperation.COMPUTED


def location_content(location):
    """Return the content of a debug location.

    Raises:
        TypeError: it is not a debug location.
        BitcodecError: it has not been read yet, and is malformed.
    """
    if type(location) is not DILocation:
        raise TypeError(f"{location!r} is not a debug location")
    return content_of(location)


def written_content(node, contents):
    """Return the content that is written for a node.

    Args:
        node: the node.
        contents: by node, the content that is written instead of its own; None without changes.
    """
    if contents is not None:
        instead = contents.get(node)
        if instead is not None:
            return instead
    return content_of(node)


def node_program(node, programs):
    """Return how a node is written, as a plain tuple, which is taken apart faster.

    Args:
        node: the node.
        programs: the `NodePrograms`.
    """
    found = native.as_dict(programs).get(type(node))
    return programs[type(node)] if found is None else found


class NodeWriter:
    """Makes the records of metadata nodes.

    Args:
        rows: receives the records.
        ids: the ids of everything that nodes refer to.
        programs: how nodes are written, by class.
    """

    def __init__(self, rows, ids, programs=NODE_PROGRAMS) -> None:
        self._rows = rows
        self._ids = ids
        self._programs = programs
        self._contents = programs.contents
        self._texts = ids.texts
        self._objects = ids.objects

    def write_all(self, keys, types, values, abbreviations):
        """Add the records of constants and nodes.

        Args:
            keys: the constants and nodes.
            types, values: numbers of types and values.
            abbreviations: by record code, the ids to write records by.
        """
        rows = self._rows
        for key in keys:
            if isinstance(key, MDNode):
                self._write_node(key, abbreviations)
            else:
                constant = types.written(key)
                rows.put_object(types.of(constant))
                rows.put(values.number_of(constant))
                rows.end(_VALUE_CODE, UNABBREVIATED)

    def write(self, node, abbreviations):
        """Add the record of a node.

        Raises:
            KeyError: something that it refers to has no id.
        """
        self._write_node(node, abbreviations)

    def _write_node(self, node, abbreviations):
        rows = self._rows
        content = written_content(node, self._contents)
        if isinstance(node, MDTuple):
            code = _DISTINCT_NODE if node.is_distinct else _NODE
            for part in content:
                self._put_reference(part)
        elif isinstance(node, DIExpression):
            code = _EXPRESSION
            rows.put_object(self._programs.expression_header | node.is_distinct)
            for element in content:
                rows.put_object(element)
        elif isinstance(node, DIAssignID):
            code = self._programs.assign_id_code
            if code == _ASSIGN_ID:
                rows.put(1)
        else:
            code, _, _, operands = node_program(node, self._programs)
            self._write_operands(node, content, operands)
        rows.end(code, abbreviations.get(code, UNABBREVIATED) if abbreviations else UNABBREVIATED)
        return 0

    def _write_operands(self, node, content, program):
        rows = self._rows
        for operation, place, what in program:
            if operation == _ZERO:
                rows.put(0)
                continue
            if operation == _HEADER:
                base, bits = what
                rows.put_object(_word(base | 1 if node.is_distinct else base, content, bits))
                continue
            if operation == _BITS:
                rows.put_object(_word(0, content, what))
                continue
            part = content[place]
            if operation == _NUMBER:
                rows.put_object(part)
            elif operation == _REFERENCE:
                self._put_reference(part)
            elif operation == _STRING:
                self._put_reference(part or None)
            elif operation == _BOOLEAN:
                rows.put_object(int(part))
            elif operation == _ID:
                rows.put(id_of(part, self._ids, self._texts, self._objects))
            elif operation == _SIGNED:
                rows.put_object(part & _WORD)
            elif operation == _WIDE:
                for word in wide_operands(content, part, what):
                    rows.put_object(word)
            elif operation == _OPTIONAL_NUMBER:
                # A number whose missing value is encoded as 0 is stored plus one.
                rows.put_object(what if part is None else part if what else part + 1)
            elif operation == _REFERENCES:
                for each in part:
                    self._put_reference(each)
            elif operation == _LANGUAGE:
                name = content[what]
                rows.put_object(part if name is None else _VERSIONED_LANGUAGE | name)
            elif operation == _COMPUTED:
                rows.put_object(what(content))
            elif operation == _LAST_STRING and part is not None:
                self._put_reference(part)
        return 0

    def _put_reference(self, metadata):
        rows = self._rows
        if metadata is None:
            return rows.put(0)
        return rows.put(id_of(metadata, self._ids, self._texts, self._objects) + 1)


def id_of(metadata, ids, texts, objects):
    """Return the id of metadata, `NO_METADATA` for None and wrappers of deleted values.

    Args:
        metadata: the metadata.
        ids: the `MetadataIds`, which know all forms of metadata but take longer.
        texts, objects: its tables.
    """
    number = -1
    key = metadata
    if not isinstance(metadata, MDNode):
        if isinstance(metadata, MDString):
            string = metadata
            key = string.text
        elif isinstance(metadata, ValueAsMetadata):
            wrapper = metadata
            key = wrapper.value
    if type(key) is str:
        found = texts.get(key)
        if found is not None:
            return found
    elif native.COMPILED:
        number = objects.find(key)
    else:
        number = objects.get(key, -1)
    return ids[metadata] if number < 0 else number


def _word(base, content, bits):
    """Return an operand with fields in some of its bits."""
    for place, shift in bits:
        base |= content[place] << shift
    return base

# cython: language_level=3, nonecheck=True, auto_pickle=False
"""The loops over metadata nodes: one finds in whose block each stands, the other makes their records.

Rules: bitcode record reference, section 8; writer reference, sections 11.4 and 11.7.
"""

from __future__ import annotations

from itertools import chain

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.upgrade.debug_info_records import EXPRESSION_VERSION
from bitcodec.bitcode.writer.debug_info import Operation, program_of, wide_operands
from bitcodec.bitcode.writer.metadata_ids import MODULE
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.errors import EncodingError
from bitcodec.ir.constants import Constant
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DILocation
from bitcodec.ir.debug_info_base import DINode
from bitcodec.ir.debug_records import DbgVariableKind
from bitcodec.ir.metadata import LocalAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue

if cython.compiled:
    from cython.cimports.bitcodec.bitstream.rows import Rows
    from cython.cimports.bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableRecord
    from cython.cimports.bitcodec.ir.instructions.calls import CallBase
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.metadata import DIArgList, MDNode, MDString, MDTuple, ValueAsMetadata
    from cython.cimports.bitcodec.ir.values import Value
else:
    from bitcodec.bitstream.rows import Rows
    from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableRecord
    from bitcodec.ir.instructions.calls import CallBase
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import DIArgList, MDNode, MDString, MDTuple, ValueAsMetadata
    from bitcodec.ir.values import Value

COMPILED = cython.compiled

_MODULE = cython.declare(cython.longlong, MODULE)
_UNKNOWN = cython.declare(cython.longlong, -1)
_WORD = 0xFFFF_FFFF_FFFF_FFFF
_VERSIONED_LANGUAGE = 1 << 63
_DBG_ASSIGN = DbgVariableKind.ASSIGN

_VALUE_CODE = cython.declare(cython.uint, MetadataCode.VALUE)
_NODE = cython.declare(cython.uint, MetadataCode.NODE)
_DISTINCT_NODE = cython.declare(cython.uint, MetadataCode.DISTINCT_NODE)
_EXPRESSION = cython.declare(cython.uint, MetadataCode.EXPRESSION)
_ASSIGN_ID = cython.declare(cython.uint, MetadataCode.ASSIGN_ID)
_EXPRESSION_HEADER = cython.declare(cython.ulonglong, EXPRESSION_VERSION << 1)

_NUMBER = cython.declare(cython.int, Operation.NUMBER)
_REFERENCE = cython.declare(cython.int, Operation.REFERENCE)
_STRING = cython.declare(cython.int, Operation.STRING)
_ZERO = cython.declare(cython.int, Operation.ZERO)
_HEADER = cython.declare(cython.int, Operation.HEADER)
_BITS = cython.declare(cython.int, Operation.BITS)
_BOOLEAN = cython.declare(cython.int, Operation.BOOLEAN)
_SIGNED = cython.declare(cython.int, Operation.SIGNED)
_WIDE = cython.declare(cython.int, Operation.WIDE)
_OPTIONAL_NUMBER = cython.declare(cython.int, Operation.OPTIONAL_NUMBER)
_ID = cython.declare(cython.int, Operation.ID)
_REFERENCES = cython.declare(cython.int, Operation.REFERENCES)
_LANGUAGE = cython.declare(cython.int, Operation.LANGUAGE)
_LAST_STRING = cython.declare(cython.int, Operation.LAST_STRING)

_PLACES = {name: place for place, name in enumerate(DILocation.defaults)}
_SCOPE = cython.declare(cython.Py_ssize_t, _PLACES["scope"])
_INLINED_AT = cython.declare(cython.Py_ssize_t, _PLACES["inlined_at"])


@cython.cfunc
def location_content(location):
    """Return the content of a debug location.

    Raises:
        TypeError: it is no debug location.
        BitcodecError: it has not been read yet, and is malformed.
    """
    if type(location) is not DILocation:
        raise TypeError(f"{location!r} is not a debug location")
    return _content(location)


@cython.cfunc
def _content(node: MDNode):
    """Return the content of a node, which may have to be read first."""
    content = node._content
    return content if type(content) is tuple else node._read_content()


_PROGRAMS: dict = {}
"""By class of node, its program as a plain tuple, which is taken apart faster."""


@cython.cfunc
def _program_of(node):
    kind = type(node)
    found = _PROGRAMS.get(kind)
    if found is None:
        found = _PROGRAMS[kind] = tuple(program_of(kind))
    return found


@cython.cclass
class MetadataCollector:
    """Collects metadata, and knows for each whether it is the module's own or stands in the block of a function.

    Args:
        ids: of the module's own metadata.
        constants: takes the constants that metadata wraps.
        is_in_file: returns whether metadata is the module's own in the file; None if nothing is kept of a file.
    """

    def __init__(self, ids, constants, is_in_file=None) -> None:
        self.ids = ids
        self._constants = constants
        self._is_in_file = is_in_file
        self._tags = {}
        self._ordered = []

    def collect_function(self, function, tag: cython.longlong):
        """Collect what a function refers to."""
        for _, node in function.metadata:
            self._add(node, tag)
        self._last_location = self._scope = self._inlined_at = None
        for block in function._blocks:
            self._collect_block(block._instructions, tag)

    def add(self, metadata, tag: cython.longlong):
        """Collect metadata, and all that it refers to.

        Raises:
            EncodingError: a node refers to a list of arguments.
        """
        self._add(metadata, tag)

    def in_order(self):
        """Return what has been collected by tag: in LLVM's order, strings, constants, distinct nodes, other nodes."""
        found: dict = {}
        node: MDNode
        for key in self._ordered:
            tag = self._tags[key]
            ranked = found.get(tag)
            if ranked is None:
                ranked = found[tag] = ([], [], [], [])
            if isinstance(key, MDNode):
                node = key
                ranked[2 if node.is_distinct else 3].append(key)
            else:
                ranked[0 if type(key) is str else 1].append(key)
        return {tag: [*chain.from_iterable(ranked)] for tag, ranked in found.items()}

    def take(self):
        """Return what `in_order` returns, and forget it."""
        found = self.in_order()
        for key in self._ordered:
            del self._tags[key]
        self._ordered = []
        return found

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _collect_block(self, instructions, tag: cython.longlong) -> cython.int:
        instruction: Instruction
        for instruction in instructions:
            if instruction._records:
                for record in instruction.debug_records:
                    self._collect_record(record, tag)
            if isinstance(instruction, CallBase):
                for operand in instruction._operands:
                    if type(operand) is MetadataAsValue:
                        self._collect_value(operand.metadata, tag)
            if instruction._attachments:
                for node in instruction.metadata.values():
                    self._add_known(node, tag)
            # Most locations are in the scope of the one before.
            location = instruction._location
            if location is None or location is self._last_location:
                continue
            self._last_location = location
            content: tuple = location_content(location)
            if content[_SCOPE] is not self._scope:
                self._scope = content[_SCOPE]
                self._add_known(self._scope, tag)
            if content[_INLINED_AT] is not self._inlined_at:
                self._inlined_at = content[_INLINED_AT]
                if self._inlined_at is not None:
                    self._add_known(self._inlined_at, tag)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _collect_record(self, record, tag: cython.longlong) -> cython.int:
        variable: DbgVariableRecord
        if isinstance(record, DbgLabelRecord):
            self._add_known(record.label, tag)
        else:
            variable = record
            self._collect_value(variable.value, tag)
            self._add_known(variable.variable, tag)
            self._add_known(variable.expression, tag)
            if variable.kind is _DBG_ASSIGN:
                for node in (variable.assign_id, variable.address_expression):
                    if node is not None:
                        self._add_known(node, tag)
                if variable.address is not None:
                    self._collect_value(variable.address, tag)
        self._add_known(record.location, tag)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _collect_value(self, metadata, tag: cython.longlong) -> cython.int:
        """Collect what may wrap a value of the function; that one has an id only while the function is written."""
        if isinstance(metadata, LocalAsMetadata):
            return 0
        if isinstance(metadata, DIArgList):
            for argument in metadata.arguments:
                self._collect_value(argument, tag)
        else:
            self._add(metadata, tag)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _add_known(self, node, tag: cython.longlong) -> cython.int:
        """Collect a node that most often has been collected for the same function."""
        known: cython.longlong = self._tag_of(node)
        if known == _UNKNOWN:
            self._add(node, tag)
        elif known != _MODULE and known != tag:
            self._move_to_module(node)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _add(self, metadata, tag: cython.longlong) -> cython.int:
        key = self._key(metadata)
        if key is None:
            return 0
        known: cython.longlong = self._tag_of(key)
        if known != _UNKNOWN:
            if known != _MODULE and known != tag:
                self._move_to_module(key)
        elif isinstance(key, MDNode):
            self._walk(key, tag)
        else:
            self._take_leaf(key, tag)
        return 0

    @cython.cfunc
    @cython.exceptval(-2)
    def _tag_of(self, key) -> cython.longlong:
        """Return the tag of metadata, -1 if it has not been collected."""
        found = self._tags.get(key)
        if found is not None:
            return found
        return _MODULE if self._is_in_file is not None and self._is_in_file(key) else _UNKNOWN

    @cython.cfunc
    def _key(self, metadata):
        """Return what has an id for metadata, as `MetadataIds.key` does."""
        wrapper: ValueAsMetadata
        string: MDString
        if isinstance(metadata, MDNode) or type(metadata) is str:
            return metadata
        if isinstance(metadata, MDString):
            string = metadata
            return string.text
        if isinstance(metadata, ValueAsMetadata):
            wrapper = metadata
            return wrapper.value
        return self.ids.key(metadata)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _take_leaf(self, key, tag) -> cython.int:
        """Take what refers to nothing.

        Raises:
            EncodingError: it is a list of arguments, which debug records alone may refer to.
        """
        if isinstance(key, DIArgList):
            raise EncodingError(f"a node refers to {key}, which only debug records may do")
        self._tags[key] = tag
        self._ordered.append(key)
        if isinstance(key, Constant):
            self._constants.add(key)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _walk(self, root: MDNode, tag) -> cython.int:
        """Take nodes behind those that they refer to; distinct ones behind the nodes that are not and lead to them."""
        node: MDNode
        inner: MDNode
        known: cython.longlong
        number: cython.longlong = tag
        tags: dict = self._tags
        tags[root] = tag
        pending: list = [(root, iter(self._keys(root)))]
        delayed: list = []
        while pending:
            node, rest = pending[-1]
            for key in rest:
                known = self._tag_of(key)
                if known != _UNKNOWN:
                    if known != number and known != _MODULE:
                        self._move_to_module(key)
                elif not isinstance(key, MDNode):
                    self._take_leaf(key, tag)
                else:
                    inner = key
                    if inner.is_distinct and not node.is_distinct:
                        delayed.append(inner)
                        continue
                    tags[inner] = tag
                    pending.append((inner, iter(self._keys(inner))))
                    break
            else:
                pending.pop()
                self._ordered.append(node)
                if delayed and (not pending or pending[-1][0].is_distinct):
                    for late in reversed(delayed):
                        if self._tag_of(late) == _UNKNOWN:
                            tags[late] = tag
                            pending.append((late, iter(self._keys(late))))
                    delayed = []
        return 0

    @cython.cfunc
    def _keys(self, node: MDNode):
        """Return the keys of what a node refers to: metadata, texts of strings, constants."""
        found: list = []
        content: tuple
        place: cython.Py_ssize_t
        if isinstance(node, MDTuple):
            content = _content(node)
            for part in content:
                self._add_key(part, found)
        elif isinstance(node, DINode):
            content = _content(node)
            _, references, rest, _ = _program_of(node)
            for place, is_text in references:
                part = content[place]
                if part is not None and not (is_text and part == ""):
                    self._add_key(part, found)
            if rest >= 0:
                for part in content[rest]:
                    self._add_key(part, found)
        return found

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _add_key(self, part, found: list) -> cython.int:
        if part is not None:
            key = self._key(part)
            if key is not None:
                found.append(key)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _move_to_module(self, key) -> cython.int:
        """Let metadata, and all that it refers to, be the module's own."""
        pending: list = [key]
        while pending:
            current = pending.pop()
            if not self._tags.get(current):
                continue
            self._tags[current] = MODULE
            if isinstance(current, MDNode):
                pending += self._keys(current)
        return 0


@cython.cclass
class NodeWriter:
    """Makes the records of metadata nodes.

    Args:
        rows: receives the records.
        ids: of all that nodes refer to.
    """

    def __init__(self, rows: Rows, ids) -> None:
        self._rows = rows
        self._ids = ids

    def write_all(self, keys, types, values, abbreviations: dict):
        """Add the records of constants and nodes.

        Args:
            keys: the constants and nodes.
            types, values: numbers of types and values.
            abbreviations: by record code, the ids to write records by.
        """
        constant: Value
        rows: Rows = self._rows
        for key in keys:
            if isinstance(key, MDNode):
                self.write(key, abbreviations)
            else:
                constant = key
                rows.put_object(types[constant.type])
                rows.put_object(values[constant])
                rows.end(_VALUE_CODE, UNABBREVIATED)

    def write(self, node: MDNode, abbreviations: dict):
        """Add the record of a node.

        Raises:
            KeyError: something that it refers to has no id.
        """
        rows: Rows = self._rows
        code: cython.uint
        content: tuple = _content(node)
        if isinstance(node, MDTuple):
            code = _DISTINCT_NODE if node.is_distinct else _NODE
            for part in content:
                self._put_reference(part)
        elif isinstance(node, DIExpression):
            code = _EXPRESSION
            rows.put(_EXPRESSION_HEADER | 1 if node.is_distinct else _EXPRESSION_HEADER)
            for element in content:
                rows.put_object(element)
        elif isinstance(node, DIAssignID):
            code = _ASSIGN_ID
            rows.put(1)
        else:
            code, _, _, operands = _program_of(node)
            self._write_operands(node, content, operands)
        rows.end(code, abbreviations.get(code, UNABBREVIATED))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_operands(self, node: MDNode, content: tuple, program: tuple) -> cython.int:
        operation: cython.int
        place: cython.Py_ssize_t
        rows: Rows = self._rows
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
                rows.put_object(self._id_of(part))
            elif operation == _SIGNED:
                rows.put_object(part & _WORD)
            elif operation == _WIDE:
                for word in wide_operands(node, part):
                    rows.put_object(word)
            elif operation == _OPTIONAL_NUMBER:
                # What is 0 where the number is missing is one more where it is there.
                rows.put_object(what if part is None else part if what else part + 1)
            elif operation == _REFERENCES:
                for each in part:
                    self._put_reference(each)
            elif operation == _LANGUAGE:
                name = content[what]
                rows.put_object(_VERSIONED_LANGUAGE | name if name else part)
            elif operation == _LAST_STRING and part is not None:
                self._put_reference(part)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _put_reference(self, metadata) -> cython.int:
        rows: Rows = self._rows
        if metadata is None:
            return rows.put(0)
        return rows.put_object(self._id_of(metadata) + 1)

    @cython.cfunc
    def _id_of(self, metadata):
        """Return the id of what a node refers to."""
        wrapper: ValueAsMetadata
        string: MDString
        # What these stand for has the id: `MetadataIds` would find it too, but not as fast.
        if isinstance(metadata, MDString):
            string = metadata
            return self._ids[string.text]
        if isinstance(metadata, ValueAsMetadata):
            wrapper = metadata
            if wrapper.value is not None:
                return self._ids[wrapper.value]
        return self._ids[metadata]


@cython.cfunc
def _word(base, content: tuple, bits: tuple):
    """Return an operand with fields in some of its bits."""
    for place, shift in bits:
        base |= content[place] << shift
    return base

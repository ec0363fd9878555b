# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912
"""The loop over metadata nodes that finds in whose block each belongs.

Rules: docs/reference/writer.md, 11.7.
"""

from __future__ import annotations

from itertools import chain

from bitcodec.bitcode.writer import nodes
from bitcodec.bitcode.writer.debug_info import NODE_PROGRAMS
from bitcodec.bitcode.writer.metadata_ids import MODULE
from bitcodec.errors import EncodingError
from bitcodec.host import native
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction import present
from bitcodec.ir.construction.record_bodies import record_body
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_info_base import DINode
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import DIArgList, LocalAsMetadata, MDNode, MDString, MDTuple, ValueAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.object_numbers import ObjectNumbers

_MODULE = MODULE
_UNKNOWN = -1
_DBG_ASSIGN = DbgVariableKind.ASSIGN

_PLACES = {name: place for place, name in enumerate(DILocation.defaults)}
_SCOPE = _PLACES["scope"]
_INLINED_AT = _PLACES["inlined_at"]


class MetadataCollector:
    """Collects metadata, and knows for each whether it is the module's own or belongs to the block of a function.

    Args:
        ids: of the module's own metadata.
        constants: takes the constants that metadata wraps.
        is_in_file: returns whether metadata is the module's own in the file; None if nothing is kept of a file.
        programs: how nodes are written, by class.
        type_walk: takes the types that instructions need, None if they get numbers later.
    """

    def __init__(self, ids, constants, is_in_file=None, programs=NODE_PROGRAMS, type_walk=None) -> None:
        self.ids = ids
        self._constants = constants
        self._is_in_file = is_in_file
        self._programs = programs
        self._type_walk = type_walk
        self._contents = programs.contents
        self._lost = programs.lost
        self._tags = ObjectNumbers()
        self._text_tags = {}
        self._ordered = []

    def collect_function(self, function, tag):
        """Collect the metadata that a function refers to."""
        if self._type_walk is not None:
            self._type_walk.add_arguments(function)
        for node in function.metadata.values():
            self._add(node, tag)
        self._last_location = self._scope = self._inlined_at = None
        body = record_body(function)
        if body is not None:
            for node in body.metadata:
                self._add(node, tag)
        for block in present.present_blocks(function):
            self._collect_block(present.present_instructions(block), tag)

    def add(self, metadata, tag):
        """Collect metadata, and everything that it refers to.

        Raises:
            EncodingError: a node refers to a list of arguments.
        """
        self._add(metadata, tag)

    def in_order(self):
        """Return the collected metadata by tag: in LLVM's order, strings, constants, distinct nodes, other nodes."""
        found = {}
        last = _UNKNOWN
        ranked = ()
        for key in self._ordered:
            # Most belong where the one before does.
            if self._tag_of(key) != last:
                last = self._tag_of(key)
                ranked = found.get(last) or found.setdefault(last, ([], [], [], []))
            if isinstance(key, MDNode):
                node = key
                ranked[2 if node.is_distinct else 3].append(key)
            else:
                ranked[0 if type(key) is str else 1].append(key)
        return {tag: [*chain.from_iterable(ranked)] for tag, ranked in found.items()}

    def take(self):
        """Return the result of `in_order`, and reset it."""
        found = self.in_order()
        self._tags = ObjectNumbers()
        self._text_tags = {}
        self._ordered = []
        return found

    def _collect_block(self, instructions, tag):
        type_walk = self._type_walk
        has_types = type_walk is not None
        for instruction in instructions:
            if present.has_debug_records(instruction):
                for record in present.records_of(instruction):
                    self._collect_record(record, tag)
            if has_types:
                for operand in present.operands_of(instruction):
                    if type(operand) is MetadataAsValue:
                        self._collect_value(operand.metadata, tag)
                    else:
                        type_walk.add_operand(operand)
                type_walk.add_result(instruction)
            elif isinstance(instruction, CallBase):
                for operand in present.operands_of(instruction):
                    if type(operand) is MetadataAsValue:
                        self._collect_value(operand.metadata, tag)
            if present.has_attachments(instruction):
                for node in present.attached_to(instruction).values():
                    self._add_known(node, tag)
            # Most locations are in the scope of the one before.
            location = present.present_location(instruction)
            if location is None or location is self._last_location:
                continue
            self._last_location = location
            content = nodes.location_content(location)
            if content[_SCOPE] is not self._scope:
                self._scope = content[_SCOPE]
                self._add_known(self._scope, tag)
            if content[_INLINED_AT] is not self._inlined_at:
                self._inlined_at = content[_INLINED_AT]
                if self._inlined_at is not None:
                    self._add_known(self._inlined_at, tag)
        return 0

    def _collect_record(self, record, tag):
        if isinstance(record, DbgLabelRecord):
            label = record
            self._add_known(label.label, tag)
            self._add_known(label.location, tag)
        else:
            variable = record
            self._collect_value(present.in_record(present.present_value(variable)), tag)
            if self._lost and (variable.expression in self._lost or variable.address_expression in self._lost):
                self._add_known(self._programs.nothing, tag)
            self._add_known(variable.expression, tag)
            self._add_known(variable.variable, tag)
            self._add_known(variable.location, tag)
            if variable.kind is _DBG_ASSIGN:
                for node in (variable.assign_id, variable.address_expression):
                    if node is not None:
                        self._add_known(node, tag)
                if variable.address is not None:
                    self._collect_value(variable.address, tag)
        return 0

    def _collect_value(self, metadata, tag):
        """Collect metadata; wrappers of values of the function have ids only while the function is written."""
        if isinstance(metadata, LocalAsMetadata):
            return 0
        if isinstance(metadata, DIArgList):
            for argument in metadata.arguments:
                self._collect_value(argument, tag)
        else:
            self._add(metadata, tag)
        return 0

    def _add_known(self, node, tag):
        """Collect a node that most often has been collected for the same function."""
        known = self._tag_of(node)
        if known == _UNKNOWN:
            if isinstance(node, MDNode):
                self._walk(node, tag)
            else:
                self._add(node, tag)
        elif known not in (_MODULE, tag):
            self._move_to_module(node)
        return 0

    def _add(self, metadata, tag):
        key = self._key(metadata)
        if key is None:
            return 0
        known = self._tag_of(key)
        if known != _UNKNOWN:
            if known not in (_MODULE, tag):
                self._move_to_module(key)
        elif isinstance(key, MDNode):
            self._walk(key, tag)
        else:
            self._take_leaf(key, tag)
        return 0

    def _tag_of(self, key):
        """Return the tag of metadata, -1 if it has not been collected."""
        if type(key) is str:
            found = self._text_tags.get(key)
            number = _UNKNOWN if found is None else found
        elif native.COMPILED:
            number = self._tags.find(key)
        else:
            number = self._tags.get(key, -1)
        if number != _UNKNOWN:
            return number
        return _MODULE if self._is_in_file is not None and self._is_in_file(key) else _UNKNOWN

    def _key(self, metadata):
        """Return the key of metadata, as `MetadataIds.key` does."""
        if isinstance(metadata, MDNode) or type(metadata) is str:
            return metadata
        if isinstance(metadata, MDString):
            string = metadata
            return string.text
        if isinstance(metadata, ValueAsMetadata):
            wrapper = metadata
            return wrapper.value
        return self.ids.key(metadata)

    def _take_leaf(self, key, tag):
        """Add metadata that refers to nothing.

        Raises:
            EncodingError: it is an argument list, which only debug records may refer to.
        """
        if isinstance(key, DIArgList):
            raise EncodingError(f"a node refers to {key}, which only debug records may do")
        if type(key) is str:
            self._text_tags[key] = tag
        else:
            self._tags.put(key, tag)
        self._ordered.append(key)
        if isinstance(key, Constant):
            self._constants.add(key)
        return 0

    def _walk(self, root, tag):
        """Add nodes after their operands; distinct ones after the uniqued nodes that lead to them."""
        number = tag
        tags = self._tags
        tags.put(root, number)
        keys = self._keys(root)
        if self._are_known(keys, number):
            self._ordered.append(root)
            return 0
        pending = [(root, iter(keys))]
        delayed = []
        while pending:
            node, rest = pending[-1]
            for key in rest:
                known = self._tag_of(key)
                if known != _UNKNOWN:
                    if known not in (_MODULE, number):
                        self._move_to_module(key)
                elif not isinstance(key, MDNode):
                    self._take_leaf(key, tag)
                else:
                    inner = key
                    tags.put(inner, number)
                    if inner.is_distinct and not node.is_distinct:
                        delayed.append(inner)
                        continue
                    pending.append((inner, iter(self._keys(inner))))
                    break
            else:
                pending.pop()
                self._ordered.append(node)
                if delayed and (not pending or pending[-1][0].is_distinct):
                    # As in LLVM, the last one is taken first.
                    pending += [(late, iter(self._keys(late))) for late in delayed]
                    delayed = []
        return 0

    def _are_known(self, keys, tag):
        """Return whether all keys have been collected; keys of other functions become the module's."""
        for key in keys:
            known = self._tag_of(key)
            if known == _UNKNOWN:
                return False
            if known not in (_MODULE, tag):
                self._move_to_module(key)
        return True

    def _keys(self, node):
        """Return the keys of a node's operands: metadata, texts of strings, constants."""
        found = []
        if isinstance(node, MDTuple):
            content = nodes.written_content(node, self._contents)
            for part in content:
                self._add_key(part, found)
        elif isinstance(node, DINode):
            content = nodes.written_content(node, self._contents)
            _, references, rest, _ = nodes.node_program(node, self._programs)
            for place, is_text in references:
                part = content[place]
                if part is not None and not (is_text and part == ""):
                    self._add_key(part, found)
            if rest >= 0:
                for part in content[rest]:
                    self._add_key(part, found)
        return found

    def _add_key(self, part, found):
        if part is not None:
            key = self._key(part)
            if key is not None:
                found.append(key)
        return 0

    def _move_to_module(self, key):
        """Let metadata, and everything that it refers to, be the module's own."""
        pending = [key]
        while pending:
            current = pending.pop()
            if type(current) is str:
                if current in self._text_tags:
                    self._text_tags[current] = MODULE
                continue
            if self._tags.find(current) <= _MODULE:
                continue
            self._tags.put(current, _MODULE)
            if isinstance(current, MDNode):
                pending += self._keys(current)
        return 0

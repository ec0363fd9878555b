# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202, C901, F821, PLR0912
"""The loops over all instructions that find those which have something that a version of LLVM lacks.

Most instructions have nothing of it.  Tables name the values of attributes that show that, and only other instructions
are handed to the rules.  The same applies to metadata nodes and their fields.
"""

from __future__ import annotations

from enum import IntEnum

from bitcodec.bitcode.writer import nodes
from bitcodec.host import native
from bitcodec.ir.construction import present
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import MDNode, MDString, MDTuple, content_of
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.object_numbers import ObjectNumbers


class NodeTest(IntEnum):
    """Test that shows, by a part of a node's content, that the node has nothing that a version lacks.

    Attributes:
        EQUALS: it is a value.
        IS_SIZE: it is a number or None.
        LACKS_BITS: it is not a number, or one without some bits.
        IS_NO_KEY: it is not a key of a dictionary.
        IS_OTHER_TEXT: it is absent, or not a certain string.
        IS_NO_TEXT_OR_TUPLE: it is absent, or neither a string nor a tuple.
    """

    EQUALS = 0
    IS_SIZE = 1
    LACKS_BITS = 2
    IS_NO_KEY = 3
    IS_OTHER_TEXT = 4
    IS_NO_TEXT_OR_TUPLE = 5


_EQUALS = NodeTest.EQUALS
_IS_SIZE = NodeTest.IS_SIZE
_LACKS_BITS = NodeTest.LACKS_BITS
_IS_NO_KEY = NodeTest.IS_NO_KEY
_IS_NO_TEXT_OR_TUPLE = NodeTest.IS_NO_TEXT_OR_TUPLE
_OPTIONAL_NUMBER = (int, type(None))
_TEXT_OR_TUPLE = (MDString, MDTuple)
_NOTHING = object()
_MAX_ATTRIBUTES = 8
"""As many as `Watch` has room for."""


class Watch:
    """A rule for a class of instructions.

    Args:
        kind: the class.
        harmless: by attribute, the values that show that an instruction has nothing that the version lacks, if all
            these attributes have one of them.
        rule: is called for other instructions with the name of the function; returns the replacement of an
            instruction, None for itself.  If it counts, it is called once for those in a function that are alike,
            with how many there are, and returns whether these have something; if not, it is not called for such again.
        counts: whether the rule depends on these attributes alone.
    """

    def __init__(self, kind, harmless, rule, *, counts=False) -> None:
        self.rule = rule
        self.counts = counts
        self.firsts, self.times, self.others = [], [], []
        self.attributes = [*harmless]
        self.harmless = [tuple(values) for values in harmless.values()]
        self.recent = [values[0] if values else _NOTHING for values in self.harmless]
        if len(harmless) > _MAX_ATTRIBUTES:
            raise AssertionError(f"a rule for {kind.__name__} depends on more than {_MAX_ATTRIBUTES} attributes")
        if native.COMPILED:
            for index, name in enumerate(self.attributes):
                self.offsets[index] = member_offset(kind, name)

    def count(self, instruction):
        """Count an instruction with equal ones; return whether it is the first of them."""
        for other in self.others:
            if self.are_alike(other, instruction):
                return False
        for index in range(len(self.firsts)):
            if self.are_alike(self.firsts[index], instruction):
                self.times[index] += 1
                return False
        self.firsts.append(instruction)
        self.times.append(1)
        return True

    def are_alike(self, one, other):
        """Return whether the attributes of two instructions have the same values."""
        for index in range(len(self.attributes)):
            if self.attribute_of(one, index) is not self.attribute_of(other, index):
                return False
        return True

    def attribute_of(self, instruction, index):
        """Return one of the attributes of an instruction."""
        name = self.attributes[index]
        return read_attribute(instruction, self.offsets[index], name) if native.COMPILED else getattr(instruction, name)

    def is_harmless(self, instruction):
        """Return whether the attributes of an instruction show that nothing is to be done."""
        count = len(self.harmless)
        for index in range(count):
            found = self.attribute_of(instruction, index)
            # Most have the value that the one before had.
            if found is self.recent[index]:
                continue
            values = self.harmless[index]
            for value in values:
                if found is value:
                    break
            else:
                return False
            self.recent[index] = found
        return count > 0


class Scan:
    """Examines the instructions of functions, and the debug records in front of them.

    Args:
        watches: the rules by class of instructions, in the order in which they are applied.
        survey: is called for the attributes of calls with the name of the function, a call, and how often they are to
            be counted if that is not once; returns whether they lose something.
        on_location: is called for instructions whose location has a place with a true value; None if absent.
        place: that place in the content of a location.
        on_record: is called for a debug record whose kind and expressions are new, with its kind and the name of the
            function; returns whether to call it for each record like this.

    Attributes:
        replacements: by instruction, the instructions that are written in its place.
        has_misplaced: whether debug records are at the end of a block, or an instruction other than a call has metadata
            for an operand: bitcode has no place for them.
    """

    def __init__(self, watches, survey, on_location, place, on_record) -> None:
        self.replacements = {}
        self.has_misplaced = False
        self._kinds, self._watches, self._are_calls = ObjectNumbers(), [], []
        for kind, several in watches.items():
            self._add_kind(kind, several)
        self._survey = survey
        self._kept, self._lossy = ObjectNumbers(), ObjectNumbers()
        # Of a function: how often lossy attributes are still to be counted, and the first calls that have them.
        self._times, self._firsts = ObjectNumbers(), []
        self._on_location = on_location
        self._place = place
        self._on_record, self._known_records = on_record, set()
        self._last_kind = self._last_expression = None

    def look(self, function, name):
        """Examine the body of a function, which has a name, and keep the replacements of instructions.

        Return the number of debug records.
        """
        record_count = 0
        has_places = self._on_location is not None
        counted = []
        for block in function.blocks:
            if block.trailing_debug_records:
                self.has_misplaced = True
            for each in present.present_instructions(block):
                instruction = each
                place = self._kinds.find(type(instruction))
                if place < 0:
                    place = self._add_kind(type(instruction), [])
                watches = self._watches[place]
                for watch in watches:
                    if watch.is_harmless(instruction):
                        continue
                    if watch.counts:
                        if watch.count(instruction):
                            counted.append((watch, len(watch.firsts) - 1))
                    else:
                        made = watch.rule(instruction, name)
                        if made is not None:
                            self.replacements[instruction] = made
                if self._are_calls[place] is True:
                    self._look_at_attributes(instruction, name)
                else:
                    for operand in present.operands_of(instruction):
                        if type(operand) is MetadataAsValue:
                            self.has_misplaced = True
                if has_places and present.present_location(instruction) is not None:
                    location = nodes.location_content(instruction.debug_location)
                    if location[self._place]:
                        self._on_location(instruction, name)
                if present.has_debug_records(instruction):
                    record_count += self._look_at_records(present.records_of(instruction), name)
        for watch, index in counted:
            if not watch.rule(watch.firsts[index], name, watch.times[index]):
                watch.others.append(watch.firsts[index])
        for watch, _ in counted:
            watch.firsts, watch.times = [], []
        if self._firsts:
            self._count_attributes(name)
        return record_count

    def _look_at_records(self, records, name):
        """Look at the debug records in front of an instruction; return how many there are."""
        for record in records:
            kind = expression = address = None
            if isinstance(record, DbgVariableRecord):
                variable = record
                kind, expression = variable.kind, variable.expression
                address = variable.address_expression
                if address is None and kind is self._last_kind and expression is self._last_expression:
                    continue
            key = kind, expression, address
            if key not in self._known_records:
                if self._on_record(record, kind, name):
                    continue
                self._known_records.add(key)
            self._last_kind, self._last_expression = kind, expression
        return len(records)

    def _look_at_attributes(self, call, name):
        """Examine the attributes of a call; lossy ones are counted at the end of the function."""
        attributes = call.attributes
        if self._kept.find(attributes) >= 0:
            return 0
        times = self._times.find(attributes)
        if times >= 0:
            return self._times.put(attributes, times + 1)
        times = 1
        if self._lossy.find(attributes) < 0:
            if not self._survey(attributes, name, call):
                return self._kept.put(attributes, 0)
            self._lossy.put(attributes, 0)
            times = 0
        self._firsts.append(call)
        return self._times.put(attributes, times)

    def _count_attributes(self, name):
        """Let attributes lose something as often as they occurred in a function."""
        for attributes, call in zip(self._times, self._firsts, strict=True):
            times = self._times.find(attributes)
            if times:
                self._survey(attributes, name, call, times)
        self._times, self._firsts = ObjectNumbers(), []
        return 0

    def _add_kind(self, kind, watches):
        """Add a class of instructions with its rules; return its place."""
        self._kinds.put(kind, len(self._watches))
        self._watches.append(watches)
        self._are_calls.append(issubclass(kind, CallBase))
        return len(self._watches) - 1


class NodeScan:
    """Finds the metadata nodes that may have something that a version lacks.

    Args:
        tests_of: returns the tests of a class of nodes, all of which a harmless node passes: for each, the
            `NodeTest`, the place of a part in the content, and the value to compare with.  None if all nodes are to be
            examined.
    """

    def __init__(self, tests_of) -> None:
        self._tests_of = tests_of
        self._kinds, self._tests = ObjectNumbers(), []

    def find(self, keys):
        """Return the keys of metadata that may need a replacement."""
        found = []
        for key in keys:
            if not isinstance(key, MDNode):
                continue
            place = self._kinds.find(type(key))
            if place < 0:
                place = self._add_kind(type(key))
            tests = self._tests[place]
            if tests is None or not _is_harmless(key, tests):
                found.append(key)
        return found

    def _add_kind(self, kind):
        """Add a class of nodes; return its place."""
        self._kinds.put(kind, len(self._tests))
        self._tests.append(self._tests_of(kind))
        return len(self._tests) - 1


def _is_harmless(node, tests):
    """Return whether a node passes all tests."""
    if not tests:
        return True
    content = content_of(node)
    for test, place, value in tests:
        part = content[place] if place < len(content) else None
        if test == _EQUALS:
            passes = part is value or part == value
        elif test == _IS_SIZE:
            passes = isinstance(part, _OPTIONAL_NUMBER)
        elif test == _LACKS_BITS:
            passes = not (isinstance(part, int) and part & value)
        elif test == _IS_NO_KEY:
            passes = part not in value
        elif test == _IS_NO_TEXT_OR_TUPLE:
            passes = not isinstance(part, _TEXT_OR_TUPLE)
        elif isinstance(part, MDString):
            string = part
            passes = string.text != value
        else:
            passes = True
        if not passes:
            return False
    return True

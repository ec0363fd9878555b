# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
"""The loops over all instructions that find those which have something that a version of LLVM lacks.

Most instructions have nothing of it.  Tables name the values of attributes that show that, and only other instructions
are handed to the rules.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.writer.bodies import records_of
    from cython.cimports.bitcodec.bitcode.writer.nodes import location_content
    from cython.cimports.bitcodec.ir.basic_blocks import BasicBlock
    from cython.cimports.bitcodec.ir.debug_records import DbgVariableRecord
    from cython.cimports.bitcodec.ir.instructions.calls import CallBase
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.member_access import member_offset, read_attribute
    from cython.cimports.bitcodec.object_numbers import ObjectNumbers
else:
    from bitcodec.bitcode.writer.bodies import records_of
    from bitcodec.bitcode.writer.nodes import location_content
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.debug_records import DbgVariableRecord
    from bitcodec.ir.instructions.calls import CallBase
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.object_numbers import ObjectNumbers

COMPILED = cython.compiled


@cython.cclass
class Watch:
    """A rule for a class of instructions.

    Args:
        kind: the class.
        harmless: by attribute, the values that show that an instruction has nothing that the version lacks, if all
            these attributes have one of them.
        rule: is called for other instructions with the name of the function; returns what is written for an
            instruction, None for itself.  If it counts, it is called once for those in a function that are alike,
            with how many there are.
        counts: whether the rule depends on these attributes alone.
    """

    def __init__(self, kind, harmless: dict, rule, *, counts: cython.bint = False) -> None:
        self.rule = rule
        self.counts = counts
        self.firsts, self.times = [], []
        self.attributes = [
            (member_offset(kind, name) if cython.compiled else 0, name, tuple(values))
            for name, values in harmless.items()
        ]

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def count(self, instruction: Instruction) -> cython.bint:
        """Count an instruction with those that are alike; return whether it is the first of them."""
        index: cython.Py_ssize_t
        for index in range(len(self.firsts)):
            if self.are_alike(self.firsts[index], instruction):
                self.times[index] += 1
                return False
        self.firsts.append(instruction)
        self.times.append(1)
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def are_alike(self, one: Instruction, other: Instruction) -> cython.bint:
        """Return whether the attributes of two instructions have the same values."""
        for offset, name, _ in self.attributes:
            if cython.compiled:
                if read_attribute(one, offset, name) is not read_attribute(other, offset, name):
                    return False
            elif getattr(one, name) is not getattr(other, name):
                return False
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_harmless(self, instruction: Instruction) -> cython.bint:
        """Return whether the attributes of an instruction show that nothing is to be done."""
        for offset, name, values in self.attributes:
            found = read_attribute(instruction, offset, name) if cython.compiled else getattr(instruction, name)
            for value in values:
                if found is value:
                    break
            else:
                return False
        return bool(self.attributes)


@cython.cclass
class Scan:
    """Looks at the instructions of functions.

    Args:
        watches: the rules by class of instructions, in the order in which they are applied.
        survey: is called for the attributes of calls with the name of the function and the call; returns whether they
            lose something.
        on_location: is called for instructions whose location has a place with a true value; None if it has none.
        place: that place in the content of a location.
    """

    def __init__(self, watches: dict, survey, on_location, place: cython.Py_ssize_t) -> None:
        self.replacements = {}
        self._kinds, self._watches, self._are_calls = ObjectNumbers(), [], []
        for kind, several in watches.items():
            self._add_kind(kind, several)
        self._survey = survey
        self._kept = ObjectNumbers()
        self._on_location = on_location
        self._place = place

    def look(self, function, name):
        """Look at the body of a function, which has a name, and keep what is written in the place of instructions."""
        block: BasicBlock
        instruction: Instruction
        watch: Watch
        call: CallBase
        place: cython.longlong
        has_places: cython.bint = self._on_location is not None
        counted: list = []
        for block in function.blocks:
            for each in block._instructions:
                instruction = each
                place = self._kinds.find(type(instruction))
                if place < 0:
                    place = self._add_kind(type(instruction), [])
                for watch in self._watches[place]:
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
                    call = instruction
                    if self._kept.find(call.attributes) < 0 and not self._survey(call.attributes, name, call):
                        self._kept.put(call.attributes, 0)
                if has_places:
                    location = instruction._location
                    if location is not None and location_content(instruction.debug_location)[self._place]:
                        self._on_location(instruction, name)
        for watch, index in counted:
            watch.rule(watch.firsts[index], name, watch.times[index])
        for watch, _ in counted:
            watch.firsts, watch.times = [], []

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _add_kind(self, kind, watches: list) -> cython.Py_ssize_t:
        """Add a class of instructions with its rules; return its place."""
        self._kinds.put(kind, len(self._watches))
        self._watches.append(watches)
        self._are_calls.append(issubclass(kind, CallBase))
        return len(self._watches) - 1


def scan_records(function, known: set, on_record):
    """Look at the debug records in a function; return how many there are.

    Args:
        function: the function.
        known: kinds with the expressions of a location and of an address that need not be looked at; receives others.
        on_record: is called for records with other ones, and returns whether to call it for each record like this.
    """
    block: BasicBlock
    instruction: Instruction
    variable: DbgVariableRecord
    count: cython.Py_ssize_t = 0
    last_kind = last_expression = None
    for block in function.blocks:
        for each in block._instructions:
            instruction = each
            if instruction._records is None or not instruction._records:
                continue
            for record in records_of(instruction):
                count += 1
                kind = expression = address = None
                if isinstance(record, DbgVariableRecord):
                    variable = record
                    kind, expression = variable.kind, variable.expression
                    address = variable.address_expression
                    if address is None and kind is last_kind and expression is last_expression:
                        continue
                key = kind, expression, address
                if key not in known:
                    if on_record(record, kind, function.name):
                        continue
                    known.add(key)
                last_kind, last_expression = kind, expression
    return count

# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
"""How values are used, and so what they point to."""

from __future__ import annotations

from collections import Counter

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitcode.downgrade.pointers.intrinsics import pointee_of_parameter, points_to_nothing
from bitcodec.bitcode.downgrade.pointers.overloads import type_attribute
from bitcodec.bitcode.downgrade.pointers.pointees import NO_NODE
from bitcodec.ir.constants import ConstantAggregateZero, ConstantDataSequential, ConstantInt
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.types import ArrayType, PointerType, StructType

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.downgrade.pointers.pointees import Pointees, is_pointer
    from cython.cimports.bitcodec.ir.basic_blocks import BasicBlock
    from cython.cimports.bitcodec.ir.instructions.arithmetic import Cast, Freeze, ICmp, Select
    from cython.cimports.bitcodec.ir.instructions.calls import Call, CallBase
    from cython.cimports.bitcodec.ir.instructions.control_flow import Phi, Return
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.instructions.memory import (
        Alloca,
        AtomicCmpXchg,
        AtomicRMW,
        GetElementPtr,
        Load,
        Store,
    )
    from cython.cimports.bitcodec.ir.instructions.vectors import (
        ExtractElement,
        ExtractValue,
        InsertElement,
        InsertValue,
        ShuffleVector,
    )
    from cython.cimports.bitcodec.ir.values import Value
    from cython.cimports.bitcodec.object_numbers import ObjectNumbers
else:
    from bitcodec.bitcode.downgrade.pointers.pointees import Pointees, is_pointer
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions.arithmetic import Cast, Freeze, ICmp, Select
    from bitcodec.ir.instructions.calls import Call, CallBase
    from bitcodec.ir.instructions.control_flow import Phi, Return
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.instructions.memory import (
        Alloca,
        AtomicCmpXchg,
        AtomicRMW,
        GetElementPtr,
        Load,
        Store,
    )
    from bitcodec.ir.instructions.vectors import (
        ExtractElement,
        ExtractValue,
        InsertElement,
        InsertValue,
        ShuffleVector,
    )
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

COMPILED = cython.compiled

_NONE = cython.declare(cython.Py_ssize_t, NO_NODE)
_POINTER, _FUNCTION, _VARIABLE, _ARGUMENT, _NUMBER = PointerType, Function, GlobalVariable, Argument, ConstantInt


@cython.cclass
class Evidence:
    """Looks at all uses of a module's pointers.

    What loads, stores and addresses say comes first, then what values must agree; calls of functions that are only
    declared are counted; bytes are what is left.

    Args:
        module: the module, which is not changed.
        pointees: receives what is found.
        types: types with typed pointers.
        declared: returns the function that is declared in the place of another.
        replacements: by instruction, those that are written in its place.
        overloads: intrinsics whose calls say what pointers point to.

    Attributes:
        nodes: by value, the node of what it points to.
        results: by function, the node of what its result points to.
        invokes: the invokes and branching calls that return pointers.
    """

    def __init__(self, module, pointees: Pointees, types, declared, replacements: dict, overloads) -> None:
        self._overloaded = overloads.pointees
        self.nodes = ObjectNumbers()
        self.results = {}
        self._pointees = pointees
        self._types = types
        self._declared = declared
        self._replacements = replacements
        self._nothing = module.context.types.struct(())
        self._byte = module.context.types.integer(8)
        self._callees = ObjectNumbers()
        self._signatures = []
        self._elements = {}
        self._local, self._calls, self._bytes = [], [], []
        self._fields = []
        self.invokes = []
        self._votes = {}
        for variable in module.global_variables:
            self.nodes.put(variable, pointees.new(variable.value_type))
        for function in module.functions:
            self._enter_function(function)
        for made, function in overloads.added.items():
            if function in self.results:
                self.results[made] = self.results[function]
        for function in module.functions:
            self._result = self.results.get(function, _NONE)
            for block in function.blocks:
                self._look(block)
        self._conclude()

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def node(self, value: Value) -> cython.Py_ssize_t:
        """Return the node of what a value points to, `NO_NODE` if it is a constant that anything fits."""
        found: cython.Py_ssize_t = self.nodes.find(value)
        if found < 0:
            if not isinstance(value, Instruction) and type(value) is not _ARGUMENT:
                return _NONE
            found = self._pointees.new()
            self.nodes.put(value, found)
        return found

    def lost_fields(self):
        """Yield addresses of fields that do not point to what the fields point to: chains of pointers were cut."""
        pointees: Pointees = self._pointees
        place: cython.Py_ssize_t
        for place in range(0, len(self._fields), 2):
            address, field = self._fields[place], self._fields[place + 1]
            if pointees.find(pointees.content(self.nodes.find(address))) != pointees.find(field):
                yield address

    def _enter_function(self, function):
        pointees, attributes = self._pointees, function.attributes
        is_intrinsic = function.is_intrinsic
        for argument in function.arguments:
            if is_pointer(argument.type):
                type_ = type_attribute(attributes.for_parameter(argument.index))
                if is_intrinsic:
                    type_ = type_ or self._overloaded.get((function, argument.index))
                    type_ = type_ or pointee_of_parameter(function.name, function.value_type, argument.index)
                    if points_to_nothing(function.name, argument.index):
                        type_ = self._nothing
                    self.nodes.put(argument, pointees.bytes if type_ is None else pointees.new(type_, pointees.bytes))
                elif type_ is not None:
                    self.nodes.put(argument, pointees.new(type_))
                elif "swifterror" in attributes.for_parameter(argument.index):
                    self.nodes.put(argument, pointees.new(argument.type))
        if is_pointer(function.value_type.return_type):
            if is_intrinsic:
                has_none = points_to_nothing(function.name, None)
                self.results[function] = pointees.new(self._nothing) if has_none else pointees.bytes
            else:
                self.results[function] = pointees.new()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _look(self, block: BasicBlock) -> cython.int:
        instruction: Instruction
        original: Instruction
        replacements: dict = self._replacements
        has_replacements: cython.bint = bool(replacements)
        for each in block._instructions:
            original = instruction = each
            if has_replacements:
                instead = replacements.get(original)
                if instead is not None:
                    instruction = instead[len(instead) - 1]
            kind = type(instruction)
            if kind is Load:
                self._load(instruction, original)
            elif kind is GetElementPtr:
                self._address(instruction, original)
            elif kind is Store:
                self._store(instruction)
            elif isinstance(instruction, CallBase):
                self._call(instruction, original)
            elif kind is ICmp:
                self._comparison(instruction)
            elif kind is Alloca:
                self._alloca(instruction, original)
            elif kind is Return:
                if self._result != _NONE and instruction._operands:
                    self._agree(self._result, instruction._operands[0])
            elif (
                kind is Phi
                or kind is Cast
                or kind is Select
                or kind is Freeze
                or kind is ExtractElement
                or kind is InsertElement
                or kind is ShuffleVector
            ):
                self._same(instruction, original)
            elif kind is ExtractValue:
                self._extract_value(instruction, original)
            elif kind is InsertValue:
                self._insert_value(instruction)
            elif kind is AtomicRMW or kind is AtomicCmpXchg:
                self._use(instruction._operands[0], instruction._operands[1].type)
        return 0

    def _conclude(self):
        pointees: Pointees = self._pointees
        place: cython.Py_ssize_t
        for pairs in (self._local, self._calls):
            for place in range(0, len(pairs), 2):
                pointees.agree(pairs[place], pairs[place + 1])
        for node, others in self._votes.items():
            self._count(node, others)
        for node in self._bytes:
            pointees.use(node, self._byte)
        pointees.settle()

    def _count(self, node, others):
        """Let a parameter of a function without a body point to what most calls pass."""
        shapes = Counter([self._pointees.shape(other) for other in others])
        shapes.pop(None, None)
        if shapes:
            ((shape, count),) = shapes.most_common(1)
            if count * 2 > shapes.total():
                for other in others:
                    if self._pointees.shape(other) is shape:
                        self._pointees.agree(node, other)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _agree(self, one: cython.Py_ssize_t, value) -> cython.int:
        """Let a pointer agree with a value, unless that is a constant that is cast without an instruction."""
        other: cython.Py_ssize_t = self._operand(value)
        if _NONE not in (one, other):
            self._local.append(one)
            self._local.append(other)
        return 0

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def _operand(self, value) -> cython.Py_ssize_t:
        if type(value) is _VARIABLE and type(value.value_type) is ArrayType:
            return _NONE
        return self.node(value)

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def _use(self, value, shape) -> cython.Py_ssize_t:
        """Let a value point to a type; return the content of its node."""
        node: cython.Py_ssize_t = self.node(value)
        if node == _NONE:
            return _NONE
        if shape is self._byte:
            self._bytes.append(node)
            return _NONE
        return self._pointees.use(node, shape)

    # Rules: of an instruction that is written in the place of another

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _load(self, load: Instruction, original) -> cython.int:
        content: cython.Py_ssize_t = self._use(load._operands[0], load.type)
        if content != _NONE:
            self._local.append(content)
            self._local.append(self.node(original))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _store(self, store: Instruction) -> cython.int:
        value: Value = store._operands[0]
        content: cython.Py_ssize_t = self._use(store._operands[1], value.type)
        if content != _NONE:
            self._agree(content, value)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _alloca(self, alloca: Alloca, original) -> cython.int:
        self.nodes.put(original, self._pointees.new(alloca.allocated_type))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _address(self, address: GetElementPtr, original) -> cython.int:
        content: cython.Py_ssize_t
        operands = address._operands
        base = operands[0]
        source = address.source_element_type
        self._use(base, source)
        if len(operands) == 2:
            content = self._pointees.new(source)
            self.nodes.put(original, content)
            if is_pointer(source):
                self._agree(content, base)
            return 0
        type_, content = self._element_at(source, operands)
        if is_pointer(type_):
            if content == _NONE:
                content = self._pointees.bytes
            else:
                self._fields.append(original)
                self._fields.append(content)
        self.nodes.put(original, self._pointees.new(type_, content))
        return 0

    @cython.cfunc
    def _element_at(self, source, operands) -> tuple:
        """Return what `_element` does for the operands of an address."""
        if len(operands) != 3 or type(operands[2]) is not _NUMBER:
            return self._element(source, [constant_index(each) if _is_number(each) else 0 for each in operands[2:]])
        key = source, operands[2]
        found = self._elements.get(key)
        if found is None:
            found = self._elements[key] = self._element(source, [constant_index(operands[2])])
        return found

    @cython.cfunc
    def _element(self, type_, indices) -> tuple:
        """Return the type of an element, and the node of what it points to if it is a field of a named struct."""
        node: cython.Py_ssize_t = _NONE
        for index in indices:
            node = _NONE
            if isinstance(type_, StructType):
                element = type_.element_types[index]
                if type(element) is _POINTER and not type_.is_literal:
                    node = self._types.field(type_, index)
                type_ = element
            else:
                type_ = type_.element_types[0]
        return type_, node

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _extract_value(self, extract: ExtractValue, original) -> cython.int:
        if is_pointer(extract.type):
            _, node = self._element(extract._operands[0].type, extract.indices)
            self.nodes.put(original, self._pointees.bytes if node == _NONE else node)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _insert_value(self, insert: InsertValue) -> cython.int:
        aggregate, value = insert._operands
        if is_pointer(value.type):
            _, node = self._element(aggregate.type, insert.indices)
            self._agree(node, value)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _same(self, instruction: Instruction, original) -> cython.int:
        """Let the result agree with all operands that are pointers."""
        node: cython.Py_ssize_t
        operand: Value
        if is_pointer(instruction.type):
            node = self.node(original)
            for operand in instruction._operands:
                if is_pointer(operand.type):
                    self._agree(node, operand)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _comparison(self, comparison: Instruction) -> cython.int:
        lhs: Value = comparison._operands[0]
        if is_pointer(lhs.type):
            self._agree(self._operand(lhs), comparison._operands[1])
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _call(self, call: CallBase, original) -> cython.int:
        node: cython.Py_ssize_t
        other: cython.Py_ssize_t
        index: cython.Py_ssize_t
        operands = call._operands
        if type(call) is not Call and is_pointer(call.type):
            self.invokes.append(original)
        callee = operands[len(operands) - 1]
        signature: tuple = self._signature_of(callee) if type(callee) is _FUNCTION else (None, _NONE, None, False)
        function_type, node, arguments, is_declaration = signature
        if function_type is None or call.function_type is not function_type:
            if is_pointer(call.type):
                self.nodes.put(original, self._pointees.bytes)
            return 0
        if node != _NONE:
            self.nodes.put(original, node)
        if arguments is None:
            return 0
        count: cython.Py_ssize_t = min(call._argument_count, len(arguments))
        for index in range(count):
            if arguments[index] is None:
                continue
            value = operands[index]
            other = self._operand(value)
            if other == _NONE or (type(value) is Alloca and type(value.allocated_type) is ArrayType):
                continue
            node = self.node(arguments[index])
            if is_declaration:
                self._votes.setdefault(node, []).append(other)
            else:
                self._calls.append(node)
                self._calls.append(other)
        return 0

    @cython.cfunc
    def _signature_of(self, callee) -> tuple:
        """Return what calls of a function need: its type, the node of its result, and its arguments.

        In the place of arguments that are no pointers is None; intrinsics need none of them.
        """
        place: cython.Py_ssize_t = self._callees.find(callee)
        if place >= 0:
            return self._signatures[place]
        arguments = None
        if not callee.is_intrinsic:
            arguments = [each if is_pointer(each.type) else None for each in callee.arguments]
        type_ = self._declared(callee).value_type
        signature = type_, self.results.get(callee, _NONE), arguments, callee.is_declaration
        self._callees.put(callee, len(self._signatures))
        self._signatures.append(signature)
        return signature


def constant_index(index):
    """Return the number of a field of a struct, which an index gives."""
    if isinstance(index, ConstantInt):
        return index.unsigned
    if isinstance(index, ConstantDataSequential):
        return index.elements[0]
    return 0 if isinstance(index, ConstantAggregateZero) else constant_index(index.operands[0])


def _is_number(index):
    return isinstance(index, (ConstantInt, ConstantDataSequential, ConstantAggregateZero)) or not isinstance(
        index, (Instruction, Argument)
    )

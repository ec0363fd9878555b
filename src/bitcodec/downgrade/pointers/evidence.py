# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912, SLF001
"""Evidence of pointees: how values are used."""

from __future__ import annotations

from bitcodec.downgrade.pointers import pointees as pointee_nodes
from bitcodec.downgrade.pointers.field_search import FieldSearch
from bitcodec.downgrade.pointers.fields import constant_index, is_number, tag_of
from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.downgrade.pointers.pointees import NO_NODE
from bitcodec.downgrade.pointers.rare_evidence import RARE_EVIDENCE, count_votes, element_of, enter_function
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction import present
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp, Select
from bitcodec.ir.instructions.calls import Call, CallBase
from bitcodec.ir.instructions.control_flow import Branch, Phi, Return
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
from bitcodec.ir.types import ArrayType, PointerType
from bitcodec.object_numbers import ObjectNumbers

_NONE = NO_NODE
_POINTER, _FUNCTION, _VARIABLE, _ARGUMENT, _NUMBER = PointerType, Function, GlobalVariable, Argument, ConstantInt


class Evidence:
    """Examines all uses of a module's pointers.

    Loads, stores and addresses come first, then values that must agree; calls of functions that are only
    declared are counted; all other pointees are bytes.

    Args:
        module: the module, which is not changed.
        pointees: receives the pointees found.
        types: types with typed pointers.
        declared: returns the function that is declared in the place of another.
        replacements: by instruction, the instructions that are written in its place.
        overloads: intrinsics whose calls define pointees.

    Attributes:
        nodes: by global or argument, the node of its pointee.
        silent: lists of attributes that define no pointee of a parameter.
        locals: by function, the same of its instructions.
        results: by function, the node of the pointee of its result.
        pointees, types: as above.
        nothing: the empty struct.
        invokes: the invokes and branching calls that return pointers.
        fields: the addresses of fields.
        order: the nodes of loads, stores and addresses without a replacement, two for each: the nodes of
            its pointer, and of its result or the pointer that it stores.
        starts: by function, the place in the order where the nodes of its instructions begin.
        lowered: the blocks in which something is written in the place of instructions.
    """

    def __init__(self, module, pointees, types, declared, replacements, overloads) -> None:
        self.nodes = ObjectNumbers()
        self.silent = ObjectNumbers()
        # Tables of single functions stay in the processor's cache.
        self.locals = {}
        self._local_nodes = ObjectNumbers()
        self.order = Integers()
        self.starts = {}
        self._later = {}
        self.results = {}
        self.pointees = pointees
        self.types = types
        self._declared = declared
        self._replacements = replacements
        self.lowered = ObjectNumbers()
        for instruction in replacements:
            self.lowered.put(instruction.parent, 0)
        self.nothing = module.context.types.struct(())
        self._byte = module.context.types.integer(8)
        self._callees = ObjectNumbers()
        self._signatures = []
        self._elements = []
        self._local, self._calls, self._bytes = Integers(), Integers(), Integers()
        self.invokes = []
        self.fields = FieldSearch(module.data_layout, pointees, types, self._byte, self.order)
        self._sources = ObjectNumbers()
        self._places_of_tags, self._tags = ObjectNumbers(), []
        self._votes = {}
        for variable in module.global_variables:
            self.nodes.put(variable, pointees.new(variable.value_type))
            self._place_of(variable.value_type)
        for function in module.functions:
            enter_function(self, function, overloads.pointees, module.context.types)
        for made, function in overloads.added.items():
            if function in self.results:
                self.results[made] = self.results[function]
        for function in module.functions:
            if function.is_declaration:
                continue
            self._result = self.results.get(function, _NONE)
            self._local_nodes = self.locals[function] = ObjectNumbers()
            self.starts[function] = self.order.size
            for block in function.blocks:
                self._look(block)
        self._conclude()

    def node(self, value):
        """Return the node of a value's pointee, `NO_NODE` for a constant that anything fits."""
        following = self.pointees._parents.size
        if isinstance(value, Instruction):
            found = self._local_nodes.enter(value, following)
            return self.pointees.new() if found == following else found
        found = self.nodes.find(value)
        if found < 0:
            if type(value) is not _ARGUMENT:
                return _NONE
            return self.nodes.enter(value, self.pointees.new())
        return found

    def put(self, instruction, node):
        """Set the node of an instruction of the current function."""
        before = self._local_nodes.enter(instruction, node)
        if before != node:
            self._later[before] = node
            self._local_nodes.put(instruction, node)
        return 0

    def _look(self, block):
        replacements = self._replacements
        has_replacements = self.lowered.find(block) >= 0
        for each in present.present_instructions(block):
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
                self._store(instruction, original)
            elif kind is Branch or kind is BinaryOperator:
                pass
            elif kind is ICmp:
                self._comparison(instruction)
            elif kind is Alloca:
                self._alloca(instruction, original)
            elif kind is Return:
                for operand in present.operands_of(instruction) if self._result != _NONE else ():
                    self.agree(self._result, operand)
            elif kind is Phi or kind is Cast or kind is Select:
                self.same(instruction, original)
            elif isinstance(instruction, CallBase):
                self._call(instruction, original)
            else:
                rule = RARE_EVIDENCE.get(kind)
                if rule is not None:
                    rule(self, instruction, original)
        return 0

    def _conclude(self):
        pointees = self.pointees
        if self._later:
            self._take_later()
        self.fields.take_hints([*self._sources])
        self._agree_all(self._local)
        self.fields.find()
        self._agree_all(self._calls)
        self.fields.find()
        count_votes(self._votes, pointees)
        for place in range(self._bytes.size):
            pointees.use(self._bytes.numbers[place], self._byte)
        self.fields.find()
        self.fields.take_bytes()
        self._local = self._calls = self._bytes = None  # What follows takes their memory.
        pointees.settle()

    def _take_later(self):
        """Store in the order the last node of each instruction that got several."""
        last = Integers()
        for node in range(self.pointees._parents.size):
            last.add(node)
        for node, later in self._later.items():
            last.numbers[node] = later
        for place in range(self.order.size):
            node = self.order.numbers[place]
            if node != _NONE:
                self.order.numbers[place] = last.numbers[node]
        return 0

    def _agree_all(self, pairs):
        pointees = self.pointees
        for place in range(0, pairs.size, 2):
            pointees.agree(pairs.numbers[place], pairs.numbers[place + 1])
        return 0

    def agree(self, one, value):
        """Let a pointer agree with a value, unless that is a constant that is cast without an instruction."""
        other = self._operand(value)
        if _NONE not in (one, other):
            self._local.add(one)
            self._local.add(other)
        return 0

    def _operand(self, value):
        if type(value) is _VARIABLE and type(value.value_type) is ArrayType:
            return _NONE
        return self.node(value)

    def use(self, value, shape):
        """Let a value point to a type; return the content of its node."""
        return self._use_node(self.node(value), shape)

    def _use_node(self, node, shape):
        if node == _NONE:
            return _NONE
        if shape is self._byte:
            self._bytes.add(node)
            return _NONE
        return self.pointees.use(node, shape)

    # Rules: of an instruction that is written in the place of another

    def _load(self, load, original):
        result = _NONE
        pointer = present.operands_of(load)[0]
        is_tagged = present.has_attachments(load) and self._is_tagged(load, pointer, load.type)
        node = self.node(pointer)
        content = self._content_of(is_tagged, node, load.type)
        if content != _NONE:
            result = self.node(original)
            self._local.add(content)
            self._local.add(result)
        return self._keep(node, result) if load is original else 0

    def _store(self, store, original):
        stored = _NONE
        operands = present.operands_of(store)
        value = operands[0]
        pointer = operands[1]
        is_tagged = present.has_attachments(store) and self._is_tagged(store, pointer, value.type)
        node = self.node(pointer)
        content = self._content_of(is_tagged, node, value.type)
        if content != _NONE:
            stored = self._operand(value)
            if stored != _NONE:
                self._local.add(content)
                self._local.add(stored)
        return self._keep(node, stored) if store is original else 0

    def _content_of(self, is_tagged, node, shape):
        """Return the content of an accessed object: of the first field of a struct if that was found by a tag."""
        if is_tagged:
            return self.pointees.content(self._accessed)
        return self._use_node(node, shape)

    def _keep(self, one, other):
        self.order.add(one)
        self.order.add(other)
        return 0

    def _is_tagged(self, access, pointer, shape):
        """Examine the tag of an access; return whether it accesses a struct's first field through the struct."""
        attached = present.attached_to(access)
        tag = attached.get("tbaa")
        if tag is None:
            return False
        place = self._places_of_tags.find(tag)
        if place < 0:
            place = len(self._tags)
            self._tags.append(tag_of(tag))
            self._places_of_tags.put(tag, place)
        name, offset = self._tags[place]
        if not name:
            return False
        if type(pointer) is GetElementPtr:
            address = pointer
            operands = present.operands_of(address)
            if address.source_element_type is self._byte and len(operands) == 2:
                index = operands[1]
                if type(index) is _NUMBER and index.value == offset:
                    node = self.node(operands[0])
                    if node != _NONE:
                        self.fields.add_hint(node, name)
                    return False
        node = self.node(pointer)
        if offset or node == _NONE:
            return False
        self.fields.add_hint(node, name)
        self._accessed = self.fields.add_access(node, shape)
        return True

    def _alloca(self, alloca, original):
        self._place_of(alloca.allocated_type)
        return self.put(original, self.pointees.new(alloca.allocated_type))

    def _address(self, address, original):
        """Examine an address; keep the nodes of its base and its own."""
        operands = present.operands_of(address)
        source = address.source_element_type
        if source is self._byte and type(operands[1]) is _NUMBER and len(operands) == 2 and original is address:
            base = self.node(operands[0])
            if base != _NONE and type(address.type) is _POINTER:
                node = self.node(original)
                self.fields.add_address(base, operands[1].value, node, original)
                return self._keep(base, node)
        base = self.node(operands[0])
        self._use_node(base, source)
        node = self._new_element(source, operands, original)
        return self._keep(base, node) if address is original else 0

    def _new_element(self, source, operands, original):
        """Return the node of an address, which is new."""
        place = self._place_of(source)
        if len(operands) == 2:
            node = self.pointees.new(source)
            self.put(original, node)
            if pointee_nodes.is_pointers(source):
                self.agree(node, operands[0])
            return node
        type_, content = self._element_at(place, source, operands)
        is_field = content != _NONE
        if not is_field and pointee_nodes.is_pointers(type_):
            content = self.pointees.bytes
        node = self.pointees.new(type_, content)
        if is_field:
            self.fields.add_field(original, node, content)
        self.put(original, node)
        return node

    def _element_at(self, place, source, operands):
        """Return the result of `element_of` for the operands of an address into a type, by the place of the type."""
        if len(operands) != 3 or type(operands[2]) is not _NUMBER:
            return element_of(self, source, [constant_index(each) if is_number(each) else 0 for each in operands[2:]])
        known = self._elements[place]
        found = known.get(operands[2])
        if found is None:
            found = known[operands[2]] = self.types.element_of(source, constant_index(operands[2]))
        return found

    def _place_of(self, source):
        """Return the place of a type that addresses or stack slots are made of."""
        place = self._sources.find(source)
        if place < 0:
            place = len(self._elements)
            self._sources.put(source, place)
            self._elements.append({})
        return place

    def same(self, instruction, original):
        """Let the result agree with all operands that are pointers."""
        if pointee_nodes.is_pointers(instruction.type):
            node = self.node(original)
            for operand in present.operands_of(instruction):
                if pointee_nodes.is_pointers(operand.type):
                    self.agree(node, operand)
        return 0

    def _comparison(self, comparison):
        operands = present.operands_of(comparison)
        lhs = operands[0]
        if pointee_nodes.is_pointers(lhs.type):
            self.agree(self._operand(lhs), operands[1])
        return 0

    def _call(self, call, original):
        operands = present.operands_of(call)
        if type(call) is not Call and pointee_nodes.is_pointers(call.type):
            self.invokes.append(original)
        callee = operands[len(operands) - 1]
        signature = self._signature_of(callee) if type(callee) is _FUNCTION else (None, _NONE, None, False)
        function_type, node, arguments, is_declaration = signature
        if function_type is None or call.function_type is not function_type:
            if pointee_nodes.is_pointers(call.type):
                self.put(original, self._result_of(call, self.pointees.bytes))
            return 0
        if node != _NONE:
            self.put(original, self._result_of(call, node))
        if arguments is None:
            return 0
        count = min(present.argument_count(call), len(arguments))
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
                self._calls.add(node)
                self._calls.add(other)
        return 0

    def _result_of(self, call, node):
        """Return the node of the result of a call: of an invoke it is its own, for its type can be set."""
        return node if type(call) is Call else self.pointees.alias(node)

    def _signature_of(self, callee):
        """Return the facts for calls of a function: its type, the node of its result, and its arguments.

        Arguments that are not pointers are None; intrinsics have no list of arguments.
        """
        place = self._callees.find(callee)
        if place >= 0:
            return self._signatures[place]
        arguments = None
        if not callee.is_intrinsic:
            arguments = [each if pointee_nodes.is_pointers(each.type) else None for each in callee.arguments]
        type_ = self._declared(callee).value_type
        signature = type_, self.results.get(callee, _NONE), arguments, callee.is_declaration
        self._callees.put(callee, len(self._signatures))
        self._signatures.append(signature)
        return signature

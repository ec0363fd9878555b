# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
"""How values are used, and so what they point to."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitcode.downgrade.pointers.fields import Fields, constant_index, is_number, tag_of
from bitcodec.bitcode.downgrade.pointers.pointees import NO_NODE
from bitcodec.bitcode.downgrade.pointers.rare_evidence import RARE_EVIDENCE, count_votes, element_of, enter_function
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.types import ArrayType, PointerType

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.writer.bodies import attached_to
    from cython.cimports.bitcodec.bitcode.downgrade.pointers.pointees import Integers, Pointees, is_pointer
    from cython.cimports.bitcodec.ir.basic_blocks import BasicBlock
    from cython.cimports.bitcodec.ir.instructions.arithmetic import Cast, ICmp, Select
    from cython.cimports.bitcodec.ir.instructions.calls import Call, CallBase
    from cython.cimports.bitcodec.ir.instructions.control_flow import Phi, Return
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
    from cython.cimports.bitcodec.ir.values import Value
    from cython.cimports.bitcodec.object_numbers import ObjectNumbers
else:
    from bitcodec.bitcode.writer.bodies import attached_to
    from bitcodec.bitcode.downgrade.pointers.pointees import Integers, Pointees, is_pointer
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions.arithmetic import Cast, ICmp, Select
    from bitcodec.ir.instructions.calls import Call, CallBase
    from bitcodec.ir.instructions.control_flow import Phi, Return
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

COMPILED = cython.compiled

_NONE = cython.declare(cython.Py_ssize_t, NO_NODE)
_ROUNDS = 4
"""How often fields are looked for: each time, more structs can be known that fields point to."""
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
        nodes: by global or argument, the node of what it points to.
        locals: by function, the same of its instructions.
        results: by function, the node of what its result points to.
        pointees, types: as above.
        nothing: the empty struct.
        invokes: the invokes and branching calls that return pointers.
        paths: by address that is a number of bytes behind a pointer, the path to the field there.
    """

    def __init__(self, module, pointees: Pointees, types, declared, replacements: dict, overloads) -> None:
        self.nodes = ObjectNumbers()
        # Tables of single functions stay in the processor's cache.
        self.locals = {}
        self._local_nodes = ObjectNumbers()
        self.results = {}
        self.pointees = pointees
        self.types = types
        self._declared = declared
        self._replacements = replacements
        self.nothing = module.context.types.struct(())
        self._byte = module.context.types.integer(8)
        self._callees = ObjectNumbers()
        self._signatures = []
        self._elements = {}
        self._local, self._calls, self._bytes = Integers(), Integers(), Integers()
        self._fields, self._field_nodes = [], Integers()
        self.invokes = []
        self.paths = {}
        self._found_paths = {}
        self._layout_fields = Fields(module.data_layout)
        self._derived, self._hints, self._sources = [], [], ObjectNumbers()
        self._places_of_tags, self._tags = ObjectNumbers(), []
        self._votes = {}
        for variable in module.global_variables:
            self.nodes.put(variable, pointees.new(variable.value_type))
            self._sources.put(variable.value_type, 0)
        for function in module.functions:
            enter_function(self, function, overloads.pointees)
        for made, function in overloads.added.items():
            if function in self.results:
                self.results[made] = self.results[function]
        for function in module.functions:
            if function.is_declaration:
                continue
            self._result = self.results.get(function, _NONE)
            self._local_nodes = self.locals[function] = ObjectNumbers()
            for block in function.blocks:
                self._look(block)
        self._conclude()

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def node(self, value: Value) -> cython.Py_ssize_t:
        """Return the node of what a value points to, `NO_NODE` if it is a constant that anything fits."""
        nodes: ObjectNumbers = self._local_nodes if isinstance(value, Instruction) else self.nodes
        found: cython.Py_ssize_t = nodes.find(value)
        if found < 0:
            if nodes is self.nodes and type(value) is not _ARGUMENT:
                return _NONE
            found = self.pointees.new()
            nodes.put(value, found)
        return found

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def put(self, instruction, node: cython.Py_ssize_t) -> cython.int:
        """Let an instruction of the function that is looked at have a node."""
        return self._local_nodes.put(instruction, node)

    def lost_fields(self):
        """Return addresses of fields that do not point to what the fields point to: chains of pointers were cut."""
        found: list = []
        place: cython.Py_ssize_t
        pointees: Pointees = self.pointees
        nodes: cython.pointer(cython.int) = self._field_nodes.numbers
        for place in range(len(self._fields)):
            address = self._fields[place]
            if address.source_element_type is self._byte and address not in self.paths:
                continue
            if pointees.find(pointees.content(nodes[2 * place])) != pointees.find(nodes[2 * place + 1]):
                found.append(address)
        return found

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
                    self.agree(self._result, instruction._operands[0])
            elif kind is Phi or kind is Cast or kind is Select:
                self.same(instruction, original)
            else:
                rule = RARE_EVIDENCE.get(kind)
                if rule is not None:
                    rule(self, instruction, original)
        return 0

    def _conclude(self):
        pointees: Pointees = self.pointees
        place: cython.Py_ssize_t
        types = [*self._sources]
        for place in range(0, len(self._hints), 2):
            struct = self._layout_fields.struct_named(self._hints[place + 1], types)
            if struct is not None:
                pointees.use(self._hints[place], struct)
        self._agree_all(self._local)
        self._find_fields()
        self._agree_all(self._calls)
        self._find_fields()
        count_votes(self._votes, pointees)
        for place in range(self._bytes.size):
            pointees.use(self._bytes.numbers[place], self._byte)
        self._find_fields()
        for base, _, node, original in self._derived:
            if original is None:
                pointees.agree(node, base)
            else:
                pointees.use(base, self._byte)
        pointees.settle()

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _agree_all(self, pairs: Integers) -> cython.int:
        place: cython.Py_ssize_t
        pointees: Pointees = self.pointees
        for place in range(0, pairs.size, 2):
            pointees.agree(pairs.numbers[place], pairs.numbers[place + 1])
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _find_fields(self) -> cython.int:
        """Find the fields that are a number of bytes behind pointers to structs, as long as that finds others."""
        pointees: Pointees = self.pointees
        one: cython.Py_ssize_t
        base: cython.Py_ssize_t
        paths: dict = self._found_paths
        for _ in range(_ROUNDS):
            left: list = []
            for derived in self._derived:
                base, offset, one, original = derived
                whole, wanted = pointees.shape(base), pointees.shape(one)
                if whole is None or wanted is None:
                    left.append(derived)
                    continue
                key = whole, offset, wanted
                found = paths.get(key)
                if found is None:
                    found = paths[key] = _described(self._layout_fields.find(whole, offset, wanted))
                if found[0] is None or not self._is_field(found, base, one, original):
                    left.append(derived)
                elif original is not None:
                    self.paths[original] = found[0]
            if len(left) == len(self._derived):
                break
            self._derived = left
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _is_field(self, found: tuple, base: cython.Py_ssize_t, node: cython.Py_ssize_t, original) -> cython.bint:
        """Return whether a pointer can point to a field."""
        field: cython.Py_ssize_t = self.pointees.bytes
        content: cython.Py_ssize_t = self.pointees.content(node)
        if content == _NONE:
            return True
        _, is_whole, struct, number = found
        if is_whole:
            field = self.pointees.content(base)
        elif struct is not None:
            field = self.types.field(struct, number)
            if original is not None:
                self._add_field(original, node, field)
        return self.pointees.agree(content, field)

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def agree(self, one: cython.Py_ssize_t, value) -> cython.int:
        """Let a pointer agree with a value, unless that is a constant that is cast without an instruction."""
        other: cython.Py_ssize_t = self._operand(value)
        if _NONE not in (one, other):
            self._local.add(one)
            self._local.add(other)
        return 0

    @cython.cfunc
    @cython.exceptval(-2, check=False)
    def _operand(self, value) -> cython.Py_ssize_t:
        if type(value) is _VARIABLE and type(value.value_type) is ArrayType:
            return _NONE
        return self.node(value)

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def use(self, value, shape) -> cython.Py_ssize_t:
        """Let a value point to a type; return the content of its node."""
        node: cython.Py_ssize_t = self.node(value)
        if node == _NONE:
            return _NONE
        if shape is self._byte:
            self._bytes.add(node)
            return _NONE
        return self.pointees.use(node, shape)

    # Rules: of an instruction that is written in the place of another

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _load(self, load: Instruction, original) -> cython.int:
        content: cython.Py_ssize_t
        if load._attachments is not None and self._is_tagged(load, load._operands[0], load.type):
            content = self.pointees.content(self._derived[len(self._derived) - 1][2])
        else:
            content = self.use(load._operands[0], load.type)
        if content != _NONE:
            self._local.add(content)
            self._local.add(self.node(original))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _store(self, store: Instruction) -> cython.int:
        value: Value = store._operands[0]
        content: cython.Py_ssize_t
        if store._attachments is not None and self._is_tagged(store, store._operands[1], value.type):
            content = self.pointees.content(self._derived[len(self._derived) - 1][2])
        else:
            content = self.use(store._operands[1], value.type)
        if content != _NONE:
            self.agree(content, value)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _is_tagged(self, access: Instruction, pointer, shape) -> cython.bint:
        """Look at the tag of an access; return whether it is one of a struct's first field through the struct."""
        address: GetElementPtr
        node: cython.Py_ssize_t
        attached: dict = attached_to(access)
        tag = attached.get("tbaa")
        if tag is None:
            return False
        place: cython.longlong = self._places_of_tags.find(tag)
        if place < 0:
            place = len(self._tags)
            self._tags.append(tag_of(tag))
            self._places_of_tags.put(tag, place)
        name, offset = self._tags[place]
        if not name:
            return False
        if type(pointer) is GetElementPtr:
            address = pointer
            if address.source_element_type is self._byte and len(address._operands) == 2:
                index = address._operands[1]
                if type(index) is _NUMBER and index.value == offset:
                    node = self.node(address._operands[0])
                    if node != _NONE:
                        self._hints.append(node)
                        self._hints.append(name)
                    return False
        node = self.node(pointer)
        if offset or node == _NONE:
            return False
        self._hints.append(node)
        self._hints.append(name)
        self._derived.append((node, 0, self.pointees.new(shape), None))
        return True

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _alloca(self, alloca: Alloca, original) -> cython.int:
        self._sources.put(alloca.allocated_type, 0)
        return self.put(original, self.pointees.new(alloca.allocated_type))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _address(self, address: GetElementPtr, original) -> cython.int:
        node: cython.Py_ssize_t
        content: cython.Py_ssize_t
        operands = address._operands
        base = operands[0]
        source = address.source_element_type
        if source is self._byte and type(operands[1]) is _NUMBER and len(operands) == 2 and original is address:
            content = self.node(base)
            if content != _NONE and type(address.type) is _POINTER:
                self._derived.append((content, operands[1].value, self.node(original), original))
                return 0
        self._sources.put(source, 0)
        self.use(base, source)
        if len(operands) == 2:
            content = self.pointees.new(source)
            self.put(original, content)
            if is_pointer(source):
                self.agree(content, base)
            return 0
        type_, content = self._element_at(source, operands)
        if is_pointer(type_):
            if content == _NONE:
                content = self.pointees.bytes
            else:
                node = self.pointees.new(type_, content)
                self._add_field(original, node, content)
                return self.put(original, node)
        return self.put(original, self.pointees.new(type_, content))

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _add_field(self, original, node: cython.Py_ssize_t, field: cython.Py_ssize_t) -> cython.int:
        """Note the address of a field, its node, and that of what the field points to."""
        self._fields.append(original)
        self._field_nodes.add(node)
        self._field_nodes.add(field)
        return 0

    @cython.cfunc
    def _element_at(self, source, operands) -> tuple:
        """Return what `_element` does for the operands of an address."""
        if len(operands) != 3 or type(operands[2]) is not _NUMBER:
            return element_of(self, source, [constant_index(each) if is_number(each) else 0 for each in operands[2:]])
        key = source, operands[2]
        found = self._elements.get(key)
        if found is None:
            found = self._elements[key] = element_of(self, source, [constant_index(operands[2])])
        return found

    @cython.ccall
    @cython.exceptval(-1, check=False)
    def same(self, instruction: Instruction, original) -> cython.int:
        """Let the result agree with all operands that are pointers."""
        node: cython.Py_ssize_t
        operand: Value
        if is_pointer(instruction.type):
            node = self.node(original)
            for operand in instruction._operands:
                if is_pointer(operand.type):
                    self.agree(node, operand)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _comparison(self, comparison: Instruction) -> cython.int:
        lhs: Value = comparison._operands[0]
        if is_pointer(lhs.type):
            self.agree(self._operand(lhs), comparison._operands[1])
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
                self.put(original, self.pointees.bytes)
            return 0
        if node != _NONE:
            self.put(original, node)
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
                self._calls.add(node)
                self._calls.add(other)
        return 0

    @cython.cfunc
    def _signature_of(self, callee) -> tuple:
        """Return what calls of a function need: its type, the node of its result, and its arguments.

        Arguments that are not pointers are None; intrinsics have no list of arguments.
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


@cython.cfunc
def _described(path) -> tuple:
    """Return a path, whether it leads to a whole, and the struct and number of the field if that is a pointer."""
    if path is None:
        return None, False, None, 0
    is_pointer_field = path.struct is not None and type(path.struct.element_types[path.field]) is _POINTER
    return path, len(path.indices) == 1, path.struct if is_pointer_field else None, path.field

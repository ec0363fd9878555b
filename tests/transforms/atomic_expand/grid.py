"""Atomic instructions of all kinds, each in a function of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bitcodec.builder import Builder, add_block, add_function, metadata_node, new_module
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.module import Module
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import IntegerType, Type
from bitcodec.ir.values import Value
from bitcodec.tables.opcodes import AtomicRMWOperation

LOAD_ORDERINGS = ("unordered", "monotonic", "acquire", "seq_cst")
STORE_ORDERINGS = ("unordered", "monotonic", "release", "seq_cst")
ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
FAILURES = ("monotonic", "acquire", "seq_cst")

SIZES = {
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "i128": 16,
    "i256": 32,
    "half": 2,
    "bfloat": 2,
    "float": 4,
    "double": 8,
    "fp128": 16,
    "<2 x half>": 4,
    "<2 x float>": 8,
    "<4 x float>": 16,
    "<2 x i32>": 8,
    "<2 x i64>": 16,
    "<2 x ptr>": 16,
    "ptr": 8,
}
"""Bytes; pointers of 32-bit targets have half of it."""
INTEGERS = ("i8", "i16", "i32", "i64", "i128", "i256")
FLOATS = ("half", "bfloat", "float", "double", "fp128")
FLOAT_VECTORS = ("<2 x half>", "<2 x float>", "<4 x float>")
VECTORS = ("<2 x i32>", "<2 x i64>", "<2 x float>", "<2 x half>")

INTEGER_OPERATIONS = tuple(
    found.spelling for found in AtomicRMWOperation if not found.is_floating_point and found.spelling != "xchg"
)
FLOAT_OPERATIONS = tuple(found.spelling for found in AtomicRMWOperation if found.is_floating_point)

KINDS = ("pcsections", "mmra", "tbaa", "noalias", "amdgpu.no.remote.memory", "nontemporal", "prof")
"""Metadata that instructions carry here; what it says means nothing."""


class Case(NamedTuple):
    """An atomic instruction.

    Attributes:
        opcode: the instruction.
        type: what lies at the address, as text spells it.
        ordering: with other accesses.
        operation: of `atomicrmw`.
        failure: the ordering of a failing `cmpxchg`.
        alignment: in bytes, 0 for the size.
        value: the operand: the number of all its bits, None for an argument of the function.
        flags: `volatile`, `weak`, `singlethread`, `halves` (of the result of `cmpxchg`), `unused`, `marked` (with
            metadata of all kinds), `minsize`, `strictfp`, `profile`, `space` (an address space other than 0).
    """

    opcode: str
    type: str
    ordering: str
    operation: str = ""
    failure: str = ""
    alignment: int = 0
    value: int | None = None
    flags: frozenset[str] = frozenset()

    def __str__(self) -> str:
        words = [self.opcode, self.operation, self.type, self.ordering, self.failure]
        words += [f"align {self.alignment}" if self.alignment else "", "" if self.value is None else str(self.value)]
        return " ".join(filter(None, [*words, *sorted(self.flags)]))


def aligned(types: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield types with alignments: of the size, too little, more."""
    for type_ in types:
        size = SIZES[type_]
        yield type_, 0
        if size > 1:
            yield type_, 1
        if size > 4:
            yield type_, 4
        if size < 4:
            yield type_, 4


def whole_grid() -> Iterator[Case]:
    """Yield all cases."""
    loaded = (*INTEGERS, *FLOATS, *VECTORS, "ptr")
    for type_, alignment in aligned(loaded):
        for ordering in LOAD_ORDERINGS:
            yield Case("load", type_, ordering, alignment=alignment)
        for ordering in STORE_ORDERINGS:
            yield Case("store", type_, ordering, alignment=alignment)
    for type_, alignment in aligned((*INTEGERS, *FLOATS, "ptr")):
        for ordering in ORDERINGS:
            yield Case("atomicrmw", type_, ordering, "xchg", alignment=alignment)
    for type_, alignment in aligned(INTEGERS):
        for operation in INTEGER_OPERATIONS:
            for ordering in ORDERINGS:
                yield Case("atomicrmw", type_, ordering, operation, alignment=alignment)
    for type_, alignment in aligned((*FLOATS, *FLOAT_VECTORS)):
        for operation in FLOAT_OPERATIONS:
            for ordering in ORDERINGS:
                yield Case("atomicrmw", type_, ordering, operation, alignment=alignment)
    for type_, alignment in aligned((*INTEGERS, "ptr")):
        for ordering in ORDERINGS:
            for failure in FAILURES:
                for flags in ((), ("weak",), ("halves",), ("weak", "halves")):
                    yield Case("cmpxchg", type_, ordering, "", failure, alignment, flags=frozenset(flags))
    yield from _flagged()
    yield from _constants()


def _flagged() -> Iterator[Case]:
    """Yield cases that are more than a type and an ordering."""
    for type_ in ("i8", "i32", "i128", "float", "ptr"):
        for words in (["volatile"], ["singlethread"], ["volatile", "singlethread"], ["marked"], ["space"], ["profile"]):
            flags = frozenset(words)
            yield Case("load", type_, "acquire", flags=flags)
            yield Case("store", type_, "release", flags=flags)
            yield Case("atomicrmw", type_, "acq_rel", "xchg", flags=flags)
            if type_ != "float":
                yield Case("cmpxchg", type_, "seq_cst", "", "acquire", flags=flags)
            for operation in FLOAT_OPERATIONS if type_ == "float" else INTEGER_OPERATIONS if type_ != "ptr" else ():
                yield Case("atomicrmw", type_, "seq_cst", operation, flags=flags)
    for type_ in ("i8", "i16", "i32", "i64"):
        for failure in FAILURES:
            for ordering in ORDERINGS:
                for words in (["minsize"], ["minsize", "weak"], ["minsize", "halves"]):
                    yield Case("cmpxchg", type_, ordering, "", failure, flags=frozenset(words))
        for operation in INTEGER_OPERATIONS:
            yield Case("atomicrmw", type_, "seq_cst", operation, flags=frozenset({"unused"}))
    for operation in FLOAT_OPERATIONS:
        for type_ in (*FLOATS, *FLOAT_VECTORS):
            yield Case("atomicrmw", type_, "seq_cst", operation, flags=frozenset({"strictfp"}))


def _constants() -> Iterator[Case]:
    """Yield cases whose operand is a number, so that some of the steps come to nothing."""
    for type_ in ("i8", "i16", "i32", "i64", "i128"):
        bits = SIZES[type_] * 8
        for value in (0, 1, 5, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1):
            for operation in ("xchg", *INTEGER_OPERATIONS):
                yield Case("atomicrmw", type_, "monotonic", operation, value=value)
                yield Case("atomicrmw", type_, "monotonic", operation, value=value, alignment=16)
            yield Case("store", type_, "seq_cst", value=value)
            yield Case("cmpxchg", type_, "seq_cst", "", "seq_cst", value=value)
        for flag in ("unused", "volatile", "singlethread"):
            for operation in ("or", "and", "xor", "add", "umax"):
                value = (1 << bits) - 1 if operation == "and" else 0
                yield Case("atomicrmw", type_, "seq_cst", operation, value=value, flags=frozenset({flag}))


def module_of(cases: Iterable[Case], data_layout: str, triple: str) -> Module:
    """Return a module of one function for each case."""
    module = new_module("grid", data_layout=data_layout, target_triple=triple)
    for number, case in enumerate(cases):
        _add(module, f"f{number}", case)
    return module


def _add(module: Module, name: str, case: Case) -> None:
    types = module.context.types
    type_ = _type(types, case.type)
    pointer = types.pointer(3 if "space" in case.flags else 0)
    result: Type = types.void
    if "unused" not in case.flags and case.opcode != "store":
        result = types.struct([type_, types.integer(1)]) if case.opcode == "cmpxchg" else type_
    function = add_function(module, name, types.function(result, [pointer, type_, type_]))
    _give_attributes(module, function, case)
    builder = Builder(add_block(function, "entry"))
    address, first, second = function.arguments
    if case.value is not None:
        assert isinstance(type_, IntegerType)
        first = module.context.constants.integer(type_, case.value)
    made = _access(builder, case, type_, address, first, second)
    _mark(module, made, case)
    returned: Value = made
    if "halves" in case.flags:
        found = builder.extractvalue(made, 0)
        success = builder.extractvalue(made, 1)
        returned = builder.insertvalue(builder.constants.poison(result), found, 0)
        returned = builder.insertvalue(returned, success, 1)
    builder.ret(None if result is types.void else returned)


def _access(builder: Builder, case: Case, type_: Type, address: Value, first: Value, second: Value) -> Instruction:
    size = builder.module.data_layout.store_size(type_)
    options = {
        "alignment": case.alignment or size,
        "volatile": "volatile" in case.flags,
        "sync_scope": "singlethread" if "singlethread" in case.flags else "",
    }
    match case.opcode:
        case "load":
            return builder.load(type_, address, ordering=case.ordering, **options)
        case "store":
            return builder.store(first, address, ordering=case.ordering, **options)
        case "atomicrmw":
            return builder.atomicrmw(case.operation, address, first, ordering=case.ordering, **options)
    orderings = {"success_ordering": case.ordering, "failure_ordering": case.failure}
    return builder.cmpxchg(address, first, second, **orderings, weak="weak" in case.flags, **options)


def _give_attributes(module: Module, function: Function, case: Case) -> None:
    from bitcodec.builder import attribute_list

    words = [word for word in ("minsize", "strictfp") if word in case.flags]
    function.attributes = attribute_list(function=words)
    if "profile" in case.flags:
        i64 = module.context.types.integer(64)
        count = module.context.constants.integer(i64, 1000)
        function.metadata.append(("prof", metadata_node(module, "function_entry_count", count)))


def _mark(module: Module, made: Instruction, case: Case) -> None:
    made.metadata["pcsections"] = metadata_node(module, "section")
    if "marked" in case.flags:
        tag = metadata_node(module, "tag", "value")
        scope = metadata_node(module, metadata_node(module, "scope", metadata_node(module, "domain")))
        made.metadata["mmra"] = tag
        made.metadata["noalias"] = made.metadata["alias.scope"] = scope
        made.metadata["amdgpu.no.remote.memory"] = metadata_node(module)
        made.metadata["amdgpu.ignore.denormal.mode"] = metadata_node(module)


def _type(types: TypeTable, spelling: str) -> Type:
    if spelling.startswith("<"):
        count, _, element = spelling[1:-1].partition(" x ")
        return types.vector(int(count), _type(types, element))
    if spelling == "ptr":
        return types.pointer()
    if spelling.startswith("i"):
        return types.integer(int(spelling[1:]))
    return getattr(types, spelling)

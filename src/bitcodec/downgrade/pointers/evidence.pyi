from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bitcodec.downgrade.pointers.field_search import FieldSearch
from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.downgrade.pointers.overloads import Overloads
from bitcodec.downgrade.pointers.pointees import Pointees
from bitcodec.downgrade.pointers.types import TypedTypes
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBranch, Instruction, Invoke
from bitcodec.ir.module import Module
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value
from bitcodec.object_numbers import ObjectNumbers

class Evidence:
    nodes: ObjectNumbers
    silent: ObjectNumbers
    locals: dict[Function, ObjectNumbers]
    results: dict[Function, int]
    pointees: Pointees
    types: TypedTypes
    nothing: Type
    fields: FieldSearch
    order: Integers
    starts: dict[Function, int]
    lowered: ObjectNumbers
    invokes: Sequence[Invoke | CallBranch]
    def __init__(
        self,
        module: Module,
        pointees: Pointees,
        types: TypedTypes,
        declared: Callable[[Any], Any],
        replacements: Mapping[Instruction, Sequence[Instruction]],
        overloads: Overloads,
    ) -> None: ...
    def node(self, value: Value) -> int: ...
    def put(self, instruction: Instruction, node: int) -> int: ...
    def agree(self, one: int, value: Value) -> int: ...
    def use(self, value: Value, shape: Type) -> int: ...
    def same(self, instruction: Instruction, original: Instruction) -> int: ...

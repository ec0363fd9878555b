from bitcodec.bitcode.writer.attributes import AttributeNumbers
from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitcode.writer.types import TypeNumbers
from bitcodec.ir.functions import Function
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import Type

class TypeWalk:
    def __init__(
        self, types: TypeNumbers, attributes: AttributeNumbers, constants: Collected, table: TypeTable
    ) -> None: ...
    def add_type(self, type_: Type) -> None: ...
    def add_arguments(self, function: Function) -> None: ...

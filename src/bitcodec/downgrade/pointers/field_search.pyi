from bitcodec.downgrade.pointers.fields import FieldPath
from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.downgrade.pointers.pointees import Pointees
from bitcodec.downgrade.pointers.types import TypedTypes
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.instructions import GetElementPtr
from bitcodec.ir.types import Type
from bitcodec.object_numbers import ObjectNumbers

class FieldSearch:
    paths: list[FieldPath]
    numbers_of_paths: ObjectNumbers
    def __init__(
        self, layout: DataLayout, pointees: Pointees, types: TypedTypes, byte: Type, order: Integers
    ) -> None: ...
    def take_hints(self, types: list[Type]) -> None: ...
    def find(self) -> None: ...
    def take_bytes(self) -> None: ...
    def lost(self) -> list[GetElementPtr]: ...

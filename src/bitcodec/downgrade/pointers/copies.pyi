from typing import TypeVar

from bitcodec.ir.instructions import Cast, GetElementPtr
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value

_Value = TypeVar("_Value", bound=Value)

def new_cast(value: Value, type_: Type) -> Cast: ...
def new_address(value: Value, indices: tuple[Value, ...], source: Type, type_: Type) -> GetElementPtr: ...
def copy_of(value: _Value) -> _Value: ...

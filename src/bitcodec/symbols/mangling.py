"""Names of globals as object files have them.

Rules: LLVM Language Reference, "Data Layout" (`m:`) and "Identifiers" (names that begin with byte 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.data_layout import aligned
from bitcodec.ir.functions import Function
from bitcodec.named_tuple import NamedTuple
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from bitcodec.ir.attributes import AttributeList, AttributeSet
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import FunctionType, Type

__all__ = ["MANGLINGS", "Mangler", "Mangling"]


class Mangling(NamedTuple):
    """How a kind of object file has names written.

    Attributes:
        prefix: before every name.
        private: before that, if the name is removed by the assembler.
        keeps_question_mark: whether names that begin with `?` are mangled already.
        has_call_suffixes: whether names give calling conventions other than `vectorcall`, which they always give.
    """

    prefix: str = ""
    private: str = ""
    keeps_question_mark: bool = False
    has_call_suffixes: bool = False


MANGLINGS = {
    "": Mangling(),
    "a": Mangling("", "L.."),
    "e": Mangling("", ".L"),
    "l": Mangling("", "L#"),
    "m": Mangling("", "$"),
    "o": Mangling("_", "L"),
    "w": Mangling("", ".L", keeps_question_mark=True),
    "x": Mangling("_", "L", keeps_question_mark=True, has_call_suffixes=True),
}
"""By the letter after `m:` in the data layout."""


class _CallMangling(NamedTuple):
    """Effect of a calling convention on a name: its prefix (None: the usual one), and the separator before the size."""

    prefix: str | None
    suffix: str


_VECTORCALL = 80
_CALLS = {64: _CallMangling(None, "@"), 65: _CallMangling("@", "@"), _VECTORCALL: _CallMangling("", "@@")}
"""By number: `x86_stdcallcc`, `x86_fastcallcc`, `x86_vectorcallcc`; then comes how many bytes the arguments take."""

_COPIED = ("byval", "inalloca", "preallocated")
_UNSIGNED = 0xFFFF_FFFF
_AS_IT_IS = "\x01"


class Mangler:
    """Names globals, those without a name by a number each, in the order in which they are requested."""

    __slots__ = ("_bases", "_numbers", "_sizes")

    def __init__(self, bases: BaseObjects | None = None) -> None:
        self._bases = bases or BaseObjects()
        self._numbers: dict[GlobalValue, int] = {}
        self._sizes: dict[tuple[FunctionType, AttributeList | None], int] = {}

    def name(self, value: GlobalValue, layout: DataLayout) -> str:
        """Return the name of a global of a module with that data layout."""
        mangling = MANGLINGS.get(layout.mangling, MANGLINGS[""])
        private = mangling.private if value.linkage is Linkage.PRIVATE else ""
        if not value.name:
            number = self._numbers.setdefault(value, len(self._numbers) + 1)
            return f"{private}{mangling.prefix}__unnamed_{number}"
        if value.name.startswith(_AS_IT_IS):
            return value.name.removeprefix(_AS_IT_IS)
        if mangling.keeps_question_mark and value.name.startswith("?"):
            return private + value.name
        function = self._bases.of(value)
        if not isinstance(function, Function) or not _tells_call(function, mangling):
            return private + mangling.prefix + value.name
        call = _CALLS[function.calling_convention]
        prefix = mangling.prefix if call.prefix is None else call.prefix
        return f"{private}{prefix}{value.name}{self._suffix(call, function, layout)}"

    def _suffix(self, call: _CallMangling, function: Function, layout: DataLayout) -> str:
        parameters = function.function_type.parameter_types
        returns_in_memory = "sret" in function.attributes.for_parameter(0)
        if function.is_vararg and parameters and not (len(parameters) == 1 and returns_in_memory):
            return call.suffix.removesuffix("@")
        return f"{call.suffix}{self._argument_bytes(function, layout)}"

    def _argument_bytes(self, function: Function, layout: DataLayout) -> int:
        """Return the room that arguments take on the stack, each of them in whole words."""
        types = function.function_type.parameter_types
        whole = (function.function_type, function.attributes)
        plain = (function.function_type, None)
        if plain not in self._sizes:
            self._sizes[plain] = sum(_words(type_, layout) for type_ in types)
        if whole not in self._sizes:
            size = self._sizes[plain]
            for index, attributes in function.attributes.parameters.items():
                if index < len(types):
                    size += _passed(types[index], attributes, layout) - _words(types[index], layout)
            self._sizes[whole] = size
        return self._sizes[whole] & _UNSIGNED


def _tells_call(function: Function, mangling: Mangling) -> bool:
    convention = function.calling_convention
    return convention == _VECTORCALL or (mangling.has_call_suffixes and convention in _CALLS)


def _passed(type_: Type, attributes: AttributeSet, layout: DataLayout) -> int:
    """Return the size of a parameter with attributes: 0 for a returned struct, the whole size of a copied one."""
    if "sret" in attributes:
        return 0
    for kind in _COPIED:
        copied = attributes.get(kind)
        if isinstance(copied, TypeAttribute) and copied.type is not None:
            return _words(copied.type, layout)
    return _words(type_, layout)


def _words(type_: Type, layout: DataLayout) -> int:
    try:
        return aligned(layout.alloc_size(type_), layout.pointer_size())
    except ValueError:
        return 0  # what has no size takes no room

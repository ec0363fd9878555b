"""Names of globals as object files have them.

Rules: LLVM Language Reference, "Data Layout" (`m:`) and "Identifiers" (names that begin with byte 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitcodec.ir.functions import Function
from bitcodec.symbols.base_objects import base_object
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.globals import GlobalValue

__all__ = ["MANGLINGS", "Mangler", "Mangling"]


class Mangling(NamedTuple):
    """How a kind of object file has names written.

    Attributes:
        prefix: before every name.
        private: before that, if the name is to be gone after assembling.
        keeps_question_mark: whether names that begin with `?` are mangled already.
        has_call_suffixes: whether names tell calling conventions other than `vectorcall`, which they always tell.
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
    """What a calling convention does to a name: its prefix (None: the usual one), and what stands before the bytes."""

    prefix: str | None
    suffix: str


_VECTORCALL = 80
_CALLS = {64: _CallMangling(None, "@"), 65: _CallMangling("@", "@"), _VECTORCALL: _CallMangling("", "@@")}
"""By number: `x86_stdcallcc`, `x86_fastcallcc`, `x86_vectorcallcc`; then comes how many bytes the arguments take."""

_PASSED_BY_VALUE = ("byval", "inalloca", "preallocated")
_UNSIGNED = 0xFFFF_FFFF
_AS_IT_IS = "\x01"


class Mangler:
    """Names globals, those without a name by a number each, in the order in which they are asked for."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[GlobalValue, int] = {}

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
        function = base_object(value)
        call = _CALLS.get(function.calling_convention) if isinstance(function, Function) else None
        if call is None or not isinstance(function, Function) or not _tells_call(function, mangling):
            return private + mangling.prefix + value.name
        prefix = mangling.prefix if call.prefix is None else call.prefix
        return f"{private}{prefix}{value.name}{_suffix(call, function, layout)}"


def _tells_call(function: Function, mangling: Mangling) -> bool:
    return mangling.has_call_suffixes or function.calling_convention == _VECTORCALL


def _suffix(call: _CallMangling, function: Function, layout: DataLayout) -> str:
    parameters = function.function_type.parameter_types
    returns_in_memory = "sret" in function.attributes.for_parameter(0)
    if function.is_vararg and parameters and not (len(parameters) == 1 and returns_in_memory):
        return call.suffix.removesuffix("@")
    return f"{call.suffix}{_argument_bytes(function, layout)}"


def _argument_bytes(function: Function, layout: DataLayout) -> int:
    """Return the room that arguments take on the stack, each of them in whole words."""
    word = layout.pointer_size()
    total = 0
    for index, type_ in enumerate(function.function_type.parameter_types):
        attributes = function.attributes.for_parameter(index)
        if "sret" in attributes:
            continue
        passed = next((attributes.get(kind) for kind in _PASSED_BY_VALUE if kind in attributes), None)
        held = getattr(passed, "type", None) or type_
        try:
            size = layout.alloc_size(held)
        except ValueError:
            size = 0
        total += -(-size // word) * word
    return total & _UNSIGNED

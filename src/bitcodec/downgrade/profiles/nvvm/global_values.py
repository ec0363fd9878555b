"""Functions, variables and names for libNVVM."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.downgrade.profiles.nvvm.initializers import in_circle
from bitcodec.ir.constants import UndefValue
from bitcodec.ir.globals import GlobalObject, GlobalVariable
from bitcodec.ir.types import ArrayType, FloatingPointType, IntegerType, StructType, VectorType
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["ATTRIBUTE_ROWS", "SPACES", "lower_globals", "valid_name"]

SPACES = frozenset({0, 1, 3, 4, 5})
"""Generic, global, shared, constant, local."""
_SHARED, _LOCAL = 3, 5
_FIRST_OWN_NAME = "llvm."
_OTHER_CHARACTER = re.compile(r"[^a-zA-Z0-9_$]")
_OTHER_LOCAL = re.compile(r"[^a-zA-Z0-9_$.-]")
"""In names of a module's own globals, libNVVM replaces dots and dashes itself."""
_FIRST_DIGIT = re.compile(r"^(?=[0-9])")
_STRUCTORS = ("llvm.global_ctors", "llvm.global_dtors")
_FLOATING = rows.FLOATING_TYPES | rows.HALVES
_WIDEST = 64
_WIDTHS = frozenset({1, 8, 16, 32})
_ODDLY_WIDE = 128

ATTRIBUTE_ROWS = {
    name: rows.attribute(name, way)
    for name, way in (
        ("nonlazybind", Way.DROP),
        ("naked", Way.REFUSE),
        ("noimplicitfloat", Way.DROP),
        ("noredzone", Way.DROP),
        ("returns_twice", Way.REFUSE),
        ("ssp", Way.DROP),
        ("sspreq", Way.DROP),
        ("sspstrong", Way.DROP),
        ("uwtable", Way.DROP),
        ("nobuiltin", Way.DROP),
        ("builtin", Way.DROP),
        ("sanitize_address", Way.DROP),
        ("sanitize_memory", Way.DROP),
        ("sanitize_thread", Way.DROP),
        ("alignstack", Way.DROP),
        ("safestack", Way.DROP),
        ("jumptable", Way.DROP),
    )
} | {"optnone": rows.OPTNONE}
"""By name of an attribute of functions that libNVVM lacks, the row, in the order in which libNVVM looks."""


def lower_globals(module: Module, losses: Losses) -> None:
    """Lower functions and variables; refuse the ones without another form."""
    if not module.target_triple:
        losses.add(rows.NO_TRIPLE, "")
    elif not re.match(r"nvptx(?:64)?-[^-]*-cuda\b", module.target_triple):
        losses.add(rows.TRIPLE, "", module.target_triple)
    for function in module.functions:
        _function(function, losses)
    for variable in module.global_variables:
        _variable(variable, losses)
    circular = in_circle(module)
    if circular is not None:
        losses.add(rows.CIRCLE, circular.name)
    for value in (*module.functions, *module.global_variables, *module.aliases):
        _common(value, losses)


def _common(value: GlobalValue, losses: Losses) -> None:
    name, linkage = value.name, value.linkage
    if name in _STRUCTORS:
        losses.add(rows.STRUCTORS, name)
    if name.startswith(_FIRST_OWN_NAME):
        return
    found = rows.LINKAGES.get(linkage.spelling)
    if found is not None:
        losses.add(found, name)
    if isinstance(value, GlobalObject) and value.section and value.section != "llvm.metadata":
        losses.add(rows.SECTION, name, value.section)
        value.section = ""
    valid = valid_name(name, is_local=linkage in {Linkage.PRIVATE, Linkage.INTERNAL})
    if valid != name:
        losses.add(rows.NAME, name, valid)
        value.name = valid


def valid_name(name: str, *, is_local: bool = False) -> str:
    """Return the name that PTX has for a global: other characters are replaced, but for LLVM's own names."""
    if name.startswith(_FIRST_OWN_NAME):
        return name
    return _FIRST_DIGIT.sub("_$_", (_OTHER_LOCAL if is_local else _OTHER_CHARACTER).sub("_$_", name))


def _function(function: Function, losses: Losses) -> None:
    name = function.name
    _attributes(function, losses)
    for role, construct in rows.REFUSED_DATA.items():
        if getattr(function, role) is not None:
            losses.add(construct, name)
    if function.garbage_collector:
        losses.add(rows.GARBAGE_COLLECTOR, name)
    if function.personality is not None:
        losses.add(rows.PERSONALITY, name)
        function.personality = None
    if function.alignment is not None:
        losses.add(rows.ALIGNED_FUNCTION, name)
        function.alignment = None
    _signature(function, losses)


def _attributes(function: Function, losses: Losses) -> None:
    for attribute in function.attributes.for_function:
        construct = ATTRIBUTE_ROWS.get(attribute.name)
        if construct is not None:
            losses.add(construct, function.name)
            function.remove_attribute(attribute.name)
    memory = function.attributes.for_function.memory
    is_confined = memory is not None and memory["other"] == MemoryAccess.NONE != memory["inaccessiblemem"]
    if is_confined and not function.is_declaration:
        losses.add(rows.INACCESSIBLE, function.name)
        function.remove_attribute("memory")


def _signature(function: Function, losses: Losses) -> None:
    module = function.parent
    if module is not None and not function.name.startswith(_FIRST_OWN_NAME):
        layout = module.data_layout
        for type_ in (function.return_type, *function.function_type.parameter_types):
            if any(map(_is_too_wide, _parts(type_))):
                losses.add(rows.WIDE_INTEGER, function.name, str(type_))
            if isinstance(type_, StructType | ArrayType) and not layout.alloc_size(type_):
                losses.add(rows.EMPTY_TYPE, function.name, str(type_))
        result = function.return_type
        if isinstance(result, IntegerType) and result.bit_width < _WIDEST and result.bit_width not in _WIDTHS:
            losses.add(rows.ODD_RESULT, function.name, str(result))


def _parts(type_: Type) -> Iterator[Type]:
    """Yield a type and its parts, without recursion."""
    pending = [type_]
    seen: set[Type] = set()
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            yield current
            pending += current.element_types


def _is_too_wide(type_: Type) -> bool:
    if isinstance(type_, VectorType):
        return isinstance(type_.element_type, IntegerType) and type_.element_type.bit_width > _WIDEST
    return isinstance(type_, IntegerType) and type_.bit_width > _WIDEST and type_.bit_width != _ODDLY_WIDE


def _variable(variable: GlobalVariable, losses: Losses) -> None:
    name, space = variable.name, variable.address_space
    if variable.is_thread_local:
        losses.add(rows.THREAD_LOCAL, name)
    if space not in SPACES - {_LOCAL}:
        losses.add(rows.OTHER_SPACE, name)
    initializer = variable.initializer
    if space == _SHARED and initializer is not None:
        if not isinstance(initializer, UndefValue):
            losses.add(rows.SHARED_INITIALIZER, name)
        if variable.linkage is Linkage.COMMON:
            losses.add(rows.COMMON_SHARED, name)
            variable.linkage = Linkage.WEAK
    for part in _parts(variable.value_type):
        found = _FLOATING.get(part.spelling) if isinstance(part, FloatingPointType) else None
        if found is not None:
            losses.add(found, name)

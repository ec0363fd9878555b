"""Appending variables of two modules joined.  Rules: docs/reference/linking.md, 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantCast
from bitcodec.ir.constants import Constant, ConstantAggregate
from bitcodec.ir.construction.moving import place_before
from bitcodec.ir.folding.elements import known_element
from bitcodec.ir.globals import GlobalValue, GlobalVariable
from bitcodec.ir.types import ArrayType
from bitcodec.linker.problems import LinkError, LinkProblem, ProblemKind
from bitcodec.linker.prototypes import copy_properties, force_name
from bitcodec.linker.resolution import standing_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.linker.types import TypeMapper

__all__ = ["Appender", "Appending", "check_properties", "elements_of", "first_difference", "properties_of"]

_STRUCTORS = ("llvm.global_ctors", "llvm.global_dtors")
_NEW_FIELDS = 3
"""Fields of an entry in a list of constructors; before LLVM 3.6 there were two."""
_MAX_IMPLICIT_ELEMENTS = 1 << 16
"""Longest `zeroinitializer` that is joined; a few bytes can spell one of 2**64 elements."""


class Appending(NamedTuple):
    """A joined variable, whose elements have not been followed yet.

    Attributes:
        variable: the variable, without initializer.
        before: the elements of the destination.
        added: the elements of the source.
        is_old: whether the elements of the source lack the third field of a constructor.
    """

    variable: GlobalVariable
    before: tuple[Constant, ...]
    added: tuple[Constant, ...]
    is_old: bool


def _kind_of(value: GlobalValue) -> str:
    return standing_of(value).value


def _named(form: str, value: object) -> str:
    return form.format(value) if value else ""


def _elements_of(variable: GlobalVariable) -> str:
    """Return the description of a variable's elements; old lists of constructors have the current form."""
    type_ = variable.value_type
    element = type_.element_type if isinstance(type_, ArrayType) else type_
    is_old = variable.name in _STRUCTORS and len(element.element_types) < _NEW_FIELDS
    text = "{ i32, ptr, ptr }" if is_old else str(element)
    # Those of two modules may become one.
    return "elements of identified types" if "%" in text else f"elements of type {text}"


_PROPERTIES: tuple[tuple[ProblemKind, Callable[[GlobalVariable], str]], ...] = (
    (ProblemKind.NOT_APPENDING, _kind_of),
    (ProblemKind.APPENDING_CONSTANTS, lambda variable: "constant" if variable.is_constant else "no constant"),
    (ProblemKind.APPENDING_ALIGNMENTS, lambda variable: _named("align {}", variable.alignment) or "no alignment"),
    (ProblemKind.APPENDING_VISIBILITIES, lambda variable: f"{variable.visibility} visibility"),
    (ProblemKind.APPENDING_UNNAMED_ADDRESSES, lambda variable: str(variable.unnamed_address) or "no unnamed_addr"),
    (ProblemKind.APPENDING_SECTIONS, lambda variable: _named('section "{}"', variable.section) or "no section"),
    (ProblemKind.APPENDING_ADDRESS_SPACES, lambda variable: f"addrspace({variable.address_space})"),
    (ProblemKind.APPENDING_ELEMENTS, _elements_of),
)
"""Properties that two appending variables must have in common, in the order of LLVM's checks, with their texts."""


def properties_of(value: GlobalValue) -> tuple[str, ...]:
    """Return the properties of a variable that must be equal in variables joined with it, as messages call them."""
    if not isinstance(value, GlobalVariable) or value.linkage is not Linkage.APPENDING:
        return (_kind_of(value),)
    return tuple([describe(value) for _, describe in _PROPERTIES])


def first_difference(there: Sequence[str], arriving: Sequence[str]) -> tuple[ProblemKind, str, str] | None:
    """Return the first problem of two variables that are to be joined, with the texts of both; None for no problem."""
    for (kind, _), ours, theirs in zip(_PROPERTIES, there, arriving, strict=False):
        if ours != theirs:
            return kind, ours, theirs
    return None


class Appender:
    """Joins appending variables.

    Args:
        destination: the module.
        types: finds its types.
        is_linked: whether the definition of a global of the source is linked.
    """

    def __init__(self, destination: Module, types: TypeMapper, is_linked: Callable[[GlobalValue], bool]) -> None:
        self._destination = destination
        self._types = types
        self._is_linked = is_linked
        self._table = destination.context.constants

    def join(self, source: GlobalValue, there: GlobalValue | None) -> Appending | None:
        """Create the joined variable, in place of the destination's; None if the source only declares it.

        Raises:
            LinkError: the variables do not fit.
        """
        is_joined = there is not None and not there.is_declaration and not source.is_declaration
        if is_joined and there is not None:
            check_properties(source, there)
        if not isinstance(source, GlobalVariable) or not isinstance(there, GlobalVariable | None):
            raise _refused(source, ProblemKind.NOT_APPENDING)
        if source.is_declaration:
            return None
        element = self._element_type(source)
        is_old = source.name in _STRUCTORS and len(element.element_types) < _NEW_FIELDS
        if is_old:
            element = self._table.types.struct([*element.element_types, self._table.types.ptr])
        before: tuple[Constant, ...] = ()
        if is_joined and there is not None:
            if element is not _array(there).element_type:
                raise _refused(source, ProblemKind.APPENDING_ELEMENTS, _elements_of(there), _elements_of(source))
            before = tuple(elements_of(there, self._table))
        added = elements_of(source, self._table)
        if source.name in _STRUCTORS and not is_old:
            added = [entry for entry in added if self._is_kept(entry)]
        variable = self._joined(source, there, self._table.types.array(len(before) + len(added), element))
        return Appending(variable, before, tuple(added), is_old)

    def _element_type(self, source: GlobalVariable) -> Type:
        mapped = self._types.get(source.value_type)
        if not isinstance(mapped, ArrayType):
            raise _refused(source, ProblemKind.APPENDING_ELEMENTS)
        return mapped.element_type

    def _joined(self, source: GlobalVariable, there: GlobalVariable | None, type_: ArrayType) -> GlobalVariable:
        made = GlobalVariable(source.type, type_, Linkage.APPENDING)
        copy_properties(source, made)
        self._destination.append(made)
        if there is not None:
            place_before(made, there)
        force_name(made, source.name)
        return made

    def _is_kept(self, entry: Constant) -> bool:
        """Return whether an entry of a list of constructors has no key, or one that is linked."""
        key = known_element(self._table, entry, _NEW_FIELDS - 1)
        while isinstance(key, ConstantCast):
            key = key.operand
        return not isinstance(key, GlobalValue) or self._is_linked(key)


def check_properties(source: GlobalValue, there: GlobalValue) -> None:
    """Check that two variables share the properties that LLVM requires of appending ones, except the element type.

    Raises:
        LinkError: they do not.
    """
    difference = first_difference(properties_of(there), properties_of(source))
    if difference is not None and difference[0] is not ProblemKind.APPENDING_ELEMENTS:
        raise _refused(source, *difference)


def elements_of(variable: GlobalVariable, table: ConstantTable) -> list[Constant]:
    """Return the elements of an appending variable.

    Raises:
        LinkError: a short text spells too many.
    """
    initializer = variable.initializer
    count = _array(variable).count
    if isinstance(initializer, ConstantAggregate):
        return cast("list[Constant]", list(initializer.operands))
    if initializer is None or count > _MAX_IMPLICIT_ELEMENTS:
        raise _refused(variable, ProblemKind.TOO_MANY_ELEMENTS)
    found = [known_element(table, initializer, index) for index in range(count)]
    return [element for element in found if element is not None]


def _array(variable: GlobalVariable) -> ArrayType:
    assert isinstance(variable.value_type, ArrayType)  # noqa: S101 - appending variables have no other type
    return variable.value_type


def _refused(source: GlobalValue, kind: ProblemKind, there: str = "", arriving: str = "") -> LinkError:
    module = source.parent.identifier if source.parent else ""
    return LinkError((LinkProblem(kind, source.name, module, "", arriving, there),))

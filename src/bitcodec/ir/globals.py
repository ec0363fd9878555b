"""Globals of a module: variables, aliases, ifuncs; functions are in `functions`.

Rules: LLVM Language Reference, "Global Variables", "Aliases", "IFuncs", "Comdats".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.assignments import a_member_of, a_text, an_instance_of, check_members
from bitcodec.ir.attachments import Attachments
from bitcodec.ir.attributes import NO_ATTRIBUTES, AttributeSet
from bitcodec.ir.constants import Constant, outside_user
from bitcodec.ir.global_fields import ObjectFields, ValueFields, VariableFields, check_fields, field_names
from bitcodec.ir.members import slots
from bitcodec.ir.types import Type
from bitcodec.printing import text_of
from bitcodec.tables.linkage import DLLStorageClass, Linkage, SelectionKind, ThreadLocalMode, Visibility

if TYPE_CHECKING:
    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.lazy import Deferred
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.types import PointerType
    from bitcodec.ir.values import User, Value

__all__ = ["Comdat", "GlobalAlias", "GlobalIFunc", "GlobalObject", "GlobalValue", "GlobalVariable", "require_constant"]


# To look a member of an enumeration up takes as long as all else that makes a global.
_DEFAULT_VISIBILITY = Visibility.DEFAULT
_NO_DLL = DLLStorageClass.DEFAULT
_INTERNAL, _PRIVATE = Linkage.INTERNAL, Linkage.PRIVATE

_A_LINKAGE = a_member_of(Linkage)
_A_VISIBILITY = a_member_of(Visibility)


def require_constant(name: str, value: object) -> None:
    """Raise `TypeError` if the value of an attribute is not a constant."""
    if not isinstance(value, Constant):
        raise TypeError(f"{name} must be a constant; got {value!r}")


class Comdat:
    """A group of globals of which a linker takes all or none.

    Attributes:
        name: its name.
        selection_kind: rule by which a linker selects one of several comdats of this name.
    """

    __match_args__ = ("name", "selection_kind")
    __slots__ = slots("name", "selection_kind")

    selection_kind: Checked[SelectionKind, SelectionKind | str]

    def __init__(self, name: str, selection_kind: SelectionKind = SelectionKind.ANY) -> None:
        self.name = name
        self.selection_kind = selection_kind

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        return f"<Comdat {self.name} {self.selection_kind}>"


class GlobalValue(Constant, ValueFields):
    """A variable, function, alias or ifunc; its own type is a pointer type.

    Attributes:
        value_type: the type of the variable, function or aliasee.
        parent: the module, None while it is in none.
        partition: the partition of the program it belongs to, "" if none.
    """

    __match_args__ = ("name",)
    __slots__ = slots(
        "_linkage", "_unread_operands", "_visibility", "parent", "value_type", *field_names("GlobalValue")
    )

    _is_nameless = False
    type: PointerType

    def __init__(self, type: PointerType, value_type: Type, linkage: Linkage = Linkage.EXTERNAL) -> None:
        self.type = type
        self._name = ""
        self._uses = []
        self._as_metadata = None
        self._operands = ()
        self._unread_operands: Deferred[None] | None = None
        self.value_type = value_type
        self._linkage = linkage
        self._visibility = _DEFAULT_VISIBILITY
        for put, value in _OF_VALUES:
            put(self, value)
        if linkage is _INTERNAL or linkage is _PRIVATE:
            self.is_dso_local = True
        self.parent: Module | None = None

    @property
    def linkage(self) -> Linkage:
        """How a linker treats its symbol.

        As in LLVM, local linkage (`internal`, `private`) sets `is_dso_local` and resets visibility and DLL class.
        """
        return self._linkage

    @linkage.setter
    def linkage(self, linkage: Linkage | str) -> None:
        self._linkage = linkage = cast("Linkage", _A_LINKAGE.accept("linkage", linkage))
        if linkage.is_local:
            self._visibility, self.dll_storage_class = _DEFAULT_VISIBILITY, _NO_DLL
        self._infer_dso_local()

    @property
    def visibility(self) -> Visibility:
        """Whether other shared objects can see its symbol; any but the default sets `is_dso_local`, as in LLVM.

        Raises:
            ValueError: its linkage is local, which permits only the default.
        """
        return self._visibility

    @visibility.setter
    def visibility(self, visibility: Visibility | str) -> None:
        visibility = cast("Visibility", _A_VISIBILITY.accept("visibility", visibility))
        if visibility is not _DEFAULT_VISIBILITY and self._linkage.is_local:
            raise ValueError(f"visibility of @{self.name} must be default: its linkage is {self._linkage}")
        self._visibility = visibility
        self._infer_dso_local()

    def _infer_dso_local(self) -> None:
        is_hidden = self._visibility is not _DEFAULT_VISIBILITY and self._linkage is not Linkage.EXTERN_WEAK
        if is_hidden or self._linkage.is_local:
            self.is_dso_local = True

    @property
    def operands(self) -> tuple[Value, ...]:
        """The constants that it holds."""
        self._complete()
        return tuple(self._operands)

    def _read_users(self) -> None:
        if self.parent is not None:
            self.parent._materialize_uses()

    def _order_users(self) -> None:
        if self.parent is not None:
            self.parent._materialize_ordered_uses()

    @property
    def is_declaration(self) -> bool:
        """Whether another module defines it."""
        return False

    @property
    def address_space(self) -> int:
        """Its address space."""
        return self.type.address_space

    def set_operand(self, index: int, value: Value) -> None:
        """Let it hold another constant.

        Raises:
            IndexError: it holds no such constant.
            TypeError: the value is not a constant, or has another type than the present one.
        """
        old = self.operands[index]
        if value.type is not old.type:
            raise TypeError(f"@{self.name} holds a {old.type.brief}, not a {value.type.brief}")
        super().set_operand(index, value)

    def erase_from_parent(self) -> None:
        """Remove it from its module for good, and remove unused constants that use it.

        Raises:
            ValueError: something else still uses it, directly or through constants.
        """
        user = outside_user([self], self._is_own)
        if user is not None:
            raise ValueError(f"@{self.name} is still used by {user!r}")
        self._read_metadata_uses()
        self._let_go()
        self.remove_dead_constant_users()
        if self.parent is not None:
            if self._as_metadata is not None:
                self._as_metadata._value_erased(self.parent.context.constants.poison(self.type))
            self.parent.remove(self)

    def remove_from_parent(self) -> None:
        """Take it out of its module; whatever uses it keeps using it.

        Raises:
            ValueError: it is in none.
        """
        if self.parent is None:
            raise ValueError(f"@{self.name} is in no module")
        self._read_metadata_uses()
        self.parent.remove(self)

    def _is_own(self, user: User, _value: Value) -> bool:
        """Return whether a user is deleted with it."""
        return user is self

    def _let_go(self) -> None:
        """Drop all its operands, because it is deleted."""
        self._drop_operands()

    def _read_metadata_uses(self) -> None:
        if self.parent is not None:
            self.parent._materialize_metadata_uses()

    def _symbol_table(self) -> SymbolTable | None:
        return None if self.parent is None else self.parent.symbols

    def _complete(self) -> None:
        """Read the constants that it holds, if they were not read yet."""
        unread = self._unread_operands
        if unread is not None:
            unread.fill(self, "_unread_operands")

    def _operand(self, index: int) -> Constant | None:
        self._complete()
        return cast("Constant", self._operands[index]) if index < len(self._operands) else None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} @{self.name}>"


class GlobalObject(GlobalValue, ObjectFields):
    """A variable, function or ifunc: something that takes room.

    Attributes:
        alignment: in bytes, None if the target decides.
        section: its section, "" for the target's default.
        comdat: the group it belongs to, None if none.
    """

    __slots__ = slots("_metadata", *field_names("GlobalObject"))

    def __init__(self, type: PointerType, value_type: Type, linkage: Linkage = Linkage.EXTERNAL) -> None:
        super().__init__(type, value_type, linkage)
        for put, value in _OF_OBJECTS:
            put(self, value)
        self._metadata: Attachments | list[tuple[str, MDNode]] | Deferred[list[tuple[str, MDNode]]] | None = None

    @property
    def metadata(self) -> Attachments:
        """Attached metadata: nodes by kind, in order.  A kind may have several nodes: see `Attachments`."""
        if self.parent is not None:
            self.parent._materialize_attachments()
        metadata = self._metadata
        if isinstance(metadata, Attachments):
            return metadata
        if metadata is not None and not isinstance(metadata, list):
            metadata = metadata.fill(self, "_metadata")
            if isinstance(metadata, Attachments):
                return metadata  # another thread was first
        attached = self._metadata = Attachments(metadata or ())
        return attached


class GlobalVariable(GlobalObject, VariableFields):
    """A variable.

    Attributes:
        is_constant: whether it never changes.
        is_externally_initialized: whether something outside sets it before the program runs.
        attributes: its attributes.
        code_model: how far away it may lie, None if the module's.
        no_sanitize_address, no_sanitize_hwaddress, sanitize_memtag, sanitize_address_dyninit: for sanitizers.
    """

    __slots__ = slots("_has_initializer", "attributes", *field_names("GlobalVariable"))

    def __init__(self, type: PointerType, value_type: Type, linkage: Linkage = Linkage.EXTERNAL) -> None:
        super().__init__(type, value_type, linkage)
        for put, value in _OF_VARIABLES:
            put(self, value)
        self.attributes = NO_ATTRIBUTES
        self._has_initializer = False

    @property
    def initializer(self) -> Constant | None:
        """Its initial value, None for a declaration."""
        return self._operand(0)

    @initializer.setter
    def initializer(self, value: Constant | None) -> None:
        if value is not None:
            require_constant("initializer", value)
        if value is not None and value.type is not self.value_type:
            raise TypeError(f"@{self.name} holds a {self.value_type.brief}, not a {value.type.brief}")
        self._complete()
        self._set_operands([] if value is None else [value])
        self._has_initializer = value is not None

    @property
    def is_declaration(self) -> bool:
        """Whether another module defines it."""
        return not self._has_initializer

    @property
    def is_thread_local(self) -> bool:
        """Whether each thread has its own."""
        return self.thread_local_mode is not ThreadLocalMode.NOT_THREAD_LOCAL


class GlobalAlias(GlobalValue):
    """Another name for a constant address."""

    __slots__ = ()

    @property
    def aliasee(self) -> Constant:
        """The global or expression that it names."""
        aliasee = self._operand(0)
        assert aliasee is not None, "an alias has one"  # noqa: S101
        return aliasee

    @aliasee.setter
    def aliasee(self, value: Constant) -> None:
        require_constant("aliasee", value)
        self._complete()
        self._set_operands([value])


class GlobalIFunc(GlobalObject):
    """A function that a resolver chooses when the program is loaded."""

    __slots__ = ()

    @property
    def resolver(self) -> Constant:
        """The function that chooses."""
        resolver = self._operand(0)
        assert resolver is not None, "an ifunc has one"  # noqa: S101
        return resolver

    @resolver.setter
    def resolver(self, value: Constant) -> None:
        require_constant("resolver", value)
        self._complete()
        self._set_operands([value])


check_members(Comdat, name=a_text(), selection_kind=a_member_of(SelectionKind))
_OF_VALUES = check_fields(GlobalValue, value_type=an_instance_of(Type))
_OF_OBJECTS = check_fields(GlobalObject, comdat=an_instance_of(Comdat, or_none=True))
_OF_VARIABLES = check_fields(GlobalVariable, attributes=an_instance_of(AttributeSet))

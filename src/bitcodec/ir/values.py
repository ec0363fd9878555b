"""Values and who uses them.

A use is one operand of one user.  Uses change only through the verbs here, so that `users` is always right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.metadata import ValueAsMetadata
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.types import Type

__all__ = ["Use", "User", "Value"]


class Use(NamedTuple):
    """One operand: whose, and which."""

    user: User
    operand_number: int


class Value:
    """Whatever an instruction can have for an operand.

    Attributes:
        type: its type.
    """

    __slots__ = ("_as_metadata", "_name", "_uses", "type")

    type: Type
    _uses: list[User]
    _as_metadata: ValueAsMetadata | None

    def __init__(self, type: Type) -> None:
        self.type = type
        self._name = ""
        self._uses = []
        self._as_metadata = None

    @property
    def name(self) -> str:
        """Its name without `@` or `%`, "" if it has none; setting one that is taken adds a number to it."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        table = self._symbol_table()
        if table is None:
            self._name = name
        else:
            table.rename(self, name)

    @property
    def users(self) -> tuple[User, ...]:
        """Who uses it: one entry for each use, in the order in which uses were made."""
        return tuple(self._uses)

    @property
    def uses(self) -> Iterator[Use]:
        """Each use: the user, and which of its operands it is."""
        for user in dict.fromkeys(self.users):
            for index, operand in enumerate(user.operands):
                if operand is self:
                    yield Use(user, index)

    @property
    def is_used(self) -> bool:
        """Whether anything uses it."""
        return bool(self.users)

    def replace_all_uses_with(self, other: Value) -> None:
        """Let everything that uses this value use another of the same type instead.

        Constants that hold this value are made anew; debug information follows too.

        Raises:
            TypeError: the types differ.
            ValueError: the other is this value.
        """
        if other is self:
            raise ValueError("a value cannot take its own place")
        if other.type is not self.type:
            raise TypeError(f"a value of type {self.type.brief} cannot be replaced by one of type {other.type.brief}")
        pending: list[tuple[Value, Value]] = [(self, other)]
        while pending:
            old, new = pending.pop()
            _ = old.users  # whatever has not been read yet may use it too
            while old._uses:
                user = old._uses[-1]
                successor = user._with_operand_replaced(old, new)
                if successor is not None:
                    pending.append((user, successor))
            if old._as_metadata is not None:
                old._as_metadata.value_replaced(new)

    def _symbol_table(self) -> SymbolTable | None:
        """Return where its name is kept unique, None while it stands nowhere."""
        return None


class User(Value):
    """A value that has operands."""

    __slots__ = ("_operands",)

    _operands: list[Value]

    def __init__(self, type: Type, operands: list[Value]) -> None:
        self.type = type
        self._name = ""
        self._uses = []
        self._as_metadata = None
        self._operands = operands
        for operand in operands:
            operand._uses.append(self)

    @property
    def operands(self) -> tuple[Value, ...]:
        """Its operands, in LLVM's order."""
        return tuple(self._operands)

    def set_operand(self, index: int, value: Value) -> None:
        """Give it another operand.

        Raises:
            IndexError: it has no such operand.
        """
        old = self._operands[index]
        self._operands[index] = value
        old._uses.remove(self)
        value._uses.append(self)

    def _set_operands(self, operands: Sequence[Value]) -> None:
        """Give it other operands, any number of them."""
        self._drop_operands()
        self._operands = list(operands)
        for operand in operands:
            operand._uses.append(self)

    def _drop_operands(self) -> None:
        """Let go of all operands, because it is going away."""
        for operand in self._operands:
            operand._uses.remove(self)
        self._operands = []

    def _with_operand_replaced(self, old: Value, new: Value) -> Value | None:
        """Put `new` where `old` is first; a constant, which cannot change, returns what takes its place."""
        self.set_operand(self._operands.index(old), new)
        return None

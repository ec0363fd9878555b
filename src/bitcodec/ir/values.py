# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Values and their users.

A use is one operand of one user.  Uses change only through the verbs here, so that `users` is always right.
"""

from __future__ import annotations

from collections import deque
from itertools import starmap
from typing import TYPE_CHECKING, Any, ClassVar

from bitcodec.ir.members import expose_members
from bitcodec.ir.uses import IndexedUses, numbered_uses
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import reference_to, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitcodec.ir.metadata import ValueAsMetadata
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.uses import Uses

__all__ = ["Use", "User", "Value", "order_users", "remove_use"]

_FEW_USES = 32
"""A list of so many uses is searched from its start."""


class Use(NamedTuple):
    """One operand: whose, and which."""

    user: User
    operand_number: int


class Value:
    """Base class of everything that can be an operand.

    Attributes:
        type: its type.
    """

    __slots__ = ("_as_metadata", "_name", "_uses", "type")

    _is_nameless: ClassVar[bool] = False

    type: Type
    _uses: Uses
    _as_metadata: ValueAsMetadata | None

    def __init__(self, type: Type) -> None:
        self.type = type
        self._name = ""
        self._uses = []
        self._as_metadata = None

    @property
    def name(self) -> str:
        """Its name without `@` or `%`, "" if absent.  Setting one that is taken adds a number to it.

        As in LLVM, some values stay unnamed: constants other than globals, metadata, assembly text.
        """
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        if self._is_nameless:
            return
        if not isinstance(name, str):
            raise TypeError(f"name must be str; got {name!r}")
        table = self._symbol_table()
        if table is None:
            self._name = name
        else:
            table.rename(self, name)

    @property
    def users(self) -> tuple[User, ...]:
        """Users of this value, one entry per use, in the order in which the uses were created.

        Users that have not been read are read first: the body of an argument's function; for a global, a constant that
        holds one, or a block, of which any function may hold the address, all bodies and, in old files, all metadata.

        The order does not depend on what was read before: the uses of a file are in LLVM's order after reading it, with
        the use-list orders of the file. These are the uses at the time when the users of a global, of a constant that
        holds one, or of a block are first requested; later uses follow, the newest last.

        A constant that holds no global, and assembly, may have users in many modules. Only those that have been read
        are returned, in the order in which they were read; `Module.order_uses` puts them in LLVM's order.

        Raises:
            TypeError: it is a constant without operands, or metadata, which many modules may use.
        """
        self._order_users()
        return tuple(self._uses)

    @property
    def uses(self) -> Iterator[Use]:
        """Each use: the user, and which of its operands it is; in the order of `users`."""
        self._order_users()
        return starmap(Use, numbered_uses(self))

    @property
    def is_used(self) -> bool:
        """Whether anything uses it."""
        self._read_users()
        return bool(self._uses)

    def replace_all_uses_with(self, other: Value) -> None:
        """Let everything that uses this value use another of the same type instead.

        Constants that hold this value are rebuilt; debug information follows too.  Nothing is changed on an error.

        Raises:
            TypeError: the types differ, or a constant would use an instruction.
            ValueError: the new value is this value, or contains it.
        """
        self._check_replacement(other)
        pending: deque[tuple[Value, Value]] = deque([(self, other)])
        while pending:  # first in, first out: what a constant was rebuilt as may itself be rebuilt later
            old, new = pending.popleft()
            pending += old._hand_over_uses(new)

    def replace_uses_with_if(self, other: Value, condition: Callable[[Use], bool]) -> None:
        """Let instructions and globals use another value of the same type where a condition holds.

        Uses by constants stay, because constants are shared.

        Raises:
            TypeError: the types differ, or a user cannot use the new value, such as a global an instruction.
            ValueError: the new value is this value.
        """
        self._check_kind(other)
        chosen = [use for use in self.uses if use.user._is_mutable and condition(use)]
        for use in chosen:
            use.user._check_operand(self, other)
        for use in chosen:
            use.user.set_operand(use.operand_number, other)

    def _check_replacement(self, other: Value) -> None:
        """Raise the errors of `replace_all_uses_with`."""
        self._check_kind(other)
        self._read_metadata_uses()
        if other._is_made_of(self):
            raise ValueError(f"{other!r} is made of what it is to replace")
        for user in dict.fromkeys(self.users):  # whatever has not been read yet may use it too
            user._check_operand(self, other)

    def _check_kind(self, other: Value) -> None:
        if other is self:
            raise ValueError("a value cannot take its own place")
        if other.type is not self.type:
            raise TypeError(f"a value of type {self.type.brief} cannot be replaced by one of type {other.type.brief}")

    def _is_made_of(self, _part: Value) -> bool:
        """Return whether it is a constant that holds another value, however deep."""
        return False

    def _hand_over_uses(self, new: Value) -> list[tuple[Value, Value]]:
        """Replace it in all users by `new`; return each constant that was replaced, and its replacement."""
        users, self._uses = self._uses, []
        remade: list[tuple[Value, Value]] = []
        for user in reversed(users):
            successor = user._with_operand_replaced(self, new)
            if successor is not None:
                remade.append((user, successor))
        wrapper, self._as_metadata = self._as_metadata, None
        if wrapper is not None:
            wrapper._value_replaced(new)
        return remade

    def _read_users(self) -> None:
        """Read the users that have not been read yet."""

    def _order_users(self) -> None:
        """Read all users, and put the uses in order if that depends on the order of reading."""
        self._read_users()

    def _read_metadata_uses(self) -> None:
        """Read the metadata that may wrap it: records of a file name values by number, and cannot follow them later."""

    def _symbol_table(self) -> SymbolTable | None:
        """Return the symbol table of its name, None if it has no parent."""
        return None

    @property
    def operand_text(self) -> str:
        """How text refers to it as an operand: `%8`, `@main`, `42`.

        >>> main = bitcodec.open("examples/hello.bc").functions["main"]
        >>> main.operand_text, main.blocks[1].operand_text
        ('@main', '%5')
        """
        return reference_to(self)

    def __str__(self) -> str:
        return text_of(self)


class User(Value):
    """A value that has operands."""

    __slots__ = ("_operands",)

    _is_mutable: ClassVar[bool] = True
    _operands: tuple[Value, ...] | list[Value]
    """A list while it is being changed."""

    def __init__(self, type: Type, operands: Sequence[Value]) -> None:
        self.type = type
        self._name = ""
        self._uses = []
        self._as_metadata = None
        self._operands = tuple(operands)
        for operand in operands:
            operand._uses.append(self)

    @property
    def operands(self) -> tuple[Value, ...]:
        """Its operands, in LLVM's order."""
        operands = self._operands
        return operands if isinstance(operands, tuple) else self._shown_operands()

    @property
    def operand_count(self) -> int:
        """The number of its operands."""
        return len(self._operands)

    def operand_at(self, index: int) -> Value:
        """Return one of its operands, without a copy of all of them.

        Raises:
            IndexError: it has no such operand.
        """
        return self._operands[index]

    def set_operand(self, index: int, value: Value) -> None:
        """Give it another operand.

        Raises:
            IndexError: it has no such operand.
            TypeError: it cannot have that one, or is a constant, which never changes.
        """
        old = self._operands[index]
        if not isinstance(value, Value):
            raise TypeError(f"an operand must be a value; got {value!r}")
        self._check_operand(old, value)
        self._changeable_operands()[index] = value
        remove_use(old, self, index)
        value._uses.append(self)

    def _changeable_operands(self) -> list[Value]:
        """Return the list of its operands; the tuple that `operands` has returned does not change."""
        operands = self._operands
        if isinstance(operands, tuple):
            operands = self._operands = [*operands]
        return operands

    def _shown_operands(self) -> tuple[Value, ...]:
        """Return its operands, which are a list."""
        return tuple(self._operands)

    def _set_operands(self, operands: Sequence[Value]) -> None:
        """Give it other operands, any number of them."""
        for operand in operands:
            if not isinstance(operand, Value):
                raise TypeError(f"an operand must be a value; got {operand!r}")
        self._drop_operands()
        self._operands = tuple(operands)
        for operand in operands:
            operand._uses.append(self)

    def _drop_operands(self) -> None:
        """Drop all operands, because it is deleted."""
        for index, operand in enumerate(self._operands):
            remove_use(operand, self, index)
        self._operands = ()

    def _remove_operand(self, index: int) -> Value:
        operand = self._changeable_operands().pop(index)
        remove_use(operand, self, index)
        return operand

    def _check_operand(self, _old: Value, _new: Value) -> None:
        """Raise `TypeError` if it cannot have another operand in the place of one."""

    def _with_operand_replaced(self, old: Value, new: Value) -> Value | None:
        """Replace the first operand `old`, which has dropped its uses, by `new`.

        A constant, which cannot change, returns its replacement.
        """
        operands = self._changeable_operands()
        operands[operands.index(old)] = new
        new._uses.append(self)
        return None


def remove_use(value: Value, user: User, number: int) -> None:
    """Remove one use of a value: the last one if it is by this user, else the first that is.

    Args:
        value: the value.
        user: the user.
        number: the index of the operand.

    Raises:
        ValueError: the user does not use it.
    """
    uses = value._uses
    if isinstance(uses, list):
        if uses and uses[-1] is user:
            uses.pop()
            return
        if len(uses) <= _FEW_USES:
            uses.remove(user)
            return
        uses = value._uses = IndexedUses(uses)
    uses.remove(user, number)


def order_users(value: Value, order: list[int]) -> bool:
    """Put the users of a value in an order, if no user occurs twice.

    Args:
        value: the value.
        order: for each use, from the one that was made last to the first, its place in the new list of uses, counted
            from the end of that.

    Returns:
        Whether they are in that order now; False if a user occurs twice, or the places are not each once in `order`.
    """
    uses = value._uses
    if not isinstance(uses, list):
        return False
    users = uses
    count = len(users)
    if len(order) != count or len(set(users)) != count:
        return False
    found: list[Any] = [None] * count
    last = index = count - 1
    for place in order:
        if place > last or found[last - place] is not None:
            return False
        found[last - place] = users[index]
        index -= 1
    value._uses = found
    return True


expose_members(Value, User)

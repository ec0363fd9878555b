"""Module flags: properties of a whole module, and rules to merge them when modules are linked.

`!llvm.module.flags` is a list of triples: a behaviour, a key, a value.  Merging of two modules' flags is not described
here but in `bitcodec.flags`.  Rules: docs/reference/flags.md, 1 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from bitcodec.ir.constants import Constant, ConstantInt
from bitcodec.ir.importing import Importer
from bitcodec.ir.metadata import MDNode, MDString, MDTuple, Metadata, NamedMetadata, constant_integer
from bitcodec.ir.module_flag_rules import (
    DUPLICATE,
    broken_requirement,
    broken_rule,
)
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import beginning_of
from bitcodec.tables.module_flags import MODULE_FLAGS, Behavior

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.module import Module

__all__ = [
    "MODULE_FLAGS",
    "FlagProblem",
    "FlagValue",
    "ModuleFlag",
    "ModuleFlags",
    "Requirement",
    "flag_key",
    "read_flag",
]

_BEHAVIORS = {int(behavior): behavior for behavior in Behavior}
_BITS = 32
"""Width of the constants in which producers write behaviours and numbers."""

FlagValue: TypeAlias = "Metadata | Constant | str | int | None"
"""Value of a flag: metadata; a constant or a text, which is wrapped; a number; None for `null`."""


class Requirement(NamedTuple):
    """The requirement of a flag with behaviour Require.

    Attributes:
        key: key of the required flag.
        value: the value that it must have.
    """

    key: str
    value: Metadata | None


class ModuleFlag(NamedTuple):
    """A module flag.

    Attributes:
        behavior: its behavior when modules are linked.
        key: its name; of one that requires something, a name without meaning.
        value: its value.
        node: its triple.
    """

    behavior: Behavior
    key: str
    value: Metadata | None
    node: MDTuple

    @property
    def integer(self) -> int | None:
        """Its value as a number, as text spells it; None if it is not an integer."""
        constant = constant_integer(self.value)
        return None if constant is None else constant.value

    @property
    def string(self) -> str | None:
        """Its value as text, None if it is not a string."""
        return self.value.text if isinstance(self.value, MDString) else None

    @property
    def requirement(self) -> Requirement | None:
        """Its requirement on another flag, None if absent."""
        if self.behavior is not Behavior.REQUIRE or not isinstance(self.value, MDNode):
            return None
        key, value = self.value.operands
        return Requirement(_text(key), value if isinstance(value, Metadata) else None)


class FlagProblem(NamedTuple):
    """A flag that breaks a rule.

    Attributes:
        number: its place in the list, from 0.
        message: the message of LLVM's verifier.
        key: its key, None if absent.
    """

    number: int
    message: str
    key: str | None

    def __str__(self) -> str:
        named = "" if self.key is None else f" {self.key!r}"
        return f"module flag {self.number}{named}: {self.message}"


def read_flag(node: MDNode) -> ModuleFlag | str:
    """Return the flag of a node, or the message of the rule that it breaks."""
    message = broken_rule(node)
    if message is not None:
        return message
    # A node with a constant as its first operand is a tuple.
    behavior, key, value = cast("MDTuple", node)
    number = constant_integer(behavior)
    return ModuleFlag(_BEHAVIORS[0 if number is None else number.unsigned], _text(key), value, cast("MDTuple", node))


class ModuleFlags(Mapping[str, ModuleFlag]):
    """The flags of a module by key, in the order of the file: the flags as they were when they were requested.

    Of two flags of one key the first is found, as in LLVM.  Requirements on other flags are in `requirements`;
    entries that are not flags are left out, and reported by `check`.  The verbs change the module too.
    """

    __slots__ = ("_entries", "_malformed", "_module", "_numbers")

    def __init__(self, module: Module) -> None:
        self._module = module
        self._read()

    def _read(self) -> None:
        self._entries: dict[int, ModuleFlag] = {}
        self._malformed: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        for number, node in enumerate(self.nodes):
            flag = read_flag(node)
            if isinstance(flag, str):
                self._malformed[number] = flag
                continue
            self._entries[number] = flag
            if flag.behavior is not Behavior.REQUIRE:
                self._numbers.setdefault(flag.key, number)

    @property
    def module(self) -> Module:
        """The module of the flags."""
        return self._module

    @property
    def is_present(self) -> bool:
        """Whether the module has a list of flags, be it empty."""
        return MODULE_FLAGS in self._module.named_metadata

    @property
    def nodes(self) -> tuple[MDNode, ...]:
        """The list as the module has it.

        Raises:
            BitcodecError: metadata of the module is malformed.
        """
        named = self._module.named_metadata.get(MODULE_FLAGS)
        return () if named is None else tuple(named.operands)

    @property
    def entries(self) -> Mapping[int, ModuleFlag]:
        """All flags by their place in the list: including requirements, and all flags of one key."""
        return self._entries

    @property
    def requirements(self) -> tuple[ModuleFlag, ...]:
        """Flags with requirements on other flags, in order."""
        return tuple(flag for flag in self._entries.values() if flag.behavior is Behavior.REQUIRE)

    def __getitem__(self, key: str) -> ModuleFlag:
        return self._entries[self._numbers[key]]

    def __contains__(self, key: object) -> bool:
        return key in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def integer(self, key: str) -> int | None:
        """Return the value of a flag as a number, None if it is absent, or not an integer."""
        flag = self.get(key)
        return None if flag is None else flag.integer

    def string(self, key: str) -> str | None:
        """Return the value of a flag as text, None if it is absent, or not a string."""
        flag = self.get(key)
        return None if flag is None else flag.string

    def check(self, *, is_linked: bool = True) -> list[FlagProblem]:
        """Return violations of the rules of LLVM's verifier: first by the flags, then of requirements.

        Args:
            is_linked: whether linking is complete, so that required flags must be present.
        """
        return [*self._broken_flags(), *(self._broken_requirements() if is_linked else ())]

    def _broken_flags(self) -> Iterator[FlagProblem]:
        for number, node in enumerate(self.nodes):
            message = self._malformed.get(number)
            if message is not None:
                yield FlagProblem(number, message, flag_key(node))
            elif number in self._entries:
                flag = self._entries[number]
                if flag.behavior is not Behavior.REQUIRE and self._numbers[flag.key] != number:
                    yield FlagProblem(number, DUPLICATE, flag.key)

    def _broken_requirements(self) -> Iterator[FlagProblem]:
        for number, flag in self._entries.items():
            wanted = flag.requirement
            if wanted is not None:
                found = self.get(wanted.key)
                message = broken_requirement(None if found is None else found.node, wanted.value)
                if message is not None:
                    yield FlagProblem(number, message, flag.key)

    # Verbs

    def set(self, key: str, value: FlagValue, behavior: Behavior | None = None) -> ModuleFlag:
        """Give a flag a value; it is added at the end if it is not there yet.

        Args:
            key: of the flag.
            value: its value; a number has the type of the number that it replaces, or `i32`.
            behavior: its behaviour, that which it has if none is given.

        Returns:
            The flag.

        Raises:
            KeyError: the flag is absent, and no behaviour was given.
            ValueError: the behaviour requests another value, or a number does not fit its type.
        """
        found = self.get(key)
        if found is None and behavior is None:
            raise KeyError(f"the module has no flag {key!r}; to add one, give its behavior")
        width = _BITS if found is None else _width(found.value)
        chosen = behavior if behavior is not None or found is None else found.behavior
        node = self._made(Behavior(chosen or 0), key, value, width)
        return self._put(self._numbers.get(key), node)

    def add(self, behavior: Behavior, key: str, value: FlagValue) -> ModuleFlag:
        """Add a flag at the end.

        Raises:
            ValueError: there is a flag of that key already, the behaviour requests another value, or a number does not
                fit into an `i32`.
        """
        if behavior is not Behavior.REQUIRE and key in self:
            raise ValueError(f"the module has a flag {key!r} already")
        return self._put(None, self._made(behavior, key, value, _BITS))

    def require(self, key: str, needed: str, value: FlagValue) -> ModuleFlag:
        """Add a requirement that a flag has a value after linking.

        Args:
            key: a name for the requirement, preferably unused by other flags.
            needed: key of the required flag.
            value: the required value; a number has the type of the flag's present number, or `i32`.

        Raises:
            ValueError: a number is too large for its type.
        """
        found = self.get(needed)
        table = self._module.context.metadata
        wanted = self._metadata(value, _BITS if found is None else _width(found.value))
        return self.add(Behavior.REQUIRE, key, table.tuple([table.string(needed), wanted]))

    def remove(self, key: str) -> None:
        """Remove all flags of a key, including malformed ones; requirements on it, or with its name, stay.

        Raises:
            KeyError: no flag has the key.
        """
        nodes = self.nodes
        gone = {number for number in self._malformed if flag_key(nodes[number]) == key}
        gone.update(
            number
            for number, flag in self._entries.items()
            if flag.key == key and flag.behavior is not Behavior.REQUIRE
        )
        if not gone:
            raise KeyError(key)
        self._replace([node for number, node in enumerate(self.nodes) if number not in gone])

    def remove_entry(self, number: int) -> None:
        """Remove the entry at a place of the list, whatever it is.

        Raises:
            IndexError: the list has no such place.
        """
        nodes = list(self.nodes)
        del nodes[number]
        self._replace(nodes)

    def assign(self, flags: ModuleFlags) -> None:
        """Put the list of another module in the place of this one; values are copied into this module's context.

        A value that is a global of `flags`' module is replaced by the global of that name in this one.

        Raises:
            ValueError: a value cannot be copied, because it uses a global that this module lacks, for example.
            TypeError: these are not module flags.
        """
        if not isinstance(flags, ModuleFlags):
            raise TypeError(f"flags must be ModuleFlags; got {flags!r}")
        importer = Importer(self._module.context, lambda value: self._module.get(value.name))
        nodes = [importer.node(node) for node in flags.nodes]
        if importer.foreign:
            raise ValueError(f"flags hold {importer.foreign[0]!r}, which has no counterpart in the module")
        self._replace(nodes)

    def _replace(self, nodes: Iterable[MDNode]) -> None:
        named = self._module.named_metadata
        if MODULE_FLAGS not in named:
            named[MODULE_FLAGS] = NamedMetadata(MODULE_FLAGS)
        named[MODULE_FLAGS].operands = list(nodes)
        self._read()

    def _put(self, number: int | None, node: MDNode) -> ModuleFlag:
        flag = read_flag(node)
        if isinstance(flag, str):
            raise ValueError(f"module flag {flag_key(node)!r}: {flag}")  # noqa: TRY004 - what is wrong is the value
        nodes = list(self.nodes)
        if number is None:
            nodes.append(node)
        else:
            nodes[number] = node
        self._replace(nodes)
        return flag

    def _made(self, behavior: Behavior, key: str, value: FlagValue, width: int) -> MDNode:
        table = self._module.context.metadata
        return table.tuple([self._metadata(int(behavior), _BITS), table.string(key), self._metadata(value, width)])

    def _metadata(self, value: FlagValue, width: int) -> Metadata | None:
        context = self._module.context
        match value:
            case str():
                return context.metadata.string(value)
            case int():
                if not -(1 << (width - 1)) <= value < 1 << width:
                    raise ValueError(f"{value} does not fit into an i{width}")
                return context.metadata.value(context.constants.integer(context.types.integer(width), value))
            case Constant():
                return context.metadata.value(value)
        return value

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        from bitcodec.notebooks import table_html  # noqa: PLC0415 - only notebooks need it

        flags = self._entries.values()
        rows = ((flag.key, flag.behavior.spelling, beginning_of(flag.value, _MAX_SHOWN)) for flag in flags)
        return table_html(("flag", "behavior", "value"), rows, len(flags))

    def __repr__(self) -> str:
        return f"<ModuleFlags of {self._module.identifier!r}: {len(self._entries)}>"


_MAX_SHOWN = 100
"""Characters of a value that a table shows."""


def _text(key: object) -> str:
    return key.text if isinstance(key, MDString) else ""


def flag_key(node: MDNode) -> str | None:
    """Return the key of an entry among the flags, None if absent."""
    operands = node.operands
    return operands[1].text if len(operands) > 1 and isinstance(operands[1], MDString) else None


def _width(value: Metadata | None) -> int:
    """Return the width of a number that replaces a value."""
    constant = constant_integer(value)
    return _BITS if not isinstance(constant, ConstantInt) else constant.type.bit_width

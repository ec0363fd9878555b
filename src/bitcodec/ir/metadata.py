# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Metadata: information attached to a module and its code.  Rules: LLVM Language Reference, "Metadata".

A node that is not distinct is known by its content: `MetadataTable` keeps one of each, so that equal ones are the same
object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bitcodec.ir.constants import Constant, ConstantData, ConstantInt
from bitcodec.ir.lazy import Deferred, MaterializationLock
from bitcodec.ir.members import expose_members
from bitcodec.printing import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.values import Value

__all__ = [
    "NODE_TABLES",
    "ConstantAsMetadata",
    "Content",
    "DIArgList",
    "LocalAsMetadata",
    "MDNode",
    "MDString",
    "MDTuple",
    "Metadata",
    "MetadataTable",
    "NamedMetadata",
    "Operand",
    "ValueAsMetadata",
    "constant_integer",
    "content_of",
    "may_be_replaced",
    "wrapped_constant",
    "wrapped_values",
]


class Metadata:
    """A node, a string, or a value wrapped as metadata."""

    __slots__ = ()

    def __str__(self) -> str:
        return text_of(self)


Operand: TypeAlias = Metadata | str | int | None
"""Operand of a node: other metadata; a name, as `str`; a constant `i64`, as `int`; None."""


Content: TypeAlias = "tuple[Any, ...]"
"""Content of a node, in the order that its class defines."""


class MDString(Metadata):
    """A string.  Two of the same text are equal."""

    __match_args__ = ("text",)
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MDString):
            return NotImplemented
        return self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"MDString({self.text!r})"


class ValueAsMetadata(Metadata):
    """A value wrapped as metadata; `MetadataTable.value` makes one for each value.

    Attributes:
        value: None once the value is gone; text then has `null`.
    """

    __match_args__ = ("value",)
    __slots__ = ("_followers", "_poison", "value")

    def __init__(self, value: Value | None) -> None:
        self.value = value
        self._followers: tuple[ValueAsMetadata, ...] = ()
        self._poison: Constant | None = None

    def _value_replaced(self, new: Value | None) -> None:
        """Wrap another value from now on; None if the value is deleted."""
        if new is None:
            self._value_erased(None)
            return
        for follower in (self, *self._followers):
            follower.value = new
            follower.__class__ = _wrapper_of(new)
        if new._as_metadata is None:
            new._as_metadata = self
        else:
            # The other value has metadata of its own already: what refers to this one follows that one from here on.
            new._as_metadata._followers += (self, *self._followers)
            self._followers = ()

    def _value_erased(self, poison: Constant | None) -> None:
        """Stand for nothing from now on: nodes refer to nothing here, debug records to `poison` of the value's type."""
        for follower in (self, *self._followers):
            follower.value = None
            follower._poison = poison

    def in_record(self) -> ValueAsMetadata:
        """Return the metadata that a debug record refers to: itself, or a constant once the value is deleted."""
        poison = self._poison
        if poison is None or self.value is not None:
            return self
        if poison._as_metadata is None:
            poison._as_metadata = ConstantAsMetadata(poison)
        return poison._as_metadata

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value!r}>"


class ConstantAsMetadata(ValueAsMetadata):
    """A constant wrapped as metadata."""

    __slots__ = ()


class LocalAsMetadata(ValueAsMetadata):
    """An argument or an instruction wrapped as metadata: in calls and debug records of its function only."""

    __slots__ = ()


def _wrapper_of(value: Value) -> type[ValueAsMetadata]:
    """Return the class that wraps a value."""
    return ConstantAsMetadata if isinstance(value, Constant) else LocalAsMetadata


class DIArgList(Metadata):
    """The values that an expression of several values refers to."""

    __match_args__ = ("arguments",)
    __slots__ = ("_arguments",)

    def __init__(self, arguments: Iterable[ValueAsMetadata] = ()) -> None:
        self._arguments = tuple(arguments)

    @property
    def arguments(self) -> tuple[ValueAsMetadata, ...]:
        """Wrappers of the values; a deleted one is `poison`."""
        return tuple(argument.in_record() for argument in self._arguments)

    @arguments.setter
    def arguments(self, arguments: Iterable[ValueAsMetadata]) -> None:
        wrappers = tuple(arguments)
        if not all(isinstance(argument, ValueAsMetadata) for argument in wrappers):
            raise TypeError("arguments must be metadata that wraps values")
        self._arguments = wrappers

    def __repr__(self) -> str:
        return f"DIArgList({list(self.arguments)!r})"


class MDNode(Metadata):
    """A node: it refers to other metadata.

    The content of a distinct node of a file may be read when one of its attributes is first requested: that raises
    `BitcodecError` if it is malformed.  `Module.materialize` leaves nothing to be read.

    Attributes:
        is_distinct: whether it differs from all others, whatever it holds.
    """

    __slots__ = ("_content", "is_distinct")

    is_distinct: bool
    _content: Content | Deferred[Content]
    """Its content: one slot, so that content which is read becomes visible at once."""

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Its operands, in LLVM's order, in which text numbers nodes."""
        raise NotImplementedError

    def set_operand(self, index: int, operand: Metadata | None) -> None:
        """Let it refer to something else.

        Raises:
            IndexError: it has no such operand.
        """
        raise IndexError(f"{self!r} has no operand {index} that could be {operand!r}")

    def key(self) -> Content:
        """Return the key for comparison with others of its class: its content.

        Raises:
            BitcodecError: it has not been read yet, and is malformed.
        """
        return content_of(self)

    def _fill(self, content: Content) -> None:
        """Give it the content that `key` returns from then on."""
        self._content = content

    def _set_part(self, place: int, part: Any) -> None:
        """Replace one part of its content."""
        content = self.key()
        self._content = (*content[:place], part, *content[place + 1 :])

    def _read_content(self) -> Content:
        """Return its content, after reading it if necessary; other threads wait for that."""
        content = self._content
        return content.fill(self, "_content") if isinstance(content, Deferred) else content


class MDTuple(MDNode):
    """`!{...}`: a node of which only its users know the meaning."""

    __match_args__ = ("operands",)
    __slots__ = ()

    def __init__(self, operands: Iterable[Metadata | None] = (), *, is_distinct: bool = False) -> None:
        self.is_distinct = is_distinct
        self._content = tuple(operands)

    @property
    def operands(self) -> tuple[Metadata | None, ...]:
        """Its elements."""
        return content_of(self)

    def set_operand(self, index: int, operand: Metadata | None) -> None:
        """Put another element in the place of one."""
        operands = list(self.operands)
        operands[index] = operand
        self._content = tuple(operands)

    def set_operands(self, operands: Iterable[Metadata | None]) -> None:
        """Give it other elements, any number of them."""
        self._read_content()
        self._content = tuple(operands)

    def __len__(self) -> int:
        return len(self.operands)

    def __iter__(self) -> Iterator[Metadata | None]:
        return iter(self.operands)

    def __getitem__(self, index: int) -> Metadata | None:
        return self.operands[index]

    def __repr__(self) -> str:
        return f"<{'distinct ' * self.is_distinct}MDTuple of {len(self.operands)}>"


class NamedMetadata:
    """`!name = !{...}`: nodes that a module has under a name.

    Args:
        operands: the nodes, or a `Deferred` that reads them at first access.
    """

    __match_args__ = ("name", "operands")
    __slots__ = ("_operands", "name")

    def __init__(self, name: str, operands: Iterable[MDNode] | Deferred[list[MDNode]] = ()) -> None:
        self.name = name
        self._operands: list[MDNode] | Deferred[list[MDNode]]
        self._operands = operands if isinstance(operands, Deferred) else list(operands)

    @property
    def operands(self) -> list[MDNode]:
        """Its nodes; a list to change at will."""
        operands = self._operands
        return operands.fill(self, "_operands") if isinstance(operands, Deferred) else operands

    @operands.setter
    def operands(self, operands: Iterable[MDNode]) -> None:
        nodes = list(operands)
        if not all(isinstance(node, MDNode) for node in nodes):
            raise TypeError(f"operands of !{self.name} must be metadata nodes")
        self._operands = nodes

    @property
    def is_read(self) -> bool:
        """Whether its nodes have been read."""
        return not isinstance(self._operands, Deferred)

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        return f"<NamedMetadata {self.name}>"


_Node = TypeVar("_Node", bound=MDNode)

NODE_TABLES: dict[type[MDNode], Callable[[], dict[Content, Any]]] = {}
"""By class: factories of node tables, for classes whose nodes are identified by a part of their content."""


class _NodesByKind(dict["type[MDNode]", "dict[Content, Any]"]):
    """Tables of nodes by class."""

    __slots__ = ()

    def __missing__(self, kind: type[MDNode]) -> dict[Content, Any]:
        table = self[kind] = NODE_TABLES.get(kind, dict)()
        return table


class MetadataTable:
    """The metadata of a context: one object for each string, for each value, for each content of a node.

    Attributes:
        lock: the lock of the context.
        wrapper_count: how many constants have been wrapped that linking may replace; see `may_be_replaced`.
    """

    __slots__ = ("_nodes", "_strings", "lock", "wrapper_count")

    def __init__(self, lock: MaterializationLock | None = None) -> None:
        self.lock = lock or MaterializationLock()
        self.wrapper_count = 0
        self._strings: dict[str, MDString] = {}
        self._nodes: dict[type[MDNode], dict[Content, Any]] = _NodesByKind()

    def string(self, text: str) -> MDString:
        """Return the string of a text."""
        found = self._strings.get(text)
        if found is None:
            found = self._strings.setdefault(text, MDString(text))
        return found

    def value(self, value: Value) -> ValueAsMetadata:
        """Return the metadata that wraps a value."""
        found = value._as_metadata
        if found is None:
            found = value._as_metadata = _wrapper_of(value)(value)
            if may_be_replaced(value):
                self.wrapper_count += 1
        return found

    def tuple(self, operands: Iterable[Metadata | None] = ()) -> MDTuple:
        """Return the tuple of these elements."""
        return self.unique(MDTuple(operands))

    def unique(self, node: _Node) -> _Node:
        """Return the unique node of this content: an older one, or `node`; a distinct node itself."""
        if node.is_distinct:
            return node
        return self.known(node, node.key())

    def node(self, kind: type[_Node], content: Content) -> _Node:
        """Return the unique node of a class for a content, in the form that `MDNode.key` returns."""
        node = kind.__new__(kind)
        node.is_distinct = False
        node._fill(content)
        return self.known(node, content)

    def nodes(self, kind: type[_Node]) -> dict[Content, _Node]:
        """Return the nodes of a class, by their content when they were added: for loops that also call `known`."""
        return self._nodes[kind]

    def known(self, node: _Node, content: Content) -> _Node:
        """Return the unique node for the content of a node: an older one, or `node`."""
        nodes: dict[Content, _Node] = self._nodes[type(node)]
        is_plain = type(nodes) is dict
        found = dict.setdefault(nodes, content, node) if is_plain else nodes.setdefault(content, node)
        # One that was changed since it came here no longer has the content that it is known by.
        # Tables of another class find members of types that modules share, whatever else their content is.
        if found is not node and is_plain and found.key() != content:
            found = nodes[content] = node
        return found


def may_be_replaced(value: Value | None) -> bool:
    """Return whether linking may replace a wrapped value: a global, or a value that may use one, or a struct type."""
    if not isinstance(value, Constant):
        return False
    return not isinstance(value, ConstantData) or bool(value.type.element_types)


def wrapped_values(metadata: Metadata | None) -> tuple[Value, ...]:
    """Return the values that metadata wraps: one or, for a list of arguments, several."""
    if isinstance(metadata, ValueAsMetadata):
        return () if metadata.value is None else (metadata.value,)
    if isinstance(metadata, DIArgList):
        return tuple(value for argument in metadata.arguments for value in wrapped_values(argument))
    return ()


def content_of(node: MDNode) -> Content:
    """Return the content of a node: its fields in the order of their rows, or its elements.

    Raises:
        BitcodecError: it has not been read yet, and is malformed.
    """
    content: Any = node._content
    return content if type(content) is tuple else node._read_content()


def wrapped_constant(metadata: object) -> Value | None:
    """Return the constant that metadata wraps, None if it is something else."""
    return metadata.value if isinstance(metadata, ConstantAsMetadata) else None


def constant_integer(metadata: object) -> ConstantInt | None:
    """Return the constant integer that metadata wraps, None if it is something else."""
    value = wrapped_constant(metadata)
    return value if isinstance(value, ConstantInt) else None


expose_members(Metadata, MDString, ValueAsMetadata, DIArgList, MDNode, MDTuple, NamedMetadata, MetadataTable)

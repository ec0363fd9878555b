"""Base classes of debug info, and the two classes without a row in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from bitcodec.ir.debug_info_fields import convert_field, field_text
from bitcodec.ir.metadata import MDNode, Operand, constant_integer
from bitcodec.tables.debug_info_rows import FieldKind
from bitcodec.tables.dwarf import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.metadata import Content
    from bitcodec.tables.debug_info_rows import AbstractNode, Node, NodeField

__all__ = ["DIAssignID", "DIExpression", "DINode", "SubrangeTable", "abstract_class", "node_class"]

_EMPTY: dict[FieldKind, Any] = {FieldKind.BOOLEAN: False, FieldKind.STRING: "", FieldKind.NODES: ()}
_NONE = {
    FieldKind.NUMBER_OR_NONE,
    FieldKind.STRING_OR_NONE,
    FieldKind.NODE,
    FieldKind.NODE_ID,
    FieldKind.TYPE,
    FieldKind.INTEGER,
    FieldKind.SIGNED_INTEGER,
}


@dataclass_transform(kw_only_default=True)
class DINode(MDNode):
    """A node of debug information: its fields are attributes, all with defaults.

    Attributes:
        layout: the row of the table that it is made from.
        defaults: the value of each field that is not given.
        operand_places: the places of its operands in its content (`key`), in LLVM's order.
        operand_list_place: the place of a tuple of further operands, None if the class lacks one.
    """

    __slots__ = ()

    layout: ClassVar[Node]
    defaults: ClassVar[dict[str, Any]] = {}
    __match_args__: ClassVar[tuple[str, ...]] = ()
    operand_places: ClassVar[tuple[int, ...]] = ()
    operand_list_place: ClassVar[int | None] = None

    def __init__(self, *, is_distinct: bool = False, **fields: Any) -> None:
        self.is_distinct = is_distinct
        values = self.defaults | fields
        if len(values) > len(self.defaults):
            raise TypeError(f"{type(self).__name__} has no field {next(reversed(values))!r}")
        self._content = tuple(values.values())

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Its operands, in LLVM's order: metadata, names, and sizes and bounds that are constants."""
        content = self.key()
        operands = tuple([content[place] for place in self.operand_places])
        return operands if self.operand_list_place is None else (*operands, *content[self.operand_list_place])

    def set_operand(self, index: int, operand: Operand) -> None:
        """Let it refer to something else.

        Raises:
            IndexError: it has no such operand.
        """
        place = self.operand_list_place
        if place is not None and index >= len(self.operand_places):
            rest = list(self.key()[place])
            rest[index - len(self.operand_places)] = operand
            self._set_part(place, tuple(rest))
        else:
            self._set_part(self.operand_places[index], operand)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{field.attribute}={field_text(field, value)}"
            for field, value in ((field, getattr(self, field.attribute)) for field in self.layout.fields)
            if isinstance(value, str | int) and value != self.defaults[field.attribute]
        )
        return f"<{'distinct ' * self.is_distinct}{type(self).__name__}{' ' * bool(shown)}{shown}>"


def abstract_class(row: AbstractNode, base: type[DINode], module: str) -> type[DINode]:
    """Return the common base class of several kinds of nodes."""
    return type(row.name, (base,), {"__slots__": (), "__doc__": row.meaning, "__module__": module})


def node_class(row: Node, base: type[DINode], module: str) -> type[DINode]:
    """Return the class of a kind of node."""
    names = tuple(field.attribute for field in row.fields)
    operands = sorted((field for field in row.fields if field.operand is not None), key=_rank)
    members = {
        "__slots__": (),
        "__match_args__": names,
        **{field.attribute: _part(place, field) for place, field in enumerate(row.fields)},
        "__doc__": row.meaning,
        "__module__": module,
        **({"path": property(_source_path)} if row.name == "DIFile" else {}),
        "layout": row,
        "defaults": {field.attribute: _default(field) for field in row.fields},
        "operand_places": tuple(
            names.index(field.attribute) for field in operands if field.kind is not FieldKind.NODES
        ),
        "operand_list_place": next(
            (names.index(field.attribute) for field in operands if field.kind is FieldKind.NODES), None
        ),
    }
    return type(row.name, (base,), members)


def _source_path(file: Any) -> str:
    """Path of the file: `filename` in `directory`, unless it is absolute."""
    directory, filename = file.directory, file.filename
    if not directory or filename.startswith(("/", "\\")) or filename[1:2] == ":":
        return str(filename)
    separator = "\\" if "\\" in directory and "/" not in directory else "/"
    return f"{directory.rstrip(separator)}{separator}{filename}"


def _part(place: int, field: NodeField) -> property:
    """Return the attribute for a field: one place of a node's content."""

    def get(node: DINode) -> Any:
        content = node._content
        return content[place] if type(content) is tuple else node._read_content()[place]

    def set_(node: DINode, part: Any) -> None:
        node._set_part(place, convert_field(field, part))

    return property(get, set_, doc=f"The field `{field.name}`.")


def _rank(field: NodeField) -> int:
    return field.operand or 0


def _default(field: NodeField) -> Any:
    if field.default is not None:
        return field.default
    return None if field.kind in _NONE else _EMPTY.get(field.kind, 0)


class DIExpression(MDNode):
    """How to find or compute a value: operations of a stack machine."""

    __match_args__ = ("elements",)
    __slots__ = ()

    def __init__(self, elements: Iterable[int] = (), *, is_distinct: bool = False) -> None:
        self.is_distinct = is_distinct
        self._content = tuple(elements)

    @property
    def elements(self) -> tuple[int, ...]:
        """Operators and their arguments, 0..2**64-1 each."""
        return self.key()

    @elements.setter
    def elements(self, elements: Iterable[int]) -> None:
        self._content = tuple(elements)

    @property
    def operands(self) -> tuple[()]:
        """None: it consists of numbers."""
        return ()

    @property
    def operations(self) -> Iterator[tuple[int, ...]]:
        """Each operation: operator and arguments; the last may lack arguments, an unknown operator takes none."""
        index = 0
        while index < len(self.elements):
            operator = OPERATORS.get(self.elements[index])
            end = index + 1 + (operator.arguments if operator else 0)
            yield self.elements[index:end]
            index = end

    def __repr__(self) -> str:
        return f"DIExpression({list(self.elements)!r})"


class DIAssignID(MDNode):
    """Identity that links a store to the debug records of the variables it assigns to; always distinct."""

    __slots__ = ()

    def __init__(self) -> None:
        self.is_distinct = True
        self._content = ()

    @property
    def operands(self) -> tuple[()]:
        """None."""
        return ()

    def key(self) -> tuple[int]:
        """Return its identity: it is equal to no other."""
        return (id(self),)

    def _fill(self, _content: tuple[Any, ...]) -> None:
        """Take nothing in: it holds nothing."""
        self._content = ()

    def __repr__(self) -> str:
        return "<distinct DIAssignID>"


class SubrangeTable(dict["Content", Any]):
    """Nodes of `DISubrange`, by the numbers of their bounds, whatever the width of their constants."""

    __slots__ = ()

    def setdefault(self, content: Content, node: Any = None) -> Any:
        """Return the node of equal bounds; add `node` if there is none."""
        return super().setdefault(tuple([_number_of(bound) for bound in content]), node)


def _number_of(bound: Any) -> Any:
    constant = constant_integer(bound)
    return bound if constant is None else constant.signed

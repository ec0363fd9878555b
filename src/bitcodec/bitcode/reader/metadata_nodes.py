"""Makes metadata from records on first access, with everything that it refers to.

Uniqued nodes are created after their operands, so that equal ones are found to be equal, or filled later
in a circle.  Distinct ones are made at once, their content at the first touch if it needs something that is not there.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.reader.debug_info import form_of
from bitcodec.bitcode.reader.node_reader import NodeForm, NodeReader, TupleForm
from bitcodec.bitcode.reader.typed_pairs import check_pairs, typed_pairs
from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.text import characters
from bitcodec.ir.construction.deferring import defer_content, deferred_node, read_content
from bitcodec.ir.construction.setting import fill_node
from bitcodec.ir.debug_info import DIAssignID, DIExpression
from bitcodec.ir.lazy import DeferredOnce, MaterializationLock
from bitcodec.ir.metadata import DIArgList, MDNode, MDTuple, Metadata, ValueAsMetadata
from bitcodec.ir.types import MetadataType, Type, VoidType
from bitcodec.reasons import Reason
from bitcodec.upgrade.expressions import upgraded_expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitcodec.bitcode.reader.metadata_index import MetadataIndex
    from bitcodec.bitcode.reader.wrapped_values import WrappedValues
    from bitcodec.ir.metadata import MetadataTable
    from bitcodec.ir.values import Value

__all__ = ["NodeMaker", "TypeOf", "ValueOf"]

TypeOf: TypeAlias = "Callable[[int], Type]"
"""Returns the type of a type id; may raise `Malformed`."""
ValueOf: TypeAlias = "Callable[[int, int], Value | None]"
"""Returns the value of a type id and an absolute value id, None for one that is void; may raise `Malformed`."""

_DISTINCT = 1
_DISTINCT_NODE = int(MetadataCode.DISTINCT_NODE)
_VALUE_OPERANDS = 2


class _Entered:
    """Stands for the form of a node whose references are being made."""

    __slots__ = ("form",)

    def __init__(self, form: NodeForm) -> None:
        self.form = form


class NodeMaker(dict[int, Metadata]):
    """Makes the metadata of an index: holds metadata by id, and makes missing metadata on lookup.

    Lookup raises `Malformed` for an unknown id, and `BitcodeError` if its record, or one that it reaches, makes no
    sense.

    Args:
        outer: makes the metadata of the ids before the index.
        local: the values of the function; None for the metadata of a module.

    Attributes:
        table: uniques equal metadata.
        type_of: returns the type of a type id.
        first_id: the first id of the index.
        outer, local: as above; None for the metadata of a module.
        unread: this maker and others of the module, if they have made nodes whose content is deferred.
    """

    def __init__(
        self,
        table: MetadataTable,
        index: MetadataIndex,
        type_of: TypeOf,
        value_of: ValueOf,
        outer: NodeMaker | None,
        local: WrappedValues | None = None,
    ) -> None:
        super().__init__()
        self.table = table
        self._index = index
        self.type_of = type_of
        self.value_of = value_of
        self.local = local
        self.outer = outer
        self.first_id = index.first_id
        self._end = index.end
        self._open: dict[int, NodeForm | _Entered] = {}
        self._deferred: dict[int, MDNode] = {}
        self._being_read: set[int] = set()
        self.unfilled: list[Any] = []
        self.self_references: dict[tuple[NodeForm, tuple[Any, ...]], tuple[int, MDNode]] = {}
        self._makes_all = False
        self.unread: dict[NodeMaker, None] = {} if outer is None else outer.unread
        self.new: list[int] = []
        self.current = -1

    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment] # it is one of a kind, whatever it holds

    def __missing__(self, metadata_id: int) -> Metadata:
        if metadata_id >= self.first_id:
            return self._make(metadata_id)
        if self.outer is None:
            raise Malformed(Reason.METADATA_ID(number=metadata_id))
        found = self[metadata_id] = self.outer[metadata_id]
        return found

    def make_all(self) -> None:
        """Make everything, and read the content of every node that is made meanwhile."""
        self._makes_all = True
        try:
            with self._unless_refused():
                NodeReader(self, self._index, _KNOWN_FORMS, _LEAVES).make_all()
        finally:
            self._makes_all = False
            self.unfilled.clear()

    def says(self, metadata_id: int, node: MDNode) -> bool:
        """Return whether the record of an id still has the content of the node that was made from it."""
        code, operands = self._index.record(metadata_id)
        if code == MetadataCode.ASSIGN_ID:
            return True
        if code == MetadataCode.EXPRESSION:
            is_distinct, content = bool(operands[0] & _DISTINCT), tuple(operands[1:])
        else:
            form = self.form(code)
            if form.distinct:
                operands = self._index.modernized(metadata_id, code, operands)
                is_distinct = bool(operands[0] & form.distinct)
            else:
                is_distinct = code == _DISTINCT_NODE
            content = form.contents(self, operands)
        return node.is_distinct is is_distinct and node.key() == content

    def read_deferred(self) -> None:
        """Read the content of all nodes for which that has been deferred, those that are made meanwhile with them."""
        while self.unread:
            maker = next(iter(self.unread))
            while maker._deferred:
                metadata_id, node = next(iter(maker._deferred.items()))
                read_content(node)
                maker._deferred.pop(metadata_id, None)
            del self.unread[maker]

    def defer(self, metadata_id: int, node: MDNode | None = None) -> MDNode:
        """Let a record be the content of a distinct node, a new one by default, when that is first touched."""
        form = self.form(self._index.record(metadata_id)[0])
        made = _shell(form, is_distinct=True) if node is None else node
        defer_content(made, _Content(self, metadata_id, form, self._operands_of(metadata_id, form)))
        self[metadata_id] = self._deferred[metadata_id] = made
        self.unread[self] = None
        return made

    def content(self, metadata_id: int, form: NodeForm, operands: list[int]) -> tuple[Any, ...]:
        """Return the content of a node for which that has been deferred.

        Raises:
            BitcodeError: its record, or one that it reaches, is malformed.
        """
        if metadata_id in self._being_read:
            raise self._index.error(metadata_id, Reason.METADATA_CYCLE())
        self._being_read.add(metadata_id)
        try:
            with self._unless_refused():
                self.current = metadata_id
                self._finish(self._missing(form, operands))
                self.current = metadata_id
                content = form.contents(self, operands)
        finally:
            self._being_read.discard(metadata_id)
        self._deferred.pop(metadata_id, None)
        return content

    def string(self, metadata_id: int) -> str:
        """Return the text of a string."""
        if metadata_id < self.first_id and self.outer is not None:
            return self.outer.string(metadata_id)
        text = self._index.text(metadata_id)
        if text is not None:
            return text
        code, operands = self._index.record(metadata_id)
        if code == MetadataCode.STRING_OLD:
            return characters(operands)
        raise Malformed(Reason.NO_STRING(number=metadata_id))

    def form(self, code: int) -> NodeForm:
        """Return how nodes are made from the records of a code."""
        return _FORMS.get(code) or form_of(code)

    def make_with_references(self, metadata_id: int, form: NodeForm) -> None:
        """Make a uniqued node, after its operands."""
        self._open[metadata_id] = form
        self._finish([metadata_id])

    def _make(self, metadata_id: int) -> Metadata:
        if metadata_id >= self._end:
            # Upgrades may have added records.
            self._end = self._index.end
            if metadata_id >= self._end:
                raise Malformed(Reason.NO_METADATA_ID(number=metadata_id, count=self.first_id + self._index.count))
        self.current = metadata_id
        with self._unless_refused():
            if not self._begin(metadata_id):
                self._finish([metadata_id])
        found = self.get(metadata_id)
        if found is None:
            raise self._index.error(metadata_id, Reason.METADATA_CYCLE())
        return found

    @contextmanager
    def _unless_refused(self) -> Iterator[None]:
        """Discard nodes created inside if that fails, as they may be incomplete; add the record's place to errors."""
        try:
            yield
        except Malformed as error:
            self._forget()
            raise self._index.error(self.current, error.reason) from None
        except BaseException:
            self._forget()
            raise
        self.new.clear()

    def _forget(self) -> None:
        for metadata_id in self.new:
            self.pop(metadata_id, None)
            self._deferred.pop(metadata_id, None)
        self.new.clear()
        self.self_references.clear()
        self._open.clear()

    def _keep(self, metadata_id: int, metadata: Metadata) -> None:
        self[metadata_id] = metadata
        self.new.append(metadata_id)

    def _begin(self, metadata_id: int) -> bool:
        """Create a node whose operands all exist, or a distinct node without content; return whether it was created."""
        if metadata_id in self._open:
            return metadata_id in self
        if metadata_id < self.first_id:
            _ = self[metadata_id]
            return True
        code, operands = self._index.record(metadata_id)
        outside, self.current = self.current, metadata_id
        leaf = _LEAVES.get(code)
        if leaf is None:
            is_made = self._begin_node(metadata_id, code, operands)
        else:
            self._keep(metadata_id, leaf(self, operands))
            is_made = True
        self.current = outside
        return is_made

    def _begin_node(self, metadata_id: int, code: int, operands: list[int]) -> bool:
        form = self.form(code)
        if form.distinct:
            if not form.is_modern(operands):
                operands = self._index.modernized(metadata_id, code, operands)
            is_distinct = operands[0] & form.distinct != 0
        else:
            is_distinct = code == _DISTINCT_NODE
        if is_distinct:
            self._begin_distinct(metadata_id, form, operands)
        elif self._is_made(form.references(self, operands)):
            self._keep(metadata_id, self.made_of(metadata_id, form, form.contents(self, operands)))
        else:
            # Operands are decoded again later: a chain of nodes may wait for its end, and lists take much memory.
            self._open[metadata_id] = form
            return False
        return True

    def _begin_distinct(self, metadata_id: int, form: NodeForm, operands: list[int]) -> None:
        if self._makes_all:
            node = _shell(form, is_distinct=True)
            self.unfilled += (metadata_id, node, form)
        elif self._is_made(form.references(self, operands)):
            node = _shell(form, is_distinct=True)
            fill_node(node, form.contents(self, operands))
        else:
            node = self._deferred[metadata_id] = deferred_node(form.kind, _Content(self, metadata_id, form, operands))
            self.unread[self] = None
        self._keep(metadata_id, node)

    def _operands_of(self, metadata_id: int, form: NodeForm) -> list[int]:
        """Return the operands of a node, which may be one that was begun before."""
        code, operands = self._index.record(metadata_id)
        if form.distinct and not form.is_modern(operands):
            operands = self._index.modernized(metadata_id, code, operands)
        return operands

    def _is_made(self, needed: Sequence[int]) -> bool:
        """Return whether everything of some ids is made; another maker makes its own."""
        for metadata_id in needed:
            if metadata_id not in self:
                if metadata_id >= self.first_id:
                    return False
                _ = self[metadata_id]
        return True

    def _missing(self, form: NodeForm, operands: list[int]) -> list[int]:
        """Begin the nodes that a record refers to; return the ids of those that are not created then."""
        return [needed for needed in form.references(self, operands) if needed not in self and not self._begin(needed)]

    def _finish(self, pending: list[int]) -> None:
        """Make uniqued nodes, each after its operands."""
        # Nodes that this call has entered hold one of these in the place of their form: a set of them all may be large.
        entered: dict[NodeForm, _Entered] = {}
        while pending:
            metadata_id = pending[-1]
            state = self._open.get(metadata_id)
            if state is None:
                pending.pop()
                continue
            form = state if isinstance(state, NodeForm) else state.form
            self.current = metadata_id
            operands = self._operands_of(metadata_id, form)
            mark = entered.setdefault(form, _Entered(form))
            if state is not mark:
                self._open[metadata_id] = mark
                for needed in self._missing(form, operands):
                    other = self._open.get(needed)  # None if it was made meanwhile, because a value needed it
                    if isinstance(other, _Entered) and entered.get(other.form) is other:
                        self._keep(needed, _shell(other.form, is_distinct=False))
                    elif other is not None:
                        pending.append(needed)
                if pending[-1] != metadata_id:
                    continue
            pending.pop()
            # A value may depend on metadata, which is then created meanwhile.
            if self._open.pop(metadata_id, None) is not None:
                self._close(metadata_id, form, operands)
        if not self._open:
            self._open = {}  # it may have been large

    def _close(self, metadata_id: int, form: NodeForm, operands: list[int]) -> None:
        """Make a node of which all references are there; one that refers to itself is distinct."""
        node = self.get(metadata_id)
        if isinstance(node, MDNode):
            fill_node(node, content := form.contents(self, operands))
            if any(operand is node for operand in node.operands):
                node.is_distinct = True
                self.self_references[form, content] = metadata_id, node
            else:
                self.table.known(node, content)
        else:
            self._keep(metadata_id, self.made_of(metadata_id, form, form.contents(self, operands)))

    def made_of(self, metadata_id: int, form: NodeForm, content: tuple[Any, ...]) -> Metadata:
        """Return the node, or list of arguments, that is not distinct and holds a content."""
        if form is _ARGUMENTS:
            return DIArgList(content)
        # LLVM reads equal nodes before the one that they and it refer to: then they are one.
        same = self.self_references.get((form, content)) if self.self_references else None
        return self.table.node(form.kind, content) if same is None or metadata_id > same[0] else same[1]

    @property
    def empty_expression(self) -> DIExpression:
        """The expression of a variable without one."""
        return self.table.unique(DIExpression())

    def value(self, type_id: int, value_id: int) -> ValueAsMetadata:
        """Return the metadata that wraps a value.

        Raises:
            Malformed: the value does not exist, or is void.
        """
        value = self.value_of(type_id, value_id)
        if value is None:
            raise Malformed(Reason.VOID_VALUE(number=value_id))
        return self.table.value(value)


class _Content(DeferredOnce[tuple[Any, ...]]):
    """The content of a distinct node; content that needs itself is refused."""

    __slots__ = ("_form", "_maker", "_metadata_id", "_operands")

    def __init__(self, maker: NodeMaker, metadata_id: int, form: NodeForm, operands: list[int]) -> None:
        self._maker = maker
        self._metadata_id = metadata_id
        self._form = form
        self._operands = operands

    @property
    def lock(self) -> MaterializationLock:
        """The lock of the context."""
        return self._maker.table.lock

    def resolve(self) -> tuple[Any, ...]:
        """Return it."""
        return self._maker.content(self._metadata_id, self._form, self._operands)


def _string(maker: NodeMaker, operands: list[int]) -> Metadata:
    return maker.table.string(maker._index.string(operands[0]))


def _string_old(maker: NodeMaker, operands: list[int]) -> Metadata:
    return maker.table.string(characters(operands))


def _value(maker: NodeMaker, operands: list[int]) -> Metadata:
    if len(operands) > _VALUE_OPERANDS:
        raise Malformed(Reason.TOO_MANY_OPERANDS())
    require_operands(operands, _VALUE_OPERANDS)
    value = maker.value_of(operands[0], operands[1])
    if value is None:
        raise Malformed(Reason.VOID_VALUE(number=operands[1]))
    return maker.table.value(value)


def _old_function_node(maker: NodeMaker, operands: list[int]) -> Metadata:
    """Return the local value; nodes with more elements are no longer possible, they become empty."""
    check_pairs(operands)
    if len(operands) == 2 and not isinstance(maker.type_of(operands[0]), MetadataType | VoidType):
        return maker.value(*operands)
    return maker.table.tuple()


def _expression(maker: NodeMaker, operands: list[int]) -> Metadata:
    require_operands(operands, 1)
    elements = upgraded_expression(operands[0] >> 1, operands[1:])
    return maker.table.unique(DIExpression(elements, is_distinct=bool(operands[0] & _DISTINCT)))


def _assign_id(_maker: NodeMaker, operands: list[int]) -> Metadata:
    require_operands(operands, 1)
    if not operands[0] & _DISTINCT:
        raise Malformed(Reason.ASSIGN_ID_NOT_DISTINCT())
    if len(operands) > 1:
        raise Malformed(Reason.TOO_MANY_OPERANDS())
    return DIAssignID()


_LEAVES: dict[int, Callable[[NodeMaker, list[int]], Metadata]] = {
    MetadataCode.STRINGS: _string,
    MetadataCode.STRING_OLD: _string_old,
    MetadataCode.VALUE: _value,
    MetadataCode.OLD_FN_NODE: _old_function_node,
    MetadataCode.EXPRESSION: _expression,
    MetadataCode.ASSIGN_ID: _assign_id,
}
"""Makers of metadata that refers to no other metadata."""


class _TypedForm(NodeForm):
    """Form of old nodes, which give the type of each element, and may contain values."""

    def references(self, made: Any, operands: list[int]) -> list[int]:
        return [number for type_id, number in typed_pairs(operands) if isinstance(made.type_of(type_id), MetadataType)]

    def contents(self, made: Any, operands: list[int]) -> tuple[Metadata | None, ...]:
        return tuple([_typed_element(made, *pair) for pair in typed_pairs(operands)])


def _typed_element(maker: NodeMaker, type_id: int, number: int) -> Metadata | None:
    type = maker.type_of(type_id)
    if isinstance(type, MetadataType):
        return maker[number]
    return None if isinstance(type, VoidType) else maker.value(type_id, number)


class _ArgumentForm(NodeForm):
    """Form of argument lists, which are not nodes."""

    def references(self, made: Any, operands: list[int]) -> list[int]:  # noqa: ARG002
        return operands

    def contents(self, made: Any, operands: list[int]) -> tuple[ValueAsMetadata, ...]:
        values = [made[metadata_id] for metadata_id in operands]
        found = [value for value in values if isinstance(value, ValueAsMetadata)]
        if len(found) < len(values):
            raise Malformed(Reason.ARGUMENT_NO_VALUE())
        return tuple(found)


_TUPLE, _ARGUMENTS = TupleForm(MDTuple), _ArgumentForm(MDNode)

_FORMS: dict[int, NodeForm] = {
    MetadataCode.NODE: _TUPLE,
    MetadataCode.DISTINCT_NODE: _TUPLE,
    MetadataCode.OLD_NODE: _TypedForm(MDTuple),
    MetadataCode.ARG_LIST: _ARGUMENTS,
}
"""Forms of the nodes other than debug information, and of argument lists, which are not nodes."""

_KNOWN_FORMS = _FORMS.copy()  # with those of debug information that has been read


def _shell(form: NodeForm, *, is_distinct: bool) -> MDNode:
    """Return a node without content."""
    if form is _ARGUMENTS:
        raise Malformed(Reason.ARGUMENT_CYCLE())
    node = form.kind.__new__(form.kind)
    node.is_distinct = is_distinct
    return node

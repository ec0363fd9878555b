"""PC sections: data that an instruction or a function requests to be emitted with its program counter.

`!pcsections` is a tuple: the name of a section, tuples of constants that go with the PC there, the name of the next
section, and so on.  The results are described in `bitcodec.pcsections`.

Rules: PC Sections Metadata, "Metadata Format"; docs/reference/pc-sections.md, 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.errors import PCSectionsError
from bitcodec.ir.constants import Constant
from bitcodec.ir.functions import Function
from bitcodec.ir.importing import Importer, is_of
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.ir.pcsection_rules import OPTIONS_MARK, broken_constant, broken_name, broken_rule
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.context import Context
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import MDNode

__all__ = ["PCSECTIONS", "PCSection", "PCSections", "request_pcsections", "requested_pcsections"]

PCSECTIONS = "pcsections"
"""The kind of metadata."""


def requested_pcsections(holder: Function | Instruction) -> PCSections | None:
    """Return the PC sections that a function or an instruction requests, None if it requests none.

    Raises:
        PCSectionsError: the node is malformed.
    """
    node = holder.metadata.get(PCSECTIONS)
    return None if node is None else PCSections.of_node(node)


def request_pcsections(holder: Function | Instruction, sections: PCSections | None) -> None:
    """Replace the PC sections that a function or an instruction requests; None removes the request.

    Raises:
        PCSectionsError: the request is malformed.
        ValueError: it is in no module.
    """
    if not isinstance(sections, PCSections | None):
        raise TypeError(f"pcsections must be PCSections or None; got {sections!r}")
    if sections is None:
        if PCSECTIONS in holder.metadata:
            del holder.metadata[PCSECTIONS]
        return
    module = holder.parent if isinstance(holder, Function) else holder.module
    if module is None:
        raise ValueError(f"{f'@{holder.name}' if isinstance(holder, Function) else repr(holder)} is in no module")
    holder.metadata[PCSECTIONS] = sections.node(module.context)


class PCSection(NamedTuple):
    """A section that a PC is requested in.

    Attributes:
        name: of the section in the object file.
        tuples: constants emitted with the PC: nodes, which may be shared.
        options: how it is encoded: `"C"` for compressed integers, or nothing.
    """

    name: str
    tuples: tuple[MDTuple, ...] = ()
    options: str = ""

    @classmethod
    def of(cls, spelling: str, *tuples: Iterable[Constant]) -> PCSection:
        """Return the section of a spelling such as `"hot"` or `"hot!C"`, with tuples of constants.

        Raises:
            PCSectionsError: it names no section, or has an unknown option, or a constant has no bytes.
        """
        message = broken_name(spelling)
        if message is not None:
            raise PCSectionsError(f"!pcsections: {message}")
        name, _, options = spelling.partition(OPTIONS_MARK)
        return cls(name, tuple(MDTuple(map(_as_metadata, constants)) for constants in tuples), options)

    @property
    def spelling(self) -> str:
        """Its name with its options, as the node has it."""
        return f"{self.name}{OPTIONS_MARK}{self.options}" if self.options else self.name

    @property
    def is_compressed(self) -> bool:
        """Whether integers of 2 to 8 bytes, and the size of a function, are ULEB128."""
        return "C" in self.options

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants of all its tuples, in order."""
        elements = (cast("ConstantAsMetadata", element) for node in self.tuples for element in node.operands)
        return tuple(cast("Constant", element.value) for element in elements)


class PCSections:
    """The sections of one `!pcsections` node, in order. Immutable; equal if the sections are equal.

    Args:
        sections: the requested sections.
        is_distinct: whether its node is distinct.  The back end writes constants once for a run of
            instructions that share a node, so this matters.
    """

    __match_args__ = ("sections",)
    __slots__ = ("_nodes", "_origin", "is_distinct", "sections")

    def __init__(self, sections: Iterable[PCSection] = (), *, is_distinct: bool = False) -> None:
        self.sections = tuple(sections)
        self.is_distinct = is_distinct
        self._origin: MDTuple | None = None
        self._nodes: dict[Context, MDTuple] = {}

    @classmethod
    def of_node(cls, node: MDNode) -> PCSections:
        """Return the sections that a node requests.

        Raises:
            PCSectionsError: it is malformed: LLVM's back end would crash, or write nonsense.
        """
        message = broken_rule(node)
        if message is not None:
            raise PCSectionsError(f"!pcsections: {message}")
        found = cls(_sections(cast("MDTuple", node)), is_distinct=node.is_distinct)
        found._origin = cast("MDTuple", node)
        return found

    def node(self, context: Context) -> MDTuple:
        """Return the node of these sections in a context: the node that they were read from, if it is of that context.

        Constants of another context are copied.

        Raises:
            PCSectionsError: it would be malformed, or a constant names something that only another module has.
        """
        node = self._nodes.get(context)
        if node is None:
            node = self._nodes[context] = self._made(context)
        return node

    def _made(self, context: Context) -> MDTuple:
        node = self._origin
        if node is None:
            table = context.metadata
            operands: list[MDString | MDTuple] = []
            for section in self.sections:
                operands.append(table.string(section.spelling))
                operands += (table.unique(node) for node in section.tuples)
            node = table.unique(MDTuple(operands, is_distinct=self.is_distinct))
            message = broken_rule(node)
            if message is not None:
                raise PCSectionsError(f"!pcsections: {message}")
        if all(is_of(context, constant.type) for section in self.sections for constant in section.constants):
            return node
        importer = Importer(context, lambda _: None)
        copy = cast("MDTuple", importer.node(node))
        if importer.foreign:
            raise PCSectionsError(f"!pcsections: {importer.foreign[0]!r} belongs to another module")
        return copy

    def __iter__(self) -> Iterator[PCSection]:
        return iter(self.sections)

    def __len__(self) -> int:
        return len(self.sections)

    def __getitem__(self, index: int) -> PCSection:
        return self.sections[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PCSections):
            return NotImplemented
        return self.is_distinct is other.is_distinct and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        return tuple(
            (name, options, tuple((node.is_distinct, node.operands) for node in tuples))
            for name, tuples, options in self.sections
        )

    def __repr__(self) -> str:
        names = ", ".join(section.spelling for section in self.sections)
        return f"<{'distinct ' * self.is_distinct}PCSections {names}>"


def _sections(node: MDTuple) -> Iterator[PCSection]:
    """Yield the sections that a valid node requests."""
    names = [index for index, operand in enumerate(node.operands) if isinstance(operand, MDString)]
    for start, end in zip(names, [*names[1:], len(node)], strict=True):
        name, _, options = cast("MDString", node[start]).text.partition(OPTIONS_MARK)
        yield PCSection(name, cast("tuple[MDTuple, ...]", node.operands[start + 1 : end]), options)


def _as_metadata(constant: Constant) -> ConstantAsMetadata:
    message = broken_constant(constant)
    if message is not None:
        raise PCSectionsError(f"!pcsections: {message}")
    found = constant._as_metadata
    if found is None:
        found = constant._as_metadata = ConstantAsMetadata(constant)
    return cast("ConstantAsMetadata", found)

"""Tables about globals: `functions`, `globals`, `attributes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.corpus.columns import KEY, Column, Reads, Table, from_subject
from bitcodec.corpus.structure import Shapes, structural_hash
from bitcodec.corpus.texts import brief_type
from bitcodec.ir.attributes import StringAttribute
from bitcodec.ir.debug_info import DIFile, DISubprogram
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject, GlobalVariable
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.calling_conventions import spelling as convention_spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.corpus.opened import OpenedModule
    from bitcodec.ir.attributes import Attribute, AttributeSet
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.symbols import Symbol

__all__ = ["ATTRIBUTES", "FUNCTIONS", "GLOBALS"]

_LARGEST_POSITIVE = 1 << 63
_KINDS = {GlobalVariable: "variable", GlobalAlias: "alias", GlobalIFunc: "ifunc"}


class _FunctionRow(NamedTuple):
    """A function of a module."""

    position: int
    value: Function
    opened: OpenedModule

    @property
    def symbol(self) -> Symbol:
        return self.opened.symbols[self.value]


def _functions(opened: OpenedModule) -> Iterator[_FunctionRow]:
    for position, function in enumerate(opened.functions):
        yield _FunctionRow(position, function, opened)


def _of_value(name: str) -> Callable[[Any], object]:
    return lambda row: getattr(row.value, name)


def _spelling(name: str) -> Callable[[Any], str]:
    return lambda row: str(getattr(row.value, name)) or "default"


def _comdat(row: Any) -> str | None:
    comdat = row.value.comdat if isinstance(row.value, GlobalObject) else None
    return None if comdat is None else comdat.name


def _section(row: Any) -> str | None:
    return row.value.section or None if isinstance(row.value, GlobalObject) else None


def _type_text(opened: OpenedModule, type_: Any) -> str:
    texts: dict[Any, str] = opened.kept.setdefault("type texts", {})
    text = texts.get(type_)
    if text is None:
        text = texts[type_] = brief_type(type_)
    return text


def _body_size(row: _FunctionRow) -> int | None:
    return None if row.value.is_declaration else row.opened.body_sizes.get(row.value)


def _instructions(row: _FunctionRow) -> int:
    return sum([len(block.instructions) for block in row.value.blocks])


def _structural_hash(row: _FunctionRow) -> str | None:
    if row.value.is_declaration:
        return None
    shapes = row.opened.kept.setdefault("shapes", Shapes())
    return structural_hash(row.value, shapes)


def _source(row: _FunctionRow) -> str | None:
    match row.value.subprogram:  # malformed modules have any nodes there
        case DISubprogram(file=DIFile() as file):
            return file.path
    return None


def _line(row: _FunctionRow) -> int | None:
    match row.value.subprogram:
        case DISubprogram(line=line) if line < 1 << 31:
            return line
    return None


def _global_columns(reads: Reads) -> tuple[Column, ...]:
    """Return the columns that all globals have."""
    return (
        Column("name", "string", reads, "Name in the IR without `@`; empty if it has none.", _of_value("name")),
        Column(
            "symbol",
            "string",
            reads,
            "Name in the object file, as `llvm-nm` prints it.",
            lambda row: row.symbol.name,
        ),
        Column("letter", "string", reads, "Letter that `llvm-nm` prints.", lambda row: row.symbol.letter),
        Column("linkage", "string", reads, "Linkage, such as `external` or `internal`.", _spelling("linkage")),
        Column("visibility", "string", reads, "`default`, `hidden` or `protected`.", _spelling("visibility")),
        Column("is_definition", "bool", reads, "Whether it is defined.", lambda row: not row.value.is_declaration),
        Column("section", "string", reads, "Section; null if unset.", _section),
        Column("comdat", "string", reads, "Comdat; null if it has none.", _comdat),
    )


FUNCTIONS = Table(
    "functions",
    "A function, defined or declared.",
    (
        KEY,
        Column("function", "int32", Reads.MODULE, "Position in the module, from 0.", from_subject("position")),
        *_global_columns(Reads.MODULE),
        Column(
            "is_intrinsic",
            "bool",
            Reads.MODULE,
            "Whether it is one of LLVM's intrinsics.",
            lambda row: row.value.name.startswith("llvm."),
        ),
        Column(
            "calling_convention",
            "string",
            Reads.MODULE,
            "Calling convention, such as `fastcc`.",
            lambda row: convention_spelling(row.value.calling_convention).strip() or "ccc",
        ),
        Column(
            "type",
            "string",
            Reads.MODULE,
            "Type as text, such as `i32 (ptr, ...)`; the first 1,024 characters.",
            lambda row: _type_text(row.opened, row.value.value_type),
        ),
        Column(
            "parameters",
            "int32",
            Reads.MODULE,
            "Parameters.",
            lambda row: len(row.value.value_type.parameter_types),
        ),
        Column(
            "bytes",
            "int64",
            Reads.MODULE,
            "Size of the body in the bitcode, which is 4 times the `NumWords` of `llvm-bcanalyzer`; null if declared.",
            _body_size,
            "bytes",
        ),
        Column("blocks", "int32", Reads.BODIES, "Basic blocks; 0 if declared.", lambda row: len(row.value.blocks)),
        Column("instructions", "int32", Reads.BODIES, "Instructions; 0 if declared.", _instructions),
        Column(
            "structural_hash",
            "string",
            Reads.BODIES,
            "Equal for functions that differ only in names and numbers; null if declared.",
            _structural_hash,
        ),
        Column(
            "source",
            "string",
            Reads.BODIES,
            "Source file; null without debug information.",
            _source,
        ),
        Column(
            "line",
            "int32",
            Reads.BODIES,
            "Line in the source file; null without debug information.",
            _line,
        ),
    ),
    _functions,
    ("module", "function"),
)


class _GlobalRow(NamedTuple):
    """A variable, alias or ifunc of a module."""

    position: int
    value: GlobalValue
    opened: OpenedModule

    @property
    def symbol(self) -> Symbol:
        return self.opened.symbols[self.value]


def _globals(opened: OpenedModule) -> Iterator[_GlobalRow]:
    module = opened.module
    found = (*module.global_variables, *module.aliases, *module.ifuncs)
    for position, value in enumerate(found):
        yield _GlobalRow(position, value, opened)


def _size(row: _GlobalRow) -> int | None:
    type_ = row.value.value_type
    if not isinstance(row.value, GlobalVariable) or not type_.is_sized:
        return None
    size = row.opened.module.data_layout.alloc_size(type_)
    return size if size < _LARGEST_POSITIVE else None


GLOBALS = Table(
    "globals",
    "A global variable, alias or ifunc.",
    (
        KEY,
        Column(
            "global",
            "int32",
            Reads.MODULE,
            "Position in the module, from 0: variables, then aliases, then ifuncs.",
            from_subject("position"),
        ),
        Column("kind", "string", Reads.MODULE, "`variable`, `alias` or `ifunc`.", lambda row: _KINDS[type(row.value)]),
        *_global_columns(Reads.MODULE),
        Column(
            "is_constant",
            "bool",
            Reads.MODULE,
            "Whether it is a variable that never changes.",
            lambda row: isinstance(row.value, GlobalVariable) and row.value.is_constant,
        ),
        Column(
            "is_thread_local",
            "bool",
            Reads.MODULE,
            "Whether each thread has its own.",
            lambda row: isinstance(row.value, GlobalVariable) and row.value.is_thread_local,
        ),
        Column("address_space", "int32", Reads.MODULE, "Address space.", _of_value("address_space")),
        Column(
            "type",
            "string",
            Reads.MODULE,
            "Type of the content as text; the first 1,024 characters.",
            lambda row: _type_text(row.opened, row.value.value_type),
        ),
        Column(
            "bytes",
            "int64",
            Reads.MODULE,
            "Size of a variable in memory by the data layout; null if unknown.",
            _size,
            "bytes",
        ),
        Column(
            "alignment",
            "int64",
            Reads.MODULE,
            "Alignment; null if unset.",
            lambda row: row.value.alignment if isinstance(row.value, GlobalObject) else None,
            "bytes",
        ),
    ),
    _globals,
    ("module", "global"),
)


class _AttributeRow(NamedTuple):
    function: int
    place: str
    parameter: int | None
    attribute: Attribute


def _attributes(opened: OpenedModule) -> Iterator[_AttributeRow]:
    for position, function in enumerate(opened.functions):
        with opened.reporting("attributes", position):
            attributes = function.attributes
            yield from _rows_of_set(position, "function", None, attributes.for_function)
            yield from _rows_of_set(position, "return", None, attributes.for_return)
            for index, each in attributes.parameters.items():
                yield from _rows_of_set(position, "parameter", index, each)


def _rows_of_set(function: int, place: str, parameter: int | None, found: AttributeSet) -> Iterator[_AttributeRow]:
    for attribute in found:
        yield _AttributeRow(function, place, parameter, attribute)


def _attribute_value(row: _AttributeRow) -> str | None:
    if isinstance(row.attribute, StringAttribute):
        return row.attribute.value
    text = str(row.attribute)
    return None if text == row.attribute.name else text


ATTRIBUTES = Table(
    "attributes",
    "An attribute of a function, of its return value or of a parameter.",
    (
        KEY,
        Column("function", "int32", Reads.MODULE, "Position of the function, from 0.", from_subject("function")),
        Column("place", "string", Reads.MODULE, "`function`, `return` or `parameter`.", from_subject("place")),
        Column(
            "parameter",
            "int32",
            Reads.MODULE,
            "Which parameter, from 0; null for the function and its return value.",
            from_subject("parameter"),
        ),
        Column(
            "name", "string", Reads.MODULE, "Name, such as `nounwind` or `target-cpu`.", lambda row: row.attribute.name
        ),
        Column(
            "value",
            "string",
            Reads.MODULE,
            "Value of a string attribute; text of another one that has a value; null if there is no value.",
            _attribute_value,
        ),
        Column(
            "is_string",
            "bool",
            Reads.MODULE,
            "Whether it is a string attribute.",
            lambda row: isinstance(row.attribute, StringAttribute),
        ),
    ),
    _attributes,
    ("module", "function", "place", "parameter", "name"),
)

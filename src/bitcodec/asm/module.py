"""Text of whole modules, section by section.  Rules: docs/reference/text.md, 2."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING

from bitcodec.asm.functions import function_text
from bitcodec.asm.globals import alias_text, comdat_text, ifunc_text, variable_text
from bitcodec.asm.names import metadata_name, printable, quoted
from bitcodec.asm.nodes import add_node_lines
from bitcodec.asm.numbering import Numbering
from bitcodec.asm.text_buffer import TextBuffer
from bitcodec.asm.texts import Texts
from bitcodec.asm.use_lists import UseListOrders, use_list_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import StructType

__all__ = ["group_lines", "module_text", "named_metadata_text", "separated", "type_line"]

_LINES_AT_ONCE = 1 << 10


def module_text(
    module: Module,
    *,
    preserve_use_list_order: bool = False,
    print_address_space_names: bool = False,
    numbering: Numbering | None = None,
) -> Iterator[str]:
    """Yield the text of a module, piece by piece.

    Args:
        module: the module.
        preserve_use_list_order: whether to print the order of uses, where a reader would find another.
        print_address_space_names: whether to print address spaces by the names that the data layout gives them.
        numbering: the numbers of everything in the module. Default: the numbers of its text.

    Raises:
        BitcodecError: a part is malformed; for parts read beforehand it is raised before the first piece.
    """
    numbers = numbering or Numbering.of_module(module)
    texts = Texts(module, numbers, prints_address_space_names=print_address_space_names)
    if preserve_use_list_order:
        texts.use_list_orders = UseListOrders(module)
    for section in _SECTIONS:
        if section in _COUNTING_SECTIONS:
            yield from section(module, texts)
        else:
            for piece in section(module, texts):
                texts.limit.spend(len(piece), piece.count("\n"))
                yield piece


def _head(module: Module, _texts: Texts) -> Iterator[str]:
    if module.identifier and "\n" not in module.identifier:
        yield f"; ModuleID = '{printable(module.identifier)}'\n"
    if module.source_filename:
        yield f"source_filename = {quoted(module.source_filename)}\n"
    # LLVM writes these two without escapes.
    if str(module.data_layout):
        yield f'target datalayout = "{printable(str(module.data_layout))}"\n'
    if module.target_triple:
        yield f'target triple = "{printable(module.target_triple)}"\n'


def _assembly(module: Module, _texts: Texts) -> Iterator[str]:
    lines = module.module_asm.split("\n") if module.module_asm else []
    if lines and not lines[-1]:
        lines.pop()
    return separated(f"module asm {quoted(line)}\n" for line in lines)


def _types(_module: Module, texts: Texts) -> Iterator[str]:
    structs = texts.numbering.structs
    return separated(type_line(struct, texts) for struct in sorted(structs, key=lambda struct: bool(struct.name)))


def _comdats(module: Module, _texts: Texts) -> Iterator[str]:
    # In the order of their first use.
    used = dict.fromkeys(value.comdat for values in (module.functions, module.global_variables) for value in values)
    for comdat in used:
        if comdat is not None:
            yield f"\n{comdat_text(comdat)}\n"


def _variables(module: Module, texts: Texts) -> Iterator[str]:
    return separated(f"{variable_text(variable, texts)}\n" for variable in module.global_variables)


def _aliases(module: Module, texts: Texts) -> Iterator[str]:
    return separated(f"{alias_text(alias, texts)}\n" for alias in module.aliases)


def _ifuncs(module: Module, texts: Texts) -> Iterator[str]:
    return separated(f"{ifunc_text(ifunc, texts)}\n" for ifunc in module.ifuncs)


def _functions(module: Module, texts: Texts) -> Iterator[str]:
    # A function at a time: smaller pieces take longer to hand over than to make.
    for function in module.functions:
        yield "\n" + "".join(function_text(function, texts))


def _use_lists(_module: Module, texts: Texts) -> Iterator[str]:
    yield use_list_text(texts.use_list_orders.get(None, ()), texts)


def _groups(_module: Module, texts: Texts) -> Iterator[str]:
    return separated(group_lines(texts.numbering.groups, texts))


def _named_metadata(module: Module, texts: Texts) -> Iterator[str]:
    return separated(f"{named_metadata_text(named, texts)}\n" for named in module.named_metadata.values())


def _nodes(_module: Module, texts: Texts) -> Iterator[str]:
    nodes = iter(texts.references)
    text = TextBuffer(texts.limit)
    separator = "\n"
    for first in count(0, _LINES_AT_ONCE):
        chunk = list(islice(nodes, _LINES_AT_ONCE))
        if not chunk:
            break
        text.add(separator)
        add_node_lines(text, chunk, first, texts)
        yield text.take()
        separator = ""


def _summary(module: Module, _texts: Texts) -> Iterator[str]:
    summary = module.summary
    if summary is None:
        return iter(())
    from bitcodec.asm.summary import summary_lines  # noqa: PLC0415 - few modules have one

    return separated(f"{line}\n" for line in summary_lines(summary))


def named_metadata_text(named: NamedMetadata, texts: Texts) -> str:
    """Return the line of named metadata."""
    operands = texts.limit.join(map(texts.references.__getitem__, named.operands))
    return f"{metadata_name(named.name)} = !{{{operands}}}"


def type_line(struct: StructType, texts: Texts) -> str:
    """Return the line that defines an identified struct."""
    return f"{texts.types[struct]} = type {texts.types.body(struct)}\n"


def group_lines(groups: Iterable[AttributeSet], texts: Texts) -> Iterator[str]:
    """Yield the lines of attribute groups."""
    for attributes in groups:
        words = attributes.spelled(in_group=True, type_text=texts.types.__getitem__)
        yield f"attributes #{texts.numbering.groups[attributes]} = {{ {words} }}\n"


def separated(lines: Iterable[str]) -> Iterator[str]:
    """Yield an empty line and the lines, or nothing without lines."""
    separator = "\n"
    for line in lines:
        yield separator + line
        separator = ""


_SECTIONS = (
    _head,
    _assembly,
    _types,
    _comdats,
    _variables,
    _aliases,
    _ifuncs,
    _functions,
    _use_lists,
    _groups,
    _named_metadata,
    _nodes,
    _summary,
)
_COUNTING_SECTIONS = (_functions, _nodes)
"""Sections that check their own text against the limit."""

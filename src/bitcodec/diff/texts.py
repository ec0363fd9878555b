"""The texts of the parts of modules, in the form in which they are compared: lines with marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.functions import function_text
from bitcodec.asm.globals import alias_text, comdat_text, ifunc_text, variable_text
from bitcodec.asm.module import type_line
from bitcodec.asm.names import comdat_name, local_name, metadata_name
from bitcodec.diff.categories import Category
from bitcodec.diff.contents import Contents
from bitcodec.diff.marks import rendered
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalVariable
from bitcodec.ir.metadata import MDString, MDTuple
from bitcodec.ir.type_finder import TypeFinder
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode, NamedMetadata
    from bitcodec.ir.module import Module

__all__ = ["ComparedModule", "NamedPart"]

_DEBUG_INFO_METADATA = ("llvm.dbg.", "llvm.gcov")
_DEBUG_INFO_FLAGS = {
    "CodeView",
    "CodeViewGHash",
    "DWARF64",
    "Debug Info Version",
    "Dwarf Version",
    "debug-info-assignment-tracking",
}

_UNNAMED = "variables without names"
"""Name of all variables without names together."""


class NamedPart(NamedTuple):
    """Something that has a counterpart in another module, if that has one with the same label.

    Attributes:
        label: its name in text: no two of a category have the same.
        name: its name in the model, "" if absent.
    """

    category: Category
    label: str
    name: str = ""


class ComparedModule:
    """One of two modules that are compared.

    Args:
        module: the module.
        debug_info: whether debug information counts.
    """

    def __init__(self, module: Module, *, debug_info: bool) -> None:
        self.module = module
        self.contents = Contents(module, debug_info=debug_info)
        self._debug_info = debug_info

    def facts(self) -> dict[NamedPart, list[str]]:
        """Return the facts about a module as a whole, as far as there are any."""
        module = self.module
        texts = {
            # A file without it gets the name of the file.
            Category.SOURCE_FILE: "" if module.source_filename == module.identifier else module.source_filename,
            Category.DATA_LAYOUT: str(module.data_layout),
            Category.TARGET_TRIPLE: module.target_triple,
            Category.ASSEMBLY: module.module_asm,
        }
        found = {NamedPart(category, category.value): text.split("\n") for category, text in texts.items() if text}
        finder = TypeFinder()
        finder.find_in(module)
        for struct in finder.structs:
            if struct.name:
                line = type_line(struct, self.contents).removesuffix("\n")
                found[NamedPart(Category.TYPE, local_name(struct.name), struct.name)] = list(
                    self.contents.closed([line])
                )
        for comdat in module.comdats.values():
            found[NamedPart(Category.COMDAT, comdat_name(comdat.name), comdat.name)] = [comdat_text(comdat)]
        return found

    def named_metadata(self) -> dict[NamedPart, NamedMetadata]:
        """Return the named metadata that counts."""
        return {
            NamedPart(Category.NAMED_METADATA, metadata_name(named.name), named.name): named
            for named in self.module.named_metadata.values()
            if self._debug_info or not named.name.startswith(_DEBUG_INFO_METADATA)
        }

    def named_metadata_lines(self, named: NamedMetadata) -> Iterator[str]:
        """Yield the text of named metadata, with the nodes that it leads to."""
        operands = [node for node in named.operands if self._debug_info or not _is_debug_info_flag(node)]
        lines = [f"  {self.contents.references[node]}," for node in operands]
        return self.contents.closed([f"{metadata_name(named.name)} = !{{", *lines, "}"])

    def symbols(self) -> dict[str, GlobalValue | None]:
        """Return the globals by label; None represents all variables without names."""
        found: dict[str, GlobalValue | None] = {}
        for value in self.module.globals:
            if value.name or not isinstance(value, GlobalVariable):
                found[self.contents.names[value]] = value
            else:
                found[_UNNAMED] = None
        return found

    def symbol_lines(self, value: GlobalValue | None) -> list[str]:
        """Return the text of a global.

        Raises:
            BitcodecError: it is malformed.
        """
        return list(self.contents.closed(_LINES[type(value)](value, self)))

    def named_nodes(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Yield the label and text of named debug information: of everything referred to so far, and by the texts."""
        nodes = self.contents.entities.nodes
        done = 0
        while done < len(nodes):
            for name in list(nodes)[done:]:
                yield name, self.named_node(name)
                done += 1

    def named_node(self, name: str) -> Iterator[str]:
        """Yield the text of a node of named debug information."""
        return self.contents.closed(self.contents.definition_of(self.contents.entities.nodes[name]))


def _function_lines(function: Function, side: ComparedModule) -> list[str]:
    """Return the lines of a function, without comments: predecessors of a block show in their own branches."""
    contents, blocks = side.contents, function.blocks
    found: list[str] = []
    for number, piece in enumerate(function_text(function, contents, by_block=True), -_ENTRY):
        lines = piece.removesuffix("\n").split("\n")
        if 0 < number < len(blocks):
            lines[1] = f"{contents.names[blocks[number]][1:]}:"
        if number >= _HEAD:
            found += lines
    return found


def _lines_without_names(_: None, side: ComparedModule) -> list[str]:
    """Return the lines of all variables without names, in an order that does not depend on that in the module."""
    contents = side.contents
    unnamed = (value for value in side.module.global_variables if not value.name)
    texts = [rendered(contents.closed([variable_text(value, contents)])) for value in unnamed]
    return [line for text in sorted(texts) for line in text]


_ENTRY, _HEAD = 2, -1
"""Index of the piece of a function's text with its first block, and, from there, of the one that is not a comment."""


def _is_debug_info_flag(node: MDNode) -> bool:
    match node:
        case MDTuple((_, MDString(text), _)):
            return text in _DEBUG_INFO_FLAGS
    return False


_LINES: dict[type, Callable[[Any, ComparedModule], list[str]]] = {
    GlobalVariable: lambda variable, side: [variable_text(variable, side.contents)],
    GlobalAlias: lambda alias, side: [alias_text(alias, side.contents)],
    GlobalIFunc: lambda ifunc, side: [ifunc_text(ifunc, side.contents)],
    Function: _function_lines,
    type(None): _lines_without_names,
}

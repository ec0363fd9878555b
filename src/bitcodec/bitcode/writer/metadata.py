"""Metadata of a module: the block of each node, and its id.

Metadata that only one function refers to is written in its block.  Rules: docs/reference/writer.md, 11.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.writer.debug_info import NODE_PROGRAMS
from bitcodec.bitcode.writer.metadata_ids import MODULE
from bitcodec.bitcode.writer.metadata_walk import MetadataCollector

if TYPE_CHECKING:
    from bitcodec.bitcode.writer.collected import Collected
    from bitcodec.bitcode.writer.debug_info import NodeWritePrograms
    from bitcodec.bitcode.writer.metadata_ids import Key, MetadataIds
    from bitcodec.bitcode.writer.type_walk import TypeWalk
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["MetadataNumbers"]


class MetadataNumbers(MetadataCollector):
    """Collects all metadata of a module.

    Args:
        module: a module that is read to the end.
        ids: receives the ids of module-level metadata.
        constants: takes the constants that metadata wraps.
        programs: how nodes are written, by class.
        type_walk: takes the types that functions need, None if they get numbers later.

    Attributes:
        of_module: the module-level metadata.
        of_function: the metadata of the blocks of functions.
    """

    def __init__(
        self,
        module: Module,
        ids: MetadataIds,
        constants: Collected,
        programs: NodeWritePrograms = NODE_PROGRAMS,
        type_walk: TypeWalk | None = None,
    ) -> None:
        super().__init__(ids, constants, None, programs, type_walk)
        self._arguments_to = type_walk
        self.of_module: list[Key] = []
        self.of_function: dict[Function, list[Key]] = {}
        self._collect(module)
        self._number(module)

    def _collect(self, module: Module) -> None:
        for named in module.named_metadata.values():
            for node in named.operands:
                self.add(node, MODULE)
        for variable in (*module.global_variables, *module.ifuncs):
            for node in variable.metadata.values():
                self.add(node, MODULE)
        for tag, function in enumerate(module.functions, 1):
            if not function.is_declaration:
                self.collect_function(function, tag)
            else:
                if self._arguments_to is not None:
                    self._arguments_to.add_arguments(function)
                for node in function.metadata.values():
                    self.add(node, MODULE)

    def _number(self, module: Module) -> None:
        by_tag = self.in_order()
        self.of_module = by_tag.get(MODULE, [])
        self.of_function = {function: by_tag.get(tag, []) for tag, function in enumerate(module.functions, 1)}
        self.ids.add_all(self.of_module, 0)

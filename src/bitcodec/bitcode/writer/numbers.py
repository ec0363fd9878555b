"""All numbers that records of a module refer to each other by.  Rules: writer reference, sections 11.5 to 11.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.summaries import SUMMARY_BLOCKS
from bitcodec.bitcode.writer.attributes import AttributeNumbers
from bitcodec.bitcode.writer.constants import Collected
from bitcodec.bitcode.writer.metadata import MetadataNumbers
from bitcodec.bitcode.writer.strings import StringTable
from bitcodec.bitcode.writer.summary_numbers import renumbered
from bitcodec.bitcode.writer.types import TypeNumbers
from bitcodec.ir.instructions.memory import SINGLE_THREAD, SYSTEM
from bitcodec.tables.metadata_kinds import METADATA_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module, RawPart
    from bitcodec.ir.values import Value

__all__ = ["NameNumbers", "Numbers"]


_SYMTAB = "SYMTAB_BLOCK"
_SUMMARY_NAMES = tuple(block_id.name for block_id in SUMMARY_BLOCKS)


def _kept_parts(module: Module) -> list[RawPart]:
    """Return the parts that need not be made anew: all but the symbols for linkers."""
    return [part for part in module.raw_parts if part.name != _SYMTAB]


def _numbered(module: Module) -> Iterator[GlobalValue]:
    """Yield the globals in the order of their value ids."""
    for values in (module.global_variables, module.functions, module.aliases, module.ifuncs):
        yield from values


class NameNumbers(dict[str, int]):
    """Numbers of names, given out when they are asked for."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        super().__init__()
        for name in known:
            self.setdefault(name, len(self))

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


class Numbers:
    """The numbers of a module.

    Args:
        module: which is read to the end.

    Attributes:
        types: of types.
        attributes: of attribute lists.
        values: of globals and of the module's constants; while a function is written, of its values too.
        constants: the module's constants, in order.
        metadata: of metadata.
        summaries: what is kept of the file as it was; value ids in it are those of now.
        strings: the string table.
        tags, scopes, kinds: of operand bundles, synchronization scopes, kinds of attached metadata.
    """

    def __init__(self, module: Module) -> None:
        self.types = TypeNumbers()
        self.attributes = AttributeNumbers(self.types)
        self.summaries = _kept_parts(module)
        self.strings = StringTable(self.summaries[0].strings if self.summaries else b"")
        self.tags = NameNumbers()
        self.scopes = NameNumbers((SINGLE_THREAD, SYSTEM))
        self.kinds = NameNumbers((*METADATA_KINDS, *module.metadata_kinds))
        self.values: dict[Value, int] = {}
        self._blocks: dict[Function, dict[BasicBlock, int]] = {}
        globals_ = list(_numbered(module))
        for value in globals_:
            self.values[value] = len(self.values)
            _ = self.types[value.value_type], self.types[value.type]
        held = Collected(self.values)
        for value in globals_:
            for operand in value._operands:
                held.add(operand)
        self.metadata = MetadataNumbers(module, held)
        self.constants = held.in_order(self)
        for constant in self.constants:
            self.values[constant] = len(self.values)
        if any(list(part.globals) != globals_[: len(part.globals)] for part in self.summaries):
            self.summaries = [
                renumbered(part, self.values, module.source_filename)
                for part in self.summaries
                if part.name in _SUMMARY_NAMES
            ]

    def block_numbers(self, function: Function) -> dict[BasicBlock, int]:
        """Return the numbers of a function's blocks."""
        found = self._blocks.get(function)
        if found is None:
            found = self._blocks[function] = {block: number for number, block in enumerate(function.blocks)}
        return found

    def attached(self, metadata: Iterable[tuple[str, MDNode]]) -> list[int]:
        """Return kind and id of each attached node, in the order of kinds."""
        pairs = sorted(
            ((self.kinds[kind], self.metadata.ids[node]) for kind, node in metadata), key=lambda pair: pair[0]
        )
        return [number for pair in pairs for number in pair]

"""All numbers that records of a module refer to each other by.  Rules: docs/reference/writer.md, 11.5 to 11.7."""

from __future__ import annotations

from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId
from bitcodec.bitcode.writer.attributes import AttributeNumbers
from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitcode.writer.dialect import LLVM_22
from bitcodec.bitcode.writer.metadata import MetadataNumbers
from bitcodec.bitcode.writer.metadata_ids import MetadataIds
from bitcodec.bitcode.writer.strings import StringTable
from bitcodec.bitcode.writer.type_walk import TypeWalk
from bitcodec.ir.construction.present import raw_parts
from bitcodec.ir.construction.record_bodies import record_bodies
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.memory import SINGLE_THREAD, SYSTEM
from bitcodec.object_numbers import ObjectNumbers
from bitcodec.tables.metadata_kinds import METADATA_KINDS
from bitcodec.tables.operand_bundles import OPERAND_BUNDLE_TAGS
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.bitcode.writer.dialect import BitcodeDialect
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module, RawPart
    from bitcodec.ir.values import Value

__all__ = ["ModuleNumbers", "NameNumbers", "Numbers", "numbered_globals"]

_SYMTAB = "SYMTAB_BLOCK"
_kind_of: Callable[[tuple[int, int]], int] = itemgetter(0)
_SUMMARY_NAMES = tuple(block_id.name for block_id in SUMMARY_BLOCKS)
_WITHOUT_SYMBOL_TABLE = (*_SUMMARY_NAMES, BlockId.MODULE_BLOCK.name)
"""Parts that are kept if globals have changed: the renumbered summaries contain the facts of a symbol table."""


def _kept_parts(module: Module) -> list[RawPart]:
    """Return the parts that are kept: all but the symbols for linkers."""
    return [part for part in raw_parts(module) if part.name != _SYMTAB]


def numbered_globals(module: Module, added: Sequence[Function] = ()) -> Iterator[GlobalValue]:
    """Yield the globals in the order of their value ids.

    Args:
        module: the module.
        added: declarations that it lacks.
    """
    for values in (module.global_variables, module.functions, added, module.aliases, module.ifuncs):
        yield from values


def _held_by_globals(
    module: Module, globals_: Sequence[GlobalValue], *, fills: bool
) -> Iterator[tuple[GlobalValue, Value]]:
    """Yield globals and their operands, in LLVM's order: functions' come last.

    Args:
        module: the module.
        globals_: the globals.
        fills: whether a function that holds anything holds null for the others, as in LLVM.
    """
    for value in globals_:
        if not isinstance(value, Function):
            for operand in value.operands:
                yield value, operand
    null = module.context.constants.null(module.context.types.ptr)
    for function in module.functions:
        if function.operands:
            for held in (function.personality, function.prefix_data, function.prologue_data):
                if held is not None or fills:
                    yield function, null if held is None else held


def _add_used_by_records(module: Module, held: Collected) -> bool:
    """Add the constants that unread bodies name; return whether there are such bodies."""
    has_records = False
    for body in record_bodies(module):
        has_records = True
        for constant in body.constants:
            held.add(constant)
    return has_records


class NameNumbers(dict[str, int]):
    """Numbers of names, assigned on first use."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        super().__init__()
        for name in known:
            self.setdefault(name, len(self))

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


class Numbers:
    """Numbers of the entities that records of a module refer to.

    Args:
        metadata_ids: of the module's own metadata.
        dialect: how the version of LLVM differs that is to read the records.

    Attributes:
        dialect: as above.
        types: of types.
        attributes: of attribute lists.
        values: of globals and of the module's constants; while a function is written, of its values too.
        metadata_ids: as above; while a function is written, of its metadata too.
        metadata_count: how many of them are the module's own.
        strings: the string table.
        tags, scopes, kinds: of operand bundles, synchronization scopes, kinds of attached metadata.
        symbols: names of globals by value id, if they are not in the string table.
        sorts_constants: whether constants are sorted, which LLVM does not do if it states orders of uses.
        places_empty_names: whether an empty name gets a place in the string table, as in LLVM; not in one that is kept.
        sections, collectors: of names of sections and of garbage collectors.
    """

    def __init__(self, metadata_ids: MetadataIds, dialect: BitcodeDialect = LLVM_22) -> None:
        self.dialect = dialect
        self.types = dialect.type_numbers()
        self.attributes = AttributeNumbers(self.types, lowered=dialect.attributes)
        self.values = ObjectNumbers()
        self.metadata_ids = metadata_ids
        self.metadata_count = 0
        self.strings = StringTable()
        self.symbols: dict[int, str] = {}
        self.sorts_constants = True
        self.places_empty_names = False
        self.tags = NameNumbers(OPERAND_BUNDLE_TAGS if dialect.version >= MODEL else ())
        self.scopes = NameNumbers((SINGLE_THREAD, SYSTEM))
        self.kinds = NameNumbers(METADATA_KINDS)
        self.sections = NameNumbers()
        self.collectors = NameNumbers()
        self._blocks: dict[Function, dict[BasicBlock, int]] = {}

    def block_numbers(self, function: Function) -> dict[BasicBlock, int]:
        """Return the numbers of a function's blocks."""
        found = self._blocks.get(function)
        if found is None:
            found = self._blocks[function] = {block: number for number, block in enumerate(function.blocks)}
        return found

    def attached(self, metadata: Iterable[tuple[str, MDNode]]) -> list[int]:
        """Return kind and id of each attached node, in the order of kinds."""
        kinds, ids, find = self.kinds, self.metadata_ids, self.metadata_ids.objects.get
        pairs = [(kinds[kind], ids[node] if (found := find(node)) is None else found) for kind, node in metadata]
        if len(pairs) > 1:
            pairs.sort(key=_kind_of)
        return [*chain.from_iterable(pairs)]


class ModuleNumbers(Numbers):
    """The numbers that a module gets when all of it is written.

    Args:
        module: a module that is read to the end.
        dialect: how the version of LLVM differs that is to read it.

    Attributes:
        constants: the module's constants, in order.
        metadata: all metadata.
        value_count: the number of globals and of the module's constants.
        summaries: unchanged parts of the file, with present value ids.
        has_records: whether unread bodies are written.
        summary: the summaries of a module whose file has no summaries, such as a text; None without them.
    """

    def __init__(self, module: Module, dialect: BitcodeDialect = LLVM_22) -> None:
        super().__init__(MetadataIds(module.context.constants), dialect)
        for kind in module.metadata_kinds:
            _ = self.kinds[kind]
        self.summaries = _kept_parts(module) if dialect.keeps_summaries else []
        self.places_empty_names = not self.summaries
        is_written = dialect.keeps_summaries and not self.summaries
        self.summary = module.summary if is_written else None
        self.strings = StringTable(self.summaries[0].strings if self.summaries else None)
        globals_ = list(numbered_globals(module, dialect.added))
        # A module read from bitcode is numbered on the fly while it is written, which is faster.
        is_of_file = module.bitcode_size is not None
        follows_llvm = dialect is LLVM_22 and not is_of_file
        held = Collected(
            self.values,
            self.types.written if self.types.is_typed else None,
            self.types.__getitem__ if follows_llvm else None,
        )
        for value in globals_:
            self.values[value] = len(self.values)
            _ = self.types.of(value), self.types[dialect.value_type(dialect.declared(value))]
            if follows_llvm and isinstance(value, Function):
                _ = self.attributes[value.attributes]
        for value, operand in _held_by_globals(module, globals_, fills=follows_llvm):
            held.add(dialect.held(value, operand))
        if dialect.offset is not None:
            held.add(dialect.offset)
        self.has_records = _add_used_by_records(module, held)
        type_walk = None
        if follows_llvm:
            _ = self.types[module.context.types.metadata]
            type_walk = TypeWalk(self.types, self.attributes, held, module.context.types)
        self.metadata = MetadataNumbers(module, self.metadata_ids, held, dialect.node_programs, type_walk)
        self.metadata_count = len(self.metadata_ids)
        # Constants without use-list orders are sorted when read and written again: bitcode is always sorted.
        has_orders = module.preserves_use_list_order and dialect.keeps_use_list_orders
        self.sorts_constants = is_of_file or not has_orders
        self.constants = held.in_order(self.types, is_sorted=self.sorts_constants)
        for constant in self.constants:
            self.values[constant] = len(self.values)
        self.value_count = len(self.values)
        if any(list(part.globals) != globals_[: len(part.globals)] for part in self.summaries):
            from bitcodec.bitcode.writer.summary_numbers import renumbered  # noqa: PLC0415 - few modules need it

            self.summaries = [
                renumbered(part, self.values, module.source_filename) if part.name in _SUMMARY_NAMES else part
                for part in self.summaries
                if part.name in _WITHOUT_SYMBOL_TABLE
            ]

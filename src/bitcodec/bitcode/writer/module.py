"""A whole module: which block follows which.  Rules: docs/reference/writer.md, 11.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.creation_order import CreationOrder
from bitcodec.bitcode.module_hash import hash_of_module, hashed_names
from bitcodec.bitcode.schema.blocks import (
    BlockId,
    IdentificationCode,
    ModuleCode,
    OperandBundleTagsCode,
    SyncScopeNamesCode,
)
from bitcodec.bitcode.writer.abbreviations import SYMTAB_OFFSET, block_info
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.bitcode.writer.constants import constants_block
from bitcodec.bitcode.writer.dialect import LLVM_22
from bitcodec.bitcode.writer.function_table import function_table, symbol_table
from bitcodec.bitcode.writer.functions import BodyWriter
from bitcodec.bitcode.writer.globals import ModuleRecords
from bitcodec.bitcode.writer.metadata_records import kinds_block, module_metadata
from bitcodec.bitcode.writer.numbers import ModuleNumbers
from bitcodec.bitcode.writer.record_bodies import written_body
from bitcodec.bitcode.writer.rows import BlockRows, Rows, characters, write_items
from bitcodec.bitcode.writer.summaries import is_index, kept_records, summary_blocks
from bitcodec.bitcode.writer.types import type_block
from bitcodec.bitcode.writer.use_lists import BodyUseLists, UseLists
from bitcodec.bitstream import Writer
from bitcodec.bitstream.abbreviations import Abbreviation, array, char6, vbr
from bitcodec.errors import EncodingError, quote_name
from bitcodec.ir.construction.record_bodies import record_bodies
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.versions import MODEL
from bitcodec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.bitcode.writer.dialect import BitcodeDialect
    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.bitcode.writer.rows import Item
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["check_module", "write_module"]

_VERSION, _OLDER_VERSION = 2, 1
_IDENTIFICATION_WIDTH = 5
_MODULE_WIDTH = 3
_TAGS_WIDTH = 3
_SCOPES_WIDTH = 2
_EPOCH = 0


def write_module(module: Module, dialect: BitcodeDialect = LLVM_22) -> bytes:
    """Return a module as bitcode.

    Args:
        module: the module.
        dialect: how the version of LLVM differs that is to read it.

    Raises:
        BitcodecError: something in it is malformed, or cannot be written.
    """
    bodies = [*record_bodies(module)] if dialect is LLVM_22 else []
    if not bodies:
        module.materialize()
    for body in bodies:
        if not body.is_whole:
            body.function.materialize()
    return _ModuleWriter(module, dialect).written()


def check_module(module: Module, dialect: BitcodeDialect) -> None:
    """Raise the errors of `write_module` for constructs that a version lacks, without writing anything.

    Args:
        module: the module, which has been read from a file and not changed.
        dialect: how the version of LLVM differs that is to read it.

    Raises:
        BitcodecError: something in it is malformed, or cannot be written.
    """
    module.materialize()
    _ModuleWriter(module, dialect, keeps_orders=False).check()


class _Parts(NamedTuple):
    """The parts of a module whose contents have numbers, in the order in which they are written.

    Attributes:
        head: the records before other blocks.
        abbreviation_count: the number of abbreviations among them.
        type_count: the number of types.
        tables: blocks of constants, kinds of metadata, metadata, and orders of uses.
        bodies: by function, its block, if that was made.
    """

    head: list[Item]
    abbreviation_count: int
    type_count: int
    tables: tuple[BlockRows | None, ...]
    bodies: dict[Function, BlockRows]


class _ModuleWriter:
    def __init__(self, module: Module, dialect: BitcodeDialect, *, keeps_orders: bool = True) -> None:
        self._module = module
        self._numbers = ModuleNumbers(module, dialect)
        self._writer = Writer()
        has_orders = keeps_orders and module.preserves_use_list_order and dialect.keeps_use_list_orders
        self._use_lists = UseLists(module) if has_orders and not self._numbers.has_records else None
        # Nobody knows all users of what a body that is not read uses.
        self._local_orders = CreationOrder(module) if has_orders and self._numbers.has_records else None
        if self._local_orders is not None:
            self._local_orders.make_globals()

    def written(self) -> bytes:
        if self._is_index_alone():
            # Like llvm-as, without a block that identifies the producer.
            self._write_index()
        elif is_index(self._numbers.summaries):
            _identification(self._numbers.dialect.version).write(self._writer)
            self._write_index()
        else:
            _identification(self._numbers.dialect.version).write(self._writer)
            self._write_module()
        if self._numbers.dialect.has_string_table:
            self._write_symbols()
            self._numbers.strings.block().write(self._writer)
        return self._writer.getvalue()

    def _write_symbols(self) -> None:
        """Write the symbol table for linkers in LLVM 22's format."""
        if self._numbers.dialect is LLVM_22 and not (is_index(self._numbers.summaries) or self._is_index_alone()):
            from bitcodec.bitcode.writer.irsymtab import symbols_block  # noqa: PLC0415 - older versions lack it

            symbols = symbols_block(self._module, self._numbers.strings)
            if symbols is not None:
                symbols.write(self._writer)

    def _is_index_alone(self) -> bool:
        """Return whether the module has summaries only: as in llvm-as, they are an index of several modules then."""
        summary, module = self._numbers.summary, self._module
        if summary is None or not (summary.values or summary.flags):
            return False
        return not (module.functions or module.global_variables)

    def check(self) -> None:
        """Raise the errors of `written` for constructs that the version lacks."""
        if self._is_index_alone() or is_index(self._numbers.summaries):
            self.written()
            return
        if self._numbers.dialect.refuses_late:
            self._parts(BodyWriter.check)
        else:
            self._survey_metadata()
            self._check_casts()
        for _ in self._summaries():
            pass

    def _parts(self, make_body: Callable[[BodyWriter, Function, Sequence[Key]], BlockRows | None]) -> _Parts:
        """Give numbers to everything in the module, and make the records that do not depend on widths of fields.

        Args:
            make_body: returns the block of a body, given the metadata in it; None if it only looks at the body.

        Raises:
            EncodingError: the version lacks something in the module.
        """
        module, numbers = self._module, self._numbers
        self._survey_metadata()
        records = ModuleRecords(module, numbers)
        comdats = records.comdats()
        globals_, abbreviation_count = records.globals()
        constants = constants_block(numbers.constants, numbers, is_module=True) if numbers.constants else None
        metadata = module_metadata(module, numbers)
        orders = None if self._use_lists is None else self._use_lists.block(None, numbers.values, {})
        _ = numbers.types[module.context.types.metadata]
        writer_of_bodies = BodyWriter(module, numbers)
        bodies: dict[Function, BlockRows] = {}
        for function, keys in numbers.metadata.of_function.items():
            body = None if function.is_declaration else make_body(writer_of_bodies, function, keys)
            if body is not None:
                bodies[function] = body
        types = numbers.types.listed()
        numbers.dialect.survey_types(types)
        head = [*records.head(comdats), *globals_]
        return _Parts(head, abbreviation_count, len(types), (constants, kinds_block(numbers), metadata, orders), bodies)

    def _check_casts(self) -> None:
        dialect = self._numbers.dialect
        for function in self._module.functions if dialect.casts_pointers else ():
            if not function.is_declaration:
                with writing(f"the body of @{quote_name(function.name)}"):
                    dialect.written_in(function)

    def _survey_metadata(self) -> None:
        metadata = self._numbers.metadata
        self._numbers.dialect.survey_metadata(metadata.of_module, metadata.of_function)

    def _write_module(self) -> None:
        numbers, writer = self._numbers, self._writer
        head, abbreviation_count, type_count, tables, bodies = self._parts(self._body)
        with writer.block(BlockId.MODULE_BLOCK, width=_MODULE_WIDTH):
            writer.record(ModuleCode.VERSION, [_VERSION if numbers.dialect.has_string_table else _OLDER_VERSION])
            block_info(type_count, numbers.dialect.location_length, numbers.dialect.version).write(writer)
            type_block(numbers.types).write(writer)
            for block in numbers.attributes.blocks():
                block.write(writer)
            write_items(head, writer)
            place = self._write_offset(4 + abbreviation_count)
            for table in filter(None, (*tables, *self._names())):
                table.write(writer)
            offsets = self._write_bodies(bodies)
            for block in self._summaries():
                block.write(writer)
            self._write_function_table(offsets, place)
            self._write_hash(head)

    def _body(self, writer: BodyWriter, function: Function, keys: Sequence[Key]) -> BlockRows:
        body = written_body(function)
        if body is not None:
            with writing(f"the body of @{quote_name(function.name)}"):
                return body.block(keys, self._numbers)
        local = self._local_orders
        orders = self._use_lists if local is None else BodyUseLists(local, function, ())
        return writer.block(function, keys, orders)

    def _write_index(self) -> None:
        """Write a module that consists of an index of several modules only.

        Raises:
            EncodingError: the module has other parts, which would be lost: no linker reads them of an index.
        """
        lost = [words for words, parts in _other_parts(self._module) if parts]
        if lost:
            raise EncodingError(f"an index of several modules cannot have {' and '.join(lost)}: remove them")
        writer = self._writer
        with writer.block(BlockId.MODULE_BLOCK, width=_MODULE_WIDTH):
            writer.record(ModuleCode.VERSION, [_VERSION])
            if self._numbers.summary is not None:
                from bitcodec.bitcode.writer.index_summary import index_blocks  # noqa: PLC0415 - few modules need it

                for block in index_blocks(self._numbers.summary, self._numbers.strings):
                    block.write(writer)
                return
            if self._module.source_filename != self._module.identifier:
                writer.record(ModuleCode.SOURCE_FILENAME, characters(self._module.source_filename))
            for block in summary_blocks(self._numbers.summaries):
                block.write(writer)

    def _summaries(self) -> Iterator[BlockRows]:
        summary = self._numbers.summary
        if summary is not None and (summary.values or summary.flags):
            from bitcodec.bitcode.writer.module_summary import module_summary  # noqa: PLC0415 - few modules need it

            yield module_summary(self._module, summary, self._numbers)
        yield from summary_blocks(self._numbers.summaries)

    def _write_offset(self, abbreviation_id: int) -> int:
        """Write the offset of the table of functions as 0, for now; return the bit offset of that number."""
        self._writer.define(SYMTAB_OFFSET)
        self._writer.record(ModuleCode.VSTOFFSET, [0], abbreviation_id=abbreviation_id)
        return self._writer.bit_offset - 32

    def _write_hash(self, items: Iterable[Item]) -> None:
        """Write the hash of the module written so far, if its file had one.

        Args:
            items: the records of comdats and globals, among others.
        """
        old = next(kept_records(self._numbers.summaries, BlockId.MODULE_BLOCK), None)
        if old is None:
            return
        names: Iterable[bytes] = ()
        if self._numbers.dialect.has_string_table:
            rows = [item for item in items if isinstance(item, Rows)]
            records = (each.record(row) for each in rows for row in range(len(each)))
            names = hashed_names(records, self._numbers.strings.data)
        self._writer.record(ModuleCode.HASH, hash_of_module(old[1], names, self._writer.body_of_block()))

    def _names(self) -> Iterator[BlockRows | None]:
        for block_id, width, code, names in (
            (
                BlockId.OPERAND_BUNDLE_TAGS_BLOCK,
                _TAGS_WIDTH,
                OperandBundleTagsCode.OPERAND_BUNDLE_TAG,
                self._numbers.tags,
            ),
            (BlockId.SYNC_SCOPE_NAMES_BLOCK, _SCOPES_WIDTH, SyncScopeNamesCode.SYNC_SCOPE_NAME, self._numbers.scopes),
        ):
            block = BlockRows(block_id, width)
            for name in names:
                block.rows().add(code, characters(name))
            yield block if names else None

    def _write_bodies(self, bodies: dict[Function, BlockRows]) -> dict[int, int]:
        """Write the bodies; return the place of each by the value id of its function, in bits."""
        writer = self._writer
        offsets = {}
        for function, body in bodies.items():
            offsets[self._numbers.values[function]] = writer.bit_offset
            body.write(writer)
        return offsets

    def _write_function_table(self, offsets: dict[int, int], place: int) -> None:
        """Write the table of where bodies begin, and its own place to a word that was left free for it."""
        writer = self._writer
        writer.patch(place, writer.bit_offset // 32)
        if self._numbers.dialect.has_string_table:
            function_table(offsets).write(writer)
        else:
            symbol_table(offsets, self._numbers.symbols).write(writer)


def _identification(version: int) -> BlockRows:
    block = BlockRows(BlockId.IDENTIFICATION_BLOCK, _IDENTIFICATION_WIDTH)
    block.items.append(Abbreviation.of(IdentificationCode.STRING, array, char6))
    # Names the version if LLVM 22 may not read the rest.
    suffix = f"_LLVM{version}" if version > MODEL else ""
    block.rows().add(IdentificationCode.STRING, characters(f"bitcodec{__version__}{suffix}"), 4)
    block.items.append(Abbreviation.of(IdentificationCode.EPOCH, vbr(6)))
    block.rows().add(IdentificationCode.EPOCH, [_EPOCH], 5)
    return block


def _other_parts(module: Module) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a module other than a summary, in words, and whether it has them."""
    yield "globals", any(True for _ in module.globals)
    yield "named metadata or flags", bool(module.named_metadata)
    yield "a target triple", bool(module.target_triple)
    yield "assembly", bool(module.module_asm)
    yield "comdats", bool(module.comdats)

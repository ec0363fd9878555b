"""Saves a module of which little was changed: finds the changed parts, which alone are encoded.

Everything else is copied by `module_copy`.  Whether the changes fit into the file is decided before anything is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.editing.file_metadata import FileMetadataIds
from bitcodec.bitcode.editing.file_numbers import FileNumbers
from bitcodec.bitcode.editing.metadata_changes import metadata_changes
from bitcodec.bitcode.editing.module_copy import PRODUCERS, Changes, ModuleCopy, unread_bodies
from bitcodec.bitcode.editing.symbol_changes import SymbolChanges, changed_texts
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.errors import EncodingError
from bitcodec.ir.construction.present import has_unread_symbols, raw_parts, source_of

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["copy_module"]


def copy_module(module: Module) -> bytes | None:
    """Return a module as bitcode with its unchanged parts copied from its file; None if that is not possible.

    Raises:
        BitcodecError: a part that is read for this is malformed.
    """
    # No other thread may read a body between the decision to copy it and the copy.
    return module.context.lock.run_exclusively(_copy_module, module)


def _copy_module(module: Module) -> bytes | None:
    reader = source_of(module)
    if not isinstance(reader, ModuleReader) or not module.producer.startswith(PRODUCERS):
        return None
    if not reader.tables.has_strtab:
        return None  # symbol tables hold the names, and are written from scratch
    try:
        changes = _find_changes(module, reader)
        return None if changes is None else ModuleCopy(reader, changes).written()
    except EncodingError:
        return None  # if the module itself cannot be encoded, writing all of it says why


def _find_changes(module: Module, reader: ModuleReader) -> Changes | None:
    """Find the changes of a module, None if one of them needs a record or a number that the file lacks."""
    texts = changed_texts(reader)
    if has_unread_symbols(module):
        if texts is None or reader.has_functions_to_protect:
            return None
        is_read = reader.has_read_metadata
        metadata = metadata_changes(module, reader, FileMetadataIds(module, reader)) if is_read else {}
        return None if metadata is None else Changes(metadata, texts, {}, unread_bodies(reader))
    if texts is None or (reader.has_summaries and not raw_parts(module)):
        return None
    numbers = FileNumbers(module, reader)
    # First, for it may give ids away that bodies would find in use.
    metadata = metadata_changes(module, reader, numbers.metadata_ids) if numbers.are_unique else None
    symbols = SymbolChanges(module, reader, numbers)
    records = None if metadata is None else symbols.records()
    bodies = None if records is None else symbols.bodies()
    added = None if bodies is None else numbers.added()
    if metadata is None or records is None or bodies is None or added is None:
        return None
    return Changes(metadata, texts | records, added, bodies, numbers.strings)

"""`bitcodec pcsections decode`: the PCs in a file, with their data."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import contents, llvm_ir, reported_in
from bitcodec.cli.json_documents import json_option
from bitcodec.cli.pcsections.elf_inputs import each_elf
from bitcodec.cli.problems import Failure, reported, warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.pcsections.decoding.decode import Decoded
    from bitcodec.pcsections.schemas.schema import Schema

__all__ = ["decode", "schemas_of"]


@command(short_help="Print the PCs in an object or program, with their data.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--schema", "schemas", multiple=True, metavar="MODULE|sanitizer|SPEC", help="Constants that follow PCs; repeatable."
)
@option("--section", "sections", multiple=True, metavar="NAME", help="Decode only this section; repeatable.")
@json_option
@option("--arrow", metavar="FILE", help="Write an Arrow file as well.")
@option("--parquet", metavar="FILE", help="Write a Parquet file as well.")
@option("--no-lines", is_flag=True, help="Do not read source lines from debug information.")
def decode(
    files: tuple[str, ...],
    schemas: tuple[str, ...],
    sections: tuple[str, ...],
    arrow: str | None,
    parquet: str | None,
    *,
    as_json: bool,
    no_lines: bool,
) -> None:
    """Print the PCs in the PC sections of FILE, a relocatable object, executable or shared object in ELF.

    FILE may be an archive of objects as well.  With several files, each entry names its own.

    In an object, relocations mark the PCs; the bytes between them are printed as bytes, unless there is a schema.  A
    linked file requires a schema, except for sections of the sanitizers.  A schema is a module from which the file was
    compiled (preferred), or SECTION[!C]=KIND|KIND..., where KIND is instruction or function with the types of its
    constants, and known values: hot=instruction:i32:7,i64.  PCs that share constants have them after the last PC.

    \b
    Examples:
      bitcodec pcsections decode program.o
      bitcodec pcsections decode build/*.o tagged.o
      bitcodec pcsections decode program --schema main.bc --schema util.bc
      bitcodec pcsections decode program --schema 'cold!C=function:i32|instruction:ptr'
      bitcodec pcsections decode program.o --json | jq '.entries[].pc.symbol'
    """
    from bitcodec.pcsections.decoding.decode import decode_file  # noqa: PLC0415 - `--help` need not wait for it

    known = schemas_of(schemas)
    found: list[tuple[str, Decoded]] = []

    def decode_one(file: str, data: memoryview) -> None:
        decoded = decode_file(data, known, sections or None, lines=not no_lines)
        _warn_of(file, decoded)
        found.append((file, decoded))

    inputs = each_elf(files, decode_one, "reading PC sections")
    if found or not inputs.has_failed:
        _write(found, {_ARROW: arrow, _PARQUET: parquet}, as_json=as_json)
    for file, decoded in found:
        if decoded.lines_problem is not None:
            warn(f"{file}: {decoded.lines_problem}")
    inputs.finish()


def _write(found: Sequence[tuple[str, Decoded]], tables: Mapping[str, str | None], *, as_json: bool) -> None:
    from bitcodec.cli.pcsections.decode_text import print_entries, print_json  # noqa: PLC0415

    wanted = {name: path for name, path in tables.items() if path is not None}
    if wanted:
        _write_tables(wanted, found)
    if as_json:
        print_json(found)
    elif not wanted:
        print_entries(found)


def schemas_of(texts: Iterable[str]) -> list[Schema | Module]:
    """Return the schemas that options name, or the modules.

    Raises:
        Failure: one names none.
    """
    return [schema for text in texts for schema in _schemas(text)]


def _schemas(text: str) -> list[Schema | Module]:
    """Return the schemas that an option names, or the modules.

    Raises:
        Failure: it names none.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415
    from bitcodec.pcsections.schemas.schema import Schema  # noqa: PLC0415

    if text == "sanitizer" or ("=" in text and not os.path.exists(text)):  # noqa: PTH110 - pathlib raises for long texts
        with reported("--schema"):
            return [Schema.of(text)]
    found: list[Schema | Module] = []
    for one in llvm_ir(text, contents(text)):
        with reported_in(text, one):
            modules = list(modules_in(one.stream, text))
            # One that does not name its target is left to the file, which does.
            found += (Schema.of_module(module) if module.target_triple else module for module in modules)
    return found


def _warn_of(file: str, found: Decoded) -> None:
    for name in dict.fromkeys(section.name for section in found.sections if section.is_ambiguous):
        warn(f"{file}: section {name!r} can be read in several ways; --schema MODULE.bc specifies which is right")


_ARROW, _PARQUET = "--arrow", "--parquet"


def _write_tables(paths: Mapping[str, str], found: Sequence[tuple[str, Decoded]]) -> None:
    """Write Arrow and Parquet files, which are replaced only when all is written.

    Raises:
        Failure: pyarrow is not installed, or a file cannot be written.
    """
    from bitcodec.cli.outputs import write  # noqa: PLC0415

    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise Failure(f"{next(iter(paths))} needs pyarrow: pip install 'bitcodec[arrow]'") from None
    table = _table(pa, found)
    for option_name, path in paths.items():
        sink = pa.BufferOutputStream()
        if option_name == _PARQUET:
            pq.write_table(table, sink)
        else:
            with pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
        write(path, memoryview(sink.getvalue()))


def _table(pa: Any, found: Sequence[tuple[str, Decoded]]) -> Any:
    """Return the entries of all files; of several files with their names."""
    tables = [decoded.to_arrow() for _, decoded in found]
    if len(found) > 1:
        columns = [pa.array([name] * len(decoded)).dictionary_encode() for name, decoded in found]
        tables = [table.add_column(0, "object", column) for table, column in zip(tables, columns, strict=True)]
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()

"""Tables of many modules: Parquet files of whole builds and corpora, rows for Daft, Arrow for NumPy and PyTorch.

>>> from bitcodec import corpus
>>> [(row["name"], row["instructions"]) for row in corpus.functions("examples/hello.bc")]
[('main', 13), ('printf', 0)]

`write_tables` reads many files with a process for each core.  A function for each table (`functions`, `calls`, ...)
reads one file, or makes an expression for Daft.  `TABLES` describes all tables and columns.
"""

from typing import TYPE_CHECKING

from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.corpus.columns import Column, Reads, Table
    from bitcodec.corpus.opcode_numbers import OPCODE_NAMES, OPCODE_NUMBERS
    from bitcodec.corpus.pool import Limits
    from bitcodec.corpus.querying import query
    from bitcodec.corpus.rows import read_rows, to_arrow
    from bitcodec.corpus.run import RunSummary, write_tables
    from bitcodec.corpus.structure import Shapes, structural_hash
    from bitcodec.corpus.tables import TABLES
    from bitcodec.corpus.tables_of_files import (
        attributes,
        calls,
        debug_sources,
        errors,
        files,
        flags,
        functions,
        globals,  # noqa: A004 - the table's name
        graphs,
        instructions,
        metadata_kinds,
        modules,
        pcsections,
        types,
    )

__all__ = [
    "OPCODE_NAMES",
    "OPCODE_NUMBERS",
    "TABLES",
    "Column",
    "Limits",
    "Reads",
    "RunSummary",
    "Shapes",
    "Table",
    "attributes",
    "calls",
    "debug_sources",
    "errors",
    "files",
    "flags",
    "functions",
    "globals",
    "graphs",
    "instructions",
    "metadata_kinds",
    "modules",
    "pcsections",
    "query",
    "read_rows",
    "structural_hash",
    "to_arrow",
    "types",
    "write_tables",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "columns": ("Column", "Reads", "Table"),
        "opcode_numbers": ("OPCODE_NAMES", "OPCODE_NUMBERS"),
        "pool": ("Limits",),
        "querying": ("query",),
        "rows": ("read_rows", "to_arrow"),
        "run": ("RunSummary", "write_tables"),
        "structure": ("Shapes", "structural_hash"),
        "tables": ("TABLES",),
        "tables_of_files": (
            "attributes",
            "calls",
            "debug_sources",
            "errors",
            "files",
            "flags",
            "functions",
            "globals",
            "graphs",
            "instructions",
            "metadata_kinds",
            "modules",
            "pcsections",
            "types",
        ),
    },
)

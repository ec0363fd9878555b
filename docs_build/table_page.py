"""The page on the tables of `bitcodec table`, made from their rows; `python docs_build/table_page.py` writes it."""

from __future__ import annotations

from pathlib import Path

from bitcodec.corpus import TABLES
from bitcodec.corpus.columns import Column, Table

__all__ = ["PAGE", "table_page"]

PAGE = Path(__file__).parents[1] / "docs" / "table-schemas.md"
_INTRODUCTION = """\
# Tables of modules

`bitcodec table` writes these tables, and `bitcodec.corpus` has a function for each. This page is made from the rows
that the code works with (`bitcodec.corpus.TABLES`). Names of tables and columns stay the same from version to version.

- **Keys.** `module` is the SHA-256 of the bitcode, as `sha256sum module.bc` prints it, and joins all tables. `module`
  and `function` join the tables about functions; functions that an upgrade declares are not counted.
- **Types** are Arrow types. Positions are counted from 0. Missing values are null.
- **Text** that is not UTF-8 is written with `\\xNN` for each byte.
- **reads** is what must be read for a column: the top level of the *stream*, every one of its *records*, the records
  of the *module*, *metadata* of the module, *bodies* of functions, or *everything*. What no requested column needs is
  not read.
- **Symbols** of module-level assembly text are in no table: `bitcodec nm` lists them.
- **Instructions** are those that `llvm-dis` 22 prints, after upgrades.

The structural hash of a function is BLAKE2b (16 bytes) over its types, opcodes, predicates, operands and control flow.
Names, values of constants, which function is called, which variable is used, metadata, attributes, alignment and flags
do not count. `bitcodec.corpus.structure` defines it exactly.
"""


def table_page() -> str:
    """Return the Markdown text of the page."""
    return "\n".join([_INTRODUCTION, *(_section(table) for table in TABLES.values())])


def _section(table: Table) -> str:
    key = ", ".join(f"`{name}`" for name in table.key)
    rows = "\n".join(_row(column) for column in table.columns)
    head = "| column | type | reads | meaning |\n| --- | --- | --- | --- |"
    return f"## {table.name}\n\n{table.meaning} Key: {key}.\n\n{head}\n{rows}\n"


def _row(column: Column) -> str:
    unit = f" ({column.unit})" if column.unit else ""
    return f"| `{column.name}` | `{column.type}`{unit} | {column.reads.value} | {column.meaning} |"


if __name__ == "__main__":
    PAGE.write_text(table_page(), encoding="utf-8")

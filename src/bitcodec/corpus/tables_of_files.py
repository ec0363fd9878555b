"""One function for each table: rows of a file, or, for Daft, an expression with the rows of many.

Each function takes a file (`bitcodec.corpus.read_rows` lists the kinds), or a Daft expression of paths, URLs,
files or bytes, and names of columns.  For a file it returns an iterator of rows, which are dictionaries; for an
expression, one whose columns are the table's.  Malformed parts do not raise: see the table `errors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.corpus.rows import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
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
]


def files(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `files`: modules, and bitstreams that are not LLVM IR.

    >>> from bitcodec import corpus
    >>> [row["bytes"] for row in corpus.files("examples/hello.bc")]
    [4092]
    """
    return _rows("files", file, columns)


def modules(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `modules`: modules.

    >>> from bitcodec import corpus
    >>> [row["defined_functions"] for row in corpus.modules("examples/hello.bc")]
    [1]
    """
    return _rows("modules", file, columns)


def functions(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `functions`: functions.

    >>> from bitcodec import corpus
    >>> [(row["name"], row["instructions"]) for row in corpus.functions("examples/hello.bc")]
    [('main', 13), ('printf', 0)]
    """
    return _rows("functions", file, columns)


def globals(file: Any, columns: Iterable[str] = ()) -> Any:  # noqa: A001 - the table's name
    """Return rows of the table `globals`: variables, aliases and ifuncs.

    >>> from bitcodec import corpus
    >>> [(row["name"], row["bytes"]) for row in corpus.globals("examples/hello.bc")]
    [('.str', 12), ('.str.1', 8)]
    """
    return _rows("globals", file, columns)


def calls(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `calls`: calls.

    >>> from bitcodec import corpus
    >>> [(row["caller"], row["callee"], row["line"]) for row in corpus.calls("examples/hello.bc")]
    [('main', 'printf', 7)]
    """
    return _rows("calls", file, columns)


def instructions(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `instructions`: opcodes of functions.

    >>> from bitcodec import corpus
    >>> {row["opcode"]: row["count"] for row in corpus.instructions("examples/hello.bc")}["br"]
    4
    """
    return _rows("instructions", file, columns)


def types(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `types`: identified structs.

    >>> from bitcodec import corpus
    >>> [row["body"] for row in corpus.types("examples/queue.bc")]
    ['{ i8 }']
    """
    return _rows("types", file, columns)


def flags(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `flags`: module flags.

    >>> from bitcodec import corpus
    >>> [row["integer"] for row in corpus.flags("examples/hello.bc") if row["key"] == "PIC Level"]
    [2]
    """
    return _rows("flags", file, columns)


def attributes(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `attributes`: attributes of functions.

    >>> from bitcodec import corpus
    >>> [row["value"] for row in corpus.attributes("examples/hello.bc") if row["name"] == "tune-cpu"]
    ['generic', 'generic']
    """
    return _rows("attributes", file, columns)


def debug_sources(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `debug_sources`: source files that debug information names.

    >>> from bitcodec import corpus
    >>> [row["filename"] for row in corpus.debug_sources("examples/hello.bc")]
    ['hello.c', '/usr/include/stdio.h']
    """
    return _rows("debug_sources", file, columns)


def metadata_kinds(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `metadata_kinds`: kinds of attached metadata.

    >>> from bitcodec import corpus
    >>> [row["count"] for row in corpus.metadata_kinds("examples/hello.bc") if row["kind"] == "tbaa"]
    [1]
    """
    return _rows("metadata_kinds", file, columns)


def pcsections(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `pcsections`: PC sections that are requested.

    >>> from bitcodec import corpus
    >>> sorted({row["section"] for row in corpus.pcsections("examples/tagged.bc")})
    ['called', 'hot']
    """
    return _rows("pcsections", file, columns)


def graphs(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `graphs`: opcodes and edges of functions, as arrays.

    >>> from bitcodec import corpus
    >>> [row["edge_targets"] for row in corpus.graphs("examples/hello.bc")]
    [[2, 3, 4, 4, 1, 2]]
    """
    return _rows("graphs", file, columns)


def errors(file: Any, columns: Iterable[str] = ()) -> Any:
    """Return rows of the table `errors`: errors that all tables meet.

    >>> from bitcodec import corpus
    >>> list(corpus.errors("examples/hello.bc"))
    []
    """
    return _rows("errors", file, columns)


def _rows(table: str, file: Any, columns: Iterable[str]) -> Any:
    from bitcodec.corpus.daft_functions import daft_rows, is_daft_expression  # noqa: PLC0415 - it needs an extra

    return daft_rows(table, file, columns) if is_daft_expression(file) else read_rows(table, file, columns)

"""The table `errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.corpus.columns import Column, Reads, Table, from_subject
from bitcodec.corpus.problems import KINDS
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.corpus.problems import CorpusProblem

__all__ = ["ERRORS", "ErrorRow"]


class ErrorRow(NamedTuple):
    """An error, and its place."""

    file: str
    member: str | None
    number: int | None
    module: str | None
    problem: CorpusProblem


def _of_problem(name: str) -> Callable[[ErrorRow], object]:
    return lambda row: getattr(row.problem, name)


ERRORS = Table(
    "errors",
    "An error. What could be read despite it is in the other tables, with null in the columns that it concerns.",
    (
        Column("file", "string", Reads.STREAM, "Path of the file.", from_subject("file")),
        Column(
            "member", "string", Reads.STREAM, "Path of the bitstream inside; null if unknown.", from_subject("member")
        ),
        Column("number", "int32", Reads.STREAM, "Number of the module in it; null if unknown.", from_subject("number")),
        Column("module", "string", Reads.STREAM, "Key of the module; null if unknown.", from_subject("module")),
        Column("table", "string", Reads.STREAM, "Table that was being made; null if all.", _of_problem("table")),
        Column("function", "int32", Reads.STREAM, "Position of the function; null if none.", _of_problem("function")),
        Column(
            "kind",
            "string",
            Reads.STREAM,
            "Kind: " + ", ".join(f"`{kind}`" for kind in KINDS) + ".",
            _of_problem("kind"),
        ),
        Column("message", "string", Reads.STREAM, "Message.", _of_problem("message")),
        Column("bit", "int64", Reads.STREAM, "Place in the bitstream; null if unknown.", _of_problem("bit"), "bits"),
    ),
    None,
    ("file", "member", "number", "module"),
)

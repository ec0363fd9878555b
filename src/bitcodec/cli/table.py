"""`bitcodec table`: tables of many modules, as Parquet files or as the answer to a query."""

from __future__ import annotations

from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import IntRange, argument, command, option
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.names import readable
from bitcodec.cli.outputs import STANDARD_OUTPUT, print_text, write_text
from bitcodec.cli.problems import Failure, UsageError
from bitcodec.cli.progress import shown_files
from bitcodec.errors import BitcodecError
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.corpus.querying import Answer
    from bitcodec.corpus.run import RunSummary

__all__ = ["table"]

_MEGABYTE = 1 << 20


@command(short_help="Make tables of many modules: Parquet files, or answers to SQL.")
@argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...")
@option("-o", "--output", metavar="DIR", help="Folder for the tables; it gets a folder for each.")
@option("--tables", metavar="NAMES", help="Tables to make, separated by commas. Default: all.")
@option(
    "--columns",
    metavar="NAMES",
    help="Columns, separated by commas, as COLUMN or TABLE.COLUMN; what no column needs is not read. Default: all.",
)
@option("--sql", metavar="QUERY", help="Print the answer to a query instead; FILE may be a folder of tables.")
@option("--jobs", type=IntRange(1, 1024), metavar="N", help="Number of processes. Default: one for each core.")
@option(
    "--time-limit",
    type=IntRange(1),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Longest CPU time for a file or a member of an archive, and 10 seconds for each megabyte.",
)
@option(
    "--memory-limit",
    type=IntRange(64),
    default=1024,
    show_default=True,
    metavar="MB",
    help="Most memory that reading a file may need; enforced on Linux.",
)
@option("--resume", is_flag=True, help="Continue a run that was ended; its options are those of then.")
@option("--force", is_flag=True, help="Replace the tables in DIR.")
@json_option
def table(
    files: tuple[str, ...],
    *,
    output: str | None,
    tables: str | None,
    columns: str | None,
    sql: str | None,
    jobs: int | None,
    time_limit: int,
    memory_limit: int,
    resume: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make tables of all modules in files, folders and archives: modules, functions, calls, flags, ...

    Each distinct module is read once. Files that cannot be read are rows of the table `errors`; the exit code is 1
    only if no module could be read at all. FOLDERs are searched at any depth; files without bitcode in them are passed
    over, and so is LLVM assembly whose name does not end with .ll. Needs pyarrow (bitcodec[arrow]); --sql needs DuckDB
    (bitcodec[sql]).

    \b
    Examples:
      bitcodec table build -o tables
      bitcodec table 'build/**/*.o' -o tables --tables modules,functions --columns name,bytes
      bitcodec table build --sql "SELECT name, bytes FROM functions ORDER BY bytes DESC LIMIT 10"
      bitcodec table tables --sql "SELECT producer, count(*) FROM modules GROUP BY producer"
    """
    if (output is None) == (sql is None):
        raise UsageError("expected either -o/--output or --sql")
    if "-" in files:
        raise UsageError("standard input cannot be read by several processes; give the name of a file")
    if any("://" in file for file in files):
        raise UsageError("files of object stores are read through Daft: see the guide to `bitcodec.corpus`")
    with _reported(output):
        made = _TableRequest(files, _words(tables), _words(columns), jobs, time_limit, memory_limit)
        if sql is not None:
            _print_answer(_answer(made, sql), as_json=as_json)
            return
        folder = str(output)
        summary = made.write(folder, resume=resume, replace=force)
    if as_json:
        print_document("table", {"output": folder, **_as_json(summary)})
    else:
        print_text(_summary_text(summary))
    if not summary.modules and summary.files:
        raise Failure(f"no module could be read; the table `errors` in {folder} contains the reasons")


class _TableRequest:
    """The request of the command line."""

    def __init__(
        self,
        files: Sequence[str],
        tables: list[str],
        columns: list[str],
        jobs: int | None,
        time_limit: int,
        memory_limit: int,
    ) -> None:
        self.files, self.tables, self.columns = list(files), tables, columns
        self._jobs, self._time_limit, self._memory_limit = jobs, time_limit, memory_limit

    def write(self, folder: str, *, resume: bool = False, replace: bool = False) -> RunSummary:
        from bitcodec.corpus.pool import Limits  # noqa: PLC0415 - `--help` need not wait for it
        from bitcodec.corpus.run import write_tables  # noqa: PLC0415

        with shown_files() as progress:
            return write_tables(
                self.files,
                folder,
                tables=self.tables,
                columns=self.columns,
                jobs=self._jobs,
                limits=Limits(self._time_limit, self._memory_limit * _MEGABYTE),
                resume=resume,
                replace=replace,
                on_progress=progress,
            )


def _words(text: str | None) -> list[str]:
    return [word.strip() for word in (text or "").split(",") if word.strip()]


@contextmanager
def _reported(output: str | None) -> Iterator[None]:
    """Report errors in one line."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = {"pyarrow": "arrow", "duckdb": "sql"}.get(error.name or "")
        if extra is None:
            raise
        raise Failure(f"this needs {error.name}: pip install 'bitcodec[{extra}]'") from error
    except ValueError as error:
        raise UsageError(str(error)) from error
    except BitcodecError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{error.filename or output}: {error.strerror or error}") from error


def _answer(made: _TableRequest, sql: str) -> Answer:
    """Return the answer over a folder of tables, or over tables made from the files that the query names."""
    from bitcodec.corpus.querying import named_in, query  # noqa: PLC0415
    from bitcodec.corpus.run import tables_in  # noqa: PLC0415

    if len(made.files) == 1 and tables_in(made.files[0]) is not None:
        return query(sql, made.files[0])
    tables, columns = named_in(sql)
    made.tables = made.tables or tables or ["files"]
    made.columns = made.columns or [each for each in columns if each.partition(".")[0] in made.tables]
    with TemporaryDirectory(prefix="bitcodec-") as folder:
        made.write(folder)
        return query(sql, folder)


def _print_answer(answer: Answer, *, as_json: bool) -> None:
    if as_json:
        rows = [[_json_value(value) for value in row] for row in answer.rows]
        print_document("table", {"columns": answer.columns, "rows": rows})
        return
    lines = (answer.columns, *answer.rows)
    write_text(STANDARD_OUTPUT, ("\t".join(map(_cell, line)) + "\n" for line in lines))


def _cell(value: object) -> str:
    """Return a value as text without tabs and newlines; null is empty."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else one_line(readable(str(value)))


def _json_value(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return [_json_value(each) for each in value] if isinstance(value, list | tuple) else str(value)


def _summary_text(summary: RunSummary) -> str:
    passed_over = f", {summary.passed_over:,} passed over" if summary.passed_over else ""
    counts = (
        f"{_counted(summary.files, 'file')}{passed_over}; {_counted(summary.modules, 'module')}, "
        f"{_counted(summary.duplicates, 'duplicate')}; {_counted(summary.errors, 'error')}\n"
    )
    return counts + "".join(f"{name:<16}{count:>12,} rows\n" for name, count in summary.rows.items())


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _as_json(summary: RunSummary) -> dict[str, Any]:
    return {
        "files": summary.files,
        "passed_over": summary.passed_over,
        "modules": summary.modules,
        "duplicates": summary.duplicates,
        "errors": summary.errors,
        "tables": [{"name": name, "rows": count} for name, count in summary.rows.items()],
    }

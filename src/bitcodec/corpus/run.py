"""Tables of many files: find the modules, read each distinct one once, and write the tables in parts.

A run has two passes.  The first identifies the modules of all files by their content; the second reads the first copy
of each.  Each pass is cut into parts, in an order that depends on the names of the files alone.  A part is done when it
has a marker, which is written after its files; so a run that was killed continues with the parts that have no marker,
and writes the same files as one that was not.
"""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitcodec.corpus.inputs import InputFile, find_files
from bitcodec.corpus.parts import commit_part, remove_temporary_files
from bitcodec.corpus.pool import Limits, Pool, Task
from bitcodec.corpus.selection import TableSelection
from bitcodec.corpus.tables import TABLES
from bitcodec.errors import BitcodecError
from bitcodec.files import make_folder, write_whole
from bitcodec.named_tuple import NamedTuple
from bitcodec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["MANIFEST", "RunSummary", "tables_in", "write_tables"]

MANIFEST = "manifest.json"
_RUN = "_run"
_PLAN = "plan.json"
_FORM = "bitcodec/tables/1"
_MAX_FILES = 1024
_MAX_MODULES = 256
_MAX_BYTES = 1 << 24
"""Size of a part: files or modules, and bytes."""


class RunSummary(NamedTuple):
    """Result of a run.

    Attributes:
        files: files that were read, those without bitcode excluded.
        passed_over: files of folders that contain no bitcode.
        modules: distinct modules.
        duplicates: further copies of them.
        errors: rows of the table `errors`.
        rows: rows by name of the table.
        peak_memory: the most memory in bytes that a worker has used; 0 if unknown.
    """

    files: int
    passed_over: int
    modules: int
    duplicates: int
    errors: int
    rows: dict[str, int]
    peak_memory: int


def write_tables(
    files: Sequence[str],
    output: str | os.PathLike[str],
    *,
    tables: Iterable[str] = (),
    columns: Iterable[str] = (),
    jobs: int | None = None,
    limits: Limits | None = None,
    resume: bool = False,
    replace: bool = False,
    on_progress: Callable[[str, int, int, int, int], object] | None = None,
) -> RunSummary:
    """Write tables of all modules in files as Parquet files, with a process for each core.

    Args:
        files: paths of files and folders, and patterns.
        output: the folder to write to: it gets a folder for each table, and `manifest.json` when all is written.
        tables: names of tables. Default: all.
        columns: names of columns, as `COLUMN` or `TABLE.COLUMN`. Default: all.
        jobs: number of processes. Default: one for each core.
        limits: limits for each file. Default: 60 seconds and 1 GB.
        resume: continue the run that was begun in `output`, with its options; a run that is complete is not repeated.
        replace: remove the tables of an earlier run in `output` first.
        on_progress: called with the current work, files (or modules) and bytes that are done, and the totals.

    Raises:
        ValueError: a table or column does not exist.
        BitcodecError: the folder contains tables, or those of another run.
        OSError: the folder cannot be written.
        ImportError: pyarrow is not installed.

    >>> from tempfile import TemporaryDirectory
    >>> from bitcodec import corpus
    >>> with TemporaryDirectory() as folder:
    ...     found = corpus.write_tables(["examples/hello.bc"], folder, tables=["functions"])
    >>> found.modules, found.rows["functions"]
    (1, 2)
    """
    folder = Path(os.fsdecode(output))
    selection = TableSelection(tables, columns)
    _require_arrow()
    if replace and not resume:
        _remove_tables(folder)
    run = _CorpusRun.resume(folder, list(files)) if resume else _CorpusRun.begin(folder, list(files), selection)
    return run.finish(jobs or _cores(), limits or Limits(), on_progress or _ignore)


def tables_in(folder: str | os.PathLike[str]) -> dict[str, Any] | None:
    """Return the manifest of a folder that contains complete tables, None for other folders."""
    try:
        manifest = json.loads((Path(os.fsdecode(folder)) / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) and manifest.get("form") == _FORM else None


def _remove_tables(folder: Path) -> None:
    """Remove the results of an earlier run, and nothing else."""
    if (folder / MANIFEST).exists() or (folder / _RUN / _PLAN).exists():
        for path in [folder / name for name in (*TABLES, _RUN, MANIFEST)]:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def _require_arrow() -> None:
    """Raise an error here rather than in each worker, without the time of an import."""
    if find_spec("pyarrow") is None:
        raise ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow")


def _ignore(*_: object) -> None:
    pass


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _CorpusRun:
    """A run: its plan, and which parts are done."""

    def __init__(self, folder: Path, plan: dict[str, Any]) -> None:
        self._folder = folder
        self._files = [InputFile(*file) for file in plan["files"]]
        self._selection = TableSelection.of_names(plan["selection"])
        self._max_files, self._max_modules, self._max_bytes = plan["part"]
        self._plan = plan

    @classmethod
    def begin(cls, folder: Path, names: list[str], selection: TableSelection) -> _CorpusRun:
        """Begin a run: its plan is written first.

        Raises:
            BitcodecError: the folder contains tables.
            OSError: it cannot be written.
        """
        if (folder / MANIFEST).exists() or (folder / _RUN).exists():
            raise BitcodecError(
                f"{folder} already contains tables; --resume continues their run, --force replaces them"
            )
        make_folder(folder / _RUN)
        files = [tuple(file) for file in find_files(names, str(folder))]
        plan = {
            "form": _FORM,
            "names": names,
            "selection": selection.names,
            "part": [_MAX_FILES, _MAX_MODULES, _MAX_BYTES],
            "files": files,
        }
        write_whole(folder / _RUN / _PLAN, json.dumps(plan).encode())
        return cls(folder, plan)

    @classmethod
    def resume(cls, folder: Path, names: list[str]) -> _CorpusRun:
        """Continue a run.

        Raises:
            BitcodecError: the run does not exist, or it has other files.
        """
        manifest = tables_in(folder)
        if manifest is not None:
            return _CompleteRun(folder, manifest)
        try:
            plan = json.loads((folder / _RUN / _PLAN).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BitcodecError(f"{folder} contains no run that can be resumed") from error
        if names and plan["names"] != names:
            raise BitcodecError(f"{folder} contains a run over other files: {' '.join(plan['names'])}")
        return cls(folder, plan)

    def finish(self, jobs: int, limits: Limits, on_progress: Callable[..., object]) -> RunSummary:
        """Do the remaining tasks, and write the manifest."""
        remove_temporary_files(self._folder)
        with Pool(jobs, limits) as pool:
            scanned = self._do(pool, "scan", self._scan_tasks(), on_progress)
            places, duplicates = self._distinct(scanned)
            extracted = self._do(pool, "part", self._extract_tasks(places), on_progress)
            peak = pool.peak
        rows = dict.fromkeys(self._selection.columns, 0)
        for answer in (*scanned, *extracted):
            for table, count in answer["counts"].items():
                rows[table] += count
        passed_over = sum(answer["passed_over"] for answer in scanned)
        read = len(self._files) - passed_over
        summary = RunSummary(read, passed_over, len(places), duplicates, rows["errors"], rows, peak)
        self._complete(summary)
        return summary

    def _complete(self, summary: RunSummary) -> None:
        tables = {
            name: {"rows": summary.rows[name], "columns": columns} for name, columns in self._selection.names.items()
        }
        found = {name: value for name, value in zip(RunSummary._fields, summary, strict=True) if name != "peak_memory"}
        manifest = {"form": _FORM, "version": __version__, "names": self._plan["names"], "tables": tables, **found}
        remove_temporary_files(self._folder)
        write_whole(self._folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())
        shutil.rmtree(self._folder / _RUN)

    def _do(self, pool: Pool, kind: str, tasks: list[Task], on_progress: Callable[..., object]) -> list[dict[str, Any]]:
        """Do the parts of a pass that are not done, and return the answers of all in order."""
        answers = {task.name: self._marker(task.name) for task in tasks}
        counts = {task.name: len(task.message["items"]) for task in tasks}
        sizes = {task.name: task.message.pop("size") for task in tasks}
        titles = {"scan": "finding modules", "part": "reading modules"}

        def report() -> None:
            done = [name for name, answer in answers.items() if answer is not None]
            on_progress(
                titles[kind],
                sum(counts[name] for name in done),
                sum(sizes[name] for name in done),
                sum(counts.values()),
                sum(sizes.values()),
            )

        report()
        for task, answer in pool.run(task for task in tasks if answers[task.name] is None):
            commit_part(self._folder, task.name, answer.pop("files"))
            write_whole(self._folder / _RUN / f"{task.name}.json", json.dumps(answer).encode())
            answers[task.name] = answer
            report()
        return [answer for answer in answers.values() if answer is not None]

    def _marker(self, name: str) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads((self._folder / _RUN / f"{name}.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return found

    def _task(self, kind: str, number: int, items: list[Any], size: int) -> Task:
        message = {
            "kind": "scan" if kind == "scan" else "extract",
            "folder": str(self._folder),
            "selection": self._selection.names,
            "items": items,
            "size": size,
            "writes_empty": number == 0,
        }
        return Task(f"{kind}-{number:05}", message)

    def _scan_tasks(self) -> list[Task]:
        parts = _cut(self._files, self._max_files, self._max_bytes, lambda file: file.size)
        return [
            self._task("scan", number, [(file.path, file.is_named) for file in part], size)
            for number, (part, size) in enumerate(parts)
        ]

    def _distinct(self, answers: list[dict[str, Any]]) -> tuple[list[tuple[Any, ...]], int]:
        """Return the first place of each module, and how many other places there are."""
        distinct: dict[str, tuple[Any, ...]] = {}
        count = 0
        tasks = self._scan_tasks()
        for task, answer in zip(tasks, answers, strict=True):
            for item, member, number, module, size in answer["found"]:
                if module is not None:
                    count += 1
                    distinct.setdefault(module, (task.message["items"][item][0], member, number, module, size))
        return list(distinct.values()), count - len(distinct)

    def _extract_tasks(self, places: list[tuple[Any, ...]]) -> list[Task]:
        if all(TABLES[name].subjects is None for name in self._selection.columns):
            return []
        parts = _cut(places, self._max_modules, self._max_bytes, lambda place: place[-1]) or [([], 0)]
        return [self._task("part", number, list(part), size) for number, (part, size) in enumerate(parts)]


class _CompleteRun(_CorpusRun):
    """A run that is complete: there is nothing to do."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self._folder = folder
        self._manifest = manifest

    def finish(self, *_: object) -> RunSummary:
        """Return the summary."""
        return RunSummary(*(self._manifest.get(name, 0) for name in RunSummary._fields))


def _cut(
    items: Sequence[Any], most: int, most_bytes: int, size_of: Callable[[Any], int]
) -> list[tuple[list[Any], int]]:
    """Cut items into parts of a number of items and bytes, and return each part with its bytes."""
    parts: list[tuple[list[Any], int]] = []
    part: list[Any] = []
    size = 0
    for item in items:
        part.append(item)
        size += size_of(item)
        if len(part) >= most or size >= most_bytes:
            parts.append((part, size))
            part, size = [], 0
    return [*parts, (part, size)] if part else parts

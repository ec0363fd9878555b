"""The process that reads files for `pool`: it takes tasks from standard input and answers on standard output, in JSON.

Each line is a message.  Before each item of a task, and before the files are written, the worker reports where it is,
so that the pool knows the file that a killed worker was reading.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.assembling import module_streams
from bitcodec.containers import ASSEMBLY_SUFFIX, FileKind, check_head, check_module_head, detect
from bitcodec.corpus.extracting import extract, places_in, stream_of
from bitcodec.corpus.opened import OpenedModule, Place
from bitcodec.corpus.parts import PartWriter
from bitcodec.corpus.problems import CorpusProblem, problem_of
from bitcodec.corpus.selection import TableSelection
from bitcodec.corpus.tables import TABLES
from bitcodec.corpus.tables.errors import ErrorRow
from bitcodec.errors import BitcodecError, NoBitstreamError
from bitcodec.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TextIO

    from bitcodec.containers import FoundStream
    from bitcodec.corpus.opened import OpenedStream

__all__ = ["WRITING", "main"]

WRITING = -1
"""In place of the number of an item: the worker is writing the files of a part."""
_HEAD_SIZE = 1 << 16
_COLLECTED = 1 << 18
"""Bytes of bitcode after which garbage is collected."""
_MAPPED = 1 << 22
"""Bytes from which on a file is mapped."""


class _Task:
    """A task, and the way to report on it."""

    def __init__(self, message: dict[str, Any], report: TextIO, parent: int) -> None:
        self.message = message
        self.items: list[list[Any]] = message["items"]
        self.selection = TableSelection.of_names(message["selection"]).columns
        self._report = report
        self._parent = parent
        self._failures = {int(item): CorpusProblem(*problem) for item, problem in message["failures"].items()}

    def failure_at(self, item: int, size: int) -> CorpusProblem | None:
        """Report that an item of a size in bytes is being read; return the failure of an earlier attempt, if any."""
        self.report(item, size)
        return self._failures.get(item)

    def report(self, item: int, size: int = 0) -> None:
        if os.getppid() != self._parent:
            raise SystemExit(1)  # whoever wanted the answer is gone
        self._report.write(f'{{"at": {item}, "size": {size}}}\n')
        self._report.flush()


def main() -> None:
    """Answer tasks until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pool ends its workers
    report = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    parent = os.getppid()
    # Modules are full of cycles; collecting them every now and then takes less time than Python's own rhythm.
    gc.disable()
    gc.freeze()
    for line in sys.stdin:
        task = _Task(json.loads(line), report, parent)
        try:
            answer = _scan(task) if task.message["kind"] == "scan" else _extract(task)
        except OSError as error:
            answer = {"failed": error.strerror or str(error), "file": error.filename}
        report.write(json.dumps(answer) + "\n")
        report.flush()
        gc.collect()


def _writer(task: _Task, tables: Iterable[str]) -> PartWriter:
    message = task.message
    columns = {name: task.selection[name] for name in tables}
    return PartWriter(message["folder"], message["name"], columns, writes_empty=message["writes_empty"])


def _row(task: _Task, table: str, subject: object) -> tuple[object, ...]:
    return tuple([column.value(subject) for column in task.selection[table]])


def _scan(task: _Task) -> dict[str, Any]:
    """Find the modules in files, and identify them."""
    found: list[tuple[int, str, int, str | None, int]] = []
    passed_over = 0
    with _writer(task, ("files", "errors")) as writer:
        for item, (path, is_named) in enumerate(task.items):
            failure = task.failure_at(item, _size_of(path))
            places, errors = (
                ([], [ErrorRow(path, None, None, None, failure)])
                if failure
                else _places(path, takes_text=is_named or path.endswith(ASSEMBLY_SUFFIX))
            )
            if not is_named and not places and {error.problem.kind for error in errors} == {"no-bitcode"}:
                passed_over += 1
                continue
            for place in places:
                writer.add("files", _row(task, "files", place))
                found.append((item, place.member, place.number, place.module, place.size))
            for error in errors:
                writer.add("errors", _row(task, "errors", error))
        task.report(WRITING)
        return {"files": writer.finish(), "counts": writer.counts, "found": found, "passed_over": passed_over}


def _places(path: str, *, takes_text: bool) -> tuple[list[Place], list[ErrorRow]]:
    """Return the places of the modules in a file, and the errors.

    Args:
        path: its path.
        takes_text: whether it may be LLVM assembly: other texts in a folder may begin like it.
    """
    try:
        data = _read(path, takes_text=takes_text)
        found, errors = places_in(path, data, path)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a file, the run goes on
        return [], [ErrorRow(path, None, None, None, problem_of(error))]
    return [place for _, places in found for place in places], errors


def _read(path: str, *, takes_text: bool = True) -> memoryview:
    """Return the bytes of a file that may contain bitcode or LLVM assembly.

    Raises:
        OSError: it cannot be read.
        NoBitstreamError: it contains no bitcode, judging by its beginning.
    """

    def check(head: bytes) -> None:
        if detect(head) is FileKind.UNKNOWN:
            try:
                (check_module_head if takes_text else check_head)(head)
            except BitcodecError as error:
                raise NoBitstreamError(str(error)) from error

    data = read_file(path, mmap=_is_large(path), check_head=check)
    if len(data) <= _HEAD_SIZE:
        check(bytes(data))
    return data


def _is_large(path: str) -> bool:
    """Return whether a file is better mapped than read: an archive may be larger than the memory of a worker."""
    return _size_of(path) > _MAPPED


def _size_of(path: str) -> int:
    """Return the size of a file in bytes, 0 if it is unknown."""
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def _extract(task: _Task) -> dict[str, Any]:
    """Make the rows of modules."""
    tables = [name for name in task.selection if TABLES[name].subjects is not None]
    columns = {name: task.selection[name] for name in tables}
    size = sum(item[-1] for item in task.items)
    with _writer(task, (*tables, "errors")) as writer:

        def fail(place: Place, problem: CorpusProblem) -> None:
            row = ErrorRow(place.file, place.member, place.number, place.module, problem)
            writer.add("errors", _row(task, "errors", row))

        read = 0
        for opened in _wanted(task, fail):
            if read > _COLLECTED:
                gc.collect()
                read = 0
            read += opened.place.size
            try:
                errors = extract(opened, columns, writer.add)
            except OSError:
                raise  # the part cannot be written
            except Exception as error:  # noqa: BLE001
                fail(opened.place, problem_of(error))
                continue
            for each in errors:
                writer.add("errors", _row(task, "errors", each))
        task.report(WRITING)
        return {"files": writer.finish(), "counts": writer.counts, "bytes": size}


def _wanted(task: _Task, fail: Callable[[Place, CorpusProblem], object]) -> Iterator[OpenedModule]:
    """Yield the modules of a task; a file is opened once for all of its modules."""
    path, problem = None, None
    streams: dict[str, FoundStream] = {}
    current: OpenedStream | None = None
    for item, (file, member, number, module, size) in enumerate(task.items):
        place = Place(file, member, number, module, "", size)
        failure = task.failure_at(item, size)
        if failure is not None:
            fail(place, failure)
            continue
        if file != path:
            streams, problem = _streams(file)
            path = file
        found = streams.get(member)
        if found is None or sha256(found.stream.payload).hexdigest() != module.partition("#")[0]:
            fail(place, problem or CorpusProblem("changed", "the file changed between its two readings"))
            continue
        if current is None or current.found is not found:
            current = stream_of(file, found)
        yield OpenedModule(place, current)


def _streams(file: str) -> tuple[dict[str, FoundStream], CorpusProblem | None]:
    """Return the streams of a file by their paths, and the error if it cannot be read."""
    try:
        return {stream.path: stream for stream in module_streams(_read(file), file, file)}, None
    except Exception as error:  # noqa: BLE001
        return {}, problem_of(error)


if __name__ == "__main__":
    main()

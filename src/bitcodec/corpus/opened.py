"""Modules of files as tables use them: opened on demand, identified by content, with the errors on the way."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from bitcodec.bitcode.loading import modules_in
from bitcodec.bitcode.modules import modules_of
from bitcodec.bitstream.magic import StreamKind
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.corpus.problems import CorpusProblem, problem_of
from bitcodec.errors import BitcodecError
from bitcodec.ir.construction.present import source_of
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bitcodec.bitstream.statistics import BlockStatistics
    from bitcodec.containers import FoundStream
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.symbols import Symbol

__all__ = ["OpenedModule", "OpenedStream", "Place", "key_of", "places_of"]


class Place(NamedTuple):
    """Place and contents of a bitstream.

    Attributes:
        file: path of the file, as it was found.
        member: path of the stream in the file, "" if the file is the stream.
        number: of the module in the stream, from 1; 0 if the stream contains no LLVM IR.
        module: key of the module, None for a stream without one.
        kind: kind of the stream's contents.
        size: size of the stream in bytes.
    """

    file: str
    member: str
    number: int
    module: str | None
    kind: str
    size: int


def key_of(digest: str, number: int) -> str:
    """Return the key of a module of a stream with a digest; modules are counted from 1."""
    return digest if number == 1 else f"{digest}#{number}"


def places_of(file: str, found: FoundStream) -> list[Place]:
    """Return the place of each module of a stream, or of the stream if it contains no LLVM IR.

    Raises:
        BitcodecError: the top level of the stream is malformed.
    """
    stream, size = found.stream, len(found.stream.payload)
    if stream.kind is not StreamKind.LLVM_IR:
        return [Place(file, found.path, 0, None, stream.kind.value, size)]
    digest = sha256(stream.payload).hexdigest()
    count = len(modules_of(stream))
    kind = stream.kind.value
    return [Place(file, found.path, each, key_of(digest, each), kind, size) for each in range(1, count + 1)]


class OpenedStream:
    """A stream whose modules are opened one after another; only one is kept.

    Args:
        found: the stream.
        name: its name.
    """

    def __init__(self, found: FoundStream, name: str) -> None:
        self.found = found
        self._name = name
        self._pending: Iterator[Module] = iter(())
        self._number = 0
        self._module: Module | None = None
        self._error: BitcodecError | None = None

    def module(self, number: int) -> Module:
        """Return a module; they are counted from 1.

        Raises:
            BitcodecError: it is malformed, or one before it is.
        """
        if number < self._number or self._number == 0:
            self._pending, self._number, self._error = modules_in(self.found.stream, self._name), 0, None
        while self._number < number:
            if self._error is not None:
                raise self._error
            try:
                self._module = next(self._pending)
            except BitcodecError as error:
                self._error = error
            else:
                self._number += 1
        return cast("Module", self._module)

    @cached_property
    def statistics(self) -> Mapping[int, BlockStatistics]:
        """Statistics by block id.

        Raises:
            BitcodecError: the stream is malformed.
        """
        stream = self.found.stream
        return block_statistics(stream.check(stream.decode()))


class OpenedModule:
    """A module of a file: subject of the table `modules`, and source of the rows of all others.

    Attributes:
        place: where it is.
        problems: errors that occurred while it was read, each once.
    """

    def __init__(self, place: Place, stream: OpenedStream) -> None:
        self.place = place
        self.problems: dict[tuple[str, str], CorpusProblem] = {}
        self._stream = stream

    @property
    def key(self) -> str:
        """The key that identifies its content."""
        return self.place.module or ""

    @property
    def module(self) -> Module:
        """The module, opened.

        Raises:
            BitcodecError: it is malformed.
        """
        return self._stream.module(self.place.number)

    @property
    def found(self) -> FoundStream:
        """The stream that contains it."""
        return self._stream.found

    @property
    def statistics(self) -> Mapping[int, BlockStatistics]:
        """Statistics of the stream that contains it, by block id.

        Raises:
            BitcodecError: the stream is malformed.
        """
        return self._stream.statistics

    @cached_property
    def symbols(self) -> Mapping[GlobalValue, Symbol]:
        """The symbols of its globals.

        Raises:
            BitcodecError: an alias is malformed.
        """
        from bitcodec.symbols import symbols_of  # noqa: PLC0415 - few columns need it

        found = symbols_of(self.module, format_specific=True)
        return {symbol.value: symbol for symbol in found if symbol.value is not None}

    @cached_property
    def body_sizes(self) -> Mapping[Function, int]:
        """The size in bytes of the block of each function that is defined; empty if the blocks are no longer known."""
        source: Any = source_of(self.module)
        _ = self.functions
        if source is None:
            return {}
        inner = source.tables.records.inner
        return {function: inner(row).place().size for function, row in source.body_rows.items()}

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Its functions, before any body is read: upgrades of bodies declare further intrinsics, which are left out.

        Raises:
            BitcodecError: the module is malformed.
        """
        return tuple(self.module.functions)

    @cached_property
    def positions(self) -> Mapping[Function, int]:
        """The position of each function in the module."""
        return {function: position for position, function in enumerate(self.functions)}

    @cached_property
    def kept(self) -> dict[str, Any]:
        """Results that several tables share: computed once, by name."""
        return {}

    def report(self, table: str, error: BaseException, function: int | None = None) -> None:
        """Record an error; the same message is recorded once."""
        problem = problem_of(error)._replace(table=table, function=function)
        self.problems.setdefault((problem.kind, problem.message), problem)

    @contextmanager
    def reporting(self, table: str, function: int | None = None) -> Iterator[None]:
        """Record an error that is raised inside, and go on."""
        try:
            yield
        except BitcodecError as error:
            self.report(table, error, function)

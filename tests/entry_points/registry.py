"""The list of entry points, and how one is added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import bitcodec
from bitcodec import (
    BitcodecError,
)
from bitcodec.bitcode.loading import loads_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir import Module


__all__ = ["ENTRY_POINTS", "MAX_FUNCTIONS", "TRIPLE", "EntryPoint", "add", "add_change", "add_for_modules", "write"]

TRIPLE = "aarch64-unknown-linux-gnu"
MAX_FUNCTIONS = 4
"""How many functions of a module an entry point looks at where it goes through them one by one."""


class EntryPoint(NamedTuple):
    """A public function, or several of one kind, applied to the bytes of a file.

    Attributes:
        name: a unique name.
        function: the function.
        refuses: the errors that it may raise.
    """

    name: str
    function: Callable[[bytes], object]
    refuses: tuple[type[Exception], ...] = (BitcodecError,)

    def __call__(self, data: bytes) -> object:
        return self.function(data)


ENTRY_POINTS: list[EntryPoint] = []


def add(name: str, function: Callable[[bytes], object], *more: type[Exception]) -> None:
    ENTRY_POINTS.append(EntryPoint(name, function, (BitcodecError, *more)))


def _modules(data: bytes) -> Iterator[Module]:
    yield from loads_all(data)


def add_for_modules(name: str, function: Callable[[Module], object], *more: type[Exception]) -> None:
    """Add an entry point that reads each module of a file."""
    add(name, lambda data: [function(module) for module in _modules(data)], *more)


def _read_again(data: bytes) -> None:
    """Read what was written; AssertionError if that is refused."""
    try:
        for module in loads_all(data):
            module.materialize()
    except BitcodecError as error:
        raise AssertionError(f"the written module cannot be read: {error}") from error


def write(module: Module, **options: Any) -> None:
    """Write a module, and read it if all of it is well-formed: unread parts are copied with their faults."""
    data = bitcodec.dumps(module, **options)
    try:
        module.materialize()
    except BitcodecError:
        loads_all(data)
        return
    _read_again(data)


def add_change(name: str, change: Callable[[Module], object], *more: type[Exception]) -> None:
    """Add an entry point that changes a module, then writes it."""

    def run(module: Module) -> None:
        change(module)
        write(module)

    add_for_modules(f"change.{name}", run, *more)

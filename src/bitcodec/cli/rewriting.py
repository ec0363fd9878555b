"""Common parts of commands that read a module, change it and write it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import option
from bitcodec.cli.inputs import STANDARD_INPUT, contents, label, llvm_ir, read, reported_in
from bitcodec.cli.outputs import write
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, UsageError, reported, warn_of_ignored_debug_info
from bitcodec.cli.progress import shown_progress, shown_while
from bitcodec.containers import is_assembly
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.containers import FoundStream
    from bitcodec.ir.module import Module

__all__ = [
    "Opened",
    "encode",
    "modules_to_change",
    "only_module",
    "place_options",
    "require_one_place",
    "save",
    "write_changed",
]


def place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `output` and `in_place`: nothing is written over that the user has not named."""
    function = option("-i", "--in-place", is_flag=True, help="Overwrite FILE.")(function)
    return option("-o", "--output", metavar="FILE", help="Output file; - is standard output.")(function)


class Opened(NamedTuple):
    """A module.

    Attributes:
        file: the file it is from, as the user gave it.
        found: where in it.
        module: the module.
    """

    file: str
    found: FoundStream
    module: Module


def require_one_place(file: str, output: str | None, *, in_place: bool) -> None:
    """Refuse options that name no output, or two.

    Raises:
        UsageError: they do.
    """
    if (output is None) is not in_place:
        raise UsageError("expected -o FILE, or --in-place to replace the input")
    if in_place and file == STANDARD_INPUT:
        raise UsageError("standard input cannot be changed in place: -o - writes to standard output")


def only_module(
    file: str, *, reads_all: bool = True, data: memoryview | None = None, is_as_written: bool = False
) -> Opened:
    """Read the one module in a file, to the end or on demand.

    Args:
        file: the file.
        reads_all: whether to read it to the end.
        data: its bytes, if they have been read already.
        is_as_written: whether the module of a text keeps its data layout, which the reader of bitcode upgrades.

    Raises:
        Failure: the file contains none, or more than one, or it is malformed.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    held = contents(file, data)
    found = llvm_ir(file, held)
    if held.module is not None and is_as_written:
        return Opened(file, found[0], held.module)
    if len(found) > 1:
        raise Failure(f"{file}: there are {len(found)} bitstreams of LLVM IR; `bitcodec extract` takes them apart")
    with reported_in(file, found[0]):
        modules = list(modules_in(found[0].stream, file))
        if not modules:
            raise Failure(f"{file}: expected a module, found none")
        if len(modules) > 1:
            raise Failure(f"{file}: there are {len(modules)} modules; `bitcodec extract` takes them apart")
        module = modules[0]
        if reads_all:
            with shown_progress(file, len(module.functions)) as progress:
                module.materialize(progress)
            warn_of_ignored_debug_info(module)
    return Opened(file, found[0], module)


def modules_to_change(file: str, *, in_place: bool, reads_all: bool = True) -> list[Opened]:
    """Read the modules that a command changes: of all parts of a container that is changed in place, else one.

    Raises:
        Failure: the file contains none, or a part contains more than one, or one is malformed; or it is assembly.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model

    data = read(file) if in_place else None
    if data is not None and is_assembly(data, file):
        raise Failure(f"{file}: this is assembly, which --in-place would replace with bitcode: use -o FILE.bc")
    streams = [] if data is None else llvm_ir(file, contents(file, data))
    if not any(found.path for found in streams):
        return [only_module(file, reads_all=reads_all, data=data, is_as_written=reads_all)]
    opened = []
    for found in streams:
        with reported_in(file, found):
            modules = list(modules_in(found.stream, label(file, found.path)))
            if len(modules) != 1:
                raise Failure(f"{label(file, found.path)}: there are {len(modules)} modules; expected one")
            if reads_all:
                modules[0].materialize()
                warn_of_ignored_debug_info(modules[0])
        opened.append(Opened(file, found, modules[0]))
    return opened


def write_changed(changed: list[tuple[Opened, bytes]], output: str | None) -> None:
    """Write a module to a file, or the modules of a file in their places.

    Raises:
        Failure: the place of a module cannot be written.
    """
    opened, data = changed[0]
    if output is None and opened.found.path:
        from bitcodec.containers import replace_streams  # noqa: PLC0415 - other files need none

        places = {one.found.offset: made for one, made in changed if one.found.offset is not None}
        if len(places) < len(changed):
            raise Failure(f"{opened.file}: the members of a thin archive are files of their own; name those to change")
        with reported(opened.file):
            data = replace_streams(read(opened.file), places)
    write(opened.file if output is None else output, data)


def save(opened: Opened, output: str) -> None:
    """Write the module to a file as bitcode; see `encode`.

    Raises:
        Failure: it cannot be written.
    """
    write(output, encode(opened))


def encode(opened: Opened) -> bytes:
    """Return the module as bitcode, in a wrapper if it came in one; on a terminal, print the change of its size.

    Raises:
        Failure: it cannot be written.
    """
    from bitcodec.bitcode.saving import dumps  # noqa: PLC0415

    with reported_in(opened.file, opened.found), shown_while("writing"):
        data = dumps(opened.module)
    before, after = len(opened.found.stream.payload), len(data)
    if sys.stderr.isatty():
        echo(one_line(f"{opened.file}: {before:,} bytes of bitcode, now {after:,}"), err=True)
    return data

"""`bitcodec dis`: modules as LLVM assembly, as `llvm-dis` prints them."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.cli.colors import color_option, colored_assembly, wants_colors
from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import STANDARD_INPUT, contents, label, llvm_ir, reported_in
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.problems import Failure, UsageError, note, warn_of_ignored_debug_info
from bitcodec.cli.progress import shown_progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.cli.inputs import FileContents
    from bitcodec.containers import FoundStream
    from bitcodec.ir.module import Module

__all__ = ["dis"]

_STANDARD_INPUT_NAME = "<stdin>"
"""LLVM's name for it."""


@command(short_help="Print LLVM assembly, like llvm-dis.")
@argument("file", or_standard_input=True)
@option("-o", "--output", default=STANDARD_OUTPUT, metavar="FILE", help="Output file. Default: standard output.")
@option(
    "--function",
    "names",
    multiple=True,
    metavar="NAME",
    help="Print only functions of this name, demangled name or glob pattern; repeatable.",
)
@option("--preserve-ll-uselistorder", is_flag=True, help="Print use-list order directives.")
@option("--print-addrspace-name", is_flag=True, help="Print address spaces by their names in the data layout.")
@color_option
def dis(
    file: str,
    output: str,
    names: tuple[str, ...],
    color: str,
    *,
    preserve_ll_uselistorder: bool,
    print_addrspace_name: bool,
) -> None:
    """Print the modules in FILE as LLVM assembly, byte for byte as llvm-dis of LLVM 22 does, whatever LLVM wrote them.

    Text is written incrementally.  The modules of a file are printed in order.  With -o FILE, several modules of a file
    that is not an archive are written to FILE.0, FILE.1 and so on, as llvm-dis does.  With --function, each function is
    followed by the structs, attribute groups and metadata that it refers to, numbered for it.

    Demangled names of C++ and Rust need the extra `demangle`; a name without parameters matches all overloads.

    Without FILE, standard input is read, unless it is a terminal.

    \b
    Examples:
      bitcodec dis module.bc | less
      bitcodec dis module.bc -o module.ll
      bitcodec dis module.bc --function main
      bitcodec dis library.a --function inflate
      bitcodec dis module.bc --function 'parse_*'
      bitcodec dis module.bc --function queue::push
      bitcodec dis module.bc --preserve-ll-uselistorder
    """
    whole = {"--preserve-ll-uselistorder": preserve_ll_uselistorder, "--print-addrspace-name": print_addrspace_name}
    wanted = next((option for option, is_given in whole.items() if is_given), None)
    if names and wanted:
        raise UsageError(f"{wanted} is for whole modules: leave out --function")
    print_modules = partial(
        _modules,
        file,
        preserve_use_list_order=preserve_ll_uselistorder,
        print_address_space_names=print_addrspace_name,
    )
    found = contents(file)
    streams = llvm_ir(file, found)
    with _collecting_nothing(is_alone=len(streams) == 1):
        if names:
            _write(output, _functions(file, found, streams, names), color)
            return
        modules = _opened(file, found, streams)
        if output != STANDARD_OUTPUT and not found.has_members:
            several = list(modules)
            if len(several) > 1:
                for number, one in enumerate(several):
                    _write(f"{output}.{number}", print_modules([one]), color)
                return
            modules = iter(several)
        _write(output, print_modules(modules), color)


@contextmanager
def _collecting_nothing(*, is_alone: bool) -> Iterator[None]:
    """Collect no garbage: most new objects stay to the end, unless there are many modules."""
    from bitcodec.host.collection import ObjectGrowth, without_collection  # noqa: PLC0415 - `--help` need not wait for it

    with without_collection(ObjectGrowth()) if is_alone else nullcontext():
        yield


def _write(output: str, pieces: Iterator[str], color: str) -> None:
    write_text(output, colored_assembly(pieces) if wants_colors(color, output) else pieces)


def _modules(
    file: str,
    opened: Iterable[tuple[Module, FoundStream]],
    *,
    preserve_use_list_order: bool,
    print_address_space_names: bool,
) -> Iterator[str]:
    """Yield the text of all modules, piece by piece."""
    from bitcodec.asm import module_text  # noqa: PLC0415 - `--help` need not wait for the model
    from bitcodec.host.collection import without_collection  # noqa: PLC0415
    from bitcodec.ir.construction.deferring import apply_use_orders  # noqa: PLC0415

    for module, one in opened:
        with without_collection(), reported_in(file, one):
            _note_newer_records(one, module)
            with shown_progress(module.identifier, len(module.functions)) as progress:
                module.materialize(progress)
            if preserve_use_list_order:
                apply_use_orders(module, is_lazy=True)
            warn_of_ignored_debug_info(module)
            yield from module_text(
                module,
                preserve_use_list_order=preserve_use_list_order,
                print_address_space_names=print_address_space_names,
            )


def _note_newer_records(found: FoundStream, module: Module) -> None:
    """Print a note on each kind of record that text of LLVM 22 has nothing like."""
    from bitcodec.bitcode.producers import producing_version  # noqa: PLC0415 - few files are of newer versions
    from bitcodec.tables.versions import MODEL  # noqa: PLC0415

    if (producing_version(module.producer) or 0) > MODEL:
        from bitcodec.bitcode.newer import newer_records  # noqa: PLC0415

        for record in newer_records(found.stream.decode()):
            if record.is_lost:
                note(f"{module.identifier}: {record}")


def _functions(file: str, found: FileContents, streams: Iterable[FoundStream], names: Iterable[str]) -> Iterator[str]:
    """Yield the text of functions of certain names in all modules.

    Raises:
        Failure: no function has one of the names.
    """
    from bitcodec.asm import function_assembly  # noqa: PLC0415
    from bitcodec.cli.functions import functions_named, no_function  # noqa: PLC0415
    from bitcodec.host.collection import without_collection  # noqa: PLC0415

    opened = list(_opened(file, found, streams))
    separator = ""
    for name in names:
        functions = [(function, one) for module, one in opened for function in functions_named(module, name)]
        if not functions:
            raise Failure(f"{file}: {no_function(name, [module for module, _ in opened])}")
        for function, one in functions:
            with without_collection(), reported_in(file, one):
                yield separator
                yield from function_assembly(function)
            separator = "\n"
    for module in dict.fromkeys(module for module, _ in opened):
        warn_of_ignored_debug_info(module)


def _opened(file: str, found: FileContents, streams: Iterable[FoundStream]) -> Iterator[tuple[Module, FoundStream]]:
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415

    for one in streams:
        is_alone = len(found.streams) == 1 and not found.has_members
        name = _STANDARD_INPUT_NAME if file == STANDARD_INPUT else file
        with reported_in(file, one):
            for module in modules_in(one.stream, name if is_alone else label(name, one.path)):
                yield module, one

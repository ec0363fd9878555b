"""`bitcodec strip`: debug information, names, metadata out of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.problems import UsageError, warn
from bitcodec.cli.rewriting import encode, modules_to_change, place_options, require_one_place, write_changed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.module import Module

__all__ = ["strip"]


@command(short_help="Remove debug information, names or metadata.")
@argument("file", or_standard_input=True)
@place_options
@option("-g", "--debug", is_flag=True, help="Remove debug information (the default).")
@option("--names", is_flag=True, help="Remove the names of locals, structs, and local functions and variables.")
@option(
    "--metadata",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Remove attached metadata of this kind: tbaa, prof, ...; repeatable.",
)
def strip(file: str, output: str | None, kinds: tuple[str, ...], *, in_place: bool, debug: bool, names: bool) -> None:
    """Write the module in FILE without its debug information, as LLVM 22 has it after `opt --strip-debug`.

    --names removes the names of locals, structs, and internal and private symbols; with --debug, the result is that of
    `opt -passes=strip`.  The output is bitcode of LLVM 22.  A wrapped file stays wrapped.  ThinLTO summaries and symbol
    tables are removed.  --in-place changes all modules of an archive or ELF object.

    Without FILE, standard input is read, unless it is a terminal.

    \b
    Examples:
      bitcodec strip module.bc -o stripped.bc
      bitcodec strip --in-place lib.a
      bitcodec strip --debug --names --in-place module.bc
      bitcodec strip --metadata tbaa --metadata prof module.bc -o - | llvm-dis
    """
    require_one_place(file, output, in_place=in_place)
    if "dbg" in kinds:
        raise UsageError("debug information goes as a whole: --debug, not --metadata dbg")
    changed = []
    for opened in modules_to_change(file, in_place=in_place):
        _strip(opened.module, kinds, debug=debug or not (names or kinds), names=names)
        changed.append((opened, encode(opened)))
    write_changed(changed, output)


def _strip(module: Module, kinds: Iterable[str], *, debug: bool, names: bool) -> None:
    from bitcodec.transforms import strip_debug_info, strip_metadata, strip_names  # noqa: PLC0415 - only when used

    if debug:
        strip_debug_info(module)
    if names:
        strip_names(module)
    for kind, count in strip_metadata(module, kinds).items() if kinds else ():
        if not count:
            warn(f"nothing has metadata of kind {kind}")

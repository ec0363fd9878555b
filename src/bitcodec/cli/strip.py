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


@command(short_help="Take out debug information, names, metadata.")
@argument("file")
@place_options
@option("-g", "--debug", is_flag=True, help="Take out debug information (the default).")
@option("--names", is_flag=True, help="Take out names that nothing outside the module knows.")
@option(
    "--metadata",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Take out attached metadata: tbaa, prof, ...; repeatable.",
)
def strip(file: str, output: str | None, kinds: tuple[str, ...], *, in_place: bool, debug: bool, names: bool) -> None:
    """Write the module in FILE without its debug information, as LLVM 22 has it after `opt --strip-debug`.

    --names takes out the names of locals, structs, and internal and private symbols; with --debug that is what
    `opt -passes=strip` leaves.  Bitcode of any LLVM version becomes that of LLVM 22.  What came in a wrapper is written
    in one.  Summaries for ThinLTO and tables of symbols are not kept.

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

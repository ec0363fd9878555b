"""`bitcodec nm`: the symbols of modules, as `llvm-nm` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import Choice, argument, command, option
from bitcodec.cli.demangling import demangle_option, require_demangler
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import Contents, contents, label, llvm_ir, reported_in
from bitcodec.cli.json_documents import json_option, named, place, print_document
from bitcodec.cli.nm_text import Format, Listing, Style, print_listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.containers import FoundStream
    from bitcodec.symbols import Symbol

__all__ = ["nm"]

_SECTION_OF_FAT_OBJECTS = ":.llvm.lto"
"""Where an object has bitcode beside its machine code for linkers to choose from; `llvm-nm` names the object alone."""


@command(short_help="List symbols, like llvm-nm.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option("-g", "--extern-only", is_flag=True, help="Show only symbols that other modules can see.")
@option("-u", "--undefined-only", is_flag=True, help="Show only undefined symbols.")
@option("-U", "--defined-only", is_flag=True, help="Show only defined symbols.")
@option("-W", "--no-weak", is_flag=True, help="Show no weak symbols.")
@option("-a", "--debug-syms", is_flag=True, help="Show private and llvm. symbols as well.")
@option("-A", "-o", "--print-file-name", is_flag=True, help="Print the file name on each line.")
@option("-n", "-v", "--numeric-sort", is_flag=True, help="Sort undefined symbols before defined ones.")
@option("-p", "--no-sort", is_flag=True, help="Show symbols in the order of the module.")
@option("-r", "--reverse-sort", is_flag=True, help="Sort in reverse order.")
@option("-j", "--just-symbol-name", "style", flag_value=Format.JUST_SYMBOLS.value, help="Print only names.")
@option("-P", "--portability", "style", flag_value=Format.POSIX.value, help="Use the POSIX format.")
@option("-f", "--format", "style", type=Choice(tuple(one.value for one in Format)), default=Format.BSD.value)
@demangle_option
@option("--quiet", is_flag=True, help="Do not report files without symbols.")
@json_option
def nm(files: tuple[str, ...], style: str, *, quiet: bool, as_json: bool, **options: bool) -> None:
    """Print the symbols of the modules in each FILE, in the format of llvm-nm.

    Names are those that object files would have: `_main` for macOS, `_f@8` for a stdcall function.  Letters give the
    kind: T code, D data, S constant (Apple), C common, W weak, U undefined, w weak and undefined; small ones are local.

    \b
    Examples:
      bitcodec nm module.bc
      bitcodec nm -u *.bc
      bitcodec nm -C libfoo.a
      bitcodec nm --json libfoo.a | jq -r '.streams[].symbols[] | select(.letter == "T") | .name'
    """
    require_demangler(is_wanted=options["demangle"])
    listed = Style(Format(style), has_several=len(files) > 1, is_quiet=quiet, **options)
    results: list[dict[str, Any]] = []

    def show(file: str) -> None:
        for listing in _listings(file, format_specific=options["debug_syms"]):
            if as_json:
                results.append(_as_json(listing, listed))
            else:
                print_listing(listing, listed)

    all_files = Files(files)
    all_files.each(show)
    if as_json:
        print_document("nm", {"streams": results})
    all_files.finish()


def _listings(file: str, *, format_specific: bool) -> Iterator[Listing]:
    """Yield the symbols of each stream of LLVM IR in a file.

    Raises:
        Failure: there is none, or one is malformed.
    """
    found = contents(file)
    for one in llvm_ir(file, found):
        yield _listing(file, _member(found, one), one, format_specific=format_specific)


def _member(found: Contents, one: FoundStream) -> str:
    """Return what to call a part of a file, "" if the file has no other that is like it."""
    if len(found.streams) == 1 and not found.has_members:
        return ""
    return one.path.removesuffix(_SECTION_OF_FAT_OBJECTS)


def _listing(file: str, member: str, found: FoundStream, *, format_specific: bool) -> Listing:
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model
    from bitcodec.symbols import symbols_of  # noqa: PLC0415
    from bitcodec.symbols.targets import Target  # noqa: PLC0415

    title = label(file, found.path)
    with reported_in(file, found):
        modules = list(modules_in(found.stream, title))
        symbols = symbols_of(*modules, format_specific=format_specific)
    is_64_bit = bool(modules) and Target.of(modules[0].target_triple).is_64_bit
    is_empty = not symbols and not any(True for module in modules for _ in module.globals)
    return Listing(file, found.path, member, symbols, is_64_bit=is_64_bit, is_empty=is_empty)


def _as_json(listing: Listing, style: Style) -> dict[str, Any]:
    return {
        **place(listing.file, listing.path),
        "symbols": [_symbol_as_json(symbol, style) for symbol in style.chosen(listing.symbols)],
    }


def _symbol_as_json(symbol: Symbol, style: Style) -> dict[str, Any]:
    value = symbol.value
    return {
        **named(symbol.name, demangle=style.demangle),
        "letter": symbol.letter,
        "defined": symbol.is_defined,
        "global": symbol.is_global,
        "weak": symbol.is_weak,
        "linkage": None if value is None else str(value.linkage),
        "visibility": None if value is None else str(value.visibility),
    }

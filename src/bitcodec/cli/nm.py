"""`bitcodec nm`: the symbols of modules, as `llvm-nm` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import WordChoice, argument, command, option
from bitcodec.cli.demangling import demangle_option, require_demangler
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import FileContents, contents, label, llvm_ir, read_checked, reported_in
from bitcodec.cli.json_documents import json_option, named, place, print_document
from bitcodec.cli.nm_text import Format, Style, SymbolListing, print_archive_map, print_exports, print_listing
from bitcodec.cli.problems import reported
from bitcodec.containers import FileKind, detect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bitcodec.containers import FoundStream
    from bitcodec.containers.archive_map import ArchiveMap
    from bitcodec.symbols import Symbol

__all__ = ["nm"]

_ARCHIVES = {FileKind.ARCHIVE, FileKind.THIN_ARCHIVE}
_WIDTHS: Mapping[str, int] = {"32": 1, "64": 2, "32_64": 3, "any": 3}
"""Bits of the widths of addresses that are listed: 1 for 32 bits, 2 for 64 bits."""
_SECTION_OF_FAT_OBJECTS = ":.llvm.lto"
"""Place of the bitcode that an object has in addition to its machine code; `llvm-nm` names the object alone."""


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
@option("-m", "style", flag_value=Format.DARWIN.value, help="Use Darwin's format, with kinds in words.")
@option("-f", "--format", "style", type=WordChoice(tuple(one.value for one in Format)), default=Format.BSD.value)
@option("-M", "--print-armap", is_flag=True, help="Print the symbol tables of archives first.")
@option("--export-symbols", is_flag=True, help="Print the defined global symbols of all files, each once.")
@option("--without-aliases", is_flag=True, help="Show no aliases.")
@option(
    "-X", "bits", type=WordChoice(tuple(_WIDTHS)), default="any", help="List only modules for targets of 32 or 64 bits."
)
@demangle_option
@option("--quiet", is_flag=True, help="Do not report files without symbols.")
@json_option
def nm(
    files: tuple[str, ...],
    style: str,
    bits: str,
    *,
    print_armap: bool,
    export_symbols: bool,
    quiet: bool,
    as_json: bool,
    **options: bool,
) -> None:
    """Print the symbols of the modules in each FILE, in the format of llvm-nm.

    Names are as in object files: `_main` for macOS, `_f@8` for a stdcall function.  Letters give the
    kind: T code, D data, S constant (Apple), C common, W weak, U undefined, w weak and undefined; small ones are local.

    \b
    Examples:
      bitcodec nm module.bc
      bitcodec nm -u *.bc
      bitcodec nm -C libfoo.a
      bitcodec nm --json libfoo.a | jq -r '.streams[].symbols[] | select(.letter == "T") | .name'
    """
    require_demangler(is_wanted=options["demangle"])
    if export_symbols:
        options.update(extern_only=True, defined_only=True)
    listed = Style(Format(style), has_several=len(files) > 1, is_quiet=quiet, **options)
    maps: list[dict[str, Any]] = []
    kept: list[SymbolListing] = []

    def show(file: str) -> None:
        data = read_checked(file)
        tables = _archive_map(file, data) if print_armap else None
        if tables is not None and as_json:
            maps.append(_map_as_json(file, tables))
        elif tables is not None:
            print_archive_map(tables)
        for listing in _listings(file, data, format_specific=options["debug_syms"]):
            if not _WIDTHS[bits] >> listing.is_64_bit & 1:
                continue
            if as_json or export_symbols:
                kept.append(listing)
            else:
                print_listing(listing, listed)

    all_files = Files(files)
    all_files.each(show)
    if as_json:
        found = {"streams": [_as_json(listing, listed) for listing in kept]}
        print_document("nm", {**found, "archive_maps": maps} if print_armap else found)
    elif export_symbols:
        print_exports(kept, listed)
    all_files.finish()


def _archive_map(file: str, data: memoryview) -> ArchiveMap | None:
    """Return the symbol tables of an archive, None if the file is none.

    Raises:
        Failure: a table is malformed.
    """
    from bitcodec.containers.archive_map import archive_map  # noqa: PLC0415 - few files need it

    kind = detect(data)
    if kind not in _ARCHIVES:
        return None
    with reported(file):
        return archive_map(data, is_thin=kind is FileKind.THIN_ARCHIVE)


def _listings(file: str, data: memoryview, *, format_specific: bool) -> Iterator[SymbolListing]:
    """Yield the symbols of each stream of LLVM IR in a file.

    Raises:
        Failure: it contains none, or one is malformed.
    """
    found = contents(file, data)
    for one in llvm_ir(file, found):
        yield _listing(file, _member(found, one), one, format_specific=format_specific)


def _member(found: FileContents, one: FoundStream) -> str:
    """Return the name of a part of a file, "" if the file has no similar part."""
    if len(found.streams) == 1 and not found.has_members:
        return ""
    return one.path.removesuffix(_SECTION_OF_FAT_OBJECTS)


def _listing(file: str, member: str, found: FoundStream, *, format_specific: bool) -> SymbolListing:
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - `--help` need not wait for the model
    from bitcodec.symbols import symbols_of  # noqa: PLC0415
    from bitcodec.symbols.targets import TripleTarget  # noqa: PLC0415

    title = label(file, found.path)
    with reported_in(file, found):
        modules = list(modules_in(found.stream, title))
        symbols = symbols_of(*modules, format_specific=format_specific)
    is_64_bit = bool(modules) and TripleTarget.of(modules[0].target_triple).is_64_bit
    is_empty = not symbols and not any(True for module in modules for _ in module.globals)
    return SymbolListing(file, found.path, member, symbols, is_64_bit=is_64_bit, is_empty=is_empty)


def _as_json(listing: SymbolListing, style: Style) -> dict[str, Any]:
    return {
        **place(listing.file, listing.path),
        "symbols": [_symbol_as_json(symbol, style) for symbol in style.chosen(listing.symbols)],
    }


def _map_as_json(file: str, tables: ArchiveMap) -> dict[str, Any]:
    names = ("name", "member")
    return {
        **place(file, ""),
        "symbols": [dict(zip(names, map(_text, row), strict=True)) for row in tables.symbols],
        "ec_symbols": [dict(zip(names, map(_text, row), strict=True)) for row in tables.ec_symbols],
    }


def _text(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


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

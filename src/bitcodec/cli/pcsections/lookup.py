"""`bitcodec pcsections lookup`: the functions, lines and entries at addresses of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import read
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.pcsections.decode import schemas_of
from bitcodec.cli.pcsections.decode_text import as_json, data_of
from bitcodec.cli.problems import reported, warn
from bitcodec.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.pcsections.decoding.lookup import Found

__all__ = ["lookup"]

_ADDRESSES = 1 << 64


def _addresses(_context: click.Context, _parameter: click.Parameter, texts: Sequence[str]) -> list[int]:
    return [_address(text) for text in texts]


def _base(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    return None if text is None else _address(text)


def _address(text: str) -> int:
    """Return an address, hexadecimal as in backtraces, with or without `0x`."""
    try:
        address = int(text, 16)
    except ValueError:
        raise click.BadParameter(f"expected a hexadecimal number, found {text!r}") from None
    if not 0 <= address < _ADDRESSES:
        raise click.BadParameter(f"{text!r} is not in 0..2**64-1")
    return address


@command(short_help="Look up addresses of a program: function, line, entries.")
@argument("file")
@argument("addresses", nargs=-1, required=True, callback=_addresses)
@option("--base", metavar="ADDRESS", callback=_base, help="Where FILE is loaded: address of its first byte.")
@option("--maps", metavar="MAPS|CORE", help="Take that from /proc/PID/maps, or from a core dump.")
@option(
    "--schema", "schemas", multiple=True, metavar="MODULE|sanitizer|SPEC", help="Constants that follow PCs; repeatable."
)
@json_option
def lookup(
    file: str,
    addresses: list[int],
    base: int | None,
    maps: str | None,
    schemas: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Print which function and line ADDRESS is in, and the entries of PC sections for it.

    FILE is an executable or a shared object in ELF.  Addresses are hexadecimal.  Addresses of a running program or a
    backtrace differ from addresses in the file by its load address, unless the program is linked to a fixed address:
    give --base, or --maps with a copy of /proc/PID/maps or a core dump.  Schemas are as for `pcsections decode`.

    An entry of a function is printed for each address in the function, in brackets if it is not the first one.

    \b
    Examples:
      bitcodec pcsections lookup program 0x13ef
      bitcodec pcsections lookup libqueue.so 7f31c2a013ef 7f31c2a013b6 --base 7f31c2a00000
      bitcodec pcsections lookup program 55d0c1f4a3ef --maps core.1234 --schema main.bc
    """
    from bitcodec.pcsections.decoding.decode import check_head, decode_file  # noqa: PLC0415 - `--help` need not wait for it

    if base is not None and maps is not None:
        raise click.UsageError("--base and --maps exclude each other")
    known = schemas_of(schemas)
    data = read(file, check=check_head)
    moved = _displacement(file, data, base, maps)
    with reported(file):
        decoded = decode_file(data, known)
        found = decoded.lookup(addresses, moved)
    if as_json:
        document = {"file": file, "displacement": moved, "addresses": list(_json(addresses, found))}
        print_document("pcsections lookup", document)
    else:
        print_table(("address", "pc", "section", "data", "source"), list(_rows(addresses, found)))
    outside = sum(not decoded.code.contains(each.pc.address or 0) for each in found)
    if outside:
        what = "1 address is" if outside == 1 else f"{outside} addresses are"
        advice = "" if (base, maps) != (None, None) else "; those of a running program need --base or --maps"
        warn(f"{file}: {what} not in its code{advice}")
    if decoded.lines_problem is not None:
        warn(f"{file}: {decoded.lines_problem}")


def _displacement(file: str, data: memoryview, base: int | None, maps: str | None) -> int:
    """Return by how much addresses are above those in the file."""
    if base is None and maps is None:
        return 0
    from bitcodec.containers.elf_file import ElfFile  # noqa: PLC0415
    from bitcodec.pcsections.objects.memory_maps import Mapping, displacement, mappings_of  # noqa: PLC0415

    if maps is None:
        mappings = [Mapping(base or 0, 0, file)]
    else:
        content = read(maps)
        with reported(maps):
            mappings = mappings_of(content)
    with reported(file):
        return displacement(ElfFile(data), file, mappings)


def _rows(addresses: Sequence[int], found: Sequence[Found]) -> Iterator[tuple[str, ...]]:
    for address, each in zip(addresses, found, strict=True):
        others = [entry for entry in each.of_function if entry not in each.entries]
        source = "" if each.file is None else f"{each.file}:{each.line}"
        pc = str(each.pc) if each.pc.symbol else ""
        rows = [(entry.section, data_of(entry)) for entry in each.entries]
        rows += [(f"({entry.section})", data_of(entry)) for entry in others]
        for section, data in rows or [("", "")]:
            yield f"{address:#x}", pc, section, data, source


def _json(addresses: Sequence[int], found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    for address, each in zip(addresses, found, strict=True):
        yield {
            "address": address,
            "pc": each.pc._asdict(),
            "entries": [as_json(entry) for entry in each.entries],
            "function_entries": [as_json(entry) for entry in each.of_function],
            "source_file": each.file,
            "source_line": each.line,
        }

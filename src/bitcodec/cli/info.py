"""`bitcodec info`: a summary of a file on one screen."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.newer import newer_lines
from bitcodec.bitcode.summary import summarize
from bitcodec.bitcode.tallies import instruction_counts, metadata_records
from bitcodec.bitstream.magic import StreamKind
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.demangling import demangle_option, demangled, require_demangler
from bitcodec.cli.files import Files
from bitcodec.cli.info_contents import BlockSize, Info, ModuleInfo, SymbolInfo, Tally
from bitcodec.cli.info_text import print_screen
from bitcodec.cli.inputs import decoded, label, names_of, streams
from bitcodec.cli.json_documents import json_option, named, place, print_document
from bitcodec.cli.problems import Failure, reported
from bitcodec.containers.other_files import explain

if TYPE_CHECKING:
    from bitcodec.bitstream.names import Names
    from bitcodec.containers import FoundStream

__all__ = ["info"]


@command(short_help="Summarize files: producer, target, symbols, sizes.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--symbols", is_flag=True, help="List every symbol, one per line.")
@option("--instructions", is_flag=True, help="Read all functions and count instructions by opcode.")
@demangle_option
@json_option
def info(files: tuple[str, ...], *, symbols: bool, instructions: bool, demangle: bool, as_json: bool) -> None:
    """Summarize each FILE: producer, target, flags, symbols, instructions and size breakdown.

    For a damaged file, everything that can be read is printed, and the exit code is 1.

    \b
    Examples:
      bitcodec info module.bc
      bitcodec info --symbols libfoo.a
      bitcodec info *.bc --json | jq -r '.streams[].modules[].producer'
    """
    require_demangler(is_wanted=demangle)
    results: list[dict[str, Any]] = []

    def show(file: str) -> None:
        for found in streams(file):
            one = _gathered(file, found, opcodes=instructions)
            if as_json:
                results.append({**place(file, found.path), **_as_json(one, demangle=demangle)})
            else:
                print_screen(_with_demangled_names(one) if demangle else one, every_symbol=symbols)
            if one.error:
                all_files.fail(Failure(one.error))

    all_files = Files(files)
    all_files.each(show)
    if as_json:
        print_document("info", {"streams": results})
    all_files.finish()


def _gathered(file: str, found: FoundStream, *, opcodes: bool) -> Info:
    """Collect the facts about a stream."""
    stream = found.stream
    columns = decoded(stream)
    names = names_of(stream, columns)
    statistics = block_statistics(columns)
    info = Info(label(file, found.path), stream.kind, stream.magic, len(stream.payload))
    info.trailing = info.size - columns.end // 8
    if stream.wrapper:
        info.wrapper = f"{stream.wrapper.offset} bytes, CPU type 0x{stream.wrapper.cpu_type:08x}"
    info.blocks = [
        BlockSize(names.describe_block(block_id), block.instances, block.bits / 8)
        for block_id, block in statistics.items()
    ]
    info.blocks.sort(key=lambda block: block.size, reverse=True)
    if stream.kind is StreamKind.LLVM_IR:
        info.instructions = instruction_counts(statistics)
        info.metadata = {
            kind: Tally(record.count, record.bits / 8) for kind, record in metadata_records(statistics).items()
        }
        info.modules = [ModuleInfo(summary) for summary in summarize(stream)]
        info.newer = newer_lines(columns, [module.summary.producer for module in info.modules])
    try:
        with reported(info.title, names, found):
            stream.check(columns)
        if stream.kind is StreamKind.LLVM_IR:
            _look_into_modules(info, found, names, opcodes=opcodes)
    except Failure as failure:
        other = explain(stream.payload) if stream.kind is StreamKind.UNKNOWN else ""
        info.error = f"{info.title}: {other}" if other else failure.message
    return info


def _look_into_modules(info: Info, found: FoundStream, names: Names, *, opcodes: bool) -> None:
    """Add the facts that require the modules to be opened.

    Raises:
        Failure: one is malformed.
    """
    from bitcodec.bitcode.loading import modules_in  # noqa: PLC0415 - other streams need no model
    from bitcodec.cli.info_modules import flags_of, opcodes_of, symbols_in  # noqa: PLC0415

    with reported(info.title, names, found):
        for module, known in zip(modules_in(found.stream, info.title), info.modules, strict=False):
            known.symbols = symbols_in(module)
            known.flags = flags_of(module)
            if opcodes:
                known.opcodes = opcodes_of(module)


def _with_demangled_names(one: Info) -> Info:
    for module in one.modules:
        module.symbols = [dataclasses.replace(symbol, name=demangled(symbol.name)) for symbol in module.symbols]
    return one


def _as_json(one: Info, *, demangle: bool) -> dict[str, Any]:
    return {
        "kind": one.kind.value,
        "magic": one.magic.hex(),
        "bytes": one.size,
        "wrapper": one.wrapper,
        "trailing_bytes": one.trailing,
        "error": one.error or None,
        "modules": [_module_as_json(number, module, demangle=demangle) for number, module in enumerate(one.modules, 1)],
        "instructions": one.instructions,
        "newer": one.newer,
        "metadata": {kind: {"count": tally.count, "bytes": tally.size} for kind, tally in one.metadata.items()},
        "blocks": [{"name": block.name, "count": block.count, "bytes": block.size} for block in one.blocks],
    }


def _module_as_json(number: int, module: ModuleInfo, *, demangle: bool) -> dict[str, Any]:
    return {
        "module": number,
        **dataclasses.asdict(module.summary),
        "flags": module.flags,
        "symbols": [_symbol_as_json(symbol, demangle=demangle) for symbol in module.symbols],
        "opcodes": module.opcodes,
    }


def _symbol_as_json(symbol: SymbolInfo, *, demangle: bool) -> dict[str, Any]:
    return {
        **named(symbol.name, demangle=demangle),
        "letter": symbol.letter,
        "kind": symbol.kind,
        "defined": symbol.is_definition,
        "global": not symbol.is_local,
        "intrinsic": symbol.is_intrinsic,
        "linkage": symbol.linkage or None,
    }

"""One screen on a stream, plain or, on a terminal, in colour."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.cli.names import shown_name
from bitcodec.cli.printing import echo
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bitcodec.cli.info_contents import BlockSize, Info, ModuleInfo, SymbolInfo

__all__ = ["print_screen"]

_WIDTH = 100
_LABEL_WIDTH = 11
_LISTED_NAMES = 24
_LISTED_BLOCKS = 8
_LISTED_KINDS = 8
_BAR_WIDTH = 24
_SUMMARIES = {
    BlockId.GLOBALVAL_SUMMARY_BLOCK.dump_name: "for ThinLTO",
    BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK.dump_name: "for full LTO",
}
"""Blocks that inform linkers about a module without its code, and their users."""


def print_screen(info: Info, *, every_symbol: bool) -> None:
    """Print the facts about a stream."""
    title = one_line(f"{info.title}: {_kind(info)}, {info.size:,} bytes")
    rows = [(name, one_line(text)) for name, text in _rows(info, every_symbol=every_symbol)]
    symbols = [symbol for module in info.modules for symbol in module.symbols] if every_symbol else []
    if sys.stdout.isatty():
        _print_colored(title, rows, symbols, info)
        return
    echo(title)
    for name, text in rows:
        indent = " " * (_LABEL_WIDTH + 2)
        echo(
            textwrap.fill(
                text,
                _WIDTH,
                initial_indent=f"  {name:<{_LABEL_WIDTH}}",
                subsequent_indent=indent,
                break_on_hyphens=False,
                break_long_words=False,
            )
        )
    for symbol in symbols:
        echo(_symbol_line(symbol))
    echo("  size by block")
    for block in info.blocks[:_LISTED_BLOCKS]:
        echo(f"    {one_line(block.name):<26} {block.count:>7,} {block.size:>14,.0f} bytes {_share(block, info):>6.1%}")
    _echo_rest(info)


def _print_colored(title: str, rows: list[tuple[str, str]], symbols: list[SymbolInfo], info: Info) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal is shown to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    console.print(Text(title, style="bold"))
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="cyan")
    facts.add_column(overflow="fold")
    for name, text in rows:
        facts.add_row(f"  {name}", Text(text))
    console.print(facts)
    for symbol in symbols:
        style = "dim" if symbol.is_local else "green" if symbol.is_definition else "yellow"
        console.print(Text(_symbol_line(symbol), style=style))
    sizes = Table.grid(padding=(0, 2))
    sizes.add_column(style="cyan")
    for _ in range(3):
        sizes.add_column(justify="right")
    sizes.add_column(style="magenta")
    for block in info.blocks[:_LISTED_BLOCKS]:
        share = _share(block, info)
        bar = "█" * round(share * _BAR_WIDTH) or "▏"
        sizes.add_row(
            f"    {one_line(block.name)}", f"{block.count:,}", f"{block.size:,.0f} bytes", f"{share:.1%}", bar
        )
    console.print(Text("  size by block", style="cyan"))
    console.print(sizes)
    _echo_rest(info)


def _echo_rest(info: Info) -> None:
    rest = len(info.blocks) - _LISTED_BLOCKS
    if rest > 0:
        echo(f"    and {rest} kinds more; `bitcodec analyze` lists all")
    echo()


def _kind(info: Info) -> str:
    if info.kind.value == "unknown":
        return f"bitstream of unknown kind (magic {info.magic!r})"
    return info.kind.value


def _rows(info: Info, *, every_symbol: bool) -> Iterator[tuple[str, str]]:
    if info.wrapper:
        yield "wrapper", info.wrapper
    for number, module in enumerate(info.modules, 1):
        if len(info.modules) > 1:
            yield "module", f"{number} of {len(info.modules)}"
        yield from _module_rows(module, every_symbol=every_symbol)
    if info.instructions and not any(module.opcodes for module in info.modules):
        yield "code", _tallied(info.instructions, "instruction")
    if info.metadata:
        nodes = _tallied({kind: tally.count for kind, tally in info.metadata.items()}, "node")
        yield "metadata", f"{sum(tally.size for tally in info.metadata.values()):,.0f} bytes, {nodes}"
    present = {block.name for block in info.blocks}
    summaries = [text for block, text in _SUMMARIES.items() if block in present]
    if summaries:
        yield "summary", ", ".join(summaries)
    for line in info.newer:
        yield "newer", line
    if info.trailing and not info.error:
        yield "trailing", f"{info.trailing} bytes after the last block"
    if info.error:
        yield "incomplete", "not all of it could be read"


def _module_rows(module: ModuleInfo, *, every_symbol: bool) -> Iterator[tuple[str, str]]:
    said = module.summary
    epoch = "" if said.epoch is None else f", epoch {said.epoch}"
    producer = said.producer or ("not stated" if said.version >= 2 else "not stated: LLVM 3.7 or older")
    yield "producer", f"{producer}{epoch}, module version {said.version}"
    if said.triple:
        yield "target", said.triple
    if said.source_filename:
        yield "source", said.source_filename
    if said.data_layout:
        yield "layout", said.data_layout
    if module.flags:
        yield "flags", ", ".join(f"{name}={value}" for name, value in module.flags.items())
    defined = [symbol for symbol in module.symbols if symbol.is_definition and not symbol.is_intrinsic]
    needed = [symbol for symbol in module.symbols if not symbol.is_definition and not symbol.is_intrinsic]
    for name, symbols in (("defines", defined), ("needs", needed)):
        if symbols:
            names = "" if every_symbol else f": {_listed(symbols)}"
            yield name, f"{_counted(symbols)}{names}"
    if module.opcodes:
        counts = ", ".join(f"{opcode} {count:,}" for opcode, count in module.opcodes.items())
        yield "opcodes", counts


def _tallied(counts: Mapping[str, int], noun: str) -> str:
    """Return how many there are, and of which kinds there are most."""
    total = sum(counts.values())
    kinds = sorted(counts.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{kind} {count:,}" for kind, count in kinds[:_LISTED_KINDS])
    more = ", ..." if len(kinds) > _LISTED_KINDS else ""
    return f"{total:,} {noun}{'s' if total != 1 else ''}: {shown}{more}"


def _counted(symbols: list[SymbolInfo]) -> str:
    kinds: dict[str, int] = {}
    for symbol in symbols:
        kinds[symbol.kind] = kinds.get(symbol.kind, 0) + 1
    return ", ".join(f"{count:,} {_plural(kind) if count > 1 else kind}" for kind, count in kinds.items())


def _plural(kind: str) -> str:
    return "aliases" if kind == "alias" else f"{kind}s"


def _listed(symbols: list[SymbolInfo]) -> str:
    visible_first = sorted(symbols, key=lambda symbol: symbol.is_local)
    names = [shown_name(symbol.name) or "(unnamed)" for symbol in visible_first[:_LISTED_NAMES]]
    more = len(symbols) - len(names)
    separator = ", " if any(" " in name for name in names) else " "
    return separator.join(names) + (f" ... and {more:,} more (--symbols)" if more else "")


def _symbol_line(symbol: SymbolInfo) -> str:
    return one_line(
        f"    {symbol.letter} {symbol.kind:<8} {symbol.linkage:<20} {shown_name(symbol.name) or '(unnamed)'}"
    )


def _share(block: BlockSize, info: Info) -> float:
    return block.size / info.size if info.size else 0.0

"""An instruction map as a page: the IR and its PCs side by side, by function."""

from __future__ import annotations

from html import escape
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from bitcodec.pcsections.mapping.page import FOOT, HEAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.pcsections.mapping.instruction_map import InstructionMap, MachinePC, MappedInstruction, OpcodeTally

__all__ = ["page"]


def page(found: InstructionMap, *, title: str) -> Iterator[str]:
    """Yield the text of a page of HTML, which needs nothing from anywhere else.

    Args:
        found: the map.
        title: the title; it is escaped, as is everything that comes from the module.
    """
    yield HEAD.replace("TITLE", _text(title))
    yield from _head(found, title)
    yield from _opcodes(found)
    for name, rows in groupby(found, key=attrgetter("function")):
        yield from _function(name, list(rows), found)
    yield FOOT


def _head(found: InstructionMap, title: str) -> Iterator[str]:
    levels = ", ".join(f"-O{level}" for level in found.opt_levels)
    passes = "after LLVM's passes of that level" if found.optimize else "code generation alone"
    yield f"<header><h1>{_text(title)}</h1>\n"
    yield f"<p>{len(found):,} IR instructions for <code>{_text(found.triple)}</code>, {levels}, {passes}</p>\n"
    yield (
        '<div class="tools"><input id="filter" type="search" placeholder="filter: text, opcode, @function" '
        'aria-label="Filter"><label><input id="lost" type="checkbox"> only without PC</label>'
        '<output id="count"></output></div></header>\n<main>\n'
    )


def _opcodes(found: InstructionMap) -> Iterator[str]:
    yield '<details open class="opcodes"><summary>What is left, by opcode</summary><table>\n<thead><tr><th>opcode</th>'
    yield '<th class="n">instructions</th>'
    for level in found.opt_levels:
        yield f'<th colspan="2">-O{level}: with PC</th><th class="n">PCs</th>'
    yield "</tr></thead>\n<tbody>\n"
    for opcode, tallies in found.tallies().items():
        yield f'<tr><th><a href="#" data-opcode="{_text(opcode)}">{_text(opcode)}</a></th>'
        yield f'<td class="n">{tallies[0].instructions:,}</td>{"".join(map(_tally, tallies))}</tr>\n'
    yield "</tbody></table></details>\n"


def _tally(tally: OpcodeTally) -> str:
    return (
        f'<td class="n">{tally.with_pcs:,}</td>'
        f'<td class="bar"><div><span style="width:{tally.percent:.1f}%"></span><b>{tally.percent:.0f}%</b></div></td>'
        f'<td class="n">{tally.pcs:,}</td>'
    )


def _function(name: str, rows: list[MappedInstruction], found: InstructionMap) -> Iterator[str]:
    yield f'<section><h2>@{_text(name)} <small>{len(rows):,} instructions</small></h2><table class="ir">\n'
    yield "<thead><tr><th>IR</th>"
    yield "".join(f"<th>-O{level}</th>" for level in found.opt_levels)
    yield "</tr></thead>\n"
    for block, inside in groupby(rows, key=attrgetter("block")):
        yield f'<tbody><tr class="block"><th colspan="{1 + len(found.opt_levels)}">{_text(block)}</th></tr>\n'
        for row in inside:
            yield from _row(row, found)
        yield "</tbody>\n"
    yield "</table></section>\n"


def _row(row: MappedInstruction, found: InstructionMap) -> Iterator[str]:
    is_lost = not any(row.pcs)
    yield f'<tr{" class=lost" * is_lost} data-opcode="{_text(row.opcode)}"><td><code>{_text(row.text)}</code></td>'
    for level, pcs in zip(found.opt_levels, row.pcs, strict=True):
        yield f"<td>{''.join(_chips(pcs, row.function, level))}</td>"
    yield "</tr>\n"


def _chips(pcs: Iterable[MachinePC], function: str, level: int) -> Iterator[str]:
    """Yield PCs, with the name of their function where that is another one."""
    for pc in pcs:
        shown = f"+{pc.offset:x}" if pc.symbol == function else f"{pc.symbol or pc.section or '?'}+{pc.offset:x}"
        place = f"{level} {pc.symbol or pc.section} {pc.offset}"
        yield f'<a class="pc" tabindex="0" data-pc="{_text(place)}">{_text(shown)}</a>'


def _text(text: str) -> str:
    """Return text as HTML has it; bytes that were no text are spelled out."""
    return escape(text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))

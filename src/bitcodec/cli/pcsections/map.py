"""`bitcodec pcsections map`: which machine instructions came from which IR instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import IntRange, argument, command, option
from bitcodec.cli.json_documents import document_of_rows, json_option
from bitcodec.cli.names import readable
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.pcsections.generating import Said, generator_options
from bitcodec.cli.problems import reported
from bitcodec.cli.rewriting import only_module
from bitcodec.cli.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.pcsections.codegen.compiling import OptLevel
    from bitcodec.pcsections.mapping.instruction_map import InstructionMap, MachinePC, MappedInstruction, OpcodeTally

__all__ = ["map"]


@command(short_help="Map IR instructions to machine instructions.")
@argument("file")
@option(
    "--select",
    multiple=True,
    default=["all"],
    metavar="WHAT",
    help="Instructions to map, as in `attach`. Default: all.",
)
@option(
    "-O",
    "opt_levels",
    type=IntRange(0, 3),
    multiple=True,
    default=[0, 2],
    show_default=True,
    help="Optimization level; repeatable.",
)
@generator_options
@json_option
@option("--html", metavar="FILE", help="Write a page that shows IR and PCs side by side; - is standard output.")
@option(
    "-o",
    "--output",
    default=STANDARD_OUTPUT,
    metavar="FILE",
    help="File for the table or JSON. Default: standard output.",
)
def map(  # noqa: A001 - the name of the command
    file: str,
    select: tuple[str, ...],
    opt_levels: tuple[OptLevel, ...],
    code_model: str | None,
    relocation_model: str | None,
    triple: str | None,
    html: str | None,
    output: str,
    *,
    optimize: bool,
    as_json: bool,
) -> None:
    """Compile the module in FILE, and print how many machine instructions each of its instructions became.

    No debug information is needed: each instruction requests its address in a PC section.  The table has, for each
    opcode, the number of remaining instructions and of their machine instructions; JSON lists each instruction.

    LLVM's code generator comes with llvmlite: pip install "bitcodec[codegen]".

    \b
    Examples:
      bitcodec pcsections map module.bc
      bitcodec pcsections map module.bc -O 1 -O 3 --optimize --html map.html
      bitcodec pcsections map module.bc --select main:atomics -O 2 --json | jq '.instructions[].text'
    """
    from bitcodec.pcsections.mapping.instruction_map import map_instructions  # noqa: PLC0415 - `--help` need not wait for it

    opened = only_module(file)
    with reported(file):
        found = map_instructions(
            opened.module,
            ",".join(select),
            opt_levels=tuple(dict.fromkeys(opt_levels)),
            optimize=optimize,
            triple=triple,
            code_model=code_model,
            relocation_model=relocation_model,
            said=Said(file),
        )
    if html is not None:
        _write_page(found, file, html)
    if html != output:
        write_text(output, _json(file, found) if as_json else _table(found))


def _write_page(found: InstructionMap, file: str, path: str) -> None:
    from bitcodec.pcsections.mapping.html import page  # noqa: PLC0415

    write_text(path, page(found, title=readable(file)))


def _table(found: InstructionMap) -> Iterator[str]:
    titles = ["opcode", "instructions"]
    for level in found.opt_levels:
        titles += [f"-O{level}: left", "", "PCs"]
    for line in table(titles, _rows(found)):
        yield f"{line}\n"


def _rows(found: InstructionMap) -> Iterator[list[str]]:
    """Yield a row for each opcode, and one for all of them."""
    tallies = found.tallies()
    for opcode, of_levels in tallies.items():
        yield [opcode, f"{of_levels[0].instructions:,}", *(cell for tally in of_levels for cell in _cells(tally))]


def _cells(tally: OpcodeTally) -> tuple[str, str, str]:
    return f"{tally.with_pcs:,}", f"{tally.percent:.0f}%", f"{tally.pcs:,}"


def _json(file: str, found: InstructionMap) -> Iterator[str]:
    head = {
        "file": file,
        "triple": found.triple,
        "optimize": found.optimize,
        "levels": found.opt_levels,
        "opcodes": [_tally_as_json(tally) for of_levels in found.tallies().values() for tally in of_levels],
    }
    rows = (_row_as_json(row, found.opt_levels) for row in found)
    return document_of_rows("pcsections map", head, "instructions", rows)


def _tally_as_json(tally: OpcodeTally) -> dict[str, Any]:
    return {
        "opcode": tally.opcode,
        "level": tally.opt_level,
        "instructions": tally.instructions,
        "with_pcs": tally.with_pcs,
        "without_pcs": tally.without_pcs,
        "pcs": tally.pcs,
        "percent": round(tally.percent, 1),
    }


def _row_as_json(row: MappedInstruction, opt_levels: tuple[OptLevel, ...]) -> dict[str, Any]:
    return {
        "function": row.function,
        "block": row.block,
        "number": row.number,
        "opcode": row.opcode,
        "text": row.text,
        "pcs": {str(level): [_pc_as_json(pc) for pc in pcs] for level, pcs in zip(opt_levels, row.pcs, strict=True)},
    }


def _pc_as_json(pc: MachinePC) -> dict[str, Any]:
    return {"symbol": pc.symbol or None, "offset": pc.offset, "section": pc.section}

"""`bitcodec pcsections audit`: the fate of the nodes of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import read, reported_in
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, answering, reported, warn
from bitcodec.cli.rewriting import only_module
from bitcodec.cli.tables import print_table, short
from bitcodec.containers import FileKind, detect, is_assembly
from bitcodec.errors import MIRError
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.mir import MachineModule
    from bitcodec.pcsections.auditing.audit import Audit
    from bitcodec.pcsections.auditing.comparison import Finding, Verdict
    from bitcodec.pcsections.encoding.targets import Target

__all__ = ["audit"]

_MOST_NAMES = 3


def _verdicts(_context: click.Context, _option: click.Parameter, texts: Sequence[str]) -> list[Verdict]:
    from bitcodec.pcsections.auditing.comparison import Verdict  # noqa: PLC0415 - `--help` need not wait for it

    words = [word.strip() for text in texts for word in text.split(",")]
    known = [verdict.value for verdict in Verdict]
    unknown = [word for word in words if word not in known]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} is not one of {', '.join(known)}")
    return [Verdict(word) for word in words]


@command(short_help="Report which requested PC sections were kept, copied, merged, lost.")
@argument("before")
@argument("after")
@json_option
@option(
    "--fail-on",
    "failing",
    multiple=True,
    metavar="VERDICT,...",
    callback=_verdicts,
    help="Exit with 1 if a node has this verdict: kept, copied, merged, lost, moved, foreign.",
)
@option("--target", "triple", metavar="TRIPLE", help="Target of the object, if the module does not specify one.")
@answering()
def audit(before: str, after: str, failing: list[Verdict], triple: str | None, *, as_json: bool) -> None:
    """Report which requests for PC sections of the module in BEFORE are in AFTER, its form after passes.

    AFTER is bitcode or its text, machine IR (the .mir files of llc -stop-after), an ELF object, or a file linked
    from it alone.
    For each function and node, the number of instructions with it before and after is printed; for an object, the
    number of PCs.

    \b
      kept     as many as before
      copied   more: instructions were copied, or each became several
      merged   fewer: some became one with others, or were deleted
      lost     none
      moved    in another function, where they were inlined
      foreign  found, though nothing in BEFORE requested it

    Nodes with equal contents in one function are counted together.  To distinguish the instructions, give
    each its own constant, as `map` does.  The reported cause of a loss is a guess.

    \b
    Examples:
      bitcodec pcsections audit tagged.bc optimized.bc
      bitcodec pcsections audit tagged.bc tagged.o --fail-on lost,merged
      bitcodec pcsections audit tagged.bc tagged.mir --json | jq '.nodes[] | select(.verdict == "lost")'
    """
    from bitcodec.pcsections.auditing.audit import audit as audited  # noqa: PLC0415 - `--help` need not wait for it

    opened = only_module(before)
    later = _later(after)
    with reported(before):
        target = None if triple is None else _target(triple, opened.module)
    with reported_in(before, opened.found), reported(after):
        found = audited(opened.module, later, target)
    if as_json:
        print_document("pcsections audit", _as_json(before, after, found))
    else:
        _print(found)
    for note in found.notes:
        warn(f"{after}: {note}")
    if found.of(failing):
        raise SystemExit(1)


def _target(triple: str, module: Module) -> Target:
    from bitcodec.pcsections.encoding.targets import Target  # noqa: PLC0415

    return Target.of(triple, data_layout=module.data_layout)


def _later(file: str) -> Module | MachineModule | memoryview:
    """Return the contents of a file: bitcode or its text, machine IR, or the bytes of an ELF file.

    Raises:
        Failure: not one of these.
    """
    data = read(file, check=_check_head)
    kind = detect(data)
    if kind is FileKind.ELF:
        return data
    if kind is not FileKind.UNKNOWN or is_assembly(data):
        return only_module(file, data=data).module
    from bitcodec import mir  # noqa: PLC0415 - only where there is some

    try:
        return mir.loads(data)
    except MIRError as error:
        raise Failure(f"{file}: it is neither bitcode nor ELF, and no machine IR: {error}") from error


def _check_head(head: bytes) -> None:
    """Refuse a file by its first bytes, before the rest of it is read.

    Raises:
        MIRError: it is of no kind that is known, nor text.
    """
    if detect(head) is FileKind.UNKNOWN and b"\0" in head:
        raise MIRError("it is neither bitcode nor ELF, and no machine IR: it has NUL characters")


def _print(found: Audit) -> None:
    if len(found):
        print_table(("function", "section", "verdict", "before", "after", "why"), [_row(each) for each in found])
    if found.by_opcode():
        print_table(*_tally(found))
    counts = found.counts()
    text = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in _in_order(counts))
    echo(f"{found.after}: {text or 'nothing was requested, and nothing is there'}")


def _tally(found: Audit) -> tuple[Sequence[str], list[list[str]]]:
    """Return a table of opcodes with the number of their nodes for each verdict."""
    tallies = found.by_opcode()
    verdicts = _in_order({verdict for counts in tallies.values() for verdict in counts})
    rows = [[opcode, *(f"{counts[verdict]:,}" for verdict in verdicts)] for opcode, counts in sorted(tallies.items())]
    return ("opcode", *verdicts), rows


def _in_order(verdicts: Container[Verdict]) -> list[Verdict]:
    from bitcodec.pcsections.auditing.comparison import Verdict  # noqa: PLC0415

    return [verdict for verdict in Verdict if verdict in verdicts]


def _row(finding: Finding) -> tuple[str, ...]:
    names = ", ".join(finding.elsewhere[:_MOST_NAMES]) + ", ..." * (len(finding.elsewhere) > _MOST_NAMES)
    why = finding.reason
    if names:
        why = f"{'now in' if finding.attached else 'of'} {names}{'; ' * bool(why)}{why}"
    return (
        short(finding.function),
        short(str(finding.wanted)),
        finding.verdict,
        _carriers(finding.before),
        _carriers(finding.after),
        one_line(why),
    )


def _carriers(opcodes: Mapping[str, int]) -> str:
    """Return how many of each opcode there are: `2 load, 1 store`; in an object there are PCs."""
    return ", ".join(f"{count:,} {opcode or ('PC' if count == 1 else 'PCs')}" for opcode, count in opcodes.items())


def _as_json(before: str, after: str, found: Audit) -> dict[str, Any]:
    return {
        "before": {"file": before},
        "after": {"file": after, "kind": found.after},
        "verdicts": dict(found.counts()),
        "opcodes": {opcode: dict(counts) for opcode, counts in sorted(found.by_opcode().items())},
        "notes": found.notes,
        "nodes": [_node_as_json(finding) for finding in found],
    }


def _node_as_json(finding: Finding) -> dict[str, Any]:
    return {
        "function": finding.function,
        "of_function": finding.wanted.of_function,
        "groups": [{"section": group.section, "constants": list(group.constants)} for group in finding.wanted.groups],
        "verdict": finding.verdict,
        "attached": finding.attached,
        "found": finding.found,
        "before": dict(finding.before),
        "after": {opcode or "PC": count for opcode, count in finding.after.items()},
        "elsewhere": list(finding.elsewhere),
        "reason": finding.reason,
    }

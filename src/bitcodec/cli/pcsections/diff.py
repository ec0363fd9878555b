"""`bitcodec pcsections diff`: how the PC sections of two builds differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.json_documents import json_option, print_document
from bitcodec.cli.pcsections.decode import schemas_of
from bitcodec.cli.pcsections.elf_inputs import each_elf
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Trouble, answering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.module import Module
    from bitcodec.lint import Change, Content, Row
    from bitcodec.pcsections import Schema

__all__ = ["diff"]


@command(short_help="Compare the PC sections of two builds.")
@argument("before")
@argument("after")
@option(
    "--schema", "schemas", multiple=True, metavar="MODULE|sanitizer|SPEC", help="Constants that follow PCs; repeatable."
)
@json_option
@answering()
def diff(before: str, after: str, schemas: tuple[str, ...], *, as_json: bool) -> None:
    """Print which functions have more or fewer entries, or bytes of entries, in AFTER than in BEFORE.

    Each is an object, an executable or a shared object in ELF, or an archive of objects; one may be an object and the
    other the program.  Schemas are as for `pcsections decode`.  The exit code is 1 if they differ, 2 if one cannot be
    read.

    \b
    Examples:
      bitcodec pcsections diff old.o new.o
      bitcodec pcsections diff tagged.o program --json | jq -r '.changes[].function'
    """
    from bitcodec.lint import changes  # noqa: PLC0415 - `--help` need not wait for it

    known = schemas_of(schemas)
    contents = [_contents(path, known) for path in (before, after)]
    found = list(changes(*contents))
    totals = [sum(content.size for content in each.values()) for each in contents]
    if as_json:
        document = {
            "before": {"file": before, "bytes": totals[0]},
            "after": {"file": after, "bytes": totals[1]},
            "changes": [_as_json(each) for each in found],
        }
        print_document("pcsections diff", document)
    else:
        from bitcodec.cli.pcsections.lint_text import print_changes  # noqa: PLC0415

        print_changes(found)
        count = {0: "no differences", 1: "1 difference"}.get(len(found), f"{len(found):,} differences")
        echo(f"{count}; {totals[0]:,} -> {totals[1]:,} bytes")
    if found:
        raise SystemExit(1)


def _contents(path: str, schemas: Sequence[Schema | Module]) -> dict[Row, Content]:
    """Return the contents of the PC sections in a file.

    Raises:
        Trouble: it cannot be read.
    """
    from bitcodec.lint import contents_of  # noqa: PLC0415
    from bitcodec.pcsections import decode_file  # noqa: PLC0415

    found: dict[Row, Content] = {}

    def add(_: str, data: memoryview) -> None:
        for row, content in contents_of(decode_file(data, schemas, lines=False).sections).items():
            found[row] = content if row not in found else found[row].joined(content)

    if each_elf([path], add, "reading PC sections").has_failed:
        raise SystemExit(Trouble.exit_code)
    return found


def _as_json(change: Change) -> dict[str, Any]:
    return {
        "section": change.row.section,
        "function": change.row.function or None,
        "of_function": change.row.is_function,
        "before": {"entries": change.before.entries, "bytes": change.before.size},
        "after": {"entries": change.after.entries, "bytes": change.after.size},
    }

"""The text of the IR part of a `.mir` file after its module was changed.

Nodes keep the numbers that the file has for them, because machine instructions refer to these.  Unchanged entities keep
their text: each entity of the text, such as a function or a node, is compared with its original.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.module import module_text
from bitcodec.asm.numbering import Numbering, unnamed_globals
from bitcodec.asm.parser.module import parse_numbered
from bitcodec.errors import AssemblyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.asm.parser.module import NumberedModule

__all__ = ["changed_text", "has_usual_numbers"]

_HEAD = re.compile(
    r"""(?:define|declare)\b(?:[^@"]|"[^"]*")*(?P<function>@(?:"[^"]*"|[-\w$.]+))\(
      | (?P<name>[@%$!](?:"[^"]*"|[^\s=]+)|\^[0-9]+|attributes\ \#[0-9]+|target\ \w+|source_filename)\ *=
      | (?P<word>module\ asm|uselistorder\w*)""",
    re.VERBOSE,
)
"""Pattern of the beginning of an entity's first line."""
_NUMBER = re.compile(r""""[^"]*"|!([0-9]+)""")
"""A string, or the number of a node."""


def changed_text(source: str, part: NumberedModule, next_number: int) -> str | None:
    """Return the text of a module that was parsed, None if it is unchanged.

    Args:
        source: the text that it was parsed from.
        part: the module, with the numbers of that text.
        next_number: the first number for new nodes.

    Raises:
        BitcodecError: the module cannot be printed.
    """
    now = _entities(part, next_number)
    parsed = parse_numbered(source)
    before = _entities(parsed, next_number)
    if now == before:
        return None
    if has_usual_numbers(parsed):
        merged = _merged(source, before, now)
        if _says(merged, now, next_number):
            return merged
    return "".join(now.values())


def has_usual_numbers(parsed: NumberedModule) -> bool:
    """Return whether a text numbers globals without a name in the order in which LLVM prints them."""
    return {value: number for number, value in parsed.globals.items()} == unnamed_globals(parsed.module)


def _says(text: str, expected: dict[str, str], next_number: int) -> bool:
    """Return whether a text has the expected contents."""
    try:
        parsed = parse_numbered(text)
    except AssemblyError:
        return False
    return has_usual_numbers(parsed) and _entities(parsed, next_number) == expected


def _entities(part: NumberedModule, next_number: int) -> dict[str, str]:
    """Return the text of each entity of a module, by its name, with given numbers of nodes."""
    nodes = part.nodes
    numbering = Numbering.of_module(part.module, nodes.values())
    text = "".join(module_text(part.module, numbering=numbering))
    wanted: dict[str, int] = {}
    others: dict[int, str] = {}
    for number, node in nodes.items():
        label = numbering.nodes[node]
        if label[1:].isdecimal() and wanted.setdefault(label[1:], number) != number:
            others[number] = f"!{wanted[label[1:]]}"
        elif not label[1:].isdecimal():  # text has it where it is used
            others[number] = label

    def renumbered(match: re.Match[str]) -> str:
        nonlocal next_number
        label = match[1]
        if label is None:
            return match[0]
        if label not in wanted:
            wanted[label], next_number = next_number, next_number + 1
        return f"!{wanted[label]}"

    text = text.partition("\n")[2] if text.startswith(_TITLE) else text
    lines = [line if line.startswith(";") else _NUMBER.sub(renumbered, line) for line in _lines(text)]
    found = {name: text for name, text in _split(lines) if name != _COMMENTS}
    for number, label in others.items():
        definition = found.get(label, f"{label} = {label}\n").partition(" = ")[2]
        found[f"!{number}"] = f"!{number} = {definition}"
    return found


def _merged(source: str, before: dict[str, str], now: dict[str, str]) -> str:
    """Return the current text, with the text of the source for unchanged entities."""
    kept: dict[str, str] = {}
    successors = _successors(before, now)
    for name, text in _split(_lines(source)):
        if name == _COMMENTS or (name in now and now[name] == before.get(name)):
            kept[name] = text
        elif (new := successors.get(name, name)) in now:
            kept[new] = _behind_comments(text, now[new])
    order = [*kept]
    places = {name: place for place, name in enumerate(order)}
    added: dict[int, list[str]] = {}
    place = -1
    for name, text in now.items():
        if name in places:
            place = places[name]
        elif text != before.get(name):
            added.setdefault(place, []).append(text)
    pieces = added.get(-1, [])
    for number, name in enumerate(order):
        pieces += (kept[name], *added.get(number, ()))
    return "".join(pieces)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends."""
    return _LINE.findall(text)


def _successors(before: Iterable[str], now: Iterable[str]) -> dict[str, str]:
    """Return the new names of entities that have others now: of one kind, between the same other entities."""
    known, left = {*now}, {*before}
    gone, new = _between(before, left & known), _between(now, left & known)
    return {old: name for place, names in gone.items() for old, name in zip(names, new.get(place, ()), strict=False)}


def _between(names: Iterable[str], shared: set[str]) -> dict[tuple[str, str], list[str]]:
    """Return the names that are not shared, by the shared one before them and their kind."""
    found: dict[tuple[str, str], list[str]] = {}
    last = ""
    for name in names:
        if name in shared:
            last = name
        else:
            found.setdefault((last, name[:1]), []).append(name)
    return found


def _behind_comments(before: str, text: str) -> str:
    """Return the text of an entity behind the comments and blank lines that it had before."""
    comments, body = _parts(before)[0], _parts(text)
    kept = [line for line in comments if not line.startswith(_REMARK)]
    return "".join([*kept, *(line for line in body[0] if line.startswith(_REMARK)), *body[1]])


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return the comments and blank lines of a text, and the rest."""
    lines = _lines(text)
    count = next((place for place, line in enumerate(lines) if line.strip() and not line.startswith(";")), len(lines))
    return lines[:count], lines[count:]


_REMARK = "; Function Attrs:"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_TITLE = "; ModuleID = "
_COMMENTS = ""
"""Name for the comments behind the last entity."""


def _split(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield names and texts of entities; comments and blank lines belong to the next entity."""
    found: dict[str, list[str]] = {}
    pending: list[str] = []
    is_in_body = False
    name = _COMMENTS
    for line in lines:
        if is_in_body:
            found[name].append(line)
            is_in_body = line.rstrip() != "}"
            continue
        pending.append(line)
        head = _HEAD.match(line)
        if head is not None:
            name = head["function"] or head["name"] or head["word"]
            found.setdefault(name, []).extend(pending)
            pending = []
            is_in_body = line.startswith("define") and not line.rstrip().endswith("}")
    found.setdefault(_COMMENTS, []).extend(pending)
    return ((name, "".join(pieces)) for name, pieces in found.items() if pieces)

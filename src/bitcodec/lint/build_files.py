"""Files of a build as other tools list them: link maps, compilation databases.

Rules: map files as LLD 22, GNU ld 2.40 and Apple's ld write them; "JSON Compilation Database Format Specification",
Clang's documentation.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["BuildFile", "BuildListing", "files_in_listing", "kind_of_listing"]


class BuildListing(PlainEnum):
    """A kind of file that lists the files of a build."""

    LLD_MAP = "a link map of LLD"
    GNU_MAP = "a link map of GNU ld"
    APPLE_MAP = "a link map of Apple's ld"
    COMPILE_COMMANDS = "a compilation database"


class BuildFile(NamedTuple):
    """A file of a build.

    Attributes:
        path: the file.
        member: of an archive; "" for the whole file.
    """

    path: str
    member: str


_HEADS = (
    (re.compile(rb"\s*VMA\s+LMA\s+Size\s+Align\s+Out\s+In\s+Symbol"), BuildListing.LLD_MAP),
    (
        re.compile(rb"\s*(Archive member included|Memory Configuration|Merging program properties)"),
        BuildListing.GNU_MAP,
    ),
    (re.compile(rb"# Path: "), BuildListing.APPLE_MAP),
    (re.compile(rb"\s*\[\s*(\{|\])"), BuildListing.COMPILE_COMMANDS),
)
_MEMBER = re.compile(r"^(.*?)(?:\[\d+\])?\(([^()]+)\)$")
_LLD_INPUT = re.compile(r"^\s*[0-9a-f]+\s+[0-9a-f]+\s+[0-9a-f]+\s+\d+\s+(\S.*?):\(", re.IGNORECASE)
_GNU_LOAD = re.compile(r"^LOAD (.+)$")
_GNU_MEMBER = re.compile(r"^(\S+\([^()\s]+\))(?:\s|$)")
_APPLE_INPUT = re.compile(r"^\[\s*\d+\] (.+)$")
_NOT_FILES = ("<internal>", "linker synthesized", "linker-defined")
_ARCHIVES = (".a", ".lib")


def kind_of_listing(head: bytes) -> BuildListing | None:
    """Return the kind of listing that a file is by its first bytes, None if it is not a listing."""
    return next((kind for pattern, kind in _HEADS if pattern.match(head)), None)


def files_in_listing(text: str, kind: BuildListing) -> list[BuildFile]:
    """Return the inputs of a link, or the outputs of compilers, each once and in order.

    Raises:
        ValueError: a compilation database is malformed.
    """
    return list(dict.fromkeys(_READERS[kind](text)))


def _named(name: str) -> BuildFile:
    match = _MEMBER.match(name)
    return BuildFile(name, "") if match is None else BuildFile(match[1], match[2])


def _lld_inputs(text: str) -> Iterator[BuildFile]:
    for line in text.splitlines():
        match = _LLD_INPUT.match(line)
        if match is not None and not match[1].startswith(_NOT_FILES):
            yield _named(match[1])


def _gnu_inputs(text: str) -> Iterator[BuildFile]:
    """Yield objects and, of archives, the members that were used."""
    for line in text.splitlines():
        loaded, member = _GNU_LOAD.match(line), _GNU_MEMBER.match(line)
        if loaded is not None and not loaded[1].endswith(_ARCHIVES):
            yield _named(loaded[1])
        elif member is not None and loaded is None:
            yield _named(member[1])


def _apple_inputs(text: str) -> Iterator[BuildFile]:
    objects = text.partition("# Object files:")[2].partition("# Sections:")[0]
    for line in objects.splitlines():
        match = _APPLE_INPUT.match(line)
        if match is not None and not match[1].startswith(_NOT_FILES):
            yield _named(match[1])


def _outputs(text: str) -> Iterator[BuildFile]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"malformed compilation database: {error}") from error
    for entry in entries:
        if not isinstance(entry, dict):
            raise ValueError("malformed compilation database: expected a list of objects")  # noqa: TRY004 - of the file
        output = entry.get("output") or _output_of(_arguments(entry))
        if isinstance(output, str) and output:
            yield BuildFile(str(Path(str(entry.get("directory", "")), output)), "")


def _arguments(entry: dict[str, Any]) -> list[str]:
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list):
        return [str(each) for each in arguments]
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError as error:
        raise ValueError(f"malformed compilation database: {command}: {error}") from error


def _output_of(arguments: Iterable[str]) -> str:
    """Return the output file of a compiler, "" if its options do not name it."""
    pending = iter(arguments)
    for argument in pending:
        if argument in ("-o", "/Fo"):
            return next(pending, "")
        if argument.startswith("/Fo"):
            return argument[len("/Fo") :]
        if argument.startswith("-o") and not argument.startswith("-object"):
            return argument[len("-o") :]
    return ""


_READERS: dict[BuildListing, Callable[[str], Iterator[BuildFile]]] = {
    BuildListing.LLD_MAP: _lld_inputs,
    BuildListing.GNU_MAP: _gnu_inputs,
    BuildListing.APPLE_MAP: _apple_inputs,
    BuildListing.COMPILE_COMMANDS: _outputs,
}

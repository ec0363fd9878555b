"""`bitcodec extract`: take the bitstreams out of a file, and modules that share one apart."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from bitcodec.bitcode.modules import modules_of, single_module
from bitcodec.bitstream.magic import StreamKind
from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.inputs import STANDARD_INPUT, label, streams
from bitcodec.cli.json_documents import json_option, place, print_document
from bitcodec.cli.outputs import STANDARD_OUTPUT, write
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import Failure, UsageError, reported
from bitcodec.files import make_folder
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.containers import FoundStream

__all__ = ["extract"]

_SUFFIXES = {
    StreamKind.LLVM_IR: ".bc",
    StreamKind.CLANG_AST: ".pch",
    StreamKind.CLANG_DIAGNOSTICS: ".dia",
    StreamKind.LLVM_REMARKS: ".opt.bitstream",
    StreamKind.UNKNOWN: ".bitstream",
}
_UNSAFE = re.compile(r"[^\w.+@-]+")
_DEVICE = re.compile(r"(CON|PRN|AUX|NUL|(COM|LPT)[0-9¹²³])(?![^.])", re.IGNORECASE)
"""Names that a file on Windows cannot have, with any suffix."""
_MAX_NAME = 100
"""Bytes of a file name that come from inside the input, the last ones."""


class _Piece(NamedTuple):
    """One output: its origin, its name, its bytes.

    Attributes:
        path: of the bitstream in the file.
        module: number of the module in the bitstream, None if the bitstream is not taken apart.
    """

    path: str
    module: int | None
    name: str
    kind: StreamKind
    data: bytes | memoryview


@command(short_help="Write each bitstream of an object or archive to a file.")
@argument("file")
@option("-o", "--output", metavar="DIR", help="Directory to write to; it is created if it does not exist.")
@option("--list", "only_list", is_flag=True, help="List the bitstreams and write nothing.")
@option("--force", is_flag=True, help="Overwrite existing files.")
@json_option
def extract(file: str, output: str | None, only_list: bool, force: bool, as_json: bool) -> None:  # noqa: FBT001
    """Write each bitstream in FILE to a separate file.

    Bitstreams are found in sections of objects and members of archives.  Modules that share a file are written to
    separate files, without wrappers.

    \b
    Examples:
      bitcodec extract program.o -o modules
      bitcodec extract libfoo.a --list
      bitcodec extract combined.bc -o modules --json | jq -r '.streams[].output'
    """
    if output is None and not only_list:
        raise UsageError("expected -o DIR, or --list to list the streams")
    if output == STANDARD_OUTPUT:
        raise UsageError("-o is a folder here; `bitcodec unwrap` writes to standard output")
    pieces = [piece for found in streams(file) for piece in _pieces(file, found)]
    folder = Path(output or "")
    paths = _paths(folder, pieces)
    if not only_list:
        _write(folder, pieces, paths, force=force)
    if as_json:
        found = [_as_json(file, piece, path) for piece, path in zip(pieces, paths, strict=True)]
        print_document("extract", {"streams": found})
        return
    for piece, path in zip(pieces, paths, strict=True):
        echo(one_line(f"{path}  {len(piece.data):,} bytes, {piece.kind.value}, from {_origin(file, piece)}"))


def _write(folder: Path, pieces: list[_Piece], paths: list[Path], *, force: bool) -> None:
    """Write all pieces, or none if one would take the place of a file.

    Raises:
        Failure: a file is there already, or cannot be written.
    """
    for path in paths:
        if os.path.lexists(path) and not force:
            raise Failure(f"{path}: there is such a file already; --force replaces it")
    with reported(str(folder)):
        make_folder(folder)
    for piece, path in zip(pieces, paths, strict=True):
        # The names are from the input: a link of such a name could lead anywhere.
        write(str(path), piece.data, follow_links=False)


def _pieces(file: str, found: FoundStream) -> Iterator[_Piece]:
    stream, kind = found.stream, found.stream.kind
    own = "stdin" if file == STANDARD_INPUT else Path(file).stem
    # A section's name does not identify its file.
    base = f"{own}.{found.path.lstrip('._')}" if found.path.startswith((".", "_")) else found.path or own
    modules = []
    if kind is StreamKind.LLVM_IR:
        with reported(label(file, found.path), found=found):
            modules = modules_of(stream)
    if len(modules) <= 1:
        yield _Piece(found.path, None, base, kind, stream.payload)
    for number, module in enumerate(modules if len(modules) > 1 else (), 1):
        yield _Piece(found.path, number, f"{base}.{number}", kind, single_module(stream, module))


def _paths(folder: Path, pieces: list[_Piece]) -> list[Path]:
    """Return a path for each piece, directly in the folder, whatever the names inside the input are.

    No two are the same file where letter case or Unicode normalization does not count, and none is a device of Windows.
    """
    taken: set[str] = set()
    paths = []
    for piece in pieces:
        suffix = _SUFFIXES[piece.kind]
        stem = _stem(piece.name, suffix)
        name, number = f"{stem}{suffix}", 1
        while (folded := _folded(name)) in taken:
            number += 1
            name = f"{stem}-{number}{suffix}"
        taken.add(folded)
        paths.append(folder / name)
    return paths


def _stem(name: str, suffix: str) -> str:
    """Return the part of a file name in front of `suffix` for a name from the input."""
    safe = _UNSAFE.sub("_", name).replace("_.", ".").strip("._").removesuffix(suffix)
    stem = safe.encode()[-_MAX_NAME:].decode("utf-8", "ignore").lstrip("._-") or "stream"
    return f"_{stem}" if _DEVICE.match(stem) else stem


def _folded(name: str) -> str:
    normal = normalize("NFKC", name)
    return normalize("NFKC", normal.casefold())


def _origin(file: str, piece: _Piece) -> str:
    origin = label(file, piece.path)
    return origin if piece.module is None else f"{origin}, module {piece.module}"


def _as_json(file: str, piece: _Piece, path: Path) -> dict[str, object]:
    """Return the keys of a piece; all have the same, so that a list of them is a table."""
    return {
        **place(file, piece.path),
        "module": piece.module,
        "kind": piece.kind.value,
        "bytes": len(piece.data),
        "output": str(path),
    }

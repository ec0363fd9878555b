"""Streams as JSON, written in pieces: flat lists, because nested ones would nest as deep as the input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.cli.inputs import decoded, label, names_of
from bitcodec.cli.json_documents import json_line, json_rows, place, schema_name
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.problems import reported
from bitcodec.cli.soundness import check_whole, warn_of_lying_lengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream import Columns
    from bitcodec.bitstream.blockinfo import BlockInfo
    from bitcodec.bitstream.names import Names
    from bitcodec.containers import FoundStream

__all__ = ["write_json"]


def write_json(file: str, found: list[FoundStream], block_info: BlockInfo | None = None) -> None:
    """Print `{"schema": ..., "streams": [{..., "blocks": [...], "records": [...]}]}`.

    Args:
        file: the file.
        found: its streams.
        block_info: the BLOCKINFO in force until a stream defines one. Default: none.

    Raises:
        Failure: a stream is malformed.  Nothing is printed then.
    """
    columns = []
    for one in found:
        columns.append(decoded(one.stream, block_info))
        with reported(label(file, one.path), found=one):
            check_whole(one.stream, columns[-1])
        warn_of_lying_lengths(label(file, one.path), columns[-1])
    write_text(STANDARD_OUTPUT, _document(file, found, columns))


def _document(file: str, found: Iterable[FoundStream], columns: Iterable[Columns]) -> Iterator[str]:
    yield f'{json_line({"schema": schema_name("dump")})[:-1]}, "streams": ['
    between = "\n"
    for one, its in zip(found, columns, strict=True):
        yield between
        yield from _stream(file, one, its)
        between = ",\n"
    yield "\n]}\n"


def _stream(file: str, found: FoundStream, columns: Columns) -> Iterator[str]:
    stream = found.stream
    head = {
        **place(file, found.path),
        "kind": stream.kind.value,
        "magic": stream.magic.hex(),
        "bits": len(stream.payload) * 8,
    }
    names = names_of(stream, columns)
    yield f'{json_line(head)[:-1]}, "blocks": [\n'
    yield from json_rows(_blocks(columns, names))
    yield '\n], "records": [\n'
    yield from json_rows(_records(found, columns, names))
    yield "\n]}"


def _blocks(columns: Columns, names: Names) -> Iterator[dict[str, Any]]:
    blocks = columns.blocks
    for row, block_id in enumerate(blocks.id):
        yield {
            "block": row,
            "id": block_id,
            "name": names.block(block_id),
            "parent": blocks.parent[row] if blocks.parent[row] >= 0 else None,
            "start": blocks.start[row],
            "end": blocks.end[row],
            "abbreviation_width": blocks.abbreviation_width[row],
            "words": blocks.size_in_words[row],
        }


def _records(found: FoundStream, columns: Columns, names: Names) -> Iterator[dict[str, Any]]:
    records = columns.records
    for row, (block, code) in enumerate(zip(records.block, records.code, strict=True)):
        first, last = records.first_operand[row], records.first_operand[row + 1]
        shown = {
            "block": block,
            "code": code,
            "name": names.record(columns.blocks.id[block], code),
            "abbreviation": records.abbreviation[row],
            "start": records.start[row],
            "end": records.end[row],
            "operands": columns.operands[first:last].tolist(),
        }
        blob = columns.blobs.of_record(row)
        if blob is not None:
            start, size = blob
            shown["blob"] = found.stream.payload[start : start + size].hex()
        yield shown

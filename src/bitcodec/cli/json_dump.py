"""Streams as JSON, written as it goes: flat lists, because nested ones would nest as deep as the input."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from bitcodec.cli.inputs import decoded, label, names_of
from bitcodec.cli.problems import reported
from bitcodec.cli.soundness import check_whole, warn_of_lying_lengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream import Columns
    from bitcodec.bitstream.names import Names
    from bitcodec.containers import FoundStream

__all__ = ["write_json"]


def write_json(file: str, found: list[FoundStream]) -> None:
    """Print `{"file": ..., "streams": [{..., "blocks": [...], "records": [...]}]}`.

    Raises:
        Failure: a stream is malformed.  Nothing is printed then.
    """
    columns = []
    for one in found:
        columns.append(decoded(one.stream))
        with reported(label(file, one), found=one):
            check_whole(one.stream, columns[-1])
        warn_of_lying_lengths(label(file, one), columns[-1])
    sys.stdout.write(f'{{"file": {json.dumps(file)}, "streams": [')
    for index, one in enumerate(found):
        _write_stream(one, columns[index], ",\n" if index else "\n")
    sys.stdout.write("\n]}\n")


def _write_stream(found: FoundStream, columns: Columns, before: str) -> None:
    stream = found.stream
    head = {"path": found.path, "kind": stream.kind.value, "magic": stream.magic.hex(), "bits": len(stream.payload) * 8}
    sys.stdout.write(f'{before}{json.dumps(head)[:-1]}, "blocks": [\n')
    names = names_of(found.stream, columns)
    _write_rows(_blocks(columns, names))
    sys.stdout.write('\n], "records": [\n')
    _write_rows(_records(found, columns, names))
    sys.stdout.write("\n]}")


def _write_rows(rows: Iterable[dict[str, Any]]) -> None:
    for index, row in enumerate(rows):
        sys.stdout.write(f",\n{json.dumps(row)}" if index else json.dumps(row))


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

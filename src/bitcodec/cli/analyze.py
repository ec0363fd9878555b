"""`bitcodec analyze`: statistics, as `llvm-bcanalyzer` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitstream.analyzer import summary
from bitcodec.bitstream.statistics import BlockStatistics, block_statistics
from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.given_block_info import block_info_option, read_given_block_info
from bitcodec.cli.inputs import decoded, label, names_of, streams
from bitcodec.cli.json_documents import json_option, place, print_document
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import reported
from bitcodec.cli.soundness import check_whole, warn_of_lying_lengths

if TYPE_CHECKING:
    from bitcodec.bitstream import Columns
    from bitcodec.bitstream.names import Names
    from bitcodec.containers import FoundStream

__all__ = ["analyze", "summary_of"]


@command(short_help="Print statistics of blocks and records, like llvm-bcanalyzer.")
@argument("file", or_standard_input=True)
@option("--no-histogram", is_flag=True, help="Omit the histograms of records.")
@block_info_option
@json_option
def analyze(
    file: str,
    no_histogram: bool,  # noqa: FBT001 - click's call
    block_info: str | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print how many bits of FILE each kind of block and record uses, in the format of llvm-bcanalyzer.

    Without FILE, standard input is read, unless it is a terminal.

    \b
    Examples:
      bitcodec analyze module.bc
      bitcodec analyze module.bc --json | jq '.streams[0].blocks[] | [.name, .bits]'
      cat module.bc | bitcodec analyze -
    """
    results = []
    inputs, given = streams(file), read_given_block_info(block_info)
    for found in inputs:
        title = label(file, found.path)
        columns = decoded(found.stream, given.info)
        with reported(title, names_of(found.stream, columns), found):
            check_whole(found.stream, columns)
        warn_of_lying_lengths(title, columns)
        if as_json:
            results.append(_as_json(file, found, columns))
        else:
            echo(summary_of(found, columns, title, histogram=not no_histogram), nl=False)
    if as_json:
        print_document("analyze", {"streams": results})


def summary_of(found: FoundStream, columns: Columns, title: str, *, histogram: bool = True) -> str:
    """Return the summary of a stream."""
    return summary(
        block_statistics(columns),
        title=title,
        kind=found.stream.kind,
        size=len(found.stream.payload) * 8,
        top_level_blocks=_top_level_blocks(columns),
        names=names_of(found.stream, columns),
        histogram=histogram,
    )


def _top_level_blocks(columns: Columns) -> int:
    return sum(parent < 0 for parent in columns.blocks.parent)


def _as_json(file: str, found: FoundStream, columns: Columns) -> dict[str, Any]:
    names = names_of(found.stream, columns)
    return {
        **place(file, found.path),
        "kind": found.stream.kind.value,
        "bits": len(found.stream.payload) * 8,
        "top_level_blocks": _top_level_blocks(columns),
        "blocks": [_block(block_id, block, names) for block_id, block in block_statistics(columns).items()],
    }


def _block(block_id: int, block: BlockStatistics, names: Names) -> dict[str, Any]:
    return {
        "id": block_id,
        "name": names.block(block_id),
        "count": block.instances,
        "bits": block.bits,
        "blocks": block.blocks,
        "abbreviations": block.definitions,
        "records": [
            {
                "code": code,
                "name": names.record(block_id, code),
                "count": record.count,
                "bits": record.bits,
                "abbreviated": record.abbreviated,
            }
            for code, record in block.records.items()
        ],
    }

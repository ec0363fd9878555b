"""`bitcodec dump`: blocks and records as text, as `llvm-bcanalyzer --dump` prints them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitstream.dump import DumpOptions, dump_chunks
from bitcodec.cli.analyze import summary_of
from bitcodec.cli.declaring import argument, command, option
from bitcodec.cli.given_block_info import block_info_option, read_given_block_info
from bitcodec.cli.inputs import decoded, label, names_of, streams, table_of
from bitcodec.cli.json_documents import json_option
from bitcodec.cli.outputs import print_bytes
from bitcodec.cli.printing import echo
from bitcodec.cli.problems import reported
from bitcodec.cli.soundness import check_whole, warn_of_lying_lengths

if TYPE_CHECKING:
    from bitcodec.bitstream import Columns
    from bitcodec.bitstream.stream import Bitstream

__all__ = ["dump"]


@command(short_help="Print blocks and records, like llvm-bcanalyzer --dump.")
@argument("file", or_standard_input=True)
@option("--non-symbolic", is_flag=True, help="Print ids and codes in addition to names.")
@option("--show-binary-blobs", is_flag=True, help="Show blobs that are not text, with escapes.")
@option("--dump-blockinfo", is_flag=True, help="Show the content of BLOCKINFO blocks.")
@option("--no-histogram", is_flag=True, help="Omit the histograms of records.")
@block_info_option
@option(
    "--check-hash",
    metavar="NAMES",
    default="",
    help="Print whether the hash of the module matches. NAMES: its names in the string table, joined.",
)
@json_option
def dump(
    file: str,
    non_symbolic: bool,  # noqa: FBT001 - click's call
    show_binary_blobs: bool,  # noqa: FBT001
    dump_blockinfo: bool,  # noqa: FBT001
    no_histogram: bool,  # noqa: FBT001
    block_info: str | None,
    check_hash: str,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print every block and record of FILE and their statistics, in the format of llvm-bcanalyzer --dump.

    Of a malformed file, everything before the error is printed.  JSON has flat lists of blocks and records, one a line,
    and is written as it is made.

    Without FILE, standard input is read, unless it is a terminal.

    \b
    Examples:
      bitcodec dump module.bc | less
      bitcodec dump library.a | grep -A3 IDENTIFICATION
      bitcodec dump module.bc --json | jq -c '.streams[0].records[] | select(.name == "TRIPLE")'
    """
    options = DumpOptions(symbolic=not non_symbolic, blobs=show_binary_blobs, block_info=dump_blockinfo)
    found, given = streams(file), read_given_block_info(block_info)
    if as_json:
        from bitcodec.cli.json_dump import write_json  # noqa: PLC0415 - text is the common case

        write_json(file, found, given.info)
        return
    for one in found:
        columns = decoded(one.stream, given.info)
        title = label(file, one.path)
        with reported(title, names_of(one.stream, columns), one):
            _write_wrappers(str(one.stream.wrapper or ""), given.wrapper)
            _write_text(one.stream, columns, options, os.fsencode(check_hash))
            check_whole(one.stream, columns)
        warn_of_lying_lengths(title, columns)
        echo(f"\n\n{summary_of(one, columns, title, histogram=not no_histogram)}", nl=False)


def _write_wrappers(*wrappers: str) -> None:
    for wrapper in filter(None, wrappers):
        print_bytes(f"{wrapper}\n".encode())


def _write_text(stream: Bitstream, columns: Columns, options: DumpOptions, hashed_names: bytes) -> None:
    remarks = DumpRemarks(stream.payload, columns, hashed_names)
    for chunk in dump_chunks(stream.payload, columns, table=table_of(stream), remarks=remarks, options=options):
        print_bytes(chunk)
    print_bytes(b"", flush=True)

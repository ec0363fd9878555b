"""`--block-info FILE`: the BLOCKINFO of another file, for streams without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfo
from bitcodec.bitstream.decoding import decode_block
from bitcodec.cli.declaring import option
from bitcodec.cli.inputs import label, streams
from bitcodec.cli.problems import Failure, reported
from bitcodec.cli.soundness import check_whole
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.bitstream.stream import Bitstream

__all__ = ["NOT_GIVEN", "GivenBlockInfo", "block_info_option", "read_given_block_info"]

block_info_option = option(
    "--block-info", metavar="FILE", help="Use the BLOCKINFO of FILE until the stream has one of its own."
)


class GivenBlockInfo(NamedTuple):
    """The BLOCKINFO of the file that `--block-info` names.

    Attributes:
        info: its content, None if no top-level block is a BLOCKINFO.
        wrapper: text of the wrapper of the file, empty if the file is not wrapped.
    """

    info: BlockInfo | None
    wrapper: str


NOT_GIVEN = GivenBlockInfo(None, "")


def read_given_block_info(path: str | None) -> GivenBlockInfo:
    """Read the first BLOCKINFO at the top level of a file; `llvm-bcanalyzer` considers no other.

    Raises:
        Failure: the file contains more than one stream, or is malformed up to the end of its BLOCKINFO.
    """
    if path is None:
        return NOT_GIVEN
    found = streams(path)
    if len(found) != 1:
        raise Failure(f"{path}: expected one bitstream with BLOCKINFO, found {len(found)}; extract one of them")
    stream = found[0].stream
    with reported(label(path, found[0].path), found=found[0]):
        return GivenBlockInfo(_first_block_info(stream), str(stream.wrapper or ""))


def _first_block_info(stream: Bitstream) -> BlockInfo | None:
    columns = stream.decode(max_depth=0)
    for row, block_id in enumerate(columns.blocks.id):
        if block_id == BLOCKINFO_BLOCK_ID:
            start, size = columns.blocks.start[row], columns.blocks.size_in_words[row] * 4
            block = decode_block(stream.payload, start, size=size)
            if block.error is not None:
                raise block.error
            return block.block_infos[0].info
    check_whole(stream, columns)
    return None

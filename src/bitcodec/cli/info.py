"""`bitcodec info`: one screen on what a file is."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import click

from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream.magic import StreamKind
from bitcodec.bitstream.statistics import block_statistics
from bitcodec.cli.info_text import BlockSize, Info, print_screen
from bitcodec.cli.inputs import decoded, label, names_of, streams
from bitcodec.cli.problems import reported

if TYPE_CHECKING:
    from bitcodec.containers import FoundStream

__all__ = ["info"]


@click.command(short_help="What a file is: producer, target, symbols, sizes.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--symbols", is_flag=True, help="List every symbol, one a line.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def info(files: tuple[str, ...], symbols: bool, as_json: bool) -> None:  # noqa: FBT001 - click's call
    """Print what each FILE is: who wrote it, for what target, what it defines and needs, and what takes the room.

    \b
    Examples:
      bitcodec info module.bc
      bitcodec info --symbols libfoo.a
      bitcodec info *.bc --json | jq -r '.[].streams[].modules[].producer'
    """
    results = []
    for file in files:
        found = [_gathered(file, one) for one in streams(file)]
        if as_json:
            results.append({"file": file, "streams": [_as_json(one) for one in found]})
        else:
            for one in found:
                print_screen(one, every_symbol=symbols)
    if as_json:
        click.echo(json.dumps(results, indent=2))


def _gathered(file: str, found: FoundStream) -> Info:
    """Collect what there is to say.

    Raises:
        Failure: the stream is malformed.
    """
    stream = found.stream
    title = label(file, found)
    columns = decoded(stream)
    names = names_of(stream, columns)
    with reported(title, names, found):
        stream.check(columns)
        modules = summarize(stream) if stream.kind is StreamKind.LLVM_IR else []
    sizes = [
        BlockSize(names.describe_block(block_id), block.instances, block.bits / 8)
        for block_id, block in block_statistics(columns).items()
    ]
    sizes.sort(key=lambda block: block.size, reverse=True)
    wrapper = None
    if stream.wrapper:
        wrapper = f"{stream.wrapper.offset} bytes, CPU type 0x{stream.wrapper.cpu_type:08x}"
    trailing = len(stream.payload) - columns.end // 8
    return Info(title, stream.kind, stream.magic, len(stream.payload), wrapper, modules, sizes, trailing)


def _as_json(one: Info) -> dict[str, Any]:
    return {
        "title": one.title,
        "kind": one.kind.value,
        "magic": one.magic.hex(),
        "bytes": one.size,
        "wrapper": one.wrapper,
        "trailing_bytes": one.trailing,
        "modules": [dataclasses.asdict(module) for module in one.modules],
        "blocks": [dataclasses.asdict(block) for block in one.blocks],
    }

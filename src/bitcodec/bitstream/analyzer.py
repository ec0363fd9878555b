"""Statistics as text, in the words and the order of `llvm-bcanalyzer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitstream.magic import StreamKind
    from bitcodec.bitstream.names import Names
    from bitcodec.bitstream.statistics import BlockStatistics, RecordStatistics

__all__ = ["summary"]


def summary(
    statistics: dict[int, BlockStatistics],
    *,
    title: str,
    kind: StreamKind,
    size: int,
    top_level_blocks: int,
    names: Names,
    histogram: bool = True,
) -> str:
    """Return the summary of a stream of `size` bits, as `llvm-bcanalyzer` prints it of the file `title`."""
    lines = [
        f"Summary of {one_line(title)}:",
        f"         Total size: {_whole_size(size)}",
        f"        Stream type: {kind.value}",
        f"  # Toplevel Blocks: {top_level_blocks}",
        "",
        "Per-block Summary:",
    ]
    for block_id, block in statistics.items():
        name = f" ({names.describe_block(block_id)})" if names.block(block_id) else ""
        lines.append(f"  Block ID #{block_id}{name}:")
        lines.extend(_block_lines(block, size))
        if histogram and block.records:
            lines.extend(_histogram_lines(block, block_id, names))
    return "\n".join(lines) + "\n"


def _block_lines(block: BlockStatistics, size: int) -> Iterator[str]:
    yield f"      Num Instances: {block.instances}"
    yield f"         Total Size: {_whole_size(block.bits)}"
    yield f"    Percent of file: {block.bits * 100.0 / size:2.4f}%"
    if block.instances > 1:
        yield f"       Average Size: {_average_size(block.bits / block.instances)}"
    yield _count_line("SubBlocks", block.blocks, block.instances)
    yield _count_line("Abbrevs", block.definitions, block.instances)
    yield _count_line("Records", block.record_count, block.instances)
    if block.records:
        yield f"    Percent Abbrevs: {block.abbreviated_count * 100.0 / block.record_count:2.4f}%"
    yield ""


def _count_line(what: str, total: int, instances: int) -> str:
    if instances > 1:
        return f"{f'Tot/Avg {what}':>19}: {total}/{total / instances:e}"
    return f"{f'Num {what}':>19}: {total}"


def _histogram_lines(block: BlockStatistics, block_id: int, names: Names) -> Iterator[str]:
    yield "\tRecord Histogram:"
    yield "\t\t  Count    # Bits     b/Rec   % Abv  Record Kind"
    for code, record in sorted(block.records.items(), key=_by_count, reverse=True):
        average = f" {record.bits / record.count:9.1f}" if record.count > 1 else " " * 10
        share = f" {record.abbreviated / record.count * 100:7.2f}" if record.abbreviated else " " * 8
        yield f"\t\t{record.count:7d} {record.bits:9d}{average}{share}  {names.describe_record(block_id, code)}"
    yield ""


def _by_count(item: tuple[int, RecordStatistics]) -> tuple[int, int]:
    code, record = item
    return record.count, code


def _whole_size(bits: int) -> str:
    return f"{bits}b/{bits / 8:.2f}B/{bits // 32}W"


def _average_size(bits: float) -> str:
    return f"{bits:.2f}/{bits / 8:.2f}B/{int(bits / 32)}W"

"""What the bits of a stream are spent on."""

from __future__ import annotations

from bits import Bits, Field

from .forms import Form
from .reference import analyzer_text

NAME: tuple[Field, ...] = (2, "array", "char6")


def example() -> Bits:
    bits = Bits().enter_block(8, width=4).define(*NAME).unabbreviated(1, [2]).abbreviated(4, NAME, [2, *b"abc"])
    for _ in range(2):
        bits.enter_block(9).unabbreviated(300, [1]).end_block()
    return bits.abbreviated(4, NAME, [2]).end_block()


def test_figures(form: Form) -> None:
    figures = form.statistics.block_statistics(form.loads(example().stream()).columns)
    outer, inner = figures[8], figures[9]
    assert list(figures) == [8, 9]
    assert (outer.instances, outer.blocks, outer.definitions, outer.record_count, outer.abbreviated_count) == (
        1,
        2,
        1,
        3,
        2,
    )
    assert (inner.instances, inner.blocks, inner.definitions, inner.record_count, inner.abbreviated_count) == (
        2,
        0,
        0,
        2,
        0,
    )
    name, version = outer.records[2], outer.records[1]
    assert (name.count, name.bits, name.abbreviated) == (2, (4 + 6 + 18) + (4 + 6), 2)
    assert (version.count, version.bits, version.abbreviated) == (1, 4 + 6 + 6 + 6, 0)
    assert (inner.records[300].count, inner.records[300].bits) == (2, 2 * (3 + 12 + 6 + 6))


def test_a_block_counts_from_after_its_id(form: Form) -> None:
    """As LLVM's analyzer does: abbreviation id and block id are the outer block's."""
    figures = form.statistics.block_statistics(form.loads(Bits().enter_block(8).end_block().stream()).columns)
    assert figures[8].bits == 96 - (2 + 8)


def test_all_bits_are_counted_but_the_magic_number_and_ids(form: Form) -> None:
    data = example().stream()
    figures = form.statistics.block_statistics(form.loads(data).columns)
    assert sum(block.bits for block in figures.values()) == len(data) * 8 - 32 - (2 + 8)


def test_blocks_that_are_cut_off_reach_to_the_error(form: Form) -> None:
    stream = example().stream()
    for size in range(16, len(stream), 4):
        columns = form.loads(stream[:size]).decode()
        assert columns.error is not None
        figures = form.statistics.block_statistics(columns)
        assert figures
        assert sum(block.bits for block in figures.values()) <= 8 * size
        assert min(block.bits for block in figures.values()) >= 0


def test_nothing(form: Form) -> None:
    assert form.statistics.block_statistics(form.loads(Bits().stream()).columns) == {}


# Printed by llvm-bcanalyzer 22.1.8 of this very stream, but that it has another name here.
SUMMARY = b"""\
Summary of example.bc:
         Total size: 384b/48.00B/12W
        Stream type: LLVM IR
  # Toplevel Blocks: 1

Per-block Summary:
  Block ID #8 (MODULE_BLOCK):
      Num Instances: 1
         Total Size: 186b/23.25B/5W
    Percent of file: 48.4375%
      Num SubBlocks: 2
        Num Abbrevs: 1
        Num Records: 3
    Percent Abbrevs: 66.6667%

\tRecord Histogram:
\t\t  Count    # Bits     b/Rec   % Abv  Record Kind
\t\t      2        38      19.0  100.00  TRIPLE
\t\t      1        22                    VERSION

  Block ID #9 (PARAMATTR_BLOCK):
      Num Instances: 2
         Total Size: 156b/19.50B/4W
    Percent of file: 40.6250%
       Average Size: 78.00/9.75B/2W
  Tot/Avg SubBlocks: 0/0.000000e+00
    Tot/Avg Abbrevs: 0/0.000000e+00
    Tot/Avg Records: 2/1.000000e+00
    Percent Abbrevs: 0.0000%

\tRecord Histogram:
\t\t  Count    # Bits     b/Rec   % Abv  Record Kind
\t\t      2        54      27.0          UnknownCode300

"""


def test_text(form: Form) -> None:
    assert analyzer_text(form, example().stream(), "example.bc")[1] == SUMMARY


def test_text_without_histograms(form: Form) -> None:
    stream = form.loads(example().stream())
    text = form.analyzer.summary(
        form.statistics.block_statistics(stream.columns),
        title="example.bc",
        kind=stream.kind,
        size=len(stream.payload) * 8,
        top_level_blocks=1,
        names=form.names.Names(form.names_of_llvm.LLVM_IR_NAMES),
        histogram=False,
    )
    kept = [line for line in SUMMARY.decode().splitlines() if not line.startswith("\t")]
    # The blank line after each histogram is gone with it.
    assert [line for line in text.splitlines() if line] == [line for line in kept if line]

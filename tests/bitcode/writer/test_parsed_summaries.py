"""Summaries of parsed text are written as llvm-as 22 writes them: `tests/data/summaries` has its files."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId
from bitcodec.bitcode.writer.summary_contexts import radix_tree
from bitcodec.bitstream import loads as loads_stream
from bitcodec.bitstream.blocks import Block
from bitcodec.builder import add_function

DATA = Path(__file__).parents[2] / "data" / "summaries"
MODULE = (DATA / "text-module.ll").read_text()
INDEX = (DATA / "text-index.ll").read_text()


def written(text: str) -> bytes:
    module = bitcodec.parse_assembly(text)
    module.preserves_use_list_order = True
    return bitcodec.dumps(module)


def summary_block(data: bytes) -> Block:
    (module,) = (block for block in loads_stream(data).blocks if block.id == BlockId.MODULE_BLOCK)
    (found,) = (block for block in module.blocks if block.id in SUMMARY_BLOCKS)
    return found


def test_the_summary_of_a_module() -> None:
    expected = summary_block((DATA / "text-module-22.bc").read_bytes())
    found = summary_block(written(MODULE))
    assert found.abbreviations == expected.abbreviations
    assert [
        (record.code, record.operands, record.abbreviation_id) for record in found.records
    ] == [(record.code, record.operands, record.abbreviation_id) for record in expected.records]  # fmt: skip


def test_an_index_of_several_modules_has_the_same_bytes() -> None:
    assert written(INDEX) == (DATA / "text-index-22.bc").read_bytes()


def test_a_module_for_full_link_time_optimization() -> None:
    flags = '!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"ThinLTO", i32 0}\n'
    assert summary_block(written(MODULE + flags)).id == BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK


def test_an_empty_summary_is_not_written() -> None:
    text = 'define void @f() {\n  ret void\n}\n\n^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))\n^1 = blockcount: 5\n'
    assert bitcodec.loads(written(text)).summary is None


def test_globals_are_found_by_their_guids() -> None:
    module = bitcodec.parse_assembly(MODULE)
    add_function(module, "added", module.context.types.function(module.context.types.void, ()))
    before = module.summary
    after = bitcodec.loads(bitcodec.dumps(module)).summary
    assert before is not None
    assert after is not None
    for guid, value in before.values.items():
        assert [type(summary) for summary in after.values[guid].summaries] == [
            type(summary) for summary in value.summaries
        ]


def test_older_versions_get_no_summary() -> None:
    losses: list[str] = []
    data = bitcodec.dumps(
        bitcodec.parse_assembly(MODULE), llvm_version=19, on_loss=lambda loss: losses.append(str(loss))
    )
    assert bitcodec.loads(data).summary is None
    assert any("ThinLTO summaries" in loss for loss in losses)


def test_contexts_share_outer_frames() -> None:
    contexts = [(1, 2, 3), (2, 3), (4,), (1, 2, 3)]
    tree, places = radix_tree(contexts)
    assert len(tree) < sum(map(len, contexts)) + len(contexts) + 1
    for place, context in zip(places, contexts, strict=True):
        assert tree[place] == len(context)

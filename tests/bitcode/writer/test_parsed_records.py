"""Text becomes the blocks, abbreviations and records that llvm-as 22 makes of it, but for what is listed here."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec.bitcode.assembling import assemble
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitstream import loads as loads_stream
from cli.running import llvm_process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitstream.blocks import Block

DATA = Path(__file__).parents[2] / "data"

LEFT_OUT = {
    BlockId.IDENTIFICATION_BLOCK: "names its producer",
    BlockId.SYMTAB_BLOCK: "a table for linkers, which they rebuild",
    BlockId.STRTAB_BLOCK: "has the texts of the table for linkers at its end",
}
"""Blocks that differ, and why."""
OFFSETS = {(BlockId.MODULE_BLOCK, ModuleCode.VSTOFFSET)}
"""Records of offsets from the begin of the file: the identification block in front has another length."""
UNORDERED = {BlockId.VALUE_SYMTAB_BLOCK: "in LLVM names are in the order of a hash table"}
"""Blocks whose records are compared without their order."""
USE_LISTS = {
    "exceptions-O2-19.bc.ll.gz": "a function that instructions use before and after its definition",
    "ir_types-22.bc.ll.gz": "blocks whose address constants have, before and after the function",
}
"""Texts whose orders of uses differ."""

TEXTS = [
    path
    for path in sorted(DATA.rglob("*.ll.gz"))
    if path.stat().st_size < 6_000 and path.parent.name not in {"newer", "hostile"}
]


def content(block: Block, *, has_orders: bool) -> Iterator[tuple[object, ...]]:
    """Yield what a block and the blocks in it consist of, but for differences that are listed."""
    if block.id in LEFT_OUT or (block.id == BlockId.USELIST_BLOCK and not has_orders):
        return
    yield block.id, block.abbreviation_width, tuple(map(str, block.abbreviations))
    is_function_table = block.id == BlockId.VALUE_SYMTAB_BLOCK and block.parent is not None
    is_function_table = is_function_table and block.parent.id == BlockId.MODULE_BLOCK  # type: ignore[union-attr]
    rows = [
        (
            record.code,
            record.abbreviation_id,
            None
            if (block.id, record.code) in OFFSETS
            else record.operands[:1]
            if is_function_table
            else record.operands,
            bytes(record.blob or b""),
        )
        for record in block.records
    ]
    yield from sorted(rows, key=repr) if block.id in UNORDERED else rows
    for inner in block.blocks:
        yield from content(inner, has_orders=has_orders)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_records_are_those_of_llvm_as(path: Path, tmp_path: Path) -> None:
    _compare(gzip.decompress(path.read_bytes()), path.name, tmp_path)


def test_abbreviations_of_variables_depend_on_variables_alone(tmp_path: Path) -> None:
    _compare(b"@x = external global ptr\ndefine void @f() align 2 {\n  ret void\n}\n", "", tmp_path)


def test_addresses_of_values_that_come_later_are_abbreviated(tmp_path: Path) -> None:
    text = b"""define i32 @f(ptr %p) {
entry:
  br label %first
second:
  %x = getelementptr i32, ptr %q, i64 %i
  %v = load i32, ptr %x
  ret i32 %v
first:
  %q = getelementptr i32, ptr %p, i64 1
  %i = add i64 1, 2
  br label %second
}
"""
    _compare(text, "", tmp_path)


def _compare(data: bytes, name: str, tmp_path: Path) -> None:
    text = tmp_path / "text.ll"
    text.write_bytes(data)
    done = llvm_process("llvm-as", "text.ll", "-o", "-", folder=tmp_path)
    if b"does not verify" in done.stderr:
        return
    if done.returncode:
        with pytest.raises(bitcodec.AssemblyError):
            assemble(text.read_bytes(), "text.ll", "22")
        return
    ours, theirs = (
        [row for block in loads_stream(data).blocks for row in content(block, has_orders=name not in USE_LISTS)]
        for data in (assemble(text.read_bytes(), "text.ll", "22"), done.stdout)
    )
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one == other

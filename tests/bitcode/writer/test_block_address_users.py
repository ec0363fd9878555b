"""The functions that use addresses of blocks of another one: in the order of uses that llvm-as 22 has."""

from __future__ import annotations

import pytest

from bitcodec.bitcode.assembling import assemble
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitstream import loads

DIRECT = """
define ptr @first() {
  ret ptr blockaddress(@f, %b)
}
define ptr @second() {
  ret ptr blockaddress(@f, %b)
}
define void @f() {
  br label %b
b:
  ret void
}
define ptr @third() {
  ret ptr blockaddress(@f, %b)
}
"""
NESTED = """
define i64 @first() {
  ret i64 ptrtoint (ptr blockaddress(@f, %b) to i64)
}
define void @f() {
  br label %b
b:
  ret void
}
define i64 @second() {
  ret i64 ptrtoint (ptr blockaddress(@f, %b) to i64)
}
define ptr @third() {
  ret ptr blockaddress(@f, %b)
}
"""


@pytest.mark.parametrize(("text", "users"), [(DIRECT, (3, 0, 1)), (NESTED, (3, 2, 0))])
def test_users_are_those_of_llvm_as(text: str, users: tuple[int, ...]) -> None:
    blocks = loads(assemble(text.encode(), "text.ll")).blocks
    records = [
        record.operands
        for module in blocks
        if module.id == BlockId.MODULE_BLOCK
        for block in module.blocks
        if block.id == BlockId.FUNCTION_BLOCK
        for record in block.records
        if record.code == FunctionCode.BLOCKADDR_USERS
    ]
    assert records == [users]

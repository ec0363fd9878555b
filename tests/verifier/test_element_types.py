"""An indirect operand without an element type: LLVM does not read such a file, so the model is changed."""

from __future__ import annotations

import bitcodec
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.instructions import Call
from bitcodec.verifier import verify

TEXT = """
define void @f(ptr %p) {
  call void asm "", "*m"(ptr elementtype(i32) %p)
  ret void
}
"""


def test_an_indirect_operand_without_an_element_type() -> None:
    module = bitcodec.parse_assembly(TEXT, dialect=22)
    assert verify(module) == []
    call = next(found for found in module.functions["f"].instructions if isinstance(found, Call))
    call.attributes = AttributeList()
    assert [finding.message for finding in verify(module)] == [
        "Operand for indirect constraint must have elementtype attribute"
    ]

"""The name `phi.constexpr`, which LLVM's reader has for a block of its own while it reads a body with phis."""

from __future__ import annotations

import re

import pytest

import bitcodec

from .streams import llvm_dis

TEXT = """define i32 @with_phi(i1 %c) {
entry:
  br i1 %c, label %phi.constexpr, label %end

phi.constexpr:
  br label %end

end:
  %x = phi i32 [ 1, %entry ], [ 2, %phi.constexpr ]
  ret i32 %x
}

define i32 @value(i1 %phi.constexpr) {
entry:
  br label %end

end:
  %x = phi i32 [ 1, %entry ]
  ret i32 %x
}

define i32 @without_phi(i1 %phi.constexpr) {
entry:
  ret i32 1
}
"""


@pytest.fixture(scope="module")
def data() -> bytes:
    return bitcodec.dumps(bitcodec.parse_assembly(TEXT, dialect=22))


def names(text: str) -> list[str]:
    return re.findall(r"^define.*\(i1 (%\S+)\)|^(phi\S+):", text, re.MULTILINE)


def test_a_name_that_the_spare_block_has_gets_a_number(data: bytes) -> None:
    expected = [("%c", ""), ("", "phi.constexpr1"), ("%phi.constexpr1", ""), ("%phi.constexpr", "")]  # of llvm-dis 22
    module = bitcodec.loads(data)
    assert names(str(module)) == expected
    assert "phi.constexpr" not in module.functions["with_phi"].symbols


def test_names_are_those_of_llvm(data: bytes) -> None:
    assert names(str(bitcodec.loads(data))) == names(llvm_dis(data))

"""Memory for older versions: what their readers and verifiers accept."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec

from .oracles import read, verify

TEXT = """target datalayout = "e-p5:32:32"

define void @f() {
  %a = alloca i32, align 4, addrspace(5)
  ret void
}
"""


def test_slots_in_other_address_spaces(tmp_path: Path) -> None:
    module = bitcodec.parse_assembly(TEXT)
    path = tmp_path / "module.bc"
    path.write_bytes(bitcodec.dumps(module, llvm_version=15))

    assert "%a = alloca i32, align 4, addrspace(5)\n" in read(15, path)
    assert verify(14, path) != ""
    with pytest.raises(bitcodec.EncodingError, match=r"^alloca in an address space other than the data layout's"):
        bitcodec.dumps(module, llvm_version=14)

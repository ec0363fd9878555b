"""Flags of operations for older versions: what a version has is kept, and its reader prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec

from .oracles import read

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "define float @f(float %a) {\n  %b = fadd nnan contract float %a, %a\n  ret float %b\n}\n"


@pytest.mark.parametrize(
    ("version", "flags", "lost"),
    [(4, "nnan", 1), (5, "nnan contract", 0)],
)
def test_contract_is_a_flag_since_llvm_5(version: int, flags: str, lost: int, tmp_path: Path) -> None:
    losses: list[object] = []
    path = tmp_path / "module.bc"
    path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(TEXT), llvm_version=version, on_loss=losses.append))

    assert f"%b = fadd {flags} float %a, %a\n" in read(version, path)
    assert len(losses) == lost

"""Behaviors of module flags for older versions: those that their verifiers know, with the meaning that they had."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec

from .oracles import read, verify

MIN, MAX = (f'i32 {behavior}, !"{{}}", i32 2' for behavior in (8, 7))


@pytest.mark.parametrize(
    ("version", "key", "written", "expected", "lost"),
    [
        (15, "flag", MIN, "i32 8", []),
        (14, "flag", MIN, "i32 1", [("behavior `min` of a module flag", 15, "`error`")]),
        (14, "PIC Level", MIN, "i32 7", [("behavior `min` of a module flag that was `max`", 15, "`max`")]),
        (5, "flag", MAX, "i32 7", []),
        (4, "flag", MAX, "i32 1", [("behavior `max` of a module flag", 5, "`error`")]),
    ],
)
def test_behaviors(
    version: int, key: str, written: str, expected: str, lost: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    losses: list[bitcodec.Loss] = []
    text = f"!llvm.module.flags = !{{!0}}\n!0 = !{{{written.format(key)}}}\n"
    path = tmp_path / "module.bc"
    path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(text), llvm_version=version, on_loss=losses.append))

    assert verify(version, path) == ""
    assert f'!{{{expected}, !"{key}", i32 2}}' in read(version, path)
    assert [(loss.construct, loss.since, loss.instead) for loss in losses] == lost

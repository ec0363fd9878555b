"""Operand bundles with metadata: which readers know them, and what the others report."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec

from .readers import READERS, ask
from .test_diagnosing import only

_TEXT = """
declare void @g()
define void @f() {
  call void @g() [ "foo"(metadata !"abc") ]
  ret void
}
"""
_FIRST = 20


def test_versions_that_know_the_mark_read_it(tmp_path: Path) -> None:
    data = bitcodec.dumps(bitcodec.parse_assembly(_TEXT))
    diagnosis = only(data)
    messages = {verdict.version: verdict.message for verdict in diagnosis.verdicts if verdict.version >= 15}
    assert messages == {version: "" if version >= _FIRST else "Invalid record" for version in messages}
    assert diagnosis.damage is None
    (tmp_path / "bundle.bc").write_bytes(data)
    for version in set(READERS) & set(messages):
        assert ask(version, tmp_path / "bundle.bc").message == messages[version]


def test_older_versions_are_not_written_for() -> None:
    module = bitcodec.parse_assembly(_TEXT)
    with pytest.raises(
        bitcodec.EncodingError, match=r"operand bundle with metadata in @f cannot be written for LLVM 19"
    ):
        bitcodec.dumps(module, llvm_version=19)
    assert bitcodec.dumps(module, llvm_version=20)

"""What the release notes of LLVM 3.0 to 3.9 say of the syntax of the IR, change by change.

Old text is parsed to the same module as today's text of the same meaning, whether its dialect is named or detected.
"""

from __future__ import annotations

import pytest

import bitcodec
from corpus import FOLDER, needs_corpus

from . import changes_3_0_to_3_4, changes_3_5_to_3_9
from .change import Change

CHANGES = changes_3_0_to_3_4.CHANGES + changes_3_5_to_3_9.CHANGES


@pytest.mark.parametrize("change", [pytest.param(each, id=f"{each.release}: {each.name}") for each in CHANGES])
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "detected"])
def test_old_text_is_todays(change: Change, is_named: bool) -> None:
    old = bitcodec.parse_assembly(change.old, dialect=change.dialect if is_named else None)
    assert str(old) == str(bitcodec.parse_assembly(change.today, dialect=22))


LOCALS = """define void @foo(i32 %v) {
entry:
  call void @llvm.bar(metadata !{i32 %v})
  call void @llvm.bar(metadata !{i32 0, i32 %v})
  call void @llvm.bar(metadata !{metadata !{metadata !{i32 %v}}})
  ret void
}
declare void @llvm.bar(metadata)
"""


@needs_corpus
@pytest.mark.parametrize("dialect", [None, "3.5"])
def test_nodes_of_functions_are_those_of_bitcode_of_llvm_3_5(dialect: str | None) -> None:
    bitcode = bitcodec.open(FOLDER / "legacy" / "function-local-metadata.3.5.ll.bc")
    texts = [str(bitcodec.parse_assembly(LOCALS, dialect=dialect)), str(bitcode)]
    assert len({text[text.index("define") :] for text in texts}) == 1

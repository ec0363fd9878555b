"""Debug information that libNVVM does not take."""

from __future__ import annotations

import bitcodec
from bitcodec.ir.debug_info import DICompositeType

from .test_nvvm import lowered


def test_subprograms_without_a_unit_are_detached_from_bodies() -> None:
    """libNVVM ends on a body with one."""
    text = """target triple = "nvptx64-nvidia-cuda"
define void @f() !dbg !0 {
  ret void
}
!llvm.module.flags = !{!1}
!0 = distinct !DISubprogram(scope: null, spFlags: 0)
!1 = !{i32 1, !"Debug Info Version", i32 3}
"""
    read, losses = lowered(bitcodec.parse_assembly(text))
    assert read.functions["f"].subprogram is None
    assert "subprogram of a function with a body that is not a definition" in [loss.construct for loss in losses]


UNION = """
target triple = "nvptx64-nvidia-cuda"
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug, retainedTypes: !3)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{!4}
!4 = !DICompositeType(tag: DW_TAG_union_type, name: "u", size: 32)
"""


def test_unions_have_a_file() -> None:
    read, losses = lowered(bitcodec.parse_assembly(UNION))
    (union,) = read.debug_info.types
    assert isinstance(union, DICompositeType)
    assert union.file is not None
    assert "file of a class or union in debug information, which is missing" in [loss.construct for loss in losses]

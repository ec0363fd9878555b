"""Debug information that libNVVM does not take."""

from __future__ import annotations

import bitcodec

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
    assert "subprogram of a function with a body that is no definition" in [loss.construct for loss in losses]

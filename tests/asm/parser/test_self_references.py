"""Nodes that refer to themselves, and nodes in front of them with the same content."""

from __future__ import annotations

import bitcodec

TEXT = """
!a = !{!1, !2, !3, !4, !5, !6, !10, !11, !12}
!1 = !{!2}
!3 = !{!2}
!2 = !{!2}
!4 = !{!2}
!6 = !{!5, !"x", i32 1}
!5 = !{!5, !"x", i32 1}
!10 = distinct !{!11}
!11 = !{!11}
!12 = !{!11}
"""
PRINTED = """
!a = !{!0, !0, !0, !1, !2, !2, !3, !4, !5}

!0 = distinct !{!0}
!1 = !{!0}
!2 = distinct !{!2, !"x", i32 1}
!3 = distinct !{!4}
!4 = distinct !{!4}
!5 = !{!4}
"""
"""As llvm-as and llvm-dis 22.1.8 print it."""


def test_tuples_in_front_of_a_self_reference_with_its_content_are_the_same_node() -> None:
    assert str(bitcodec.parse_assembly(TEXT)).endswith(PRINTED)

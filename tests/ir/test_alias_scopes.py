"""Domains of alias scopes as LLVM 24 has them are told from other nodes."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.ir.alias_scopes import flags_of_domains, has_flags, is_domain

SOURCE = """
!d = !{{!0}}
!0 = {}
!1 = !{{}}
"""
DOMAINS = ["distinct !{!0, i1 true}", 'distinct !{!0, i1 false, !"name"}', '!{!"name", i1 true}']
OTHERS = [
    "distinct !{!0}",
    'distinct !{!0, !"name"}',
    "distinct !{!0, i32 1}",
    "distinct !{!1, i1 true}",
    "distinct !{!0, i1 true, !1}",
    'distinct !{!0, i1 true, !"name", !"more"}',
    '!DIBasicType(name: "i1")',
]


@pytest.mark.parametrize("node", [*DOMAINS, *OTHERS])
def test_domains(node: str) -> None:
    module = bitcodec.parse_assembly(SOURCE.format(node))
    (found,) = module.named_metadata["d"].operands
    assert is_domain(found, flags_of_domains(module.context)) == (node in DOMAINS)


@pytest.mark.parametrize(("node", "expected"), [(DOMAINS[0], True), (DOMAINS[1], True), (OTHERS[2], False)])
def test_a_context_has_flags(node: str, expected: bool) -> None:
    assert has_flags(bitcodec.parse_assembly(SOURCE.format(node)).context) == expected

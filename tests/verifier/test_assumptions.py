"""Which bundles of `llvm.assume` the verifier looks at."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.verifier import verify

MODULE = """\
declare void @llvm.assume(i1)
define void @f(ptr %p) {{
  call void @llvm.assume(i1 true) [ {} ]
  ret void
}}
"""


@pytest.mark.parametrize(
    ("bundles", "messages"),
    [
        ('"ignore"(), "align"(ptr %p)', []),
        ('"cold"(), "align"(ptr %p)', ["alignment assumptions should have 2 or 3 arguments"]),
        ('"align"(ptr %p), "ignore"()', ["alignment assumptions should have 2 or 3 arguments"]),
    ],
)
def test_llvm_looks_at_no_bundle_after_one_to_ignore(bundles: str, messages: list[str]) -> None:
    module = bitcodec.parse_assembly(MODULE.format(bundles), dialect=22)
    assert [finding.message for finding in verify(module)] == messages

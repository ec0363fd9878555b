"""Convergence regions of deep control flow: the work goes with the size of the module, and nothing recurses."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.errors import BitcodecError
from bitcodec.verifier import verifier, verify

DEEP = 2_000
COUNT = 500
DECLARATIONS = """
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
"""


def nested_cycles(depth: int, outer: str, again: int = 0) -> str:
    """Return cycles around one block: each has a header, and the innermost block leads to all headers.

    Args:
        depth: number of cycles.
        outer: the end of an edge from the first block.
        again: number of edges from the innermost block to itself.
    """
    headers = "\n".join(f"h{level}:\n  br label %h{level + 1}" for level in range(depth))
    cases = "\n".join(f"i32 {level}, label %h{level}" for level in range(depth))
    cases += "\n" + "\n".join(f"i32 {depth + number}, label %h{depth}" for number in range(again))
    return f"""{DECLARATIONS}
define void @f(i32 %x, i1 %c) {{
  %t = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %{outer}, label %h0
{headers}
h{depth}:
  call void @g() [ "convergencectrl"(token %t) ]
  switch i32 %x, label %exit [ {cases} ]
exit:
  ret void
}}
"""


def test_deep_cycles() -> None:
    (finding,) = verify(bitcodec.parse_assembly(nested_cycles(DEEP, "exit")))
    assert finding.message.startswith("Convergence token used by an instruction other than")


def test_too_many_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    module = bitcodec.parse_assembly(nested_cycles(COUNT, f"h{COUNT}", again=COUNT))
    assert len(verify(module)) == 1
    monkeypatch.setattr(verifier, "_FREE_REGION_VISITS", 0)
    with pytest.raises(BitcodecError, match="nested too deep"):
        verify(module)

"""Properties that older readers refuse: with the messages of the readers of LLVM 10 to 23."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.doctor import Verdict, diagnose

CALL = "declare {type} @g()\ndefine void @f() {{\n  %r = call nnan {type} @g()\n  ret void\n}}"
PHI = """
define void @f({type} %x) {{
a:
  br label %b
b:
  %r = phi nnan {type} [ %x, %a ]
  ret void
}}
"""
SCOPES = """
define i32 @f(ptr %p) {{
  %v = load i32, ptr %p, align 4, !{kind} !0
  ret i32 %v
}}
!0 = !{{!1}}
!1 = distinct !{{!1, !2, !"scope"}}
!2 = distinct !{{{domain}}}
"""
LIST, FLOATS = "{ float, float }", "[2 x float]"
NO_SCALAR = "Fast-math-flags specified for call without floating-point scalar or vector return type"
TWO, STRING = "domain must have one or two operands", "second domain operand must be string (if used)"


def verdicts(text: str, *, version: int = 22) -> dict[int, Verdict]:
    data = bitcodec.dumps(bitcodec.loads(text.encode(), "case"), llvm_version=version)
    return {each.version: each for each in diagnose(data)[0].verdicts}


@pytest.mark.parametrize(
    ("text", "written_for", "last", "message"),
    [
        (CALL.format(type=LIST), 22, 19, NO_SCALAR),
        (PHI.format(type=LIST), 22, 19, "Invalid phi record"),
        (CALL.format(type=FLOATS), 14, 9, ""),
    ],
    ids=["call of a structure", "phi of a structure", "call of an array"],
)
def test_fast_math_flags_of_aggregates(text: str, written_for: int, last: int, message: str) -> None:
    found = verdicts(text, version=written_for)
    assert (found[last].reads, found[last].message) == (False, message)
    assert found[last].advice[0] == f"bitcodec downgrade --llvm {last}"
    assert found[last + 1].is_clean


@pytest.mark.parametrize("kind", ["alias.scope", "noalias"])
@pytest.mark.parametrize(
    ("domain", "message"),
    [('!2, i1 true, !"d"', TWO), ("!2, i1 false", STRING), ('!"d", i1 true', STRING)],
)
def test_domains_of_llvm_24(domain: str, message: str, kind: str) -> None:
    text = SCOPES.format(domain=domain, kind=kind)
    data = bitcodec.dumps(bitcodec.loads(text.encode(), "case"))
    [diagnosis] = diagnose(data)
    assert diagnosis.needs == 24
    for version in (15, 22, 23):
        verdict = diagnosis.verdict(version)
        assert [each.message for each in verdict.rejected] == [message]
    for version in (15, 21):
        assert verdicts(text, version=version)[version].is_clean


def test_other_nodes_of_that_form_are_no_domains() -> None:
    for text in (SCOPES.format(domain='!2, !"d"', kind="noalias"), SCOPES.format(domain="!2, i1 true", kind="other")):
        assert diagnose(bitcodec.dumps(bitcodec.loads(text.encode(), "case")))[0].verdict(15).is_clean


@pytest.mark.parametrize(("flag", "last"), [("nnan", 3), ("contract", 4), ("afn", 5), ("reassoc", 5)])
def test_calls_whose_fast_math_flags_are_all_newer(flag: str, last: int) -> None:
    """The message is that of LLVM 4 and 5."""
    data = bitcodec.dumps(bitcodec.loads(CALL.format(type="float").replace("nnan", flag).encode(), "case"))
    for verdict in diagnose(data, [4, 5, 6])[0].verdicts:
        found = [each.message for each in verdict.obstacles if each.rule == "call-fast-math"]
        expected = ["Fast math flags indicator set for call with no FMF"] if verdict.version <= last else []
        assert found == expected

"""A new flag of an instruction is an enumerator and a row in `bitcodec.tables.instruction_flags`, and nothing else.

The tests add flags to a copy of the sources, as `docs/add-a-flag.md` describes, and let the copy do what bitcodec does
with flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.tables.drills import check_drill

if TYPE_CHECKING:
    from pathlib import Path

CHANGES = (
    ("    WEAK = 2\n", "    WEAK = 2\n    ELASTIC = 4\n"),
    (
        '    Flag("volatile", _ACCESSES, AccessFlags.VOLATILE, is_whole=True),\n',
        """    Flag("volatile", ("load",), AccessFlags.VOLATILE),
    Flag("volatile", _ACCESSES[1:], AccessFlags.VOLATILE, is_whole=True),
    Flag("elastic", ("load",), AccessFlags.ELASTIC, since=21, misread_as="volatile"),
""",
    ),
)

PROGRAM = '''
import bitcodec
from bitcodec.builder import Builder
from bitcodec.doctor import diagnose
from bitcodec.ir import AccessFlags

text = """define i32 @f(ptr %p) {
  %a = load volatile elastic i32, ptr %p, align 4
  %b = load atomic elastic i32, ptr %p acquire, align 4
  %c = load i32, ptr %p, align 4
  ret i32 %c
}
"""
module = bitcodec.parse_assembly(text)
assert text in str(module), str(module)

data = bitcodec.dumps(module)
again = bitcodec.loads(data)
assert text in str(again), str(again)
first, second, third, end = again.functions["f"].instructions
assert first.flags == AccessFlags.VOLATILE | AccessFlags.ELASTIC
assert first.is_volatile and not second.is_volatile and second.flags == AccessFlags.ELASTIC

third.flags = "elastic"
assert "%c = load elastic i32" in str(again)
try:
    third.flags = "plastic"
except ValueError as error:
    assert "elastic" in str(error), error
else:
    raise AssertionError("a flag that is not there was set")
copy = third.clone()
assert copy.flags == AccessFlags.ELASTIC
builder = Builder(end.parent)
builder.at_start(end.parent)
made = builder.load(third.type, third.pointer, flags="elastic")
assert made.flags == AccessFlags.ELASTIC and not made.is_volatile

losses = []
older = bitcodec.loads(bitcodec.dumps(module, llvm_version=20, on_loss=losses.append))
assert [(loss.construct, loss.occurrences) for loss in losses] == [("flag `elastic` of load", 2)], losses
assert "load volatile i32" in str(older) and "elastic" not in str(older)
assert "volatile elastic" in str(bitcodec.loads(bitcodec.dumps(module, llvm_version=21)))

reads_20, reads_21 = diagnose(data, [20, 21])[0].verdicts
assert [each.construct for each in reads_20.misread] == ["flag `elastic` of load, read as `volatile`,"], reads_20
assert reads_21.misread == ()
print("done")
'''


FAST_MATH_CHANGES = (
    ("    FAST = 254\n", "    ELASTIC = 256\n    FAST = 510\n"),
    (
        '    FastMathFlag("afn", FastMathFlags.AFN, since=6),\n',
        """    FastMathFlag("afn", FastMathFlags.AFN, since=6),
    FastMathFlag("elastic", FastMathFlags.ELASTIC, since=21),
""",
    ),
    (
        '    FastMath(("uitofp",), since=23, shift=1),\n',
        """    FastMath(("uitofp",), since=20, shift=1),
    FastMath(("trunc",), since=19, shift=2),
""",
    ),
)

FAST_MATH_PROGRAM = '''
import bitcodec
from bitcodec import bitstream
from bitcodec.builder import Builder
from bitcodec.doctor import diagnose
from bitcodec.ir import CastFlags, FastMathFlags

text = """define float @f(i32 %x, float %y) {
  %a = trunc nnan elastic nuw i32 %x to i8
  %b = uitofp fast nneg i32 %x to float
  %c = uitofp elastic i32 %x to float
  %d = fadd reassoc elastic float %c, %y
  %e = trunc i32 %x to i8
  ret float %d
}
"""
module = bitcodec.parse_assembly(text)
assert text in str(module), str(module)

data = bitcodec.dumps(module)
body = bitstream.loads(data).edit().block(8).block(12)
assert [record.operands[3] for record in body.records if record.code == 3 and len(record.operands) > 3] == [
    1 | (2 | 256) << 2, 1 | 510 << 1, 256 << 1
]
again = bitcodec.loads(data)
assert text in str(again), str(again)
first, second, third, fourth, fifth, end = again.functions["f"].instructions
assert first.fast_math == FastMathFlags.NNAN | FastMathFlags.ELASTIC and first.flags == CastFlags.NUW

fifth.fast_math = "elastic"
assert "%e = trunc elastic i32" in str(again)
try:
    fifth.fast_math = "plastic"
except ValueError as error:
    assert "elastic" in str(error), error
else:
    raise AssertionError("a flag that is not there was set")
builder = Builder(end.parent)
builder.at_start(end.parent)
made = builder.uitofp(second.operands[0], second.type, nneg=True, fast_math="elastic")
assert made.fast_math == FastMathFlags.ELASTIC and made.flags == CastFlags.NNEG


def older(version):
    losses = []
    data = bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)
    return str(bitcodec.loads(data)), [(loss.construct, loss.occurrences) for loss in losses]


text_20, losses_20 = older(20)
assert losses_20 == [("fast-math flag `elastic`", 4)], losses_20
assert "trunc nnan nuw i32" in text_20 and "uitofp reassoc nnan" in text_20 and "fadd reassoc float" in text_20, text_20
text_18, losses_18 = older(18)
assert "trunc i32" in text_18 and "uitofp i32" in text_18 and "fadd reassoc float" in text_18, text_18
assert {*losses_18} >= {("fast-math flags of trunc", 1), ("fast-math flags of uitofp", 2)}, losses_18

reads_17, reads_21 = diagnose(data, [17, 21])[0].verdicts
assert [each.construct for each in reads_17.obstacles] == ["flags of a cast (nneg, nuw, nsw or fast-math)"], reads_17
assert reads_21.is_clean
print("done")
'''


@pytest.mark.parametrize(
    ("changes", "program"),
    [(CHANGES, PROGRAM), (FAST_MATH_CHANGES, FAST_MATH_PROGRAM)],
    ids=["flag", "fast-math flag, and casts with them"],
)
def test_a_new_flag_is_one_row(changes: tuple[tuple[str, str], ...], program: str, tmp_path: Path) -> None:
    check_drill(tmp_path, "tables/instruction_flags.py", changes, program)

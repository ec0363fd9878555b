"""A new cast is a row in `bitcodec.tables.opcodes`; a flag of addresses is one that constant expressions have, too.

The tests change a copy of the sources, as `docs/a-new-llvm.md` describes, and let the copy do what bitcodec does with
casts and flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tables.drills import check_drill

if TYPE_CHECKING:
    from pathlib import Path

CAST = '    CastOpcode("ptrtoaddr", 69, _POINTER, _INTEGER, since=22, instead="ptrtoint"),\n'
CASTS = CAST + '    CastOpcode("ptrtotag", 70, _POINTER, _INTEGER, since=21, instead="ptrtoint"),\n'
OF_CASTS = '''
import bitcodec
from bitcodec import bitstream
from bitcodec.corpus import OPCODE_NUMBERS
from bitcodec.doctor import diagnose
from bitcodec.ir import Cast
from bitcodec.verifier import verify

text = """@g = global i64 ptrtotag (ptr @g to i64)

define i64 @f(ptr %p) {
  %a = ptrtotag ptr %p to i64
  %b = add i64 %a, ptrtotag (ptr @f to i64)
  ret i64 %b
}
"""
module = bitcodec.parse_assembly(text)
assert text in str(module), str(module)

data = bitcodec.dumps(module)
records = bitstream.loads(data).edit().block(8).block(11).records
assert [record.operands[0] for record in records if record.code == 11] == [14]
again = bitcodec.loads(data)
assert text in str(again), str(again)
assert list(verify(again)) == []
first = again.functions["f"].blocks[0].instructions[0]
assert first.opcode == "ptrtotag" and OPCODE_NUMBERS["ptrtotag"] == 70
assert Cast("ptrtotag", first.operand, first.type).opcode == "ptrtotag"
for wrong in ("ptrtotag i64 0 to i64", "ptrtotag ptr %p to ptr"):
    try:
        bitcodec.parse_assembly(f"define void @f(ptr %p) {{\\n  %a = {wrong}\\n  ret void\\n}}")
    except bitcodec.AssemblyError as error:
        assert "invalid cast opcode for cast from" in str(error), error
    else:
        raise AssertionError(wrong)

losses = []
older = str(bitcodec.loads(bitcodec.dumps(module, llvm_version=20, on_loss=losses.append)))
assert {(loss.construct, loss.since) for loss in losses} == {("ptrtotag", 21)}, losses
assert text.replace("ptrtotag", "ptrtoint") in older, older
assert text in str(bitcodec.loads(bitcodec.dumps(module, llvm_version=21)))
oldest = str(bitcodec.loads(bitcodec.dumps(module, llvm_version=13)))
assert "ptrtoint (ptr @g to i64)" in oldest and "ptrtotag" not in oldest, oldest

reads_20, reads_21 = diagnose(data, [20, 21])[0].verdicts
assert [each.construct for each in reads_20.misread] == ["constant ptrtotag, read as undef,"], reads_20
assert [each.construct for each in reads_20.obstacles] == ["ptrtotag"], reads_20
assert reads_21.is_clean
print("done")
'''

FLAGS = (
    ("    NUSW = 2\n    NUW = 4\n", "    NUSW = 2\n    NUW = 4\n    TAGGED = 8\n"),
    (
        '    Flag("inalloca",',
        '    Flag("tagged", ("getelementptr",), GEPFlags.TAGGED, since=21),\n    Flag("inalloca",',
    ),
)
OF_FLAGS = '''
import bitcodec
from bitcodec import bitstream
from bitcodec.ir import GEPFlags

text = """@g = global [4 x i8] zeroinitializer
@p = global ptr getelementptr inbounds nuw tagged (i8, ptr @g, i64 1)
@q = global ptr getelementptr tagged inrange(-1, 2) (i8, ptr @g, i64 1)
"""
module = bitcodec.parse_assembly(text)
assert text in str(module), str(module)
data = bitcodec.dumps(module)
records = bitstream.loads(data).edit().block(8).block(11).records
assert [record.operands[1] for record in records if record.code in (31, 32)] == [15, 8]
again = bitcodec.loads(data)
assert text in str(again), str(again)
assert again.global_variables["q"].initializer.flags == GEPFlags.TAGGED

losses = []
older = str(bitcodec.loads(bitcodec.dumps(module, llvm_version=20, on_loss=losses.append)))
lost = "flag `tagged` of getelementptr"
assert [(loss.construct, loss.place) for loss in losses] == [(lost, "p"), (lost, "q")], losses
assert text.replace(" tagged", "") in older, older
assert text in str(bitcodec.loads(bitcodec.dumps(module, llvm_version=21)))
oldest = str(bitcodec.loads(bitcodec.dumps(module, llvm_version=18)))
assert "getelementptr inbounds (i8, ptr @g, i64 1)" in oldest and "tagged" not in oldest, oldest
print("done")
'''


def test_a_new_cast_is_one_row(tmp_path: Path) -> None:
    check_drill(tmp_path, "tables/opcodes.py", [(CAST, CASTS)], OF_CASTS)


def test_a_new_flag_of_addresses_in_constants_is_one_row(tmp_path: Path) -> None:
    check_drill(tmp_path, "tables/instruction_flags.py", FLAGS, OF_FLAGS)

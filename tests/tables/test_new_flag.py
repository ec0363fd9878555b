"""A new flag of an instruction is an enumerator and a row in `bitcodec.tables.instruction_flags`, and nothing else.

The test adds one to a copy of the sources, as `docs/add-a-flag.md` describes, and lets the copy do what bitcodec does
with flags.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import bitcodec

PACKAGE = Path(bitcodec.__file__).parent
TABLE = "tables/instruction_flags.py"
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


def test_a_new_flag_is_one_row(tmp_path: Path) -> None:
    copy = tmp_path / "bitcodec"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.so", "*.pxd", "__pycache__"))
    table = copy / TABLE
    text = table.read_text()
    for old, new in CHANGES:
        assert text.count(old) == 1
        text = text.replace(old, new)
    table.write_text(text)

    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("done\n", "")

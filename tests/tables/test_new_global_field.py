"""A new field of a global is a row in `bitcodec.tables.globals`, and nothing else.

The test adds one to a copy of the sources, as `docs/add-a-field-of-globals.md` describes, and lets the copy do what
bitcodec does with fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tables.drills import check_drill

if TYPE_CHECKING:
    from pathlib import Path

ABOVE = '    GlobalField("comdat", K.COMDAT'
ROWS = """\
    GlobalField("hot", K.BOOLEAN, _VARIABLE, variable=18, place=P.BACK, python_name="is_hot", since=24,
        construct="flag `hot` of a global variable", ignored="flag `hot` of a global variable, which it ignores,"),
    GlobalField("reach", K.MEMBER, _FUNCTION, function=20, place=P.BACK, members=Visibility, default=Visibility.DEFAULT,
        since=23, construct="reach of a function"),
"""

PROGRAM = '''
import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.builder import add_variable
from bitcodec.doctor import diagnose
from bitcodec.linker import link
from bitcodec.linker.prototypes import copy_properties
from bitcodec.tables.linkage import Visibility

VARIABLES = """@a = global i32 1, section "s", hot, align 4
@b = global i32 2, align 4
"""
FUNCTION = 'declare void @f() section "s" reach "hidden" align 16'
module = bitcodec.parse_assembly(VARIABLES + FUNCTION)
assert VARIABLES in str(module) and FUNCTION in str(module), str(module)

data = bitcodec.dumps(module)
records = bitstream.loads(data).edit().block(BlockId.MODULE_BLOCK).records
written = [list(each.operands[20:]) for each in records if each.code == ModuleCode.GLOBALVAR]
assert written == [[1], []], written
again = bitcodec.loads(data)
assert VARIABLES in str(again) and FUNCTION in str(again), str(again)
first, second = again.global_variables
assert first.is_hot is True and second.is_hot is False
assert again.functions[0].reach is Visibility.HIDDEN

second.is_hot, again.functions[0].reach = True, "protected"
assert "@b = global i32 2, hot, align 4" in str(again) and 'reach "protected"' in str(again)
for value, attribute, wrong in ((second, "is_hot", "yes"), (again.functions[0], "reach", 1)):
    try:
        setattr(value, attribute, wrong)
    except TypeError as error:
        assert attribute in str(error), error
    else:
        raise AssertionError(f"{attribute} was set to {wrong!r}")
built = add_variable(again, "c", first.value_type, 3, is_hot=True)
assert built.is_hot and "hot" in str(built)

user = bitcodec.parse_assembly("""@a = external global i32
define ptr @get() {
  ret ptr @a
}
""")
linked = link([user, bitcodec.parse_assembly(VARIABLES)])
assert linked.global_variables["a"].is_hot
copy_properties(linked.global_variables["a"], linked.global_variables["b"])
assert linked.global_variables["b"].is_hot

losses = []
older = bitcodec.loads(bitcodec.dumps(module, llvm_version=22, on_loss=losses.append))
assert [(loss.construct, loss.since, loss.place) for loss in losses] == [
    ("flag `hot` of a global variable", 24, "a"), ("reach of a function", 23, "f")
], losses
assert "hot" not in str(older) and "reach" not in str(older)

reads_22, reads_24 = diagnose(data, [22, 24])[0].verdicts
assert [each.construct for each in reads_22.misread] == ["flag `hot` of a global variable, which it ignores,"], reads_22
assert reads_24.is_clean
print("done")
'''


def test_a_new_field_is_one_row(tmp_path: Path) -> None:
    check_drill(tmp_path, "tables/globals.py", [(ABOVE, ROWS + ABOVE)], PROGRAM)

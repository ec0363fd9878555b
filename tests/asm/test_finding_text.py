"""Values below the messages of the verifier, as LLVM prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bitcodec
from bitcodec.asm.finding_text import FindingPrinter
from bitcodec.ir.attributes import AttributeList, AttributeSet, EnumAttribute, IntegerAttribute
from bitcodec.ir.debug_records import DbgVariableKind
from bitcodec.ir.findings import Finding

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

TEXT = """\
%s = type { i32, ptr }
$c = comdat any
@g = global i32 1, comdat($c)
@h = global %s zeroinitializer
define void @f(i32 %x) #1 {
  %1 = add i32 %x, 1, !kind !1
  br label %2
2:
  call void @f(i32 %1) #0
  call void @f(i32 %1) #2
  ret void
}
attributes #0 = { cold }
attributes #1 = { "f" }
attributes #2 = { hot }
!named = !{!0}
!0 = !{!"first", !1}
!1 = !{i32 7}
"""


def text_of(module: Module, *values: object) -> str:
    """Return what is printed below a message."""
    text = FindingPrinter(module).text_of(Finding("message", module, module, values))
    assert text.startswith("message\n")
    return text.removeprefix("message\n")


def test_values_of_each_kind() -> None:
    module = bitcodec.parse_assembly(TEXT)
    function = module.functions["f"]
    first, second = function.blocks
    number = module.named_metadata["named"].operands[0].operands[1]
    assert text_of(module) == ""
    assert text_of(module, None) == ""
    assert text_of(module, first.instructions[0]) == "  %1 = add i32 %x, 1, !kind !1\n"
    assert text_of(module, second) == "label %2\n"
    assert text_of(module, function, function.arguments[0]) == "ptr @f\ni32 %x\n"
    assert text_of(module, number, None, number.operands[0]) == "!1 = !{i32 7}\ni32 7\n"
    assert text_of(module, module.named_metadata["named"]) == "!named = !{!0}\n\n"
    assert text_of(module, module.comdats["c"]) == "$c = comdat any\n"
    simple, struct = (variable.value_type for variable in module.global_variables)
    assert text_of(module, simple, struct) == " i32 %s = type { i32, ptr }"
    assert text_of(module, 3, True) == "3\n1\n"
    assert text_of(module, DbgVariableKind.DECLARE) == "declare"


def test_groups_are_numbered_with_the_functions_that_are_printed() -> None:
    module = bitcodec.parse_assembly(TEXT)
    calls = module.functions["f"].blocks[1].instructions
    assert text_of(module, calls[1]) == "  call void @f(i32 %1) #2\n"
    assert text_of(module, calls[0]) == "  call void @f(i32 %1) #1\n"


def test_attributes() -> None:
    module = bitcodec.parse_assembly(TEXT)
    cold, aligned = AttributeSet([EnumAttribute("cold")]), AttributeSet([IntegerAttribute("align", 8)])
    assert text_of(module, EnumAttribute("cold"), aligned) == "cold\nalign 8\n"
    attributes = AttributeList(cold, aligned, {1: aligned})
    lines = ["AttributeList[", "  { function => cold }", "  { return => align 8 }", "  { arg(1) => align 8 }", "]\n"]
    assert text_of(module, attributes) == "\n".join(lines)

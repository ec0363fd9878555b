"""Text to modules and back: what the printer prints is what was parsed."""

from __future__ import annotations

import pytest

import bitcodec

MODULE = """\
source_filename = "x.c"
target triple = "x86_64-unknown-linux-gnu"

%T = type { i32, ptr }

@s = constant [3 x i8] c"ab\\00"
@t = global %T { i32 1, ptr @f }
@v = global <4 x i32> splat (i32 3)
@h = global i32 7

; Function Attrs: nounwind memory(read, argmem: readwrite)
define i32 @f(i32 %x, ptr noundef %p) #0 {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b

a:                                                ; preds = %entry
  %l = load i32, ptr %p, align 4
  br label %b

b:                                                ; preds = %a, %entry
  %r = phi i32 [ %l, %a ], [ 0, %entry ]
  %z = call i32 @g(i32 %r, ptr getelementptr (i8, ptr @h, i64 4)), !foo !0
  ret i32 %z
}

declare i32 @g(i32, ptr)

attributes #0 = { nounwind memory(read, argmem: readwrite) "k"="v" }

!n = !{!0}

!0 = !{!"s", i32 4, !1}
!1 = !{null}
"""


def printed(text: str) -> str:
    return str(bitcodec.parse_assembly(text)).partition("\n")[2]


def test_printed_text_is_parsed() -> None:
    assert printed(MODULE) == MODULE


def test_order_of_the_text_does_not_matter_for_globals() -> None:
    module = bitcodec.parse_assembly(
        "define ptr @f() {\n  ret ptr @v\n}\n@w = global [1 x ptr] [ptr @v]\n@v = global i8 0"
    )
    variable = module.global_variables["v"]
    assert module.global_variables["w"].initializer.operands == (variable,)
    assert [user.opcode for user in variable.users if hasattr(user, "opcode")] == ["ret"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@a = i32 0", "1:6: expected 'global' or 'constant'"),
        ("define void @f() {\n  ret i32 %y\n}", "2:7: value doesn't match function result type 'void'"),
        ("define i32 @f() {\n  ret i32 %y\n}", "2:11: use of undefined value '%y'"),
        ('@"ä" = global i32 zz', "1:20: expected value token"),
    ],
)
def test_errors_are_those_of_llvm(text: str, message: str) -> None:
    with pytest.raises(bitcodec.AssemblyError) as caught:
        bitcodec.parse_assembly(text)
    assert str(caught.value) == message


def test_access_tags_that_name_a_type_alone_become_tags_of_that_type() -> None:
    text = (
        'define void @f(ptr %p) {\n  store i32 0, ptr %p, !tbaa !{!"int", !0}\n  store i32 1, ptr %p, !tbaa !2\n'
        '  ret void\n}\n!0 = !{!"char", !1}\n!1 = !{!"root"}\n!2 = !{!0, !0, i64 0}\n'
    )
    first, second, _ = bitcodec.parse_assembly(text, dialect=22).functions["f"].entry_block.instructions
    base, access, offset = first.metadata["tbaa"].operands
    assert base is access
    assert (base.operands[0].text, offset.value.unsigned) == ("int", 0)
    assert second.metadata["tbaa"].operands[0].operands[0].text == "char"


def test_nodes_with_one_constant_or_nothing_are_themselves_as_arguments() -> None:
    nodes = ("!{i32 4}", "!0", "!{null}", "!1", '!{!"a"}', "!{i32 4, i32 5}")
    calls = "".join(f"  call void @f(metadata {node})\n" for node in nodes)
    nodes_below = "!0 = distinct !{i32 5}\n!1 = !{null}\n"
    text = f"define void @g() {{\n{calls}  ret void\n}}\ndeclare void @f(metadata)\n{nodes_below}"
    module = bitcodec.parse_assembly(text, dialect=22)
    printed = [line for line in str(module).splitlines() if "call" in line]
    assert [line.partition("metadata ")[2][:-1] for line in printed] == ["i32 4", "i32 5", "!0", "!0", "!1", "!2"]
    empty, pair = (module.functions["g"].entry_block.instructions[place].operands[0].metadata for place in (2, 5))
    assert (len(empty.operands), len(pair.operands)) == (0, 2)


def test_constants_that_become_one_when_names_are_known_have_each_use_once() -> None:
    text = """%A = type { ptr, ptr }
%T = type { i64, %A, ptr }
@p = global %A { ptr @y, ptr @z }
@y = global i32 0
@z = global i32 0
@a = constant %T { i64 7, %A { ptr @y, ptr @z }, ptr @q }
@q = global i32 0
@b = global %T { i64 7, %A { ptr @y, ptr @z }, ptr @q }
"""
    module = bitcodec.parse_assembly(text)
    pair, first, second = (module.global_variables[name].initializer for name in "pab")
    assert pair is not None
    assert first is second
    uses = [(use.user, use.operand_number) for use in pair.uses]
    assert uses == [(module.global_variables["p"], 0), (first, 1)]
    module.preserves_use_list_order = True
    assert str(bitcodec.loads(bitcodec.dumps(module))).partition("\n")[2] == printed(text)

"""Blocks and instructions of texts added to functions: `Function.parse_block`, `Builder.parse`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitcodec
from amounts import amount
from bitcodec.builder import Builder, add_function, new_module
from bitcodec.ir import Function

BASE = """
%pair = type { i32, ptr }

@table = internal global %pair zeroinitializer

define i32 @named(i32 %x, ptr %p) {
entry:
  %sum = add i32 %x, 1
  br label %exit

exit:
  ret i32 %sum
}

define i32 @numbered(i32 %0, ptr %1) #0 {
  %3 = load i32, ptr %1
  br label %4

4:
  %5 = add i32 %0, %3
  ret i32 %5
}

attributes #0 = { cold }
attributes #1 = { noreturn }

define void @other() #1 { ret void }

!kept = !{!0}
!0 = !{!"node"}
!llvm.module.flags = !{!1}
!1 = !{i32 2, !"Debug Info Version", i32 3}
"""


def base(name: str = "named") -> Function:
    return bitcodec.parse_assembly(BASE, name="base.ll").functions[name]


def module_of(function: Function) -> bitcodec.Module:
    assert function.parent is not None
    return function.parent


def text_of(function: Function) -> str:
    return str(function.parent)


def users_of(function: Function) -> list[int]:
    """Return how often everything that text could use is used."""
    values = [*module_of(function).globals, *function.arguments, *function.blocks, *function.instructions]
    return [len(value.users) for value in values]


def test_blocks_use_names_of_the_function_and_the_module() -> None:
    function = base()
    first, second = function.parse_block("""
        more:
          %field = getelementptr %pair, ptr @table, i64 0, i32 1
          %again = add i32 %x, %sum
          call void @other()
          %ones = call i32 @llvm.ctpop.i32(i32 %later)
          br i1 true, label %more2, label %exit
        more2:
          %later = add i32 %again, 1
          br label %more
    """)
    assert function.blocks[2:] == (first, second)
    assert [block.name for block in (first, second)] == ["more", "more2"]
    assert function.symbols.get("later") is second.instructions[0]
    assert first.instructions[1].operands == (function.arguments[0], function.symbols["sum"])
    assert first.terminator.successors == (second, function.blocks[1])  # type: ignore[union-attr]
    assert first.instructions[2] in module_of(function).functions["other"].users
    text = text_of(function)
    assert str(bitcodec.parse_assembly(text, name="base.ll")) == text


def test_numbers_are_those_of_the_printed_function() -> None:
    function = base("numbered")
    first, second = function.parse_block("""
          %7 = mul i32 %5, %0
          br label %8
        8:
          store i32 %7, ptr %1
          br label %4
    """)
    assert not first.name
    text = text_of(function)
    assert "6:  " in text
    assert "%7 = mul i32 %5, %0" in text
    assert [str(successor.instructions[0]) for successor in second.successors] == ["%5 = add i32 %0, %3"]
    assert str(bitcodec.parse_assembly(text, name="base.ll")) == text


def test_numbers_of_groups_and_nodes_are_those_of_the_printed_module() -> None:
    function = base()
    (block,) = function.parse_block("""
        more:
          call void @other() #1, !kept !0
          call void @other(), !kept !{!"new"}
          ret i32 0
    """)
    assert str(block.instructions[0]).startswith("call void @other() #0, !kept !0")
    text = text_of(function)
    assert "call void @other() #1, !kept !0\n" in text
    assert "call void @other(), !kept !2\n" in text
    assert '!2 = !{!"new"}' in text


def test_records_and_wrapped_values_follow() -> None:
    function = base()
    (block,) = function.parse_block("""
        more:
            #dbg_value(i32 %sum, !DILocalVariable(scope: !0), !DIExpression(), !DILocation(scope: !0))
          ret i32 %sum
    """)
    (record,) = block.instructions[0].debug_records
    assert record.value.value is function.symbols["sum"]  # type: ignore[union-attr]


def test_declarations_become_definitions() -> None:
    module = new_module("x")
    i32 = module.context.types.integer(32)
    function = add_function(module, "f", module.context.types.function(i32, [i32]), argument_names=["x"])
    (block,) = function.parse_block("ret i32 %x")
    assert function.entry_block is block
    assert str(function) == "define i32 @f(i32 %x) {\n  ret i32 %x\n}"


def test_functions_of_files() -> None:
    module = bitcodec.loads(bitcodec.dumps(module_of(base())))
    module.functions["named"].parse_block("more: ret i32 %sum")
    assert not module.functions["numbered"].is_materialized
    text = str(module)
    read = bitcodec.loads(bitcodec.dumps(module))
    read.identifier = module.identifier
    assert str(read) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected a block"),
        ("exit: ret i32 0", "1:1: redefinition of '%exit' of the function"),
        ("x: ret i32 0", "1:1: redefinition of '%x' of the function"),
        ("%sum = add i32 1, 2 ret i32 0", "1:1: multiple definition of local value named 'sum'"),
        ("%a = add i32 %p, 2 ret i32 0", "1:14: '%p' defined with type 'ptr' but expected 'i32'"),
        ("%a = add i32 %exit, 2 ret i32 0", "1:14: '%exit' defined with type 'label' but expected 'i32'"),
        ("br label %sum", "1:10: '%sum' is not a basic block"),
        ("br label %nothing", "1:10: use of undefined value '%nothing'"),
        ("%a = add i32 %b, 2 ret i32 %sum", "1:14: use of undefined value '%b'"),
        ("%a = add i32 %7, %x ret i32 %sum", "1:14: use of undefined value '%7'"),
        ("store i32 %sum, ptr @nothing br label %exit", "1:21: use of undefined value '@nothing'"),
        ("indirectbr ptr blockaddress(@named, %gone), [label %exit]", "1:37: use of undefined value '%gone'"),
        ("indirectbr ptr blockaddress(@named, %sum), [label %exit]", "1:37: '%sum' is not a basic block"),
        ("new: indirectbr ptr blockaddress(@named, %new), [label %new]\n}", "2:1: expected instruction opcode"),
        (
            "store ptr blockaddress(@named, %exit), ptr @table store i32 %x, ptr @a ret i32 0",
            "use of undefined value '@a'",
        ),
        ("call void @other(), !a !9 ret i32 0", "1:25: use of undefined metadata '!9'"),
        ("%a = alloca %nothing ret i32 0", "1:13: Cannot allocate unsized type"),
        ("br label %exit\n%a = add", "2:9: expected type"),
        ("br label %exit br", "1:18: expected type"),
        ("%a = add i32 %x, %sum", "1:22: found end of file when expecting more instructions"),
        ("}", "1:1: expected instruction opcode"),
        ("ret void", "1:5: value doesn't match function result type 'i32'"),
        ("%a = load i32* %p ret i32 %a", "1:16: expected comma after load's type"),
    ],
)
def test_refused(text: str, message: str) -> None:
    function = base()
    before, users = text_of(function), users_of(function)
    with pytest.raises(bitcodec.AssemblyError) as caught:
        function.parse_block(text)
    assert message in str(caught.value)
    assert text_of(function) == before
    assert users_of(function) == users


@pytest.mark.parametrize("name", ["named", "numbered"])
def test_addresses_of_blocks_of_the_function_and_of_the_text(name: str) -> None:
    function = base(name)
    old = "exit" if name == "named" else "4"
    text = f"""
new:
  indirectbr ptr blockaddress(@{name}, %{old}), [label %later, label %{old}]
later:
  indirectbr ptr blockaddress(@{name}, %new), [label %new]
"""
    new, later = function.parse_block(text)
    addresses = [block.terminator.operands[0] for block in (new, later)]
    assert [address.block for address in addresses] == [function.blocks[1], new]
    assert {address.function for address in addresses} == {function}
    again = bitcodec.loads(bitcodec.dumps(module_of(function))).functions[name]
    assert [again.blocks[2].terminator.operands[0].block, again.blocks[3].terminator.operands[0].block] == [
        again.blocks[1],
        again.blocks[2],
    ]


def test_numbers_that_are_taken_are_refused() -> None:
    function = base("numbered")
    with pytest.raises(bitcodec.AssemblyError, match="instruction expected to be numbered '%7' or greater"):
        function.parse_block("%5 = add i32 %0, 1 ret i32 %5")
    with pytest.raises(bitcodec.AssemblyError, match="label expected to be numbered '6' or greater"):
        function.parse_block("4: ret i32 0")


def test_functions_without_a_module_are_refused() -> None:
    function = base()
    function.erase_from_parent()
    with pytest.raises(ValueError, match="is in no module"):
        function.parse_block("ret i32 0")


def test_builders_insert_instructions() -> None:
    function = base("numbered")
    builder = Builder(function.blocks[1])
    with builder.before(function.blocks[1].instructions[1]):
        product, called = builder.parse("%6 = mul i32 %5, %3\ncall void @other()")
    assert function.blocks[1].instructions[1:3] == (product, called)
    assert str(function.blocks[1]).splitlines()[1:] == [
        "  %5 = add i32 %0, %3",
        "  %6 = mul i32 %5, %3",
        "  call void @other()",
        "  ret i32 %5",
    ]
    assert builder.parse("") == []


def test_builders_give_their_location() -> None:
    function = base()
    builder = Builder(function.blocks[0])
    terminator = function.blocks[0].terminator
    assert terminator is not None
    builder.before(terminator)
    scope = bitcodec.ir.DISubprogram(name="f")
    builder.debug_location = bitcodec.ir.DILocation(scope=scope, line=3)
    one, two = builder.parse("call void @other()\ncall void @other(), !dbg !DILocation(line: 4, scope: !0)")
    assert one.debug_location is builder.debug_location
    assert two.debug_location is not None
    assert two.debug_location.line == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ret i32 0", "ret ends a block: it cannot precede"),
        ("%a = add i32 1, %nothing", "use of undefined value '%nothing'"),
        ("a: ret i32 0", "expected instruction opcode"),
        ("ret i32 0 ret i32 1", "expected the end of the text behind the end of a block"),
    ],
)
def test_builders_refuse(text: str, message: str) -> None:
    function = base()
    builder = Builder(function.blocks[0])
    terminator = function.blocks[0].terminator
    assert terminator is not None
    builder.before(terminator)
    before, users = text_of(function), users_of(function)
    with pytest.raises((ValueError, bitcodec.AssemblyError), match=message):
        builder.parse(text)
    assert text_of(function) == before
    assert users_of(function) == users


LINES = (
    "a:", "b:", "exit:", "7:", "%1 = add i32 %x, 1", "%v = add i32 %sum, %w", "%w = add i32 %v, %x",
    "%sum = add i32 1, 2", "br label %a", "br label %exit", "br label %9", "ret i32 %v", "ret i32 %1",
    "store i32 %x, ptr @table", "call void @other()", "call void @nothing()", "%q = call i32 @named(i32 %x, ptr %p)",
    "store ptr %q, ptr @table", "}",
    "%f = phi i32 [ %x, %entry ], [ %f, %b ]", "call void @other(), !k !0", "call void @other(), !k !7", "uselistorder",
)  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=7))
@settings(max_examples=amount(60, 300), deadline=None)
def test_texts_are_added_whole_or_not_at_all(lines: list[str]) -> None:
    function = base()
    before, users = text_of(function), users_of(function)
    try:
        blocks = function.parse_block("\n".join(lines))
    except bitcodec.AssemblyError:
        assert text_of(function) == before
        assert users_of(function) == users
    else:
        assert function.blocks[2:] == tuple(blocks)
        text = text_of(function)
        assert str(bitcodec.parse_assembly(text, name="base.ll")) == text
